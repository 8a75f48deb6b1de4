"""Every view has every form, and says so in a sentence where one has no meaning."""

import ast
import inspect
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
import viz_pictures
from viz_forms import has_every_form
from viz_pictures import VIEWS, right_square, wrong_square

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz import drawing, facts

ROOMS = {"facts": 0, "drawing": 1, "views": 2}
HOME = Path(viz.__file__).parent


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_has_every_form_light_and_dark(name, tmp_path):
    has_every_form(VIEWS[name], tmp_path)


def test_every_view_has_a_test_of_its_forms():
    told = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    told = "\n".join([inspect.getsource(viz_pictures), *(text for text in told if "has_every_form(" in text)])
    functions = [name for name in viz.__all__ if not isinstance(getattr(viz, name), type)]
    assert [name for name in functions if f"viz.{name}(" not in told] == []


def test_where_there_is_no_graph_dot_says_what_there_is():
    with pytest.raises(ValueError, match=r"shows no graph.*or save it as \.svg, \.pdf, \.png, \.html, \.txt$"):
        VIEWS["unbroadcast"]().dot()


def test_dot_of_a_fan_out_names_the_walks_that_are_wrong_and_the_right_gradient():
    x = Value(2.0, label="x")
    p = x * 3
    source = viz.fan_out(p + p * p, ["topological", "recursive"], names={"p": p}).dot().source
    assert r"x = 2\ngrad 39\n3 paths\nrecursive: 63 (wrong)" in source
    assert r"p = 6\ngrad 13\n3 paths" in source


def test_dot_of_a_comparison_says_what_differs_where_it_differs():
    mine = wrong_square()
    mine.backward()
    source = viz.compare(mine, right_square()).dot().source
    assert r"x = 3\ngrad 3\n≠ x.grad is 3 here and 6 there" in source
    assert source.count("≠") == 1


def test_dot_of_a_shape_table_has_its_rows_beside_the_arrows():
    import minitorch as mt

    b = mt.Tensor([0.5, 1.0, 2.0], requires_grad=True)
    loss = (mt.Tensor(np.ones((4, 3), np.float32)) * b).sum()
    source = viz.shapes(loss, names={"b": b}).dot().source
    assert "= g * constant: (4, 3), summed over axis 0" in source
    assert "= g, for every number summed: (4, 3)" in source


def test_the_svg_of_a_shape_table_says_what_its_text_says():
    mine = wrong_square()
    mine.backward()
    mine.grad = float("nan")
    table = viz.shapes(mine)
    said = [text.text for text in ET.fromstring(table.svg()).iter("{http://www.w3.org/2000/svg}text")]
    for row in table.rows:
        assert row.operand in said
    assert any(line.startswith(table.wrong[0][:20]) for line in said)
    assert said[0] == table.title


def test_a_stepper_and_a_graph_are_pages_of_their_own(tmp_path):
    still = VIEWS["graph"]().html(tmp_path / "graph.html").read_text(encoding="utf-8")
    moving = VIEWS["step"]().html(tmp_path / "step.html").read_text(encoding="utf-8")
    assert "<script" not in still
    assert "<img alt=" in still
    assert "<script>" in moving
    for page in (still, moving):
        assert "./theme.js" not in page
        assert 'src="http' not in page


# -- the rooms -------------------------------------------------------------------------------------------------------


def imports_of(path):
    """The modules of viz/ that a file imports, inside functions and for types too, as "room.file"."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("minitorch.viz."):
            _, _, room, *file = node.module.split(".")
            found |= {f"{room}.{file[0]}"} if file else {f"{room}.{alias.name}" for alias in node.names}
    return found


def files():
    return {f"{room}.{path.stem}": path for room in ROOMS for path in sorted((HOME / room).glob("*.py"))}


def test_imports_run_one_way_through_the_rooms():
    assert {path.name for path in HOME.glob("*.py")} == {"__init__.py"}
    back = [
        (file, other)
        for file, path in files().items()
        for other in imports_of(path)
        if ROOMS[other.split(".")[0]] > ROOMS[file.split(".")[0]]
    ]
    assert back == []


@pytest.mark.parametrize("room", [facts, drawing])
def test_the_map_of_a_room_names_its_files(room):
    files = {path.stem for path in Path(room.__file__).parent.glob("*.py")} - {"__init__"}
    assert files - set(re.findall(r"\w+", room.__doc__)) == set()


def test_no_file_needs_another_that_needs_it():
    needs = {file: imports_of(path) for file, path in files().items()}
    done = set()
    while ready := {file for file in needs if file not in done and needs[file] - done <= {file}}:
        done |= ready
    assert set(needs) - done == set()

"""Every view has every form, and says so in a sentence where one has no meaning."""

import ast
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from viz_pictures import product_and_sum

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.views.picture import Picture

ROOMS = {"facts": 0, "drawing": 1, "views": 2}
HOME = Path(viz.__file__).parent
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def wrong_square():
    x = Value(3.0, label="x")
    return Value(9.0, (x, x), "*", (3.0, 0.0))


def right_square():
    x = Value(3.0, label="x")
    return x * x


VIEWS = {
    "graph": lambda: viz.graph(product_and_sum()[0]),
    "step": lambda: viz.step(product_and_sum()[0]),
    "fan_out": lambda: viz.fan_out(product_and_sum()[0]),
    "shapes": lambda: viz.shapes(product_and_sum()[0]),
    "compare": lambda: viz.compare(wrong_square(), right_square()),
    "unbroadcast": lambda: viz.unbroadcast((4, 3), (3,)),
    "boundary": lambda: viz.boundary(lambda at: at[:, 0] - 1, [[0, 0], [2, 1], [0.5, 1]], [-1, 1, 1]),
}
WITHOUT_A_GRAPH = ("unbroadcast", "boundary")


def test_every_function_of_viz_is_seen_here():
    assert set(VIEWS) == {name for name in viz.__all__ if not isinstance(getattr(viz, name), type)}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_has_every_form_light_and_dark(name, tmp_path):
    picture = VIEWS[name]()
    assert isinstance(picture, Picture)
    drawn = ET.fromstring(picture.svg())
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert "@media(prefers-color-scheme:dark)" in picture.svg()
    assert picture.svg() == VIEWS[name]().svg()
    assert repr(picture) == picture.text()
    page = picture.html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert f"<title>{picture.title}</title>" in page
    assert "#14181d" in page  # the dark paper
    bundle = picture._repr_mimebundle_()
    assert {"text/html", "text/plain"} <= set(bundle) <= {"text/html", "text/plain", "image/svg+xml", WIDGET_VIEW}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_is_written_in_every_form_that_it_names(name, tmp_path):
    picture = VIEWS[name]()
    forms = [form for form in picture.forms if form not in (".pdf", ".png")]  # those need Graphviz's program
    assert set(forms) >= {".svg", ".txt", ".html"}
    for form in forms:
        assert picture.save(tmp_path / f"a{form}").stat().st_size > 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == picture._page()
    with pytest.raises(ValueError, match=r"^cannot write a picture as '\.gif': use \.svg, \.txt, \.html") as error:
        picture.save(tmp_path / "a.gif")
    assert str(error.value).endswith(", ".join(picture.forms))
    assert not (tmp_path / "a.gif").exists()


@pytest.mark.parametrize("name", [name for name in VIEWS if name not in WITHOUT_A_GRAPH])
def test_a_view_of_a_graph_is_drawn_by_dot(name, tmp_path):
    picture = VIEWS[name]()
    assert picture.save(tmp_path / "a.gv").read_text(encoding="utf-8") == picture.dot().source
    assert picture.dot().source.startswith("digraph")


@pytest.mark.parametrize("name", WITHOUT_A_GRAPH)
def test_a_view_without_a_graph_says_what_it_has_in_place_of_dot(name):
    with pytest.raises(ValueError, match=r"shows no graph.*use \.svg\(\), \.text\(\) or \.html\(path\).*\.html$"):
        VIEWS[name]().dot()


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
    assert '<script type="module">' in moving
    assert "Step 4 of 5" in moving
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


def test_no_file_needs_another_that_needs_it():
    needs = {file: imports_of(path) for file, path in files().items()}
    done = set()
    while ready := {file for file in needs if file not in done and needs[file] - done <= {file}}:
        done |= ready
    assert set(needs) - done == set()

"""nbval with the course's hooks: which outputs it compares, in which course folder, and what it sees."""

import base64
import os
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from minitorch.course import manifest
from minitorch.course.activities.notebooks import not_passed
from minitorch.course.files.learner import write_learner
from minitorch.course.setup.workspace import init_course

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = manifest.material() / "notebooks"
STORED_LEARNER = "0" * 32
KERNEL = {"kernelspec": {"display_name": "Python 3", "name": "python3"}}


def nbval(place: Path, **variables: str) -> dict[str, str]:
    """Run pytest with nbval in a process of its own; return the outcome of each cell, by its name."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MINITORCH_")} | variables
    command = [sys.executable, "-m", "pytest", "--nbval", "-v", "--color=no", "-p", "no:cacheprovider", str(place)]
    done = subprocess.run(command, cwd=place.parent, env=env, capture_output=True, text=True, check=False)
    found = dict(re.findall(r"::Cell (\d+) (PASSED|FAILED)", done.stdout))
    assert found, done.stdout + done.stderr
    return {**found, "said": done.stdout}


def failed(outcomes: dict[str, str]) -> list[int]:
    return sorted(int(name) for name, outcome in outcomes.items() if outcome == "FAILED")


@pytest.fixture
def course(tmp_path):
    """Return a learner's folder whose notebooks kept their outputs."""
    init_course(tmp_path / "course", "en", outputs=True)
    return tmp_path / "course"


def notebook(course: Path, *cells) -> Path:
    """Write a notebook into the learner's folder, its cells run once."""
    for count, cell in enumerate(cells, start=1):
        cell.execution_count = count
    path = course / "work" / "one.ipynb"
    nbformat.write(new_notebook(cells=list(cells), metadata=KERNEL), path)
    return path


def printed(source: str, text: str, *tags: str):
    cell = new_code_cell(source, outputs=[new_output("stream", name="stdout", text=text)])
    cell.metadata["tags"] = list(tags)
    return cell


# ------------------------------------------------------------------------------------------ what is seen


def one_number_later(text: str) -> str:
    """Return a text with the first number that a person reads one larger: in a picture, one of its description."""
    return re.sub(r"(?<= )\d+(?=[.;\n])", lambda found: str(int(found[0]) + 1), text, count=1)


def kind_of(output) -> str:
    if output.output_type == "stream":
        return "text"
    html = output.get("data", {}).get("text/html", "")
    return "document" if "<iframe" in html else "picture" if "data:image/svg+xml" in html else "page" if html else ""


@pytest.mark.parametrize("lesson", ["02", pytest.param("08", marks=pytest.mark.gate)])
def test_one_number_changed_in_a_text_a_picture_or_a_document_is_red(tmp_path, lesson):
    """Each kind of output of a shipped notebook, in a copy of it: what was changed is red, and nothing else."""
    course = tmp_path / "course"
    init_course(course, "en", outputs=True)
    write_learner(course, STORED_LEARNER)
    path = course / "work" / manifest.load().lesson(lesson).notebook_name
    read = nbformat.read(path, as_version=4)
    changed: dict[str, int] = {}
    for number, cell in enumerate(cell for cell in read.cells if cell.cell_type == "code"):
        for output in cell.outputs:
            kind = kind_of(output)
            if not kind or kind in changed or number in changed.values() or cell.metadata.get("tags"):
                continue
            at, key = (output, "text") if kind == "text" else (output.data, "text/html")
            before, at[key] = at[key], one_number_later(at[key])
            if at[key] != before:
                changed[kind] = number
                break
    assert {"text", "picture", "document"} <= set(changed)
    nbformat.write(read, path)
    assert failed(nbval(path)) == sorted(changed.values())


def test_a_picture_as_svg_and_a_result_as_text_are_compared(course):
    def shown(picture: int, result: int):
        source = 'display({"image/svg+xml": "<svg><text>3</text></svg>"}, raw=True)\n3'
        drawn = new_output("display_data", data={"image/svg+xml": f"<svg><text>{picture}</text></svg>"})
        returned = new_output("execute_result", data={"text/plain": str(result)}, execution_count=1)
        return new_code_cell(source, outputs=[drawn, returned])

    assert failed(nbval(notebook(course, shown(3, 3), shown(4, 3), shown(3, 4)))) == [1, 2]


def test_a_document_is_compared_by_what_it_says_whoever_deflated_it(course):
    from minitorch import viz
    from minitorch.scalar import Value

    source = 'from minitorch import viz\nfrom minitorch.scalar import Value\nviz.step(Value(3.0, label="x") * 2.0)'

    def stored(value: float, level: int):
        bundle = viz.step(Value(value, label="x") * 2.0)._repr_mimebundle_()
        found = re.search(r"atob\((?:&#x27;|')([A-Za-z0-9+/=]+)", bundle["text/html"])
        packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
        inflated = zlib.decompress(base64.b64decode(found[1]), -zlib.MAX_WBITS)
        other = base64.b64encode(packer.compress(inflated) + packer.flush()).decode()
        assert (other == found[1]) is (level == 9)
        data = {kind: bundle[kind] for kind in ("text/html", "text/plain")}
        data["text/html"] = data["text/html"].replace(found[1], other)
        return new_code_cell(source, outputs=[new_output("execute_result", data=data, execution_count=1)])

    assert failed(nbval(notebook(course, stored(3.0, 9), stored(3.0, 1), stored(4.0, 9)))) == [2]


def test_the_last_of_the_pictures_that_take_each_others_place_is_compared(course):
    source = """
from IPython.display import display
shown = display({"text/plain": "step 1"}, raw=True, display_id="board")
shown.update({"text/plain": "step 2"}, raw=True)
"""
    cells = [
        new_code_cell(source, outputs=[new_output("display_data", data={"text/plain": f"step {step}"})])
        for step in (1, 2)
    ]
    assert failed(nbval(notebook(course, *cells))) == [0]


# ------------------------------------------------------------------------------------- the learner's folder


def verdict_of(answer: str | None, course: Path) -> dict[str, str]:
    """Return nbval's outcomes of a cell with a verdict that was stored where nothing was solved."""
    if answer is not None:
        (course / "exercises" / "lesson_00_start_here.py").write_text(answer, encoding="utf-8")
    source = 'from minitorch.course import check\ncheck("hello_gradient")'
    stored = new_output("execute_result", data={"text/plain": "○ hello_gradient: not started"}, execution_count=1)
    cell = new_code_cell(source, outputs=[stored])
    cell.metadata["tags"] = ["verdict"]
    return nbval(notebook(course, cell))


def test_a_verdict_is_right_where_nothing_is_solved_and_where_all_has_passed(course):
    assert failed(verdict_of(None, course)) == []
    assert failed(verdict_of("def hello_gradient(x):\n    return 2 * x + 3\n", course)) == []


@pytest.mark.parametrize("answer", ["def hello_gradient(x):\n    return 2 * x\n", "def hello_gradient(x:\n"])
def test_a_verdict_that_has_not_passed_is_red_and_quoted(course, answer):
    outcomes = verdict_of(answer, course)
    assert failed(outcomes) == [0]
    assert re.search("not passed: [✗!] hello_gradient: ", outcomes["said"])


def said(place: Path) -> str:
    """Return what pytest says of a notebook that nbval does not get to run."""
    command = [Path(sys.executable).with_name("pytest"), "--nbval", "-q", "--color=no", "-p", "no:cacheprovider", place]
    env = os.environ | {"MINITORCH_LANG": "en"}
    done = subprocess.run(command, cwd=place.parents[1], env=env, capture_output=True, text=True, check=False)
    assert done.returncode, done.stdout
    assert "Traceback" not in done.stdout
    return " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "work/00_start_here.ipynb is empty (0 bytes)"),
        (b'{"cells": [', "ends in the middle"),
        (b"\xef\xbb\xbf{}", "is no notebook: it is JSON, but holds no cells"),
        (b'\xef\xbb\xbf{"cells": []}', "begins with a byte order mark, and Jupyter opens no such notebook"),
    ],
)
def test_a_notebook_that_cannot_be_read_is_told_in_a_sentence(course, content, why):
    path = course / "work" / "00_start_here.ipynb"
    path.write_bytes(content)
    assert why in said(path)


def test_copies_without_outputs_are_not_passed_by_comparing_nothing(tmp_path):
    init_course(tmp_path / "course", "en")
    shutil.copy(NOTEBOOKS / "conftest.py", tmp_path / "course" / "work")
    assert "keeps no outputs to compare with" in said(tmp_path / "course" / "work" / "00_start_here.ipynb")


def test_a_file_that_hides_a_package_is_named_before_a_cell_is_run(course):
    (course / "work" / "numpy.py").touch()
    assert "work/numpy.py hides the package numpy" in said(course / "work" / "00_start_here.ipynb")


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("○ flat_place: not started", False),  # optional
        ("    01  ○ not started  dot", False),
        ("○ hello_gradient: not started", True),
        ("    01  ○ not started  mul, dot", True),
        ("✗ flat_place: wrong. You", True),
        ("✓ hello_gradient: passed", False),
    ],
)
def test_an_optional_exercise_may_be_left_open(line, is_told):
    assert list(not_passed(f"yours 3\n{line}")) == ([line.strip()] if is_told else [])


def test_what_is_dealt_to_a_learner_is_compared_for_the_one_of_the_stored_outputs(course):
    path = notebook(course, printed("print(2)", "1\n", "dealt"))
    assert failed(nbval(path)) == []
    write_learner(course, STORED_LEARNER)
    assert failed(nbval(path)) == [0]


def test_a_cell_that_raises_is_red_whatever_its_tags(course):
    assert failed(nbval(notebook(course, printed("1 / 0", "", "dealt"), printed("1 / 0", "", "verdict")))) == [0, 1]


# --------------------------------------------------------------------------------------- shipped notebooks


@pytest.mark.gate
@pytest.mark.parametrize("folder", [".", "es"])
def test_a_shipped_notebook_speaks_the_language_of_its_folder_beside_solved_exercises(tmp_path, folder):
    """Untouched stubs are judged, whatever the learner has solved beside it, and whatever language is chosen."""
    path = NOTEBOOKS / folder / "00_start_here.ipynb"
    (tmp_path / "exercises").mkdir()
    shutil.copy(ROOT / "solutions" / "lesson_00_start_here.py", tmp_path / "exercises")
    assert failed(nbval(path, MINITORCH_LANG="es")) == []

"""The code that a learner meets in the lessons: stubs, planted bugs, and the snippets that load their own answers."""

import ast
import contextlib
import io
import re
from pathlib import Path

import nbformat
import pytest

from minitorch.course import manifest
from minitorch.course.files.stubs import stub_source
from minitorch.course.manifest import Lesson
from minitorch.scalar import Value

ROOT = Path(__file__).resolve().parents[2]
COURSE = manifest.load()
every_lesson = pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)


def cells(number: str) -> list:
    return nbformat.read(ROOT / "notebooks" / COURSE.lesson(number).notebook_name, as_version=4).cells


def run_cells(number: str, *words: str) -> dict:
    """Run the code cells that contain one of `words`, quietly and in order; return what they defined."""
    names: dict = {"Value": Value}
    found = [cell.source for cell in cells(number) if cell.cell_type == "code"]
    chosen = [source for source in found if any(word in source for word in words)]
    assert len(chosen) >= len(words)
    with contextlib.redirect_stdout(io.StringIO()):
        for source in chosen:
            exec(compile(source, number, "exec"), names)
    return names


# ------------------------------------------------------------------------------------------------- stubs


def stub_functions(lesson: Lesson):
    for node in ast.walk(ast.parse(stub_source(lesson))):
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.body[-1]) == "raise NotImplementedError":
            yield node


@every_lesson
def test_every_stub_says_what_it_takes_and_shows_an_example(lesson):
    functions = list(stub_functions(lesson))
    assert len(functions) >= len(lesson.exercises)
    for function in functions:
        said = ast.get_docstring(function)
        assert re.search(r"\b(?:Returns?|Set)\b", said), function.name
        assert re.search(r"\bis -?\d|\bis \[|\bis \{", said), f"{function.name} has no worked example"
    assert "number" in stub_source(lesson)


@every_lesson
def test_a_stub_gives_nothing_away(lesson):
    solution = {ast.unparse(node) for node in statements(lesson.solution_source())}
    stub = {ast.unparse(node) for node in statements(stub_source(lesson))}
    taken_out = solution - stub
    assert taken_out
    given = stub_source(lesson)
    assert [line for line in taken_out if len(line) > 25 and line in given] == []


def statements(source: str):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Return, ast.Assign, ast.AnnAssign, ast.For, ast.While)):
            yield node


def test_lesson_02_needs_nothing_of_lesson_01():
    imported = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(COURSE.lesson("02").solution_source()))
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    assert imported == ["from __future__ import annotations", "from typing import Any"]


# ------------------------------------------------------------------------------------------ planted bugs


def test_one_claim_of_lesson_00_is_false():
    names = run_cells("00", "def nudge(")
    wrong = [
        name
        for name, (function, slope) in names["claims"].items()
        if abs(names["nudge"](function, 2.0) - slope(2.0)) > 1e-3
    ]
    assert wrong == ["1 / x"]


def test_one_operation_of_lesson_01_lies():
    names = run_cells("01", "def nudge(", "class Planted")
    wrong = []
    for sign, operation in names["operations"].items():
        out = operation(names["Planted"](3.0), names["Planted"](2.0))
        for which, claimed in zip("ab", out._local_grads, strict=False):
            if abs(names["nudge"](operation, 3.0, 2.0, which) - claimed) > 1e-6:
                wrong.append((sign, which))
    assert wrong == [("/", "b")]


def test_one_operation_of_lesson_02_lies_and_the_nodes_behind_it_agree():
    names = run_cells("02", "class Tilted")
    graph = names["forward"]()
    graph["root"].backward()
    agrees = {}
    for name in graph:
        ahead, behind = (names["forward"](**{name: step})["root"].data for step in (1e-5, -1e-5))
        agrees[name] = abs((ahead - behind) / 2e-5 - graph[name].grad) < 1e-6
    assert agrees == {"a": False, "b": False, "s": False, "t": True, "u": True, "root": True}


# -------------------------------------------------------------------------------------------- own answers


@pytest.fixture
def solved(tmp_path, monkeypatch):
    """Lay the solutions out as a learner's answers, and work beside them."""
    (tmp_path / "exercises").mkdir()
    (tmp_path / "work").mkdir()
    for lesson in COURSE.lessons:
        (tmp_path / "exercises" / lesson.file_name).write_text(lesson.solution_source(), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "work")


def snippet(number: str) -> str:
    """Return the fenced Python block that loads the learner's own file."""
    text = "\n".join(cell.source for cell in cells(number) if cell.cell_type == "markdown")
    blocks = [
        block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "spec_from_file_location" in block
    ]
    assert len(blocks) == 1
    return blocks[0]


def last_line_of(source: str, names: dict) -> object:
    """Run a snippet as a cell is run, and return the value of its last line."""
    tree = ast.parse(source)
    last = tree.body.pop()
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.usefixtures("solved")
def test_a_learner_can_draw_their_own_values():
    from minitorch import viz

    picture = last_line_of(snippet("01"), {"viz": viz})
    assert "u  " in picture.text()
    assert picture.steps[-1].after.values == (2.0,) or picture.steps[-1].after.values == (-2.0,)


@pytest.mark.usefixtures("solved")
def test_a_learner_can_walk_minitorchs_own_values():
    from minitorch import viz

    names = {"viz": viz, "Value": Value}
    last_line_of(snippet("02"), names)
    mine = names["a"].grad
    names["a"].grad = None
    names["out"].backward()
    assert mine == pytest.approx(names["a"].grad)

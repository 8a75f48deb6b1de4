"""Notebooks that are handed in: what their cells define is judged as the lesson's file, and nothing else of them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys

import nbformat
import pytest
from grading_class import NAME, SOLUTION, write_own

from minitorch.course.files.stubs import stub_source
from minitorch.course.grading import notebooks
from minitorch.course.grading.courses import course_with
from minitorch.course.grading.submissions import read_class

NOTEBOOK = "T1_twice.ipynb"
TWICE = "def twice_of(x):\n    return FACTOR * x\n"
HALF = "%%time\nimport math\n\ndef half_of(x):\n    return math.ldexp(x, -1)\n"


def notebook(*cells: str) -> bytes:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made["cells"].insert(0, nbformat.v4.new_markdown_cell("# Twice\n\ndef twice_of(x): ..."))
    return nbformat.writes(made).encode()


def source_of(lesson, *cells: str) -> str:
    return notebooks.file_of(notebook(*cells), lesson, "here").source


def run(source: str) -> dict:
    names: dict = {}
    exec(compile(source, "here", "exec"), names)
    return names


def test_what_the_cells_define_stands_in_the_stub(lesson):
    source = source_of(lesson, "FACTOR = 2", TWICE, HALF, "twice_of(3)", "print(half_of(1))", "raise SystemExit")
    found = run(source)
    assert (found["twice_of"](3.5), found["half_of"](3.0)) == (7.0, 1.5)
    assert ast.get_docstring(ast.parse(source)) == ast.get_docstring(ast.parse(SOLUTION))
    assert "raise SystemExit" not in source


def test_the_later_definition_counts_and_helpers_come_along(lesson):
    cells = (
        "def twice_of(x):\n    return x * x",
        "def double(x):\n    return x + x",
        "def twice_of(x):\n    return double(x)",
    )
    assert run(source_of(lesson, *cells))["twice_of"](5) == 10


def test_an_exercise_that_is_not_in_it_stays_a_stub(lesson):
    found = run(source_of(lesson, "FACTOR = 2", TWICE))
    with pytest.raises(NotImplementedError):
        found["half_of"](1.0)


@pytest.mark.parametrize("line", ["from minitorch.course import check", "import matplotlib", "from . import secret"])
def test_what_a_sandbox_does_not_have_is_not_imported(lesson, line):
    assert line not in source_of(lesson, line, TWICE)


def test_a_class_in_a_notebook_takes_the_place_of_the_stubs():
    lesson = course_with(None).lesson("01")
    solution = ast.parse(lesson.solution_source())
    classes = [ast.unparse(node) for node in solution.body if isinstance(node, ast.ClassDef)]
    assert classes
    source = source_of(lesson, *classes)
    assert source.count("class Value") == stub_source(lesson).count("class Value")
    assert run(source)["Value"](2.0).data == 2.0


def test_a_broken_cell_is_told_where_an_exercise_begins_in_it(lesson):
    with pytest.raises(SyntaxError):
        ast.parse(source_of(lesson, "def twice_of(x):\n    return 2 *", HALF))
    ast.parse(source_of(lesson, "1 +", TWICE))


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"cells": [{}]}', b"[" * 100_000])
def test_what_is_no_notebook_is_said(lesson, data):
    said = notebooks.file_of(data, lesson, "ana/x.ipynb").problem.to("en")
    assert said.startswith(("ana/x.ipynb is no notebook", "ana/x.ipynb is empty"))


def test_a_notebook_without_an_exercise_is_no_hand_in(lesson):
    assert notebooks.file_of(notebook("check('twice_of')", "x = 1"), lesson, "here") is None


@pytest.mark.parametrize("name", [NOTEBOOK, f"lesson_{NOTEBOOK}", "T1_twice (2).ipynb"])
def test_a_students_notebook_is_found(tmp_path, lessons, name):
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / name).write_bytes(notebook(TWICE))
    (tmp_path / f"ben_{name}").write_bytes(notebook(TWICE))
    intake = read_class(tmp_path, lessons)
    assert {each.student: each.place for each in intake.hand_ins} == {"ana": f"ana/{name}", "ben": f"ben_{name}"}
    assert {each.file.name for each in intake.hand_ins} == {NAME}


def test_a_file_counts_before_a_notebook_and_a_notebook_before_an_untouched_stub(tmp_path, lessons, lesson):
    for student, source in (("ana", SOLUTION), ("ben", stub_source(lesson))):
        (tmp_path / student / "work").mkdir(parents=True)
        (tmp_path / student / NAME).write_text(source)
        (tmp_path / student / "work" / NOTEBOOK).write_bytes(notebook(TWICE))
        os.utime(tmp_path / student / NAME, (1, 1))
    (tmp_path / "eva").mkdir()
    (tmp_path / "eva" / NOTEBOOK).write_bytes(notebook("1 + 1"))
    intake = read_class(tmp_path, lessons)
    assert [each.place for each in intake.hand_ins] == [f"ana/{NAME}", f"ben/work/{NOTEBOOK}"]
    told = [f"{each.place}: {each.reason.to('en')}" for each in intake.notes]
    assert f"ana/work/{NOTEBOOK}: does not count: ana/{NAME} counts before it" in told
    assert f"eva/{NOTEBOOK}: no exercise of lesson T1 is written in it" in told


@pytest.mark.gate
def test_notebooks_of_an_own_lesson_are_graded_for_real(tmp_path):
    """By the command, in real processes: a lesson of an instructor's that builds on one of the course."""
    write_own(tmp_path / "mine")
    (tmp_path / "course.toml").write_text('own_lessons = "mine"\nlessons = ["T1"]\n')
    for student, cells in {"ana": ("FACTOR = 2", TWICE, HALF), "ben": ("def twice_of(x):\n    return x * x",)}.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / NOTEBOOK).write_bytes(notebook(*cells))
    command = [sys.executable, "-m", "minitorch", "grade"]
    how = {"cwd": tmp_path, "capture_output": True, "text": True}
    graded = subprocess.run([*command, "run", "class", "--allow-root"], check=False, **how)
    assert graded.returncode == 0, graded.stderr
    assert "2 of 4 exercises passed" in graded.stdout
    printed = subprocess.run([*command, "export", "json"], check=False, **how)
    ana, ben = json.loads(printed.stdout)["students"]
    assert (ana["total"], ben["total"]) == (100.0, 0.0)
    assert ben["lessons"][0]["exercises"][0]["diagnosis"] == "square"

"""The code that a learner meets in the lessons: stubs that say what they want, and give nothing away."""

import ast
import re
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.files.stubs import stub_source
from minitorch.course.manifest import Lesson

ROOT = Path(__file__).resolve().parents[2]
COURSE = manifest.load()
every_lesson = pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)


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
        assert re.search(r"\bis -?\d|\bis \[|\bis \{|\bis (?:True|False)\b", said), (
            f"{function.name} has no worked example"
        )
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
    assert sorted(imported) == ["from __future__ import annotations", "from typing import Any", "import math"]

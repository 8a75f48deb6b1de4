"""The line that a verdict offers to copy: it runs as it stands, on the learner's own files."""

from __future__ import annotations

import ast
import builtins
import contextlib
import shutil

import numpy as np
import pytest

from minitorch.course import manifest
from minitorch.course.judging.checks import load_checks

COURSE = manifest.load()
EXERCISES = [
    pytest.param(lesson, exercise, id=exercise.name)
    for lesson in COURSE.lessons
    for exercise in lesson.exercises
    if hasattr(load_checks(lesson)[exercise.name].definition, "line")
]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder in which everything is solved."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "exercises").mkdir()
    for lesson in COURSE.lessons:
        shutil.copy(lesson.solution, folder / "exercises" / lesson.file_name)
    return folder


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_the_line_of_every_case_runs_and_ends_in_a_value(lesson, exercise, course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setenv("MINITORCH_COURSE", str(course))
    check = load_checks(lesson)[exercise.name]
    lines = [check.line(x) for x in check.cases()]
    assert any(lines)
    for x, line in zip(check.cases(), lines, strict=True):
        if line is None:
            continue
        assert "\n" not in line
        wanted = check.wanted(x)
        raised = wanted and (getattr(builtins, wanted, None) or getattr(np.linalg, wanted))
        with pytest.raises(raised) if raised else contextlib.nullcontext():
            run(line)


def run(line: str) -> object:
    """What the last statement of a line is."""
    *statements, last = ast.parse(line).body
    assert isinstance(last, ast.Expr), line
    names: dict[str, object] = {}
    with np.errstate(all="ignore"):  # a warning of NumPy's is part of what some cases show
        exec(compile(ast.Module(statements, []), "line", "exec"), names)
        return eval(compile(ast.Expression(last.value), "line", "eval"), names)

"""Without processes and threads, as in a browser, every lesson is judged as elsewhere."""

from __future__ import annotations

import random
import sys

import pytest
from bare_python import said_by

from minitorch.course import manifest
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.mistakes import full_source, of_exercise

COURSE = manifest.load()
EXERCISES = [(lesson, exercise) for lesson in COURSE.lessons for exercise in lesson.exercises]
JUDGED = """
import json, sys
from minitorch.course import manifest
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.mistakes import full_source, of_exercise

def told(verdict):
    return [str(verdict.kind), verdict.diagnosis, verdict.also]

for lesson in manifest.load().lessons:
    for exercise in lesson.exercises:
        for one in of_exercise(lesson, exercise):
            if f"{exercise.name}:{one.id}" in sys.argv[1:]:
                verdict = judge_source(lesson, full_source(lesson, one))[exercise.name]
                print(json.dumps([exercise.name, one.id, *told(verdict)]))
    if "whole" in sys.argv[1:]:
        for name, source in (("solution", lesson.solution_source()), ("stubs", stub_source(lesson))):
            for verdict in judge_source(lesson, source).values():
                print(json.dumps([name, verdict.exercise, *told(verdict), verdict.checks_run]))
"""


def test_nothing_that_starts_anything_is_left():
    program = """
import json, os, threading
for module in ("subprocess", "multiprocessing", "resource", "fcntl"):
    try:
        __import__(module)
    except ModuleNotFoundError as error:
        print(json.dumps(error.name))
try:
    threading.Thread(target=print).start()
except RuntimeError as error:
    print(json.dumps([str(error), hasattr(os, "fork")]))
"""
    gone = ["subprocess", "multiprocessing", "resource", "fcntl"]
    assert said_by(program) == [*gone, ["can't start new thread", False]]


def test_every_solution_passes_and_every_stub_is_not_started():
    told = said_by(JUDGED, "whole")
    checks = {exercise.name: exercise.checks for exercise in COURSE.exercises}
    assert [row for row in told if row[0] == "solution"] == [
        ["solution", name, "passed", None, None, checks[name]] for name in checks
    ]
    assert [row[1:3] for row in told if row[0] == "stubs"] == [[name, "not started"] for name in checks]


def test_a_known_mistake_of_each_lesson_gets_its_name():
    """Another one for each lesson whenever one is added; all of them are a gate."""
    asked = []
    for lesson in COURSE.lessons:
        ones = [one for exercise in lesson.exercises for one in of_exercise(lesson, exercise)]
        asked.append(random.Random(len(ones)).choice(ones))
    told = said_by(JUDGED, *[f"{one.exercise}:{one.id}" for one in asked])
    assert sorted(told) == sorted([one.exercise, one.id, "wrong", one.id, None] for one in asked)


@pytest.mark.gate
@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform == "win32", reason="a command may not be that long there")
def test_known_mistakes_are_told_as_they_are_in_a_child():
    """One mistake of every second exercise, another one whenever one is added."""
    asked = []
    for lesson, exercise in EXERCISES[::2]:
        ones = of_exercise(lesson, exercise)
        asked.append((lesson, random.Random(len(ones)).choice(ones)))

    def in_a_child(lesson, one):
        verdict = judge_source(lesson, full_source(lesson, one))[one.exercise]
        return [one.exercise, one.id, str(verdict.kind), verdict.diagnosis, verdict.also]

    expected = [in_a_child(lesson, one) for lesson, one in asked]
    assert said_by(JUDGED, *[f"{one.exercise}:{one.id}" for _, one in asked], timeout=3600) == expected


NOTEBOOKS = """
import ast, contextlib, io, json, os, sys
from pathlib import Path
from minitorch.course import manifest
from minitorch.course.setup.workspace import init_course

folder = Path(sys.argv[1])
init_course(folder, "en")
for lesson in manifest.load().lessons:
    (folder / "exercises" / lesson.file_name).write_text(lesson.solution_source(), encoding="utf-8")
os.chdir(folder / "work")
for name in sys.argv[2:]:
    space = {"__name__": "__main__"}
    for cell in json.loads(Path(name).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code" or "raises-exception" in cell["metadata"].get("tags", []):
            continue
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(ast.Module(body, []), name, "exec"), space)
                if last is not None:
                    shown = eval(compile(ast.Expression(last.value), name, "eval"), space)
                    repr(shown), getattr(shown, "_repr_mimebundle_", dict)()
        except Exception as error:
            print(json.dumps([name, cell["id"], repr(error)]))
"""


@pytest.mark.gate
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("lesson", [pytest.param(each, id=each.stem) for each in COURSE.lessons])
def test_a_notebook_runs_with_everything_solved(lesson, tmp_path):
    """Its cells run one after the other, without a kernel."""
    assert said_by(NOTEBOOKS, str(tmp_path / "course"), lesson.notebook_name) == []

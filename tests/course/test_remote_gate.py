"""Every exercise is observed both ways: a remote driver comes to the same outcomes as one in the learner's process."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from both_ways import differences, sources
from sampled import one_of_each
from written_answers import COURSE, tables, whole_file

from minitorch.course.judging.checks import load_checks
from minitorch.course.sandbox import worker
from minitorch.course.sandbox.remote import loop
from minitorch.course.sandbox.remote.link import Link

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(sys.platform == "win32", reason="started with what POSIX offers"),
]
WRITTEN = Path(__file__).parents[1] / "lessons"
PAIRS = [(lesson, exercise) for lesson in COURSE.lessons for exercise in lesson.exercises]
OF_EACH_LESSON = one_of_each(PAIRS, lambda pair: pair[0].number, lambda pair: pair[1].name)
OF_TWO_LESSONS = one_of_each(PAIRS, lambda pair: COURSE.lessons.index(pair[0]) // 2, lambda pair: pair[1].name)


NAMED_OTHERWISE = {"method-not-called"}  # a bound method came back: its type has another name from afar


def both_ways(lesson, exercise, answers):
    """In what the two ways differ."""
    names, texts = zip(*answers, strict=True)
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:  # Python 3.11 cannot parse in two threads at once
        found = zip(names, pool.map(partial(differences, lesson, exercise), texts), strict=True)
        return {name: each for name, each in found if each and name not in NAMED_OTHERWISE}


@pytest.mark.parametrize(("lesson", "exercise"), OF_TWO_LESSONS)
def test_the_solution_and_every_known_wrong_version_come_to_the_same(lesson, exercise):
    """One exercise of every two lessons; `-m exhaustive` and `python tests/both_ways.py` have all of them."""
    assert both_ways(lesson, exercise, sources(lesson, exercise)) == {}


@pytest.mark.parametrize(("lesson", "exercise"), OF_EACH_LESSON)
def test_every_right_answer_in_another_style_comes_to_the_same(lesson, exercise):
    written = tables(WRITTEN / "right_answers" / f"{exercise.name}.toml", "answer")
    answers = [(one["code"], whole_file(exercise.name, one["code"], one.get("before", ""))) for one in written]
    assert both_ways(lesson, exercise, answers) == {}


@pytest.mark.parametrize("name", ["toposort", "backward"])
def test_a_graph_of_lesson_02_crosses_as_one_message(name):
    """Its graphs are the largest that cross: asked for node by node, they would keep the learner waiting."""
    exercise = COURSE.exercise(name)
    lesson = COURSE.lesson_of(exercise)
    check = load_checks(lesson)[name]
    with talk(lesson.solution_source(), lesson.file_name) as link:
        before = link.sent
        module, _, _ = link.begin(exercise.target, ("", ""), 60.0)
        worker.Learner(lesson.file_name).shipped(check.observe, check.observe_name)(module, check.cases()[-1])
        link.end()
        assert link.sent - before < 10


@contextlib.contextmanager
def talk(source, file_name):
    """A child of this process that has loaded a file, and the driver's side of the talk with it."""
    command = [sys.executable, "-I", "-S", "-B", str(Path(loop.__file__))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        link = Link(child.stdin, child.stdout, file_name)
        link.load(
            {"file": file_name, "limit": 60.0, "limits": {}, "paths": [], "packages": [], "plan": None}, source.encode()
        )
        assert link.loaded()["is"] == "loaded"
        yield link
        child.stdin.close()

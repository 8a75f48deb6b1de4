"""The hostile corpus in the tiers that promise to hold: nothing is paid, nothing hangs, nothing is left."""

from __future__ import annotations

import sys

import pytest
from sampled import one_of_each

from minitorch.course import manifest
from minitorch.course.grading import corpus
from minitorch.course.sandbox.tiers import Sandbox, best

FILES = list(corpus.files())
CONFINED = best() if sys.platform == "linux" else "none"
needs_a_tier = pytest.mark.skipif(CONFINED == "none", reason="no tier of this machine confines anything")


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(CONFINED) as sandbox:
        yield sandbox


def test_there_are_at_least_250_files_and_each_is_told_apart():
    assert len(FILES) >= 250
    assert len({(file.family, file.name, file.lesson) for file in FILES}) == len(FILES)
    assert len({file.content for file in FILES}) == len(FILES)


def test_each_attack_cheats_at_an_exercise_of_its_lesson():
    course = manifest.load()
    for file in FILES:
        assert file.exercise in {exercise.name for exercise in course.lesson(file.lesson).exercises}


@pytest.mark.parametrize("number", sorted({file.lesson for file in FILES}))
def test_a_right_answer_is_paid(sandbox, number):
    """What is measured can be earned: the solution in place of the cheat is."""
    lesson = manifest.load().lesson(number)
    exercise = next(file.exercise for file in FILES if file.lesson == number)
    right = corpus.File("solution", "honest", number, exercise, lesson.solution_source().encode())
    assert corpus.trial(sandbox, right).paid


@needs_a_tier
@pytest.mark.parametrize("name", ["equal to everything", "the loop's own methods replaced", "the judge killed"])
def test_a_cheat_is_not_paid(sandbox, name):
    told = [corpus.trial(sandbox, file) for file in FILES if file.name == name]
    assert len(told) == 5
    assert all(each.fine for each in told), told


def test_the_table_counts_each_family():
    file = corpus.File("a", "lies", "01", "add", b"")
    other = corpus.File("b", "broken", "01", "add", b"")
    told = [
        corpus.Trial(file, paid=True, seconds=1.0, left=()),
        corpus.Trial(file, paid=False, seconds=70.0, left=("process 1", "process 2")),
        corpus.Trial(other, paid=False, seconds=0.5, left=(), fault="no process"),
    ]
    assert [each.fine for each in told] == [False, False, False]
    assert corpus.table(told) == [
        corpus.Row("lies", files=2, paid=1, longest_s=70.0, left=1, faults=0),
        corpus.Row("broken", files=1, paid=0, longest_s=0.5, left=0, faults=1),
    ]


def attack(file: corpus.File) -> tuple[str, str]:
    """Return what is tried; the corpus has most attacks once for each of five lessons."""
    return file.family, file.name


@pytest.mark.gate
@needs_a_tier
@pytest.mark.parametrize("file", one_of_each(FILES, attack, lambda file: f"{file.lesson}-{file.family}-{file.name}"))
def test_no_file_gains_anything(sandbox, file):
    told = corpus.trial(sandbox, file)
    assert told.fine, told

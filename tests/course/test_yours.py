"""`yours("02")`: the learner's own file, as it is at this moment, wrong or not."""

from __future__ import annotations

import sys

import pytest
from engine_desk import BACKWARD, SCALAR

from minitorch.course import yours
from minitorch.course.course_error import CourseError
from minitorch.course.judging.mistakes import wrong_source


def test_it_is_the_file_wrong_or_not(desk):
    desk.write(SCALAR, wrong_source("mul", "mul-own-operand", desk.course))
    value = yours("01").Value
    assert (value(3.0) * value(2.0))._local_grads == (3.0, 2.0)


def test_what_is_not_written_is_not_written(desk):
    with pytest.raises(NotImplementedError):
        yours("01").Value(1.0) + 2.0


def test_an_exercise_stands_for_its_lesson(desk):
    assert yours("toposort").__name__ == "lesson_02_backward"
    assert yours(1).__name__ == "lesson_01_scalar_nodes"


def test_it_is_loaded_anew_each_time_and_left_nowhere(desk):
    before = yours("01")
    desk.write(SCALAR, "Value = 3\n")
    assert yours("01").Value == 3
    assert before.Value != 3
    assert "lesson_01_scalar_nodes" not in sys.modules


def test_a_traceback_shows_the_learners_line(desk):
    desk.write(BACKWARD, "def toposort(root):\n    return root.nowhere\n")
    with pytest.raises(AttributeError) as caught:
        yours("02").toposort(1)
    assert str(caught.traceback[-1].path) == str(desk.path(BACKWARD))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def toposort(root)\n    pass\n",
            r"Python cannot read the file: expected ':' \(line 1 of lesson_02_backward.py\)",
        ),
        ("x = 1\ny = nowhere\n", r"NameError: name 'nowhere' is not defined \(line 2 of lesson_02_backward.py\)"),
        ("import sys\nsys.exit(3)\n", r"SystemExit: 3 \(line 2 of"),
        ("x = 1\0\n", "line 1, holds a null byte"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told_in_one_sentence(desk, source, said):
    desk.write(BACKWARD, source)
    with pytest.raises(CourseError, match=said):
        yours("02")


def test_a_file_that_is_missing_and_a_lesson_that_does_not_exist(desk):
    desk.path(BACKWARD).unlink()
    with pytest.raises(CourseError, match=r"lesson_02_backward\.py is missing"):
        yours("02")
    with pytest.raises(CourseError, match=r"no exercise or lesson 'toposrt'; did you mean toposort"):
        yours("toposrt")


def test_the_sentence_is_spanish_too(desk, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    desk.write(BACKWARD, "y = nowhere\n")
    with pytest.raises(CourseError, match="no se puede cargar: NameError"):
        yours("02")

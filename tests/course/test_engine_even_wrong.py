"""`engine("mine", even_wrong=True)`: pieces that fail are used as they are, so that what they lead to shows."""

from __future__ import annotations

import numpy as np
import pytest
from engine_desk import BACKWARD, SCALAR, gradients, owners, yours

from minitorch import viz
from minitorch.course import engine
from minitorch.course.course_error import CourseError
from minitorch.course.judging.mistakes import wrong_source

BROADCAST = "lesson_08_broadcast.py"


def test_a_wrong_piece_is_the_learners_and_the_badge_says_so(desk, right):
    desk.solve()
    desk.write(SCALAR, wrong_source("mul", "mul-own-operand", desk.course))
    play = engine("mine", "02", even_wrong=True)
    assert repr(play).splitlines() == [
        "yours 10 · reference 0 · 1 of yours not right",
        "    01  ✓ yours         add, pow, reflected, local_grads, dot",
        "    01  ✗ yours, wrong  mul",
        "    02  ✓ yours         toposort, backward, tanh, count_paths",
    ]
    assert gradients(play) != right
    assert gradients(engine("mine", "02")) == right
    assert "1 de las tuyas con errores" in repr(engine("mine", "02", even_wrong=True, lang="es"))


def test_what_is_not_written_comes_from_the_reference(desk, right):
    play = engine("mine", "02", even_wrong=True)
    assert yours(play) == set()
    assert gradients(play) == right
    assert play.owner("toposort") == "reference"


def test_a_piece_that_raises_is_used_and_raises(desk):
    desk.solve()
    desk.write(BACKWARD, desk.read(BACKWARD) + "\n\ndef backward(root):\n    1 / 0\n")
    play = engine("mine", "02", even_wrong=True)
    assert "! yours, error" in repr(play)
    with pytest.raises(ZeroDivisionError):
        gradients(play)


def test_a_piece_that_never_ends_comes_from_the_reference(desk, right):
    desk.solve()
    desk.write(BACKWARD, desk.read(BACKWARD) + "\n\ndef backward(root):\n    while True:\n        pass\n")
    play = engine("mine", "02", even_wrong=True)
    assert owners(play)["backward"] == "reference"
    assert "◷ timeout" in repr(play)
    assert gradients(play) == right


def test_a_piece_that_is_gone_or_a_file_that_does_not_parse_comes_from_the_reference(desk, right):
    desk.solve()
    desk.change(SCALAR, ("def __mul__", "def times"))
    assert owners(engine("mine", "01", even_wrong=True))["mul"] == "reference"
    desk.write(SCALAR, "def broken(:\n")
    play = engine("mine", "02", even_wrong=True)
    assert {name for name, owner in owners(play).items() if owner == "reference"} >= {"add", "mul"}
    assert gradients(play) == right


def test_two_mistakes_that_make_up_for_each_other_stay_together(desk):
    """Without `even_wrong` the reference's piece beside one of them would give it away."""
    desk.solve()
    desk.change(BROADCAST, ("return unbroadcast(g * b, a.shape)", "return unbroadcast(g * b * 2, a.shape)"))
    play = engine("mine", "08", even_wrong=True)
    g, a = np.ones((1, 1)), np.full((1, 1), 3.0)
    assert play.mul_vjp(g, a, a)[0].tolist() == [[6.0]]
    assert play.owner("mul_vjp") == "yours"


def test_the_microscope_shows_whose_result_it_is(desk):
    """A picture of the learner's function runs the learner's function, or says that it is another's."""

    def seen() -> str:
        play = engine("mine", upto="08", even_wrong=True)
        made = play.unbroadcast(np.arange(1.0, 7.0).reshape(2, 3), (1, 3))
        return viz.unbroadcast((2, 3), (1, 3), result=made, whose=play.owner("unbroadcast")).text()

    assert "result, reference (1, 3)" in seen()
    assert "your result" not in seen()
    desk.write(BROADCAST, "def unbroadcast(g, shape):\n    return g.mean(0, keepdims=True)\n")
    assert "your result (1, 3)" in seen()
    assert "WRONG: the mean over axis 0" in seen()
    desk.solve("08")
    assert seen().splitlines()[-1] == "right"


def test_an_owner_is_asked_for_by_the_exercises_name(desk):
    with pytest.raises(CourseError, match="has no 'toposrt'; did you mean toposort"):
        engine("reference", "02").owner("toposrt")

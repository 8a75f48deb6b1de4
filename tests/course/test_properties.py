"""What is said of a wrong array: the property that is wrong, and a hint for just that one."""

from __future__ import annotations

import numpy as np
import pytest

from minitorch.course.judging.checks import Message, judged_array

WANT = np.array([[1.0, -2.0], [0.0, 4.0]])
PROPERTIES = ("none", "shape", "numbers", "finite", "zero", "sign", "factor", "order", "entry")
HINTS = {name: number for number, name in enumerate(PROPERTIES, 1)}


@pytest.mark.parametrize(
    ("got", "property", "said"),
    [
        (None, "none", "x is None"),
        (WANT[0], "shape", "x has shape (2,) instead of (2, 2)"),
        (WANT.ravel(), "numbers", "x holds the right numbers, but its shape is (4,) instead of (2, 2)"),
        (np.where(WANT == 0, np.nan, WANT), "finite", "x holds nan where it should hold a finite number"),
        (0 * WANT, "zero", "every number in x is 0"),
        (-WANT, "sign", "the wrong sign everywhere"),
        (WANT / 2, "factor", "every number in x is 0.5 times what it should be"),
        (WANT.T, "order", "x holds the right numbers, but at other places"),
        (WANT + 1, "entry", "x differs first at [0, 0]"),
    ],
)
def test_a_wrong_array_is_told_by_its_property(got, property, said):
    wrong = judged_array(got, WANT, "x", hints=HINTS)
    assert said in wrong.reason.to("en")
    assert wrong.hint == HINTS[property]
    assert judged_array(got, WANT, "x").hint is None


def test_type_and_dtype_have_a_hint_of_their_own():
    assert "np.asarray" in judged_array(WANT.tolist(), WANT, "x").hint.to("en")
    assert "floats" in judged_array(WANT.astype(int), WANT, "x").hint.to("en")
    own = Message.of({"en": "own", "es": "propia"})
    assert judged_array(WANT.tolist(), WANT, "x", hints={"type": own}).hint == own


def test_what_is_right_is_right():
    assert judged_array(WANT, WANT) is None
    assert judged_array(WANT.astype(np.float32), WANT, dtype=None) is None


def test_one_number_has_no_factor_and_two_have_no_order():
    assert "is wrong" in judged_array(np.array(6.0), np.array(3.0)).reason.to("en")
    assert "differs first" in judged_array(np.array([1.0, 2.0]), np.array([2.0, 1.0])).reason.to("en")

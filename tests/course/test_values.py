"""How the values of a case are written and weighed."""

from __future__ import annotations

import numpy as np
import pytest

from minitorch.course.sandbox.values import as_python, is_odd


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1.0, -2.5], [0.0, 1e-30]]),
        np.array(3.0),
        np.array([0, 2, 0]),
        np.array([[True, False]]),
        np.zeros((0, 3)),
        [float("-inf"), np.array([np.nan, np.inf])],
        [(1, 2), (np.array([1.0]),), {"a": np.array([2])}, "text", None],
    ],
)
def test_python_makes_the_value_again(value):
    again = eval(as_python(value), {"np": np})
    np.testing.assert_equal(again, value)
    assert not isinstance(value, np.ndarray) or again.dtype == value.dtype


@pytest.mark.parametrize(
    ("value", "odd"),
    [
        ({"x": np.array([1.0, 2.0])}, False),
        ({"x": np.array(1.0), "g": np.array(2.0)}, True),
        ({"x": np.array([1.0]), "g": np.array(2.0)}, False),
        ({"x": [np.zeros((0, 3))], "g": np.ones(3)}, True),
        ({"x": 3.0}, False),
    ],
)
def test_a_case_of_single_numbers_or_of_none_is_odd(value, odd):
    assert is_odd(value) is odd

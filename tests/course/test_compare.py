"""The judges' helpers look at type, shape, dtype and finiteness before closeness."""

from __future__ import annotations

import math

import numpy as np
import pytest

from minitorch.course.judging.checks import Wrong, first_wrong, same_array, same_number, same_numbers, same_value
from minitorch.course.sandbox.wire import Opaque
from minitorch.language import Message


@pytest.mark.parametrize("got", [6.0, 6, 6.0 + 1e-9, 6.0 - 1e-9])
def test_numbers_that_are_right(got):
    assert same_number(got, 6.0) is None


@pytest.mark.parametrize(
    "got",
    [
        None,
        True,
        "6",
        [6.0],
        (6.0,),
        np.array(6.0),
        np.array([6.0]),
        Opaque("float"),
        6 + 0j,
        math.nan,
        math.inf,
        6.001,
        -6.0,
    ],
)
def test_numbers_that_are_wrong(got):
    wrong = same_number(got, 6.0, "x.grad")
    assert isinstance(wrong, Wrong)
    assert wrong.reason.to("en").startswith("x.grad ")
    assert wrong.expected == "6.0"


def test_infinities_and_nan_can_be_asked_for():
    assert same_number(math.inf, math.inf) is None
    assert same_number(math.nan, math.nan) is None
    assert same_number(-math.inf, math.inf) is not None


@pytest.mark.parametrize("got", [None, 1.0, [1.0], [1.0, 2.0, 3.0], [1.0, "2"], np.array([1.0, 2.0]), Opaque("list")])
def test_lists_that_are_wrong(got):
    assert same_numbers(got, [1.0, 2.0]) is not None


def test_a_list_names_its_first_wrong_entry():
    assert same_numbers((1.0, 2), [1.0, 2.0]) is None
    row = Message.of({"en": "the row", "es": "la fila"})
    wrong = same_numbers([1.0, 2.5], [1.0, 2.0], row)
    assert wrong.reason.to("es") == "la fila, entrada 1, no coincide con lo esperado"


def test_an_array_of_another_shape_is_wrong_however_close():
    assert "shape (1,) instead of ()" in same_array(np.ones(1), np.array(1.0)).reason.to("en")
    assert "shape () instead of (1,)" in same_array(np.array(1.0), np.ones(1)).reason.to("en")


def test_an_array_names_its_first_wrong_entry():
    want = np.zeros((2, 3))
    got = want.copy()
    got[1, 0] = 5
    wrong = same_array(got, want)
    assert wrong.reason.to("en") == "the result differs first at [1, 0]"
    assert wrong.got.to("en").startswith("5.0 in [[0., 0., 0.], [5., 0., 0.]] shape (2, 3) float64")


def test_arrays_of_no_entries_and_no_dimensions():
    assert same_array(np.zeros((0, 3)), np.zeros((0, 3))) is None
    assert same_array(np.array(2.0), 2.0, dtype="float64") is None
    assert same_array(np.array(2.5), 2.0).got == "2.5"
    assert same_array(np.array(2.0, dtype="f4"), 2.0, dtype="float64") is not None


@pytest.mark.parametrize("got", [["a", 1.0], ["a", True], ["a"], ("a", 1), {"a": 1}, None, Opaque("list")])
def test_exact_values_compare_types_all_the_way_down(got):
    assert same_value(got, ["a", 1]) is not None


def test_exact_values_that_are_right():
    for value in (None, "a", ["a", (1, {"b": [True]})], np.ones(2)):
        assert same_value(value, value) is None


def test_the_first_finding_wins():
    assert first_wrong(None, Wrong("a"), Wrong("b")).reason.to("en") == "a"
    assert first_wrong(None, None) is None


def test_pairs_of_the_second_edition_work_and_warn():
    from minitorch.course.judging import checks

    with pytest.warns(DeprecationWarning, match="side by side are deprecated"):
        assert checks.Wrong("a", "b").reason.to("es") == "b"
    with pytest.warns(DeprecationWarning, match="side by side are deprecated"):
        assert checks.But("a", "b").reason.to("en") == "a"
    with pytest.warns(DeprecationWarning, match="side by side are deprecated"):
        assert checks.Text("a", "b") == checks.Message.of({"en": "a", "es": "b"})
    with pytest.warns(DeprecationWarning, match="side by side are deprecated"):
        assert checks.same_number(1.0, 2.0, ("the row", "la fila")).reason.to("es").startswith("la fila")

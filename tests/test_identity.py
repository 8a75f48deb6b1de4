"""Identity: `==` of Tensors asks whether it is the same Tensor, and is never silent where numbers were meant."""

import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor
from minitorch.nn import Parameter

WORDS = r"== compares Tensors by identity; elementwise is \.eq\(\.\.\.\)"


def values() -> Tensor:
    return Tensor([1.0, 2.0, 3.0])


# -- what == gives, and what it says -------------------------------------------------------------------------------

NUMBERS = [1, 1.0, True, 1j, Fraction(1), Decimal(1), np.float64(1), np.float32(1), np.int64(1), np.True_]
ARRAYS = [np.array([1.0, 2.0, 3.0]), np.array(1.0), [1.0, 2.0, 3.0]]


@pytest.mark.parametrize("other", [*NUMBERS, *ARRAYS], ids=repr)
def test_a_comparison_with_numbers_tells_identity_and_warns(other: Any) -> None:
    with pytest.warns(UserWarning, match=WORDS) as caught:
        assert (values() == other) is False
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match=r"!= compares Tensors by identity; elementwise is \.ne\(\.\.\.\)") as caught:
        assert (values() != other) is True
    assert caught[0].filename == __file__


@pytest.mark.parametrize("number", [1, 1.0, True], ids=repr)
def test_a_python_number_on_the_left_warns_too(number: Any) -> None:
    with pytest.warns(UserWarning, match=WORDS):
        assert (number == values()) is False


def test_an_array_on_the_left_compares_as_numpy_does() -> None:
    assert (np.array([1.0, 5.0, 3.0]) == values()).tolist() == [True, False, True]


def test_a_line_of_code_warns_once() -> None:
    t = values()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            t == 1  # noqa: B015
        for _ in range(3):
            t == np.ones(3)  # noqa: B015
    assert len(caught) == 2


@pytest.mark.parametrize(
    "other", [None, "text", b"bytes", (), ..., object(), {"a": 1}, Tensor, len], ids=lambda other: type(other).__name__
)
def test_what_holds_no_numbers_is_compared_in_silence(other: Any) -> None:
    t = values()
    assert (t == other) is False
    assert (other == t) is False
    assert (t != other) is True


def test_the_other_side_may_answer() -> None:
    class Anything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = object.__hash__

    assert values() == Anything()


def test_tensors_are_compared_in_silence() -> None:
    t, twin, weight = values(), values(), Parameter([1.0])
    assert (t == t) is True
    assert (t == twin) is False
    assert (t != twin) is True
    assert (t != t) is False
    assert (t == weight) is False
    assert t in [twin, weight, t]
    assert t not in [twin, weight]
    assert [twin, t].index(t) == 1
    assert {t: 1, twin: 2}[twin] == 2
    assert len({t, twin, t}) == 2


def test_hashing_is_the_objects_own() -> None:
    assert Tensor.__hash__ is object.__hash__


# -- a Python bool where a mask is meant ---------------------------------------------------------------------------

T, U = values(), values()
FLAGS = Tensor([True, False, True])

MASKS: dict[str, Callable[[Any], Any]] = {
    "masked_fill": lambda mask: mt.masked_fill(T, mask, 0.0),
    "Tensor.masked_fill": lambda mask: T.masked_fill(mask, 0.0),
    "masked_fill_": lambda mask: values().masked_fill_(mask, 0.0),
    "where": lambda mask: mt.where(mask, T, 0.0),
    "where alone": lambda mask: mt.where(mask),
    "Tensor.where": lambda mask: T.where(mask, 0.0),
    "np.where": lambda mask: np.where(mask, T, 0.0),
    "masked_select": lambda mask: mt.masked_select(T, mask),
    "index": lambda mask: T[mask],
    "index in a tuple": lambda mask: T[mask, 0],
    "assignment": lambda mask: values().__setitem__(mask, 0.0),
    "assignment in a tuple": lambda mask: values().__setitem__((..., mask), 0.0),
    "recorded assignment": lambda mask: (T * Tensor(1.0, requires_grad=True)).__setitem__(mask, 0.0),
    "index_put": lambda mask: mt.index_put(T, (mask,), Tensor(0.0)),
    "any": lambda mask: mt.any(mask),
    "all": lambda mask: mt.all(mask),
    "sum": lambda mask: mt.sum(mask),
    "mean": lambda mask: mt.mean(mask, dtype="float32"),
    "prod": lambda mask: mt.prod(mask),
    "count_nonzero": lambda mask: mt.count_nonzero(mask),
    "nonzero": lambda mask: mt.nonzero(mask),
    "argwhere": lambda mask: mt.argwhere(mask),
    "argmax": lambda mask: mt.argmax(mask),
    "amax": lambda mask: mt.amax(mask),
    "logical_and": lambda mask: mt.logical_and(mask, FLAGS),
    "logical_or": lambda mask: FLAGS.logical_or(mask),
    "logical_xor": lambda mask: mt.logical_xor(mask, FLAGS),
    "logical_not": lambda mask: mt.logical_not(mask),
    "and": lambda mask: FLAGS & mask,
    "and, on the left": lambda mask: mask & FLAGS,
    "or": lambda mask: FLAGS | mask,
    "xor": lambda mask: FLAGS ^ mask,
    "attention": lambda mask: mt.nn.functional.scaled_dot_product_attention(
        *[mt.ones(2, 2)] * 3,
        attn_mask=mask,
    ),
}


@pytest.mark.parametrize("name", MASKS)
def test_a_python_bool_is_no_mask_and_one_of_numpy_or_in_a_tensor_is(name: str) -> None:
    for mask in (False, True):
        with pytest.raises(TypeError, match=WORDS):
            MASKS[name](mask)
    for mask in (np.True_, np.array(True), Tensor(True)):
        if name != "index_put":
            MASKS[name](mask)


def test_the_sentence_says_what_and_where() -> None:
    with pytest.raises(TypeError) as caught:
        T.masked_fill(T == U, 0.0)
    assert str(caught.value) == (
        "masked_fill: the mask is the Python bool False: == compares Tensors by identity; elementwise is .eq(...). "
        "One bool for all is Tensor(False)"
    )


def test_a_step_of_training_may_scale_by_a_bool() -> None:
    loss, step = Tensor([2.0], requires_grad=True), 20
    assert (loss * (step > 10)).tolist() == [2.0]
    assert (loss * (step > 30)).tolist() == [0.0]
    assert (loss + True).tolist() == [3.0]


def test_bools_still_become_tensors() -> None:
    assert Tensor(True).dtype == np.bool_
    assert mt.as_tensor(False).item() is False
    assert mt.full((2,), True).tolist() == [True, True]
    assert mt.where(FLAGS, True, False).tolist() == [True, False, True]
    t = Tensor([False, False])
    t[0] = True
    assert t.tolist() == [True, False]
    assert T[[True, False, True]].tolist() == [1.0, 3.0]

"""What the op table cannot say of arithmetic, choices, functions of one variable and comparisons: errors, dtypes."""

import math
from typing import Any

import numpy as np
import pytest

import minitorch as m
from minitorch import Tensor
from minitorch.ops._erf import erf
from minitorch.ops._masks import mask_bits

X = Tensor(np.zeros((2, 3)))
INTEGERS = Tensor([7, -7])
BOOL = np.dtype(np.bool_)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: m.div(X, 2, rounding_mode="up"),
            ValueError,
            "^div: rounding_mode must be None, 'trunc' or 'floor', not 'up'",
        ),
        (lambda: m.floor_divide(INTEGERS, 0), ZeroDivisionError, "^floor_divide: an integer cannot be divided by zero"),
        (lambda: m.remainder(INTEGERS, 0), ZeroDivisionError, "^remainder: an integer cannot be divided by zero"),
        (lambda: m.fmod(INTEGERS, Tensor([1, 0])), ZeroDivisionError, "^fmod: an integer cannot be divided by zero"),
        (lambda: m.div(INTEGERS, 0, rounding_mode="trunc"), ZeroDivisionError, "an integer cannot be divided by zero"),
        (lambda: m.pow(INTEGERS, -1), ValueError, "^pow: Integers to negative integer powers"),
        (lambda: m.isclose(X, X, atol=-1.0), ValueError, "^isclose: rtol 1e-05 and atol -1.0 must not be negative"),
        (lambda: m.clamp(X), ValueError, "^clamp: give min, max or both"),
        (lambda: m.clip(X), ValueError, "^clamp: give min, max or both"),
        (lambda: m.clamp(X, np.ones(2), np.ones(3)), ValueError, "^clamp: "),
        (lambda: m.add(X, np.ones(2), alpha=2), ValueError, r"^add: shapes \(2, 3\) and \(2,\) do not fit together"),
        (lambda: m.rsub(X, np.ones(2)), ValueError, r"^sub: shapes \(2,\) and \(2, 3\) do not fit together"),
        (lambda: m.atan2(X, np.ones(2)), ValueError, r"^atan2: shapes \(2, 3\) and \(2,\) do not fit together"),
        (lambda: m.where(X, X, X), TypeError, "^where: the condition must be made of bools, not float64"),
        (lambda: m.where(X > 0, X), TypeError, "^where: give both input and other, or the condition alone"),
        (lambda: m.masked_fill(X, X, 1.0), TypeError, "^masked_fill: the mask must be made of bools, not float64"),
        (
            lambda: m.masked_fill(X, X > 0, [1.0]),
            ValueError,
            r"^masked_fill: value must be one number, not of shape \(1,\)",
        ),
        (lambda: m.eq(X, np.ones(2)), ValueError, r"^eq: shapes \(2, 3\) and \(2,\) do not fit together"),
        (lambda: m.logical_or(X, np.ones(2)), ValueError, r"^logical_or: shapes \(2, 3\) and \(2,\) do not fit"),
        (lambda: m.isclose(X, np.ones(2)), ValueError, r"^isclose: shapes \(2, 3\) and \(2,\) do not fit together"),
        (lambda: m.lt(X, "one"), TypeError, "real numbers or bools, not str"),
        (lambda: m.round(X, digits=2), TypeError, "round has no argument 'digits'; it takes input, decimals"),
    ],
)
def test_errors_say_what_to_do(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


@pytest.mark.parametrize(
    "name", ["eq", "ne", "lt", "le", "gt", "ge", "isclose", "logical_and", "logical_or", "logical_xor"]
)
def test_comparisons_are_constants_of_bools(name: str) -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    for out in (getattr(m, name)(x, x), getattr(m, name)(x, x.data), getattr(m, name)([1, 2], x)):
        assert out.dtype == BOOL
        assert not out.requires_grad


@pytest.mark.parametrize("name", ["isfinite", "isinf", "isnan", "logical_not"])
def test_kinds_are_constants_of_bools(name: str) -> None:
    for x in (Tensor([1.0], requires_grad=True), [1, 2], 3.0):
        out = getattr(m, name)(x)
        assert out.dtype == BOOL
        assert not out.requires_grad


def test_equal_and_allclose_are_python_bools() -> None:
    assert m.equal(X, X) is True
    assert m.equal(X, X + 1) is False
    assert m.allclose(X, X + 1e-9) is True
    assert m.allclose(X, X + 1) is False


def test_a_comparison_decides_in_the_common_dtype() -> None:
    assert m.eq(Tensor([0.1]), 0.1).item()
    assert m.eq(Tensor([0.1]), Tensor(np.array(0.1))).item()


def test_the_operators_tags_stay_short() -> None:
    x = Tensor([1.0], requires_grad=True)
    tags = {m.add(x, 1, alpha=2): "add", m.rsub(x, 1): "sub", m.true_divide(x, 2): "div", m.clip(x, 0, 1): "clamp"}
    assert {each._op for each in tags} == set(tags.values())


def test_where_of_a_condition_alone_gives_indices() -> None:
    rows, columns = m.where(Tensor([[True, False], [True, True]]))
    assert rows.tolist() == [0, 1, 1]
    assert columns.tolist() == [0, 0, 1]
    assert [each.tolist() for each in m.where(Tensor([0.0, 2.0]))] == [[1]]
    assert [each.tolist() for each in m.where(Tensor(True))] == [[0]]


def test_masked_fill_keeps_the_dtype_of_its_input() -> None:
    assert m.masked_fill(INTEGERS, [True, False], 2.7).tolist() == [2, -7]
    assert m.masked_fill(Tensor([1.0]), [True], Tensor(np.array(2.0))).dtype == np.float32


def test_float_power_is_float64_and_its_gradients_are_not() -> None:
    x = Tensor([2.0, 3.0], requires_grad=True)
    out = m.float_power(x, 3)
    assert out.dtype == np.float64
    out.sum().backward()
    assert x.grad is not None
    assert x.grad.dtype == np.float32
    assert x.grad.tolist() == [12.0, 27.0]
    assert m.float_power(Tensor([2, 4]), -1).tolist() == [0.5, 0.25]
    wide = Tensor([2.0, 4.0], dtype="float64")
    assert wide.float_power_(-1) is wide
    assert wide.tolist() == [0.5, 0.25]


def test_a_number_may_stand_on_the_left() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    out = m.xlogy(2, x) + m.float_power(3, x).sum() * x
    assert out.dtype == np.float32
    out.sum().backward()
    powers = 3.0 ** np.array([1.0, 2.0])
    np.testing.assert_allclose(out.data, 2 * np.log([1.0, 2.0]) + 12 * np.array([1.0, 2.0]), rtol=1e-6)
    np.testing.assert_allclose(x.grad, 2 / np.array([1.0, 2.0]) + 12 + 3 * powers * np.log(3), rtol=1e-6)


def test_integers_keep_or_leave_their_dtype() -> None:
    for name in ("floor", "ceil", "trunc", "round", "neg", "abs", "sign", "square", "positive", "relu", "nan_to_num"):
        assert getattr(m, name)(INTEGERS).dtype == np.int64, name
    for name in ("sin", "atan", "reciprocal", "sigmoid", "erf", "expm1"):
        assert getattr(m, name)(INTEGERS).dtype == np.float32, name
    assert m.div(INTEGERS, 2, rounding_mode="floor").tolist() == [3, -4]
    assert m.div(INTEGERS, 2, rounding_mode="trunc").tolist() == [3, -3]
    assert m.div(Tensor([2**62 + 1]), 1, rounding_mode="trunc").tolist() == [2**62 + 1]


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "round", "sign"])
def test_a_step_stays_in_the_graph_with_the_gradient_zero(name: str) -> None:
    x = Tensor([0.3, -1.2], requires_grad=True)
    getattr(m, name)(x).backward([np.inf, 1.0])
    assert x.grad is not None
    assert x.grad.tolist() == [0.0, 0.0]


def test_lerp_meets_its_ends_exactly() -> None:
    start, end = Tensor([0.1, 1e8]), Tensor([0.7, 1.0])
    assert m.lerp(start, end, 0.0).tolist() == start.tolist()
    assert m.lerp(start, end, 1.0).tolist() == end.tolist()
    assert m.lerp(start, end, Tensor([1.0, 1.0])).tolist() == end.tolist()


def second(function: Any, *values: float) -> Any:
    """d²/dx² of Σ function(x)."""
    x = Tensor(np.array(values), requires_grad=True)
    (first,) = m.grad(function(x).sum(), [x], create_graph=True)
    return m.grad(first.sum(), [x])[0].tolist()


def test_second_gradients_of_powers_at_zero() -> None:
    assert second(lambda x: x**2, 0.0, 3.0) == [2.0, 2.0]
    assert second(lambda x: x**3, 0.0, 2.0) == [0.0, 12.0]
    assert second(lambda x: x**1 + x**2, 0.0) == [2.0]
    exponents = Tensor(np.array([0.0, 1.0, 2.0]))
    assert second(lambda x: m.pow(x, exponents), 0.0, 0.0, 0.0) == [0.0, 0.0, 2.0]
    assert second(lambda x: m.pow(x, exponents), -3.0, 2.0, -1.0) == [0.0, 0.0, 2.0]


def test_the_mixed_second_gradient_of_a_power_is_right_at_exponent_zero() -> None:
    x, b = Tensor(np.array(4.0), requires_grad=True), Tensor(np.array(0.0), requires_grad=True)
    (by_x,) = m.grad(m.pow(x, b), [x], create_graph=True)
    assert m.grad(by_x, [b])[0].item() == 0.25  # d/db of b · x**(b - 1) is 1/x at b = 0


def test_erf_is_accurate_to_the_last_digits() -> None:
    x = np.concatenate([np.linspace(-6.5, 6.5, 2001), np.logspace(-300, 1, 500), [0.46875, 4.0, 6.0]])
    exact = np.array([math.erf(each) for each in x])
    np.testing.assert_allclose(erf(x), exact, rtol=1e-15)
    single = erf(x.astype(np.float32))
    assert single.dtype == np.float32
    usual = np.abs(x) > 1e-30  # smaller ones are no normal float32
    np.testing.assert_allclose(single[usual], exact[usual], rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_gate_is_where(dtype: Any) -> None:
    values = np.array([[1.0, -2.0, np.inf], [np.nan, 0.0, -np.inf]], dtype)
    for array in (values, values.T[::-1], values[:, :1], values[0, 0]):
        mask = np.arange(array.size).reshape(array.shape) % 2 == 0
        out = mask_bits(array, mask).data
        np.testing.assert_array_equal(out, np.where(mask, array, 0))
        assert out.dtype == dtype

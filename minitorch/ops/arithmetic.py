"""Arithmetic, number by number: sums, quotients, powers, and other functions of two variables.

Operands broadcast against each other as in NumPy. A rule returns the gradient at the *broadcast* shape; the engine
sums it back to the operand's shape. Python numbers stay weak: a float32 tensor times 2.0 is float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.backend import StandIn, is_array
from minitorch.moved import moved_names
from minitorch.ops._masks import zero_vjp
from minitorch.ops._ufuncs import answers
from minitorch.ops.unary import sigmoid
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "add",
    "sub",
    "mul",
    "div",
    "floor_divide",
    "remainder",
    "pow",
    "logaddexp",
]

# -- sums and products: what the operators +, -, * and / are -----------------------------------------------------------

plain_add = primitive(
    np.add,
    """input + other. dL/dinput = g, dL/dother = g. The operator +: `add` without its `alpha`.

    >>> plain_add(Tensor([1.0, 2.0]), 10)
    tensor([11., 12.])
    """,
    name="add",
    place="plain_add",
    input=lambda g: g,
    other=lambda g: g,
)

plain_sub = primitive(
    np.subtract,
    """input - other. dL/dinput = g, dL/dother = -g. The operator -: `sub` without its `alpha`.

    >>> plain_sub(Tensor([1.0, 2.0]), 1)
    tensor([0., 1.])
    """,
    name="sub",
    place="plain_sub",
    input=lambda g: g,
    other=lambda g: -g,
)

mul = primitive(
    np.multiply,
    """input · other. dL/dinput = g · other, dL/dother = g · input.

    >>> mul(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    tensor([3., 8.])
    """,
    name="mul",
    input=lambda g, other: g * other,
    other=lambda g, input: g * input,
)

plain_div = primitive(
    np.divide,
    """input / other. dL/dinput = g / other, dL/dother = -g · out / other. The operator /: `div` without rounding.

    >>> plain_div(Tensor([1.0, 2.0]), 4)
    tensor([0.2500, 0.5000])
    """,
    name="div",
    place="plain_div",
    input=lambda g, other: g / other,
    other=lambda g, out, other: -g * out / other,
)


def add(input: TensorLike, other: TensorLike, *, alpha: float = 1) -> Tensor:
    """input + alpha · other. dL/dinput = g, dL/dother = g · alpha. Raises ValueError if the shapes do not broadcast.

    >>> add(Tensor([1.0, 2.0]), 10)
    tensor([11., 12.])
    """
    return plain_add(input, other if alpha == 1 else _times(other, alpha))


def sub(input: TensorLike, other: TensorLike, *, alpha: float = 1) -> Tensor:
    """input - alpha · other. dL/dinput = g, dL/dother = -g · alpha.

    >>> sub(Tensor([1.0, 2.0]), 1)
    tensor([0., 1.])
    """
    return plain_sub(input, other if alpha == 1 else _times(other, alpha))


def _times(other: TensorLike, alpha: float) -> float | Tensor:
    return other * alpha if isinstance(other, (int, float)) else mul(other, alpha)  # a number stays one, and weak


# -- quotients that are rounded, and remainders ------------------------------------------------------------------------


def _divided(divide: Callable[[Any, Any], Any], input: Any, other: Any) -> Any:
    """divide(input, other) that refuses to divide an integer by zero, of which NumPy would make 0."""
    if np.result_type(input, other).kind == "f":
        return divide(input, other)
    if isinstance(input, StandIn) or isinstance(other, StandIn):  # the question is written down, and asked anew
        if np.equal(other, 0).any():
            raise ZeroDivisionError(_by_zero(divide))
        return divide(input, other)
    try:
        with np.errstate(divide="raise"):
            return divide(input, other)
    except FloatingPointError:
        raise ZeroDivisionError(_by_zero(divide)) from None


def _by_zero(divide: Callable[[Any, Any], Any]) -> str:
    return f"{divide.__name__}: an integer cannot be divided by zero; a float can"


@answers(np.floor_divide)
@primitive(stretches=True)
def floor_divide(input: Any, other: Any) -> Any:
    """⌊input / other⌋. dL/dinput = dL/dother = 0: a step function. Raises ZeroDivisionError for integers over 0.

    >>> floor_divide(Tensor([7.0, -7.0]), 2)
    tensor([ 3., -4.])
    """
    return _divided(np.floor_divide, input, other)


floor_divide.vjp(input=zero_vjp, other=zero_vjp)


@primitive(name="div", stretches=True)
def _trunc_divide(input: Any, other: Any) -> Any:
    """input / other, rounded towards 0."""
    if np.result_type(input, other).kind == "f":
        return np.trunc(np.divide(input, other))
    return _divided(np.floor_divide, input - _divided(np.fmod, input, other), other)


_trunc_divide.vjp(input=zero_vjp, other=zero_vjp)


def div(input: TensorLike, other: TensorLike, *, rounding_mode: str | None = None) -> Tensor:
    """input / other. dL/dinput = g / other, dL/dother = -g · input / other²; 0 when the quotient is rounded.

    rounding_mode: "trunc" rounds towards 0, "floor" down; integers then stay integers. Raises ValueError for another,
    ZeroDivisionError when an integer is divided by zero and rounded.

    >>> div(Tensor([1.0, 2.0]), 4)
    tensor([0.2500, 0.5000])
    >>> div(Tensor([-7, 7]), 2, rounding_mode="trunc")
    tensor([-3,  3])
    """
    if rounding_mode is None:
        return plain_div(input, other)
    if rounding_mode not in ("trunc", "floor"):
        raise ValueError(f"div: rounding_mode must be None, 'trunc' or 'floor', not {rounding_mode!r}")
    return (floor_divide if rounding_mode == "floor" else _trunc_divide)(input, other)


@answers(np.remainder)
@primitive(stretches=True)
def remainder(input: Any, other: Any) -> Any:
    """input - other · ⌊input / other⌋, of other's sign, as Python's %. dL/dinput = g, dL/dother = -g · ⌊input / other⌋.

    >>> remainder(Tensor([7.0, -7.0]), 3)
    tensor([1., 2.])
    """
    return _divided(np.remainder, input, other)


remainder.vjp(
    input=lambda g: g,
    other=lambda g, input, other: -g * floor_divide.raw(input, other),
)


# -- powers ------------------------------------------------------------------------------------------------------------


@answers(np.power)
@primitive(stretches=True)
def pow(input: Any, exponent: Any) -> Any:
    """input ** exponent. 0 ** 0 is 1.

    An integer to an array of integers is cut towards 0 where its exponent is negative; to a negative number it raises
    ValueError.

    dL/dinput = g · exponent · input**(exponent - 1), 0 where exponent = 0.
    dL/dexponent = g · out · ln input, 0 where input = 0 and exponent ≥ 0, nan where input < 0.

    >>> pow(Tensor([2.0, 3.0]), 2)
    tensor([4., 9.])
    """
    return _power(input, exponent)


def _power(input: Any, exponent: Any) -> Any:
    """input ** exponent: Python's operator has quick ways for -1, 0.5 and 2, a product is 300 times quicker for 3."""
    if type(exponent) in (int, float) and is_array(input) and input.dtype.kind == "f":
        return input * input * input if exponent == 3 else input**exponent
    if is_array(exponent) and exponent.dtype.kind == "i" and np.result_type(input, exponent).kind == "i":
        gone = np.logical_and(
            exponent < 0, np.absolute(input) != 1
        )  # 1 / 2 is 0; of 1 and -1 the sign of n is no matter
        return np.where(gone, 0, np.power(input, np.absolute(exponent)))
    return np.power(input, exponent)


def _pow_wrt_input(g: Any, input: Any, exponent: Any) -> Any:
    if isinstance(exponent, (int, float)):
        return g * (exponent * _power(input, exponent - 1)) if exponent else zero_vjp(g)
    flat = np.logical_and(np.equal(exponent, 0), np.logical_not(np.absolute(input) > 0))  # 0**0 and nan**0 are 1
    return g * np.where(flat, 0, exponent * np.power(input, np.where(flat, 1, exponent - 1)))


def _pow_wrt_exponent(g: Any, input: Any, exponent: Any, out: Any) -> Any:
    if isinstance(input, (int, float)) and input > 0:
        return g * (out * math.log(input))
    flat = np.logical_and(np.equal(input, 0), exponent >= 0)
    return g * np.where(flat, 0, out * np.log(np.where(flat, 1, input)))


pow.vjp(input=_pow_wrt_input, exponent=_pow_wrt_exponent)


# -- other functions of two variables ----------------------------------------------------------------------------------


logaddexp = primitive(
    np.logaddexp,
    """ln(e**input + e**other) without overflow. dL/dinput = g · σ(input - other), dL/dother = g · σ(other - input).

    Infinities of the same sign have the gradient nan, as in PyTorch.

    >>> logaddexp(Tensor([0.0, 1000.0]), Tensor([0.0, 1000.0]))
    tensor([6.9315e-01, 1.0007e+03])
    """,
    input=lambda g, input, other: g * sigmoid.raw(input - other),
    other=lambda g, input, other: g * sigmoid.raw(other - input),
)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.ops.arithmetic import *
else:
    __getattr__, __dir__ = moved_names(__name__)

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
from minitorch.ops._gate import no_slope
from minitorch.ops._ufuncs import answers
from minitorch.ops.conversion import cast
from minitorch.ops.unary import sigmoid
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "add",
    "sub",
    "rsub",
    "mul",
    "div",
    "true_divide",
    "floor_divide",
    "remainder",
    "fmod",
    "pow",
    "float_power",
    "atan2",
    "hypot",
    "logaddexp",
    "xlogy",
    "lerp",
    "addcmul",
    "addcdiv",
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


def rsub(input: TensorLike, other: TensorLike, *, alpha: float = 1) -> Tensor:
    """other - alpha · input: `sub` from the right.

    >>> rsub(Tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    return sub(other, input, alpha=alpha)


def addcmul(input: TensorLike, tensor1: TensorLike, tensor2: TensorLike, *, value: float = 1) -> Tensor:
    """input + value · tensor1 · tensor2.

    >>> addcmul(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), Tensor([5.0, 6.0]), value=0.5)
    tensor([ 8.5000, 14.0000])
    """
    return add(input, mul(tensor1, tensor2), alpha=value)


def addcdiv(input: TensorLike, tensor1: TensorLike, tensor2: TensorLike, *, value: float = 1) -> Tensor:
    """input + value · tensor1 / tensor2.

    >>> addcdiv(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), Tensor([2.0, 4.0]))
    tensor([2.5000, 3.0000])
    """
    return add(input, plain_div(tensor1, tensor2), alpha=value)


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


floor_divide.vjp(input=no_slope, other=no_slope)


@primitive(name="div", stretches=True)
def _trunc_divide(input: Any, other: Any) -> Any:
    """input / other, rounded towards 0."""
    if np.result_type(input, other).kind == "f":
        return np.trunc(np.divide(input, other))
    return _divided(np.floor_divide, input - _divided(np.fmod, input, other), other)


_trunc_divide.vjp(input=no_slope, other=no_slope)


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


def true_divide(input: TensorLike, other: TensorLike) -> Tensor:
    """input / other, never rounded: integers divide to the default float.

    >>> true_divide(Tensor([1, 2]), 4)
    tensor([0.2500, 0.5000])
    """
    return plain_div(input, other)


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


@answers(np.fmod)
@primitive(stretches=True)
def fmod(input: Any, other: Any) -> Any:
    """The remainder of input's sign, as C's fmod. dL/dinput = g, dL/dother = -g · trunc(input / other).

    >>> fmod(Tensor([7.0, -7.0]), 3)
    tensor([ 1., -1.])
    """
    return _divided(np.fmod, input, other)


fmod.vjp(
    input=lambda g: g,
    other=lambda g, input, other: -g * _trunc_divide.raw(input, other),
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
        return g * (exponent * _power(input, exponent - 1)) if exponent else no_slope(g)
    flat = np.logical_and(np.equal(exponent, 0), np.logical_not(np.absolute(input) > 0))  # 0**0 and nan**0 are 1
    return g * np.where(flat, 0, exponent * np.power(input, np.where(flat, 1, exponent - 1)))


def _pow_wrt_exponent(g: Any, input: Any, exponent: Any, out: Any) -> Any:
    if isinstance(input, (int, float)) and input > 0:
        return g * (out * math.log(input))
    flat = np.logical_and(np.equal(input, 0), exponent >= 0)
    return g * np.where(flat, 0, out * np.log(np.where(flat, 1, input)))


pow.vjp(input=_pow_wrt_input, exponent=_pow_wrt_exponent)


@answers(np.float_power)
def float_power(input: TensorLike, exponent: TensorLike) -> Tensor:
    """input ** exponent, always in float64. The gradients are those of `pow`.

    >>> float_power(Tensor([2, 3]), -1).dtype
    dtype('float64')
    """
    return pow(_as_float64(input), _as_float64(exponent))


def _as_float64(value: TensorLike) -> float | Tensor:
    return float(value) if isinstance(value, (int, float)) else cast(value, np.float64)


# -- other functions of two variables ----------------------------------------------------------------------------------

atan2 = primitive(
    np.arctan2,
    """The angle of the point (x = other, y = input), between -π and π; r² = input² + other².

    dL/dinput = g · other / r², dL/dother = -g · input / r²; 0 at the origin.

    >>> atan2(Tensor([1.0, 1.0]), Tensor([1.0, -1.0]))
    tensor([0.7854, 2.3562])
    """,
    name="atan2",
    input=lambda g, input, other: g * (other / _squared_radius(input, other)),
    other=lambda g, input, other: g * (-input / _squared_radius(input, other)),
)


def _squared_radius(x: Any, y: Any) -> Any:
    square = x * x + y * y
    return np.where(np.equal(square, 0), 1, square)


hypot = primitive(
    np.hypot,
    """√(input² + other²) without overflow. dL/dinput = g · input / out, dL/dother = g · other / out; nan at the origin.

    >>> hypot(Tensor([3.0]), Tensor([4.0]))
    tensor([5.])
    """,
    input=lambda g, input, out: g * (input / out),
    other=lambda g, other, out: g * (other / out),
)

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


@primitive(stretches=True)
def xlogy(input: Any, other: Any) -> Any:
    """input · ln other, and 0 where input is 0 (unless other is nan).

    dL/dinput = g · ln other, 0 where input = 0 and other ≤ 0; dL/dother = g · input / other.

    >>> xlogy(Tensor([0.0, 2.0]), Tensor([0.0, 3.0]))
    tensor([0.0000, 2.1972])
    """
    if not is_array(other):
        other = np.zeros_like(input) + other  # an array of the dtype that NumPy finds for the two
    zero = np.logical_and(np.equal(input, 0), np.logical_not(np.isnan(other)))
    other = np.broadcast_to(other, zero.shape).copy()
    np.copyto(other, 1, "unsafe", zero)  # a few places: half the time of np.where, which visits them all
    return input * np.log(other)


xlogy.vjp(
    input=lambda g, input, other: g * np.log(np.where(np.equal(input, 0) * (other <= 0), 1, other)),
    other=lambda g, input, other: g * (input / other),
)


@primitive(stretches=True)
def lerp(input: Any, end: Any, weight: Any) -> Any:
    """(1 - weight) · input + weight · end: input at weight 0 and end at weight 1, both exactly.

    dL/dinput = g · (1 - weight), dL/dend = g · weight, dL/dweight = g · (end - input).

    >>> lerp(Tensor([0.0, 10.0]), Tensor([1.0, 20.0]), 0.5)
    tensor([ 0.5000, 15.0000])
    """
    return input * (1 - weight) + end * weight


lerp.vjp(
    input=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
    weight=lambda g, input, end: g * (end - input),
)

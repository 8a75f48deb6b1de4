"""Number by number, what is asked for seldom: signs, angles, bits, and further functions of one and two variables."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import as_result
from minitorch.errors import DtypeError
from minitorch.ops._masks import mask_bits, zero_vjp
from minitorch.ops._ufuncs import answers
from minitorch.ops.arithmetic import mul
from minitorch.ops.choice import where
from minitorch.ops.logic import bits_of, judged
from minitorch.ops.unary import exp2, sign
from minitorch.types import TensorLike

__all__ = ["angle", "bitwise_left_shift", "bitwise_right_shift", "conj", "conj_physical", "copysign", "deg2rad", "fmax"]
__all__ += ["fmin", "frexp", "gcd", "heaviside", "isneginf", "isposinf", "isreal", "lcm", "ldexp", "logit", "nextafter"]
__all__ += ["rad2deg", "real", "resolve_conj", "resolve_neg", "sgn", "signbit", "sinc"]

# -- of one number -----------------------------------------------------------------------------------------------------


@answers(np.deg2rad, np.radians)
@primitive
def deg2rad(input: Any) -> Any:
    """Degrees as radians, x · π/180. dL/dx = g · π/180.

    >>> deg2rad(Tensor([180.0, 90.0]))
    tensor([3.1416, 1.5708])
    """
    return input * (math.pi / 180)


@answers(np.rad2deg, np.degrees)
@primitive
def rad2deg(input: Any) -> Any:
    """Radians as degrees, x · 180/π. dL/dx = g · 180/π.

    >>> rad2deg(Tensor([0.0, math.pi]))
    tensor([  0., 180.])
    """
    return input * (180 / math.pi)


deg2rad.vjp(input=lambda g: g * (math.pi / 180))
rad2deg.vjp(input=lambda g: g * (180 / math.pi))


@primitive
def sinc(input: Any) -> Any:
    """sin(πx) / πx, 1 at 0. dL/dx = g · (cos πx - out) / x, 0 at 0.

    >>> sinc(Tensor([0.0, 0.5]))
    tensor([1.0000, 0.6366])
    """
    return np.sinc(as_float(input))


def _sinc_wrt_input(g: Any, input: Any) -> Any:
    """The series near 0, which can be differentiated again; (cos πx - sin πx / πx) / x would lose all digits."""
    near = np.absolute(input) < 0.1
    x = np.where(near, 1, input) * math.pi
    far = (np.cos(x) - np.sin(x) / x) / x
    y = np.where(near, input, 0) * math.pi
    square = y * y
    series = y * (square * (square * (square * (square / 3991680 - 1 / 45360) + 1 / 840) - 1 / 30) + 1 / 3)
    return g * (np.where(near, -series, far) * math.pi)


sinc.vjp(input=_sinc_wrt_input)


@primitive
def entr(input: Any) -> Any:
    """-x ln x, 0 at 0 and -inf below. dL/dx = -g · (ln x + 1).

    >>> entr(Tensor([0.0, 0.5]))
    tensor([0.0000, 0.3466])
    """
    x = as_float(input)
    inside = np.where(x > 0, x, 1)
    return np.where(x < 0, -math.inf, np.where(np.isnan(x), x, np.where(x > 0, -x * np.log(inside), 0)))


entr.vjp(input=lambda g, input: g * (-np.log(input) - 1))


@primitive
def logit(input: Any, eps: float | None = None) -> Any:
    """ln(x / (1 - x)), the inverse of the sigmoid; x is first brought between eps and 1 - eps, if eps is given.

    dL/dx = g / (x (1 - x)), 0 where eps has moved x; without eps, nan below 0 and above 1.

    >>> logit(Tensor([0.5, 0.9]))
    tensor([0.0000, 2.1972])
    """
    x = as_float(input)
    x = x if eps is None else np.clip(x, eps, 1 - eps)
    return np.log(x / (1 - x))


def _logit_wrt_input(g: Any, input: Any, eps: float | None) -> Any:
    low, high = (0.0, 1.0) if eps is None else (eps, 1 - eps)
    inside = np.logical_and(input >= low, input <= high)
    return np.where(inside, g / (input * (1 - input)), math.nan if eps is None else 0.0)


logit.vjp(input=_logit_wrt_input)


def sgn(input: TensorLike) -> Tensor:
    """`sign`, which it is for real numbers.

    >>> sgn(Tensor([3.0, 0.0, -2.0]))
    tensor([ 1.,  0., -1.])
    """
    return sign(input)


@primitive
def angle(input: Any) -> Any:
    """The angle to the positive axis: 0, or π where x < 0; nan of nan. dL/dx = 0.

    >>> angle(Tensor([3.0, -2.0]))
    tensor([0.0000, 3.1416])
    """
    x = as_float(input)
    return np.where(np.isnan(x), x, (x < 0).astype(x.dtype) * math.pi)


angle.vjp(input=zero_vjp)


@answers(np.signbit)
def signbit(input: TensorLike) -> Tensor:
    """True where x is below 0, and at -0.0.

    >>> signbit(Tensor([3.0, -0.0]))
    tensor([False,  True])
    """
    return judged("signbit", lambda x: np.signbit(x) if x.dtype.kind == "f" else x < 0, as_array(input))


def isposinf(input: TensorLike) -> Tensor:
    """True where x is +inf.

    >>> isposinf(Tensor([np.inf, -np.inf]))
    tensor([ True, False])
    """
    return judged("isposinf", lambda x: np.equal(x, math.inf), input)


def isneginf(input: TensorLike) -> Tensor:
    """True where x is -inf.

    >>> isneginf(Tensor([np.inf, -np.inf]))
    tensor([False,  True])
    """
    return judged("isneginf", lambda x: np.equal(x, -math.inf), input)


def isreal(input: TensorLike) -> Tensor:
    """True everywhere: a Tensor holds real numbers.

    >>> isreal(Tensor([1.0, 2.0]))
    tensor([ True,  True])
    """
    return judged("isreal", lambda x: np.equal(x, x) | True, input)


def real(input: TensorLike) -> Tensor:
    """The real part, which is the Tensor itself; `conj`, `resolve_conj` and `resolve_neg` are the same.

    >>> real(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """
    return input if isinstance(input, TensorBase.tensor_type) else constant(as_array(input))


conj = conj_physical = resolve_conj = resolve_neg = real


class Frexp(NamedTuple):
    """Result of `frexp`: x = mantissa · 2**exponent."""

    mantissa: Tensor
    exponent: Tensor


def frexp(input: TensorLike) -> Frexp:
    """(mantissa, exponent) with x = mantissa · 2**exponent and ½ ≤ |mantissa| < 1; the exponent is a constant.

    dL/dx = g / 2**exponent. Raises TypeError for integers.

    >>> frexp(Tensor([3.0])).mantissa
    tensor([0.7500])
    """
    array = as_array(input)
    if array.dtype.kind != "f":
        raise DtypeError(f"frexp: only floats have a mantissa, not {array.dtype}")
    exponent = as_result(np.frexp(array)[1])
    scale = np.ldexp(np.ones_like(array), -exponent)
    return Frexp(where(as_result(np.isfinite(scale)), mul(input, scale), input), constant(exponent.astype(np.int32)))


# -- of two ------------------------------------------------------------------------------------------------------------


@answers(np.copysign)
@primitive(stretches=True)
def copysign(input: Any, other: Any) -> Any:
    """|input| with the sign of other. dL/dinput = g · out / input, 0 at 0; dL/dother = 0.

    >>> copysign(Tensor([1.0, -2.0]), Tensor([-3.0, -0.0]))
    tensor([-1., -2.])
    """
    return np.copysign(input, other)


def _plain(value: Any) -> Any:
    """The numbers of a Tensor: of a step function, no more is differentiated."""
    return getattr(value, "_data", value)


copysign.vjp(input=lambda g, input, other: g * (sign.raw(input) * np.copysign(1.0, _plain(other))), other=zero_vjp)


@answers(np.heaviside)
def heaviside(input: TensorLike, values: TensorLike) -> Tensor:
    """0 where input < 0, 1 where it is > 0, and `values` where it is 0: a constant, as in PyTorch.

    Raises TypeError when the dtypes differ.

    >>> heaviside(Tensor([-1.0, 0.0, 2.0]), Tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    x, at_zero = as_array(input), as_array(values)
    if x.dtype != at_zero.dtype:
        raise DtypeError(f"heaviside: input of {x.dtype} and values of {at_zero.dtype} must have one dtype")
    return judged("heaviside", lambda x, v: np.where(np.equal(x, 0), v, x > 0).astype(x.dtype), x, at_zero)


@primitive(stretches=True)
def fmax(input: Any, other: Any) -> Any:
    """The larger of input and other; a number wins over nan. The gradient goes to the one that was taken.

    >>> fmax(Tensor([1.0, np.nan]), Tensor([2.0, 3.0]))
    tensor([2., 3.])
    """
    return np.fmax(input, other)


@primitive(stretches=True)
def fmin(input: Any, other: Any) -> Any:
    """The smaller of input and other; a number wins over nan. The gradient goes to the one that was taken.

    >>> fmin(Tensor([1.0, np.nan]), Tensor([2.0, 3.0]))
    tensor([1., 3.])
    """
    return np.fmin(input, other)


def _gates(wins: Any) -> dict[str, Any]:
    """The rules of the extreme that `wins` tells; at a tie, and where both are nan, the first of the two is taken."""

    def first(input: Any, other: Any) -> Any:
        return np.logical_or(wins(input, other), np.logical_or(np.equal(input, other), np.isnan(other)))

    return {
        "input": lambda g, input, other: mask_bits.raw(g, first(input, other)),
        "other": lambda g, input, other: mask_bits.raw(g, np.logical_not(first(input, other))),
    }


fmax.vjp(**_gates(np.greater))
fmin.vjp(**_gates(np.less))


@primitive(stretches=True)
def xlog1py(input: Any, other: Any) -> Any:
    """input · ln(1 + other), and 0 where input is 0 (unless other is nan).

    dL/dinput = g · ln(1 + other), 0 where input = 0 and other ≤ -1; dL/dother = g · input / (1 + other).

    >>> xlog1py(Tensor([0.0, 2.0]), Tensor([-1.0, 2.0]))
    tensor([0.0000, 2.1972])
    """
    zero = np.logical_and(np.equal(input, 0), np.logical_not(np.isnan(other)))
    return input * np.log1p(np.where(zero, 0, other))


xlog1py.vjp(
    input=lambda g, input, other: g * np.log1p(np.where(np.equal(input, 0) * (other <= -1), np.zeros_like(g), other)),
    other=lambda g, input, other: g * (input / (other + 1)),
)


@primitive(stretches=True)
def nextafter(input: Any, other: Any) -> Any:
    """The float next to input in the direction of other. dL/dinput = g, 0 where they are equal; dL/dother = 0.

    >>> bool(nextafter(Tensor([1.0]), Tensor([2.0])) > 1)
    True
    """
    return np.nextafter(input, other)


nextafter.vjp(input=lambda g, input, other: mask_bits.raw(g, np.not_equal(input, other)), other=zero_vjp)


def ldexp(input: TensorLike, other: TensorLike) -> Tensor:
    """input · 2**other. dL/dinput = g · 2**other, dL/dother = g · out · ln 2.

    >>> ldexp(Tensor([1.0, 3.0]), Tensor([2, 1]))
    tensor([4., 6.])
    """
    return mul(input, exp2(other))


def _whole(name: str, function: Any, input: TensorLike, other: TensorLike) -> Tensor:
    for each in (as_array(input), as_array(other)):
        if each.dtype.kind not in "iu":
            raise DtypeError(f"{name}: only integers have divisors, not {each.dtype}")
    return judged(name, function, input, other)


@answers(np.gcd)
def gcd(input: TensorLike, other: TensorLike) -> Tensor:
    """The greatest common divisor, number by number. No gradient. Raises TypeError for floats.

    >>> gcd(Tensor([12, 7]), Tensor([18, 21]))
    tensor([6, 7])
    """
    return _whole("gcd", np.gcd, input, other)


@answers(np.lcm)
def lcm(input: TensorLike, other: TensorLike) -> Tensor:
    """The least common multiple, number by number. No gradient. Raises TypeError for floats.

    >>> lcm(Tensor([4, 7]), Tensor([6, 21]))
    tensor([12, 21])
    """
    return _whole("lcm", np.lcm, input, other)


@answers(np.left_shift)
def bitwise_left_shift(input: TensorLike, other: TensorLike) -> Tensor:
    """input · 2**other by moving the bits. No gradient. Raises TypeError for floats.

    >>> bitwise_left_shift(Tensor([1, 3]), 2)
    tensor([ 4, 12])
    """
    return bits_of("bitwise_left_shift", np.left_shift, input, other)


@answers(np.right_shift)
def bitwise_right_shift(input: TensorLike, other: TensorLike) -> Tensor:
    """⌊input / 2**other⌋ by moving the bits. No gradient. Raises TypeError for floats.

    >>> bitwise_right_shift(Tensor([8, -3]), 1)
    tensor([ 4, -2])
    """
    return bits_of("bitwise_right_shift", np.right_shift, input, other)

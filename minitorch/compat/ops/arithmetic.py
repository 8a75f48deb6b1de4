"""Further arithmetic of two and three variables: C's remainder, angles and distances, means, x · ln y."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.backend import is_array
from minitorch.ops._ufuncs import answers
from minitorch.ops.arithmetic import _divided, _trunc_divide, add, mul, plain_div, pow, sub
from minitorch.ops.conversion import cast
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["rsub", "true_divide", "fmod", "float_power", "atan2", "hypot", "xlogy", "lerp", "addcmul", "addcdiv"]


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


def true_divide(input: TensorLike, other: TensorLike) -> Tensor:
    """input / other, never rounded: integers divide to the default float.

    >>> true_divide(Tensor([1, 2]), 4)
    tensor([0.2500, 0.5000])
    """
    return plain_div(input, other)


@answers(np.fmod)
@primitive(stretches=True)
def fmod(input: Any, other: Any) -> Any:
    """The remainder of input's sign, as C's fmod. dL/dinput = g, dL/dother = -g · trunc(input / other).

    >>> fmod(Tensor([7.0, -7.0]), 3)
    tensor([ 1., -1.])
    """
    return _divided(np.fmod, input, other)


fmod.vjp(input=lambda g: g, other=lambda g, input, other: -g * _trunc_divide.raw(input, other))


@answers(np.float_power)
def float_power(input: TensorLike, exponent: TensorLike) -> Tensor:
    """input ** exponent, always in float64. The gradients are those of `pow`.

    >>> float_power(Tensor([2, 3]), -1).dtype
    dtype('float64')
    """
    return pow(_as_float64(input), _as_float64(exponent))


def _as_float64(value: TensorLike) -> float | Tensor:
    return float(value) if isinstance(value, (int, float)) else cast(value, np.float64)


@answers(np.arctan2)
@primitive(stretches=True)
def atan2(input: Any, other: Any) -> Any:
    """The angle of the point (x = other, y = input), between -π and π; r² = input² + other².

    dL/dinput = g · other / r², dL/dother = -g · input / r²; 0 at the origin.

    >>> atan2(Tensor([1.0, 1.0]), Tensor([1.0, -1.0]))
    tensor([0.7854, 2.3562])
    """
    return np.arctan2(input, other)


def _squared_radius(x: Any, y: Any) -> Any:
    square = x * x + y * y
    return np.where(np.equal(square, 0), 1, square)


atan2.vjp(
    input=lambda g, input, other: g * (other / _squared_radius(input, other)),
    other=lambda g, input, other: g * (-input / _squared_radius(input, other)),
)


@answers(np.hypot)
@primitive(stretches=True)
def hypot(input: Any, other: Any) -> Any:
    """√(input² + other²) without overflow. dL/dinput = g · input / out, dL/dother = g · other / out; nan at the origin.

    >>> hypot(Tensor([3.0]), Tensor([4.0]))
    tensor([5.])
    """
    return np.hypot(input, other)


hypot.vjp(input=lambda g, input, out: g * (input / out), other=lambda g, other, out: g * (other / out))


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
    return input * np.log(np.where(zero, 1, other))


xlogy.vjp(
    # ones of g's dtype: of a Tensor's mask and two Python numbers, np.where would make float32
    input=lambda g, input, other: g * np.log(np.where(np.equal(input, 0) * (other <= 0), np.ones_like(g), other)),
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

"""Choices between numbers: the larger, the smaller, the nearest within bounds, the one that a condition names.

The gradient goes to the one that was taken. Operands broadcast against each other as in NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from minitorch.autograd.identity import as_mask, as_values
from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.errors import ShapeError
from minitorch.ops._masks import mask_bits
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "maximum",
    "minimum",
    "clamp",
    "clamp_min",
    "clamp_max",
    "clip",
    "where",
    "masked_fill",
]


def _winners(g: Any, lost: Any, not_won: Any) -> Any:
    """The gradient of the larger of two: to the winner, half at a tie; to both where one is nan, as in PyTorch."""
    # share_among_ties would multiply by 0, and inf · 0 is nan; here, as in PyTorch, who loses gets 0 whatever g is.
    half = g / 2
    return mask_bits.raw(half, np.logical_not(lost)) + mask_bits.raw(half, np.logical_not(not_won))


maximum = primitive(
    np.maximum,
    """The larger of input and other. The gradient goes to the larger; at a tie half to each. nan wins over numbers.

    >>> maximum(Tensor([1.0, 5.0]), 3)
    tensor([3., 5.])
    """,
    input=lambda g, input, other: _winners(g, input < other, input <= other),
    other=lambda g, input, other: _winners(g, other < input, other <= input),
)

minimum = primitive(
    np.minimum,
    """The smaller of input and other. The gradient goes to the smaller; at a tie half to each. nan wins over numbers.

    >>> minimum(Tensor([1.0, 5.0]), 3)
    tensor([1., 3.])
    """,
    input=lambda g, input, other: _winners(g, input > other, input >= other),
    other=lambda g, input, other: _winners(g, other > input, other >= input),
)


@primitive(stretches=True)
def clamp_min(input: Any, min: Any) -> Any:
    """input, but at least min. The gradient goes to input where input ≥ min, at the bound too, else to min.

    >>> clamp_min(Tensor([1.0, 5.0]), 3)
    tensor([3., 5.])
    """
    return np.maximum(input, min)


clamp_min.vjp(
    input=lambda g, input, min: mask_bits.raw(g, input >= min),
    min=lambda g, input, min: mask_bits.raw(g, input < min),
)


@primitive(stretches=True)
def clamp_max(input: Any, max: Any) -> Any:
    """input, but at most max. The gradient goes to input where input ≤ max, at the bound too, else to max.

    >>> clamp_max(Tensor([1.0, 5.0]), 3)
    tensor([1., 3.])
    """
    return np.minimum(input, max)


clamp_max.vjp(
    input=lambda g, input, max: mask_bits.raw(g, input <= max),
    max=lambda g, input, max: mask_bits.raw(g, input > max),
)


@primitive(stretches=True)
def _clamp(input: Any, min: Any, max: Any) -> Any:
    return np.clip(input, min, max)


_clamp.vjp(
    input=lambda g, input, min, max: mask_bits.raw(g, np.logical_and(input >= min, input <= max)),
    min=lambda g, input, min, max: mask_bits.raw(g, np.logical_and(input < min, min < max)),
    max=lambda g, input, min, max: mask_bits.raw(g, np.logical_or(input > max, min > max)),
)


def clamp(input: TensorLike, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
    """min(max(input, min), max): each bound a number, a tensor or None; max wins where the bounds cross.

    The gradient goes to whichever of the three the result is; to input at a bound. Raises ValueError without a bound.

    >>> clamp(Tensor([-1.0, 0.5, 2.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise ValueError("clamp: give min, max or both")
    if max is None:
        return clamp_min(input, min)
    if min is None:
        return clamp_max(input, max)
    return _clamp(input, min, max)


def clip(input: TensorLike, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
    """`clamp` under NumPy's name.

    >>> clip(Tensor([1.0, 5.0]), max=3)
    tensor([1., 3.])
    """
    return clamp(input, min, max)


def _chosen(condition: Any, input: Any, other: Any) -> Any:
    return np.where(condition, input, other)


def _choosing(name: str) -> Operation[[Any, Any, Any]]:
    """The operation, of this tag, that takes `input` where the condition holds, else `other`."""
    return primitive(
        _chosen,
        name=name,
        stretches=True,
        input=lambda g, condition: mask_bits.raw(g, condition),
        other=lambda g, condition: mask_bits.raw(g, np.logical_not(condition)),
    )


_where = _choosing("where")
_masked_fill = _choosing("masked_fill")


@overload
def where(condition: TensorLike) -> tuple[Tensor, ...]: ...
@overload
def where(condition: TensorLike, input: TensorLike, other: TensorLike) -> Tensor: ...
def where(
    condition: TensorLike, input: TensorLike | None = None, other: TensorLike | None = None
) -> Tensor | tuple[Tensor, ...]:
    """input where the condition holds, else other. dL/dinput = g where it holds, dL/dother = g where it does not.

    Of the condition alone: the indices where it holds, one constant Tensor for each axis. Raises TypeError unless the
    condition is made of bools.

    >>> where(Tensor([True, False]), Tensor([1.0, 2.0]), 0.0)
    tensor([1., 0.])
    >>> where(Tensor([[True, False], [True, True]]))
    (tensor([0, 1, 1]), tensor([0, 0, 1]))
    """
    if input is None and other is None:
        return tuple([constant(places) for places in np.nonzero(np.atleast_1d(as_values("where", condition)))])
    if input is None or other is None:
        raise TypeError("where: give both input and other, or the condition alone")
    return _where(as_mask("where", "the condition", condition), input, other)


def masked_fill(input: TensorLike, mask: TensorLike, value: TensorLike) -> Tensor:
    """`value` where the mask holds, else input. dL/dinput = g where it does not, dL/dvalue = Σ g where it does.

    value: a number or a 0-d tensor; it takes input's dtype. Raises TypeError unless the mask is made of bools,
    ValueError when value has axes.

    >>> masked_fill(Tensor([1.0, 2.0]), Tensor([True, False]), 9)
    tensor([9., 2.])
    """
    array, fill, mask = as_array(input), as_array(value), as_mask("masked_fill", "the mask", mask)
    if fill.ndim:
        raise ShapeError(f"masked_fill: value must be one number, not of shape {fill.shape}: use where")
    if array.dtype.kind != "f":
        value = array.dtype.type(value).item() if isinstance(value, (int, float)) else fill.astype(array.dtype)
    return _masked_fill(mask, value, input)

"""Quantiles: the value below which a given part of the numbers lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import device_of, xp
from minitorch.compat.ops.arithmetic import lerp
from minitorch.compat.ops.gather_scatter import take_along_dim
from minitorch.errors import OperandError, ShapeError
from minitorch.ops._dims import accepts_numpy_names, axis_in
from minitorch.ops.arithmetic import mul, sub
from minitorch.ops.choice import where
from minitorch.ops.conversion import cast, to
from minitorch.ops.index import getitem
from minitorch.ops.movement import movedim, reshape, squeeze, unsqueeze
from minitorch.ops.sort import sort
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["nanquantile", "quantile"]

# How far from the lower neighbour to the upper one; `part` is how far the place itself is.
_BETWEEN = {
    "linear": lambda part: part,
    "lower": lambda part: part * 0,
    "higher": lambda part: (part > 0) * 1.0,
    "midpoint": lambda part: (part > 0) * 0.5,
}


@accepts_numpy_names
def quantile(
    input: TensorLike,
    q: TensorLike,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """The value at the part q of the way through the sorted numbers, of all or along one axis: q of 0.5 is the median.

    q: a number from 0 to 1, or a vector of them, which becomes the first axis of the result. interpolation: what is
    between two neighbours: "linear", "lower", "higher", "midpoint" or "nearest". The gradient goes to the neighbours,
    by their weights. A nan makes nan. Raises ValueError for another q or interpolation and for no numbers, IndexError
    for a dim that there is not.

    >>> quantile(Tensor([4.0, 1.0, 3.0]), 0.25)
    tensor(2.)
    """
    return _quantile("quantile", input, q, dim, keepdim, interpolation, ignore_nan=False)


@accepts_numpy_names
def nanquantile(
    input: TensorLike,
    q: TensorLike,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """`quantile` of what is not nan; nan where there is nothing else. Raises as `quantile`.

    >>> nanquantile(Tensor([1.0, np.nan, 3.0]), 0.5)
    tensor(2.)
    """
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation, ignore_nan=True)


def _quantile(
    name: str, input: TensorLike, q: TensorLike, dim: int | None, keepdim: bool, interpolation: str, ignore_nan: bool
) -> Tensor:
    array = as_array(input)
    module = xp(array)
    parts = module.asarray(as_array(q, np.float64))
    axis = 0 if dim is None else axis_in(array.shape or (1,), dim, name)
    if parts.ndim > 1 or bool(((parts < 0) | (parts > 1)).any()):
        raise OperandError(f"{name}: q must be a number from 0 to 1, or a vector of them")
    if interpolation != "nearest" and interpolation not in _BETWEEN:
        raise ValueError(f"{name}: interpolation {interpolation!r} is not known: take nearest, {', '.join(_BETWEEN)}")
    if array.size == 0:
        raise ShapeError(f"{name}: shape {array.shape} holds no numbers to choose from")
    whole = reshape(input, (-1,)) if dim is None or array.ndim == 0 else input
    ordered = movedim(sort(whole, axis).values, axis, -1)
    values = ordered._data
    count = np.sum(np.logical_not(np.isnan(values)), axis=-1, keepdims=True) if ignore_nan else values.shape[-1]
    last = np.maximum(count - 1, 0) if ignore_nan else count - 1
    given = to(q, parts.dtype, device_of(array)) if isinstance(q, TensorBase) else constant(parts)
    places: Any = mul(reshape(given, (-1,)), last)
    at = places._data
    low = module.floor(module.rint(at) if interpolation == "nearest" else at)
    weight: Any = (
        sub(places, low) if interpolation == "linear" else _BETWEEN.get(interpolation, _BETWEEN["lower"])(at - low)
    )
    high = np.where(low < at, low + 1, low) if interpolation != "nearest" else low
    lower, upper = (_at(ordered, module.asarray(each, dtype=np.int64)) for each in (low, high))
    out: Any = lerp(lower, upper, cast(weight, array.dtype))
    if not ignore_nan:
        out = where(module.isnan(values[..., -1:]), np.nan, out)
    out = movedim(out, -1, 0) if parts.ndim else squeeze(out, -1)
    if keepdim and dim is None:
        return reshape(out, parts.shape + (1,) * array.ndim)
    return (
        unsqueeze(out, axis + parts.ndim)
        if keepdim and array.ndim
        else reshape(out, parts.shape + out.shape[parts.ndim :])
    )


def _at(ordered: Tensor, places: Any) -> Tensor:
    """The numbers at those places along the last axis: the same in every row, or others in each."""
    return getitem(ordered, (..., places)) if places.ndim == 1 else take_along_dim(ordered, places, -1)

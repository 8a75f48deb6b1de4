"""Quantiles: the value below which a given part of the numbers lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.handle import as_array
from minitorch.backend import xp
from minitorch.errors import OperandError, ShapeError
from minitorch.ops._dims import accepts_numpy_names, axis_in
from minitorch.ops.arithmetic import lerp
from minitorch.ops.choice import where
from minitorch.ops.index import getitem
from minitorch.ops.movement import movedim, reshape, unsqueeze
from minitorch.ops.sort import sort
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["quantile"]

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
    array = as_array(input)
    module = xp(array)
    parts = module.asarray(as_array(q, np.float64))
    axis = 0 if dim is None else axis_in(array.shape, dim, "quantile")
    if parts.ndim > 1 or bool(((parts < 0) | (parts > 1)).any()):
        raise OperandError("quantile: q must be a number from 0 to 1, or a vector of them")
    if interpolation != "nearest" and interpolation not in _BETWEEN:
        raise ValueError(f"quantile: interpolation {interpolation!r} is not known: take nearest, {', '.join(_BETWEEN)}")
    if array.size == 0:
        raise ShapeError(f"quantile: shape {array.shape} holds no numbers to choose from")
    ordered = movedim(sort(reshape(input, (-1,)) if dim is None else input, axis).values, axis, -1)
    places = parts * (ordered.shape[-1] - 1)
    if interpolation == "nearest":
        places = module.rint(places)
    low = module.floor(places)
    weight = _BETWEEN.get(interpolation, _BETWEEN["lower"])(places - low).astype(array.dtype)
    lower, upper = (
        getitem(ordered, (..., module.asarray(f(places), dtype=np.int64))) for f in (module.floor, module.ceil)
    )
    last = ordered._data[..., -1:] if parts.ndim else ordered._data[..., -1]
    out: Any = where(module.isnan(last), np.nan, lerp(lower, upper, weight))
    if parts.ndim:
        out = movedim(out, -1, 0)
    if keepdim and dim is None:
        return reshape(out, parts.shape + (1,) * array.ndim)
    return unsqueeze(out, axis + parts.ndim) if keepdim else out

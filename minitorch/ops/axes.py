"""What the reductions share: how `dim` is read, and how a reduced array gets its axes back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.types import Dim, Shape

__all__: list[str] = []


def stretched(g: Any, input_shape: Shape, dim: Dim, keepdim: bool) -> Any:
    """A reduced array, repeated along the axes that the reduction removed: shape (…) → input_shape."""
    return np.broadcast_to(kept(g, input_shape, dim, keepdim), input_shape)


def kept(reduced: Any, input_shape: Shape, dim: Dim, keepdim: bool) -> Any:
    """A reduced array with every reduced axis at size 1, as if `keepdim=True` had been asked for."""
    if keepdim:
        return reduced
    gone = reduced_dims(len(input_shape), dim)
    return reduced.reshape([1 if axis in gone else size for axis, size in enumerate(input_shape)])


def reduced_dims(ndim: int, dim: Dim) -> Shape:
    """`dim` as a tuple of axes counted from the front; None and () are all of them."""
    dims = as_axis(dim)
    if dims is None or ndim == 0:
        return tuple(range(ndim))
    return tuple([axis % ndim for axis in (dims if isinstance(dims, tuple) else (dims,))])


def as_axis(dim: Dim | list[int]) -> Dim:
    """`dim` as NumPy's functions take it: several as a tuple, none as None, one as a number, even of a 0-d array."""
    if not isinstance(dim, (tuple, list)):
        return dim
    return tuple(dim) if len(dim) > 1 else dim[0] if dim else None


def as_float(x: Any) -> Any:
    """Integers as floats, which -inf can be compared with."""
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def count(input_shape: Shape, dim: Dim) -> int:
    """How many numbers go into each result."""
    return math.prod([input_shape[axis] for axis in reduced_dims(len(input_shape), dim)])


def adding_dtype(input: Any, dtype: Any) -> Any:
    """What sums and products are computed in: `dtype` if asked for; NumPy would keep unsigned integers unsigned."""
    return np.int64 if dtype is None and input.dtype.kind in "ub" else dtype


def require_some(input: Any, dim: Dim, wanted: str) -> None:
    """Raises ValueError when there is nothing along `dim` to choose from."""
    if input.size == 0 and count(input.shape, dim) == 0:
        raise ValueError(f"shape {input.shape} has nothing along dim {dim} to take the {wanted} of")

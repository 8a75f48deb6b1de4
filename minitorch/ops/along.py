"""Numbers picked along one axis, one index for each place: what max, sort, topk and median return.

Picking and putting back are each other's gradient. No index comes twice along the axis, so putting is an assignment,
which is much quicker than adding up; `gather` and `scatter_add` are for indices that may.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minitorch.autograd.handle import constant
from minitorch.autograd.primitive import primitive
from minitorch.backend import xp
from minitorch.ops.shapes import axis_in
from minitorch.types import Shape, TensorLike

__all__: list[str] = []


class ValuesAndIndices(NamedTuple):
    """Values, and where along the axis they stood (a constant)."""

    values: Any
    indices: Any


@primitive
def pick_along(input: Any, index: Any, dim: int, keepdim: bool = True) -> Any:
    """out[…, k, …] = input[…, index[…, k, …], …] at axis `dim`. dL/dinput = g put there, 0 elsewhere."""
    if input.ndim == 0:
        return input.copy()
    picked = np.take_along_axis(input, index, dim)
    return picked if keepdim else np.squeeze(picked, dim)


@primitive
def put_along(values: Any, index: Any, dim: int, shape: Shape) -> Any:
    """Zeros of `shape` with `values` at the places that `index` names along `dim`. dL/dvalues = g picked there."""
    if shape == ():
        return values.reshape(())
    out = xp(values).zeros(shape, values.dtype)
    xp(values).put_along_axis(out, index, values, dim)
    return out


def _put_back(g: Any, input_shape: Shape, index: Any, dim: int, keepdim: bool) -> Any:
    return put_along.raw(g if keepdim else np.expand_dims(g, dim), index, dim, input_shape)


pick_along.vjp(input=_put_back)
put_along.vjp(values=lambda g, values_shape, index, dim: pick_along.raw(g, index, dim).reshape(values_shape))


def picked_along(input: TensorLike, index: Any, dim: int, keepdim: bool = True) -> ValuesAndIndices:
    """The values at `index`, an array with as many axes as input, and the index; without the axis unless `keepdim`."""
    values = pick_along(input, index, dim, keepdim)
    return ValuesAndIndices(values, constant(index.reshape(values.shape)))


def axis_of(array: Any, dim: int, op: str) -> int:
    """The axis `dim` counted from the front; a single number is treated as if it had one."""
    return axis_in(array.shape or (1,), dim, op)

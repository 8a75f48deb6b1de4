"""Order: sorting, the place of the largest, counting.

Values carry gradients back to where they stood; indices and counts are constants. nan is larger than every number.
Picking along an axis and putting back are each other's gradient. No index comes twice along the axis, so putting is an
assignment, which is much quicker than adding up; `gather` and `scatter_add` are for indices that may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from minitorch.autograd.identity import as_values
from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import as_result, xp
from minitorch.errors import OperandError, ShapeError
from minitorch.moved import moved_names
from minitorch.ops._dims import accepts_numpy_names, axis_in
from minitorch.types import Shape, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "argmax",
    "argmin",
    "argsort",
    "sort",
    "topk",
]

# -- numbers picked along one axis: what sort, topk, max and median return ---------------------------------------------


class ValuesAndIndices(NamedTuple):
    """Values, and where along the axis they stood (a constant)."""

    values: Tensor
    indices: Tensor


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


def _pick_along_wrt_input(g: Any, input_shape: Shape, index: Any, dim: int, keepdim: bool) -> Any:
    return put_along.raw(g if keepdim else np.expand_dims(g, dim), index, dim, input_shape)


pick_along.vjp(input=_pick_along_wrt_input)
put_along.vjp(values=lambda g, values_shape, index, dim: pick_along.raw(g, index, dim).reshape(values_shape))

Along: TypeAlias = "Operation[[Any, Any, int, bool]]"


def picking_along(name: str) -> Along:
    """`pick_along` under the name of the operation that picks so: the tag of what `sort` returns is sort."""
    return primitive(pick_along.declaration.forward, name=name, input=_pick_along_wrt_input)


def picked(along: Along, input: TensorLike, index: Any, dim: int, keepdim: bool = True) -> ValuesAndIndices:
    """The values at `index`, an array with as many axes as input, and the index; without the axis unless `keepdim`."""
    values = along(input, index, dim, keepdim)
    return ValuesAndIndices(values, constant(index.reshape(values.shape)))


def axis_of(array: Any, dim: int, op: str) -> int:
    """The axis `dim` counted from the front; a single number is treated as if it had one."""
    return axis_in(array.shape or (1,), dim, op)


# -- order, places and counts ------------------------------------------------------------------------------------------


_sort = picking_along("sort")
_topk = picking_along("topk")


@accepts_numpy_names
def sort(input: TensorLike, dim: int = -1, descending: bool = False, *, stable: bool | None = None) -> ValuesAndIndices:
    """(values, indices) in order along `dim`. dL/dinput = g, each number's back where it stood.

    Equal numbers keep their order if `stable`; the quicker way leaves it open, as in PyTorch. Raises IndexError for a
    dim that there is not.

    >>> sort(Tensor([3.0, 1.0, 2.0]))
    ValuesAndIndices(values=tensor([1., 2., 3.]), indices=tensor([1, 2, 0]))
    """
    array = as_array(input)
    axis = axis_of(array, dim, "sort")
    return picked(_sort, input, _order(array, axis, descending, stable), axis)


@accepts_numpy_names
def argsort(input: TensorLike, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Tensor:
    """The indices that put input in order along `dim`. Equal numbers keep their order if `stable`.

    Raises IndexError for a dim that there is not.

    >>> argsort(Tensor([3.0, 1.0, 2.0]), descending=True)
    tensor([0, 2, 1])
    """
    array = as_array(input)
    return constant(_order(array, axis_of(array, dim, "argsort"), descending, stable))


def _order(array: Any, axis: int, descending: bool, stable: bool | None = True) -> Any:
    """The indices of the order. Downwards it is the upward one of the reversed array, reversed: so it can be stable."""
    if array.ndim == 0:
        return xp(array).zeros((), np.int64)
    kind: Any = "stable" if stable else None
    if not descending:
        return np.argsort(array, axis=axis, kind=kind)
    upwards = np.argsort(np.flip(array, axis), axis=axis, kind=kind)
    return array.shape[axis] - 1 - np.flip(upwards, axis)


@accepts_numpy_names
def topk(
    input: TensorLike,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,  # noqa: ARG001 (PyTorch's name)
) -> ValuesAndIndices:
    """(values, indices) of the k largest along `dim`, or of the k smallest, the foremost first.

    dL/dinput = g, each number's back where it stood, and 0 for the rest. Which of equal numbers are taken is left open,
    as in PyTorch; they come in order even without `sorted`. Raises ValueError unless 0 ≤ k ≤ the axis's size,
    IndexError for a dim that there is not.

    >>> topk(Tensor([3.0, 1.0, 2.0]), 2)
    ValuesAndIndices(values=tensor([3., 2.]), indices=tensor([0, 2]))
    """
    array = as_array(input)
    axis = axis_of(array, dim, "topk")
    size = array.shape[axis] if array.ndim else 1
    if not 0 <= k <= size:
        raise OperandError(f"topk: k is {k}, but axis {dim} of shape {array.shape} has {size} to choose from")
    if array.ndim == 0:
        return picked(_topk, input, _order(array, axis, largest), axis)
    if 0 < k < size:
        parted = np.argpartition(array, size - k if largest else k - 1, axis=axis)
        first = size - k if largest else 0
        chosen = np.sort(parted[(slice(None),) * axis + (slice(first, first + k),)], axis=axis)
        order = _order(np.take_along_axis(array, chosen, axis), axis, largest)
        return picked(_topk, input, np.take_along_axis(chosen, order, axis), axis)
    order = _order(array, axis, largest)
    return picked(_topk, input, order[(slice(None),) * axis + (slice(0, k),)], axis)


@accepts_numpy_names
def argmax(input: TensorLike, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest along `dim`, or in the flat tensor; the first of ties.

    Raises ValueError when there is nothing to choose from, IndexError for a dim that there is not.

    >>> argmax(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1)
    tensor([1, 0])
    """
    return _place(np.argmax, "argmax", input, dim, keepdim)


@accepts_numpy_names
def argmin(input: TensorLike, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest along `dim`, or in the flat tensor; the first of ties.

    Raises ValueError when there is nothing to choose from, IndexError for a dim that there is not.

    >>> argmin(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1)
    tensor([0, 1])
    """
    return _place(np.argmin, "argmin", input, dim, keepdim)


def _place(find: Any, name: str, input: TensorLike, dim: int | None, keepdim: bool) -> Tensor:
    array = as_values(name, input)
    axis = None if dim is None else axis_of(array, dim, name)
    size = array.size if axis is None or array.ndim == 0 else array.shape[axis]
    if size == 0:
        raise ShapeError(f"{name}: shape {array.shape} has nothing along dim {dim} to choose from")
    return constant(as_result(find(array, axis=axis, keepdims=keepdim and array.ndim > 0)))


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.ops.sort import *
else:
    __getattr__, __dir__ = moved_names(__name__)

"""Indexing: picking parts of a tensor and replacing them, by slices, integers, masks and index arrays.

All of it is made of three operations, which stand first; `indexing` normalizes what a user wrote to what they take.

    pick(input, index)              input[index]                            gradient: unindex
    unindex(input, index, shape)    zeros[index] += input, repeats add up   gradient: pick
    replace(input, index, value)    input with value at index               gradients: replace by 0, pick
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from minitorch.autograd.identity import as_mask, as_values
from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import is_array, xp
from minitorch.errors import ShapeError
from minitorch.ops.arithmetic import add
from minitorch.ops.indexing import (
    as_index,
    as_written,
    check_bounds,
    normalize_index,
    parts_of,
    require_inside,
    source_for,
)
from minitorch.ops.movement import expand, reshape
from minitorch.types import Shape, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "argwhere",
    "index_put",
    "masked_select",
    "nonzero",
    "take",
]

# -- the three that all indexing is made of ----------------------------------------------------------------------------


@primitive(name="getitem")
def pick(input: Any, index: Any) -> Any:
    """input[index] for an index that `read` has read. dL/dinput = g added into zeros at `index`."""
    if type(index) is tuple and len(index) == 1:
        (index,) = index
    kind = type(index)
    try:
        if kind is slice:
            return input[index]
        if kind is int:  # of one axis NumPy would copy the number, where a view of no axes is meant
            return input[index] if input.ndim > 1 else input[index, ...]
        if kind is type(input) and index.dtype.kind != "b":
            return input.take(index, axis=0)  # of whole rows, up to 4 times quicker than in brackets
        part = input[index]
        return input[(*parts_of(index), ...)] if isinstance(part, np.generic) else part
    except IndexError as error:
        raise IndexError(f"{error} (the Tensor has shape {input.shape})") from None


def _pick_wrt_input(g: Any, input_shape: Shape, index: Any) -> Any:
    return unindex.raw(g, index, input_shape)


def _add_pick_wrt_input(total: Any, g: Any, input_shape: Shape, index: Any) -> None:
    if _picks_once(index):
        total[index] += g
    else:
        total += unindex.raw(g, index, input_shape)


pick.vjp(input=_pick_wrt_input)
pick.declaration.add_adders(input=_add_pick_wrt_input)


def picking(name: str) -> Operation[[Any, Any]]:
    """`pick` under the name of the operation that picks so: the tag of what `gather` returns is gather."""
    named = primitive(pick.declaration.forward, name=name, input=_pick_wrt_input)
    named.declaration.add_adders(input=_add_pick_wrt_input)
    return named


@primitive
def unindex(input: Any, index: Any, shape: Shape) -> Any:
    """Zeros of `shape`, input added in at `index`; what falls on one place adds up. dL/dinput = g[index]."""
    out = xp(input).zeros(shape, input.dtype)
    if _picks_once(index):
        out[index] = input
    else:  # on flat arrays `add.at` is 3 to 6 times quicker than on rows
        places = _places(index, shape, xp(input))
        xp(input).add.at(out.reshape(-1), places.reshape(-1), np.broadcast_to(input, places.shape).reshape(-1))
    return out


unindex.vjp(input=lambda g, index: pick.raw(g, index))


@primitive(name="setitem", promotes=False)
def replace(input: Any, index: Any, value: Any) -> Any:
    """A copy of input with `value` at `index`. dL/dinput = g with 0 there; dL/dvalue = g[index]."""
    out = input.copy()
    try:
        out[_as_place(index)] = value
    except IndexError as error:
        raise IndexError(f"{error} (the Tensor has shape {input.shape})") from None
    return out


def _as_place(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """An index to write at: with an Ellipsis, one element is an array of shape (), which takes a value of (1,) too."""
    return index if any(part is Ellipsis for part in index) else (*index, ...)


def _replace_wrt_value(g: Any, index: Any, value_shape: Shape) -> Any:
    part = pick.raw(g, index)
    leading = (1,) * (len(value_shape) - part.ndim)  # a value may have more axes than its place, of size 1
    return part.reshape(leading + part.shape) if leading else part


def _replace_wrt_input(g: Any, index: Any) -> Any:
    return replace.raw(g, index, 0)


replace.vjp(input=_replace_wrt_input, value=_replace_wrt_value)


def replacing(name: str) -> Operation[[Any, Any, Any]]:
    """`replace` under the name of the operation that writes so, as `picking` is `pick`."""
    forward = replace.declaration.forward
    return primitive(forward, name=name, promotes=False, input=_replace_wrt_input, value=_replace_wrt_value)


def _picks_once(index: Any) -> bool:
    """Without index arrays, or with one mask as the only one, no element is picked twice."""
    arrays = [part for part in parts_of(index) if is_array(part)]
    return not arrays or (len(arrays) == 1 and arrays[0].dtype.kind == "b")


def _places(index: Any, shape: Shape, library: Any) -> Any:
    """The place in the flat array of every element that is picked."""
    parts = parts_of(index)
    if not all(is_array(part) and part.dtype.kind != "b" for part in parts):
        return library.arange(math.prod(shape)).reshape(shape)[index]
    rows: Any = 0
    for part, size in zip(parts, shape, strict=False):  # axes that have no index are taken whole
        rows = rows * size + np.where(part < 0, part + size, part)
    if len(parts) == len(shape):
        return rows
    rest = shape[len(parts) :]
    row = math.prod(rest)
    return (rows[..., None] * row + library.arange(row)).reshape(rows.shape + rest)


# -- what brackets and methods spell -----------------------------------------------------------------------------------

_take = picking("take")
_masked_select = picking("masked_select")
_index_put = replacing("index_put")
_PLAIN = frozenset({int, slice, type(None), type(Ellipsis)})


def getitem(input: TensorLike, index: Any) -> Tensor:
    """input[index], with slices, integers, None, ..., masks, lists and index arrays or Tensors, mixed as one likes.

    dL/dinput = g added into zeros at `index`: an element that is picked twice gets both gradients. Slices and integers
    are views of the same memory. Unlike PyTorch, slices may step backwards. Raises IndexError when the index is out of
    range or no index at all.

    >>> getitem(Tensor([1.0, 2.0, 3.0]), [0, 0, 2])
    tensor([1., 1., 3.])
    """
    kind = type(index)
    if kind is int or kind is slice or (kind is tuple and _PLAIN.issuperset(map(type, index))):
        return pick(input, index)
    first, index = normalize_index("getitem", as_array(input), index)
    return pick(input if first is None else pick(input, first), index)


def setitem(input: TensorLike, index: Any, value: TensorLike) -> Tensor:
    """input with `value`, which broadcasts, in the place of input[index]; input itself stays as it is.

    dL/dinput = g with 0 at `index`; dL/dvalue = g[index], summed to value's shape. The result has input's dtype. If an
    element is named twice, the last value stays, and both get its gradient, as in PyTorch. Raises IndexError when the
    index is out of range, ValueError when the value does not fit.

    >>> setitem(Tensor([1.0, 2.0, 3.0]), slice(1, None), 0.0)
    tensor([1., 0., 0.])
    """
    array = as_array(input)
    value = as_written(array, value)
    first, index = normalize_index("setitem", array, index)
    if first is None:
        return replace(input, index, value)
    return replace(input, first, replace(pick(input, first), index, value))


def part_of(memory: Any, index: Any) -> Any:
    """The part of the array that `index` shows; None where picking makes a copy."""
    _, index = normalize_index("setitem", memory, index)
    if any(is_array(part) for part in index):
        return None
    return memory[index] if Ellipsis in index else memory[(*index, ...)]


def write(memory: Any, index: Any, value: TensorLike) -> None:
    """Writes `value` into the array itself, as setitem would have it: what `t[index] = value` does to a constant."""
    value = as_written(memory, value)
    first, index = normalize_index("setitem", memory, index)
    try:
        part = memory if first is None else memory[first]  # integers and slices: a view
        given = value._data if isinstance(value, TensorBase) else value
        part[_as_place(index) if is_array(given) else index] = given
    except (IndexError, ValueError) as error:
        kind = ShapeError if type(error) is ValueError else type(error)
        raise kind(f"setitem: {error} (the Tensor has shape {memory.shape})") from None


def masked_select(input: TensorLike, mask: TensorLike) -> Tensor:
    """The elements of input where the mask holds, in one row; the two broadcast. dL/dinput = g put back, 0 elsewhere.

    Raises TypeError when the mask does not hold bools, ValueError when the shapes do not fit together.

    >>> masked_select(Tensor([1.0, 2.0, 3.0]), Tensor([True, False, True]))
    tensor([1., 3.])
    """
    array, chosen = as_array(input), as_mask("masked_select", "the mask", mask)
    try:
        shape = np.broadcast_shapes(array.shape, chosen.shape)
    except ValueError:
        raise ShapeError(f"masked_select: shapes {array.shape} and {chosen.shape} do not fit together") from None
    at = as_index("masked_select", np.broadcast_to(chosen, shape), array, "b")
    return _masked_select(input if array.shape == shape else expand(input, shape), at)


def take(input: TensorLike, index: TensorLike) -> Tensor:
    """The elements at the places `index` of input laid out flat; the result has index's shape. Negative: from the end.

    dL/dinput = g added into zeros at those places. Raises IndexError when a place does not exist.

    >>> take(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([0, 3, 3]))
    tensor([1., 4., 4.])
    """
    array = as_array(input)
    index = check_bounds("take", as_index("take", index, array), 0, (array.size,))
    return _take(reshape(input, (-1,)), index)


def index_put(input: TensorLike, indices: Sequence[Any], values: TensorLike, accumulate: bool = False) -> Tensor:
    """input with input[indices] replaced by `values`, which broadcast; with `accumulate`, added to it, repeats too.

    indices: one index array or mask for each of the first axes. dL/dinput = g, with 0 where it was replaced;
    dL/dvalues = g[indices]. Raises IndexError when out of range, ValueError when the values do not fit, TypeError when
    the dtypes differ.

    >>> index_put(Tensor([0.0, 0.0]), (Tensor([1, 1]),), Tensor([1.0, 2.0]), accumulate=True)
    tensor([0., 3.])
    """
    array = as_array(input)
    values = source_for("index_put", array, values)
    parts = tuple([as_index("index_put", each, array, "iub") for each in indices])
    require_inside("index_put", parts, array.shape)
    at = _without_masks(parts)
    try:
        picked = np.broadcast_shapes(*[each.shape for each in at])
    except ValueError:
        shapes = " and ".join(str(each.shape) for each in at)
        raise ShapeError(f"index_put: shapes {shapes} of the indices do not fit together") from None
    shape = (*picked, *array.shape[len(at) :])
    try:
        wide = values if np.shape(values) == shape else expand(values, shape)
    except ValueError:
        raise ShapeError(f"index_put: values of shape {np.shape(values)} do not fit into shape {shape}") from None
    return add(input, unindex(wide, at, array.shape)) if accumulate else _index_put(input, at, wide)


def _without_masks(indices: Sequence[Any]) -> tuple[Any, ...]:
    """Each mask as the index arrays of the elements where it holds."""
    return tuple(part for each in indices for part in (xp(each).nonzero(each) if each.dtype.kind == "b" else [each]))


@overload
def nonzero(input: TensorLike, *, as_tuple: Literal[False] = False) -> Tensor: ...
@overload
def nonzero(input: TensorLike, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]: ...
def nonzero(input: TensorLike, *, as_tuple: bool = False) -> Tensor | tuple[Tensor, ...]:
    """The indices of the elements that are not 0, one row each; with `as_tuple`, one index Tensor for each axis.

    x[nonzero(x, as_tuple=True)] are those elements. No gradient.

    >>> nonzero(Tensor([[0.0, 2.0], [3.0, 0.0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    array = as_values("nonzero", input)
    if not as_tuple:
        return constant(xp(array).argwhere(array))
    return tuple(constant(each) for each in xp(array).nonzero(array if array.ndim else array.reshape(1)))


def argwhere(input: TensorLike) -> Tensor:
    """The indices of the elements that are not 0, one row each. No gradient.

    >>> argwhere(Tensor([0.0, 2.0, 3.0]))
    tensor([[1],
            [2]])
    """
    return nonzero(input)

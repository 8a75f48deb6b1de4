"""Picking parts of a tensor: slices, integers, masks and index arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch.autograd.handle import Handle, as_array, constant
from minitorch.backend import xp
from minitorch.ops.elementwise import add
from minitorch.ops.movement import expand, reshape
from minitorch.ops.pick import as_index, as_written, checked, pick, read, replace, require_inside, source_for, unindex
from minitorch.types import TensorLike

__all__ = [
    "argwhere",
    "index_put",
    "masked_select",
    "nonzero",
    "take",
]

_PLAIN = frozenset({int, slice, type(None), type(Ellipsis)})


def getitem(input: TensorLike, index: Any) -> Any:
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
    first, index = read("getitem", as_array(input), index)
    return pick(input if first is None else pick(input, first), index)


def setitem(input: TensorLike, index: Any, value: TensorLike) -> Any:
    """input with `value`, which broadcasts, in the place of input[index]; input itself stays as it is.

    dL/dinput = g with 0 at `index`; dL/dvalue = g[index], summed to value's shape. The result has input's dtype. If an
    element is named twice, the last value stays, and both get its gradient, as in PyTorch. Raises IndexError when the
    index is out of range, ValueError when the value does not fit.

    >>> setitem(Tensor([1.0, 2.0, 3.0]), slice(1, None), 0.0)
    tensor([1., 0., 0.])
    """
    array = as_array(input)
    value = as_written(array, value)
    first, index = read("setitem", array, index)
    if first is None:
        return replace(input, index, value)
    return replace(input, first, replace(pick(input, first), index, value))


def write(memory: Any, index: Any, value: TensorLike) -> None:
    """Writes `value` into the array itself, as setitem would have it: what `t[index] = value` does to a constant."""
    value = as_written(memory, value)
    first, index = read("setitem", memory, index)
    try:
        part = memory if first is None else memory[first]  # integers and slices: a view
        part[index] = value._data if isinstance(value, Handle) else value
    except (IndexError, ValueError) as error:
        raise type(error)(f"setitem: {error} (the Tensor has shape {memory.shape})") from None


def masked_select(input: TensorLike, mask: TensorLike) -> Any:
    """The elements of input where the mask holds, in one row; the two broadcast. dL/dinput = g put back, 0 elsewhere.

    Raises TypeError when the mask does not hold bools, ValueError when the shapes do not fit together.

    >>> masked_select(Tensor([1.0, 2.0, 3.0]), Tensor([True, False, True]))
    tensor([1., 3.])
    """
    array, mask = as_array(input), as_array(mask)
    if mask.dtype.kind != "b":
        raise TypeError(f"masked_select: the mask holds bools, not {mask.dtype}: write mask != 0")
    try:
        shape = np.broadcast_shapes(array.shape, mask.shape)
    except ValueError:
        raise ValueError(f"masked_select: shapes {array.shape} and {mask.shape} do not fit together") from None
    at = as_index("masked_select", np.broadcast_to(mask, shape), array, "b")
    return pick(input if array.shape == shape else expand(input, shape), at)


def take(input: TensorLike, index: TensorLike) -> Any:
    """The elements at the places `index` of input laid out flat; the result has index's shape. Negative: from the end.

    dL/dinput = g added into zeros at those places. Raises IndexError when a place does not exist.

    >>> take(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([0, 3, 3]))
    tensor([1., 4., 4.])
    """
    array = as_array(input)
    index = checked("take", as_index("take", index, array), 0, (array.size,))
    return pick(reshape(input, (-1,)), index)


def index_put(input: TensorLike, indices: Sequence[Any], values: TensorLike, accumulate: bool = False) -> Any:
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
        raise ValueError(f"index_put: shapes {shapes} of the indices do not fit together") from None
    shape = (*picked, *array.shape[len(at) :])
    try:
        wide = values if np.shape(values) == shape else expand(values, shape)
    except ValueError:
        raise ValueError(f"index_put: values of shape {np.shape(values)} do not fit into shape {shape}") from None
    return add(input, unindex(wide, at, array.shape)) if accumulate else replace(input, at, wide)


def _without_masks(indices: Sequence[Any]) -> tuple[Any, ...]:
    """Each mask as the index arrays of the elements where it holds."""
    return tuple(part for each in indices for part in (xp(each).nonzero(each) if each.dtype.kind == "b" else [each]))


def nonzero(input: TensorLike, *, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not 0, one row each; with `as_tuple`, one index Tensor for each axis.

    x[nonzero(x, as_tuple=True)] are those elements. No gradient.

    >>> nonzero(Tensor([[0.0, 2.0], [3.0, 0.0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    array = as_array(input)
    if not as_tuple:
        return constant(xp(array).argwhere(array))
    return tuple(constant(each) for each in xp(array).nonzero(array if array.ndim else array.reshape(1)))


def argwhere(input: TensorLike) -> Any:
    """The indices of the elements that are not 0, one row each. No gradient.

    >>> argwhere(Tensor([0.0, 2.0, 3.0]))
    tensor([[1],
            [2]])
    """
    return nonzero(input)

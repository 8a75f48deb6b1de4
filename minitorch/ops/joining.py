"""Joining and splitting: several tensors into one, and one into several."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import OperandError, ShapeError
from minitorch.moved import moved_names
from minitorch.ops._dims import accepts_numpy_names, axis_in, shapes_of
from minitorch.ops.rearrange import narrow, select
from minitorch.types import Shape, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "cat",
    "concat",
    "concatenate",
    "stack",
    "split",
    "split_with_sizes",
    "chunk",
    "unbind",
]

# -- joined ------------------------------------------------------------------------------------------------------------


@primitive
def _cat(*tensors: Any, dim: int) -> Any:
    if len({each.ndim for each in tensors}) > 1:  # an empty vector joins anything, as in PyTorch
        tensors = tuple(each for each in tensors if each.shape != (0,))
    if len({each.ndim for each in tensors}) > 1:
        raise ShapeError(f"shapes {shapes_of(tensors)} must have the same number of axes")
    if tensors[0].ndim == 0:
        raise ShapeError("single numbers have no axis to be joined along: use stack")
    if not -tensors[0].ndim <= dim < tensors[0].ndim:
        raise IndexError(f"axis {dim} does not exist in shapes {shapes_of(tensors)}")
    try:
        return np.concatenate(tensors, axis=dim)
    except ValueError:
        raise ShapeError(f"shapes {shapes_of(tensors)} may differ along axis {dim} only") from None


def _cat_wrt(g: Any, tensors_shape: tuple[Shape, ...], dim: int, slot: int) -> Any:
    if tensors_shape[slot] == (0,):
        return g.reshape(-1)[:0]
    start = sum([shape[dim] for shape in tensors_shape[:slot] if shape != (0,)])
    return g[(slice(None),) * (dim % g.ndim) + (slice(start, start + tensors_shape[slot][dim]),)]


_cat.vjp(tensors=_cat_wrt)


@primitive
def _stack(*tensors: Any, dim: int) -> Any:
    if len({each.shape for each in tensors}) > 1:
        raise ShapeError(f"shapes {shapes_of(tensors)} must all be equal")
    return np.stack(tensors, axis=dim)


_stack.vjp(tensors=lambda g, dim, slot: g[(slice(None),) * (dim % g.ndim) + (slot, ...)])


@accepts_numpy_names
def cat(tensors: Sequence[TensorLike], dim: int = 0) -> Tensor:
    """The tensors joined along the existing axis `dim`. Each gets its own slice of g.

    A vector of no elements joins tensors of any shape. Raises ValueError when there are none or when they differ along
    another axis.

    >>> cat([Tensor([1.0, 2.0]), Tensor([3.0])])
    tensor([1., 2., 3.])
    """
    return _cat(*_some(tensors, "cat"), dim=dim)


concat = concatenate = cat


@accepts_numpy_names
def stack(tensors: Sequence[TensorLike], dim: int = 0) -> Tensor:
    """The tensors laid side by side along a new axis `dim`. Each gets its own slice of g.

    Raises ValueError when there are none or when their shapes differ.

    >>> stack([Tensor([1.0, 2.0]), Tensor([3.0, 4.0])], dim=1)
    tensor([[1., 3.],
            [2., 4.]])
    """
    return _stack(*_some(tensors, "stack"), dim=dim)


def _some(tensors: Sequence[TensorLike], name: str) -> Sequence[TensorLike]:
    if len(tensors) == 0:
        raise ShapeError(f"{name}: at least one tensor is needed")
    return tensors


# -- taken apart: every piece is a view, and its gradient goes back to its place ---------------------------------------


@accepts_numpy_names
def split_with_sizes(input: TensorLike, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of the given sizes along `dim`.

    Raises ValueError unless the sizes add up to the axis's size.

    >>> split_with_sizes(Tensor([1.0, 2.0, 3.0]), [1, 2])
    (tensor([1.]), tensor([2., 3.]))
    """
    shape = as_array(input).shape
    axis = axis_in(shape, dim, "split")
    if sum(split_sizes) != shape[axis] or any(size < 0 for size in split_sizes):
        raise ShapeError(f"split: sizes {list(split_sizes)} do not add up to axis {dim} of shape {shape}")
    starts = itertools.accumulate(split_sizes, initial=0)
    return tuple(narrow(input, axis, start, size) for start, size in zip(starts, split_sizes))


@accepts_numpy_names
def split(input: TensorLike, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of one size along `dim`, the last one smaller if it must be; or of the sizes in a list.

    Raises ValueError for a size that is not positive and for sizes that do not add up.

    >>> split(Tensor([1.0, 2.0, 3.0]), 2)
    (tensor([1., 2.]), tensor([3.]))
    """
    if isinstance(split_size_or_sections, (tuple, list)):
        return split_with_sizes(input, split_size_or_sections, dim)
    shape, step = as_array(input).shape, int(split_size_or_sections)  # type: ignore[arg-type]
    size = shape[axis_in(shape, dim, "split")]
    if step < 0 or (step == 0 and size > 0):
        raise ShapeError(f"split: pieces of size {step} along axis {dim} of shape {shape}: the size must be positive")
    full = max(size - 1, 0) // max(step, 1)  # the pieces before the last
    return split_with_sizes(input, [step] * full + [size - step * full], dim)


@accepts_numpy_names
def chunk(input: TensorLike, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` pieces along `dim`, all of the size ⌈size / chunks⌉ but for the last, which may be smaller.

    There are fewer where that size leaves nothing for the others: `tensor_split` always makes as many as asked.

    >>> [len(piece) for piece in chunk(Tensor(np.zeros(5)), 4)]
    [2, 2, 1]
    """
    if chunks < 1:
        raise OperandError(f"chunk: {chunks} chunks: at least one is needed")
    shape = as_array(input).shape
    size = shape[axis_in(shape, dim, "chunk")]
    return split(input, -(-size // chunks), dim) if size else split_with_sizes(input, [0] * chunks, dim)


@accepts_numpy_names
def unbind(input: TensorLike, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along `dim`, without that axis. It undoes `stack`.

    >>> unbind(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    (tensor([1., 3.]), tensor([2., 4.]))
    """
    shape = as_array(input).shape
    axis = axis_in(shape, dim, "unbind")
    return tuple(select(input, axis, place) for place in range(shape[axis]))


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.ops.combining import *
else:
    __getattr__, __dir__ = moved_names(__name__, "ops.combining")

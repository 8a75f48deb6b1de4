"""Rearrangements: the same numbers repeated, mirrored, shifted, or some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import xp
from minitorch.errors import IndexingError, ShapeError
from minitorch.moved import moved_names
from minitorch.ops._dims import accepts_numpy_names, as_axes, axis_in, sizes_in_a_row
from minitorch.ops.index import picking
from minitorch.ops.movement import clone
from minitorch.types import Shape, Sizes, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "repeat",
    "tile",
    "flip",
    "narrow",
    "select",
    "diagonal",
    "diag",
    "tril",
    "triu",
]

# -- repeated ----------------------------------------------------------------------------------------------------------


@sizes_in_a_row
@primitive
def repeat(input: Any, repeats: Sizes) -> Any:
    """The whole of input laid out repeats[k] times along each axis k; more repeats than axes add axes in front.

    dL/dinput = Σ g over the copies: g as (repeats[0], n[0], repeats[1], n[1], …), summed over every repeats[k].
    `repeat_interleave` repeats each element instead. Raises ValueError when there are fewer repeats than axes.

    >>> repeat(Tensor([1.0, 2.0]), 2, 2)
    tensor([[1., 2., 1., 2.],
            [1., 2., 1., 2.]])
    """
    if len(repeats) < input.ndim or any(times < 0 for times in repeats):
        raise ShapeError(f"shape {input.shape} needs a count ≥ 0 for each of its axes at least, not {tuple(repeats)}")
    return np.tile(input, repeats)


def _sum_of_copies(g: Any, input_shape: Shape, repeats: Sizes) -> Any:
    sizes = (1,) * (len(repeats) - len(input_shape)) + input_shape
    pairs = [size for pair in zip(repeats, sizes, strict=True) for size in pair]
    return g.reshape(pairs).sum(tuple(range(0, len(pairs), 2))).reshape(input_shape)


repeat.vjp(input=_sum_of_copies)


@sizes_in_a_row
def tile(input: TensorLike, dims: Sizes) -> Tensor:
    """`repeat`, where missing counts in front are 1.

    >>> tile(Tensor([[1.0], [2.0]]), (2,))
    tensor([[1., 1.],
            [2., 2.]])
    """
    return repeat(input, (1,) * (as_array(input).ndim - len(as_axes(dims))) + as_axes(dims))


# -- mirrored and shifted ----------------------------------------------------------------------------------------------


@sizes_in_a_row
@primitive
def flip(input: Any, dims: int | Sizes) -> Any:
    """A copy that runs backwards along each axis of `dims`. dL/dinput = g flipped back.

    >>> flip(Tensor([1.0, 2.0, 3.0]), 0)
    tensor([3., 2., 1.])
    """
    axes = [axis_in(input.shape or (1,), axis, "flip") for axis in as_axes(dims)]
    return np.flip(input, tuple(axes)).copy() if input.ndim else input.copy()


flip.vjp(input=lambda g, dims: flip.raw(g, dims))


# -- parts, as views ---------------------------------------------------------------------------------------------------


_narrow = picking("narrow")
_select = picking("select")


@accepts_numpy_names
def narrow(input: TensorLike, dim: int, start: int, length: int) -> Tensor:
    """`length` elements along `dim`, from `start` on, as a view. dL/dinput = g in its place, zero elsewhere.

    A negative start counts from the end. Raises IndexError when the range leaves the axis.

    >>> narrow(Tensor([1.0, 2.0, 3.0, 4.0]), 0, 1, 2)
    tensor([2., 3.])
    """
    shape = as_array(input).shape
    axis, start = axis_in(shape, dim, "narrow"), int(start)
    first = start + shape[axis] if start < 0 else start
    if not 0 <= first <= first + length <= shape[axis]:
        raise IndexingError(f"narrow: {length} elements from {start} on are not all in axis {dim} of shape {shape}")
    return _narrow(input, (slice(None),) * axis + (slice(first, first + length),))


@accepts_numpy_names
def select(input: TensorLike, dim: int, index: int) -> Tensor:
    """The slice at `index` along `dim`, without that axis, as a view. dL/dinput = g in its place, zero elsewhere.

    Raises IndexError when the axis has no such index.

    >>> select(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, 0)
    tensor([1., 3.])
    """
    shape = as_array(input).shape
    axis = axis_in(shape, dim, "select")
    if not -shape[axis] <= index < shape[axis]:
        raise IndexError(f"select: index {index} is out of range for axis {dim} of shape {shape}")
    return _select(input, (slice(None),) * axis + (int(index), ...))  # with an ellipsis, a single number is a view too


@primitive
def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The elements [i, i + offset] of the axes `dim1` and `dim2`, as a view; the diagonal is the last axis.

    dL/dinput = g put on the diagonal, zero elsewhere. Raises ValueError when dim1 and dim2 are the same axis.

    >>> diagonal(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    tensor([2.])
    """
    if axis_in(input.shape, dim1, "diagonal") == axis_in(input.shape, dim2, "diagonal"):
        raise ShapeError(f"dim1 {dim1} and dim2 {dim2} are the same axis of shape {input.shape}")
    view = np.diagonal(input, offset, dim1, dim2)
    if isinstance(view, np.ndarray):
        view.flags.writeable = input.flags.writeable  # NumPy alone makes it read-only
    return view


@primitive(name="put_on_diagonal")
def _put_on_diagonal(input: Any, shape: Sizes, offset: int, dim1: int, dim2: int) -> Any:
    dim1, dim2 = dim1 % len(shape), dim2 % len(shape)
    rows, columns = shape[dim1], shape[dim2]
    rest = [size for axis, size in enumerate(shape) if axis not in (dim1, dim2)]
    flat = xp(input).zeros((*rest, rows * columns), input.dtype)
    start = offset if offset >= 0 else -offset * columns
    flat[..., start : start + input.shape[-1] * (columns + 1) : columns + 1] = input  # one row down, one to the right
    return np.moveaxis(flat.reshape(*rest, rows, columns), (-2, -1), (dim1, dim2))


diagonal.vjp(input=lambda g, input_shape, offset, dim1, dim2: _put_on_diagonal.raw(g, input_shape, offset, dim1, dim2))


def _taken_off(g: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal.raw(g, offset, dim1, dim2)


_put_on_diagonal.vjp(input=_taken_off)
_diag = primitive(_put_on_diagonal.declaration.forward, name="diag", input=_taken_off)


def diag(input: TensorLike, diagonal: int = 0) -> Tensor:
    """A vector on the diagonal of a square matrix of zeros; of a matrix its diagonal, copied.

    diagonal: above the main one if positive, below if negative. Raises ValueError for other numbers of axes.

    >>> diag(Tensor([1.0, 2.0]))
    tensor([[1., 0.],
            [0., 2.]])
    """
    shape = as_array(input).shape
    if len(shape) == 2:
        return _diagonal_copied(input, diagonal)
    if len(shape) != 1:
        raise ShapeError(f"diag: shape {shape} is neither a vector's nor a matrix's")
    size = shape[0] + abs(diagonal)
    return _diag(input, (size, size), diagonal, 0, 1)


def _diagonal_copied(input: TensorLike, offset: int) -> Tensor:
    return clone(diagonal(input, offset))


@primitive
def tril(input: Any, diagonal: int = 0) -> Any:
    """The lower triangle of each matrix: zero above the diagonal `diagonal`. dL/dinput = the lower triangle of g.

    Raises ValueError for fewer than two axes.

    >>> tril(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[1., 0.],
            [3., 4.]])
    """
    return np.tril(_matrices(input), diagonal)


tril.vjp(input=lambda g, diagonal: np.tril(g, diagonal))


@primitive
def triu(input: Any, diagonal: int = 0) -> Any:
    """The upper triangle of each matrix: zero below the diagonal `diagonal`. dL/dinput = the upper triangle of g.

    Raises ValueError for fewer than two axes.

    >>> triu(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[1., 2.],
            [0., 4.]])
    """
    return np.triu(_matrices(input), diagonal)


triu.vjp(input=lambda g, diagonal: np.triu(g, diagonal))


def _matrices(input: Any) -> Any:
    if input.ndim < 2:
        raise ShapeError(f"shape {input.shape} has fewer than two axes, so it has no triangle")
    return input


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.ops.rearrange import *
else:
    __getattr__, __dir__ = moved_names(__name__)

"""Tensors put together and taken apart in further ways: blocks, columns, all combinations, windows, triangles."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import device_of, is_array, moved, to_host, xp
from minitorch.compat.ops.rearrange import atleast_1d, atleast_2d, atleast_3d, common_shape
from minitorch.errors import DtypeError, OperandError, ShapeError
from minitorch.ops._dims import accepts_numpy_names, axis_in, listed, shape_from
from minitorch.ops.creation import as_tensor, dtype_or, linspace, made, plain
from minitorch.ops.index import picking
from minitorch.ops.joining import _some, cat, split_with_sizes, stack
from minitorch.ops.movement import meshgrid
from minitorch.ops.rearrange import narrow
from minitorch.types import Shape, TensorLike

__all__ = ["block_diag", "broadcast_shapes", "cartesian_prod", "column_stack", "combinations", "diagflat", "dsplit"]
__all__ += ["dstack", "hsplit", "logspace", "rot90", "scalar_tensor", "tril_indices", "triu_indices", "unravel_index"]
__all__ += ["vander", "vsplit", "hstack", "vstack", "tensor_split"]

_combinations, _unfold = picking("combinations"), picking("unfold")

# -- together ----------------------------------------------------------------------------------------------------------


def block_diag(*tensors: TensorLike) -> Tensor:
    """The matrices along the diagonal of a matrix of zeros; vectors are rows, and single numbers 1 × 1.

    Raises ValueError for more than two axes.

    >>> block_diag(Tensor([[1.0, 2.0]]), Tensor([[3.0]]))
    tensor([[1., 2., 0.],
            [0., 0., 3.]])
    """
    blocks: list[Any] = [atleast_2d(each) for each in tensors]
    if any(each.ndim > 2 for each in blocks):
        raise ShapeError(f"block_diag: shapes {[each.shape for each in blocks]} must have two axes at most")
    if not blocks:
        return constant(np.zeros((1, 0), np.float32))
    start, end, rows = 0, sum([each.shape[1] for each in blocks]), []
    for each in blocks:
        height, own = each.shape
        end -= own
        rows.append(cat([each.new_zeros((height, start)), each, each.new_zeros((height, end))], 1))
        start += own
    return cat(rows, 0)


def column_stack(tensors: Sequence[TensorLike]) -> Tensor:
    """Side by side, vectors as columns.

    >>> column_stack([Tensor([1.0, 2.0]), Tensor([3.0, 4.0])])
    tensor([[1., 3.],
            [2., 4.]])
    """
    return hstack([as_tensor(each).reshape(-1, 1) if as_array(each).ndim < 2 else each for each in tensors])


def dstack(tensors: Sequence[TensorLike]) -> Tensor:
    """One behind the other, along the third axis.

    >>> dstack([Tensor([1.0, 2.0]), Tensor([3.0, 4.0])])
    tensor([[[1., 3.],
             [2., 4.]]])
    """
    return cat([atleast_3d(each) for each in tensors], 2)


def cartesian_prod(*tensors: TensorLike) -> Tensor:
    """All combinations of one number from each vector: one row each, the last number changing quickest.

    Raises ValueError unless all are vectors.

    >>> cartesian_prod(Tensor([1, 2]), Tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    given = listed(tensors)
    shapes = [as_array(each).shape for each in given]
    if any(len(each) != 1 for each in shapes):
        raise ShapeError(f"cartesian_prod: shapes {shapes} are not all those of vectors")
    if len(given) == 1:
        return as_tensor(given[0]).clone()
    return stack([each.reshape(-1) for each in meshgrid(*given)], 1)


def combinations(input: TensorLike, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of r numbers of a vector, in its order: one row each. with_replacement: one may come several times.

    dL/dinput = g, added up. Raises ValueError unless input is a vector and r ≥ 0.

    >>> combinations(Tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    array = as_array(input)
    if array.ndim != 1 or r < 0:
        raise ShapeError(f"combinations: {r} of shape {array.shape}: a vector, and r ≥ 0, are needed")
    if r == 0:
        return constant(array[:0])
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array([*choose(range(len(array)), r)], np.int64).reshape(-1, r)
    return _combinations(input, moved(places, device_of(array)))


def diagflat(input: TensorLike, offset: int = 0) -> Tensor:
    """All numbers, laid out flat, on a diagonal of a square matrix of zeros.

    >>> diagflat(Tensor([[1.0, 2.0]]))
    tensor([[1., 0.],
            [0., 2.]])
    """
    return as_tensor(input).reshape(-1).diag(offset)


def vander(x: TensorLike, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of each number, a row each: x**(N-1) … x, 1, or 1, x … if increasing; N is x's size unless given.

    Raises ValueError unless x is a vector and N ≥ 0.

    >>> vander(Tensor([2.0, 3.0]), 3)
    tensor([[4., 2., 1.],
            [9., 3., 1.]])
    """
    array = as_array(x)
    count = array.size if N is None else N
    if array.ndim != 1 or count < 0:
        raise ShapeError(f"vander: {count} powers of shape {array.shape}: a vector, and a count ≥ 0, are needed")
    out = powers(x, count)
    return out if increasing else out.flip(1)


def powers(x: TensorLike, count: int) -> Tensor:
    """1, x, x² … along a new last axis."""
    given = as_tensor(x)
    return given.unsqueeze(-1) ** constant(xp(given).arange(count))


# -- apart -------------------------------------------------------------------------------------------------------------


def _split(name: str, input: TensorLike, where: Any, axis: int, least: int) -> tuple[Tensor, ...]:
    shape = as_array(input).shape
    if len(shape) < least:
        raise ShapeError(f"{name}: shape {shape} needs {least} axes or more")
    if isinstance(where, int) and (where < 1 or shape[axis] % where):
        raise ShapeError(f"{name}: axis {axis} of shape {shape} does not divide into {where} parts")
    return tensor_split(input, where, axis)


def hsplit(input: TensorLike, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Equal parts side by side, or cut before each index: along axis 1, of a vector along its only one.

    Raises ValueError for a single number and for parts that are not equal.

    >>> hsplit(Tensor([1.0, 2.0, 3.0, 4.0]), 2)
    (tensor([1., 2.]), tensor([3., 4.]))
    """
    return _split("hsplit", input, indices_or_sections, min(as_array(input).ndim - 1, 1), 1)


def vsplit(input: TensorLike, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Equal parts below each other, or cut before each index: along axis 0. Raises ValueError as `hsplit`.

    >>> vsplit(Tensor([[1.0], [2.0]]), 2)
    (tensor([[1.]]), tensor([[2.]]))
    """
    return _split("vsplit", input, indices_or_sections, 0, 2)


def dsplit(input: TensorLike, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Equal parts behind each other, or cut before each index: along axis 2. Raises ValueError as `hsplit`.

    >>> [len(each) for each in dsplit(Tensor(np.zeros((1, 2, 4))), 2)]
    [1, 1]
    """
    return _split("dsplit", input, indices_or_sections, 2, 3)


def unfold(input: TensorLike, dimension: int, size: int, step: int) -> Tensor:
    """All windows of `size` along an axis, each `step` after the one before: the windows' numbers are a new last axis.

    dL/dinput = g, added up where windows overlap. (`nn.functional.unfold` is of images.) Raises ValueError for a size
    that is longer than the axis and for a step below 1.

    >>> unfold(Tensor([1.0, 2.0, 3.0]), 0, 2, 1)
    tensor([[1., 2.],
            [2., 3.]])
    """
    shape = as_array(input).shape
    axis = axis_in(shape or (1,), dimension, "unfold")
    length = (shape or (1,))[axis]
    if not 0 <= size <= length or step < 1:
        raise ShapeError(f"unfold: windows of {size}, {step} apart, along axis {dimension} of shape {shape}")
    library = xp(as_array(input))
    places = library.arange((length - size) // step + 1)[:, None] * step + library.arange(size)
    out = _unfold(as_tensor(input).reshape(shape or (1,)), (slice(None),) * axis + (places,))
    return out.movedim(axis + 1, -1) if shape else out.reshape(size)


# -- turned and laid out -----------------------------------------------------------------------------------------------


def rot90(input: TensorLike, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Turned by k quarters in the plane of two axes, from the first towards the second. dL/dinput = g, turned back.

    Raises ValueError unless dims are two different axes.

    >>> rot90(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[2., 4.],
            [1., 3.]])
    """
    shape = as_array(input).shape
    if len(dims) != 2:
        raise ShapeError(f"rot90: dims are two axes, not {tuple(dims)}")
    a, b = (axis_in(shape, each, "rot90") for each in dims)
    if a == b:
        raise ShapeError(f"rot90: dims {tuple(dims)} are the same axis of shape {shape}")
    given = as_tensor(input)
    if k % 2 == 0:
        return given.flip(a, b) if k % 4 else given.clone()
    return given.flip(b).transpose(a, b) if k % 4 == 1 else given.transpose(a, b).flip(b)


def sum_to_size(input: TensorLike, *size: Any) -> Tensor:
    """Summed over the axes along which `size` would be stretched to input's shape: what undoes broadcasting.

    Raises ValueError for a size that does not broadcast to input's shape.

    >>> sum_to_size(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, 2)
    tensor([[4., 6.]])
    """
    given, wanted = as_tensor(input), shape_from(size)
    shape = given.shape
    extra = len(shape) - len(wanted)
    if extra < 0 or any(few not in (1, many) for few, many in zip(wanted, shape[max(extra, 0) :], strict=True)):
        raise ShapeError(f"sum_to_size: {wanted} does not broadcast to shape {shape}")
    axes = [*range(extra), *[extra + at for at, few in enumerate(wanted) if few == 1 and shape[extra + at] != 1]]
    return (given.sum(axes, keepdim=True) if axes else given.clone()).reshape(wanted)


def _triangle(name: str, which: Any, row: int, col: int, offset: int, dtype: Any, device: Any) -> Tensor:
    if row < 0 or col < 0:
        raise ValueError(f"{name}: {row} rows and {col} columns: neither may be negative")
    kind = dtype_or(dtype, np.int64)
    if kind.kind not in "iu":
        raise TypeError(f"{name}: indices are integers, not {kind}")
    return made(np.stack(which(row, offset, col)).astype(kind, copy=False), device, False)


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """The indices of the lower triangle of a matrix of row × col: those of the rows, and those of the columns.

    >>> tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return _triangle("tril_indices", np.tril_indices, row, col, offset, dtype, device)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """The indices of the upper triangle of a matrix of row × col: those of the rows, and those of the columns.

    >>> triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    return _triangle("triu_indices", np.triu_indices, row, col, offset, dtype, device)


def unravel_index(indices: TensorLike, shape: Any) -> tuple[Tensor, ...]:
    """Convert positions in the flat array to positions in `shape`: one Tensor of indices for each axis.

    Raises ValueError for a place that is not in it, TypeError for floats.

    >>> unravel_index(Tensor([3, 4]), (2, 3))
    (tensor([1, 1]), tensor([0, 1]))
    """
    flat = as_array(indices)
    sizes = (int(shape),) if isinstance(shape, int) else tuple([int(each) for each in as_array(shape)])
    if flat.dtype.kind not in "iu":
        raise DtypeError(f"unravel_index: places are integers, not {flat.dtype}")
    if any(size < 0 for size in sizes) or bool(((flat < 0) | (flat >= math.prod(sizes))).any()):
        raise ShapeError(f"unravel_index: a place is not in shape {sizes}, which has {math.prod(sizes)}")
    found = []
    for size in reversed(sizes):
        found.append(constant(flat % size))
        flat = flat // size
    return tuple(reversed(found))


def broadcast_shapes(*shapes: Any) -> Shape:
    """The shape to which all of them broadcast. Raises ValueError where they do not fit.

    >>> broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return common_shape("broadcast_shapes", [(each,) if isinstance(each, int) else tuple(each) for each in shapes])


# -- made --------------------------------------------------------------------------------------------------------------


def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """base**start … base**end: `steps` numbers, each the same times the one before. Raises as `linspace`.

    >>> logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    exponents = linspace(start, end, steps, dtype=np.float64, device=device)
    kind = dtype_or(dtype, current_scope().default_dtype)
    return made(np.power(float(plain(base)), exponents._data).astype(kind), device, requires_grad)


def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """One number as a Tensor of shape (): the default float unless dtype says otherwise.

    >>> scalar_tensor(2)
    tensor(2.)
    """
    value = np.asarray(plain(s), dtype_or(dtype, current_scope().default_dtype))
    return made(value, device, requires_grad)


def hstack(tensors: Sequence[TensorLike]) -> Tensor:
    """The tensors side by side: joined along axis 1, vectors and single numbers along axis 0.

    >>> hstack([Tensor([[1.0], [2.0]]), Tensor([[3.0], [4.0]])])
    tensor([[1., 3.],
            [2., 4.]])
    """
    parts = atleast_1d(list(_some(tensors, "hstack")))
    return cat(parts, dim=0 if parts[0].ndim == 1 else 1)


def vstack(tensors: Sequence[TensorLike]) -> Tensor:
    """The tensors one below the other: joined along axis 0, a vector as one row.

    >>> vstack([Tensor([1.0, 2.0]), Tensor([[3.0, 4.0], [5.0, 6.0]])])
    tensor([[1., 2.],
            [3., 4.],
            [5., 6.]])
    """
    return cat(atleast_2d(list(_some(tensors, "vstack"))), dim=0)


@accepts_numpy_names
def tensor_split(input: TensorLike, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """As many pieces along `dim` as asked, their sizes differing by 1 at most; or cut before each index of a list.

    Indices follow Python's slices: negative ones count from the end, and those beyond it leave empty pieces.

    >>> tensor_split(Tensor([1.0, 2.0, 3.0, 4.0, 5.0]), 2)
    (tensor([1., 2., 3.]), tensor([4., 5.]))
    >>> tensor_split(Tensor([1.0, 2.0, 3.0, 4.0, 5.0]), (1, -1))
    (tensor([1.]), tensor([2., 3., 4.]), tensor([5.]))
    """
    shape = as_array(input).shape
    axis = axis_in(shape, dim, "tensor_split")
    size, where = shape[axis], indices_or_sections
    if isinstance(where, TensorBase) or is_array(where):
        where = to_host(as_array(where)).tolist()
    if isinstance(where, (tuple, list)):
        cuts = [slice(start, stop).indices(size) for start, stop in itertools.pairwise([0, *where, size])]
        return tuple(narrow(input, axis, start, max(stop - start, 0)) for start, stop, _ in cuts)
    if where < 1:
        raise OperandError(f"tensor_split: {where} sections: at least one is needed")
    least, longer = divmod(size, where)
    return split_with_sizes(input, [least + 1] * longer + [least] * (where - longer), dim)

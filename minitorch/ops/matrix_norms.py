"""Norms of matrices, and the one function that chooses between them and those of vectors."""

from __future__ import annotations

import math
from typing import Any

from minitorch.autograd.handle import as_array
from minitorch.ops.conversion import cast
from minitorch.ops.extremes import amax, amin
from minitorch.ops.norms import vector_norm
from minitorch.ops.reduce import sum as sum_
from minitorch.ops.singular import nuclear, of_matrices, svdvals
from minitorch.ops.spelling import accepts_numpy_names
from minitorch.ops.unary import abs as abs_
from minitorch.types import Dim, TensorLike

__all__: list[str] = []  # they are public as minitorch.linalg


@accepts_numpy_names
def matrix_norm(
    A: TensorLike, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """The norm of the matrices in the two axes `dim`.

    "fro" is √Σ A², 1 the largest and -1 the smallest column sum of |A|, inf and -inf those of the rows; 2 is the
    largest and -2 the smallest singular value, "nuc" their sum. Ties share the gradient, as in PyTorch. dtype: what A
    is converted to first. Raises ValueError for another ord and for the smallest of nothing.

    >>> matrix_norm(Tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    shape = as_array(A).shape
    if len(shape) < 2:
        raise ValueError(f"matrix_norm: shape {shape} has no matrix in it: it needs two axes or more")
    if not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise ValueError(f"matrix_norm: dim must be two axes, not {dim}")
    for axis in dim:
        if not -len(shape) <= axis < len(shape):
            raise IndexError(f"matrix_norm: axis {axis} does not exist in shape {shape}")
    rows, columns = (axis % len(shape) for axis in dim)
    if rows == columns:
        raise ValueError(f"matrix_norm: dim {tuple(dim)} names one axis of shape {shape} twice")
    if dtype is not None:
        A = cast(A, dtype)
    if ord == "fro":
        return vector_norm(A, 2, (rows, columns) if len(shape) > 2 else None, keepdim)
    if ord == "nuc":
        return of_matrices(nuclear, A, rows, columns, keepdim)
    if ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise ValueError(f"matrix_norm: ord {ord!r} is not known: take 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if ord == -2 or (ord == 2 and 0 not in (shape[rows], shape[columns])):
        extreme = amax if ord > 0 else amin
        return of_matrices(lambda matrices: extreme(svdvals(matrices), -1), A, rows, columns, keepdim)
    summed, compared = (rows, columns) if abs(ord) == 1 else (columns, rows)
    totals = sum_(abs_(A), summed, keepdim)
    place = compared - (summed < compared and not keepdim)
    if shape[compared] == 0:
        if ord < 0:
            raise ValueError(f"matrix_norm: shape {shape} has nothing along axis {compared} to take the smallest of")
        return sum_(totals, place, keepdim)  # of no matrix entry at all the norm is 0
    return amax(totals, place, keepdim) if ord > 0 else amin(totals, place, keepdim)


@accepts_numpy_names
def norm(A: TensorLike, ord: Any = None, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """`vector_norm` over one axis, `matrix_norm` over two; without `ord`, √Σ A² over `dim` or over everything.

    With `ord` and without `dim`, A must be a vector or a matrix. The gradient is 0 where the norm is 0. dtype: what A
    is converted to first.

    >>> norm(Tensor([3.0, 4.0]))
    tensor(5.)
    """
    ndim = as_array(A).ndim
    dims = (dim,) if isinstance(dim, int) else dim
    if dims is not None and len(dims) not in (1, 2):
        raise ValueError(f"norm: dim must be one axis or two, not {dims}")
    if ord is None:
        return vector_norm(A, 2, dims, keepdim, dtype)
    if dims is None:
        if ndim not in (1, 2):
            raise ValueError(f"norm: ord {ord!r} without dim needs a vector or a matrix, not shape {as_array(A).shape}")
        dims = tuple(range(ndim))
    if len(dims) == 1 and isinstance(ord, str):
        raise ValueError(f"norm: ord {ord!r} is a norm of matrices: dim must be two axes, not {dims}")
    if len(dims) == 1:
        return vector_norm(A, ord, dims, keepdim, dtype)
    return matrix_norm(A, ord, dims, keepdim, dtype=dtype)

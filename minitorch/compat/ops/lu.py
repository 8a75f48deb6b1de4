"""A = P L U: a lower triangular factor with ones on its diagonal, an upper one, and the order of the rows.

NumPy has no such factors, so the elimination is here: a loop over columns, of all matrices of a batch at once. The rows
are put in order first, as constants; the rest is smooth. Source: Golub and Van Loan, chapter 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.ops.equations import solve_triangular
from minitorch.compat.ops.gather_scatter import take_along_dim
from minitorch.compat.ops.linalg import LinAlgError, inv, require_matrix
from minitorch.ops.arithmetic import add
from minitorch.ops.index import getitem
from minitorch.ops.joining import cat
from minitorch.ops.movement import transpose
from minitorch.ops.products import matmul, mT
from minitorch.ops.rearrange import tril, triu
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["lu", "lu_factor", "lu_factor_ex", "lu_solve"]


class LUResult(NamedTuple):
    """Result of `linalg.lu`: A = P L U."""

    P: Tensor
    L: Tensor
    U: Tensor


class Packed(NamedTuple):
    """Result of `linalg.lu_factor`: L below the diagonal and U from it on, and which rows changed places, from 1."""

    LU: Tensor
    pivots: Tensor


class PackedInfo(NamedTuple):
    """Result of `linalg.lu_factor_ex`; info is 0, or the column, from 1, in which no number but 0 was left."""

    LU: Tensor
    pivots: Tensor
    info: Tensor


def _eliminated(A: Any, choose: bool) -> tuple[Any, Any]:
    """L and U in one matrix, and the row that each row changed places with: that of the largest number below."""
    out = A.copy()
    count = min(A.shape[-2:])
    pivots = xp(A).zeros((*A.shape[:-2], count), np.int64)
    for k in range(count):
        if choose:
            at = np.argmax(np.absolute(out[..., k:, k]), axis=-1) + k
            pivots[..., k] = at
            rows = np.broadcast_to(at[..., None, None], (*A.shape[:-2], 1, A.shape[-1]))
            chosen, here = np.take_along_axis(out, rows, -2), out[..., k : k + 1, :].copy()
            xp(A).put_along_axis(out, rows, here, -2)
            out[..., k : k + 1, :] = chosen
        pivot = out[..., k, k]
        out[..., k + 1 :, k] /= np.where(np.equal(pivot, 0), 1, pivot)[..., None]
        out[..., k + 1 :, k + 1 :] -= out[..., k + 1 :, k, None] * out[..., None, k, k + 1 :]
    return out, pivots


@primitive(name="lu")
def _square_factors(A: Any) -> Any:
    """L and U in one matrix of square ones whose rows are in order."""
    return _eliminated(A, choose=False)[0]


def _square_factors_wrt_A(g: Any, out: Any) -> Any:  # noqa: N802
    """L⁻ᵀ (the lower part of Lᵀ gL, and the upper one of gU Uᵀ) U⁻ᵀ. Source: Giles, 2008."""
    n = out.shape[-1]
    one = xp(as_array(out)).eye(n, dtype=out.dtype)
    lower, upper = np.tril(out, -1) + one, np.triu(out)
    inner = np.tril(mT(lower) @ np.tril(g, -1), -1) + np.triu(np.triu(g) @ mT(upper))
    return mT(inv.raw(lower)) @ inner @ mT(inv.raw(upper))


_square_factors.vjp(A=_square_factors_wrt_A)


def _order(pivots: Any, rows: int) -> Any:
    """Return the row of A that stands in each row, after all have changed places."""
    order = np.broadcast_to(xp(pivots).arange(rows), (*pivots.shape[:-1], rows)).copy()
    for k in range(pivots.shape[-1]):
        at = pivots[..., k : k + 1]
        chosen, here = np.take_along_axis(order, at, -1), order[..., k : k + 1].copy()
        xp(pivots).put_along_axis(order, at, here, -1)
        order[..., k : k + 1] = chosen
    return order


def permutation(pivots: Any, rows: int, dtype: Any) -> Any:
    """P with A = P L U."""
    return np.equal(_order(pivots, rows)[..., None, :], xp(pivots).arange(rows)[:, None]).astype(dtype)


def _factors(name: str, A: TensorLike, pivot: bool) -> tuple[Any, Any]:
    array = as_array(A)
    require_matrix(name, array)
    m, n = array.shape[-2:]
    if pivot:
        _, pivots = _eliminated(array, choose=True)
        if pivots.size:
            A = take_along_dim(A, constant(_order(pivots, m)[..., None]), -2)
    else:
        pivots = np.broadcast_to(xp(array).arange(min(m, n)), (*array.shape[:-2], min(m, n))).copy()
    k = min(m, n)
    square = _square_factors(getitem(A, (..., slice(0, k), slice(0, k))))
    if m > n:
        below = solve_triangular(triu(square), getitem(A, (..., slice(k, None), slice(None))), upper=True, left=False)
        return cat([square, below], -2), pivots
    if n > m:
        right = getitem(A, (..., slice(None), slice(k, None)))
        return cat([square, solve_triangular(square, right, upper=False, unitriangular=True)], -1), pivots
    return square, pivots


def unpacked(packed: Any) -> tuple[Any, Any]:
    m, n = packed.shape[-2:]
    k = min(m, n)
    one = xp(packed._data).eye(m, k, dtype=packed.dtype)
    lower = add(tril(getitem(packed, (..., slice(None), slice(0, k))), -1), one)
    return lower, triu(getitem(packed, (..., slice(0, k), slice(None))))


def lu(A: TensorLike, *, pivot: bool = True) -> LUResult:
    """(P, L, U) with A = P L U: (…, m, n) → (…, m, m), (…, m, k) and (…, k, n), k = min(m, n). P is a constant.

    pivot=False leaves the rows in order, and P is empty. Raises ValueError for what is no matrix, LinAlgError for the
    gradient of a singular one. dL/dA = P L⁻ᵀ (tril₋₁(Lᵀ gL) + triu(gU Uᵀ)) U⁻ᵀ.

    >>> lu(Tensor([[0.0, 2.0], [1.0, 5.0]])).U
    tensor([[1., 5.],
            [0., 2.]])
    """
    packed, pivots = _factors("lu", A, pivot)
    lower, upper = unpacked(packed)
    order = permutation(pivots, packed.shape[-2], packed.dtype) if pivot else packed._data.reshape(-1)[:0]
    return LUResult(constant(order), lower, upper)


def lu_factor(A: TensorLike, *, pivot: bool = True) -> Packed:
    """(LU, pivots): both factors in one matrix, and which rows changed places, counted from 1, for `lu_solve`.

    >>> lu_factor(Tensor([[0.0, 2.0], [1.0, 5.0]])).pivots
    tensor([2, 2], dtype=int32)
    """
    packed, pivots = _factors("lu_factor", A, pivot)
    return Packed(packed, constant((pivots + 1).astype(np.int32)))


def lu_factor_ex(A: TensorLike, *, pivot: bool = True, check_errors: bool = False) -> PackedInfo:
    """`lu_factor`, and info: 0, or the column in which elimination met nothing but 0. check_errors raises LinAlgError.

    >>> lu_factor_ex(Tensor([[1.0, 2.0], [2.0, 4.0]])).info
    tensor(2, dtype=int32)
    """
    packed, pivots = lu_factor(A, pivot=pivot)
    zero = np.equal(np.diagonal(packed._data, 0, -2, -1), 0)
    info = np.where(zero.any(-1), zero.argmax(-1) + 1, 0) if zero.shape[-1] else zero.any(-1)
    if check_errors and bool(info.any()):
        raise LinAlgError(f"lu_factor_ex: a matrix of shape {packed.shape} is singular")
    return PackedInfo(packed, pivots, constant(as_array(info).astype(np.int32)))


def lu_solve(LU: TensorLike, pivots: TensorLike, B: TensorLike, *, left: bool = True, adjoint: bool = False) -> Tensor:
    """The X with A X = B, from what `lu_factor` made of A; left=False: X A = B; adjoint: Aᵀ in A's place.

    Raises ValueError when the shapes do not fit.

    >>> lu_solve(*lu_factor(Tensor([[0.0, 2.0], [1.0, 5.0]])), Tensor([[2.0], [6.0]]))
    tensor([[1.],
            [1.]])
    """
    if not left:
        return transpose(lu_solve(LU, pivots, mT(B), adjoint=not adjoint), -1, -2)
    packed = as_array(LU)
    p = constant(permutation(as_array(pivots) - 1, packed.shape[-1], packed.dtype))
    if adjoint:
        inner = solve_triangular(mT(LU), B, upper=False)
        return matmul(p, solve_triangular(mT(LU), inner, upper=True, unitriangular=True))
    inner = solve_triangular(LU, matmul(mT(p), B), upper=False, unitriangular=True)
    return solve_triangular(LU, inner, upper=True)

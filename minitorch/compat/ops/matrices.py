"""Inverses and factors of matrices in further forms: with what went wrong, in older spellings, as reflections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import extremes, xp
from minitorch.compat.ops import factors
from minitorch.compat.ops.equations import pinv, solve_triangular
from minitorch.compat.ops.linalg import LinAlgError, cholesky, inv, require_square, solve
from minitorch.compat.ops.norms import require_matrix, svdvals
from minitorch.errors import ShapeError
from minitorch.ops.creation import as_tensor
from minitorch.ops.products import mT
from minitorch.ops.rearrange import tril
from minitorch.types import TensorLike

__all__ = ["cholesky_inverse", "geqrf", "lu", "lu_solve", "lu_unpack", "matrix_exp", "ormqr", "pinverse", "qr", "svd"]
__all__ += ["triangular_solve"]

# -- inverses and equations --------------------------------------------------------------------------------------------


class InvEx(NamedTuple):
    """Result of `linalg.inv_ex`; info is 0 where there is an inverse."""

    inverse: Tensor
    info: Tensor


class CholeskyEx(NamedTuple):
    """Result of `linalg.cholesky_ex`; info is 0 where there is a factor."""

    L: Tensor
    info: Tensor


class SolveEx(NamedTuple):
    """Result of `linalg.solve_ex`; info is 0 where there is a solution."""

    result: Tensor
    info: Tensor


class TriangularSolve(NamedTuple):
    """Result of `triangular_solve`: the solution, and A."""

    solution: Tensor
    cloned_coefficient: Tensor


def _attempt(name: str, compute: Any, A: TensorLike, check_errors: bool) -> tuple[Tensor, Tensor]:
    """Return the result, with 0 for each matrix; nan, with 1, for each matrix that has none."""
    array = as_array(A)
    require_square(name, array)
    try:
        return compute(A), constant(xp(array).zeros(array.shape[:-2], np.int32))
    except LinAlgError:
        if check_errors:
            raise

    def fails(matrix: Any) -> bool:
        try:
            compute(constant(matrix))
        except LinAlgError:
            return True
        return False

    found = [fails(each) for each in array.reshape(-1, *array.shape[-2:])]
    bad = xp(array).asarray(found, np.int32).reshape((*array.shape[:-2], 1, 1))
    safe = np.where(bad, xp(array).eye(array.shape[-1], dtype=array.dtype), array)
    nan = np.where(bad, math.nan, 0.0).astype(array.dtype)
    return compute(constant(safe)) + constant(nan), constant(bad[..., 0, 0])


def inv_ex(A: TensorLike, *, check_errors: bool = False) -> InvEx:
    """`linalg.inv`, and info: 0, or 1 where a matrix is singular, whose inverse is nan. check_errors raises instead.

    >>> inv_ex(Tensor([[2.0]])).info
    tensor(0, dtype=int32)
    """
    return InvEx(*_attempt("inv_ex", inv, A, check_errors))


def cholesky_ex(A: TensorLike, *, upper: bool = False, check_errors: bool = False) -> CholeskyEx:
    """`linalg.cholesky`, and info: 0, or 1 where a matrix is not positive definite, whose factor is nan.

    >>> cholesky_ex(Tensor([[4.0]])).L
    tensor([[2.]])
    """
    return CholeskyEx(*_attempt("cholesky_ex", lambda a: cholesky(a, upper=upper), A, check_errors))


def solve_ex(A: TensorLike, B: TensorLike, *, left: bool = True, check_errors: bool = False) -> SolveEx:
    """`linalg.solve`, and info: 0, or 1 where a matrix is singular, whose solution is nan.

    >>> solve_ex(Tensor([[2.0]]), Tensor([[4.0]])).result
    tensor([[2.]])
    """
    array = as_array(A)
    require_square("solve_ex", array)
    try:
        return SolveEx(solve(A, B, left=left), constant(xp(array).zeros(array.shape[:-2], np.int32)))
    except LinAlgError:
        if check_errors:
            raise
    inverse, info = inv_ex(A)
    return SolveEx(inverse @ B if left else as_tensor(B) @ inverse, info)


def cholesky_inverse(L: TensorLike, upper: bool = False) -> Tensor:
    """The inverse of the matrix whose Cholesky factor is L: (L Lᵀ)⁻¹, or (Lᵀ L)⁻¹ of an upper one.

    >>> cholesky_inverse(Tensor([[2.0]]))
    tensor([[0.2500]])
    """
    inverse = inv(tril(mT(L) if upper else L))
    return inverse.mT @ inverse


def pinverse(input: TensorLike, rcond: float = 1e-15) -> Tensor:
    """`linalg.pinv` under its older name.

    >>> pinverse(Tensor([[2.0]]))
    tensor([[0.5000]])
    """
    return pinv(input, rtol=rcond)


def triangular_solve(
    b: TensorLike, A: TensorLike, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> TriangularSolve:
    """The X with A X = b, or Aᵀ X = b with transpose, of a triangular A: `linalg.solve_triangular`'s older form.

    >>> triangular_solve(Tensor([[4.0]]), Tensor([[2.0]])).solution
    tensor([[2.]])
    """
    half = mT(A) if transpose else A
    solution = solve_triangular(half, b, upper=upper != transpose, unitriangular=unitriangular)
    return TriangularSolve(solution, as_tensor(A) + 0)


def tensorinv(A: TensorLike, ind: int = 2) -> Tensor:
    """The inverse of A as a map from its axes after the first `ind` to those: their sizes must have one product.

    >>> tensorinv(Tensor([[2.0]]), 1)
    tensor([[0.5000]])
    """
    shape = as_array(A).shape
    rows, columns = math.prod(shape[:ind]), math.prod(shape[ind:])
    if ind <= 0 or rows != columns:
        raise ShapeError(f"tensorinv: the first {ind} axes of shape {shape} hold {rows}, the others {columns}")
    return inv(as_tensor(A).reshape(rows, columns)).reshape(shape[ind:] + shape[:ind])


def tensorsolve(A: TensorLike, B: TensorLike, dims: Sequence[int] | None = None) -> Tensor:
    """The X with tensordot(A, X, X.ndim) = B: A's first axes are B's, the others X's; `dims` go to the end first.

    >>> tensorsolve(Tensor([[2.0]]), Tensor([4.0]))
    tensor([2.])
    """
    given, right = as_tensor(A), as_tensor(B)
    given = given if dims is None else given.movedim(tuple(dims), tuple(range(-len(dims), 0)))
    rest, n = given.shape[right.ndim :], right.numel()
    if math.prod(rest) != n or given.numel() != n**2:
        raise ShapeError(f"tensorsolve: A of shape {given.shape} is no square map to shape {right.shape}")
    return solve(given.reshape(n, n), right.reshape(n)).reshape(rest)


def matrix_exp(A: TensorLike) -> Tensor:
    """1 + A + A²/2 + A³/6 + …: (…, n, n) → (…, n, n), by scaling and squaring. Differentiable to every order.

    Raises ValueError for what is not square. Source: Higham, Functions of Matrices, 2008, chapter 10.

    >>> matrix_exp(Tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    array = as_array(A)
    require_square("matrix_exp", array)
    size = np.sum(np.absolute(array), axis=-1)
    largest = float(extremes(size)[1]) if size.size else 0.0
    halvings = max(math.ceil(math.log2(largest)) + 1, 0) if 0 < largest < math.inf else 0
    x = as_tensor(A) * 0.5**halvings
    one = xp(array).eye(array.shape[-1], dtype=array.dtype)
    out: Tensor = x / 17.0 + one
    for k in range(16, 0, -1):
        out = x @ out / float(k) + one
    for _ in range(halvings):
        out = out @ out
    return out


# -- factors, under older names and by their reflections ---------------------------------------------------------------


class SVD(NamedTuple):
    """Result of `svd`: input = U diag(S) Vᵀ."""

    U: Tensor
    S: Tensor
    V: Tensor


class QR(NamedTuple):
    """Result of `qr`: input = Q R."""

    Q: Tensor
    R: Tensor


class GEQRF(NamedTuple):
    """Result of `geqrf`: R, the reflections' vectors below it, and their factors."""

    a: Tensor
    tau: Tensor


def svd(input: TensorLike, some: bool = True, compute_uv: bool = True) -> SVD:
    """`linalg.svd` in its older form: V in the place of its transpose, reduced unless some=False; zeros if not wanted.

    >>> svd(Tensor([[3.0, 0.0], [0.0, -4.0]])).S
    tensor([4., 3.])
    """
    if compute_uv:
        u, s, vh = factors.svd(input, full_matrices=not some)
        return SVD(u, s, mT(vh))
    array = as_array(input)
    m, n = array.shape[-2:]
    zeros = [constant(xp(array).zeros((*array.shape[:-2], size, size), array.dtype)) for size in (m, n)]
    return SVD(zeros[0], svdvals(input), zeros[1])


def qr(input: TensorLike, some: bool = True) -> QR:
    """`linalg.qr` in its older form: reduced, or complete if some=False.

    >>> qr(Tensor([[0.0, 2.0], [1.0, 5.0]])).R
    tensor([[-1., -5.],
            [ 0., -2.]])
    """
    return QR(*factors.qr(input, "reduced" if some else "complete"))


def geqrf(input: TensorLike) -> GEQRF:
    """The reflections whose product is Q, as LAPACK stores them, for `linalg.householder_product`. No gradient.

    >>> geqrf(Tensor([[0.0, 2.0], [1.0, 5.0]])).a
    tensor([[-1., -5.],
            [ 1., -2.]])
    """
    array = as_array(input)
    require_matrix("geqrf", array)
    h, tau = np.linalg.qr(array, mode="raw")
    return GEQRF(constant(mT(h).copy()), constant(tau))


def _reflected(vectors: Tensor, tau: Tensor, onto: Tensor, places: Any) -> Tensor:
    """The reflections 1 - τ v vᵀ applied to `onto` from the left, one after the other."""
    rows = xp(vectors).arange(vectors.shape[-2])
    for k in places:
        below, at = (each.astype(vectors.dtype) for each in (rows > k, rows == k))
        v = (vectors[..., k] * below + at).unsqueeze(-1)
        onto = onto - v * tau[..., k, None, None] @ (v.mT @ onto)
    return onto


def householder_product(A: TensorLike, tau: TensorLike) -> Tensor:
    """The first n columns of (1 - τ₁ v₁ v₁ᵀ) (1 - τ₂ v₂ v₂ᵀ) …, vₖ: A's column k below the diagonal, with a 1 on it.

    (…, m, n) and (…, k) → (…, m, n). Raises ValueError unless m ≥ n ≥ k.

    >>> householder_product(Tensor([[1.0], [0.0]]), Tensor([2.0]))
    tensor([[-1.],
            [ 0.]])
    """
    array, scales = as_array(A), as_array(tau)
    require_matrix("householder_product", array)
    m, n = array.shape[-2:]
    if not (m >= n >= scales.shape[-1] and scales.shape[:-1] == array.shape[:-2]):
        raise ShapeError(f"householder_product: shapes {array.shape} and {scales.shape}: m ≥ n ≥ k, and one batch")
    one = np.broadcast_to(xp(array).eye(m, n, dtype=array.dtype), array.shape)
    if scales.shape[-1] == 0:
        return constant(one.copy())
    return _reflected(as_tensor(A), as_tensor(tau), constant(one), range(scales.shape[-1] - 1, -1, -1))


def ormqr(input: TensorLike, tau: TensorLike, other: TensorLike, left: bool = True, transpose: bool = False) -> Tensor:
    """Q @ other, or other @ Q if not left, with the whole Q of the reflections in input; transpose: Qᵀ in its place.

    >>> ormqr(Tensor([[1.0], [0.0]]), Tensor([2.0]), Tensor([[1.0], [1.0]]))
    tensor([[-1.],
            [ 1.]])
    """
    if not left:
        return ormqr(input, tau, mT(other), True, not transpose).mT
    count = as_array(tau).shape[-1]
    places = range(count) if transpose else range(count - 1, -1, -1)
    return _reflected(as_tensor(input), as_tensor(tau), as_tensor(other), places)


def lu(A: TensorLike, pivot: bool = True, get_infos: bool = False) -> tuple[Tensor, ...]:
    """(LU, pivots) as `linalg.lu_factor` gives it, and with get_infos the info of `linalg.lu_factor_ex`.

    >>> lu(Tensor([[0.0, 2.0], [1.0, 5.0]]))[1]
    tensor([2, 2], dtype=int32)
    """
    found = factors.lu_factor_ex(A, pivot=pivot)
    return tuple(found) if get_infos else tuple(found[:2])


def lu_solve(b: TensorLike, LU_data: TensorLike, LU_pivots: TensorLike) -> Tensor:
    """The X with A X = b, from what `lu` made of A: `linalg.lu_solve` in its older form.

    >>> lu_solve(Tensor([[2.0], [6.0]]), *lu(Tensor([[0.0, 2.0], [1.0, 5.0]])))
    tensor([[1.],
            [1.]])
    """
    return factors.lu_solve(LU_data, LU_pivots, b)


def lu_unpack(
    LU_data: TensorLike, LU_pivots: TensorLike, unpack_data: bool = True, unpack_pivots: bool = True
) -> factors.LUResult:
    """(P, L, U) of what `lu_factor` made; what is not asked for is empty.

    >>> lu_unpack(*lu(Tensor([[0.0, 2.0], [1.0, 5.0]]))).P
    tensor([[0., 1.],
            [1., 0.]])
    """
    array = as_array(LU_data)
    none = constant(array.reshape(-1)[:0])
    pivots = as_array(LU_pivots).astype(np.int64) - 1
    p = constant(factors.permutation(pivots, array.shape[-2], array.dtype)) if unpack_pivots else none
    return factors.LUResult(p, *(factors.unpacked(as_tensor(LU_data)) if unpack_data else (none, none)))

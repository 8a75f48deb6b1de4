"""Inverses and factors of matrices in further forms: with what went wrong, in older spellings, as reflections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import extremes, xp
from minitorch.compat.ops.equations import pinv, solve_triangular
from minitorch.compat.ops.factors import qr as qr_
from minitorch.compat.ops.factors import svd as svd_
from minitorch.compat.ops.linalg import LinAlgError, cholesky, inv, require_matrix, require_square, solve
from minitorch.compat.ops.lu import LUResult, lu_factor_ex, permutation, unpacked
from minitorch.compat.ops.lu import lu_solve as solve_by_lu
from minitorch.compat.ops.norms import svdvals
from minitorch.errors import ShapeError
from minitorch.ops.arithmetic import add, div, mul, sub
from minitorch.ops.index import getitem
from minitorch.ops.movement import movedim, reshape, unsqueeze
from minitorch.ops.products import matmul, mT
from minitorch.ops.rearrange import tril
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "cholesky_inverse",
    "geqrf",
    "lu",
    "lu_solve",
    "lu_unpack",
    "matrix_exp",
    "ormqr",
    "pinverse",
    "qr",
    "svd",
    "triangular_solve",
]

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
    whole = array.reshape(-1, *array.shape[-2:])
    fails = []
    for each in whole:
        try:
            compute(constant(each))
        except LinAlgError:
            fails.append(1)
        else:
            fails.append(0)
    bad = xp(array).asarray(fails, np.int32).reshape(array.shape[:-2])
    one = xp(array).eye(array.shape[-1], dtype=array.dtype)
    return compute(constant(np.where(bad[..., None, None], one, array))) + constant(
        np.where(bad, math.nan, 0.0)[..., None, None].astype(array.dtype)
    ), constant(bad)


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
    return SolveEx(matmul(inverse, B) if left else matmul(B, inverse), info)


def cholesky_inverse(L: TensorLike, upper: bool = False) -> Tensor:
    """The inverse of the matrix whose Cholesky factor is L: (L Lᵀ)⁻¹, or (Lᵀ L)⁻¹ of an upper one.

    >>> cholesky_inverse(Tensor([[2.0]]))
    tensor([[0.2500]])
    """
    lower: Any = tril(mT(L) if upper else L)
    inverse = inv(lower)
    return matmul(mT(inverse), inverse)


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
    return TriangularSolve(solve_triangular(half, b, upper=upper != transpose, unitriangular=unitriangular), add(A, 0))


def tensorinv(A: TensorLike, ind: int = 2) -> Tensor:
    """The inverse of A as a map from its axes after the first `ind` to those: their sizes must have one product.

    >>> tensorinv(Tensor([[2.0]]), 1)
    tensor([[0.5000]])
    """
    shape = as_array(A).shape
    rows, columns = math.prod(shape[:ind]), math.prod(shape[ind:])
    if ind <= 0 or rows != columns:
        raise ShapeError(f"tensorinv: the first {ind} axes of shape {shape} hold {rows}, the others {columns}")
    return reshape(inv(reshape(A, (rows, columns))), shape[ind:] + shape[:ind])


def tensorsolve(A: TensorLike, B: TensorLike, dims: Sequence[int] | None = None) -> Tensor:
    """The X with tensordot(A, X, X.ndim) = B: A's first axes are B's, the others X's; `dims` go to the end first.

    >>> tensorsolve(Tensor([[2.0]]), Tensor([4.0]))
    tensor([2.])
    """
    given = A if dims is None else movedim(A, tuple(dims), tuple(range(-len(dims), 0)))
    shape, wanted = as_array(given).shape, as_array(B).shape
    rest = shape[len(wanted) :]
    if math.prod(rest) != math.prod(wanted) or math.prod(shape) != math.prod(wanted) ** 2:
        raise ShapeError(f"tensorsolve: A of shape {shape} is no square map to shape {wanted}")
    n = math.prod(wanted)
    return reshape(solve(reshape(given, (n, n)), reshape(B, (n,))), rest)


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
    x = mul(A, 0.5**halvings)
    one = xp(array).eye(array.shape[-1], dtype=array.dtype)
    out: Any = add(div(x, 17.0), one)
    for k in range(16, 0, -1):
        out = add(div(matmul(x, out), float(k)), one)
    for _ in range(halvings):
        out = matmul(out, out)
    return out  # type: ignore[no-any-return]


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
        u, s, vh = svd_(input, full_matrices=not some)
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
    return QR(*qr_(input, "reduced" if some else "complete"))


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


def _reflected(vectors: Any, tau: Any, onto: Any, places: Any) -> Any:
    """The reflections 1 - τ v vᵀ applied to `onto` from the left, one after the other."""
    rows = xp(as_array(vectors)).arange(as_array(vectors).shape[-2])
    for k in places:
        below = (rows > k).astype(as_array(vectors).dtype)
        v: Any = unsqueeze(add(mul(getitem(vectors, (..., k)), below), (rows == k).astype(below.dtype)), -1)
        scaled = mul(v, unsqueeze(unsqueeze(getitem(tau, (..., k)), -1), -1))
        onto = sub(onto, matmul(scaled, matmul(mT(v), onto)))
    return onto


def householder_product(A: TensorLike, tau: TensorLike) -> Tensor:
    """The first n columns of (1 - τ₁ v₁ v₁ᵀ) (1 - τ₂ v₂ v₂ᵀ) …, vₖ: A's column k below the diagonal, with a 1 on it.

    (…, m, n) and (…, k) → (…, m, n). Raises ValueError unless m ≥ n ≥ k.

    >>> householder_product(Tensor([[1.0], [0.0]]), Tensor([2.0]))
    tensor([[-1.],
            [ 0.]])
    """
    array, factors = as_array(A), as_array(tau)
    require_matrix("householder_product", array)
    m, n = array.shape[-2:]
    if not (m >= n >= factors.shape[-1] and factors.shape[:-1] == array.shape[:-2]):
        raise ShapeError(f"householder_product: shapes {array.shape} and {factors.shape}: m ≥ n ≥ k, and one batch")
    one = np.broadcast_to(xp(array).eye(m, n, dtype=array.dtype), array.shape)
    if factors.shape[-1] == 0:
        return constant(one.copy())
    return _reflected(A, tau, one, range(factors.shape[-1] - 1, -1, -1))  # type: ignore[no-any-return]


def ormqr(input: TensorLike, tau: TensorLike, other: TensorLike, left: bool = True, transpose: bool = False) -> Tensor:
    """Q @ other, or other @ Q if not left, with the whole Q of the reflections in input; transpose: Qᵀ in its place.

    >>> ormqr(Tensor([[1.0], [0.0]]), Tensor([2.0]), Tensor([[1.0], [1.0]]))
    tensor([[-1.],
            [ 1.]])
    """
    if not left:
        turned: Tensor = mT(ormqr(input, tau, mT(other), True, not transpose))
        return turned
    count = as_array(tau).shape[-1]
    return _reflected(input, tau, other, range(count) if transpose else range(count - 1, -1, -1))  # type: ignore[no-any-return]


def lu(A: TensorLike, pivot: bool = True, get_infos: bool = False) -> tuple[Tensor, ...]:
    """(LU, pivots) as `linalg.lu_factor` gives it, and with get_infos the info of `linalg.lu_factor_ex`.

    >>> lu(Tensor([[0.0, 2.0], [1.0, 5.0]]))[1]
    tensor([2, 2], dtype=int32)
    """
    found = lu_factor_ex(A, pivot=pivot)
    return tuple(found) if get_infos else tuple(found[:2])


def lu_solve(b: TensorLike, LU_data: TensorLike, LU_pivots: TensorLike) -> Tensor:
    """The X with A X = b, from what `lu` made of A: `linalg.lu_solve` in its older form.

    >>> lu_solve(Tensor([[2.0], [6.0]]), *lu(Tensor([[0.0, 2.0], [1.0, 5.0]])))
    tensor([[1.],
            [1.]])
    """
    return solve_by_lu(LU_data, LU_pivots, b)


def lu_unpack(
    LU_data: TensorLike, LU_pivots: TensorLike, unpack_data: bool = True, unpack_pivots: bool = True
) -> LUResult:
    """(P, L, U) of what `lu_factor` made; what is not asked for is empty.

    >>> lu_unpack(*lu(Tensor([[0.0, 2.0], [1.0, 5.0]]))).P
    tensor([[0., 1.],
            [1., 0.]])
    """
    array = as_array(LU_data)
    none = constant(array.reshape(-1)[:0])
    pivots = as_array(LU_pivots).astype(np.int64) - 1
    p = constant(permutation(pivots, array.shape[-2], array.dtype)) if unpack_pivots else none
    packed = LU_data if isinstance(LU_data, TensorBase) else constant(array)
    return LUResult(p, *(unpacked(packed) if unpack_data else (none, none)))

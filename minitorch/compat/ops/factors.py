"""Factors of matrices: QR, singular values and vectors, eigenvalues and eigenvectors of symmetric ones, A = P L U.

Every function takes batches: the last two axes are the matrix. Vectors are found but for a sign, and those of values
that coincide but for a rotation: only what does not ask which one was found, such as V diag(f(λ)) Vᵀ, has a gradient
that means something. Sources: Giles, 2008; Walter and Lehmann, 2010 (QR); Ionescu, Vantzos and Sminchisescu, 2015.

NumPy has no factors L and U, so the elimination is here: a loop over columns, of all matrices of a batch at once. The
rows are put in order first, as constants; the rest is smooth. Source: Golub and Van Loan, chapter 3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.ops.equations import solve_triangular
from minitorch.compat.ops.gather_scatter import take_along_dim
from minitorch.compat.ops.linalg import LinAlgError, inv, require_square
from minitorch.compat.ops.norms import over_difference, require_matrix, singular_vectors, svdvals
from minitorch.ops.creation import as_tensor
from minitorch.ops.joining import cat
from minitorch.ops.products import mT
from minitorch.types import TensorLike

__all__ = ["EighResult", "QRResult", "SVDResult", "eigh", "eigvalsh", "qr", "svd"]
__all__ += ["lu", "lu_factor", "lu_factor_ex", "lu_solve"]


# -- A = Q R -----------------------------------------------------------------------------------------------------------


@primitive(name="qr_q")
def _orthogonal(A: Any) -> Any:
    """Q: (…, m, n) → (…, m, n), where m ≥ n."""
    return np.linalg.qr(A)[0]


@primitive(name="qr_r")
def _triangular(A: Any) -> Any:
    """R: (…, m, n) → (…, n, n), where m ≥ n."""
    return np.linalg.qr(A)[1]


def _mirrored(M: Any) -> Any:
    """The lower half of M, and the same above the diagonal."""
    lower = xp(M).tri(M.shape[-1], dtype=M.dtype)
    return M * lower + mT(M * lower) * (1 - lower)


_orthogonal.vjp(A=lambda g, A, out: (g - out @ _mirrored(mT(g) @ out)) @ mT(inv.raw(_triangular.raw(A))))
_triangular.vjp(A=lambda g, A, out: _orthogonal.raw(A) @ _mirrored(out @ mT(g)) @ mT(inv.raw(out)))


class QRResult(NamedTuple):
    """Result of `qr`: A = Q R."""

    Q: Tensor
    R: Tensor


def qr(A: TensorLike, mode: str = "reduced") -> QRResult:
    """Q with orthonormal columns and upper triangular R: (…, m, n) → (…, m, k) and (…, k, n), k = min(m, n).

    mode: "complete" makes Q square, which has no gradient where m > n; "r" computes R alone, and Q is empty. With
    Φ(M) the lower half of M and its mirror image, dL/dA = (dQ + Q Φ(R dRᵀ - dQᵀ Q)) R⁻ᵀ, where the first k columns must
    be independent. Raises ValueError for another mode and for what is no matrix, RuntimeError for a gradient that there
    is not.

    >>> qr(Tensor([[0.0, 2.0], [1.0, 5.0]])).R
    tensor([[-1., -5.],
            [ 0., -2.]])
    """
    array = as_array(A)
    require_matrix("qr", array)
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"qr: mode must be 'reduced', 'complete' or 'r', not {mode!r}")
    m, n = array.shape[-2:]
    if mode == "complete" and m > n:
        if getattr(A, "requires_grad", False) and current_scope().grad_enabled:
            raise RuntimeError("qr: mode 'complete' has no gradient for more rows than columns: take mode='reduced'")
        return QRResult(*map(constant, np.linalg.qr(array, mode="complete")))
    if m >= n:
        return QRResult(constant(array[:0, 0]) if mode == "r" else _orthogonal(A), _triangular(A))
    given = as_tensor(A)
    left, right = given[..., :m], given[..., m:]
    q = _orthogonal(left)
    r = cat([_triangular(left), mT(q) @ right], -1)
    return QRResult(constant(array[:0, 0]) if mode == "r" else q, r)


# -- A = U diag(s) Vᵀ --------------------------------------------------------------------------------------------------


class SVDResult(NamedTuple):
    """Result of `svd`: A = U diag(S) Vh."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def svd(A: TensorLike, full_matrices: bool = True) -> SVDResult:
    """The singular values, the largest first, between orthonormal vectors: A = U diag(S) Vh.

    (…, m, n) → (…, m, m), (…, k) and (…, n, n), k = min(m, n); with full_matrices=False k columns of U and k rows of
    Vh. What full_matrices adds is constant. Gradients of U and Vh need values that differ from each other and, where A
    is not square, from 0. Raises ValueError for what is no matrix.

    >>> svd(Tensor([[3.0, 0.0], [0.0, -4.0]])).S
    tensor([4., 3.])
    """
    array = as_array(A)
    require_matrix("svd", array)
    u, vt = singular_vectors(A)
    m, n = array.shape[-2:]
    if full_matrices and m != n:
        whole = np.linalg.svd(array, full_matrices=True)
        if m > n:
            u = cat([u, constant(whole[0][..., n:])], -1)
        else:
            vt = cat([vt, constant(whole[2][..., m:, :])], -2)
    return SVDResult(u, svdvals(A), vt)


# -- A = V diag(λ) Vᵀ --------------------------------------------------------------------------------------------------


@primitive
def eigvalsh(A: Any, UPLO: Any = "L") -> Any:
    """The eigenvalues of a symmetric A, the smallest first: (…, n, n) → (…, n). dL/dA = V diag(g) Vᵀ.

    Reads one half of A alone: UPLO is "L" for the lower or "U" for the upper one. Raises ValueError for another name
    and when A is not square.

    >>> eigvalsh(Tensor([[2.0, 1.0], [1.0, 2.0]]))
    tensor([1., 3.])
    """
    _require_half("eigvalsh", A, UPLO)
    return np.linalg.eigvalsh(A, UPLO)


@primitive(name="eigenvectors")
def _eigenvectors(A: Any, UPLO: Any = "L") -> Any:
    """V: (…, n, n) → (…, n, n)."""
    _require_half("eigh", A, UPLO)
    return np.linalg.eigh(A, UPLO)[1]


def _eigvalsh_wrt_A(g: Any, A: Any, UPLO: str) -> Any:  # noqa: N802
    v = _eigenvectors.raw(A, UPLO)
    return (v * g[..., None, :]) @ mT(v)


def _eigenvectors_wrt_A(g: Any, A: Any, UPLO: str, out: Any) -> Any:  # noqa: N802
    values, x = eigvalsh.raw(A, UPLO), mT(out) @ g
    turned = over_difference((x - mT(x)) / 2, values[..., None, :] - values[..., :, None])
    return out @ turned @ mT(out)


eigvalsh.vjp(A=_eigvalsh_wrt_A)
_eigenvectors.vjp(A=_eigenvectors_wrt_A)


class EighResult(NamedTuple):
    """Result of `eigh`: A = V diag(λ) Vᵀ."""

    eigenvalues: Tensor
    eigenvectors: Tensor


def eigh(A: TensorLike, UPLO: str = "L") -> EighResult:
    """The eigenvalues of a symmetric A, the smallest first, and its eigenvectors in the columns of V.

    (…, n, n) → (…, n) and (…, n, n). The gradient is symmetric, as A is: V (diag(dλ) + X) Vᵀ with Xᵢⱼ the antisymmetric
    part of (Vᵀ dV)ᵢⱼ over λⱼ - λᵢ, and 0 where the two coincide. One half of A is read, as `eigvalsh` does.

    >>> eigh(Tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 2.])
    """
    return EighResult(eigvalsh(A, UPLO), _eigenvectors(A, UPLO))


def _require_half(name: str, A: Any, UPLO: str) -> None:
    require_square(name, A)
    if UPLO not in ("L", "U"):
        raise ValueError(f"{name}: UPLO is 'L' for the lower half of A or 'U' for the upper one, not {UPLO!r}")


# -- A = P L U ---------------------------------------------------------------------------------------------------------


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


def _exchange(out: Any, k: int, other: Any) -> None:
    """Let row k and row `other` of each matrix change places."""
    rows = np.broadcast_to(other[..., None, None], (*out.shape[:-2], 1, out.shape[-1]))
    chosen, here = np.take_along_axis(out, rows, -2), out[..., k : k + 1, :].copy()
    xp(out).put_along_axis(out, rows, here, -2)
    out[..., k : k + 1, :] = chosen


def _eliminated(A: Any, choose: bool) -> tuple[Any, Any]:
    """L and U in one matrix, and the row that each row changed places with: that of the largest number below."""
    out = A.copy()
    count = min(A.shape[-2:])
    pivots = xp(A).zeros((*A.shape[:-2], count), np.int64)
    for k in range(count):
        if choose:
            pivots[..., k] = np.argmax(np.absolute(out[..., k:, k]), axis=-1) + k
            _exchange(out, k, pivots[..., k])
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
    """Return the row of A that stands in each row, after all have changed places: (…, rows, 1)."""
    order = np.broadcast_to(xp(pivots).arange(rows)[:, None], (*pivots.shape[:-1], rows, 1)).copy()
    for k in range(pivots.shape[-1]):
        _exchange(order, k, pivots[..., k])
    return order


def permutation(pivots: Any, rows: int, dtype: Any) -> Any:
    """P with A = P L U."""
    return np.equal(mT(_order(pivots, rows)), xp(pivots).arange(rows)[:, None]).astype(dtype)


def _factors(name: str, A: TensorLike, pivot: bool) -> tuple[Any, Any]:
    array = as_array(A)
    require_matrix(name, array)
    m, n = array.shape[-2:]
    if pivot:
        _, pivots = _eliminated(array, choose=True)
        if pivots.size:
            A = take_along_dim(A, constant(_order(pivots, m)), -2)
    else:
        pivots = np.broadcast_to(xp(array).arange(min(m, n)), (*array.shape[:-2], min(m, n))).copy()
    k = min(m, n)
    rows = as_tensor(A)
    square = _square_factors(rows[..., :k, :k])
    if m > n:
        return cat([square, solve_triangular(square.triu(), rows[..., k:, :], upper=True, left=False)], -2), pivots
    if n > m:
        right = solve_triangular(square, rows[..., k:], upper=False, unitriangular=True)
        return cat([square, right], -1), pivots
    return square, pivots


def unpacked(packed: Tensor) -> tuple[Tensor, Tensor]:
    m, n = packed.shape[-2:]
    k = min(m, n)
    return packed[..., :k].tril(-1) + xp(packed).eye(m, k, dtype=packed.dtype), packed[..., :k, :].triu()


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
        return lu_solve(LU, pivots, mT(B), adjoint=not adjoint).mT
    packed = as_array(LU)
    p = constant(permutation(as_array(pivots) - 1, packed.shape[-1], packed.dtype))
    if adjoint:
        inner = solve_triangular(mT(LU), B, upper=False)
        return p @ solve_triangular(mT(LU), inner, upper=True, unitriangular=True)
    inner = solve_triangular(LU, p.mT @ B, upper=False, unitriangular=True)
    return solve_triangular(LU, inner, upper=True)

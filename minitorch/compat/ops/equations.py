"""Equations solved by inverses and factors: triangular, least squares, powers, rank; batches as everywhere."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import is_array, xp
from minitorch.compat.ops.linalg import inv, misfit, norm, require_square, slogdet, solve_matrices
from minitorch.compat.ops.norms import require_matrix, svdvals
from minitorch.ops.creation import as_tensor
from minitorch.ops.products import mT
from minitorch.ops.rearrange import tril, triu
from minitorch.types import TensorLike

__all__ = ["LstsqResult", "cholesky_solve", "cond", "logdet", "lstsq", "matrix_power", "matrix_rank", "pinv"]
__all__ += ["solve_triangular"]


def solve_triangular(
    A: TensorLike, B: TensorLike, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """The X with A X = B for a triangular A: (…, n, n) and (…, n, k) → (…, n, k); with left=False that with X A = B.

    upper says which half of A is read; with unitriangular its diagonal counts as 1. dL/dB = A⁻ᵀ g; dL/dA is the same
    half of -dL/dB Xᵀ. Raises LinAlgError for a 0 on the diagonal, ValueError when the shapes do not fit.

    >>> solve_triangular(Tensor([[2.0, 0.0], [1.0, 4.0]]), Tensor([[2.0], [9.0]]), upper=False)
    tensor([[1.],
            [2.]])
    """
    array, right = as_array(A), as_array(B)
    require_square("solve_triangular", array)
    n = array.shape[-1]
    if right.ndim < 2 or right.shape[-2 if left else -1] != n:
        needed = f"{n} {'rows' if left else 'columns'}, and two axes or more"
        raise misfit("solve_triangular", array.shape, right.shape, needed)
    half = (triu if upper else tril)(A, int(unitriangular) * (1 if upper else -1))
    if unitriangular:
        half = half + xp(array).eye(n, dtype=array.dtype)
    return solve_matrices(half, B) if left else mT(solve_matrices(mT(half), mT(B)))


def cholesky_solve(B: TensorLike, L: TensorLike, upper: bool = False) -> Tensor:
    """The X with A X = B, of A's Cholesky factor: A = L Lᵀ, or Lᵀ L with upper=True. (…, n, k), (…, n, n) → (…, n, k).

    Raises what `solve_triangular` raises.

    >>> cholesky_solve(Tensor([[4.0], [9.0]]), Tensor([[2.0, 0.0], [0.0, 3.0]]))
    tensor([[1.],
            [1.]])
    """
    lower = mT(L) if upper else L
    return solve_triangular(mT(lower), solve_triangular(lower, B, upper=False), upper=True)


def logdet(A: TensorLike) -> Tensor:
    """ln det A: (…, n, n) → (…); nan where the determinant is negative, -inf where it is 0. dL/dA = g · A⁻ᵀ.

    >>> logdet(Tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor(2.0794)
    """
    sign, logabsdet = slogdet(A)
    return logabsdet + np.where(sign._data < 0, np.nan, 0).astype(sign.dtype)


def matrix_power(A: TensorLike, n: int) -> Tensor:
    """A multiplied by itself: A A … A, n times; 1 for n = 0, and powers of A⁻¹ below. (…, m, m) → (…, m, m).

    Raises ValueError when A is not square, LinAlgError for n < 0 when it is singular.

    >>> matrix_power(Tensor([[1.0, 1.0], [0.0, 1.0]]), 5)
    tensor([[1., 5.],
            [0., 1.]])
    """
    array = as_array(A)
    require_square("matrix_power", array)
    if n == 0:
        return constant(xp(array).zeros_like(array) + xp(array).eye(array.shape[-1], dtype=array.dtype))
    given = as_tensor(A)
    base = inv(given) if n < 0 else given
    out: Any = None
    for bit in bin(abs(n))[:1:-1]:  # from the last binary digit on: A, A², A⁴ …
        if bit == "1":
            out = base if out is None else out @ base
        base = base @ base
    return out + 0 if out is given else out


# -- where no inverse is -----------------------------------------------------------------------------------------------


@primitive(name="pinv")
def _pinv(A: Any, atol: Any = 0.0, rtol: Any = 0.0) -> Any:
    """V diag(1/s) Uᵀ, where s above the tolerance counts."""
    u, s, vt = np.linalg.svd(A, full_matrices=False)
    large = s > _tolerance(s, atol, rtol)
    return mT(vt) @ (np.where(large, 1 / np.where(large, s, 1), 0)[..., None] * mT(u))


def _pinv_wrt_A(g: Any, A: Any, out: Any) -> Any:  # noqa: N802
    """Of dP = -P dA P + P Pᵀ dAᵀ (1 - A P) + (1 - P A) dAᵀ Pᵀ P, which holds while the rank stays."""
    p, gt = mT(out), mT(g)
    rows, columns = gt @ out @ p, p @ out @ gt
    return rows - A @ (out @ rows) + columns - columns @ out @ A - p @ g @ p


_pinv.vjp(A=_pinv_wrt_A)


def pinv(A: TensorLike, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Tensor:
    """The pseudo-inverse of Moore and Penrose: (…, m, n) → (…, n, m).

    Singular values up to max(atol, rtol · s₁) count as 0; rtol is max(m, n) times the dtype's precision unless one of
    the two is given; each may be a Tensor, for every matrix its own; rcond is rtol's older name. hermitian: A counts
    as (A + Aᵀ) / 2. The gradient is right while the rank stays.
    Raises ValueError for what is no matrix. Source: Golub and Pereyra, 1973.

    >>> pinv(Tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    array = as_array(A)
    require_matrix("pinv", array)
    if hermitian:
        A = (as_tensor(A) + mT(A)) / 2.0
    return _pinv(A, *_tolerances(array, atol, rcond if rtol is None else rtol))


class LstsqResult(NamedTuple):
    """Result of `lstsq`; `residuals` is empty unless a driver but "gelsy" is named, m > n and the rank is n."""

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


def lstsq(A: TensorLike, B: TensorLike, rcond: float | None = None, *, driver: str | None = None) -> LstsqResult:
    """The X with the least ‖A X - B‖, and of those the shortest: (…, m, n) and (…, m, k) → (…, n, k).

    B may be a vector (…, m) for each matrix. X is A⁺ B, and its gradient is right while the rank stays.
    rcond: singular values up to rcond · s₁ count as 0.
    driver: "gels", "gelsd" and "gelss" give the residuals, the latter two the singular values: constants.
    Raises ValueError when the shapes do not fit.

    >>> lstsq(Tensor([[2.0], [0.0]]), Tensor([[4.0], [3.0]])).solution
    tensor([[2.]])
    """
    array, shape = as_array(A), as_array(B).shape
    require_matrix("lstsq", array)
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise ValueError(f"lstsq: driver {driver!r} is not known: take 'gels', 'gelsy', 'gelsd' or 'gelss'")
    m, n = array.shape[-2:]
    are_vectors = shape == array.shape[:-1]
    if not are_vectors and (len(shape) < 2 or shape[-2] != m):
        raise misfit("lstsq", array.shape, shape, f"{m} rows")
    right = as_tensor(B).unsqueeze(-1) if are_vectors else as_tensor(B)
    solution = pinv(A, rtol=rcond) @ right
    residuals = values = constant(array.reshape(-1)[:0])
    rank = matrix_rank(A, rtol=rcond)
    if m > n and driver in ("gels", "gelsd", "gelss") and bool((rank._data == n).all()):
        residuals = (as_tensor(A) @ solution - right).square().sum(-2)
    if driver in ("gelsd", "gelss"):
        values = constant(np.linalg.svd(array, compute_uv=False))
    rank = constant(rank._data.reshape(-1)[:0]) if driver == "gels" else rank
    return LstsqResult(solution.squeeze(-1) if are_vectors else solution, residuals, rank, values)


def matrix_rank(
    A: TensorLike,
    tol: Any = None,
    hermitian: bool = False,  # noqa: ARG001 (PyTorch's name)
    *,
    atol: Any = None,
    rtol: Any = None,
) -> Tensor:
    """Count the singular values above the tolerance of `pinv`: (…, m, n) → (…), of integers.

    tol is atol's older name, with no relative one. hermitian is PyTorch's, and changes nothing here.

    >>> matrix_rank(Tensor([[1.0, 2.0], [2.0, 4.0]]))
    tensor(1)
    """
    array = as_array(A)
    require_matrix("matrix_rank", array)
    if tol is not None:
        atol, rtol = tol, 0.0
    s = np.linalg.svd(array, compute_uv=False)
    return constant(as_array((s > _tolerance(s, *_tolerances(array, atol, rtol))).sum(axis=-1)))


def cond(A: TensorLike, p: Any = None) -> Tensor:
    """Condition number, by which A may enlarge a relative error: (…, m, n) → (…), the norm of A times that of A⁻¹.

    p: an order of `matrix_norm`; without one, and for ±2, the ratio of the largest and the smallest singular value.

    >>> cond(Tensor([[4.0, 0.0], [0.0, 2.0]]))
    tensor(2.)
    """
    if p in (None, 2, -2):
        s = svdvals(A)
        return s.amin(-1) / s.amax(-1) if p == -2 else s.amax(-1) / s.amin(-1)
    return norm(A, p, (-2, -1)) * norm(inv(A), p, (-2, -1))


def _tolerances(array: Any, atol: Any, rtol: Any) -> tuple[Any, Any]:
    """Both as numbers, or as arrays with an axis for the singular values."""
    atol, rtol = (
        each if each is None or isinstance(each, (int, float)) else as_array(each)[..., None] for each in (atol, rtol)
    )
    if rtol is None:
        default = max(array.shape[-2:]) * float(np.finfo(array.dtype).eps)
        rtol = np.where(atol > 0, 0.0, default) if is_array(atol) else 0.0 if atol else default
    return 0.0 if atol is None else atol, rtol


def _tolerance(s: Any, atol: Any, rtol: Any) -> Any:
    largest = np.amax(s, axis=-1, keepdims=True) if s.shape[-1] else np.sum(s, axis=-1, keepdims=True)
    return np.maximum(largest * rtol, atol).astype(s.dtype, copy=False)

"""Factors of matrices: QR, singular values and vectors, eigenvalues and eigenvectors of symmetric ones.

Every function takes batches: the last two axes are the matrix. Vectors are found but for a sign, and those of values
that coincide but for a rotation: only what does not ask which one was found, such as V diag(f(λ)) Vᵀ, has a gradient
that means something. Sources: Giles, 2008; Walter and Lehmann, 2010 (QR); Ionescu, Vantzos and Sminchisescu, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.ops.linalg import inv, require_matrix, require_square
from minitorch.compat.ops.norms import over_difference, singular_vectors, svdvals
from minitorch.ops.index import getitem
from minitorch.ops.joining import cat
from minitorch.ops.products import matmul, mT
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["EighResult", "QRResult", "SVDResult", "eigh", "eigvalsh", "qr", "svd"]


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
    n = M.shape[-1]
    lower = np.tril(np.ones((n, n))) if isinstance(M, np.ndarray) else xp(as_array(M)).tri(n)
    lower = lower.astype(M.dtype, copy=False)
    return M * lower + mT(M * lower) * mT(lower - xp(as_array(lower)).eye(n, dtype=lower.dtype))


def _orthogonal_wrt_A(g: Any, A: Any, out: Any) -> Any:  # noqa: N802
    return (g - out @ _mirrored(mT(g) @ out)) @ mT(inv.raw(_triangular.raw(A)))


def _triangular_wrt_A(g: Any, A: Any, out: Any) -> Any:  # noqa: N802
    return _orthogonal.raw(A) @ _mirrored(out @ mT(g)) @ mT(inv.raw(out))


_orthogonal.vjp(A=_orthogonal_wrt_A)
_triangular.vjp(A=_triangular_wrt_A)


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
    left, right = getitem(A, (..., slice(None, m))), getitem(A, (..., slice(m, None)))
    q = _orthogonal(left)
    r = cat([_triangular(left), matmul(mT(q), right)], -1)
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

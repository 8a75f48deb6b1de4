"""Linear algebra, public as `minitorch.linalg`: inverse, determinant, equations, factorisation, a norm.

Every function takes batches: the last two axes are the matrix. The gradient rules are those of Giles, 2008
(Collected matrix derivative results for forward and reverse mode algorithmic differentiation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.ops.norms import matrix_norm, require_floats
from minitorch.errors import LinAlgError, ShapeError
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.creation import as_tensor
from minitorch.ops.norms import norming
from minitorch.ops.products import mT
from minitorch.types import Dim, Shape, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["LinAlgError", "SlogdetResult", "cholesky", "det", "inv", "inverse", "norm", "slogdet", "solve"]


def require_square(name: str, A: Any) -> None:
    """Raises ValueError for what is no square matrix, TypeError for integers."""
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ShapeError(f"{name}: shape {A.shape} is no square matrix, nor a batch of them")
    require_floats(name, A)


def _failed(name: str, A: Any, why: str = "singular: its rows are linearly dependent") -> LinAlgError:
    which = "the matrix" if A.ndim == 2 else "a matrix of the batch"
    return LinAlgError(f"{name}: {which} of shape {A.shape} is {why}")


def misfit(name: str, A: Shape, B: Shape, needed: str) -> ShapeError:
    """The error for two shapes of A X = B that do not fit."""
    return ShapeError(f"{name}: A of shape {A} and B of shape {B} do not fit: B needs {needed}")


@primitive
def inv(A: Any) -> Any:
    """The inverse A⁻¹: (…, n, n) → (…, n, n). dL/dA = -A⁻ᵀ g A⁻ᵀ.

    Raises LinAlgError when A is singular, ValueError when it is not square. For A⁻¹ B, `solve` is quicker.

    >>> inv(Tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    require_square("inv", A)
    try:
        return np.linalg.inv(A)
    except np.linalg.LinAlgError:
        raise _failed("inv", A) from None


inv.vjp(A=lambda g, out: -(mT(out) @ g @ mT(out)))
inverse = inv


# -- determinants --------------------------------------------------------------------------------------------------


@primitive(name="cofactors")
def _cofactors(A: Any) -> Any:
    """d det A / dA. Of A = U diag(s) Vᵀ it is det U · det V · U diag(∏ of the other s) Vᵀ, singular or not."""
    try:
        return np.linalg.det(A)[..., None, None] * mT(np.linalg.inv(A))
    except np.linalg.LinAlgError:
        u, s, vt = np.linalg.svd(A)
        eye = xp(A).eye(A.shape[-1], dtype=A.dtype)
        others = np.prod(s[..., None, :] * (1 - eye) + eye, axis=-1)
        sign = np.linalg.det(u) * np.linalg.det(vt)
        return (u * (sign[..., None] * others)[..., None, :]) @ vt


def _cofactors_wrt_A(g: Any, A: Any, out: Any) -> Any:  # noqa: N802
    """C = det A · A⁻ᵀ, so dC = tr(A⁻¹ dA) · C - A⁻ᵀ dAᵀ C."""
    inverse_t = mT(inv.raw(A))
    return np.sum(g * out, axis=(-2, -1), keepdims=True) * inverse_t - out @ mT(g) @ inverse_t


_cofactors.vjp(A=_cofactors_wrt_A)


@primitive
def det(A: Any) -> Any:
    """The determinant: (…, n, n) → (…). dL/dA = g · C with the matrix of cofactors C, which is det A · A⁻ᵀ.

    The gradient is exact for singular matrices too (PyTorch gives 0 where elimination meets an exact 0); the second
    one needs an inverse. Raises ValueError when A is not square.

    >>> det(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor(-2.)
    """
    require_square("det", A)
    return np.linalg.det(A)


det.vjp(A=lambda g, A: g[..., None, None] * _cofactors.raw(A))


class SlogdetResult(NamedTuple):
    """Result of `slogdet`: det A = sign · e**logabsdet. The sign is a constant."""

    sign: Tensor
    logabsdet: Tensor


def slogdet(A: TensorLike) -> SlogdetResult:
    """Sign and ln |det A|, which neither over- nor underflows. d logabsdet / dA = g · A⁻ᵀ; the sign gets no gradient.

    Of a singular matrix the sign is 0 and the logarithm -inf, and its gradient raises LinAlgError.

    >>> slogdet(Tensor([[1.0, 2.0], [3.0, 4.0]])).logabsdet
    tensor(0.6931)
    """
    array = as_array(A)
    require_square("slogdet", array)
    sign, logabsdet = np.linalg.slogdet(array)
    return SlogdetResult(constant(as_array(sign)), _logabsdet(A, as_array(logabsdet)))


@primitive(name="slogdet")
def _logabsdet(A: Any, value: Any) -> Any:  # noqa: ARG001 (its rule asks for A)
    """ln |det A|, which `slogdet` has computed together with the sign."""
    return value


_logabsdet.vjp(A=lambda g, A: g[..., None, None] * mT(inv.raw(A)))


# -- equations -----------------------------------------------------------------------------------------------------


@primitive(promotes=False, name="solve")
def solve_matrices(A: Any, B: Any) -> Any:
    """The X with A X = B, of matrices."""
    if A.shape[:-2] != B.shape[:-2]:
        try:
            batch = np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
        except ValueError:
            raise ShapeError(f"shapes {A.shape} and {B.shape}: the leading axes must be equal or 1") from None
        A, B = (np.broadcast_to(each, batch + each.shape[-2:]) for each in (A, B))  # CuPy's solve leaves that to us
    try:
        return np.linalg.solve(A, B)
    except np.linalg.LinAlgError:
        raise _failed("solve", A) from None


solve_matrices.vjp(
    A=lambda g, A, out: -(solve_matrices.raw(mT(A), g) @ mT(out)), B=lambda g, A: solve_matrices.raw(mT(A), g)
)


def solve(A: TensorLike, B: TensorLike, *, left: bool = True) -> Tensor:
    """The X with A X = B: (…, n, n) and (…, n, k) → (…, n, k); with left=False the X with X A = B.

    B may be a vector (n,), or a batch of them (…, n) with exactly A's leading axes. dL/dB = A⁻ᵀ g, dL/dA = -dL/dB Xᵀ.
    Raises LinAlgError when A is singular, ValueError when the shapes do not fit.

    >>> solve(Tensor([[2.0, 0.0], [0.0, 4.0]]), Tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    coefficients, shape = as_array(A), as_array(B).shape
    require_square("solve", coefficients)
    n = coefficients.shape[-1]
    are_vectors = left and (len(shape) == 1 or shape == coefficients.shape[:-1])
    found = shape[-1:] if are_vectors or not left else shape[-2:-1]
    if found != (n,) or (len(shape) < 2 and not are_vectors):
        raise misfit("solve", coefficients.shape, shape, f"{n} {'rows' if left else 'columns'}")
    if are_vectors:
        return solve_matrices(A, as_tensor(B).unsqueeze(-1)).squeeze(-1)
    return solve_matrices(A, B) if left else solve_matrices(mT(A), mT(B)).mT


@primitive(name="cholesky")
def _cholesky(A: Any) -> Any:
    """The lower factor; reads A's lower half alone."""
    require_square("cholesky", A)
    try:
        return np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        raise _failed("cholesky", A, "not positive definite") from None


def _cholesky_wrt_A(g: Any, out: Any) -> Any:  # noqa: N802
    """S = L⁻ᵀ Φ(Lᵀ g) L⁻¹, where Φ keeps the lower half and half of the diagonal; (S + Sᵀ) / 2 is symmetric as A is."""
    n = out.shape[-1]
    half = xp(out).tri(n, dtype=out.dtype) - xp(out).eye(n, dtype=out.dtype) / 2
    inverse = inv.raw(out)
    slope = mT(inverse) @ ((mT(out) @ g) * half) @ inverse
    return (slope + mT(slope)) / 2


_cholesky.vjp(A=_cholesky_wrt_A)


def cholesky(A: TensorLike, *, upper: bool = False) -> Tensor:
    """The lower triangular L with A = L Lᵀ of a symmetric positive definite A; with upper=True its transpose.

    dL/dA = (S + Sᵀ) / 2 with S = L⁻ᵀ Φ(Lᵀ g) L⁻¹, Φ the lower half with half of the diagonal. Only one half of A is
    read, the lower one (upper=True: the upper one). Raises LinAlgError when A is not positive definite.
    Source: Giles, 2008; Murray, 2016.

    >>> cholesky(Tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    if upper:
        require_square("cholesky", as_array(A))
        return _cholesky(mT(A)).mT
    return _cholesky(A)


# -- a norm ------------------------------------------------------------------------------------------------------------


_vector_norm = norming("norm")


@accepts_numpy_names
def norm(A: TensorLike, ord: Any = None, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """`vector_norm` over one axis, `matrix_norm` over two; without `ord`, √Σ A² over `dim` or over everything.

    With `ord` and without `dim`, A must be a vector or a matrix. The gradient is 0 where the norm is 0. dtype: what A
    is converted to first.

    >>> norm(Tensor([3.0, 4.0]))
    tensor(5.)
    """
    ndim = as_array(A).ndim
    dims = (dim,) if isinstance(dim, int) else dim
    if dims is not None and len(dims) not in (1, 2):
        raise ShapeError(f"norm: dim must be one axis or two, not {dims}")
    if ord is None:
        return _vector_norm(A, 2, dims, keepdim, dtype)
    if dims is None:
        if ndim not in (1, 2):
            raise ShapeError(f"norm: ord {ord!r} without dim needs a vector or a matrix, not shape {as_array(A).shape}")
        dims = tuple(range(ndim))
    if len(dims) == 1 and isinstance(ord, str):
        raise ShapeError(f"norm: ord {ord!r} is a norm of matrices: dim must be two axes, not {dims}")
    if len(dims) == 1:
        return _vector_norm(A, ord, dims, keepdim, dtype)
    return matrix_norm(A, ord, dims, keepdim, dtype=dtype)

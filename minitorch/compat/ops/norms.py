"""Norms of matrices, distances, and the singular values and vectors that some of them are made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import DtypeError, ShapeError
from minitorch.ops._dims import accepts_numpy_names, as_axes, axis_in
from minitorch.ops.conversion import cast
from minitorch.ops.creation import as_tensor
from minitorch.ops.extremes import amax, amin
from minitorch.ops.norms import _norm, norming
from minitorch.ops.products import mT
from minitorch.types import Dim, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["cdist", "dist"]

_frobenius = norming("matrix_norm")


def nuclear_norm(input: TensorLike, dim: Dim, keepdim: bool) -> Tensor:
    """The sum of the singular values over two axes: `norm` with p="nuc"."""
    ndim = as_array(input).ndim
    axes = tuple(range(ndim)) if dim is None else tuple(as_axes(dim))
    if len(axes) != 2 or not all(-ndim <= axis < ndim for axis in axes) or (axes[0] - axes[1]) % ndim == 0:
        raise ShapeError(f"norm: the nuclear norm is over two axes of shape {as_array(input).shape}, not {axes}")
    return of_matrices(nuclear, input, *axes, keepdim)


def cdist(x1: TensorLike, x2: TensorLike, p: float = 2.0, compute_mode: str | None = None) -> Tensor:  # noqa: ARG001
    """The distance of every row of x1 from every row of x2: (…, n, d) and (…, m, d) → (…, n, m), in the p-norm.

    The gradient is 0 where two rows are one. compute_mode is PyTorch's, and changes nothing here. Raises ValueError
    when the rows differ in length.

    >>> cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5., 1.]])
    """
    shapes = as_array(x1).shape, as_array(x2).shape
    if min(map(len, shapes)) < 2 or shapes[0][-1] != shapes[1][-1]:
        raise ShapeError(f"cdist: shapes {shapes[0]} and {shapes[1]} do not fit: both need rows of one length")
    return _norm(as_tensor(x1).unsqueeze(-2) - as_tensor(x2).unsqueeze(-3), p, -1, False, None)


def dist(input: TensorLike, other: TensorLike, p: float = 2.0) -> Tensor:
    """The p-norm of input - other, which broadcast: one number.

    >>> dist(Tensor([0.0, 0.0]), Tensor([3.0, 4.0]))
    tensor(5.)
    """
    return _norm(as_tensor(input) - other, p, None, False, None)


# -- singular values: how far a matrix stretches space, in each of its own directions ----------------------------------


def require_matrix(name: str, A: Any) -> None:
    """Raises ValueError for what has no matrix in its last two axes, TypeError for integers."""
    if A.ndim < 2:
        raise ShapeError(f"{name}: shape {A.shape} has no matrix in it: it needs two axes or more")
    require_floats(name, A)


def require_floats(name: str, A: Any) -> None:
    """Raises TypeError for a matrix of integers."""
    if A.dtype.kind != "f":
        raise DtypeError(f"{name}: a matrix of floats is needed, not {A.dtype}: convert it, as in A.to('float32')")


@primitive
def svdvals(A: Any) -> Any:
    """The singular values of A = U diag(s) Vᵀ, the largest first: (…, m, n) → (…, min(m, n)). dL/dA = U diag(g) Vᵀ.

    Values that coincide have no gradient each, but functions that treat them alike do, such as their sum. Raises
    ValueError for fewer than two axes, TypeError for integers.

    >>> svdvals(Tensor([[3.0, 0.0], [0.0, -4.0]]))
    tensor([4., 3.])
    """
    require_matrix("svdvals", A)
    return np.linalg.svd(A, compute_uv=False)


def nuclear(A: TensorLike) -> Tensor:
    """The sum of the singular values: (…, m, n) → (…). dL/dA = g · U Vᵀ."""
    require_floats("norm", as_array(A))
    return svdvals(A).sum(-1)


# -- the singular vectors, for the gradients: of A = U diag(s) Vᵀ, every gradient of every order is made of U, s and Vᵀ


@primitive(name="singular_u")
def _left(A: Any) -> Any:
    """U: (…, m, n) → (…, m, k)."""
    return np.linalg.svd(A, full_matrices=False)[0]


@primitive(name="singular_vt")
def _right(A: Any) -> Any:
    """Vᵀ: (…, m, n) → (…, k, n)."""
    return np.linalg.svd(A, full_matrices=False)[2]


@primitive(name="singular_sum")
def _recomposed(weights: Any, A: Any) -> Any:
    """U diag(weights) Vᵀ."""
    u, _, vt = np.linalg.svd(A, full_matrices=False)
    return (u * weights[..., None, :]) @ vt


svdvals.vjp(A=lambda g, A: _recomposed.raw(g, A))


def _recomposed_wrt_A(g: Any, weights: Any, A: Any) -> Any:  # noqa: N802
    """With P = Uᵀ g V: how U and V turn within their own planes, and out of them where A is not square.

    Each pair of values i, j turns by P's symmetric part times (wⱼ - wᵢ) / (sⱼ - sᵢ) and by its antisymmetric part times
    (wⱼ + wᵢ) / (sⱼ + sᵢ): finite for values that coincide, if their weights do.
    """
    u, s, vt = _left.raw(A), svdvals.raw(A), _right.raw(A)
    gv, gu = g @ mT(vt), mT(u) @ g
    p = mT(u) @ gv
    (wj, wi), (sj, si) = ((each[..., None, :], each[..., :, None]) for each in (weights, s))
    turned = (p + mT(p)) * over_difference(wj - wi, sj - si) + (p - mT(p)) * over_difference(wj + wi, sj + si)
    share = over_difference(wj, sj)
    return u @ (turned / 2) @ vt + ((gv - u @ p) * share) @ vt + (u * share) @ (gu - p @ vt)


_recomposed.vjp(weights=lambda g, A: np.sum(_left.raw(A) * (g @ mT(_right.raw(A))), axis=-2), A=_recomposed_wrt_A)


def _turning(g: Any, frame: Any, s: Any, other: Any) -> Any:
    """From the gradient g of one frame, U say, to that of A; `other` is Vᵀ then."""
    x, row = mT(frame) @ g, s[..., None, :]
    inside = (x - mT(x)) * over_difference(row, row * row - (s * s)[..., :, None])
    return (frame @ inside + (g - frame @ x) * over_difference(1, row)) @ other


_left.vjp(A=lambda g, A: _turning(g, _left.raw(A), svdvals.raw(A), _right.raw(A)))


_right.vjp(A=lambda g, A: mT(_turning(mT(g), mT(_right.raw(A)), svdvals.raw(A), mT(_left.raw(A)))))


def singular_vectors(A: TensorLike) -> tuple[Tensor, Tensor]:
    """U and Vᵀ of A = U diag(s) Vᵀ, as many of each as there are singular values."""
    return _left(A), _right(A)


def over_difference(a: Any, b: Any) -> Any:
    """a / b, and 0 where b, the difference of two values that coincide, is 0."""
    zero = np.equal(b, 0)
    return np.where(zero, 0, a / np.where(zero, 1, b))


def of_matrices(value: Callable[[Any], Tensor], A: TensorLike, rows: int, columns: int, keepdim: bool) -> Tensor:
    """value(A) where the matrices lie in the axes `rows` and `columns`, which become 1 with keepdim."""
    given = as_tensor(A)
    out = value(given.movedim((rows, columns), (-2, -1)))
    gone = (rows % given.ndim, columns % given.ndim)
    return out.reshape([1 if axis in gone else size for axis, size in enumerate(given.shape)]) if keepdim else out


# -- of matrices -------------------------------------------------------------------------------------------------------


@accepts_numpy_names
def matrix_norm(
    A: TensorLike, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of the matrices in the two axes `dim`.

    "fro" is √Σ A², 1 the largest and -1 the smallest column sum of |A|, inf and -inf those of the rows; 2 is the
    largest and -2 the smallest singular value, "nuc" their sum. Ties share the gradient, as in PyTorch. dtype: what A
    is converted to first. Raises ValueError for another ord and for the smallest of nothing.

    >>> matrix_norm(Tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    shape = as_array(A).shape
    if len(shape) < 2:
        raise ShapeError(f"matrix_norm: shape {shape} has no matrix in it: it needs two axes or more")
    if not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise ShapeError(f"matrix_norm: dim must be two axes, not {dim}")
    rows, columns = (axis_in(shape, axis, "matrix_norm") for axis in dim)
    if rows == columns:
        raise ShapeError(f"matrix_norm: dim {tuple(dim)} names one axis of shape {shape} twice")
    if dtype is not None:
        A = cast(A, dtype)
    if ord == "fro":
        return _frobenius(A, 2, (rows, columns) if len(shape) > 2 else None, keepdim, None)
    if ord == "nuc":
        return of_matrices(nuclear, A, rows, columns, keepdim)
    if ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise ValueError(f"matrix_norm: ord {ord!r} is not known: take 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if ord == -2 or (ord == 2 and 0 not in (shape[rows], shape[columns])):
        extreme = amax if ord > 0 else amin
        return of_matrices(lambda matrices: extreme(svdvals(matrices), -1), A, rows, columns, keepdim)
    summed, compared = (rows, columns) if abs(ord) == 1 else (columns, rows)
    totals = as_tensor(A).abs().sum(summed, keepdim)
    place = compared - (summed < compared and not keepdim)
    if shape[compared] == 0:
        if ord < 0:
            raise ShapeError(f"matrix_norm: shape {shape} has nothing along axis {compared} to take the smallest of")
        return totals.sum(place, keepdim)  # of no matrix entry at all the norm is 0
    return totals.amax(place, keepdim) if ord > 0 else totals.amin(place, keepdim)

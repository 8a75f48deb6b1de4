"""Singular values: how far a matrix stretches space, in each of its own directions; and the nuclear norm, their sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch.autograd.handle import as_array
from minitorch.autograd.primitive import primitive
from minitorch.ops.linalg import mT
from minitorch.ops.movement import movedim, reshape
from minitorch.types import TensorLike

__all__: list[str] = []  # they are public as minitorch.linalg


def _values(name: str, A: Any) -> Any:
    if A.ndim < 2:
        raise ValueError(f"{name}: shape {A.shape} has no matrix in it: it needs two axes or more")
    if A.dtype.kind != "f":
        raise TypeError(f"{name}: a matrix of floats is needed, not {A.dtype}: convert it, as in A.to('float32')")
    return np.linalg.svd(A, compute_uv=False)


@primitive
def svdvals(A: Any) -> Any:
    """The singular values of A = U diag(s) Vᵀ, the largest first: (…, m, n) → (…, min(m, n)). dL/dA = U diag(g) Vᵀ.

    Values that coincide have no gradient each, but functions that treat them alike do, such as their sum. Raises
    ValueError for fewer than two axes, TypeError for integers.

    >>> svdvals(Tensor([[3.0, 0.0], [0.0, -4.0]]))
    tensor([4., 3.])
    """
    return _values("svdvals", A)


@primitive(name="norm")
def nuclear(A: Any) -> Any:
    """The sum of the singular values: (…, m, n) → (…). dL/dA = g · U Vᵀ."""
    return np.sum(_values("norm", A), axis=-1)


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
    """U diag(weights) Vᵀ; one weight may serve all."""
    u, _, vt = np.linalg.svd(A, full_matrices=False)
    return (u * weights[..., None, :]) @ vt


svdvals.vjp(A=lambda g, A: _recomposed.raw(g, A))
nuclear.vjp(A=lambda g, A: _recomposed.raw(g[..., None], A))


def _recomposed_wrt_weights(g: Any, A: Any) -> Any:
    return np.sum(_left.raw(A) * (g @ mT(_right.raw(A))), axis=-2)


def _recomposed_wrt_A(g: Any, weights: Any, A: Any) -> Any:  # noqa: N802
    """With P = Uᵀ g V: how U and V turn within their own planes, and out of them where A is not square.

    Each pair of values i, j turns by P's symmetric part times (wⱼ - wᵢ) / (sⱼ - sᵢ) and by its antisymmetric part times
    (wⱼ + wᵢ) / (sⱼ + sᵢ): finite for values that coincide, if their weights do.
    """
    u, s, vt = _left.raw(A), svdvals.raw(A), _right.raw(A)
    w = np.broadcast_to(weights, s.shape)
    gv, gu = g @ mT(vt), mT(u) @ g
    p = mT(u) @ gv
    (wj, wi), (sj, si) = ((each[..., None, :], each[..., :, None]) for each in (w, s))
    turned = (p + mT(p)) * _ratio(wj - wi, sj - si) + (p - mT(p)) * _ratio(wj + wi, sj + si)
    share = _ratio(wj, sj)
    return u @ (turned / 2) @ vt + ((gv - u @ p) * share) @ vt + (u * share) @ (gu - p @ vt)


_recomposed.vjp(weights=_recomposed_wrt_weights, A=_recomposed_wrt_A)


def _turning(g: Any, frame: Any, s: Any, other: Any) -> Any:
    """From the gradient g of one frame, U say, to that of A; `other` is Vᵀ then."""
    x, row = mT(frame) @ g, s[..., None, :]
    inside = (x - mT(x)) * _ratio(row, row * row - (s * s)[..., :, None])
    return (frame @ inside + (g - frame @ x) * _ratio(1, row)) @ other


_left.vjp(A=lambda g, A: _turning(g, _left.raw(A), svdvals.raw(A), _right.raw(A)))
_right.vjp(A=lambda g, A: mT(_turning(mT(g), mT(_right.raw(A)), svdvals.raw(A), mT(_left.raw(A)))))


def _ratio(a: Any, b: Any) -> Any:
    """a / b, and 0 where b is 0."""
    zero = np.equal(b, 0)
    return np.where(zero, 0, a / np.where(zero, 1, b))


def of_matrices(value: Callable[[Any], Any], A: TensorLike, rows: int, columns: int, keepdim: bool) -> Any:
    """value(A) where the matrices lie in the axes `rows` and `columns`, which become 1 with keepdim."""
    shape = as_array(A).shape
    out = value(movedim(A, (rows, columns), (-2, -1)))
    if not keepdim:
        return out
    gone = (rows % len(shape), columns % len(shape))
    return reshape(out, tuple(1 if axis in gone else size for axis, size in enumerate(shape)))

"""Parametrizations that have a name: a length and a direction, a largest singular value of 1, orthogonal columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch import Tensor, cat, div, eye, matmul, movedim, mul, norm, randn, reshape, zeros
from minitorch.autograd.tensor_base import constant
from minitorch.compat.nn.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from minitorch.compat.nn.utils.parametrize import register_parametrization
from minitorch.compat.ops.linalg import solve
from minitorch.compat.ops.matrices import householder_product, matrix_exp
from minitorch.errors import ShapeError
from minitorch.nn.functional import normalize
from minitorch.nn.module import Module

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def lengths(weight: Tensor, dim: int | None) -> Tensor:
    """The norm of each slice across `dim`, (1, …, n, …, 1), or of all numbers, ()."""
    if dim is None or dim == -1:
        return norm(weight)
    return norm(weight, 2, [axis for axis in range(weight.ndim) if axis != dim % weight.ndim], True)


class _WeightNorm(Module):
    """original0 · original1 / ‖original1‖: the length of each slice across `dim`, and its direction."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, length: Tensor, direction: Tensor) -> Tensor:
        """The weight."""
        return mul(direction, div(length, lengths(direction, self.dim)))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Its lengths, and the weight itself as their direction."""
        return lengths(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Has the weight computed as length · direction / ‖direction‖, for each slice across `dim`; None: for all of it.

    In the state_dict, parametrizations.weight.original0 holds the lengths, original1 the directions. The gradients of
    the two do not disturb each other. Returns the module. Raises ValueError for a name that is no parameter.
    Source: Salimans and Kingma, 2016, Weight Normalization.

    >>> from minitorch.nn import Linear
    >>> layer = weight_norm(Linear(2, 3))
    >>> {name: value.shape for name, value in layer.state_dict().items() if name != "bias"}
    {'parametrizations.weight.original0': (3, 1), 'parametrizations.weight.original1': (3, 2)}
    """
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


class _SpectralNorm(Module):
    """weight / σ with its largest singular value σ = uᵀ W v; u and v come nearer with each reading in training."""

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        if not -weight.ndim <= dim < weight.ndim:
            raise IndexError(f"spectral_norm: dim {dim} is not there in a weight of shape {weight.shape}")
        if n_power_iterations < 1:
            raise ValueError(f"spectral_norm: n_power_iterations must be 1 or more, not {n_power_iterations}")
        self.dim = dim
        self.eps = eps
        self.n_power_iterations = n_power_iterations
        if weight.ndim > 1:
            matrix = as_matrix(weight.detach(), dim)
            u, v = (randn(size, dtype=weight.dtype, device=weight.device) for size in matrix.shape)
            self.register_buffer("_u", normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", normalize(v, dim=0, eps=eps))
            nearer(matrix, self._u, self._v, 15, eps)

    def forward(self, weight: Tensor) -> Tensor:
        """The weight."""
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            nearer(matrix.detach(), self._u, self._v, self.n_power_iterations, self.eps)
        return div(weight, largest(matrix, self._u, self._v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value itself."""
        return value


def as_matrix(weight: Tensor, dim: int) -> Tensor:
    """(n, everything else), where n is the size of axis `dim`."""
    return reshape(movedim(weight, dim, 0), (weight.shape[dim], -1))


def nearer(matrix: Tensor, u: Tensor, v: Tensor, count: int, eps: float) -> None:
    """Power iterations: u and v, in place, come nearer to the singular vectors of the largest singular value."""
    for _ in range(count):
        u.data = normalize(matmul(matrix, v), dim=0, eps=eps).data
        v.data = normalize(matmul(matrix.mT, u), dim=0, eps=eps).data


def largest(matrix: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """uᵀ W v with copies of u and v, so that the next iteration changes no graph."""
    u, v = (constant(np.copy(each._data)) for each in (u, v))
    return matmul(u, matmul(matrix, v))


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Has the weight divided by its largest singular value, so that the layer stretches nothing.

    The weight counts as a matrix, axis `dim` (0, of transposed convolutions 1) by all others. Each reading while
    training does n_power_iterations towards the singular vectors, which are buffers. Returns the module.
    Raises ValueError for a name that is no parameter. Source: Miyato et al., 2018, Spectral Normalization for GANs.

    >>> from minitorch.nn import Linear
    >>> list(spectral_norm(Linear(2, 3)).state_dict())[1:]
    ['parametrizations.weight.original', 'parametrizations.weight.0._u', 'parametrizations.weight.0._v']
    """
    weight: Any = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"spectral_norm: {type(module).__name__} has no parameter or buffer {name!r}")
    found = _SpectralNorm(weight, n_power_iterations, usual_dim(module) if dim is None else dim, eps)
    return register_parametrization(module, name, found)


def usual_dim(module: Module) -> int:
    """The axis of a weight's outputs."""
    return 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0


class _Orthogonal(Module):
    """A matrix with orthonormal columns (rows, if there are more of those) out of one without any condition."""

    base: Any

    def __init__(self, weight: Tensor, orthogonal_map: str, use_trivialization: bool = True) -> None:
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        self.use_trivialization = use_trivialization
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, weight: Tensor) -> Tensor:
        """The orthogonal matrix."""
        wide = weight.shape[-2] < weight.shape[-1]
        x: Any = weight.mT if wide else weight
        n, k = x.shape[-2:]
        if self.orthogonal_map == "householder":
            below = x.tril(-1)
            made = householder_product(below, 2 / (1 + (below * below).sum(-2)))
            made = made * np.trunc(x.detach().diagonal(0, -2, -1)._data)[..., None, :]
        else:
            below = x.tril()
            if n != k:
                below = cat([below, zeros((*x.shape[:-1], n - k), dtype=x.dtype, device=x.device)], -1)
            turned, one = below - below.mT, eye(n, dtype=x.dtype, device=x.device)
            by_cayley = self.orthogonal_map == "cayley"
            made = solve(one - turned / 2, one + turned / 2) if by_cayley else matrix_exp(turned)
            made = made[..., :k]
        if self.use_trivialization:
            made = matmul(self.base, made)
        return made.mT if wide else made

    def right_inverse(self, value: Tensor) -> Tensor:
        """Return the free weight that gives `value`, made orthogonal: `base` keeps what -1 and zeros would lose."""
        if value.shape != self.shape:
            raise ShapeError(f"orthogonal: the weight has shape {self.shape}, not {value.shape}")
        wide = value.shape[-2] < value.shape[-1]
        q: Any = value.mT if wide else value
        n, k = q.shape[-2:]
        if not self.use_trivialization:
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    f"orthogonal: no way back from {self.orthogonal_map!r} is known without use_trivialization"
                )
            packed, tau = np.linalg.qr(q._data, mode="raw")
            packed = np.swapaxes(packed, -1, -2).copy()
            place = np.arange(k)
            signs = np.sign(packed[..., place, place])
            packed[..., place, place] = np.where(tau == 0, -signs, signs)
            found = constant(packed)
            return found.mT if wide else found
        if n != k:
            q = cat([q, randn(*q.shape[:-1], n - k, dtype=q.dtype, device=q.device)], -1)
        factor, triangle = np.linalg.qr(q._data)
        base = factor * np.sign(np.diagonal(triangle, 0, -2, -1))[..., None, :]
        self.base = constant(base)
        least = zeros(*value.shape, dtype=value.dtype, device=value.device)
        place = np.arange(k)
        least._data[..., place, place] = -1.0
        return least


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Has the weight computed as a matrix Q with QᵀQ = 1 (Q Qᵀ = 1 where it is wider than high), or a batch of them.

    orthogonal_map: "matrix_exp", e**A of a skew-symmetric A; "cayley", (1 - A/2)⁻¹ (1 + A/2); "householder", a product
    of reflections. Without one, "matrix_exp" for square weights, else "householder". use_trivialization: times a fixed
    base, by which the weight begins at its own nearest Q. Returns the module. Raises ValueError for fewer than two
    axes and another map. Source: Lezcano-Casado, 2019, Trivializations for Gradient-Based Optimization on Manifolds.

    >>> from minitorch.nn import Linear
    >>> weight = orthogonal(Linear(2, 3)).weight.detach()
    >>> (weight.T @ weight).round(decimals=4).abs()
    tensor([[1., 0.],
            [0., 1.]])
    """
    weight: Any = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"orthogonal: {type(module).__name__} has no parameter or buffer {name!r}")
    if weight.ndim < 2:
        raise ShapeError(f"orthogonal: {name!r} has shape {weight.shape}, but a matrix is needed, or a batch of them")
    square = weight.shape[-2] == weight.shape[-1]
    chosen = ("matrix_exp" if square else "householder") if orthogonal_map is None else orthogonal_map
    if chosen not in ("matrix_exp", "cayley", "householder"):
        raise ValueError(f"orthogonal: orthogonal_map is 'matrix_exp', 'cayley' or 'householder', not {chosen!r}")
    return register_parametrization(module, name, _Orthogonal(weight, chosen, use_trivialization), unsafe=True)

"""Normalisation by the root of the mean square, in groups, over neighbouring channels; by the length; the cosine."""

from __future__ import annotations

import math

import numpy as np

from minitorch import Tensor, add, broadcast_tensors, clamp_min, div, matmul, mul, norm, pow, reshape, rsqrt, square
from minitorch import sum as sum_
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.nn.functional.padding import pad
from minitorch.errors import ShapeError
from minitorch.nn.functional._standardize import per_channel, require_channels, standardizing
from minitorch.nn.functional.norm import normalized_size
from minitorch.nn.functional.pool import avg_pool2d
from minitorch.ops._dims import accepts_numpy_names
from minitorch.types import Dim, Shape, TensorLike

__all__ = ["group_norm", "local_response_norm", "rms_norm", "cosine_similarity", "normalize"]


by_group = standardizing("group_norm")


def rms_norm(
    input: TensorLike, normalized_shape: Shape, weight: TensorLike | None = None, eps: float | None = None
) -> Tensor:
    """x̂ · weight with x̂ = x / √(mean x² + eps), over the last axes: (…, *normalized_shape) → the same.

    weight: normalized_shape. eps: None for the smallest step of the dtype above 1.
    dL/dx = (ĝ - x̂ · mean(ĝ x̂)) / √(mean x² + eps) with ĝ = g · weight; dL/dweight = Σ g x̂.
    Raises ValueError when the shapes do not fit.
    Source: Zhang and Sennrich, 2019, Root Mean Square Layer Normalization.

    >>> from minitorch import Tensor
    >>> rms_norm(Tensor([1.0, 7.0]), (2,))
    tensor([0.2000, 1.4000])
    """
    size = normalized_size("rms_norm", as_array(input).shape, normalized_shape, weight=weight)
    shape, numbers = as_array(input).shape, as_float(as_array(input))
    values = reshape(input if numbers is as_array(input) else numbers, (numbers.size // max(size, 1), size))
    eps = float(np.finfo(numbers.dtype).eps) if eps is None else eps
    shares = constant(xp(numbers).full((size, 1), 1 / max(size, 1), numbers.dtype))
    mean = matmul(mul(values, values), shares)  # quicker than sums of short rows
    normal = reshape(mul(values, rsqrt(add(mean, eps))), shape)
    return normal if weight is None else mul(normal, weight)


def group_norm(
    input: TensorLike,
    num_groups: int,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """x̂ · weight + bias, where each sample's channels are normalised in `num_groups` groups: (N, C, …) → (N, C, …).

    weight and bias: (C,). dL/dx as in `layer_norm`, over each group. Raises ValueError when C is not divisible.
    Source: Wu and He, 2018, Group Normalization.

    >>> from minitorch import Tensor
    >>> group_norm(Tensor([[1.0, 3.0, 0.0, 8.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    shape = as_array(input).shape
    if len(shape) < 2:
        raise ShapeError(f"group_norm: input must have shape (N, C) or (N, C, d₁, …), not {shape}")
    if num_groups < 1 or shape[1] % num_groups:
        raise ShapeError(f"group_norm: {shape[1]} channels of shape {shape} do not fall into {num_groups} equal groups")
    require_channels("group_norm", shape[1], weight=weight, bias=bias)
    size = shape[1] // num_groups * math.prod(shape[2:])
    if shape[0] * size == 1:
        raise ShapeError(f"group_norm: shape {shape} has one number in each of {num_groups} groups: use fewer groups")
    return by_group(input, *per_channel(len(shape), weight, bias), (1, shape[0] * num_groups, size), eps)


def local_response_norm(
    input: TensorLike, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """x / (k + alpha · mean of x² over `size` neighbouring channels)^beta: (N, C, …) → (N, C, …).

    Past the first and the last channel stand zeros, which count. Raises ValueError for fewer than three axes.
    Source: Krizhevsky, Sutskever and Hinton, 2012, ImageNet Classification with Deep Convolutional Neural Networks.

    >>> from minitorch import Tensor
    >>> local_response_norm(Tensor([[[1.0], [2.0]]]), 2, alpha=2.0, beta=1.0)
    tensor([[[0.5000],
             [0.3333]]])
    """
    shape = as_array(input).shape
    if len(shape) < 3:
        raise ShapeError(f"local_response_norm: input must have shape (N, C, …) with three axes or more, not {shape}")
    if size < 1:
        raise ValueError(f"local_response_norm: size must be at least 1, not {size}")
    flat = reshape(input, (shape[0], shape[1], math.prod(shape[2:])))
    squares = pad(square(flat), (0, 0, size // 2, (size - 1) // 2))
    mean = reshape(avg_pool2d(squares, (size, 1), 1), shape)
    return div(input, pow(add(mul(mean, alpha), k), beta))


@accepts_numpy_names
def normalize(input: TensorLike, p: float = 2.0, dim: Dim = 1, eps: float = 1e-12) -> Tensor:
    """x / max(‖x‖ₚ, eps) along `dim`: vectors of length 1, but for those shorter than eps.

    (…, n, …) → (…, n, …). dL/dx = (g - out · Σ g out) / ‖x‖ for p = 2; g / eps below eps.

    >>> from minitorch import Tensor
    >>> normalize(Tensor([[3.0, 4.0], [0.0, 2.0]]))
    tensor([[0.6000, 0.8000],
            [0.0000, 1.0000]])
    """
    return div(input, clamp_min(norm(input, p, dim, keepdim=True), eps))


@accepts_numpy_names
def cosine_similarity(x1: TensorLike, x2: TensorLike, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """x₁ · x₂ / (max(‖x₁‖, eps) · max(‖x₂‖, eps)) along `dim`: the cosine of the angle between two vectors.

    (…, n, …), (…, n, …) → (…, …), without the axis `dim`; the two broadcast.
    With u₁ and u₂ the two at length 1, dL/dx₁ = g · (u₂ - u₁ · cosine) / ‖x₁‖.

    >>> from minitorch import Tensor
    >>> cosine_similarity(Tensor([[1.0, 0.0]]), Tensor([[3.0, 4.0]]))
    tensor([0.6000])
    """
    x1, x2 = broadcast_tensors(x1, x2)
    return sum_(mul(_directed(x1, dim, eps), _directed(x2, dim, eps)), dim)


def _directed(vectors: TensorLike, dim: int, eps: float) -> Tensor:
    """The vectors divided by their length, or by eps: a constant added to the length, so that it keeps its gradient."""
    length = norm(vectors, 2.0, dim, keepdim=True)
    return div(vectors, add(length, constant(np.maximum(length.data, eps) - length.data)))

"""Normalisations: zero mean and unit variance along some axes."""

from __future__ import annotations

import math
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn.functional._standardize import (
    by_group,
    by_layer,
    per_channel,
    require_channels,
    scaled_to_one,
)
from minitorch.nn.functional.mean_pool import avg_pool2d
from minitorch.nn.functional.padding import pad
from minitorch.ops.arithmetic import add, div, mul, pow
from minitorch.ops.movement import reshape
from minitorch.ops.unary import square
from minitorch.types import Shape, TensorLike

__all__ = [
    "layer_norm",
    "local_response_norm",
    "rms_norm",
    "group_norm",
]


def layer_norm(
    input: TensorLike,
    normalized_shape: Shape,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """x̂ · weight + bias with x̂ = (x - mean) / √(variance + eps), over the last axes: (…, *normalized_shape) → the same.

    weight and bias: normalized_shape.
    dL/dx = (ĝ - mean ĝ - x̂ · mean(ĝ x̂)) / √(variance + eps) with ĝ = g · weight; dL/dweight = Σ g x̂, dL/dbias = Σ g.
    The variance is the biased one. Raises ValueError when the shapes do not fit.
    Source: Ba, Kiros and Hinton, 2016, Layer Normalization.

    >>> from minitorch import Tensor
    >>> layer_norm(Tensor([[1.0, 3.0], [0.0, 8.0]]), (2,))
    tensor([[-1.0000,  1.0000],
            [-1.0000,  1.0000]])
    """
    shape = as_array(input).shape
    size = _size("layer_norm", shape, normalized_shape, weight=weight, bias=bias)
    return by_layer(
        input,
        1.0 if weight is None else weight,
        0.0 if bias is None else bias,
        (1, math.prod(shape[: len(shape) - len(normalized_shape)]), size),
        eps,
    )


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
    size = _size("rms_norm", as_array(input).shape, normalized_shape, weight=weight)
    return scaled_to_one(input, 1.0 if weight is None else weight, size, eps)


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


# -- shapes ------------------------------------------------------------------------------------------------------------


def _size(name: str, shape: Shape, normalized_shape: Shape, **parameters: Any) -> int:
    """Return the number of elements that are normalised together. Raises ValueError unless they are the last axes."""
    if not isinstance(normalized_shape, (tuple, list)) or not normalized_shape:
        raise TypeError(
            f"{name}: normalized_shape must be a tuple such as {shape[-1:] or (3,)}, not {normalized_shape}"
        )
    wanted = tuple(normalized_shape)
    if shape[max(len(shape) - len(wanted), 0) :] != wanted:
        raise ShapeError(f"{name}: input of shape {shape} does not end with the axes {wanted} of normalized_shape")
    for label, value in parameters.items():
        if value is not None and as_array(value).shape != wanted:
            raise ShapeError(f"{name}: {label} has shape {as_array(value).shape}, but normalized_shape is {wanted}")
    return math.prod(wanted)

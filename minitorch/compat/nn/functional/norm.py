"""Normalisations by the root mean square, of groups of channels, and by neighbouring channels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array
from minitorch.compat.nn.functional.mean_pool import avg_pool2d
from minitorch.compat.nn.functional.padding import pad
from minitorch.errors import ShapeError
from minitorch.nn.functional._standardize import per_channel, require_channels, standardizing
from minitorch.nn.functional.norm import normalized_size
from minitorch.ops._row_reductions import row_sums, summed_to
from minitorch.ops.arithmetic import add, div, mul, pow
from minitorch.ops.movement import reshape
from minitorch.ops.reduce import mean
from minitorch.ops.unary import sqrt, square
from minitorch.types import Shape, TensorLike

__all__ = ["group_norm", "local_response_norm", "rms_norm"]

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
    return rms_scaled(input, 1.0 if weight is None else weight, size, eps)


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


def _rms_scaled_composed(input: TensorLike, weight: TensorLike, size: int, eps: float | None) -> Any:
    values = reshape(input, (as_array(input).size // max(size, 1), size))
    eps = _machine_epsilon(as_array(input)) if eps is None else eps
    normal = div(values, sqrt(add(mean(mul(values, values), 1, keepdim=True), eps)))
    return mul(reshape(normal, as_array(input).shape), weight)


@primitive(name="rms_norm", composed=_rms_scaled_composed, promotes=False)
def rms_scaled(input: Any, weight: Any, size: int, eps: float | None) -> tuple[Any, Any]:
    """x̂ · weight with x̂ = x / √(mean x² + eps) over rows of `size` numbers."""
    rows = as_float(input).reshape(input.size // max(size, 1), size)
    eps = _machine_epsilon(rows) if eps is None else eps
    inverse = 1 / np.sqrt(row_sums(rows * rows) / max(size, 1) + eps)  # (rows, 1)
    normal = (rows * inverse).reshape(input.shape)
    return normal * weight, (normal, inverse)


def _rms_scaled_wrt_input(g: Any, weight: Any, size: int, aux: tuple[Any, Any]) -> Any:
    normal, inverse = aux
    normal = normal.reshape(len(inverse), size)
    gradient = (g * weight).reshape(len(inverse), size)
    gradient -= normal * (row_sums(gradient * normal) / max(size, 1))
    gradient *= inverse
    return gradient.reshape(g.shape)


rms_scaled.vjp(
    input=_rms_scaled_wrt_input,
    weight=lambda g, weight, aux: summed_to(g * aux[0], weight.shape),
)


def _machine_epsilon(values: Any) -> float:
    return float(np.finfo(values.dtype).eps)

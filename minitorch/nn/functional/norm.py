"""Normalisations: zero mean and unit variance along some axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.autograd.handle import as_array
from minitorch.backend import require_one_device
from minitorch.nn.functional._standardize import (
    Blocks,
    by_batch,
    by_group,
    by_instance,
    by_layer,
    moments_of,
    scaled_to_one,
)
from minitorch.ops._dims import as_float
from minitorch.ops._rows import column_sums
from minitorch.ops.arithmetic import add, mul
from minitorch.ops.movement import reshape
from minitorch.types import Shape, TensorLike

__all__ = [
    "layer_norm",
    "rms_norm",
    "batch_norm",
    "group_norm",
    "instance_norm",
]


def layer_norm(
    input: TensorLike,
    normalized_shape: Shape,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    eps: float = 1e-5,
) -> Any:
    """x̂ · weight + bias with x̂ = (x - mean) / √(variance + eps), over the last axes, those of `normalized_shape`.

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
) -> Any:
    """x̂ · weight with x̂ = x / √(mean x² + eps), over the last axes, those of `normalized_shape`.

    eps: None for the smallest step of the dtype above 1.
    dL/dx = (ĝ - x̂ · mean(ĝ x̂)) / √(mean x² + eps) with ĝ = g · weight; dL/dweight = Σ g x̂.
    Raises ValueError when the shapes do not fit.
    Source: Zhang and Sennrich, 2019, Root Mean Square Layer Normalization.

    >>> from minitorch import Tensor
    >>> rms_norm(Tensor([1.0, 7.0]), (2,))
    tensor([0.2000, 1.4000])
    """
    size = _size("rms_norm", as_array(input).shape, normalized_shape, weight=weight)
    return scaled_to_one(input, 1.0 if weight is None else weight, size, eps)


def batch_norm(
    input: TensorLike,
    running_mean: TensorLike | None,
    running_var: TensorLike | None,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """x̂ · weight + bias with x̂ = (x - mean) / √(variance + eps) for each channel: input (N, C) or (N, C, d₁, …).

    training: mean and (biased) variance are the batch's, and the running ones move towards them by the share
    `momentum`, in place (running_var to the unbiased variance). Else they are the running ones, which are constants.
    dL/dx while training as in `layer_norm`; else g · weight / √(running_var + eps).
    Raises ValueError when the shapes do not fit, and for a batch of one number in each channel.
    Source: Ioffe and Szegedy, 2015, Batch Normalization.

    >>> from minitorch import Tensor
    >>> batch_norm(Tensor([[1.0, 0.0], [3.0, 8.0]]), None, None, training=True)
    tensor([[-1.0000, -1.0000],
            [ 1.0000,  1.0000]])
    """
    shape = as_array(input).shape
    if len(shape) < 2:
        raise ValueError(f"batch_norm: input must have shape (N, C) or (N, C, d₁, …), not {shape}")
    _require_channels(
        "batch_norm", shape[1], running_mean=running_mean, running_var=running_var, weight=weight, bias=bias
    )
    require_one_device("batch_norm", input, running_mean=running_mean, running_var=running_var)
    if not training:
        return _by_running(input, running_mean, running_var, weight, bias, eps, "batch_norm: in evaluation mode")
    blocks = (shape[0], shape[1], math.prod(shape[2:]))
    if blocks[0] * blocks[2] == 1:
        raise ValueError(f"batch_norm: shape {shape} has one number in each channel, which has no variance: use more")
    moments = moments_of(as_float(as_array(input)).reshape(blocks))
    _follow(running_mean, running_var, moments, blocks, momentum)
    return by_batch(input, *_per_channel(len(shape), weight, bias), blocks, eps, moments)


def group_norm(
    input: TensorLike,
    num_groups: int,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    eps: float = 1e-5,
) -> Any:
    """x̂ · weight + bias, where each sample's channels are normalised in `num_groups` groups: input (N, C, d₁, …).

    weight and bias: (C,). dL/dx as in `layer_norm`, over each group. Raises ValueError when C is not divisible.
    Source: Wu and He, 2018, Group Normalization.

    >>> from minitorch import Tensor
    >>> group_norm(Tensor([[1.0, 3.0, 0.0, 8.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    shape = as_array(input).shape
    if len(shape) < 2:
        raise ValueError(f"group_norm: input must have shape (N, C) or (N, C, d₁, …), not {shape}")
    if num_groups < 1 or shape[1] % num_groups:
        raise ValueError(f"group_norm: {shape[1]} channels of shape {shape} do not fall into {num_groups} equal groups")
    _require_channels("group_norm", shape[1], weight=weight, bias=bias)
    size = shape[1] // num_groups * math.prod(shape[2:])
    if shape[0] * size == 1:
        raise ValueError(f"group_norm: shape {shape} has one number in each of {num_groups} groups: use fewer groups")
    return by_group(input, *_per_channel(len(shape), weight, bias), (1, shape[0] * num_groups, size), eps)


def instance_norm(
    input: TensorLike,
    running_mean: TensorLike | None = None,
    running_var: TensorLike | None = None,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """x̂ · weight + bias, where each channel of each sample is normalised by itself: input (N, C, d₁, …).

    use_input_stats: running statistics, where given, follow the mean over the samples; else they are used instead.
    dL/dx as in `layer_norm`, over each channel of each sample. Raises ValueError when there is one number in each.
    Source: Ulyanov, Vedaldi and Lempitsky, 2016, Instance Normalization.

    >>> from minitorch import Tensor
    >>> instance_norm(Tensor([[[1.0, 3.0], [0.0, 8.0]]]))
    tensor([[[-1.0000,  1.0000],
             [-1.0000,  1.0000]]])
    """
    shape = as_array(input).shape
    size = math.prod(shape[2:])
    if use_input_stats and (len(shape) < 3 or size == 1):
        raise ValueError(f"instance_norm: shape {shape} has one number in each channel of a sample: use more")
    _require_channels(
        "instance_norm", shape[1], running_mean=running_mean, running_var=running_var, weight=weight, bias=bias
    )
    require_one_device("instance_norm", input, running_mean=running_mean, running_var=running_var)
    if not use_input_stats:
        return _by_running(input, running_mean, running_var, weight, bias, eps, "instance_norm: without input stats")
    blocks = (1, shape[0] * shape[1], size)
    moments = moments_of(as_float(as_array(input)).reshape(blocks))
    over_samples = tuple([column_sums(each.reshape(shape[:2]))[:, None] / max(shape[0], 1) for each in moments])
    _follow(running_mean, running_var, over_samples, blocks, momentum)
    return by_instance(input, *_per_channel(len(shape), weight, bias), blocks, eps, moments)


# -- running statistics ------------------------------------------------------------------------------------------------


def _follow(running_mean: Any, running_var: Any, moments: tuple[Any, ...], blocks: Blocks, momentum: float) -> None:
    """Moves the running statistics, in place, towards those of the batch by the share `momentum`."""
    count = blocks[0] * blocks[2]
    unbiased = moments[1] * (count / max(count - 1, 1))
    for running, batch in ((running_mean, moments[0]), (running_var, unbiased)):
        if running is not None:
            held = as_array(running)
            held *= 1 - momentum
            held += momentum * batch[:, 0]


def _by_running(
    input: TensorLike, running_mean: Any, running_var: Any, weight: Any, bias: Any, eps: float, when: str
) -> Any:
    """(x - running_mean) / √(running_var + eps) · weight + bias, one factor and one term for each channel."""
    if running_mean is None or running_var is None:
        raise ValueError(f"{when} running_mean and running_var must be given")
    inverse = 1 / np.sqrt(as_array(running_var) + eps)
    factor = inverse if weight is None else mul(weight, inverse)
    term = mul(factor, -as_array(running_mean))
    if bias is not None:
        term = add(bias, term)
    shape = _channel_shape(as_array(input).ndim)
    return add(mul(input, reshape(factor, shape)), reshape(term, shape))


# -- shapes ------------------------------------------------------------------------------------------------------------


def _channel_shape(ndim: int) -> Shape:
    """The shape with which (C,) broadcasts along axis 1."""
    return (-1, *[1] * (ndim - 2))


def _per_channel(ndim: int, weight: TensorLike | None, bias: TensorLike | None) -> tuple[Any, Any]:
    """weight and bias in a shape that broadcasts along axis 1; 1 and 0 where there is none."""
    shape = _channel_shape(ndim)
    return 1.0 if weight is None else reshape(weight, shape), 0.0 if bias is None else reshape(bias, shape)


def _require_channels(name: str, channels: int, **parameters: Any) -> None:
    for label, value in parameters.items():
        if value is not None and as_array(value).shape != (channels,):
            raise ValueError(f"{name}: {label} has shape {as_array(value).shape}, but there are {channels} channels")


def _size(name: str, shape: Shape, normalized_shape: Shape, **parameters: Any) -> int:
    """How many numbers are normalised together. Raises ValueError unless they are the last axes."""
    if not isinstance(normalized_shape, (tuple, list)) or not normalized_shape:
        raise TypeError(
            f"{name}: normalized_shape must be a tuple such as {shape[-1:] or (3,)}, not {normalized_shape}"
        )
    wanted = tuple(normalized_shape)
    if shape[max(len(shape) - len(wanted), 0) :] != wanted:
        raise ValueError(f"{name}: input of shape {shape} does not end with the axes {wanted} of normalized_shape")
    for label, value in parameters.items():
        if value is not None and as_array(value).shape != wanted:
            raise ValueError(f"{name}: {label} has shape {as_array(value).shape}, but normalized_shape is {wanted}")
    return math.prod(wanted)

"""Normalisations of each channel, with statistics that are remembered for predictions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array
from minitorch.autograd.version import stamp
from minitorch.backend import require_one_device
from minitorch.errors import ShapeError
from minitorch.moved import moved_names
from minitorch.nn.functional._standardize import by_batch, channel_shape, moments_of, per_channel, require_channels
from minitorch.ops.arithmetic import add, mul
from minitorch.ops.movement import reshape
from minitorch.types import TensorLike

__all__ = ["batch_norm"]


def batch_norm(
    input: TensorLike,
    running_mean: TensorLike | None,
    running_var: TensorLike | None,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """x̂ · weight + bias with x̂ = (x - mean) / √(variance + eps) for each channel: (N, C, …) → (N, C, …).

    weight, bias, running_mean and running_var: (C,).
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
        raise ShapeError(f"batch_norm: input must have shape (N, C) or (N, C, d₁, …), not {shape}")
    require_channels(
        "batch_norm", shape[1], running_mean=running_mean, running_var=running_var, weight=weight, bias=bias
    )
    require_one_device("batch_norm", input, running_mean=running_mean, running_var=running_var)
    if not training:
        return normalized_by_running_stats(
            input, running_mean, running_var, weight, bias, eps, "batch_norm: in evaluation mode"
        )
    blocks = (shape[0], shape[1], math.prod(shape[2:]))
    if blocks[0] * blocks[2] == 1:
        raise ShapeError(f"batch_norm: shape {shape} has one number in each channel, which has no variance: use more")
    moments = moments_of(as_float(as_array(input)).reshape(blocks))
    update_running_stats((running_mean, running_var), moments, blocks[0] * blocks[2], momentum)
    return by_batch(input, *per_channel(len(shape), weight, bias), blocks, eps, moments)


# -- running statistics ------------------------------------------------------------------------------------------------


def update_running_stats(stats: tuple[Any, Any], moments: tuple[Any, ...], count: int, momentum: float) -> None:
    """Move the running mean and variance, in place, towards those of the batch by the share `momentum`."""
    unbiased = moments[1] * (count / max(count - 1, 1))
    for running, batch in zip(stats, (moments[0], unbiased)):
        if running is not None:
            values = as_array(running)
            stamp(values, "batch_norm")
            values *= 1 - momentum
            values += momentum * batch[:, 0]  # running statistics follow those of the batch


def normalized_by_running_stats(
    input: TensorLike, running_mean: Any, running_var: Any, weight: Any, bias: Any, eps: float, when: str
) -> Tensor:
    """(x - running_mean) / √(running_var + eps) · weight + bias, one factor and one term for each channel."""
    if running_mean is None or running_var is None:
        raise ShapeError(f"{when} running_mean and running_var must be given")
    inverse = 1 / np.sqrt(as_array(running_var) + eps)
    factor = inverse if weight is None else mul(weight, inverse)
    term = mul(factor, -as_array(running_mean))
    if bias is not None:
        term = add(bias, term)
    shape = channel_shape(as_array(input).ndim)
    return add(mul(input, reshape(factor, shape)), reshape(term, shape))


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.batchnorm import *
else:
    __getattr__, __dir__ = moved_names(__name__)

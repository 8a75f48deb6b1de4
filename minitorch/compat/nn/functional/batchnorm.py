"""Instance normalisation: each channel of each sample by itself."""

from __future__ import annotations

import math

from minitorch._tensor import Tensor
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import require_one_device
from minitorch.errors import ShapeError
from minitorch.nn.functional._standardize import moments_of, per_channel, require_channels, standardizing
from minitorch.nn.functional.batchnorm import normalized_by_running_stats, update_running_stats
from minitorch.ops._row_reductions import column_sums
from minitorch.types import TensorLike

__all__ = ["instance_norm"]

by_instance = standardizing("instance_norm")


def instance_norm(
    input: TensorLike,
    running_mean: TensorLike | None = None,
    running_var: TensorLike | None = None,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """x̂ · weight + bias, where each channel of each sample is normalised by itself: (N, C, …) → (N, C, …).

    weight, bias, running_mean and running_var: (C,).
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
        raise ShapeError(f"instance_norm: shape {shape} has one number in each channel of a sample: use more")
    require_channels(
        "instance_norm", shape[1], running_mean=running_mean, running_var=running_var, weight=weight, bias=bias
    )
    require_one_device("instance_norm", input, running_mean=running_mean, running_var=running_var)
    if not use_input_stats:
        return normalized_by_running_stats(
            input, running_mean, running_var, weight, bias, eps, "instance_norm: without input stats"
        )
    blocks = (1, shape[0] * shape[1], size)
    moments = moments_of(as_float(as_array(input)).reshape(blocks))
    over_samples = tuple([column_sums(each.reshape(shape[:2]))[:, None] / max(shape[0], 1) for each in moments])
    update_running_stats((running_mean, running_var), over_samples, size, momentum)
    return by_instance(input, *per_channel(len(shape), weight, bias), blocks, eps, moments)

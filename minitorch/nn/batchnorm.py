"""Normalisations for each channel, with statistics that are remembered for predictions."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn import functional
from minitorch.nn._sizes import require_sizes
from minitorch.nn.module import Module
from minitorch.nn.norm import ones_and_zeros
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty, zeros
from minitorch.ops.movement import squeeze, unsqueeze
from minitorch.types import TensorLike

__all__ = ["BatchNorm1d", "BatchNorm2d", "InstanceNorm1d", "InstanceNorm2d"]


class ChannelNorm(Module):
    """Base of batch and instance normalisation: weight, bias and running statistics, None where not wanted."""

    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    shapes: str  # of the inputs, for errors
    ndims: tuple[int, ...]

    def __init__(
        self,
        num_features: int,
        eps: float,
        momentum: float | None,
        affine: bool,
        track_running_stats: bool,
        device: Any,
        dtype: Any,
        bias: bool,
    ) -> None:
        super().__init__()
        require_sizes(type(self).__name__, num_features=num_features)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.weight = Parameter(empty(num_features, device=device, dtype=dtype)) if affine else None
        self.bias = Parameter(empty(num_features, device=device, dtype=dtype)) if affine and bias else None
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, device=device, dtype=dtype) if tracked else None)
        self.register_buffer("running_var", zeros(num_features, device=device, dtype=dtype) if tracked else None)
        self.register_buffer("num_batches_tracked", zeros((), device=device, dtype=np.int64) if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Mean 0, variance 1, no batch seen: what they are before training."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Ones and zeros again, and the running statistics too."""
        self.reset_running_stats()
        ones_and_zeros(self.weight, self.bias)

    def extra_repr(self) -> str:
        """The arguments."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _require_axes(self, input: TensorLike) -> None:
        shape = as_array(input).shape
        if len(shape) not in self.ndims:
            raise ShapeError(f"{type(self).__name__}: input must have shape {self.shapes}, not {shape}")


class _BatchNorm(ChannelNorm):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias)

    def forward(self, input: TensorLike) -> Tensor:
        """The input, normalised; while training, by the batch's own statistics, which are then remembered."""
        self._require_axes(input)
        remembers = self.training and self.track_running_stats
        momentum = 0.0 if self.momentum is None else self.momentum
        if remembers:
            self.num_batches_tracked.data += 1
            if self.momentum is None:  # the mean of all batches
                momentum = 1.0 / self.num_batches_tracked.item()
        by_batch = self.training or self.running_mean is None
        statistics: tuple[Any, Any] = (
            (None, None) if by_batch and not remembers else (self.running_mean, self.running_var)
        )
        return functional.batch_norm(input, *statistics, self.weight, self.bias, by_batch, momentum, self.eps)


class BatchNorm1d(_BatchNorm):
    """BatchNorm2d on vectors, (N, C) → (N, C), or rows, (N, C, L) → (N, C, L).

    >>> from minitorch import Tensor
    >>> BatchNorm1d(2)(Tensor([[1.0, 0.0], [3.0, 8.0]])).detach()
    tensor([[-1.0000, -1.0000],
            [ 1.0000,  1.0000]])
    """

    shapes = "(N, C) or (N, C, L)"
    ndims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """x̂ · weight + bias with x̂ = (x - mean) / √(variance + eps) for each of `num_features` channels.

    (N, C, H, W) → (N, C, H, W). While training, mean and (biased) variance are those of the batch, and the buffers
    running_mean and running_var move towards them by the share `momentum` (running_var to the unbiased variance);
    momentum=None makes them the mean of all batches seen, which num_batches_tracked counts. In eval mode they are used
    instead of the batch's; without `track_running_stats` there are none. weight and bias start as ones and zeros;
    affine=False leaves them out.

    Raises ValueError for another number of axes or channels, and while training for one number in each channel.
    Source: Ioffe and Szegedy, 2015, Batch Normalization.

    >>> from minitorch import Tensor
    >>> layer = BatchNorm2d(3)
    >>> layer(Tensor(np.zeros((8, 3, 4, 4), "f"))).shape
    (8, 3, 4, 4)
    >>> list(layer.state_dict())
    ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
    """

    shapes = "(N, C, H, W)"
    ndims = (4,)


class BatchNorm3d(_BatchNorm):
    """BatchNorm2d on volumes, (N, C, D, H, W) → (N, C, D, H, W).

    >>> from minitorch import Tensor
    >>> BatchNorm3d(3)(Tensor(np.zeros((2, 3, 4, 4, 4), "f"))).shape
    (2, 3, 4, 4, 4)
    """

    shapes = "(N, C, D, H, W)"
    ndims = (5,)


class _InstanceNorm(ChannelNorm):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias)

    def forward(self, input: TensorLike) -> Tensor:
        """The input, normalised."""
        self._require_axes(input)
        if as_array(input).ndim == self.ndims[0]:  # without a batch
            return squeeze(self._normalised(unsqueeze(input, 0)), 0)
        return self._normalised(input)

    def _normalised(self, input: TensorLike) -> Tensor:
        channels = as_array(input).shape[1]
        if channels != self.num_features:
            raise ShapeError(
                f"{type(self).__name__}: input has {channels} channels, but num_features={self.num_features}"
            )
        momentum = 0.0 if self.momentum is None else self.momentum
        rest = (self.training or not self.track_running_stats, momentum, self.eps)
        return functional.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias, *rest)


class InstanceNorm1d(_InstanceNorm):
    """InstanceNorm2d on rows: (N, C, L) → (N, C, L), or without N.

    >>> from minitorch import Tensor
    >>> InstanceNorm1d(2)(Tensor([[[1.0, 3.0], [0.0, 8.0]]]))
    tensor([[[-1.0000,  1.0000],
             [-1.0000,  1.0000]]])
    """

    shapes = "(N, C, L) or (C, L)"
    ndims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """x̂ · weight + bias, each channel of each sample normalised by itself: (N, C, H, W) → (N, C, H, W), or without N.

    As in PyTorch, there are no weight and bias unless `affine`, and nothing is remembered unless `track_running_stats`:
    the statistics are the sample's own when predicting too. num_batches_tracked is there, but not counted.
    Raises ValueError for another number of axes or channels, and for one number in each channel.
    Source: Ulyanov, Vedaldi and Lempitsky, 2016, Instance Normalization.

    >>> from minitorch import Tensor
    >>> InstanceNorm2d(3)(Tensor(np.zeros((8, 3, 4, 4), "f"))).shape
    (8, 3, 4, 4)
    """

    shapes = "(N, C, H, W) or (C, H, W)"
    ndims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """InstanceNorm2d on volumes: (N, C, D, H, W) → (N, C, D, H, W), or without N.

    >>> from minitorch import Tensor
    >>> InstanceNorm3d(3)(Tensor(np.zeros((3, 4, 4, 4), "f"))).shape
    (3, 4, 4, 4)
    """

    shapes = "(N, C, D, H, W) or (C, D, H, W)"
    ndims = (4, 5)

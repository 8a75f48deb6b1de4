"""Batch normalisation of volumes, and instance normalisation: each channel of each sample by itself."""

from __future__ import annotations

from typing import Any

from minitorch import Tensor, squeeze, unsqueeze
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn import functional
from minitorch.nn.batchnorm import ChannelNorm
from minitorch.types import TensorLike

__all__ = ["BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"]


class BatchNorm3d(ChannelNorm):
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
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input, normalised."""
        self._require_axes(input)
        if as_array(input).ndim == self.ndims[0]:  # without a batch
            return squeeze(self._normalised(unsqueeze(input, 0)), 0)
        return self._normalised(input)

    def _normalised(self, input: TensorLike) -> Tensor:
        count = as_array(input).shape[1]
        if count != self.num_features:
            raise ShapeError(f"{type(self).__name__}: input has {count} channels, but num_features={self.num_features}")
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

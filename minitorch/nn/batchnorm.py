"""Normalisations for each channel, with statistics that are remembered for predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn._sizes import require_sizes
from minitorch.nn.module import Module
from minitorch.nn.norm import reset_affine
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty, zeros
from minitorch.types import TensorLike

__all__ = ["BatchNorm1d", "BatchNorm2d"]


class ChannelNorm(Module):
    """Base of batch and instance normalisation: weight, bias and running statistics, each of which may be None."""

    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    shapes: str  # of the inputs, for errors
    ndims: tuple[int, ...]

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
        super().__init__()
        require_sizes(type(self).__name__, num_features=num_features)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.weight = Parameter(empty(num_features, device=device, dtype=dtype)) if affine else None
        self.bias = Parameter(empty(num_features, device=device, dtype=dtype)) if affine and bias else None
        buffers = (("running_mean", num_features, dtype), ("running_var", num_features, dtype))
        for name, shape, of in (*buffers, ("num_batches_tracked", (), np.int64)):
            self.register_buffer(name, zeros(shape, device=device, dtype=of) if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Set the running mean to 0, the variance to 1 and the count of batches to 0."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set weight and bias to 1 and 0, and reset the running statistics."""
        self.reset_running_stats()
        reset_affine(self.weight, self.bias)

    def forward(self, input: TensorLike) -> Tensor:
        """Normalise the input; while training, by the batch's statistics, which the running ones then follow."""
        self._require_axes(input)
        updates = self.training and self.track_running_stats
        momentum = 0.0 if self.momentum is None else self.momentum
        if updates:
            self.num_batches_tracked.data += 1
            if self.momentum is None:  # the mean of all batches
                momentum = 1.0 / self.num_batches_tracked.item()
        by_batch = self.training or self.running_mean is None
        running: tuple[Any, Any] = (None, None) if by_batch and not updates else (self.running_mean, self.running_var)
        return functional.batch_norm(input, *running, self.weight, self.bias, by_batch, momentum, self.eps)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _require_axes(self, input: TensorLike) -> None:
        shape = as_array(input).shape
        if len(shape) not in self.ndims:
            raise ShapeError(f"{type(self).__name__}: input must have shape {self.shapes}, not {shape}")


class BatchNorm1d(ChannelNorm):
    """BatchNorm2d on vectors, (N, C) → (N, C), or rows, (N, C, L) → (N, C, L).

    >>> from minitorch import Tensor
    >>> BatchNorm1d(2)(Tensor([[1.0, 0.0], [3.0, 8.0]])).detach()
    tensor([[-1.0000, -1.0000],
            [ 1.0000,  1.0000]])
    """

    shapes = "(N, C) or (N, C, L)"
    ndims = (2, 3)


class BatchNorm2d(ChannelNorm):
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


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.batchnorm import *
else:
    __getattr__, __dir__ = moved_names(__name__)

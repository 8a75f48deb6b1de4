"""Convolutions of rows and of volumes, and transposed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn import functional
from minitorch.nn.conv import Convolution
from minitorch.nn.functional._windows import per_axis
from minitorch.types import Counts, Shape, TensorLike

__all__ = ["Conv1d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]


class Conv1d(Convolution):
    """out[n, o, i] = bias[o] + Σ weight[o, c, a] · input[n, c, i · stride + a · dilation - padding]: Conv2d on rows.

    input (N, in_channels, L) or (in_channels, L), weight (out_channels, in_channels/groups, kernel_size)
    → (N, out_channels, windows).

    >>> from minitorch import Tensor
    >>> Conv1d(2, 4, 3, padding=1)(Tensor(np.zeros((1, 2, 9), "f"))).shape
    (1, 4, 9)
    """

    axes = 1
    _convolve = staticmethod(functional.conv1d)


class Conv3d(Convolution):
    """Conv2d with one axis more: (N, in_channels, D, H, W) or (in_channels, D, H, W) → (…, out_channels, windows, …).

    weight (out_channels, in_channels/groups, kD, kH, kW).

    >>> from minitorch import Tensor
    >>> Conv3d(2, 4, 3, padding=1)(Tensor(np.zeros((1, 2, 5, 9, 9), "f"))).shape
    (1, 4, 5, 9, 9)
    """

    axes = 3
    _convolve = staticmethod(functional.conv3d)


class _ConvTranspose(Convolution):
    """Constructor and forward of a transposed convolution over any number of axes."""

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Counts,
        stride: Counts = 1,
        padding: Counts = 0,
        output_padding: Counts = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Counts = 1,
        padding_mode: Literal["zeros"] = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f"{type(self).__name__}: padding_mode must be 'zeros', not {padding_mode!r}")
        rest = (dilation, groups, bias, padding_mode, device, dtype)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, *rest)
        self.output_padding = per_axis(type(self).__name__, "output_padding", output_padding, self.axes)

    def forward(self, input: TensorLike, output_size: Sequence[int] | None = None) -> Tensor:
        """Return the sum of the weights, scaled by the input. output_size: which of the possible sizes is meant.

        Raises ValueError for an output_size that cannot be.
        """
        missing = self.output_padding
        if output_size is not None:
            missing = self._padding_for(as_array(input).shape, output_size)
        geometry = (self.stride, self.padding, missing)
        return self._convolve(input, self.weight, self.bias, *geometry, self.groups, self.dilation)

    def _padding_for(self, shape: Shape, output_size: Sequence[int]) -> Shape:
        """Return the output_padding that gives output_size, which may have the leading axes too."""
        geometry = zip(shape[-self.axes :], self.stride, self.padding, self.dilation, self.kernel_size)
        least = tuple([(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, s, p, d, k in geometry])
        missing = tuple([want - have for want, have in zip(output_size[-self.axes :], least)])
        fits = all(0 <= more < stride for more, stride in zip(missing, self.stride))
        if len(output_size) not in (self.axes, len(shape)) or not fits:
            most = tuple([have + stride - 1 for have, stride in zip(least, self.stride)])
            raise ShapeError(
                f"{type(self).__name__}: an input of shape {shape} gives output sizes from {least} to {most}, "
                f"not {tuple(output_size)}"
            )
        return missing


class ConvTranspose1d(_ConvTranspose):
    """ConvTranspose2d on rows: (N, in_channels, L) or (in_channels, L) → (…, out_channels, more).

    >>> from minitorch import Tensor
    >>> ConvTranspose1d(2, 4, 2, stride=2)(Tensor(np.zeros((1, 2, 9), "f"))).shape
    (1, 4, 18)
    """

    axes = 1
    _convolve = staticmethod(functional.conv_transpose1d)


class ConvTranspose2d(_ConvTranspose):
    """Each number of the input lays its weight, scaled, onto the output: what Conv2d does to gradients.

    input (N, in_channels, H, W) or (in_channels, H, W) → (N, out_channels, (H - 1) · stride - 2 padding + dilation
    (kernel_size - 1) + output_padding + 1, …). weight (in_channels, out_channels/groups, kH, kW) and bias
    (out_channels,) start uniform in ±1/√(out_channels/groups · kH · kW), as in PyTorch.

    Raises ValueError where groups do not divide the channels and where shapes do not fit.
    Source: Zeiler, Krishnan, Taylor and Fergus, 2010, Deconvolutional Networks.

    >>> from minitorch import Tensor
    >>> ConvTranspose2d(8, 3, 2, stride=2)(Tensor(np.zeros((1, 8, 14, 14), "f"))).shape
    (1, 3, 28, 28)
    """

    axes = 2
    _convolve = staticmethod(functional.conv_transpose2d)


class ConvTranspose3d(_ConvTranspose):
    """ConvTranspose2d with one axis more: (N, in_channels, D, H, W) or (in_channels, D, H, W) → (…, out_channels, …).

    weight (in_channels, out_channels/groups, kD, kH, kW).

    >>> from minitorch import Tensor
    >>> ConvTranspose3d(2, 4, 2, stride=2)(Tensor(np.zeros((1, 2, 3, 4, 4), "f"))).shape
    (1, 4, 6, 8, 8)
    """

    axes = 3
    _convolve = staticmethod(functional.conv_transpose3d)

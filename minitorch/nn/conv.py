"""Convolutions: one small matrix of weights, slid along the axes of an image or a row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn import functional
from minitorch.nn._sizes import require_sizes
from minitorch.nn.functional._windows import per_axis
from minitorch.nn.linear import start_uniform
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty
from minitorch.types import Shape, TensorLike

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]

Counts = int | Sequence[int]
PaddingMode = Literal["zeros", "reflect", "replicate", "circular"]


class Convolution(Module):
    """Base of all six convolutions: arguments, a weight and a bias, how these start, and the text of `repr`."""

    axes: int
    transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Counts,
        stride: Counts,
        padding: Counts | str,
        dilation: Counts,
        output_padding: Counts,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: Any,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        require_sizes(name, in_channels=in_channels, out_channels=out_channels, groups=groups)
        _require_groups(name, groups, in_channels=in_channels, out_channels=out_channels)
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                f"{name}: padding_mode must be 'zeros', 'reflect', 'replicate' or 'circular', not {padding_mode!r}"
            )
        if isinstance(padding, str) and (self.transposed or padding not in ("same", "valid")):
            known = "numbers" if self.transposed else "'same', 'valid' or numbers"
            raise ValueError(f"{name}: padding {padding!r} is not known: write {known}")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = per_axis(name, "kernel_size", kernel_size, self.axes)
        self.stride = per_axis(name, "stride", stride, self.axes)
        self.padding: Any = padding if isinstance(padding, str) else per_axis(name, "padding", padding, self.axes)
        self.dilation = per_axis(name, "dilation", dilation, self.axes)
        self.output_padding = per_axis(name, "output_padding", output_padding, self.axes)
        self.groups = groups
        self.padding_mode = padding_mode
        if padding == "same" and set(self.stride) != {1}:
            raise ValueError(f"{name}: padding 'same' needs stride 1, not {self.stride}")
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self.weight = Parameter(empty((first, second // groups, *self.kernel_size), device=device, dtype=dtype))
        self.bias = Parameter(empty(out_channels, device=device, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws weight and bias again."""
        start_uniform(math.prod(self.weight.shape[1:]), self.weight, self.bias)

    def extra_repr(self) -> str:
        """The arguments that are not what they are by default."""
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        zeros, ones = (0,) * self.axes, (1,) * self.axes
        shown = {
            "padding": self.padding != zeros,
            "dilation": self.dilation != ones,
            "output_padding": self.output_padding != zeros,
            "groups": self.groups != 1,
        }
        text += "".join([f", {name}={getattr(self, name)}" for name, unusual in shown.items() if unusual])
        text += ", bias=False" if self.bias is None else ""
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"


class _Conv(Convolution):
    """Forward, with any number of axes."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Counts,
        stride: Counts = 1,
        padding: Counts | str = 0,
        dilation: Counts = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: PaddingMode = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        rest = (groups, bias, padding_mode, device, dtype)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, 0, *rest)

    def forward(self, input: TensorLike) -> Tensor:
        """The windows of the input, weighted and summed."""
        convolve = (functional.conv1d, functional.conv2d, functional.conv3d)[self.axes - 1]
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input, padding = functional.pad(input, self._around(), self.padding_mode), 0
        return convolve(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _around(self) -> list[int]:
        """The padding as `pad` wants it: (before, after) of each axis, the last axis first."""
        amounts: list[int] = []
        for axis in reversed(range(self.axes)):
            total = self.dilation[axis] * (self.kernel_size[axis] - 1) if self.padding == "same" else 0
            before = total // 2 if isinstance(self.padding, str) else self.padding[axis]
            amounts += [before, total - before if isinstance(self.padding, str) else before]
        return amounts


class Conv1d(_Conv):
    """out[n, o, i] = bias[o] + Σ weight[o, c, a] · input[n, c, i · stride + a · dilation - padding]: Conv2d on rows.

    input (N, in_channels, L) or (in_channels, L), weight (out_channels, in_channels/groups, kernel_size)
    → (N, out_channels, windows).

    >>> from minitorch import Tensor
    >>> Conv1d(2, 4, 3, padding=1)(Tensor(np.zeros((1, 2, 9), "f"))).shape
    (1, 4, 9)
    """

    axes = 1


class Conv2d(_Conv):
    """out[n, o, i, j] = bias[o] + Σ weight[o, c, a, b] · input[n, c, i · stride + a · dilation - padding, …].

    input (N, in_channels, H, W) or (in_channels, H, W) → (N, out_channels, ⌊(H + 2 padding - dilation (kernel_size - 1)
    - 1) / stride⌋ + 1, …). weight (out_channels, in_channels/groups, kH, kW) and bias (out_channels,) start uniform in
    ±1/√(in_channels/groups · kH · kW). padding: numbers, "valid" (none) or "same" (the size stays). padding_mode: what
    stands past the edge: "zeros", or the image itself by "reflect", "replicate" or "circular". groups: parts of the
    channels that see nothing of each other.

    Raises ValueError where groups do not divide the channels and where shapes do not fit.
    Source: LeCun et al., 1989, Backpropagation Applied to Handwritten Zip Code Recognition.

    >>> from minitorch import Tensor
    >>> layer = Conv2d(3, 8, kernel_size=3, padding=1)
    >>> layer
    Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    >>> layer(Tensor(np.zeros((1, 3, 28, 28), "f"))).shape
    (1, 8, 28, 28)
    """

    axes = 2


class Conv3d(_Conv):
    """Conv2d with one axis more: (N, in_channels, D, H, W) or (in_channels, D, H, W) → (…, out_channels, windows, …).

    weight (out_channels, in_channels/groups, kD, kH, kW).

    >>> from minitorch import Tensor
    >>> Conv3d(2, 4, 3, padding=1)(Tensor(np.zeros((1, 2, 5, 9, 9), "f"))).shape
    (1, 4, 5, 9, 9)
    """

    axes = 3


class _ConvTranspose(Convolution):
    """Forward, with any number of axes."""

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
        rest = (groups, bias, padding_mode, device, dtype)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, *rest)

    def forward(self, input: TensorLike, output_size: Sequence[int] | None = None) -> Tensor:
        """The weights, laid out as the input says. output_size: which of the possible sizes is meant.

        Raises ValueError for an output_size that cannot be.
        """
        known = (functional.conv_transpose1d, functional.conv_transpose2d, functional.conv_transpose3d)
        convolve = known[self.axes - 1]
        missing: Any = self.output_padding if output_size is None else self._missing(as_array(input).shape, output_size)
        geometry = (self.stride, self.padding, missing)
        return convolve(input, self.weight, self.bias, *geometry, self.groups, self.dilation)

    def _missing(self, shape: Shape, output_size: Sequence[int]) -> Shape:
        """The output_padding that gives output_size, which may have the leading axes too."""
        geometry = zip(shape[-self.axes :], self.stride, self.padding, self.dilation, self.kernel_size)
        least = tuple(
            [
                (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1
                for size, stride, padding, dilation, kernel in geometry
            ]
        )
        missing = tuple([want - have for want, have in zip(output_size[-self.axes :], least)])
        if len(output_size) not in (self.axes, len(shape)) or not all(
            0 <= more < stride for more, stride in zip(missing, self.stride)
        ):
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


class ConvTranspose3d(_ConvTranspose):
    """ConvTranspose2d with one axis more: (N, in_channels, D, H, W) or (in_channels, D, H, W) → (…, out_channels, …).

    weight (in_channels, out_channels/groups, kD, kH, kW).

    >>> from minitorch import Tensor
    >>> ConvTranspose3d(2, 4, 2, stride=2)(Tensor(np.zeros((1, 2, 3, 4, 4), "f"))).shape
    (1, 4, 6, 8, 8)
    """

    axes = 3


def _require_groups(name: str, groups: int, **channels: int) -> None:
    if groups < 1:
        raise ShapeError(f"{name}: groups={groups} must be at least 1")
    for label, count in channels.items():
        if count % groups:
            raise ValueError(f"{name}: {label}={count} must be divisible by groups={groups}")

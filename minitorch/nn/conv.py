"""Convolution of images, and the base of all convolutions; those of rows and volumes stand in `compat`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from minitorch._tensor import Tensor
from minitorch.errors import ShapeError
from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn._sizes import require_sizes
from minitorch.nn.functional._windows import per_axis
from minitorch.nn.linear import start_uniform
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty
from minitorch.types import Counts, TensorLike

__all__ = ["Conv2d"]

PaddingMode = Literal["zeros", "reflect", "replicate", "circular"]


class Convolution(Module):
    """Base of all convolutions: arguments, weight and bias, their initialisation, and the text of `repr`."""

    axes: int
    transposed = False
    _convolve: Callable[..., Tensor]

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
        self.output_padding = (0,) * self.axes
        self.groups = groups
        self.padding_mode = padding_mode
        if padding == "same" and set(self.stride) != {1}:
            raise ValueError(f"{name}: padding 'same' needs stride 1, not {self.stride}")
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self.weight = Parameter(empty((first, second // groups, *self.kernel_size), device=device, dtype=dtype))
        self.bias = Parameter(empty(out_channels, device=device, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise weight and bias anew."""
        start_uniform(math.prod(self.weight.shape[1:]), self.weight, self.bias)

    def forward(self, input: TensorLike) -> Tensor:
        """Return the weighted sum over each window of the input."""
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input, padding = functional.pad(input, self._padding_amounts(), self.padding_mode), 0
        return self._convolve(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _padding_amounts(self) -> list[int]:
        """Return the padding in the order of `pad`: (before, after) of each axis, the last axis first."""
        amounts: list[int] = []
        for axis in reversed(range(self.axes)):
            total = self.dilation[axis] * (self.kernel_size[axis] - 1) if self.padding == "same" else 0
            before = total // 2 if isinstance(self.padding, str) else self.padding[axis]
            amounts += [before, total - before if isinstance(self.padding, str) else before]
        return amounts

    def extra_repr(self) -> str:
        """Return the arguments that differ from their defaults."""
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        zeros, ones = (0,) * self.axes, (1,) * self.axes
        defaults = {"padding": zeros, "dilation": ones, "output_padding": zeros, "groups": 1}
        values = {name: getattr(self, name) for name in defaults}
        text += "".join([f", {name}={value}" for name, value in values.items() if value != defaults[name]])
        text += ", bias=False" if self.bias is None else ""
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"


class Conv2d(Convolution):
    """out[n, o, i, j] = bias[o] + Σ weight[o, c, a, b] · input[n, c, i · stride + a · dilation - padding, …].

    input (N, in_channels, H, W) or (in_channels, H, W) → (N, out_channels, ⌊(H + 2 padding - dilation (kernel_size - 1)
    - 1) / stride⌋ + 1, …). weight (out_channels, in_channels/groups, kH, kW) and bias (out_channels,) start uniform in
    ±1/√(in_channels/groups · kH · kW). padding: numbers, "valid" (none) or "same" (the size stays). padding_mode: what
    stands past the edge: "zeros", or the image itself by "reflect", "replicate" or "circular". groups: parts of the
    channels that are convolved separately.

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
    _convolve = staticmethod(functional.conv2d)


def _require_groups(name: str, groups: int, **channels: int) -> None:
    if groups < 1:
        raise ShapeError(f"{name}: groups={groups} must be at least 1")
    for label, count in channels.items():
        if count % groups:
            raise ValueError(f"{name}: {label}={count} must be divisible by groups={groups}")


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.conv import *
else:
    __getattr__, __dir__ = moved_names(__name__)

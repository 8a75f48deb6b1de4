"""Pools of images, and the bases of those of rows and volumes, which stand in `compat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import Counts, TensorLike

__all__ = ["AvgPool2d", "MaxPool2d"]


class MaxPool(Module):
    """Base of the max pools: arguments and forward."""

    _pool: Callable[..., Any]

    def __init__(
        self,
        kernel_size: Counts,
        stride: Counts | None = None,
        padding: Counts = 0,
        dilation: Counts = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: TensorLike) -> Any:
        """Return the largest number of each window; with return_indices, its index too."""
        geometry = (self.kernel_size, self.stride, self.padding, self.dilation)
        return self._pool(input, *geometry, ceil_mode=self.ceil_mode, return_indices=self.return_indices)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool2d(MaxPool):
    """The largest number in each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - span) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given, span = dilation (kernel_size - 1) + 1. Past the edge stands -inf;
    `ceil_mode` rounds up; `return_indices` gives `(values, indices)`. g goes to the largest number, of equal ones to
    the first. Raises ValueError. Source: Yamaguchi et al., 1990.

    >>> from minitorch import Tensor
    >>> MaxPool2d(2)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[3.]]])
    """

    _pool = staticmethod(functional.max_pool2d)


class AvgPool(Module):
    """Base of the pools of means: arguments and forward."""

    _pool: Callable[..., Tensor]

    def __init__(
        self,
        kernel_size: Counts,
        stride: Counts | None = None,
        padding: Counts = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: TensorLike) -> Tensor:
        """Return the mean of each window."""
        geometry = (self.kernel_size, self.stride, self.padding, self.ceil_mode)
        return self._pool(input, *geometry, self.count_include_pad, self.divisor_override)

    def extra_repr(self) -> str:
        """Return where the windows stand."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(AvgPool):
    """The mean of each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - kernel_size) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given; `ceil_mode` rounds up. The sum is divided by how many places the window
    has in the padded input, or with `count_include_pad=False` in the input itself, or by `divisor_override`.
    Raises ValueError.

    >>> from minitorch import Tensor
    >>> AvgPool2d(2)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[1.5000]]])
    """

    _pool = staticmethod(functional.avg_pool2d)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.pool import *
else:
    __getattr__, __dir__ = moved_names(__name__)

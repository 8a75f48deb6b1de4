"""Pools: the largest number of each window, or its mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional._windows import per_axis
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = [
    "AvgPool1d",
    "AvgPool2d",
    "MaxPool1d",
    "MaxPool2d",
]

Counts = int | Sequence[int]


# -- the largest number ------------------------------------------------------------------------------------------------


class _MaxPool(Module):
    """The arguments of a max pool."""

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

    def _pooled(self, pool: Any, input: TensorLike) -> Any:
        geometry = (self.kernel_size, self.stride, self.padding, self.dilation)
        return pool(input, *geometry, ceil_mode=self.ceil_mode, return_indices=self.return_indices)

    def extra_repr(self) -> str:
        """The arguments."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    """MaxPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> MaxPool1d(2)(Tensor([[1.0, 3.0, 2.0, 5.0]]))
    tensor([[3., 5.]])
    """

    def forward(self, input: TensorLike) -> Any:
        """The largest number of each window."""
        return self._pooled(functional.max_pool1d, input)


class MaxPool2d(_MaxPool):
    """The largest number in each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - span) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given, span = dilation (kernel_size - 1) + 1. Past the edge stands -inf;
    `ceil_mode` rounds up; `return_indices` gives `(values, indices)`. g goes to the largest number, of equal ones to
    the first. Raises ValueError. Source: Yamaguchi et al., 1990.

    >>> from minitorch import Tensor
    >>> MaxPool2d(2)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[3.]]])
    """

    def forward(self, input: TensorLike) -> Any:
        """The largest number of each window."""
        return self._pooled(functional.max_pool2d, input)


# -- the mean ----------------------------------------------------------------------------------------------------------


class AvgPool1d(Module):
    """AvgPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> AvgPool1d(2)(Tensor([[1.0, 3.0, 2.0, 5.0]]))
    tensor([[2.0000, 3.5000]])
    """

    def __init__(
        self,
        kernel_size: Counts,
        stride: Counts | None = None,
        padding: Counts = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = per_axis("AvgPool1d", "kernel_size", kernel_size, 1)
        self.stride = self.kernel_size if stride is None else per_axis("AvgPool1d", "stride", stride, 1)
        self.padding = per_axis("AvgPool1d", "padding", padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: TensorLike) -> Tensor:
        """The mean of each window."""
        geometry = (self.kernel_size, self.stride, self.padding)
        return functional.avg_pool1d(input, *geometry, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(Module):
    """The mean of each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - kernel_size) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given; `ceil_mode` rounds up. The sum is divided by how many places the window
    has in the padded input, or with `count_include_pad=False` in the input itself, or by `divisor_override`.
    Raises ValueError.

    >>> from minitorch import Tensor
    >>> AvgPool2d(2)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[1.5000]]])
    """

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
        """The mean of each window."""
        geometry = (self.kernel_size, self.stride, self.padding)
        return functional.avg_pool2d(input, *geometry, self.ceil_mode, self.count_include_pad, self.divisor_override)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

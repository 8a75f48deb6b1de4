"""Pools of the largest number of each window, and its way back to where it stood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional._windows import per_axis
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]

Counts = int | Sequence[int]


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


class MaxPool3d(_MaxPool):
    """MaxPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> MaxPool3d((2, 1, 2))(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[3.]]]])
    """

    def forward(self, input: TensorLike) -> Any:
        """The largest number of each window."""
        return self._pooled(functional.max_pool3d, input)


class _MaxUnpool(Module):
    """The arguments, one number for each axis; which function."""

    axes: int

    def __init__(self, kernel_size: Counts, stride: Counts | None = None, padding: Counts = 0) -> None:
        super().__init__()
        name = type(self).__name__
        self.kernel_size = per_axis(name, "kernel_size", kernel_size, self.axes)
        self.stride = self.kernel_size if stride is None else per_axis(name, "stride", stride, self.axes)
        self.padding = per_axis(name, "padding", padding, self.axes)

    def forward(self, input: TensorLike, indices: TensorLike, output_size: Sequence[int] | None = None) -> Tensor:
        """Each number where it was found, zeros elsewhere. output_size: which of the possible sizes is meant."""
        unpool = (functional.max_unpool1d, functional.max_unpool2d, functional.max_unpool3d)[self.axes - 1]
        return unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    """MaxUnpool2d on rows: (N, C, windows) or (C, windows) → (…, L).

    >>> from minitorch import Tensor
    >>> MaxUnpool1d(2)(Tensor([[3.0, 5.0]]), Tensor([[1, 2]]))
    tensor([[0., 3., 5., 0.]])
    """

    axes = 1


class MaxUnpool2d(_MaxUnpool):
    """Each number put back where MaxPool2d(…, return_indices=True) found it: (N, C, h, w) or (C, h, w) → (…, H, W).

    Zeros stand elsewhere. The sizes are (h - 1) · stride - 2 padding + kernel_size, or those of output_size.
    Raises ValueError when shapes do not fit. Source: Zeiler and Fergus, 2014.

    >>> from minitorch import Tensor
    >>> MaxUnpool2d(2)(Tensor([[[3.0]]]), Tensor([[[1]]]))
    tensor([[[0., 3.],
             [0., 0.]]])
    """

    axes = 2


class MaxUnpool3d(_MaxUnpool):
    """MaxUnpool2d with one axis more: (N, C, d, h, w) or (C, d, h, w) → (…, D, H, W).

    >>> from minitorch import Tensor
    >>> MaxUnpool3d(2)(Tensor([[[[3.0]]]]), Tensor([[[[7]]]])).shape
    (1, 2, 2, 2)
    """

    axes = 3

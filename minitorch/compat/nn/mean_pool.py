"""Pools of means: of all numbers of each window, or of their p-th powers."""

from __future__ import annotations

from collections.abc import Callable

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional._windows import per_axis
from minitorch.nn.module import Module
from minitorch.types import Counts, TensorLike

__all__ = ["AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d"]


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
        """Return the mean of each window."""
        geometry = (self.kernel_size, self.stride, self.padding)
        return functional.avg_pool1d(input, *geometry, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AvgPool(Module):
    """Base of the average pools of images and volumes: arguments and forward."""

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
        geometry = (self.kernel_size, self.stride, self.padding)
        return self._pool(input, *geometry, self.ceil_mode, self.count_include_pad, self.divisor_override)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(_AvgPool):
    """The mean of each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - kernel_size) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given; `ceil_mode` rounds up. The sum is divided by how many places the window
    has in the padded input, or with `count_include_pad=False` in the input itself, or by `divisor_override`.
    Raises ValueError.

    >>> from minitorch import Tensor
    >>> AvgPool2d(2)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[1.5000]]])
    """

    _pool = staticmethod(functional.avg_pool2d)


class AvgPool3d(_AvgPool):
    """AvgPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> AvgPool3d((2, 1, 2))(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[1.5000]]]])
    """

    _pool = staticmethod(functional.avg_pool3d)


class _LPPool(Module):
    """Base of the power-average pools: arguments and forward."""

    _pool: Callable[..., Tensor]

    def __init__(
        self, norm_type: float, kernel_size: Counts, stride: Counts | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: TensorLike) -> Tensor:
        """Return the p-norm of each window."""
        return self._pool(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        """Return the arguments."""
        geometry = f"kernel_size={self.kernel_size}, stride={self.stride}"
        return f"norm_type={self.norm_type}, {geometry}, ceil_mode={self.ceil_mode}"


class LPPool1d(_LPPool):
    """LPPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> LPPool1d(2, 2)(Tensor([[3.0, 4.0, 0.0, 5.0]]))
    tensor([[5., 5.]])
    """

    _pool = staticmethod(functional.lp_pool1d)


class LPPool2d(_LPPool):
    """(Σ xᵖ)^(1/p) over each window, with p = norm_type: (N, C, H, W) or (C, H, W) → (…, windows, windows).

    >>> from minitorch import Tensor
    >>> LPPool2d(2, 2)(Tensor([[[3.0, 4.0], [0.0, 12.0]]]))
    tensor([[[13.]]])
    """

    _pool = staticmethod(functional.lp_pool2d)


class LPPool3d(_LPPool):
    """LPPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> LPPool3d(2, (2, 1, 1))(Tensor([[[[3.0]], [[4.0]]]]))
    tensor([[[[5.]]]])
    """

    _pool = staticmethod(functional.lp_pool3d)

"""Pools of means: of all numbers of each window, or of their p-th powers."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.nn.functional._windows import per_axis
from minitorch.types import Counts, TensorLike

__all__ = ["AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d"]


@layer
class _AvgPool(FunctionLayer):
    kernel_size: Counts
    stride: Counts | None = None
    padding: Counts = 0
    ceil_mode: bool = False
    count_include_pad: bool = True

    def __post_init__(self) -> None:
        self.stride = self.kernel_size if self.stride is None else self.stride

    def extra_repr(self) -> str:
        """Return where the windows stand."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPool, function="avg_pool1d"):
    """AvgPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> AvgPool1d(2)(Tensor([[1.0, 3.0, 2.0, 5.0]]))
    tensor([[2.0000, 3.5000]])
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("kernel_size", "stride", "padding"):
            setattr(self, name, per_axis("AvgPool1d", name, getattr(self, name), 1))


@layer
class AvgPool2d(_AvgPool, function="avg_pool2d"):
    """The mean of each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - kernel_size) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given; `ceil_mode` rounds up. The sum is divided by the number of positions
    of the window in the padded input, or with `count_include_pad=False` in the input, or by `divisor_override`.
    Raises ValueError.

    >>> from minitorch import Tensor
    >>> AvgPool2d(2)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[1.5000]]])
    """

    divisor_override: int | None = None


@layer
class AvgPool3d(_AvgPool, function="avg_pool3d"):
    """AvgPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> AvgPool3d((2, 1, 2))(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[1.5000]]]])
    """

    divisor_override: int | None = None


@layer
class _LPPool(FunctionLayer):
    norm_type: float
    kernel_size: Counts
    stride: Counts | None = None
    ceil_mode: bool = False

    def forward(self, input: TensorLike) -> Tensor:
        """Return the p-norm of each window."""
        return self._function(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool1d(_LPPool, function="lp_pool1d"):
    """LPPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> LPPool1d(2, 2)(Tensor([[3.0, 4.0, 0.0, 5.0]]))
    tensor([[5., 5.]])
    """


class LPPool2d(_LPPool, function="lp_pool2d"):
    """(Σ xᵖ)^(1/p) over each window, with p = norm_type: (N, C, H, W) or (C, H, W) → (…, windows, windows).

    >>> from minitorch import Tensor
    >>> LPPool2d(2, 2)(Tensor([[[3.0, 4.0], [0.0, 12.0]]]))
    tensor([[[13.]]])
    """


class LPPool3d(_LPPool, function="lp_pool3d"):
    """LPPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> LPPool3d(2, (2, 1, 1))(Tensor([[[[3.0]], [[4.0]]]]))
    tensor([[[[5.]]]])
    """

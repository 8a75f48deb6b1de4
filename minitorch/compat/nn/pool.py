"""Pools of rows and of volumes, p-norms of windows, unpooling, and pools that are told the size of their result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.nn import functional
from minitorch.nn.functional._windows import per_axis
from minitorch.nn.pool import AvgPool, MaxPool
from minitorch.types import Counts, TensorLike

__all__ = ["MaxPool1d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "AvgPool1d", "AvgPool3d"]
__all__ += ["LPPool1d", "LPPool2d", "LPPool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"]
__all__ += ["AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d"]

Sizes = int | None | Sequence[int | None]


class MaxPool1d(MaxPool):
    """MaxPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> MaxPool1d(2)(Tensor([[1.0, 3.0, 2.0, 5.0]]))
    tensor([[3., 5.]])
    """

    _pool = staticmethod(functional.max_pool1d)


class MaxPool3d(MaxPool):
    """MaxPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> MaxPool3d((2, 1, 2))(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[3.]]]])
    """

    _pool = staticmethod(functional.max_pool3d)


@layer
class _PerAxis(FunctionLayer):
    """Base of the pools that keep one number for each axis."""

    kernel_size: Counts
    stride: Counts | None = None
    padding: Counts = 0
    axes: ClassVar[int]

    def __post_init__(self) -> None:
        self.stride = self.kernel_size if self.stride is None else self.stride
        for name in ("kernel_size", "stride", "padding"):
            setattr(self, name, per_axis(type(self).__name__, name, getattr(self, name), self.axes))

    def extra_repr(self) -> str:
        """Return where the windows stand."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _MaxUnpool(_PerAxis):
    """Base of the unpooling layers."""

    def forward(self, input: TensorLike, indices: TensorLike, output_size: Sequence[int] | None = None) -> Tensor:  # type: ignore[override]
        """Return each number where it was found, zeros elsewhere. output_size: which of the possible sizes is meant."""
        return self._function(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpool, function="max_unpool1d"):
    """MaxUnpool2d on rows: (N, C, windows) or (C, windows) → (…, L).

    >>> from minitorch import Tensor
    >>> MaxUnpool1d(2)(Tensor([[3.0, 5.0]]), Tensor([[1, 2]]))
    tensor([[0., 3., 5., 0.]])
    """

    axes = 1


class MaxUnpool2d(_MaxUnpool, function="max_unpool2d"):
    """Each number put back where MaxPool2d(…, return_indices=True) found it: (N, C, h, w) or (C, h, w) → (…, H, W).

    Zeros stand elsewhere. The sizes are (h - 1) · stride - 2 padding + kernel_size, or those of output_size.
    Raises ValueError when shapes do not fit. Source: Zeiler and Fergus, 2014.

    >>> from minitorch import Tensor
    >>> MaxUnpool2d(2)(Tensor([[[3.0]]]), Tensor([[[1]]]))
    tensor([[[0., 3.],
             [0., 0.]]])
    """

    axes = 2


class MaxUnpool3d(_MaxUnpool, function="max_unpool3d"):
    """MaxUnpool2d with one axis more: (N, C, d, h, w) or (C, d, h, w) → (…, D, H, W).

    >>> from minitorch import Tensor
    >>> MaxUnpool3d(2)(Tensor([[[[3.0]]]]), Tensor([[[[7]]]])).shape
    (1, 2, 2, 2)
    """

    axes = 3


@layer
class AvgPool1d(_PerAxis, function="avg_pool1d"):
    """AvgPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> AvgPool1d(2)(Tensor([[1.0, 3.0, 2.0, 5.0]]))
    tensor([[2.0000, 3.5000]])
    """

    axes = 1
    ceil_mode: bool = False
    count_include_pad: bool = True


class AvgPool3d(AvgPool):
    """AvgPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> AvgPool3d((2, 1, 2))(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[1.5000]]]])
    """

    _pool = staticmethod(functional.avg_pool3d)


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


@layer
class _AdaptivePool(FunctionLayer):
    output_size: Sizes

    def extra_repr(self) -> str:
        """Return the size."""
        return f"output_size={self.output_size}"


@layer
class _AdaptiveMaxPool(_AdaptivePool):
    return_indices: bool = False

    def forward(self, input: TensorLike) -> Any:
        """Return the largest number of each window; with return_indices, its index too."""
        return self._called(input)


class AdaptiveAvgPool1d(_AdaptivePool, function="adaptive_avg_pool1d"):
    """AdaptiveAvgPool2d on rows: (N, C, L) or (C, L) → (…, output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveAvgPool1d(2)(Tensor([[1.0, 2.0, 3.0]]))
    tensor([[1.5000, 2.5000]])
    """


class AdaptiveAvgPool2d(_AdaptivePool, function="adaptive_avg_pool2d"):
    """Means over as many windows as asked for: (N, C, H, W) or (C, H, W) → (…, *output_size).

    Window i of n covers the rows from ⌊i H / n⌋ to before ⌈(i + 1) H / n⌉. One number stands for both axes, None for a
    size that stays. Raises ValueError for a size below 1.

    >>> from minitorch import Tensor
    >>> AdaptiveAvgPool2d(1)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[1.5000]]])
    """


class AdaptiveAvgPool3d(_AdaptivePool, function="adaptive_avg_pool3d"):
    """AdaptiveAvgPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, *output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveAvgPool3d(1)(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[1.5000]]]])
    """


class AdaptiveMaxPool1d(_AdaptiveMaxPool, function="adaptive_max_pool1d"):
    """AdaptiveMaxPool2d on rows: (N, C, L) or (C, L) → (…, output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveMaxPool1d(2)(Tensor([[1.0, 2.0, 3.0]]))
    tensor([[2., 3.]])
    """


class AdaptiveMaxPool2d(_AdaptiveMaxPool, function="adaptive_max_pool2d"):
    """The largest number in each of as many windows as asked for: (N, C, H, W) or (C, H, W) → (…, *output_size).

    The windows are those of AdaptiveAvgPool2d. return_indices: `(values, indices)`, the indices counted row by row.
    Raises ValueError for a size below 1.

    >>> from minitorch import Tensor
    >>> AdaptiveMaxPool2d(1)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[3.]]])
    """


class AdaptiveMaxPool3d(_AdaptiveMaxPool, function="adaptive_max_pool3d"):
    """AdaptiveMaxPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, *output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveMaxPool3d(1)(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[3.]]]])
    """

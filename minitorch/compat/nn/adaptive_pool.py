"""Adaptive pools, which are told the size of their result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.types import TensorLike

__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"]
__all__ += ["AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d"]

Sizes = int | None | Sequence[int | None]


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

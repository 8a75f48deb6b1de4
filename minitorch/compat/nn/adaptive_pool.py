"""Adaptive pools, which are told the size of their result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"]
__all__ += ["AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d"]

Sizes = int | None | Sequence[int | None]


class _AdaptivePool(Module):
    """The argument of a pool that is told the size of its result."""

    def __init__(self, output_size: Sizes) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        """The size."""
        return f"output_size={self.output_size}"


class _AdaptiveMaxPool(_AdaptivePool):
    """With the indices, too."""

    def __init__(self, output_size: Sizes, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def _pooled(self, pool: Any, input: TensorLike) -> Any:
        return pool(input, self.output_size, return_indices=self.return_indices)


class AdaptiveAvgPool1d(_AdaptivePool):
    """AdaptiveAvgPool2d on rows: (N, C, L) or (C, L) → (…, output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveAvgPool1d(2)(Tensor([[1.0, 2.0, 3.0]]))
    tensor([[1.5000, 2.5000]])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The means."""
        return functional.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptivePool):
    """Means over as many windows as asked for: (N, C, H, W) or (C, H, W) → (…, *output_size).

    Window i of n covers the rows from ⌊i H / n⌋ to before ⌈(i + 1) H / n⌉. One number stands for both axes, None for a
    size that stays. Raises ValueError for a size below 1.

    >>> from minitorch import Tensor
    >>> AdaptiveAvgPool2d(1)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[1.5000]]])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The means."""
        return functional.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptivePool):
    """AdaptiveAvgPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, *output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveAvgPool3d(1)(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[1.5000]]]])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The means."""
        return functional.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    """AdaptiveMaxPool2d on rows: (N, C, L) or (C, L) → (…, output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveMaxPool1d(2)(Tensor([[1.0, 2.0, 3.0]]))
    tensor([[2., 3.]])
    """

    def forward(self, input: TensorLike) -> Any:
        """The largest numbers."""
        return self._pooled(functional.adaptive_max_pool1d, input)


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """The largest number in each of as many windows as asked for: (N, C, H, W) or (C, H, W) → (…, *output_size).

    The windows are those of AdaptiveAvgPool2d. return_indices: `(values, indices)`, the indices counted row by row.
    Raises ValueError for a size below 1.

    >>> from minitorch import Tensor
    >>> AdaptiveMaxPool2d(1)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[3.]]])
    """

    def forward(self, input: TensorLike) -> Any:
        """The largest numbers."""
        return self._pooled(functional.adaptive_max_pool2d, input)


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """AdaptiveMaxPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, *output_size).

    >>> from minitorch import Tensor
    >>> AdaptiveMaxPool3d(1)(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[3.]]]])
    """

    def forward(self, input: TensorLike) -> Any:
        """The largest numbers."""
        return self._pooled(functional.adaptive_max_pool3d, input)

"""Unfold and Fold: windows as columns, and columns back in their windows."""

from __future__ import annotations

from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.types import Counts

__all__ = ["Fold", "Unfold"]


@layer
class Unfold(FunctionLayer, function="unfold"):
    """Each window as a column: (N, C, H, W) → (N, C · kH · kW, windows), also without N.

    >>> from minitorch import Tensor
    >>> Unfold((1, 2))(Tensor([[[1.0, 2.0, 3.0]]]))
    tensor([[1., 2.],
            [2., 3.]])
    """

    kernel_size: Counts
    dilation: Counts = 1
    padding: Counts = 0
    stride: Counts = 1


@layer
class Fold(FunctionLayer, function="fold"):
    """Each column back in its window, overlaps added up: (N, C · kH · kW, windows) → (N, C, *output_size).

    Also without N.

    >>> from minitorch import Tensor
    >>> Fold((1, 3), (1, 2))(Tensor([[1.0, 2.0], [2.0, 3.0]]))
    tensor([[[1., 4., 3.]]])
    """

    output_size: Counts
    kernel_size: Counts
    dilation: Counts = 1
    padding: Counts = 0
    stride: Counts = 1

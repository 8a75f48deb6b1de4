"""unfold and fold: windows as columns, and columns back in their windows; im2col and col2im."""

from __future__ import annotations

import math
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn.functional._windows import fold as fold_windows
from minitorch.nn.functional._windows import per_axis, windows_over
from minitorch.nn.functional._windows import unfold as unfold_windows
from minitorch.types import Counts, TensorLike

__all__ = ["unfold", "fold"]


def unfold(
    input: TensorLike, kernel_size: Counts, dilation: Counts = 1, padding: Counts = 0, stride: Counts = 1
) -> Tensor:
    """Each window as a column: (N, C, H, W) → (N, C · kH · kW, windows), also without N; known as im2col.

    dL/dinput = fold(g): a number that several windows see gets the sum of their gradients. Raises ValueError.

    >>> unfold(Tensor([[[1.0, 2.0, 3.0]]]), (1, 2))
    tensor([[1., 2.],
            [2., 3.]])
    """
    shape = as_array(input).shape
    if len(shape) not in (3, 4):
        raise ShapeError(f"unfold: input has shape {shape}, but (N, C, H, W) or (C, H, W) is needed")
    return unfold_windows(input, _windows("unfold", shape[-2:], kernel_size, dilation, padding, stride))


def fold(
    input: TensorLike,
    output_size: Counts,
    kernel_size: Counts,
    dilation: Counts = 1,
    padding: Counts = 0,
    stride: Counts = 1,
) -> Tensor:
    """Each column back in its window, overlaps added up: (N, C · kH · kW, windows) → (N, C, *output_size); col2im.

    Takes one image, (C · kH · kW, windows), too. dL/dinput = unfold(g). fold(unfold(x)) is x times how many windows see
    each position. Raises ValueError when the number of rows or columns does not fit.

    >>> fold(Tensor([[1.0, 2.0], [2.0, 3.0]]), (1, 3), (1, 2))
    tensor([[[1., 4., 3.]]])
    """
    shape = as_array(input).shape
    if len(shape) not in (2, 3):
        raise ShapeError(f"fold: input has shape {shape}, but (N, C · kernel, windows) is needed, or without N")
    windows = _windows("fold", per_axis("fold", "output_size", output_size, 2), kernel_size, dilation, padding, stride)
    rows, count = math.prod(windows.kernel), math.prod(windows.out)
    if shape[-2] % rows or shape[-1] != count:
        raise ShapeError(f"fold: input {shape} needs a multiple of {rows} rows and {count} columns, one per window")
    return fold_windows(input, windows)


def _windows(name: str, size: Any, kernel_size: Counts, dilation: Counts, padding: Counts, stride: Counts) -> Any:
    options = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "dilation": dilation}
    return windows_over(name, size, *[per_axis(name, label, value, 2) for label, value in options.items()])

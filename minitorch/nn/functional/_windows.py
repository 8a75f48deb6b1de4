"""Sliding windows: their positions, and how elements are gathered from them and added back.

All windows at once, seen from one position of the kernel, are a slice of the input with a step. So an operation needs
one pass for each position of the kernel, not one for each window. The passes are clipped to the input, so that a pool
pads nothing: a pass leaves out the windows that look past the edge.

In memory the samples lie last: the same position of the next image follows. So a pass copies runs as long as the batch,
where an image's own rows would give runs of a few elements, and all columns are one matrix. With a few samples, they
lie between the channels and the positions: a row is the longer run then.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.backend import xp
from minitorch.errors import OperandError, ShapeError
from minitorch.types import Counts, Shape

__all__ = ["unfold", "fold"]


class Pass(NamedTuple):
    """One position of the kernel, for all windows: windows[..., write] see input[..., read] there.

    column is `write` with the position before it: its index among the columns of `unfold`.
    """

    read: Any
    write: Any
    column: Any


@dataclass(frozen=True)
class Windows:
    """Positions of the windows over an input; one number for each axis in every tuple.

    size: of the input. kernel: of a window. stride: from one window to the next. padding: how far the first window
    begins before the input. dilation: from one position of the kernel to the next. out: how many windows there are.
    """

    size: Shape
    kernel: Shape
    stride: Shape
    padding: Shape
    dilation: Shape
    out: Shape

    @functools.cached_property
    def passes(self) -> tuple[Pass, ...]:
        """Passes of the positions of the kernel that some window sees, the last axis running fastest."""
        axes = zip(self.size, self.kernel, self.stride, self.padding, self.dilation, self.out, strict=True)
        seen = itertools.product(*[_passes_of_axis(*axis) for axis in axes])
        found = []
        for parts in seen:
            positions, reads, writes = zip(*parts, strict=True)
            found.append(Pass((..., *reads), (..., *writes), (..., *positions, *writes)))
        return tuple(found)

    @functools.cached_property
    def inside(self) -> bool:
        """True if no window looks past the edge."""
        axes = zip(self.size, self.kernel, self.stride, self.padding, self.dilation, self.out, strict=True)
        return all(p == 0 and (n - 1) * s + (k - 1) * d < size for size, k, s, p, d, n in axes)

    @functools.cached_property
    def padded(self) -> Windows:
        """The same windows over an input of all that they see, so that none looks past the edge."""
        axes = zip(self.kernel, self.stride, self.dilation, self.out, strict=True)
        size = tuple([(n - 1) * s + (k - 1) * d + 1 for k, s, d, n in axes])
        return Windows(size, self.kernel, self.stride, (0,) * len(size), self.dilation, self.out)

    @functools.cached_property
    def middle(self) -> tuple[Any, Any]:
        """Return the slices of the input that windows see: of the padded one, and of the input itself."""
        seen = [min(size, whole - p) for size, whole, p in zip(self.size, self.padded.size, self.padding, strict=True)]
        inner = [slice(p, p + count) for p, count in zip(self.padding, seen, strict=True)]
        return (..., *inner), (..., *[slice(count) for count in seen])

    @functools.cached_property
    def tile(self) -> bool:
        """True if each number of the input is seen by one window, and no window looks past the edge."""
        axes = zip(self.size, self.kernel, self.stride, self.padding, self.dilation, self.out, strict=True)
        return all(k == s and p == 0 and (d == 1 or k == 1) and n * s == size for size, k, s, p, d, n in axes)

    @functools.cached_property
    def overlap(self) -> bool:
        """True if two windows may see the same number."""
        return any((k - 1) * d >= s for k, s, d in zip(self.kernel, self.stride, self.dilation, strict=True))


def _passes_of_axis(
    size: int, kernel: int, stride: int, padding: int, dilation: int, out: int
) -> list[tuple[int, slice, slice]]:
    """Return for each position of the kernel along one axis: the position, the slice that it reads, and its windows."""
    found = []
    for position in range(kernel):
        offset = position * dilation - padding  # window i sees input[i · stride + offset]
        first, end = max(0, -(offset // stride)), min(out, (size - 1 - offset) // stride + 1)
        if first < end:
            read = slice(first * stride + offset, (end - 1) * stride + offset + 1, stride)
            found.append((position, read, slice(first, end)))
    return found


@functools.lru_cache(maxsize=1024)
def windows_over(
    name: str, size: Shape, kernel: Shape, stride: Shape, padding: Shape, dilation: Shape, ceil_mode: bool = False
) -> Windows:
    """As many windows as fit: ⌊(size + 2 padding - dilation (kernel - 1) - 1) / stride⌋ + 1 along each axis.

    `ceil_mode` rounds up instead, for a last window that looks past the edge but begins before it. Raises ValueError
    in the name of the operation.
    """
    for label, values in (("kernel_size", kernel), ("stride", stride), ("dilation", dilation)):
        if min(values) < 1:
            raise ShapeError(f"{name}: {label} {_text(values)} must be at least 1")
    if min(padding) < 0:
        raise OperandError(f"{name}: padding {_text(padding)} must not be negative")
    spans = tuple([d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)])
    out = []
    for length, span, s, p in zip(size, spans, stride, padding, strict=True):
        room = length + 2 * p - span
        count = (-(-room // s) if ceil_mode else room // s) + 1
        if ceil_mode and (count - 1) * s >= length + p:
            count -= 1
        if count < 1:
            raise ShapeError(
                f"{name}: a window of {_text(spans)} does not fit into an input of {_text(size)} "
                f"with padding {_text(padding)}: make the kernel smaller or the padding larger"
            )
        out.append(count)
    return Windows(size, kernel, stride, padding, dilation, tuple(out))


def per_axis(name: str, label: str, value: Counts, axes: int) -> Shape:
    """Return one number for each axis: a single number stands for all of them. Raises ValueError for another count."""
    if isinstance(value, (int, np.integer)):
        return (int(value),) * axes
    if len(value) in (1, axes):
        return tuple([int(each) for each in value]) * (axes // len(value))
    raise ShapeError(f"{name}: {label} {_text(value)} must be one number, or {axes} of them")


def require_planes(name: str, axes: int, shape: Shape) -> None:
    """Raise ValueError unless there are `axes` axes to slide along, and one or two before them."""
    if len(shape) not in (axes + 1, axes + 2):
        sizes = ("L", "H, W", "D, H, W")[axes - 1]
        raise ShapeError(f"{name}: input has shape {shape}, but (N, C, {sizes}) or (C, {sizes}) is needed")


def _text(values: Sequence[int]) -> str:
    """Return sizes as in 2×3."""
    return "×".join(str(each) for each in values)


_SMALL_BATCH = 8  # samples: shorter runs than an image's rows


def layout(n: int, axes: int) -> tuple[Shape, Shape]:
    """Return the order in memory of the axes (N, C, …) of n samples, and the permutation that undoes it."""
    return _layout(n < _SMALL_BATCH, axes)


@functools.lru_cache(maxsize=32)
def _layout(few: bool, axes: int) -> tuple[Shape, Shape]:
    order = (1, 0, *range(2, axes)) if few else (*range(1, axes), 0)
    return order, tuple([order.index(axis) for axis in range(axes)])


def allocate(make: Any, like: Any, windows: Windows, *sizes: int) -> Any:
    """Return an array of the leading axes of `like`, (N, C) or (C,), and `sizes`. make: such as np.zeros."""
    shape = (*like.shape[: -len(windows.size)], *sizes)
    if like.ndim == len(windows.size) + 1:
        return make(shape, like.dtype)
    order, back = layout(shape[0], len(shape))
    return make(tuple([shape[axis] for axis in order]), like.dtype).transpose(back)


@primitive
def unfold(input: Any, windows: Windows) -> Any:
    """Each window as a column: (…, C, *size) → (…, C · kernel, windows); "im2col". Past the edge stand zeros.

    dL/dinput = fold(g): each number gets the gradients of all the windows that saw it.

    >>> pairs = windows_over("unfold", size=(3,), kernel=(2,), stride=(1,), padding=(0,), dilation=(1,))
    >>> unfold(Tensor([[1.0, 2.0, 3.0]]), pairs)
    tensor([[1., 2.],
            [2., 3.]])
    """
    columns = allocate(xp(input).empty, input, windows, *windows.kernel, *windows.out)
    seen, windows = _padded_input(input, windows)
    for each in windows.passes:
        columns[each.column] = seen[each.read]  # im2col: what each position of the kernel sees
    *batch, channels = input.shape[: -len(windows.size)]
    return columns.reshape((*batch, channels * math.prod(windows.kernel), math.prod(windows.out)))


def _padded_input(input: Any, windows: Windows) -> tuple[Any, Windows]:
    """Return the input with zeros around it and the samples last in memory, and the windows over that."""
    if not windows.inside:
        wide = windows.padded
        padded = allocate(xp(input).zeros, input, windows, *wide.size)
        middle, part = windows.middle
        padded[middle] = input[part]  # zeros stay around it
        return padded, wide
    if input.ndim == len(windows.size) + 1 or len(input) == 1 or not input.flags.c_contiguous:
        return input, windows
    seen = allocate(xp(input).empty, input, windows, *windows.size)
    seen[...] = input  # the samples last in memory
    return seen, windows


@primitive
def fold(columns: Any, windows: Windows) -> Any:
    """Each column back in its window, overlaps added up: (…, C · kernel, windows) → (…, C, *size); "col2im".

    dL/dcolumns = unfold(g).

    >>> pairs = windows_over("fold", size=(3,), kernel=(2,), stride=(1,), padding=(0,), dilation=(1,))
    >>> fold(Tensor([[1.0, 2.0], [2.0, 3.0]]), pairs)
    tensor([[1., 4., 3.]])
    """
    *batch, rows, _ = columns.shape
    channels = rows // math.prod(windows.kernel)
    columns = columns.reshape((*batch, channels, *windows.kernel, *windows.out))
    image = allocate(xp(columns).zeros, columns[(..., *[0] * len(windows.size))], windows, *windows.size)
    for each in windows.passes:
        image[each.read] += columns[each.column]  # col2im: added to where it came from, but for the padding
    return image


unfold.vjp(input=lambda g, windows: fold.raw(g, windows))
fold.vjp(columns=lambda g, windows: unfold.raw(g, windows))

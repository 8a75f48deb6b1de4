"""Pools of the largest number of each window, and where it stood.

What a pool's rule does to gradients ("spread") and what the rule of that does ("gather", "sum") are operations of
their own, each the other's rule: so a pool can be differentiated as often as one likes.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import on_gpu, xp
from minitorch.errors import ShapeError
from minitorch.nn.functional._windows import Pass, Windows, per_axis, require_planes, windows_over
from minitorch.ops._gate import as_words, gate
from minitorch.types import Counts, Shape, TensorLike

__all__ = ["max_pool2d"]


class PoolResult(NamedTuple):
    """Result of a max pool with `return_indices=True`: the values, and the position of each in its plane (constant)."""

    values: Tensor
    indices: Tensor


def new_zeros(like: Any, windows: Windows, sizes: Shape) -> Any:
    """Zeros of the dtype, leading axes and order in memory of `like`, and of `sizes` along the windows' axes."""
    zeros = xp(like).empty_like(like, shape=(*like.shape[: like.ndim - len(windows.size)], *sizes))
    zeros.fill(0)
    return zeros


def _largest(input: Any, windows: Windows) -> Any:
    passes = windows.passes
    if windows.inside:  # then the first pass, as every one, has a number for each window
        out = input[passes[0].read].copy(order="K")  #: the first number of each window
        passes = passes[1:]
    else:
        out = new_zeros(input, windows, windows.out)
        out[...] = -np.inf if input.dtype.kind == "f" else np.iinfo(input.dtype).min
    for each in passes:
        seen = out[each.write]
        np.maximum(seen, input[each.read], out=seen)  #: or a later one that is larger
    return out


def _argmax_masks(input: Any, largest: Any, windows: Windows) -> list[tuple[Pass, Any]]:
    """For each pass, the windows whose largest number it sees: of equal ones the first, of several nan the last."""
    unmatched, found = None, []
    for each in windows.passes:
        won = input[each.read] == largest[each.write]  #: is the largest here?
        if unmatched is None and windows.inside:  # the first pass sees a number of each window
            unmatched = np.logical_not(won)  #: windows still without a winner
        else:
            if unmatched is None:
                unmatched = xp(largest).empty_like(largest, dtype=np.bool_)
                unmatched.fill(True)
            still = unmatched[each.write]
            won &= still  #: on a tie the first wins
            still ^= won  #: windows still without a winner
        found.append((each, won))
    if unmatched is None:
        return found
    # To ask a GPU costs more than it saves.
    some_unmatched = on_gpu(unmatched) or unmatched.any()  #: a nan equals nothing, so its window has no winner
    if some_unmatched:
        for each, won in reversed(found):
            won |= np.isnan(input[each.read]) & unmatched[each.write]
            unmatched[each.write] &= ~won
    return found


def _scatter_to_largest(pool: Any, input: Any, largest: Any, windows: Windows) -> Any:
    image = xp(input).empty_like(input) if windows.tile else new_zeros(input, windows, windows.size)
    if pool.strides != largest.strides:  # turned once, and not in each pass
        reordered = xp(largest).empty_like(largest)
        reordered[...] = pool  #: copied into the order in memory of the windows' largest
        pool = reordered
    if windows.overlap:
        for each, won in _argmax_masks(input, largest, windows):
            image[each.read] += gate.raw(pool[each.write], won)
        return image
    pool_bits, image_bits = as_words(pool), as_words(image)  # a gate whose result is written where it belongs
    for each, won in _argmax_masks(input, largest, windows):
        np.multiply(pool_bits[each.write], won, out=image_bits[each.read])  #: where this number won, 0 elsewhere
    return image


def _gather_from_largest(image: Any, input: Any, largest: Any, windows: Windows) -> Any:
    pool = new_zeros(largest, windows, windows.out)
    for each, won in _argmax_masks(input, largest, windows):
        pool[each.write] += gate.raw(image[each.read], won)
    return pool


_scatter_largest: Operation[...] = primitive(
    _scatter_to_largest,
    "Each number of a pool put where the window's largest number stands. dL/dpool = gather(g).",
    name="max_pool_spread",
    pool=lambda g, input, largest, windows: _gather_largest.raw(g, input, largest, windows),
)
_gather_largest: Operation[...] = primitive(
    _gather_from_largest,
    "For each window the number of an image that stands where its largest one stands. dL/dimage = spread(g).",
    name="max_pool_gather",
    image=lambda g, input, largest, windows: _scatter_largest.raw(g, input, largest, windows),
)
_max_pool = primitive(
    _largest,
    "The largest number in each window. dL/dinput = spread(g).",
    name="max_pool",
    input=lambda g, input, out, windows: _scatter_largest.raw(g, as_array(input), as_array(out), windows),
)


def _indices(input: Any, largest: Any, windows: Windows) -> Any:
    """Return the position of each window's largest number, counted row by row through its plane."""
    places = xp(input).arange(math.prod(windows.size), dtype=np.int64).reshape(windows.size)
    indices = xp(input).zeros(largest.shape, np.int64)
    for each, won in _argmax_masks(input, largest, windows):
        indices[each.write] += places[each.read] * won
    return indices


def max_pool(input: TensorLike, windows: Windows, return_indices: bool = False) -> Tensor | PoolResult:
    """The largest number in each window; with `return_indices`, a pair with where it stands."""
    out = _max_pool(input, windows)
    return PoolResult(out, constant(_indices(as_array(input), out._data, windows))) if return_indices else out


@overload
def max_pool2d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = ...,
    padding: Counts = ...,
    dilation: Counts = ...,
    ceil_mode: bool = ...,
    return_indices: Literal[False] = ...,
) -> Tensor: ...
@overload
def max_pool2d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = ...,
    padding: Counts = ...,
    dilation: Counts = ...,
    ceil_mode: bool = ...,
    *,
    return_indices: Literal[True],
) -> PoolResult: ...
def max_pool2d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    dilation: Counts = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor | PoolResult:
    """The largest number in each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - span) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given, span = dilation (kernel - 1) + 1. Past the edge stands -inf; `ceil_mode`
    rounds up. g goes to the largest number; of equal ones to the first, row by row. nan counts as the largest.
    `return_indices` gives `(values, indices)`, the indices counted row by row through each plane. Raises ValueError.

    >>> max_pool2d(Tensor([[[1.0, 3.0], [2.0, 0.0]]]), 2)
    tensor([[[3.]]])
    """
    return max_pool_over("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool_over(
    name: str,
    axes: int,
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    dilation: Counts = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor | PoolResult:
    """Return max_pool1d, max_pool2d or max_pool3d, as `name` says."""
    windows = pool_windows(name, axes, as_array(input).shape, kernel_size, stride, padding, dilation, ceil_mode)
    return max_pool(input, windows, return_indices)


def pool_windows(
    name: str,
    axes: int,
    shape: Shape,
    kernel_size: Counts,
    stride: Counts | None,
    padding: Counts,
    dilation: Counts,
    ceil_mode: bool,
) -> Windows:
    """The windows of a pool over an input of this shape. Raises ValueError where they cannot be laid out."""
    require_planes(name, axes, shape)
    kernel, around = per_axis(name, "kernel_size", kernel_size, axes), per_axis(name, "padding", padding, axes)
    steps = kernel if stride is None else per_axis(name, "stride", stride, axes)
    spread = per_axis(name, "dilation", dilation, axes)
    if any(2 * p > k for p, k in zip(around, kernel, strict=True)):
        raise ShapeError(f"{name}: padding {around} must be at most half of kernel_size {kernel}")
    return windows_over(name, shape[len(shape) - axes :], kernel, steps, around, spread, bool(ceil_mode))

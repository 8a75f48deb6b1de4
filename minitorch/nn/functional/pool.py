"""Pools: the largest number of each window, or its mean.

What a pool's rule does to gradients ("spread") and what the rule of that does ("gather", "sum") are operations of
their own, each the other's rule: so a pool can be differentiated as often as one likes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.handle import as_array, constant
from minitorch.autograd.primitive import Operation, primitive
from minitorch.backend import on_gpu, xp
from minitorch.errors import DtypeError, OperandError, ShapeError
from minitorch.nn.functional._windows import Pass, Windows, per_axis, windows_over
from minitorch.ops._gate import as_words, gate
from minitorch.ops.arithmetic import div
from minitorch.types import Shape, TensorLike

__all__ = ["max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d"]

Counts = int | Sequence[int]


class PoolResult(NamedTuple):
    """What a max pool with `return_indices=True` returns: the values, and where in its plane each stands (constant)."""

    values: Tensor
    indices: Tensor


def _zeros(like: Any, windows: Windows, sizes: Shape) -> Any:
    """Zeros of the dtype and the leading axes of `like`, and of `sizes` along the windows' axes."""
    return xp(like).zeros((*like.shape[: like.ndim - len(windows.size)], *sizes), like.dtype)


def _largest(input: Any, windows: Windows) -> Any:
    passes = windows.passes
    if windows.inside:  # then the first pass, as every one, has a number for each window
        out = input[passes[0].read].copy()
        passes = passes[1:]
    else:
        out = _zeros(input, windows, windows.out)
        out[...] = -np.inf if input.dtype.kind == "f" else np.iinfo(input.dtype).min
    for each in passes:
        seen = out[each.write]
        np.maximum(seen, input[each.read], out=seen)
    return out


def _winners(input: Any, largest: Any, windows: Windows) -> list[tuple[Pass, Any]]:
    """For each pass, the windows whose largest number it sees: of equal ones the first, of several nan the last."""
    waiting, found = xp(largest).ones(largest.shape, np.bool_), []
    for each in windows.passes:
        still = waiting[each.write]
        won = input[each.read] == largest[each.write]
        won &= still
        still ^= won
        found.append((each, won))
    if on_gpu(waiting) or waiting.any():  # nan equals nothing, not even itself; to ask a GPU costs more than it saves
        for each, won in reversed(found):
            won |= np.isnan(input[each.read]) & waiting[each.write]
            waiting[each.write] &= ~won
    return found


def _spread_to_largest(pool: Any, input: Any, largest: Any, windows: Windows) -> Any:
    image = _zeros(pool, windows, windows.size)
    if windows.overlap:
        for each, won in _winners(input, largest, windows):
            image[each.read] += gate.raw(pool[each.write], won)
        return image
    pool_bits, image_bits = as_words(pool), as_words(image)  # a gate whose result is written where it belongs
    for each, won in _winners(input, largest, windows):
        np.multiply(pool_bits[each.write], won, out=image_bits[each.read])
    return image


def _put(image: Any, place: Pass, values: Any, windows: Windows) -> None:
    """Adds `values` where the pass reads; side by side, windows need no adding up, and half of the time."""
    if windows.overlap:
        image[place.read] += values
    else:
        image[place.read] = values


def _gather_from_largest(image: Any, input: Any, largest: Any, windows: Windows) -> Any:
    pool = _zeros(image, windows, windows.out)
    for each, won in _winners(input, largest, windows):
        pool[each.write] += gate.raw(image[each.read], won)
    return pool


_spread_largest: Operation[...] = primitive(
    _spread_to_largest,
    "Each number of a pool put where the window's largest number stands. dL/dpool = gather(g).",
    name="max_pool_spread",
    pool=lambda g, input, largest, windows: _gather_largest.raw(g, input, largest, windows),
)
_gather_largest: Operation[...] = primitive(
    _gather_from_largest,
    "For each window the number of an image that stands where its largest one stands. dL/dimage = spread(g).",
    name="max_pool_gather",
    image=lambda g, input, largest, windows: _spread_largest.raw(g, input, largest, windows),
)
_max_pool = primitive(
    _largest,
    "The largest number in each window. dL/dinput = spread(g).",
    name="max_pool",
    input=lambda g, input, out, windows: _spread_largest.raw(g, as_array(input), as_array(out), windows),
)


def _indices(input: Any, largest: Any, windows: Windows) -> Any:
    """Where each window's largest number stands, counted row by row through its plane."""
    places = xp(input).arange(math.prod(windows.size), dtype=np.int64).reshape(windows.size)
    indices = xp(input).zeros(largest.shape, np.int64)
    for each, won in _winners(input, largest, windows):
        indices[each.write] += places[each.read] * won
    return indices


def _total(image: Any, windows: Windows) -> Any:
    passes = windows.passes
    if windows.inside:  # as for the largest
        pool = image[passes[0].read].copy()
        passes = passes[1:]
    else:
        pool = _zeros(image, windows, windows.out)
    for each in passes:
        pool[each.write] += image[each.read]
    return pool


def _spread_to_all(pool: Any, windows: Windows) -> Any:
    image = _zeros(pool, windows, windows.size)
    for each in windows.passes:
        _put(image, each, pool[each.write], windows)
    return image


_sum_pool: Operation[...] = primitive(
    _total,
    "The sum of each window. dL/dimage = spread(g).",
    name="sum_pool",
    image=lambda g, windows: _spread_evenly.raw(g, windows),
)
_spread_evenly: Operation[...] = primitive(
    _spread_to_all,
    "Each number of a pool put at all places of its window, added up where windows overlap. dL/dpool = sum_pool(g).",
    name="sum_pool_spread",
    pool=lambda g, windows: _sum_pool.raw(g, windows),
)


def max_pool(input: TensorLike, windows: Windows, return_indices: bool = False) -> Tensor | PoolResult:
    """The largest number in each window; with `return_indices`, a pair with where it stands."""
    out = _max_pool(input, windows)
    return PoolResult(out, constant(_indices(as_array(input), out._data, windows))) if return_indices else out


def avg_pool(input: TensorLike, windows: Windows, divisor: Any) -> Tensor:
    """The sum of each window divided by `divisor`, a number or one for each window; of integers the whole part."""
    total = _sum_pool(input, windows)
    if total.dtype.kind == "f":
        return div(total, divisor)
    return div(total, int(divisor) if isinstance(divisor, float) else divisor, rounding_mode="trunc")


def require_means(name: str, input: TensorLike, *others: Any) -> None:
    """Raises TypeError unless the numbers are floats, or of one of the other dtypes."""
    dtype = as_array(input).dtype
    if dtype.kind != "f" and dtype not in others:
        raise DtypeError(f"{name}: there are no means of {dtype}: convert it, as in x.to('float32')")


@overload
def max_pool1d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = ...,
    padding: Counts = ...,
    dilation: Counts = ...,
    ceil_mode: bool = ...,
    return_indices: Literal[False] = ...,
) -> Tensor: ...
@overload
def max_pool1d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = ...,
    padding: Counts = ...,
    dilation: Counts = ...,
    ceil_mode: bool = ...,
    *,
    return_indices: Literal[True],
) -> PoolResult: ...
def max_pool1d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    dilation: Counts = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor | PoolResult:
    """max_pool2d with one axis: (N, C, L) or (C, L) → (…, windows).

    >>> max_pool1d(Tensor([[1.0, 3.0, 2.0, 5.0]]), 2)
    tensor([[3., 5.]])
    """
    return _max_pooled("max_pool1d", 1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


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
    return _max_pooled("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def _max_pooled(
    name: str,
    axes: int,
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None,
    padding: Counts,
    dilation: Counts,
    ceil_mode: bool,
    return_indices: bool,
) -> Tensor | PoolResult:
    windows = _windows(name, axes, as_array(input).shape, kernel_size, stride, padding, dilation, ceil_mode)
    return max_pool(input, windows, return_indices)


def avg_pool1d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """avg_pool2d with one axis: (N, C, L) or (C, L) → (…, windows).

    >>> avg_pool1d(Tensor([[1.0, 3.0, 2.0, 5.0]]), 2)
    tensor([[2.0000, 3.5000]])
    """
    require_means("avg_pool1d", input, np.dtype(np.int64))
    windows = _windows("avg_pool1d", 1, as_array(input).shape, kernel_size, stride, padding, 1, ceil_mode)
    return avg_pool(input, windows, _divisor(input, windows, count_include_pad))


def avg_pool2d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - kernel) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given; `ceil_mode` rounds up. The sum is divided by how many places the window
    has in the padded input, or with `count_include_pad=False` in the input itself, or by `divisor_override`.
    dL/dinput = Σ g / divisor over the windows that see the place. Raises ValueError; of integers, int64 alone has
    means, which are whole (rounded towards 0), and others raise TypeError.

    >>> avg_pool2d(Tensor([[[1.0, 3.0], [2.0, 0.0]]]), 2)
    tensor([[[1.5000]]])
    """
    require_means("avg_pool2d", input, np.dtype(np.int64))
    windows = _windows("avg_pool2d", 2, as_array(input).shape, kernel_size, stride, padding, 1, ceil_mode)
    if divisor_override == 0:
        raise OperandError("avg_pool2d: divisor_override must not be 0")
    divisor = _divisor(input, windows, count_include_pad) if divisor_override is None else float(divisor_override)
    return avg_pool(input, windows, divisor)


def _windows(
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


def require_planes(name: str, axes: int, shape: Shape) -> None:
    """Raises ValueError unless there are `axes` axes to slide along, and one or two before them."""
    if len(shape) not in (axes + 1, axes + 2):
        expected = ("(N, C, L) or (C, L)", "(N, C, H, W) or (C, H, W)")[axes - 1]
        raise ShapeError(f"{name}: input has shape {shape}, but {expected} is needed")


def _divisor(input: TensorLike, windows: Windows, count_include_pad: bool) -> Any:
    """How many numbers are in each window: one number if it is the same for all."""
    counts = _counts(windows, bool(count_include_pad))
    first = float(counts.flat[0]) if counts.size else 1.0
    array = as_array(input)
    return first if (counts == first).all() else xp(array).asarray(counts, array.dtype)


@functools.lru_cache(maxsize=256)
def _counts(windows: Windows, count_include_pad: bool) -> np.ndarray:
    """How many places of the (padded) input each window has."""
    counts = np.ones(())
    axes = zip(windows.size, windows.kernel, windows.stride, windows.padding, windows.out, strict=True)
    for size, kernel, stride, padding, out in axes:
        first = np.arange(out) * stride - padding
        end = np.minimum(first + kernel, size + padding)
        if not count_include_pad:
            first, end = np.maximum(first, 0), np.minimum(end, size)
        counts = counts[..., None] * (end - first)
    return counts

"""Pools of images: the largest number of each window, the mean; and what pools of rows and volumes share.

The rule of a max pool scatters gradients to the largest numbers, and the rule of that gathers them. Both are
operations, each the other's rule: so a pool can be differentiated any number of times.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import on_gpu, xp
from minitorch.errors import DtypeError, OperandError, ShapeError
from minitorch.moved import moved_names
from minitorch.nn.functional._windows import Pass, Windows, allocate, per_axis, require_planes, windows_over
from minitorch.ops._masks import bits_of, mask_bits
from minitorch.ops.arithmetic import div
from minitorch.types import Counts, Shape, TensorLike

__all__ = ["avg_pool2d", "max_pool2d"]


class PoolResult(NamedTuple):
    """Result of a max pool with `return_indices=True`: the values, and the position of each in its plane (constant)."""

    values: Tensor
    indices: Tensor


def new_zeros(like: Any, windows: Windows, sizes: Shape) -> Any:
    """Return zeros of the dtype, leading axes and order in memory of `like`, and of `sizes` along the windows' axes."""
    zeros = xp(like).empty_like(like, shape=(*like.shape[: like.ndim - len(windows.size)], *sizes))
    zeros.fill(0)
    return zeros


@primitive(name="max_pool")
def _max_pool(input: Any, windows: Windows) -> Any:
    """The largest number in each window. dL/dinput = scatter(g)."""
    passes = windows.passes
    if windows.inside:  # then the first pass, as every one, has a number for each window
        out = input[passes[0].read].copy(order="K")  # the first number of each window
        passes = passes[1:]
    else:
        out = new_zeros(input, windows, windows.out)
        out[...] = -np.inf if input.dtype.kind == "f" else np.iinfo(input.dtype).min
    for each in passes:
        seen = out[each.write]
        np.maximum(seen, input[each.read], out=seen)  # or a later one that is larger
    return out


def _argmax_masks(input: Any, largest: Any, windows: Windows) -> list[tuple[Pass, Any]]:
    """Return each pass with a mask of the windows whose largest number it sees: the first on a tie, the last nan."""
    unmatched, found = None, []
    for each in windows.passes:
        won = input[each.read] == largest[each.write]  # is the largest here?
        if unmatched is None and windows.inside:  # the first pass sees a number of each window
            unmatched = np.logical_not(won)  # windows still without a winner
        else:
            if unmatched is None:
                unmatched = xp(largest).empty_like(largest, dtype=np.bool_)
                unmatched.fill(True)
            still = unmatched[each.write]
            won &= still  # on a tie the first wins
            still ^= won  # windows still without a winner
        found.append((each, won))
    if unmatched is None:
        return found
    # To ask a GPU costs more than it saves.
    some_unmatched = on_gpu(unmatched) or unmatched.any()  # a nan equals nothing, so its window has no winner
    if some_unmatched:
        for each, won in reversed(found):
            won |= np.isnan(input[each.read]) & unmatched[each.write]
            unmatched[each.write] &= ~won
    return found


@primitive(name="max_pool_spread")
def _max_pool_scatter(pool: Any, input: Any, largest: Any, windows: Windows) -> Any:
    """Each number of a pool put where the largest number of its window stands. dL/dpool = gather(g)."""
    image = xp(input).empty_like(input) if windows.tile else new_zeros(input, windows, windows.size)
    if pool.strides != largest.strides:  # turned once, and not in each pass
        reordered = xp(largest).empty_like(largest)
        reordered[...] = pool  # copied into the order in memory of the windows' largest
        pool = reordered
    if windows.overlap:
        for each, won in _argmax_masks(input, largest, windows):
            image[each.read] += mask_bits.raw(pool[each.write], won)
        return image
    # Plainly image[each.read] = np.where(won, pool[each.write], 0), with which a step of the CNN takes 1.2 times as
    # long, one of LeNet 1.3 times. This is mask_bits, with its result written where it belongs.
    pool_bits, image_bits = bits_of(pool), bits_of(image)
    for each, won in _argmax_masks(input, largest, windows):
        np.multiply(pool_bits[each.write], won, out=image_bits[each.read])  # where this number won, 0 elsewhere
    return image


@primitive(name="max_pool_gather")
def _max_pool_gather(image: Any, input: Any, largest: Any, windows: Windows) -> Any:
    """For each window the number of an image at the index of its largest one. dL/dimage = scatter(g)."""
    pool = new_zeros(largest, windows, windows.out)
    for each, won in _argmax_masks(input, largest, windows):
        pool[each.write] += mask_bits.raw(image[each.read], won)
    return pool


_max_pool.vjp(
    input=lambda g, input, out, windows: _max_pool_scatter.raw(g, as_array(input), as_array(out), windows),
)
_max_pool_scatter.vjp(pool=lambda g, input, largest, windows: _max_pool_gather.raw(g, input, largest, windows))
_max_pool_gather.vjp(image=lambda g, input, largest, windows: _max_pool_scatter.raw(g, input, largest, windows))


def _indices(input: Any, largest: Any, windows: Windows) -> Any:
    """Return the position of each window's largest number, counted row by row through its plane."""
    positions = xp(input).arange(math.prod(windows.size), dtype=np.int64).reshape(windows.size)
    indices = xp(input).zeros(largest.shape, np.int64)
    for each, won in _argmax_masks(input, largest, windows):
        indices[each.write] += positions[each.read] * won
    return indices


def max_pool(input: TensorLike, windows: Windows, return_indices: bool = False) -> Tensor | PoolResult:
    """Return the largest number in each window; with `return_indices`, its index too."""
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
    """Return the windows of a pool over an input of this shape. Raises ValueError where they do not fit."""
    require_planes(name, axes, shape)
    kernel, around = per_axis(name, "kernel_size", kernel_size, axes), per_axis(name, "padding", padding, axes)
    steps = kernel if stride is None else per_axis(name, "stride", stride, axes)
    spread = per_axis(name, "dilation", dilation, axes)
    if any(2 * p > k for p, k in zip(around, kernel, strict=True)):
        raise ShapeError(f"{name}: padding {around} must be at most half of kernel_size {kernel}")
    return windows_over(name, shape[len(shape) - axes :], kernel, steps, around, spread, bool(ceil_mode))


# -- means -------------------------------------------------------------------------------------------------------------


@primitive(name="sum_pool")
def _sum_pool(image: Any, windows: Windows) -> Any:
    """The sum of each window. dL/dimage = spread(g)."""
    passes = windows.passes
    if windows.inside:  # as for the largest
        pool = image[passes[0].read].copy(order="K")
        passes = passes[1:]
    else:
        pool = new_zeros(image, windows, windows.out)
    for each in passes:
        pool[each.write] += image[each.read]
    return pool


@primitive(name="sum_pool_spread")
def _scatter_evenly(pool: Any, windows: Windows) -> Any:
    """Each number of a pool put at all positions of its window, overlaps added up. dL/dpool = sum_pool(g)."""
    image = allocate(xp(pool).empty if windows.tile else xp(pool).zeros, pool, windows, *windows.size)
    for each in windows.passes:
        if windows.overlap:
            image[each.read] += pool[each.write]
        else:  # windows side by side: storing takes half of the time of adding
            image[each.read] = pool[each.write]
    return image


_sum_pool.vjp(image=lambda g, windows: _scatter_evenly.raw(g, windows))
_scatter_evenly.vjp(pool=lambda g, windows: _sum_pool.raw(g, windows))


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
    options = (ceil_mode, count_include_pad, divisor_override)
    return avg_pool_over("avg_pool2d", 2, input, kernel_size, stride, padding, *options)


def avg_pool_over(
    name: str,
    axes: int,
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return avg_pool1d, avg_pool2d or avg_pool3d, as `name` says."""
    require_means(name, input, np.dtype(np.int64))
    windows = pool_windows(name, axes, as_array(input).shape, kernel_size, stride, padding, 1, ceil_mode)
    if divisor_override == 0:
        raise OperandError(f"{name}: divisor_override must not be 0")
    divisor = _divisor(input, windows, count_include_pad) if divisor_override is None else float(divisor_override)
    return avg_pool(input, windows, divisor)


def _divisor(input: TensorLike, windows: Windows, count_include_pad: bool) -> Any:
    """Return the number of elements in each window: one number if it is the same for all."""
    counts = _counts(windows, bool(count_include_pad))
    first = float(counts.flat[0]) if counts.size else 1.0
    array = as_array(input)
    return first if (counts == first).all() else xp(array).asarray(counts, array.dtype)


@functools.lru_cache(maxsize=256)
def _counts(windows: Windows, count_include_pad: bool) -> np.ndarray:
    """Return the number of positions of the (padded) input in each window."""
    counts = np.ones(())
    axes = zip(windows.size, windows.kernel, windows.stride, windows.padding, windows.out, strict=True)
    for size, kernel, stride, padding, out in axes:
        first = np.arange(out) * stride - padding
        end = np.minimum(first + kernel, size + padding)
        if not count_include_pad:
            first, end = np.maximum(first, 0), np.minimum(end, size)
        counts = counts[..., None] * (end - first)
    return counts


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.pool import *
else:
    __getattr__, __dir__ = moved_names(__name__)

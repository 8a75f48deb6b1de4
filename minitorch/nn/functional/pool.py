"""Pools of the largest number of each window, and where it stood.

What a pool's rule does to gradients ("spread") and what the rule of that does ("gather", "sum") are operations of
their own, each the other's rule: so a pool can be differentiated as often as one likes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import on_gpu, xp
from minitorch.errors import OperandError, ShapeError
from minitorch.nn.functional._windows import Pass, Windows, per_axis, require_planes, windows_over
from minitorch.ops._gate import as_words, gate
from minitorch.ops.gather_scatter import scatter
from minitorch.ops.movement import reshape
from minitorch.types import Shape, TensorLike

__all__ = ["max_pool1d", "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d"]

Counts = int | Sequence[int]


class PoolResult(NamedTuple):
    """Result of a max pool with `return_indices=True`: the values, and the position of each in its plane (constant)."""

    values: Tensor
    indices: Tensor


def zeros_of(like: Any, windows: Windows, sizes: Shape) -> Any:
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
        out = zeros_of(input, windows, windows.out)
        out[...] = -np.inf if input.dtype.kind == "f" else np.iinfo(input.dtype).min
    for each in passes:
        seen = out[each.write]
        np.maximum(seen, input[each.read], out=seen)  #: or a later one that is larger
    return out


def _winners(input: Any, largest: Any, windows: Windows) -> list[tuple[Pass, Any]]:
    """For each pass, the windows whose largest number it sees: of equal ones the first, of several nan the last."""
    unclaimed, found = None, []
    for each in windows.passes:
        won = input[each.read] == largest[each.write]  #: is the largest here?
        if unclaimed is None and windows.inside:  # the first pass sees a number of each window
            unclaimed = np.logical_not(won)  #: windows still without a winner
        else:
            if unclaimed is None:
                unclaimed = xp(largest).empty_like(largest, dtype=np.bool_)
                unclaimed.fill(True)
            still = unclaimed[each.write]
            won &= still  #: on a tie the first wins
            still ^= won  #: windows still without a winner
        found.append((each, won))
    if unclaimed is None:
        return found
    # To ask a GPU costs more than it saves.
    some_unclaimed = on_gpu(unclaimed) or unclaimed.any()  #: a nan equals nothing, so its window has no winner
    if some_unclaimed:
        for each, won in reversed(found):
            won |= np.isnan(input[each.read]) & unclaimed[each.write]
            unclaimed[each.write] &= ~won
    return found


def _spread_to_largest(pool: Any, input: Any, largest: Any, windows: Windows) -> Any:
    image = xp(input).empty_like(input) if windows.tile else zeros_of(input, windows, windows.size)
    if pool.strides != largest.strides:  # turned once, and not in each pass
        reordered = xp(largest).empty_like(largest)
        reordered[...] = pool  #: copied into the order in memory of the windows' largest
        pool = reordered
    if windows.overlap:
        for each, won in _winners(input, largest, windows):
            image[each.read] += gate.raw(pool[each.write], won)
        return image
    pool_bits, image_bits = as_words(pool), as_words(image)  # a gate whose result is written where it belongs
    for each, won in _winners(input, largest, windows):
        np.multiply(pool_bits[each.write], won, out=image_bits[each.read])  #: where this number won, 0 elsewhere
    return image


def _gather_from_largest(image: Any, input: Any, largest: Any, windows: Windows) -> Any:
    pool = zeros_of(largest, windows, windows.out)
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
    """Return the position of each window's largest number, counted row by row through its plane."""
    places = xp(input).arange(math.prod(windows.size), dtype=np.int64).reshape(windows.size)
    indices = xp(input).zeros(largest.shape, np.int64)
    for each, won in _winners(input, largest, windows):
        indices[each.write] += places[each.read] * won
    return indices


def max_pool(input: TensorLike, windows: Windows, return_indices: bool = False) -> Tensor | PoolResult:
    """The largest number in each window; with `return_indices`, a pair with where it stands."""
    out = _max_pool(input, windows)
    return PoolResult(out, constant(_indices(as_array(input), out._data, windows))) if return_indices else out


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


@overload
def max_pool3d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = ...,
    padding: Counts = ...,
    dilation: Counts = ...,
    ceil_mode: bool = ...,
    return_indices: Literal[False] = ...,
) -> Tensor: ...
@overload
def max_pool3d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = ...,
    padding: Counts = ...,
    dilation: Counts = ...,
    ceil_mode: bool = ...,
    *,
    return_indices: Literal[True],
) -> PoolResult: ...
def max_pool3d(
    input: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    dilation: Counts = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor | PoolResult:
    """max_pool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> max_pool3d(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]), (2, 1, 2))
    tensor([[[[3.]]]])
    """
    return _max_pooled("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


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
    windows = pool_windows(name, axes, as_array(input).shape, kernel_size, stride, padding, dilation, ceil_mode)
    return max_pool(input, windows, return_indices)


def max_unpool1d(
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """max_unpool2d with one axis: (N, C, windows) or (C, windows) → (…, L).

    >>> values, places = max_pool1d(Tensor([[1.0, 3.0, 2.0, 5.0]]), 2, return_indices=True)
    >>> max_unpool1d(values, places, 2)
    tensor([[0., 3., 0., 5.]])
    """
    return _unpooled("max_unpool1d", 1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Each number put back where max_pool2d found it, zeros elsewhere: (N, C, h, w) or (C, h, w) → (…, H, W).

    indices: those that max_pool2d returned, of the input's shape. The sizes are (h - 1) · stride - 2 padding + kernel,
    or those of output_size, which may be up to one stride more or less. dL/dinput = g at the indices.
    Raises ValueError when shapes do not fit, IndexError for an index outside.

    >>> max_unpool2d(Tensor([[[3.0]]]), Tensor([[[1]]]), 2)
    tensor([[[0., 3.],
             [0., 0.]]])
    """
    return _unpooled("max_unpool2d", 2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """max_unpool2d with one axis more: (N, C, d, h, w) or (C, d, h, w) → (…, D, H, W).

    >>> max_unpool3d(Tensor([[[[3.0]]]]), Tensor([[[[1]]]]), (1, 1, 2))
    tensor([[[[0., 3.]]]])
    """
    return _unpooled("max_unpool3d", 3, input, indices, kernel_size, stride, padding, output_size)


def _unpooled(
    name: str,
    axes: int,
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Counts,
    stride: Counts | None,
    padding: Counts,
    output_size: Sequence[int] | None,
) -> Tensor:
    shape, places = as_array(input).shape, as_array(indices)
    require_planes(name, axes, shape)
    if places.shape != shape:
        raise ShapeError(
            f"{name}: indices have shape {places.shape}, but there must be one for each of input's {shape}"
        )
    kernel, around = per_axis(name, "kernel_size", kernel_size, axes), per_axis(name, "padding", padding, axes)
    steps = kernel if stride is None else per_axis(name, "stride", stride, axes)
    batch, many = shape[: len(shape) - axes], shape[len(shape) - axes :]
    usual = tuple([(n - 1) * s - 2 * p + k for n, s, p, k in zip(many, steps, around, kernel, strict=True)])
    size = usual if output_size is None else tuple(output_size)[-axes:]
    if len(size) != axes or any(abs(n - have) >= s for n, have, s in zip(size, usual, steps, strict=True)):
        raise OperandError(f"{name}: output_size {size} must lie within a stride {steps} of {usual}")
    empty = constant(xp(as_array(input)).zeros((*batch, math.prod(size)), as_array(input).dtype))
    flat = (*batch, math.prod(many))
    return reshape(scatter(empty, -1, constant(places.reshape(flat)), reshape(input, flat)), (*batch, *size))


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

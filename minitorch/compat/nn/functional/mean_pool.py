"""Pools of means: of all numbers of each window, or of their p-th powers."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import xp
from minitorch.compat.nn.functional._axes import with_axes
from minitorch.errors import DtypeError, OperandError
from minitorch.nn.functional._windows import Pass, Windows, allocate, per_axis
from minitorch.nn.functional.pool import new_zeros, pool_windows
from minitorch.ops.arithmetic import div, mul, pow
from minitorch.ops.unary import abs as abs_
from minitorch.ops.unary import relu, sign
from minitorch.types import Counts, TensorLike

__all__ = ["avg_pool1d", "avg_pool2d", "avg_pool3d", "lp_pool1d", "lp_pool2d", "lp_pool3d"]


def _store(image: Any, position: Pass, values: Any, windows: Windows) -> None:
    """Add `values` where the pass reads."""
    if windows.overlap:
        image[position.read] += values
    else:  # windows side by side: storing takes half of the time of adding
        image[position.read] = values


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
        _store(image, each, pool[each.write], windows)
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


def _avg_pool(
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
    require_means(name, input, np.dtype(np.int64))
    windows = pool_windows(name, axes, as_array(input).shape, kernel_size, stride, padding, 1, ceil_mode)
    if divisor_override == 0:
        raise OperandError(f"{name}: divisor_override must not be 0")
    divisor = _divisor(input, windows, count_include_pad) if divisor_override is None else float(divisor_override)
    return avg_pool(input, windows, divisor)


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
    return _avg_pool("avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


@with_axes(2, _avg_pool)
def avg_pool2d() -> None:
    """The mean of each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - kernel) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given; `ceil_mode` rounds up. The sum is divided by the number of positions
    of the window in the padded input, or with `count_include_pad=False` in the input, or by `divisor_override`.
    dL/dinput = Σ g / divisor over the windows that see the position. Raises ValueError; of integers, int64 alone has
    means, which are whole (rounded towards 0), and others raise TypeError.

    >>> avg_pool2d(Tensor([[[1.0, 3.0], [2.0, 0.0]]]), 2)
    tensor([[[1.5000]]])
    """


@with_axes(3, _avg_pool)
def avg_pool3d() -> None:
    """avg_pool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> avg_pool3d(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]), (2, 1, 2))
    tensor([[[[1.5000]]]])
    """


def _lp_pool(
    name: str,
    axes: int,
    input: TensorLike,
    norm_type: float,
    kernel_size: Counts,
    stride: Counts | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    powers = pow(input, norm_type)
    mean = _avg_pool(name, axes, powers, kernel_size, stride, 0, ceil_mode)
    count = math.prod(per_axis(name, "kernel_size", kernel_size, axes))
    return pow(mul(mul(sign(mean), relu(abs_(mean))), count), 1 / norm_type)


@with_axes(2, _lp_pool)
def lp_pool2d() -> None:
    """(Σ xᵖ)^(1/p) over each window, with p = norm_type: (N, C, H, W) or (C, H, W) → (…, windows, windows).

    p = 1 is the sum; the larger p, the nearer it comes to the largest. The root of a sum below 0 is nan. A
    window that `ceil_mode` lets look past the edge is scaled up as if it were whole. The gradient of a window of zeros
    is nan, as in PyTorch. Raises ValueError where windows do not fit.

    >>> lp_pool2d(Tensor([[[3.0, 4.0], [0.0, 12.0]]]), 2, 2)
    tensor([[[13.]]])
    """


@with_axes(1, _lp_pool)
def lp_pool1d() -> None:
    """lp_pool2d with one axis: (N, C, L) or (C, L) → (…, windows).

    >>> lp_pool1d(Tensor([[3.0, 4.0, 0.0, 5.0]]), 2, 2)
    tensor([[5., 5.]])
    """


@with_axes(3, _lp_pool)
def lp_pool3d() -> None:
    """lp_pool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> lp_pool3d(Tensor([[[[3.0]], [[4.0]]]]), 2, (2, 1, 1))
    tensor([[[[5.]]]])
    """


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

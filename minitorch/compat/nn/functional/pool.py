"""Pools of rows and of volumes, p-norms of windows, unpooling, and pools that are told the size of their result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from minitorch import Tensor, div, mul, pow, relu, reshape, scatter, sign, where
from minitorch import abs as abs_
from minitorch import max as max_
from minitorch import sum as sum_
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.nn.functional._axes import with_axes
from minitorch.errors import OperandError, ShapeError
from minitorch.nn.functional import max_pool2d
from minitorch.nn.functional._windows import Windows, per_axis, require_planes
from minitorch.nn.functional.pool import PoolResult, avg_pool, avg_pool_over, max_pool, max_pool_over, require_means
from minitorch.ops.index import pick
from minitorch.types import Counts, Shape, TensorLike

__all__ = ["max_pool1d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d", "avg_pool1d", "avg_pool3d"]
__all__ += ["lp_pool1d", "lp_pool2d", "lp_pool3d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"]
__all__ += ["adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"]

Sizes = int | None | Sequence[int | None]


@with_axes(1, max_pool_over, max_pool2d)
def max_pool1d() -> None:
    """max_pool2d with one axis: (N, C, L) or (C, L) → (…, windows).

    >>> max_pool1d(Tensor([[1.0, 3.0, 2.0, 5.0]]), 2)
    tensor([[3., 5.]])
    """


@with_axes(3, max_pool_over, max_pool2d)
def max_pool3d() -> None:
    """max_pool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> max_pool3d(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]), (2, 1, 2))
    tensor([[[[3.]]]])
    """


def _max_unpool(
    name: str,
    axes: int,
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    shape, at = as_array(input).shape, as_array(indices)
    require_planes(name, axes, shape)
    if at.shape != shape:
        raise ShapeError(f"{name}: indices have shape {at.shape}, but there must be one for each of input's {shape}")
    kernel, paddings = per_axis(name, "kernel_size", kernel_size, axes), per_axis(name, "padding", padding, axes)
    strides = kernel if stride is None else per_axis(name, "stride", stride, axes)
    batch, counts = shape[: len(shape) - axes], shape[len(shape) - axes :]
    default = tuple([(n - 1) * s - 2 * p + k for n, s, p, k in zip(counts, strides, paddings, kernel, strict=True)])
    size = default if output_size is None else tuple(output_size)[-axes:]
    if len(size) != axes or any(abs(n - have) >= s for n, have, s in zip(size, default, strides, strict=True)):
        raise OperandError(f"{name}: output_size {size} must lie within a stride {strides} of {default}")
    empty = constant(xp(as_array(input)).zeros((*batch, math.prod(size)), as_array(input).dtype))
    flat = (*batch, math.prod(counts))
    return reshape(scatter(empty, -1, constant(at.reshape(flat)), reshape(input, flat)), (*batch, *size))


@with_axes(2, _max_unpool)
def max_unpool2d() -> None:
    """Each number put back where max_pool2d found it, zeros elsewhere: (N, C, h, w) or (C, h, w) → (…, H, W).

    indices: those that max_pool2d returned, of the input's shape. The sizes are (h - 1) · stride - 2 padding + kernel,
    or those of output_size, which may be up to one stride more or less. dL/dinput = g at the indices.
    Raises ValueError when shapes do not fit, IndexError for an index outside.

    >>> max_unpool2d(Tensor([[[3.0]]]), Tensor([[[1]]]), 2)
    tensor([[[0., 3.],
             [0., 0.]]])
    """


@with_axes(1, _max_unpool)
def max_unpool1d() -> None:
    """max_unpool2d with one axis: (N, C, windows) or (C, windows) → (…, L).

    >>> values, indices = max_pool1d(Tensor([[1.0, 3.0, 2.0, 5.0]]), 2, return_indices=True)
    >>> max_unpool1d(values, indices, 2)
    tensor([[0., 3., 0., 5.]])
    """


@with_axes(3, _max_unpool)
def max_unpool3d() -> None:
    """max_unpool2d with one axis more: (N, C, d, h, w) or (C, d, h, w) → (…, D, H, W).

    >>> max_unpool3d(Tensor([[[[3.0]]]]), Tensor([[[[1]]]]), (1, 1, 2))
    tensor([[[[0., 3.]]]])
    """


# -- means -------------------------------------------------------------------------------------------------------------


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
    return avg_pool_over("avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


@with_axes(3, avg_pool_over)
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
    mean = avg_pool_over(name, axes, powers, kernel_size, stride, 0, ceil_mode)
    count = math.prod(per_axis(name, "kernel_size", kernel_size, axes))
    return pow(mul(mul(sign(mean), relu(abs_(mean))), count), 1 / norm_type)


def lp_pool2d(
    input: TensorLike, norm_type: float, kernel_size: Counts, stride: Counts | None = None, ceil_mode: bool = False
) -> Tensor:
    """(Σ xᵖ)^(1/p) over each window, with p = norm_type: (N, C, H, W) or (C, H, W) → (…, windows, windows).

    p = 1 is the sum; the larger p, the nearer it comes to the largest. The root of a sum below 0 is nan. A
    window that `ceil_mode` lets look past the edge is scaled up as if it were whole. The gradient of a window of zeros
    is nan, as in PyTorch. Raises ValueError where windows do not fit.

    >>> lp_pool2d(Tensor([[[3.0, 4.0], [0.0, 12.0]]]), 2, 2)
    tensor([[[13.]]])
    """
    return _lp_pool("lp_pool2d", 2, input, norm_type, kernel_size, stride, ceil_mode)


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


# -- pools that are told the size of their result ----------------------------------------------------------------------


def adaptive_avg_pool1d(input: TensorLike, output_size: Sizes) -> Tensor:
    """adaptive_avg_pool2d with one axis: (N, C, L) or (C, L) → (…, output_size).

    >>> adaptive_avg_pool1d(Tensor([[1.0, 2.0, 3.0]]), 2)
    tensor([[1.5000, 2.5000]])
    """
    return _mean_of_bins("adaptive_avg_pool1d", 1, input, output_size)


def adaptive_avg_pool2d(input: TensorLike, output_size: Sizes) -> Tensor:
    """Means over as many windows as asked for: (N, C, H, W) or (C, H, W) → (…, *output_size).

    Window i of n covers the rows from ⌊i H / n⌋ to before ⌈(i + 1) H / n⌉: neighbours share a row where n does not
    divide H. One number stands for both axes, None for a size that stays. dL/dinput = Σ g / count over the windows that
    see the place. Raises ValueError for a size below 1 or an input without rows, TypeError for integers.

    >>> adaptive_avg_pool2d(Tensor([[[1.0, 3.0], [2.0, 0.0]]]), 1)
    tensor([[[1.5000]]])
    """
    return _mean_of_bins("adaptive_avg_pool2d", 2, input, output_size)


def adaptive_avg_pool3d(input: TensorLike, output_size: Sizes) -> Tensor:
    """adaptive_avg_pool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, *output_size).

    >>> adaptive_avg_pool3d(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]), 1)
    tensor([[[[1.5000]]]])
    """
    return _mean_of_bins("adaptive_avg_pool3d", 3, input, output_size)


def _largest_of_bins(
    name: str, axes: int, input: TensorLike, output_size: Sizes, return_indices: bool = False
) -> Tensor | PoolResult:
    """The largest of each bin: as an ordinary pool where the sizes divide, else among the places picked for each."""
    array = as_array(input)
    size, out = _sizes(name, axes, array.shape, output_size)
    windows = _even_windows(size, out)
    if windows is not None:
        return max_pool(input, windows, return_indices)
    grid = [_along_axis(_bins(size[axis], out[axis])[0], axis, axes) for axis in range(axes)]
    seen = pick(input, (..., *[xp(array).asarray(each) for each in grid]))  # (…, *out, *widest)
    places = math.prod([each.size for each in grid]) // math.prod(out)
    seen = reshape(seen, (*array.shape[: array.ndim - axes], *out, places))
    values, chosen = max_(seen, -1)
    if not return_indices:
        return values
    flat = np.ravel_multi_index(np.broadcast_arrays(*grid), size).reshape((*out, places))
    flat = np.broadcast_to(xp(array).asarray(flat), seen.shape)
    return PoolResult(values, constant(np.take_along_axis(flat, chosen._data[..., None], -1)[..., 0]))


@overload
def adaptive_max_pool2d(input: TensorLike, output_size: Sizes, return_indices: Literal[False] = ...) -> Tensor: ...
@overload
def adaptive_max_pool2d(input: TensorLike, output_size: Sizes, *, return_indices: Literal[True]) -> PoolResult: ...
def adaptive_max_pool2d(input: TensorLike, output_size: Sizes, return_indices: bool = False) -> Tensor | PoolResult:
    """The largest number in each of as many windows as asked for: (N, C, H, W) or (C, H, W) → (…, *output_size).

    The windows are those of adaptive_avg_pool2d. g goes to the largest number, of equal ones to the first.
    `return_indices` gives `(values, indices)`, the indices counted row by row through each plane. Raises ValueError as
    adaptive_avg_pool2d does.

    >>> adaptive_max_pool2d(Tensor([[[1.0, 3.0], [2.0, 0.0]]]), 1)
    tensor([[[3.]]])
    """
    return _largest_of_bins("adaptive_max_pool2d", 2, input, output_size, return_indices)


@with_axes(1, _largest_of_bins, adaptive_max_pool2d)
def adaptive_max_pool1d() -> None:
    """adaptive_max_pool2d with one axis: (N, C, L) or (C, L) → (…, output_size).

    >>> adaptive_max_pool1d(Tensor([[1.0, 2.0, 3.0]]), 2)
    tensor([[2., 3.]])
    """


@with_axes(3, _largest_of_bins, adaptive_max_pool2d)
def adaptive_max_pool3d() -> None:
    """adaptive_max_pool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, *output_size).

    >>> adaptive_max_pool3d(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]), 1)
    tensor([[[[3.]]]])
    """


def _mean_of_bins(name: str, axes: int, input: TensorLike, output_size: Sizes) -> Tensor:
    """The mean of each bin: as an ordinary pool where the sizes divide, else axis by axis."""
    require_means(name, input)
    size, out = _sizes(name, axes, as_array(input).shape, output_size)
    windows = _even_windows(size, out)
    if windows is not None:
        return avg_pool(input, windows, float(math.prod(windows.kernel)))
    library, dtype = xp(as_array(input)), as_array(input).dtype
    means: Any = input
    for axis in range(-axes, 0):  # the mean of a rectangle is the mean of its rows' means
        places, inside = _bins(size[axis], out[axis])
        behind = (1,) * (-axis - 1)
        seen = pick(means, (..., library.asarray(places), *[slice(None)] * len(behind)))
        seen = where(library.asarray(inside).reshape((*inside.shape, *behind)), seen, 0.0)
        counts = library.asarray(inside.sum(axis=1), dtype)
        means = div(sum_(seen, axis), counts.reshape((*counts.shape, *behind)))
    return means  # type: ignore[no-any-return]


def _along_axis(bins: np.ndarray, axis: int, axes: int) -> np.ndarray:
    """The bins of one axis, (out, widest), so that they broadcast with those of the other axes to (*out, *widest)."""
    shape = [1] * (2 * axes)
    shape[axis], shape[axes + axis] = bins.shape
    return bins.reshape(shape)


def _sizes(name: str, axes: int, shape: Shape, output_size: Sizes) -> tuple[Shape, Shape]:
    """The sizes of the input and of the result along the pooled axes."""
    require_planes(name, axes, shape)
    size = shape[len(shape) - axes :]
    asked: tuple[Any, ...] = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * axes
    if len(asked) != axes:
        raise ShapeError(f"{name}: output_size {asked} must be one number, or {axes} of them")
    out = tuple([have if want is None else int(want) for have, want in zip(size, asked, strict=True)])
    if min(out) < 1 or min(size) < 1:
        raise ShapeError(f"{name}: from {size} to output_size {out}: every size must be at least 1")
    return size, out


def _even_windows(size: Shape, out: Shape) -> Windows | None:
    """Windows side by side, if the sizes divide."""
    if any(have % want for have, want in zip(size, out, strict=True)):
        return None
    kernel = tuple([have // want for have, want in zip(size, out, strict=True)])
    return Windows(size, kernel, kernel, (0,) * len(size), (1,) * len(size), out)


def _bins(size: int, out: int) -> tuple[np.ndarray, np.ndarray]:
    """Along one axis: the places that each bin covers, (out, widest), and which of these are its own.

    A bin that is narrower than the widest repeats its last place.
    """
    first = np.arange(out) * size // out
    end = -(-(np.arange(1, out + 1) * size) // out)
    places = first[:, None] + np.arange((end - first).max())
    return np.minimum(places, end[:, None] - 1), places < end[:, None]

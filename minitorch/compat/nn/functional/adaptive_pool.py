"""Adaptive pools, which are told the size of their result, and lay out their windows themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.nn.functional._axes import with_axes
from minitorch.compat.nn.functional.mean_pool import avg_pool, require_means
from minitorch.errors import ShapeError
from minitorch.nn.functional._windows import Windows, require_planes
from minitorch.nn.functional.pool import PoolResult, max_pool
from minitorch.ops.arithmetic import div
from minitorch.ops.choice import where
from minitorch.ops.extremes import max as max_
from minitorch.ops.index import pick
from minitorch.ops.movement import reshape
from minitorch.ops.reduce import sum as sum_
from minitorch.types import Shape, TensorLike

__all__ = ["adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"]
__all__ += ["adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"]

Sizes = int | None | Sequence[int | None]


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

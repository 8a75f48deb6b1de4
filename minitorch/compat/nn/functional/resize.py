"""Images in other sizes: each new number a sum of a few old ones, axis by axis; channels as pixels, back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch import Tensor, add, clone, mul, permute, reshape
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import xp
from minitorch.compat.nn.functional.pool import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from minitorch.errors import DtypeError, ShapeError
from minitorch.ops.index import picking
from minitorch.types import Shape, TensorLike

__all__ = ["interpolate", "upsample", "upsample_bilinear", "upsample_nearest", "channel_shuffle", "pixel_shuffle"]
__all__ += ["pixel_unshuffle"]


_seen = picking("interpolate")

_MODES = ("nearest", "nearest-exact", "linear", "bilinear", "trilinear", "bicubic")
_AXES = {"linear": 1, "bilinear": 2, "trilinear": 3, "bicubic": 2}

Tap = tuple[np.ndarray, np.ndarray | None]
"""For each new place an old one, and its weight (None for 1)."""


def interpolate(
    input: TensorLike,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """The input at another size, `size` or ⌊size · scale_factor⌋: (N, C, L) → (N, C, l); so with two or three axes.

    A new place p stands at the old place x = scale · (p + ½) - ½, where scale = old size / new size or 1 / scale_factor
    (old / new again with `recompute_scale_factor`); with `align_corners`, at x = p · (old - 1) / (new - 1). Modes:

        "nearest"               input[⌊p · scale⌋]; "nearest-exact": input[⌊(p + ½) · scale⌋], the true middle
        "linear", "bilinear",
        "trilinear"             (1 - t) · input[⌊x⌋] + t · input[⌊x⌋ + 1] along each axis, where t = x - ⌊x⌋
        "bicubic"               four neighbours, weighted by Keys' cubic with a = -¾
        "area"                  adaptive_avg_pool, of one axis, two or three

    dL/dinput = each g, times its weight, added where the number came from. Raises ValueError, and TypeError for
    integers, except for bytes in the two nearest modes. Source of bicubic:
    Keys, "Cubic convolution interpolation", 1981.

    >>> interpolate(Tensor([[[1.0, 3.0]]]), size=4, mode="linear")
    tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
    shape = as_array(input).shape
    if len(shape) not in (3, 4, 5):
        raise ShapeError(
            f"interpolate: input has shape {shape}, but (N, C, L), (N, C, H, W) or (N, C, D, H, W) is needed"
        )
    old = shape[2:]
    new, factors = _sizes(old, size, scale_factor, bool(recompute_scale_factor))
    if min(new) < 1 or min(old) < 1:
        raise ShapeError(f"interpolate: from {old} to {new}: every size must be at least 1")
    if align_corners is not None and mode not in _AXES:
        raise ValueError(f"interpolate: mode {mode!r} takes no align_corners")
    if len(old) != _AXES.get(mode, len(old)):
        raise ShapeError(f"interpolate: mode {mode!r} is not for an input of shape {shape}")
    dtype = as_array(input).dtype
    if dtype.kind != "f" and not (dtype == np.uint8 and mode in ("nearest", "nearest-exact")):
        raise DtypeError(f"interpolate: mode {mode!r} is not for {dtype}: convert it, as in x.to('float32')")
    if mode == "area":
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[len(old) - 1](input, new)
    if mode not in _MODES:
        raise ValueError(f"interpolate: mode {mode!r} is not known: write one of {', '.join([*_MODES, 'area'])}")
    result: Any = input
    for axis, (have, want, factor) in enumerate(zip(old, new, factors, strict=True), start=2):
        scale = (have - 1) / max(want - 1, 1) if align_corners else 1 / factor if factor else have / want
        if have != want or mode in ("nearest-exact", "bicubic"):
            places = xp(as_array(input)).arange(want)
            result = _resampled(result, axis, _taps(mode, places, scale, have, bool(align_corners)))
    return clone(input) if result is input else result


def upsample(
    input: TensorLike,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """`interpolate` under its first name: (N, C, …) → (N, C, *size).

    >>> upsample(Tensor([[[1.0, 3.0]]]), 4)
    tensor([[[1., 1., 3., 3.]]])
    """
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(
    input: TensorLike, size: int | Sequence[int] | None = None, scale_factor: float | Sequence[float] | None = None
) -> Tensor:
    """`interpolate` with mode "nearest": (N, C, …) → (N, C, *size).

    >>> upsample_nearest(Tensor([[[1.0, 3.0]]]), scale_factor=2)
    tensor([[[1., 1., 3., 3.]]])
    """
    return interpolate(input, size, scale_factor)


def upsample_bilinear(
    input: TensorLike, size: int | Sequence[int] | None = None, scale_factor: float | Sequence[float] | None = None
) -> Tensor:
    """`interpolate` of images with mode "bilinear", the corners staying where they are: (N, C, H, W) → (N, C, *size).

    >>> upsample_bilinear(Tensor([[[[1.0, 3.0]]]]), (1, 3))
    tensor([[[[1., 2., 3.]]]])
    """
    return interpolate(input, size, scale_factor, "bilinear", True)


def _sizes(old: Shape, size: Any, scale_factor: Any, recompute: bool) -> tuple[Shape, list[float | None]]:
    """The new sizes, and the scale factor of each axis if it is to be taken at its word."""
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: give either size or scale_factor")
    given = size if scale_factor is None else scale_factor
    each = list(given) if isinstance(given, (tuple, list)) else [given] * len(old)
    if len(each) != len(old):
        raise ShapeError(f"interpolate: {given} must be one number, or {len(old)} of them")
    if scale_factor is None:
        return tuple([int(want) for want in each]), [None] * len(old)
    new = tuple([math.floor(have * float(factor)) for have, factor in zip(old, each, strict=True)])
    return new, [None if recompute else float(factor) for factor in each]


def _resampled(input: TensorLike, axis: int, taps: Sequence[Tap]) -> Tensor:
    """Σ over the taps of weight · input[place], along one axis."""
    array = as_array(input)
    behind = array.ndim - axis - 1
    total: Tensor | None = None
    for place, weight in taps:
        seen = _seen(input, (..., place, *[slice(None)] * behind))
        if weight is not None:
            seen = mul(seen, weight.astype(array.dtype).reshape((-1, *[1] * behind)))
        total = seen if total is None else add(total, seen)
    assert total is not None
    return total


def _taps(mode: str, place: np.ndarray, scale: float, old: int, align_corners: bool) -> list[Tap]:
    if mode in ("nearest", "nearest-exact"):
        return _nearest(place + 0.5 if mode == "nearest-exact" else place, scale, old)
    x = place * scale if align_corners else (place + 0.5) * scale - 0.5
    return _cubic(x, old) if mode == "bicubic" else _linear(x, old)


def _nearest(place: np.ndarray, scale: float, old: int) -> list[Tap]:
    if len(place) == 2 * old:  # doubled exactly, whatever the scale factor says, as in PyTorch
        return [(xp(place).arange(2 * old) // 2, None)]
    return [(np.minimum(np.floor(place * np.float32(scale)), old - 1).astype(np.int64), None)]


def _linear(x: np.ndarray, old: int) -> list[Tap]:
    x = np.maximum(x, 0)
    low = np.minimum(np.floor(x).astype(np.int64), old - 1)
    t = np.clip(x - low, 0, 1)
    return [(low, 1 - t), (np.minimum(low + 1, old - 1), t)]


def _cubic(x: np.ndarray, old: int) -> list[Tap]:
    low = np.floor(x)
    places = [np.clip(low + step, 0, old - 1).astype(np.int64) for step in (-1, 0, 1, 2)]
    return [(there, _keys(np.abs(x - low - step))) for there, step in zip(places, (-1, 0, 1, 2), strict=True)]


def _keys(distance: np.ndarray, a: float = -0.75) -> Any:
    """The weight of a neighbour in Keys' cubic convolution."""
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, far)


# -- channels and pixels -----------------------------------------------------------------------------------------------


def pixel_shuffle(input: TensorLike, upscale_factor: int) -> Tensor:
    """(…, C · r², H, W) → (…, C, H · r, W · r): each group of r² channels becomes a square of pixels.

    dL/dinput = g, shuffled back. Raises ValueError where r² does not divide the channels.
    Source: Shi et al., 2016.

    >>> from minitorch import Tensor
    >>> pixel_shuffle(Tensor([[[1.0]], [[2.0]], [[3.0]], [[4.0]]]), 2)
    tensor([[[1., 2.],
             [3., 4.]]])
    """
    r, shape = upscale_factor, as_array(input).shape
    if len(shape) < 3 or r < 1 or shape[-3] % (r * r):
        raise ShapeError(f"pixel_shuffle: shape {shape} has no channels in groups of {r}² in its third-last axis")
    *batch, channels, height, width = shape
    parts = reshape(input, (math.prod(batch), channels // (r * r), r, r, height, width))
    return reshape(permute(parts, (0, 1, 4, 2, 5, 3)), (*batch, channels // (r * r), height * r, width * r))


def pixel_unshuffle(input: TensorLike, downscale_factor: int) -> Tensor:
    """(…, C, H · r, W · r) → (…, C · r², H, W): what undoes `pixel_shuffle`.

    Raises ValueError where r does not divide height and width.

    >>> from minitorch import Tensor
    >>> pixel_unshuffle(Tensor([[[1.0, 2.0], [3.0, 4.0]]]), 2).reshape(-1)
    tensor([1., 2., 3., 4.])
    """
    r, shape = downscale_factor, as_array(input).shape
    if len(shape) < 3 or r < 1 or shape[-1] % r or shape[-2] % r:
        raise ShapeError(f"pixel_unshuffle: shape {shape} does not fall into squares of {r} by {r}")
    *batch, channels, height, width = shape
    parts = reshape(input, (math.prod(batch), channels, height // r, r, width // r, r))
    return reshape(permute(parts, (0, 1, 3, 5, 2, 4)), (*batch, channels * r * r, height // r, width // r))


def channel_shuffle(input: TensorLike, groups: int) -> Tensor:
    """(N, C, …) → (N, C, …): the channels of `groups` groups, one of each in turn.

    Raises ValueError where the groups do not divide the channels. Source: Zhang et al., 2018.

    >>> from minitorch import Tensor
    >>> channel_shuffle(Tensor([[[1.0], [2.0], [3.0], [4.0]]]), 2).reshape(-1)
    tensor([1., 3., 2., 4.])
    """
    shape = as_array(input).shape
    if len(shape) < 3 or groups < 1 or shape[1] % groups:
        raise ShapeError(f"channel_shuffle: {groups} groups do not divide the channels of shape {shape}")
    parts = reshape(input, (shape[0], groups, shape[1] // groups, *shape[2:]))
    return reshape(permute(parts, (0, 2, 1, *range(3, len(shape) + 1))), shape)

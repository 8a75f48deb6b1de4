"""Channels as pixels and back: an image r times as wide and as high, of r² times fewer channels."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.ops.movement import permute, reshape
from minitorch.types import TensorLike

__all__ = ["channel_shuffle", "pixel_shuffle", "pixel_unshuffle"]


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
    lead = tuple(range(len(batch)))
    n = len(batch)
    parts = reshape(input, (*batch, channels // (r * r), r, r, height, width))
    return reshape(
        permute(parts, (*lead, n, n + 3, n + 1, n + 4, n + 2)), (*batch, channels // (r * r), height * r, width * r)
    )


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
    lead = tuple(range(len(batch)))
    n = len(batch)
    parts = reshape(input, (*batch, channels, height // r, r, width // r, r))
    return reshape(
        permute(parts, (*lead, n, n + 2, n + 4, n + 1, n + 3)), (*batch, channels * r * r, height // r, width // r)
    )


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

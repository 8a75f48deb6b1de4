"""Layers that put channels where pixels are, and back."""

from __future__ import annotations

from minitorch.compat.nn.function_layer import FunctionLayer, layer

__all__ = ["ChannelShuffle", "PixelShuffle", "PixelUnshuffle"]


@layer
class PixelShuffle(FunctionLayer, function="pixel_shuffle"):
    """(…, C · r², H, W) → (…, C, H · r, W · r), where r is upscale_factor. Source: Shi et al., 2016.

    >>> from minitorch import Tensor
    >>> PixelShuffle(2)(Tensor(np.ones((1, 8, 2, 3), "f"))).shape
    (1, 2, 4, 6)
    """

    upscale_factor: int


@layer
class PixelUnshuffle(FunctionLayer, function="pixel_unshuffle"):
    """(…, C, H · r, W · r) → (…, C · r², H, W), where r is downscale_factor.

    >>> from minitorch import Tensor
    >>> PixelUnshuffle(2)(Tensor(np.ones((1, 2, 4, 6), "f"))).shape
    (1, 8, 2, 3)
    """

    downscale_factor: int


@layer
class ChannelShuffle(FunctionLayer, function="channel_shuffle"):
    """(N, C, …) → (N, C, …): the channels of `groups` groups, one of each in turn. Source: Zhang et al., 2018.

    >>> from minitorch import Tensor
    >>> ChannelShuffle(2)(Tensor([[[1.0], [2.0], [3.0], [4.0]]])).reshape(-1)
    tensor([1., 3., 2., 4.])
    """

    groups: int

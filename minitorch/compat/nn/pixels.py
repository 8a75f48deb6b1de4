"""Layers that put channels where pixels are, and back."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["ChannelShuffle", "PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(Module):
    """(…, C · r², H, W) → (…, C, H · r, W · r), where r is upscale_factor. Source: Shi et al., 2016.

    >>> from minitorch import Tensor
    >>> PixelShuffle(2)(Tensor(np.ones((1, 8, 2, 3), "f"))).shape
    (1, 2, 4, 6)
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: TensorLike) -> Tensor:
        """The larger image."""
        return functional.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """(…, C, H · r, W · r) → (…, C · r², H, W), where r is downscale_factor.

    >>> from minitorch import Tensor
    >>> PixelUnshuffle(2)(Tensor(np.ones((1, 2, 4, 6), "f"))).shape
    (1, 8, 2, 3)
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: TensorLike) -> Tensor:
        """The smaller image."""
        return functional.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """(N, C, …) → (N, C, …): the channels of `groups` groups, one of each in turn. Source: Zhang et al., 2018.

    >>> from minitorch import Tensor
    >>> ChannelShuffle(2)(Tensor([[[1.0], [2.0], [3.0], [4.0]]])).reshape(-1)
    tensor([1., 3., 2., 4.])
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: TensorLike) -> Tensor:
        """The channels in another order."""
        return functional.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        """Return the text of the number of groups."""
        return f"groups={self.groups}"

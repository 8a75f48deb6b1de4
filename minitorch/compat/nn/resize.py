"""Images in other sizes: numbers between their neighbours, and channels as pixels and back."""

from __future__ import annotations

from collections.abc import Sequence

from minitorch.compat.nn.function_layer import FunctionLayer, layer

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d", "ChannelShuffle", "PixelShuffle"]
__all__ += ["PixelUnshuffle"]


Counts = int | Sequence[int]


@layer
class Upsample(FunctionLayer, function="interpolate"):
    """The input at another size, `size` or ⌊size · scale_factor⌋: (N, C, L) → (N, C, l), (N, C, H, W) → (N, C, h, w).

    mode: "nearest", "linear" (rows), "bilinear" or "bicubic" (images); `functional.interpolate` has the mathematics.
    Raises ValueError when not exactly one of size and scale_factor is given.

    >>> from minitorch import Tensor
    >>> Upsample(scale_factor=2)(Tensor([[[1.0, 3.0]]]))
    tensor([[[1., 1., 3., 3.]]])
    """

    size: Counts | None = None
    scale_factor: float | Sequence[float] | None = None
    mode: str = "nearest"
    align_corners: bool | None = None
    recompute_scale_factor: bool | None = None

    def __post_init__(self) -> None:
        if isinstance(self.scale_factor, Sequence):
            self.scale_factor = tuple(map(float, self.scale_factor))
        elif self.scale_factor is not None:
            self.scale_factor = float(self.scale_factor)

    def extra_repr(self) -> str:
        """The size or the factor, and the mode."""
        given = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{given}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Upsample of images with mode "nearest": (N, C, H, W) → (N, C, h, w).

    >>> from minitorch import Tensor
    >>> UpsamplingNearest2d(scale_factor=2)(Tensor([[[[1.0, 3.0]]]])).shape
    (1, 1, 2, 4)
    """

    def __init__(self, size: Counts | None = None, scale_factor: float | Sequence[float] | None = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Upsample of images with mode "bilinear", the corners staying where they are: (N, C, H, W) → (N, C, h, w).

    >>> from minitorch import Tensor
    >>> UpsamplingBilinear2d((1, 3))(Tensor([[[[1.0, 3.0]]]]))
    tensor([[[[1., 2., 3.]]]])
    """

    def __init__(self, size: Counts | None = None, scale_factor: float | Sequence[float] | None = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


# -- channels and pixels -----------------------------------------------------------------------------------------------


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

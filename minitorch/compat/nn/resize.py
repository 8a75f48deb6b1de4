"""Resizing: images with more, or fewer, numbers between their edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]

Counts = int | Sequence[int]


class Upsample(Module):
    """The input at another size, `size` or ⌊size · scale_factor⌋: (N, C, L) → (N, C, l), (N, C, H, W) → (N, C, h, w).

    mode: "nearest", "linear" (rows), "bilinear" or "bicubic" (images); `functional.interpolate` has the mathematics.
    Raises ValueError when not exactly one of size and scale_factor is given.

    >>> from minitorch import Tensor
    >>> Upsample(scale_factor=2)(Tensor([[[1.0, 3.0]]]))
    tensor([[[1., 1., 3., 3.]]])
    """

    def __init__(
        self,
        size: Counts | None = None,
        scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor: Any = scale_factor
        if scale_factor is not None:
            several = isinstance(scale_factor, Sequence)
            self.scale_factor = tuple(map(float, scale_factor)) if several else float(scale_factor)  # type: ignore[arg-type]
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: TensorLike) -> Tensor:
        """The larger image."""
        rest = (self.mode, self.align_corners, self.recompute_scale_factor)
        return functional.interpolate(input, self.size, self.scale_factor, *rest)

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

"""Padding: images with more around them."""

from __future__ import annotations

from collections.abc import Sequence

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["ZeroPad2d"]

Counts = int | Sequence[int]


class ZeroPad2d(Module):
    """Zeros around an image: `padding` for all sides, or (left, right, top, bottom). Negative amounts cut off.

    (…, H, W) → (…, top + H + bottom, left + W + right). Raises ValueError for another count of amounts.

    >>> from minitorch import Tensor
    >>> ZeroPad2d((1, 0, 0, 1))(Tensor([[1.0, 2.0]]))
    tensor([[0., 1., 2.],
            [0., 0., 0.]])
    """

    def __init__(self, padding: Counts) -> None:
        super().__init__()
        self.padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != 4:
            raise ValueError(f"ZeroPad2d: padding must be one number or (left, right, top, bottom), not {self.padding}")

    def forward(self, input: TensorLike) -> Tensor:
        """The larger image."""
        return functional.pad(input, self.padding)

    def extra_repr(self) -> str:
        """The amounts."""
        return str(self.padding)

"""Unfold and Fold: windows as columns, and columns back in their windows."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import Counts, TensorLike

__all__ = ["Fold", "Unfold"]


class Unfold(Module):
    """Each window as a column: (N, C, H, W) → (N, C · kH · kW, windows), also without N.

    >>> from minitorch import Tensor
    >>> Unfold((1, 2))(Tensor([[[1.0, 2.0, 3.0]]]))
    tensor([[1., 2.],
            [2., 3.]])
    """

    def __init__(self, kernel_size: Counts, dilation: Counts = 1, padding: Counts = 0, stride: Counts = 1) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: TensorLike) -> Tensor:
        """The columns."""
        return functional.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """The arguments."""
        rest = f"dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        return f"kernel_size={self.kernel_size}, {rest}"


class Fold(Unfold):
    """Each column back in its window, overlaps added up: (N, C · kH · kW, windows) → (N, C, *output_size).

    Also without N.

    >>> from minitorch import Tensor
    >>> Fold((1, 3), (1, 2))(Tensor([[1.0, 2.0], [2.0, 3.0]]))
    tensor([[[1., 4., 3.]]])
    """

    def __init__(
        self, output_size: Counts, kernel_size: Counts, dilation: Counts = 1, padding: Counts = 0, stride: Counts = 1
    ) -> None:
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: TensorLike) -> Tensor:
        """The image."""
        geometry = (self.kernel_size, self.dilation, self.padding, self.stride)
        return functional.fold(input, self.output_size, *geometry)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"output_size={self.output_size}, {super().extra_repr()}"

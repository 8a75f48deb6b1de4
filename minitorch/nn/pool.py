"""Max pool of images, and the base of those of rows and volumes, which stand in `compat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import Counts, TensorLike

__all__ = ["MaxPool2d"]


class MaxPool(Module):
    """Base of the max pools: arguments and forward."""

    _pool: Callable[..., Any]

    def __init__(
        self,
        kernel_size: Counts,
        stride: Counts | None = None,
        padding: Counts = 0,
        dilation: Counts = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: TensorLike) -> Any:
        """Return the largest number of each window; with return_indices, its index too."""
        geometry = (self.kernel_size, self.stride, self.padding, self.dilation)
        return self._pool(input, *geometry, ceil_mode=self.ceil_mode, return_indices=self.return_indices)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool2d(MaxPool):
    """The largest number in each window: (N, C, H, W) or (C, H, W) → (…, ⌊(H + 2 padding - span) / stride⌋ + 1, …).

    `stride` is the kernel's size unless given, span = dilation (kernel_size - 1) + 1. Past the edge stands -inf;
    `ceil_mode` rounds up; `return_indices` gives `(values, indices)`. g goes to the largest number, of equal ones to
    the first. Raises ValueError. Source: Yamaguchi et al., 1990.

    >>> from minitorch import Tensor
    >>> MaxPool2d(2)(Tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    tensor([[[3.]]])
    """

    _pool = staticmethod(functional.max_pool2d)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.pool import *
else:
    __getattr__, __dir__ = moved_names(__name__)

"""Layers that let small numbers vanish."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["Hardshrink", "Softshrink", "Threshold"]


class Threshold(Module):
    """x where x > threshold, else `value`: (…) → (…). inplace: accepted and without effect.

    >>> from minitorch import Tensor
    >>> Threshold(1.0, -7.0)(Tensor([0.5, 2.0]))
    tensor([-7.,  2.])
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: TensorLike) -> Tensor:
        """Return input where it is above the threshold."""
        return functional.threshold(input, self.threshold, self.value)

    def extra_repr(self) -> str:
        """The threshold and the value."""
        return f"threshold={self.threshold}, value={self.value}" + (", inplace=True" if self.inplace else "")


class Hardshrink(Module):
    """x where |x| > lambd, else 0: (…) → (…).

    >>> from minitorch import Tensor
    >>> Hardshrink()(Tensor([0.25, -2.0]))
    tensor([ 0., -2.])
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: TensorLike) -> Tensor:
        """Return input where it is far from 0."""
        return functional.hardshrink(input, self.lambd)

    def extra_repr(self) -> str:
        """Return the text of lambd."""
        return str(self.lambd)


class Softshrink(Hardshrink):
    """x, brought nearer to 0 by lambd, and 0 where it would pass it: (…) → (…).

    >>> from minitorch import Tensor
    >>> Softshrink()(Tensor([0.25, -2.0]))
    tensor([ 0.0000, -1.5000])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """All numbers, nearer to 0."""
        return functional.softshrink(input, self.lambd)

"""Layers that let small numbers vanish."""

from __future__ import annotations

from minitorch.compat.nn.function_layer import FunctionLayer, layer

__all__ = ["Hardshrink", "Softshrink", "Threshold"]


@layer
class Threshold(FunctionLayer, function="threshold"):
    """x where x > threshold, else `value`: (…) → (…). inplace: accepted and without effect.

    >>> from minitorch import Tensor
    >>> Threshold(1.0, -7.0)(Tensor([0.5, 2.0]))
    tensor([-7.,  2.])
    """

    threshold: float
    value: float
    inplace: bool = False


@layer
class Hardshrink(FunctionLayer, function="hardshrink"):
    """x where |x| > lambd, else 0: (…) → (…).

    >>> from minitorch import Tensor
    >>> Hardshrink()(Tensor([0.25, -2.0]))
    tensor([ 0., -2.])
    """

    lambd: float = 0.5

    def extra_repr(self) -> str:
        """Return the text of lambd."""
        return str(self.lambd)


class Softshrink(Hardshrink, function="softshrink"):
    """x, brought nearer to 0 by lambd, and 0 where it would pass it: (…) → (…).

    >>> from minitorch import Tensor
    >>> Softshrink()(Tensor([0.25, -2.0]))
    tensor([ 0.0000, -1.5000])
    """

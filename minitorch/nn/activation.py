"""Activations: ReLU and LeakyReLU, with a corner at zero; GELU, Sigmoid and Tanh, without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["GELU", "LeakyReLU", "ReLU", "Sigmoid", "Tanh"]


class Sigmoid(Module):
    """σ(x) = 1 / (1 + e**-x), between 0 and 1: (…) → (…). dL/dx = g · out · (1 - out).

    >>> from minitorch import Tensor
    >>> Sigmoid()(Tensor([0.0, 2.0]))
    tensor([0.5000, 0.8808])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """σ(input)."""
        return functional.sigmoid(input)


class Tanh(Module):
    """(eˣ - e⁻ˣ) / (eˣ + e⁻ˣ), between -1 and 1: (…) → (…). dL/dx = g · (1 - out²).

    >>> from minitorch import Tensor
    >>> Tanh()(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The hyperbolic tangent."""
        return functional.tanh(input)


class GELU(Module):
    """x · Φ(x), where Φ(x) is the share of a normal distribution that lies below x: (…) → (…).

    approximate: "tanh" for (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2 in the place of Φ. Raises ValueError for another.
    Source: Hendrycks and Gimpel, 2016, Gaussian Error Linear Units.

    >>> from minitorch import Tensor
    >>> GELU()(Tensor([-1.0, 0.0, 1.0]))
    tensor([-0.1587,  0.0000,  0.8413])
    """

    def __init__(self, approximate: Literal["none", "tanh"] = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: TensorLike) -> Tensor:
        """input · Φ(input)."""
        return functional.gelu(input, self.approximate)

    def extra_repr(self) -> str:
        """The kind of Φ."""
        return f"approximate={self.approximate!r}"


class InPlaceAccepted(Module):
    """Base of layers that take PyTorch's `inplace`: remembered and shown, without effect."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        """The arguments."""
        return "inplace=True" if self.inplace else ""

    def _with_inplace(self, arguments: str) -> str:
        return f"{arguments}, inplace=True" if self.inplace else arguments


class ReLU(InPlaceAccepted):
    """max(x, 0): (…) → (…). dL/dx = g where x > 0, else 0.

    Source: Nair and Hinton, 2010, Rectified Linear Units Improve Restricted Boltzmann Machines.

    >>> from minitorch import Tensor
    >>> ReLU()(Tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """max(input, 0)."""
        return functional.relu(input)


class LeakyReLU(InPlaceAccepted):
    """x where x > 0, else negative_slope · x: (…) → (…).

    Source: Maas, Hannun and Ng, 2013, Rectifier Nonlinearities Improve Neural Network Acoustic Models.

    >>> from minitorch import Tensor
    >>> LeakyReLU(0.1)(Tensor([-1.0, 2.0]))
    tensor([-0.1000,  2.0000])
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input: TensorLike) -> Tensor:
        """The input, scaled below zero."""
        return functional.leaky_relu(input, self.negative_slope)

    def extra_repr(self) -> str:
        """The arguments."""
        return self._with_inplace(f"negative_slope={self.negative_slope}")


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.activation import *
else:
    __getattr__, __dir__ = moved_names(__name__)

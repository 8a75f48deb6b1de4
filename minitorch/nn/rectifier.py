"""Rectifiers: activations made of straight lines, or straight above zero and bent below. The others: activation.py.

Those that PyTorch can compute in place take its argument `inplace` and remember it. It has no effect: this engine makes
a new Tensor, the values are the same.
"""

from __future__ import annotations

from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import functional, init
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty
from minitorch.types import TensorLike

__all__ = [
    "CELU",
    "ELU",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SELU",
]


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


# -- straight lines ----------------------------------------------------------------------------------------------------


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


class RReLU(InPlaceAccepted):
    """LeakyReLU with a slope drawn for each number from lower … upper; in eval mode their middle: (…) → (…).

    Source: Xu et al., 2015.

    >>> from minitorch import Tensor
    >>> RReLU(0.25, 0.75).eval()(Tensor([-2.0, 2.0]))
    tensor([-1.,  2.])
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.lower = lower
        self.upper = upper

    def forward(self, input: TensorLike) -> Tensor:
        """The input, scaled below zero."""
        return functional.rrelu(input, self.lower, self.upper, self.training)

    def extra_repr(self) -> str:
        """The bounds."""
        return self._with_inplace(f"lower={self.lower}, upper={self.upper}")


class PReLU(Module):
    """LeakyReLU with a slope that is learnt: x where x > 0, else weight · x: (N, C, …) → (N, C, …).

    weight (num_parameters,) starts at `init`: one slope for all numbers, or one for each channel, which is axis 1.
    Raises ValueError when there are several slopes, but not as many channels. Source: He et al., 2015, Delving Deep
    into Rectifiers.

    >>> from minitorch import Tensor
    >>> PReLU()(Tensor([-1.0, 2.0])).detach()
    tensor([-0.2500,  2.0000])
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """All slopes start again."""
        init.constant_(self.weight, self.init)

    def forward(self, input: TensorLike) -> Tensor:
        """The input, scaled below zero."""
        return functional.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"


class Hardtanh(InPlaceAccepted):
    """x, kept within min_val … max_val: (…) → (…). dL/dx = g strictly between the two, else 0.

    Raises ValueError unless min_val is below max_val.

    >>> from minitorch import Tensor
    >>> Hardtanh()(Tensor([-3.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        if min_val >= max_val:
            raise ValueError(f"{type(self).__name__}: min_val {min_val} must be below max_val {max_val}")
        self.min_val = min_val
        self.max_val = max_val

    def forward(self, input: TensorLike) -> Tensor:
        """The input within its bounds."""
        return functional.hardtanh(input, self.min_val, self.max_val)

    def extra_repr(self) -> str:
        """The arguments."""
        return self._with_inplace(f"min_val={self.min_val}, max_val={self.max_val}")


class ReLU6(Hardtanh):
    """x, kept within 0 … 6: (…) → (…). Source: Krizhevsky, 2010, Convolutional Deep Belief Networks on CIFAR-10.

    >>> from minitorch import Tensor
    >>> ReLU6()(Tensor([-1.0, 3.0, 9.0]))
    tensor([0., 3., 6.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """The bounds go without saying."""
        return InPlaceAccepted.extra_repr(self)


class Hardsigmoid(InPlaceAccepted):
    """(x + 3) / 6, kept within 0 … 1, a sigmoid of three lines: (…) → (…).

    >>> from minitorch import Tensor
    >>> Hardsigmoid()(Tensor([-4.0, 0.0, 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The three lines."""
        return functional.hardsigmoid(input)

    def extra_repr(self) -> str:
        """Nothing, as in PyTorch."""
        return ""


class Hardswish(InPlaceAccepted):
    """x · hardsigmoid(x): (…) → (…). Source: Howard et al., 2019, Searching for MobileNetV3.

    >>> from minitorch import Tensor
    >>> Hardswish()(Tensor([-4.0, 0.0, 3.0]))
    tensor([-0., 0., 3.])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input times its hardsigmoid."""
        return functional.hardswish(input)

    def extra_repr(self) -> str:
        """Nothing, as in PyTorch."""
        return ""


# -- exponentials below zero -------------------------------------------------------------------------------------------


class _ExponentialBelow(InPlaceAccepted):
    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def extra_repr(self) -> str:
        """The arguments."""
        return self._with_inplace(f"alpha={self.alpha}")


class ELU(_ExponentialBelow):
    """x where x > 0, else alpha · (e**x - 1): (…) → (…).

    Source: Clevert, Unterthiner and Hochreiter, 2015, Exponential Linear Units.

    >>> from minitorch import Tensor
    >>> ELU()(Tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input, bent below zero."""
        return functional.elu(input, self.alpha)


class CELU(_ExponentialBelow):
    """x where x > 0, else alpha · (e**(x / alpha) - 1), which is smooth at 0: (…) → (…).

    Raises ValueError when alpha is 0. Source: Barron, 2017, Continuously Differentiable Exponential Linear Units.

    >>> from minitorch import Tensor
    >>> CELU(2.0)(Tensor([-1.0, 2.0]))
    tensor([-0.7869,  2.0000])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input, bent below zero."""
        return functional.celu(input, self.alpha)


class SELU(InPlaceAccepted):
    """ELU with alpha 1.6733, times 1.0507: a deep network keeps mean 0 and variance 1.

    (…) → (…). Source: Klambauer et al., 2017, Self-Normalizing Neural Networks.

    >>> from minitorch import Tensor
    >>> SELU()(Tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input, bent below zero and scaled."""
        return functional.selu(input)

"""Rectifiers: activations made of straight lines, or straight above zero and bent below. The others: activation.py.

PyTorch can compute those in place that take `inplace`. It has no effect: this engine makes a new Tensor.
"""

from __future__ import annotations

from typing import Any

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.compat.nn.init import constant_
from minitorch.nn import functional
from minitorch.nn.activation import LeakyReLU, ReLU
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty
from minitorch.types import TensorLike

__all__ = ["CELU", "ELU", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU"]
__all__ += ["PReLU", "RReLU", "ReLU", "ReLU6", "SELU"]


@layer
class RReLU(FunctionLayer):
    """LeakyReLU with a slope drawn for each number from lower … upper; in eval mode their middle: (…) → (…).

    Source: Xu et al., 2015.

    >>> from minitorch import Tensor
    >>> RReLU(0.25, 0.75).eval()(Tensor([-2.0, 2.0]))
    tensor([-1.,  2.])
    """

    lower: float = 1 / 8
    upper: float = 1 / 3
    inplace: bool = False

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input, scaled below zero."""
        return functional.rrelu(input, self.lower, self.upper, self.training)


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
        constant_(self.weight, self.init)

    def forward(self, input: TensorLike) -> Tensor:
        """The input, scaled below zero."""
        return functional.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"


@layer
class Hardtanh(FunctionLayer, function="hardtanh"):
    """x, kept within min_val … max_val: (…) → (…). dL/dx = g strictly between the two, else 0.

    Raises ValueError unless min_val is below max_val.

    >>> from minitorch import Tensor
    >>> Hardtanh()(Tensor([-3.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """

    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False

    def __post_init__(self) -> None:
        if self.min_val >= self.max_val:
            raise ValueError(f"{type(self).__name__}: min_val {self.min_val} must be below max_val {self.max_val}")


class ReLU6(Hardtanh):
    """x, kept within 0 … 6: (…) → (…). Source: Krizhevsky, 2010, Convolutional Deep Belief Networks on CIFAR-10.

    >>> from minitorch import Tensor
    >>> ReLU6()(Tensor([-1.0, 3.0, 9.0]))
    tensor([0., 3., 6.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """Return the text of `inplace`: the bounds are those of the name."""
        return "inplace=True" if self.inplace else ""


@layer
class Hardsigmoid(FunctionLayer, function="hardsigmoid"):
    """(x + 3) / 6, kept within 0 … 1, a sigmoid of three lines: (…) → (…).

    >>> from minitorch import Tensor
    >>> Hardsigmoid()(Tensor([-4.0, 0.0, 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """

    inplace: bool = False

    extra_repr = Module.extra_repr  # nothing, as in PyTorch


@layer
class Hardswish(FunctionLayer, function="hardswish"):
    """x · hardsigmoid(x): (…) → (…). Source: Howard et al., 2019, Searching for MobileNetV3.

    >>> from minitorch import Tensor
    >>> Hardswish()(Tensor([-4.0, 0.0, 3.0]))
    tensor([-0., 0., 3.])
    """

    inplace: bool = False

    extra_repr = Module.extra_repr


@layer
class ELU(FunctionLayer, function="elu"):
    """x where x > 0, else alpha · (e**x - 1): (…) → (…).

    Source: Clevert, Unterthiner and Hochreiter, 2015, Exponential Linear Units.

    >>> from minitorch import Tensor
    >>> ELU()(Tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """

    alpha: float = 1.0
    inplace: bool = False


@layer
class CELU(FunctionLayer, function="celu"):
    """x where x > 0, else alpha · (e**(x / alpha) - 1), which is smooth at 0: (…) → (…).

    Raises ValueError when alpha is 0. Source: Barron, 2017, Continuously Differentiable Exponential Linear Units.

    >>> from minitorch import Tensor
    >>> CELU(2.0)(Tensor([-1.0, 2.0]))
    tensor([-0.7869,  2.0000])
    """

    alpha: float = 1.0
    inplace: bool = False


@layer
class SELU(FunctionLayer, function="selu"):
    """ELU with alpha 1.6733, times 1.0507: a deep network keeps mean 0 and variance 1.

    (…) → (…). Source: Klambauer et al., 2017, Self-Normalizing Neural Networks.

    >>> from minitorch import Tensor
    >>> SELU()(Tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """

    inplace: bool = False

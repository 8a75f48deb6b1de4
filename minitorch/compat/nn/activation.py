"""Activations: smooth, with a corner, with a gap where small numbers vanish, and of several numbers at once."""

from __future__ import annotations

from typing import Any

from minitorch import Tensor, empty
from minitorch.autograd.tensor_base import as_array
from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.compat.nn.init import constant_
from minitorch.errors import ShapeError
from minitorch.nn import Module, Parameter, functional
from minitorch.types import TensorLike

__all__ = ["GLU", "LogSigmoid", "LogSoftmax", "Mish", "SiLU", "Softmax", "Softmax2d", "Softmin", "Softplus"]
__all__ += ["Softsign", "Tanhshrink", "CELU", "ELU", "Hardsigmoid", "Hardswish", "Hardtanh", "PReLU"]
__all__ += ["RReLU", "ReLU6", "SELU", "Hardshrink", "Softshrink", "Threshold"]


class LogSigmoid(FunctionLayer, function="logsigmoid"):
    """ln σ(x) = -ln(1 + e**-x), without overflow: (…) → (…).

    >>> from minitorch import Tensor
    >>> LogSigmoid()(Tensor([0.0, -100.0]))
    tensor([  -0.6931, -100.0000])
    """


class Tanhshrink(FunctionLayer, function="tanhshrink"):
    """x - tanh(x), where numbers near 0 become almost 0: (…) → (…). dL/dx = g · tanh(x)².

    >>> from minitorch import Tensor
    >>> Tanhshrink()(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.2384])
    """


class Softsign(FunctionLayer, function="softsign"):
    """x / (1 + |x|), between -1 and 1: (…) → (…).

    >>> from minitorch import Tensor
    >>> Softsign()(Tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """


@layer
class Softplus(FunctionLayer, function="softplus"):
    """ln(1 + e**(beta · x)) / beta, a smooth ReLU; x itself where beta · x > threshold: (…) → (…).

    Source: Dugas et al., 2000, Incorporating Second-Order Functional Knowledge for Better Option Pricing.

    >>> from minitorch import Tensor
    >>> Softplus()(Tensor([0.0, 30.0]))
    tensor([ 0.6931, 30.0000])
    """

    beta: float = 1.0
    threshold: float = 20.0


@layer
class SiLU(FunctionLayer, function="silu"):
    """x · σ(x), also called swish: (…) → (…). Source: Elfwing, Uchibe and Doya, 2017; Ramachandran, Zoph and Le, 2017.

    >>> from minitorch import Tensor
    >>> SiLU()(Tensor([0.0, 2.0]))
    tensor([0.0000, 1.7616])
    """

    inplace: bool = False


@layer
class Mish(FunctionLayer, function="mish"):
    """x · tanh(softplus(x)): (…) → (…).

    Source: Misra, 2019, Mish: A Self Regularized Non-Monotonic Activation Function.

    >>> from minitorch import Tensor
    >>> Mish()(Tensor([0.0, 2.0]))
    tensor([0.0000, 1.9440])
    """

    inplace: bool = False


@layer
class Softmax(FunctionLayer, function="softmax"):
    """e**xᵢ / Σⱼ e**xⱼ along `dim`, numbers as shares of 1: (…) → (…). Unlike PyTorch's, `dim` is never guessed.

    >>> from minitorch import Tensor
    >>> Softmax(dim=-1)(Tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """

    dim: int


class Softmax2d(Module):
    """Softmax over the channels of each place: (N, C, H, W) or (C, H, W) → the same.

    >>> from minitorch import Tensor
    >>> Softmax2d()(Tensor([[[0.0]], [[0.0]]])).tolist()
    [[[0.5]], [[0.5]]]
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The shares."""
        if as_array(input).ndim not in (3, 4):
            raise ShapeError(f"Softmax2d: input must have shape (N, C, H, W) or (C, H, W), not {as_array(input).shape}")
        return functional.softmax(input, -3)


@layer
class LogSoftmax(FunctionLayer, function="log_softmax"):
    """xᵢ - ln Σⱼ e**xⱼ along `dim`, the logarithm of the shares, without overflow: (…) → (…).

    >>> from minitorch import Tensor
    >>> LogSoftmax(dim=-1)(Tensor([0.0, 0.0]))
    tensor([-0.6931, -0.6931])
    """

    dim: int


@layer
class Softmin(FunctionLayer, function="softmin"):
    """e**-xᵢ / Σⱼ e**-xⱼ along `dim`, where the smallest number gets the largest share: (…) → (…).

    >>> from minitorch import Tensor
    >>> Softmin(dim=-1)(Tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """

    dim: int


@layer
class GLU(FunctionLayer, function="glu"):
    """a · σ(b), where a and b are the two halves of the input along `dim`: (…, 2 n, …) → (…, n, …).

    Raises ValueError when the axis has an odd size.
    Source: Dauphin et al., 2016, Language Modeling with Gated Convolutional Networks.

    >>> from minitorch import Tensor
    >>> GLU()(Tensor([3.0, 0.0]))
    tensor([1.5000])
    """

    dim: int = -1


# -- with a corner -----------------------------------------------------------------------------------------------------


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


# -- small numbers vanish ----------------------------------------------------------------------------------------------


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

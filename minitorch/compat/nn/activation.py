"""Activations that are smooth, and those of several numbers at once. Those with a corner are in rectifier.py."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.errors import ShapeError
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["GLU", "LogSigmoid", "LogSoftmax", "Mish", "SiLU", "Softmax", "Softmax2d", "Softmin", "Softplus"]
__all__ += ["Softsign", "Tanhshrink"]


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

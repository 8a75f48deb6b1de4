"""Activations without corners, and those of several numbers at once. Those with a corner are in rectifier.py."""

from __future__ import annotations

from typing import Literal

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.nn.rectifier import InPlaceAccepted
from minitorch.ops.arithmetic import sub
from minitorch.types import TensorLike

__all__ = [
    "GELU",
    "GLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softsign",
    "Tanh",
    "Tanhshrink",
]


class Sigmoid(Module):
    """σ(x) = 1 / (1 + e**-x), between 0 and 1: (…) → (…). dL/dx = g · out · (1 - out).

    >>> from minitorch import Tensor
    >>> Sigmoid()(Tensor([0.0, 2.0]))
    tensor([0.5000, 0.8808])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """σ(input)."""
        return functional.sigmoid(input)


class LogSigmoid(Module):
    """ln σ(x) = -ln(1 + e**-x), without overflow: (…) → (…).

    >>> from minitorch import Tensor
    >>> LogSigmoid()(Tensor([0.0, -100.0]))
    tensor([  -0.6931, -100.0000])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """ln σ(input)."""
        return functional.logsigmoid(input)


class Tanh(Module):
    """(eˣ - e⁻ˣ) / (eˣ + e⁻ˣ), between -1 and 1: (…) → (…). dL/dx = g · (1 - out²).

    >>> from minitorch import Tensor
    >>> Tanh()(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The hyperbolic tangent."""
        return functional.tanh(input)


class Tanhshrink(Module):
    """x - tanh(x), where numbers near 0 become almost 0: (…) → (…). dL/dx = g · tanh(x)².

    >>> from minitorch import Tensor
    >>> Tanhshrink()(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.2384])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """x - tanh(x)."""
        return sub(input, functional.tanh(input))


class Softsign(Module):
    """x / (1 + |x|), between -1 and 1: (…) → (…).

    >>> from minitorch import Tensor
    >>> Softsign()(Tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input, bounded."""
        return functional.softsign(input)


class Softplus(Module):
    """ln(1 + e**(beta · x)) / beta, a smooth ReLU; x itself where beta · x > threshold: (…) → (…).

    Source: Dugas et al., 2000, Incorporating Second-Order Functional Knowledge for Better Option Pricing.

    >>> from minitorch import Tensor
    >>> Softplus()(Tensor([0.0, 30.0]))
    tensor([ 0.6931, 30.0000])
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: TensorLike) -> Tensor:
        """The smooth ReLU."""
        return functional.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"beta={self.beta}, threshold={self.threshold}"


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


class SiLU(InPlaceAccepted):
    """x · σ(x), also called swish: (…) → (…). Source: Elfwing, Uchibe and Doya, 2017; Ramachandran, Zoph and Le, 2017.

    >>> from minitorch import Tensor
    >>> SiLU()(Tensor([0.0, 2.0]))
    tensor([0.0000, 1.7616])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """input · σ(input)."""
        return functional.silu(input)


class Mish(InPlaceAccepted):
    """x · tanh(softplus(x)): (…) → (…).

    Source: Misra, 2019, Mish: A Self Regularized Non-Monotonic Activation Function.

    >>> from minitorch import Tensor
    >>> Mish()(Tensor([0.0, 2.0]))
    tensor([0.0000, 1.9440])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input, gated by itself."""
        return functional.mish(input)


# -- of several numbers ------------------------------------------------------------------------------------------------


class _Along(Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        """The axis."""
        return f"dim={self.dim}"


class Softmax(_Along):
    """e**xᵢ / Σⱼ e**xⱼ along `dim`, numbers as shares of 1: (…) → (…). Unlike PyTorch's, `dim` is never guessed.

    >>> from minitorch import Tensor
    >>> Softmax(dim=-1)(Tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The shares."""
        return functional.softmax(input, self.dim)


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


class LogSoftmax(_Along):
    """xᵢ - ln Σⱼ e**xⱼ along `dim`, the logarithm of the shares, without overflow: (…) → (…).

    >>> from minitorch import Tensor
    >>> LogSoftmax(dim=-1)(Tensor([0.0, 0.0]))
    tensor([-0.6931, -0.6931])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The logarithms."""
        return functional.log_softmax(input, self.dim)


class Softmin(_Along):
    """e**-xᵢ / Σⱼ e**-xⱼ along `dim`, where the smallest number gets the largest share: (…) → (…).

    >>> from minitorch import Tensor
    >>> Softmin(dim=-1)(Tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The shares."""
        return functional.softmin(input, self.dim)


class GLU(_Along):
    """a · σ(b), where a and b are the two halves of the input along `dim`: (…, 2 n, …) → (…, n, …).

    Raises ValueError when the axis has an odd size.
    Source: Dauphin et al., 2016, Language Modeling with Gated Convolutional Networks.

    >>> from minitorch import Tensor
    >>> GLU()(Tensor([3.0, 0.0]))
    tensor([1.5000])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__(dim)

    def forward(self, input: TensorLike) -> Tensor:
        """One half, gated by the other."""
        return functional.glu(input, self.dim)

"""Dropout: layers that leave numbers out at random while they train."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _Dropping(Module):
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"{type(self).__name__}: p must be a probability between 0 and 1, not {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropping):
    """While training, each number becomes 0 with probability p, else it is divided by 1 - p; in eval mode, nothing.

    (…) → (…). inplace: accepted and without effect, since this engine makes a new Tensor; the values are the same.
    Raises ValueError when p is no probability. Source: Srivastava et al., 2014, Dropout.

    >>> from minitorch import Tensor
    >>> Dropout(0.5).eval()(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input with some numbers left out."""
        return functional.dropout(input, self.p, self.training)


class Dropout2d(_Dropping):
    """Dropout of whole channels, (N, C, H, W) → the same. A channel of a sample stays or goes as one.

    Another number of axes is warned of, and the input is then taken as (N, C, …). Raises ValueError for fewer than two
    axes in training and when p is no probability.
    Source: Tompson et al., 2015, Efficient Object Localization Using Convolutional Networks.

    >>> from minitorch import Tensor
    >>> Dropout2d(1.0)(Tensor([[[[1.0, 2.0]]]]))
    tensor([[[[0., 0.]]]])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input with some channels left out."""
        return functional.dropout2d(input, self.p, self.training)


class Dropout1d(_Dropping):
    """Dropout of whole channels: (N, C, L) or (C, L) → the same. A channel stays or goes as one.

    >>> from minitorch import Tensor
    >>> Dropout1d(1.0)(Tensor([[[1.0, 2.0]]]))
    tensor([[[0., 0.]]])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input with some channels left out."""
        return functional.dropout1d(input, self.p, self.training)


class Dropout3d(_Dropping):
    """Dropout of whole channels: (N, C, D, H, W) or (C, D, H, W) → the same.

    A channel of a sample stays or goes as one. Another number of axes is warned of, and the channels are then along the
    first.

    >>> from minitorch import Tensor
    >>> Dropout3d(1.0)(Tensor([[[[1.0, 2.0]]]]))
    tensor([[[[0., 0.]]]])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input with some channels left out."""
        return functional.dropout3d(input, self.p, self.training)


class AlphaDropout(_Dropping):
    """Dropout beside SELU: mean and variance of the numbers stay. (…) → (…).

    Source: Klambauer et al., 2017, Self-Normalizing Neural Networks.

    >>> from minitorch import Tensor
    >>> AlphaDropout(0.5).eval()(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input with some numbers at SELU's least value, scaled and shifted."""
        return functional.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_Dropping):
    """AlphaDropout of whole channels: (N, C, …) → (N, C, …).

    >>> from minitorch import Tensor
    >>> FeatureAlphaDropout(0.5).eval()(Tensor([[1.0, 2.0]]))
    tensor([[1., 2.]])
    """

    def forward(self, input: TensorLike) -> Tensor:
        """The input with some channels at SELU's least value, scaled and shifted."""
        return functional.feature_alpha_dropout(input, self.p, self.training)

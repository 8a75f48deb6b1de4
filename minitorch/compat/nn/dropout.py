"""Dropout of whole channels, and alpha dropout, which goes with SELU."""

from __future__ import annotations

from minitorch.nn import functional
from minitorch.nn.dropout import DropoutBase

__all__ = ["AlphaDropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class Dropout2d(DropoutBase):
    """Dropout of whole channels, (N, C, H, W) → the same. A channel of a sample stays or goes as one.

    Another number of axes is warned of, and the input is then taken as (N, C, …). Raises ValueError for fewer than two
    axes in training and when p is no probability.
    Source: Tompson et al., 2015, Efficient Object Localization Using Convolutional Networks.

    >>> from minitorch import Tensor
    >>> Dropout2d(1.0)(Tensor([[[[1.0, 2.0]]]]))
    tensor([[[[0., 0.]]]])
    """

    _drop = staticmethod(functional.dropout2d)


class Dropout1d(DropoutBase):
    """Dropout of whole channels: (N, C, L) or (C, L) → the same. A channel stays or goes as one.

    >>> from minitorch import Tensor
    >>> Dropout1d(1.0)(Tensor([[[1.0, 2.0]]]))
    tensor([[[0., 0.]]])
    """

    _drop = staticmethod(functional.dropout1d)


class Dropout3d(DropoutBase):
    """Dropout of whole channels: (N, C, D, H, W) or (C, D, H, W) → the same.

    A channel of a sample stays or goes as one. Another number of axes is warned of, and the channels are then along the
    first.

    >>> from minitorch import Tensor
    >>> Dropout3d(1.0)(Tensor([[[[1.0, 2.0]]]]))
    tensor([[[[0., 0.]]]])
    """

    _drop = staticmethod(functional.dropout3d)


class AlphaDropout(DropoutBase):
    """Dropout for networks with SELU: mean and variance stay. (…) → (…).

    Source: Klambauer et al., 2017, Self-Normalizing Neural Networks.

    >>> from minitorch import Tensor
    >>> AlphaDropout(0.5).eval()(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    _drop = staticmethod(functional.alpha_dropout)


class FeatureAlphaDropout(DropoutBase):
    """AlphaDropout of whole channels: (N, C, …) → (N, C, …).

    >>> from minitorch import Tensor
    >>> FeatureAlphaDropout(0.5).eval()(Tensor([[1.0, 2.0]]))
    tensor([[1., 2.]])
    """

    _drop = staticmethod(functional.feature_alpha_dropout)

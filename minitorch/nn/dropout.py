"""Dropout: a layer that sets elements to 0 at random while it trains."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["Dropout"]


class DropoutBase(Module):
    """Base of the dropout layers: the probability p."""

    _drop: Callable[..., Tensor]

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"{type(self).__name__}: p must be a probability between 0 and 1, not {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input with some elements set to 0."""
        return self._drop(input, self.p, self.training)

    def extra_repr(self) -> str:
        """Return the probability."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(DropoutBase):
    """While training, each number becomes 0 with probability p, else it is divided by 1 - p; in eval mode, nothing.

    (…) → (…). inplace: accepted and without effect, since this engine makes a new Tensor; the values are the same.
    Raises ValueError when p is no probability. Source: Srivastava et al., 2014, Dropout.

    >>> from minitorch import Tensor
    >>> Dropout(0.5).eval()(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    _drop = staticmethod(functional.dropout)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.dropout import *
else:
    __getattr__, __dir__ = moved_names(__name__)

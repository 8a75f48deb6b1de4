"""The linear layer: a product with a matrix, and a bias."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn import init
from minitorch.nn._sizes import require_sizes
from minitorch.nn.functional.linear import linear
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty
from minitorch.types import TensorLike

__all__ = ["Linear"]


class Linear(Module):
    """out = input @ weightᵀ + bias: (…, in_features) → (…, out_features).

    weight (out_features, in_features) and bias (out_features,) start uniform in ±1/√in_features, as in PyTorch.
    Raises ValueError when the input's last axis is not in_features and for a negative size, TypeError for a size that
    is no integer.
    Source: LeCun, Bottou, Orr and Müller, 1998, Efficient BackProp, for the size of the weights.

    >>> from minitorch import Tensor
    >>> layer = Linear(3, 2)
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    >>> layer(Tensor([[1.0, 2.0, 3.0]])).shape
    (1, 2)
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        require_sizes("Linear", in_features=in_features, out_features=out_features)
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty(out_features, in_features, device=device, dtype=dtype))
        self.bias = Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws weight and bias again."""
        start_uniform(self.in_features, self.weight, self.bias)

    def forward(self, input: TensorLike) -> Tensor:
        """input @ weightᵀ + bias."""
        return linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


def start_uniform(count: int, *parameters: Parameter | None) -> None:
    """Draws each parameter uniformly from ±1/√count, where `count` numbers are added up to give one.

    It is what `kaiming_uniform_(weight, a=√5)` comes to. With a count of 0 there is nothing to weigh: zeros stay.
    """
    if count == 0:
        return
    bound = 1 / math.sqrt(count)
    for parameter in parameters:
        if parameter is not None:
            init.uniform_(parameter, -bound, bound)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.linear import *
else:
    __getattr__, __dir__ = moved_names(__name__)

"""Activations: relu and leaky_relu, with a corner at zero, and gelu, without one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.moved import moved_names
from minitorch.ops import unary
from minitorch.ops._masks import select
from minitorch.ops.arithmetic import add, mul
from minitorch.ops.unary import erf, tanh
from minitorch.types import TensorLike

__all__ = ["gelu", "leaky_relu", "relu"]

_Approximate = Literal["none", "tanh"]
_RATE, _BEND = math.sqrt(2 / math.pi), 0.044715


def _gelu_composed(input: TensorLike, approximate: _Approximate = "none") -> Any:
    if approximate == "none":
        return mul(input, mul(add(erf(mul(input, math.sqrt(0.5))), 1), 0.5))
    inner = mul(mul(input, add(mul(mul(input, input), _BEND), 1)), _RATE)
    return mul(input, mul(add(tanh(inner), 1), 0.5))


@primitive(name="gelu", composed=_gelu_composed)
def gelu(input: Any, approximate: _Approximate = "none") -> Any:
    """x · Φ(x), where Φ(x) is the share of a normal distribution that lies below x: (…) → (…).

    approximate: "tanh" for the near (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2 instead of Φ.
    dL/dx = g · (Φ + x · Φ'), and Φ' is the normal density. Source: Hendrycks and Gimpel, 2016.

    >>> gelu(Tensor([-1.0, 0.0, 2.0]))
    tensor([-0.1587,  0.0000,  1.9545])
    """
    if approximate not in ("none", "tanh"):
        raise ValueError(f"gelu: approximate must be 'none' or 'tanh', not {approximate!r}")
    input = as_float(input)
    if approximate == "none":
        share = erf.raw(input * math.sqrt(0.5))
    else:
        inner = input * input
        inner *= _RATE * _BEND
        inner += _RATE
        inner *= input
        share = np.tanh(inner)
    share += 1
    share *= 0.5  # Φ(x)
    return input * share, share  # x · Φ(x)


def _gelu_wrt_input(g: Any, input: Any, approximate: _Approximate, aux: Any) -> Any:
    """g · (Φ + x · Φ'); aux: Φ, or its near, which the forward computed."""
    square = input * input
    if approximate == "none":
        square *= -0.5
        slope = np.exp(square)
        slope *= 1 / math.sqrt(2 * math.pi)
    else:  # the derivative of the share s(u) = (1 + tanh u) / 2 is 2 s (1 - s) u'
        slope = aux * aux
        slope -= aux
        square *= -6 * _RATE * _BEND
        square -= 2 * _RATE
        slope *= square
    slope *= input
    slope += aux  # Φ + x · Φ'
    slope *= g
    return slope


gelu.vjp(input=_gelu_wrt_input)


def relu(input: TensorLike, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """`minitorch.relu`: (…) → (…). inplace is accepted and without effect, as in all functions that take it.

    >>> from minitorch import Tensor
    >>> relu(Tensor([-2.0, 2.0]), inplace=True)
    tensor([0., 2.])
    """
    return unary.relu(input)


@primitive
def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:  # noqa: ARG001
    """x where x > 0, else negative_slope · x: (…) → (…). dL/dx = g, or negative_slope · g (at 0 too).

    Source: Maas, Hannun and Ng, 2013, Rectifier Nonlinearities Improve Neural Network Acoustic Models.

    >>> leaky_relu(Tensor([-1.0, 2.0]), 0.1)
    tensor([-0.1000,  2.0000])
    """
    # Both parts added up: no branch for each number, which costs ten times as much on mixed signs.
    return np.maximum(input, 0) + np.minimum(input, 0) * negative_slope


leaky_relu.vjp(input=lambda g, input, negative_slope: select(input > 0, g, g * negative_slope))


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.activation import *
else:
    __getattr__, __dir__ = moved_names(__name__)

"""Activations that are smooth, and those of several numbers at once. Those with a corner are in rectifier.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.arithmetic import mul
from minitorch.ops.index import getitem
from minitorch.ops.softmax import softmax
from minitorch.ops.unary import neg, sigmoid
from minitorch.types import TensorLike

__all__ = ["glu", "logsigmoid", "mish", "silu", "softmin", "softplus", "softsign"]


@primitive
def softplus(input: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """ln(1 + e**(beta · x)) / beta, a smooth relu; x itself where beta · x > threshold: (…) → (…).

    dL/dx = g · σ(beta · x), or g.

    >>> softplus(Tensor([0.0, 30.0]))
    tensor([ 0.6931, 30.0000])
    """
    scaled = input * beta
    return np.where(scaled > threshold, input, np.log1p(np.exp(np.minimum(scaled, threshold))) / beta)


def _softplus_wrt_input(g: Any, input: Any, beta: float, threshold: float) -> Any:
    scaled = input * beta
    power = np.exp(np.minimum(scaled, threshold))
    return np.where(scaled > threshold, g, g * (power / (power + 1)))


softplus.vjp(input=_softplus_wrt_input)


@primitive
def logsigmoid(input: Any) -> Any:
    """ln σ(x) = -ln(1 + e**-x): (…) → (…). dL/dx = g · σ(-x). Never overflows.

    >>> logsigmoid(Tensor([0.0, -100.0]))
    tensor([  -0.6931, -100.0000])
    """
    return np.minimum(input, 0) - np.log1p(np.exp(-np.absolute(input)))


logsigmoid.vjp(input=lambda g, input: g * sigmoid.raw(-input))


@primitive
def softsign(input: Any) -> Any:
    """x / (1 + |x|): (…) → (…). dL/dx = g / (1 + |x|)²; nan where x is infinite, as out is.

    >>> softsign(Tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """
    return input / (1 + np.absolute(input))


def _softsign_wrt_input(g: Any, input: Any) -> Any:
    stretch = 1 + np.absolute(input)
    return g / (stretch * stretch) + (input - input)  # 0, or nan where out is nan


softsign.vjp(input=_softsign_wrt_input)


@primitive
def silu(input: Any) -> Any:
    """x · σ(x), also called swish: (…) → (…). dL/dx = g · (σ + x · σ · (1 - σ)).

    Source: Elfwing, Uchibe and Doya, 2017; Ramachandran, Zoph and Le, 2017.

    >>> silu(Tensor([0.0, 2.0]))
    tensor([0.0000, 1.7616])
    """
    return input * sigmoid.raw(input)


def _silu_wrt_input(g: Any, input: Any, out: Any) -> Any:
    share = sigmoid.raw(input)
    return g * (share + out * (1 - share))


silu.vjp(input=_silu_wrt_input)


def _tanh_of_softplus(input: Any) -> Any:
    """tanh(ln(1 + e**x)) = n / (n + 2) with n = e**x · (e**x + 2); 1 from x = 20 on."""
    power = np.exp(np.minimum(input, 20))
    power = power * (power + 2)
    return power / (power + 2)


@primitive
def mish(input: Any) -> Any:
    """x · t with t = tanh(softplus(x)): (…) → (…). dL/dx = g · (t + x · σ(x) · (1 - t²)).

    Source: Misra, 2019, Mish: A Self Regularized Non-Monotonic Activation Function.

    >>> mish(Tensor([0.0, 2.0]))
    tensor([0.0000, 1.9440])
    """
    return input * _tanh_of_softplus(input)


def _mish_wrt_input(g: Any, input: Any) -> Any:
    share = _tanh_of_softplus(input)
    return g * (share + input * sigmoid.raw(input) * (1 - share * share))


mish.vjp(input=_mish_wrt_input)


@accepts_numpy_names
def glu(input: TensorLike, dim: int = -1) -> Tensor:
    """a · σ(b), where a and b are the two halves of the input along `dim`: (…, 2 n, …) → (…, n, …).

    dL/da = g · σ(b), dL/db = g · a · σ(b) · (1 - σ(b)). Raises ValueError when the axis has an odd size.
    Source: Dauphin et al., 2016, Language Modeling with Gated Convolutional Networks.

    >>> from minitorch import Tensor
    >>> glu(Tensor([2.0, 4.0, 0.0, 100.0]))
    tensor([1., 4.])
    """
    shape = as_array(input).shape
    if not -len(shape) <= dim < len(shape):
        raise IndexError(f"glu: axis {dim} does not exist in shape {shape}")
    if shape[dim] % 2:
        raise ShapeError(f"glu: axis {dim} of shape {shape} must have an even size to be halved")
    before, half = (slice(None),) * (dim % len(shape)), shape[dim] // 2
    return mul(getitem(input, (*before, slice(half))), sigmoid(getitem(input, (*before, slice(half, None)))))


@accepts_numpy_names
def softmin(input: TensorLike, dim: int, dtype: Any = None) -> Tensor:
    """softmax(-x): e**-xᵢ / Σⱼ e**-xⱼ along `dim`, (…) → (…). dL/dx = -out · (g - Σ g · out).

    >>> from minitorch import Tensor
    >>> softmin(Tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return softmax(neg(input), dim, dtype)

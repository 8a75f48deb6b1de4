"""Activations: smooth, with a corner, with a gap where small numbers vanish, and of several numbers at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch import Tensor, add, clamp, div, mul, neg, reshape, sigmoid, softmax, sub, tanh, where
from minitorch.autograd.primitive import primitive
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.errors import ShapeError
from minitorch.nn.functional.activation import leaky_relu
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops._masks import mask_bits, select
from minitorch.ops.index import getitem
from minitorch.types import TensorLike

__all__ = ["glu", "logsigmoid", "mish", "silu", "softmin", "softplus", "softsign", "celu", "elu", "hardsigmoid"]
__all__ += ["hardswish", "hardtanh", "prelu", "relu6", "rrelu", "selu", "gumbel_softmax"]
__all__ += ["hardshrink", "softshrink", "tanhshrink", "threshold"]


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


# input - input: 0, or nan where out is nan
softsign.vjp(input=lambda g, input: g / (1 + np.absolute(input)) ** 2 + (input - input))


@primitive
def silu(input: Any) -> Any:
    """x · σ(x), also called swish: (…) → (…). dL/dx = g · (σ + x · σ · (1 - σ)).

    Source: Elfwing, Uchibe and Doya, 2017; Ramachandran, Zoph and Le, 2017.

    >>> silu(Tensor([0.0, 2.0]))
    tensor([0.0000, 1.7616])
    """
    return input * sigmoid.raw(input)


silu.vjp(input=lambda g, input, out: g * ((share := sigmoid.raw(input)) + out * (1 - share)))


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


mish.vjp(input=lambda g, input: g * ((t := _tanh_of_softplus(input)) + input * sigmoid.raw(input) * (1 - t * t)))


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


# -- straight pieces ---------------------------------------------------------------------------------------------------


@primitive(name="hardtanh")
def _clipped(input: Any, min_val: float, max_val: float) -> Any:
    """The input, kept within min_val … max_val."""
    return np.clip(input, min_val, max_val).astype(input.dtype, copy=False)


# nan, which is neither below nor above, passes g on
_clipped.vjp(input=lambda g, input, min_val, max_val: mask_bits.raw(g, ~((input <= min_val) | (input >= max_val))))


def hardtanh(input: TensorLike, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """x, kept within min_val … max_val: (…) → (…). dL/dx = g strictly between the two, else 0.

    Raises ValueError when min_val is the larger.

    >>> from minitorch import Tensor
    >>> hardtanh(Tensor([-2.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if min_val > max_val:
        raise ValueError(f"hardtanh: min_val {min_val} is larger than max_val {max_val}")
    return _clipped(input, min_val, max_val)


def relu6(input: TensorLike, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """x, kept within 0 … 6: (…) → (…). dL/dx = g strictly between the two, else 0.

    >>> from minitorch import Tensor
    >>> relu6(Tensor([-1.0, 3.0, 9.0]))
    tensor([0., 3., 6.])
    """
    return _clipped(input, 0, 6)


@primitive
def hardsigmoid(input: Any) -> Any:
    """(x + 3) / 6, kept within 0 … 1, a sigmoid of three lines: (…) → (…). dL/dx = g / 6 where -3 < x < 3, else 0.

    >>> hardsigmoid(Tensor([-4.0, 0.0, 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """
    return np.clip(input + 3, 0, 6) / 6


hardsigmoid.vjp(input=lambda g, input: mask_bits.raw(g / 6, np.absolute(input) < 3))


@primitive
def hardswish(input: Any) -> Any:
    """x · hardsigmoid(x): (…) → (…). dL/dx = 0 where x ≤ -3, g where x ≥ 3, else g · (x/3 + 1/2).

    Source: Howard et al., 2019, Searching for MobileNetV3.

    >>> hardswish(Tensor([-4.0, 0.0, 1.5]))
    tensor([-0.0000,  0.0000,  1.1250])
    """
    return input * np.clip(input + 3, 0, 6) / 6


hardswish.vjp(input=lambda g, input: np.where(input <= -3, 0, np.where(input < 3, g * (input / 3 + 0.5), g)))


def rrelu(
    input: TensorLike,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,  # noqa: ARG001
) -> Tensor:
    """leaky_relu with a slope drawn for each number from lower … upper, or unless `training` their middle: (…) → (…).

    dL/dx = g, or slope · g below 0. Raises ValueError when lower is the larger.
    Source: Xu, Wang, Chen and Li, 2015, Empirical Evaluation of Rectified Activations in Convolutional Network.

    >>> from minitorch import Tensor
    >>> rrelu(Tensor([-2.0, 2.0]), 0.25, 0.75)
    tensor([-1.,  2.])
    """
    if lower > upper:
        raise ValueError(f"rrelu: lower {lower} is larger than upper {upper}")
    if not training:
        return leaky_relu(input, (lower + upper) / 2)
    array = as_array(input)
    drawn = current_scope().random.generator.uniform(lower, upper, array.shape).astype(array.dtype)
    return _prelu(input, xp(array).asarray(drawn))


@primitive(name="prelu", promotes=False)
def _prelu(input: Any, weight: Any) -> Any:
    """input where input > 0, else weight · input."""
    return np.where(input > 0, input, weight * input)


_prelu.vjp(
    input=lambda g, input, weight: select(input > 0, g, g * weight), weight=lambda g, input: g * np.minimum(input, 0)
)


def prelu(input: TensorLike, weight: TensorLike) -> Tensor:
    """leaky_relu with a slope that is learnt: x where x > 0, else weight · x.

    (N, C, …) → (N, C, …). weight: one number, (1,), or one for each channel, (C,), which is axis 1 of input.
    dL/dx = g, or weight · g (at 0 too); dL/dweight = Σ g · x where x < 0.
    Raises ValueError on another count of weights.
    Source: He et al., 2015, Delving Deep into Rectifiers.

    >>> from minitorch import Tensor
    >>> prelu(Tensor([[-1.0, -1.0]]), Tensor([0.1, 0.2]))
    tensor([[-0.1000, -0.2000]])
    """
    shape, count = as_array(input).shape, as_array(weight).size
    if as_array(weight).ndim > 1 or count not in (1, shape[1] if len(shape) > 1 else 1):
        raise ShapeError(
            f"prelu: weight of shape {as_array(weight).shape} must hold one number, or one for each channel (axis 1) "
            f"of input, which has shape {shape}"
        )
    return _prelu(input, reshape(weight, (count, *[1] * (len(shape) - 2)) if shape else ()))


# -- bent at zero ------------------------------------------------------------------------------------------------------


@primitive(name="elu")
def _exponential_below(input: Any, alpha: float, scale: float, rate: float) -> Any:
    """scale · x where x > 0, else scale · alpha · (e**(rate · x) - 1)."""
    return np.maximum(input, 0) * scale + np.expm1(np.minimum(input, 0) * rate) * (alpha * scale)


def _exponential_below_wrt(g: Any, input: Any, alpha: float, scale: float, rate: float) -> Any:
    below = g * np.exp(mask_bits.raw(input, input < 0) * rate) * (alpha * scale * rate)
    return select(input <= 0, below, g * scale)


_exponential_below.vjp(input=_exponential_below_wrt)


def elu(input: TensorLike, alpha: float = 1.0, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """x where x > 0, else alpha · (e**x - 1): (…) → (…). dL/dx = g, or g · alpha · e**x (at 0 too).

    Source: Clevert, Unterthiner and Hochreiter, 2015, Exponential Linear Units.

    >>> from minitorch import Tensor
    >>> elu(Tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """
    return _exponential_below(input, alpha, 1.0, 1.0)


def celu(input: TensorLike, alpha: float = 1.0, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """x where x > 0, else alpha · (e**(x / alpha) - 1), which is smooth at 0: (…) → (…).

    dL/dx = g, or g · e**(x / alpha). Raises ValueError when alpha is 0.
    Source: Barron, 2017, Continuously Differentiable Exponential Linear Units.

    >>> from minitorch import Tensor
    >>> celu(Tensor([-1.0, 2.0]), alpha=2.0)
    tensor([-0.7869,  2.0000])
    """
    if alpha == 0:
        raise ValueError("celu: alpha must not be 0, for x is divided by it")
    return _exponential_below(input, alpha, 1.0, 1 / alpha)


def selu(input: TensorLike, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """elu with alpha 1.6733, times 1.0507: a deep network keeps mean 0 and variance 1.

    (…) → (…). Source: Klambauer et al., 2017, Self-Normalizing Neural Networks.

    >>> from minitorch import Tensor
    >>> selu(Tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """
    return _exponential_below(input, 1.6732632423543772, 1.0507009873554805, 1.0)


# -- small numbers vanish ----------------------------------------------------------------------------------------------


def threshold(input: TensorLike, threshold: float, value: float, inplace: bool = False) -> Tensor:  # noqa: ARG001
    """x where x > threshold, else `value`: (…) → (…). dL/dx = g where x > threshold, else 0. inplace changes nothing.

    >>> from minitorch import Tensor
    >>> threshold(Tensor([0.5, 2.0]), 1.0, -7.0)
    tensor([-7.,  2.])
    """
    array = as_array(input)
    return where(array > threshold, input, constant(xp(array).full((), value, array.dtype)))


def hardshrink(input: TensorLike, lambd: float = 0.5) -> Tensor:
    """x where |x| > lambd, else 0: (…) → (…). dL/dx = g where |x| > lambd, else 0.

    >>> from minitorch import Tensor
    >>> hardshrink(Tensor([0.25, -2.0]))
    tensor([ 0., -2.])
    """
    array = as_array(input)
    return where(abs(array) > lambd, input, constant(xp(array).zeros((), array.dtype)))


def softshrink(input: TensorLike, lambd: float = 0.5) -> Tensor:
    """x - lambd above lambd, x + lambd below -lambd, else 0: (…) → (…). dL/dx = g where |x| > lambd, else 0.

    Raises ValueError for a negative lambd.

    >>> from minitorch import Tensor
    >>> softshrink(Tensor([0.25, -2.0]))
    tensor([ 0.0000, -1.5000])
    """
    if lambd < 0:
        raise ValueError(f"softshrink: lambd must be 0 or more, not {lambd}")
    array = as_array(input)
    outside = sub(input, clamp(constant(array), -lambd, lambd))
    return where(abs(array) > lambd, outside, constant(xp(array).zeros((), array.dtype)))


def tanhshrink(input: TensorLike) -> Tensor:
    """x - tanh x: (…) → (…). dL/dx = g · tanh² x.

    >>> from minitorch import Tensor
    >>> tanhshrink(Tensor([0.0, 100.0]))
    tensor([ 0., 99.])
    """
    return sub(input, tanh(input))


def gumbel_softmax(logits: TensorLike, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Tensor:
    """softmax((logits + G) / tau) along `dim`, with Gumbel noise G: nearly a choice at random by these logits.

    hard: the one that won is 1 and all others 0, with the gradient of the soft choice. (…) → (…).
    Raises ValueError unless tau is positive. Source: Jang et al., 2017; Maddison et al., 2017.

    >>> from minitorch import Tensor
    >>> gumbel_softmax(Tensor([0.0, 1000.0]), hard=True)
    tensor([0., 1.])
    """
    if tau <= 0:
        raise ValueError(f"gumbel_softmax: tau must be positive, not {tau}")
    array = as_array(logits)
    drawn = current_scope().random.generator.gumbel(size=array.shape)
    noise = constant(xp(array).asarray(drawn).astype(array.dtype))
    soft = softmax(div(add(logits, noise), tau), dim)
    if not hard:
        return soft
    values = as_array(soft)
    best = values.argmax(axis=dim)
    library = xp(values)
    shape = [1] * values.ndim
    shape[dim] = values.shape[dim]
    won = library.arange(values.shape[dim]).reshape(shape) == library.expand_dims(best, dim)
    return add(soft, constant(won.astype(values.dtype) - values))

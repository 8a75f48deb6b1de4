"""Rectifiers: activations made of straight lines, or straight above zero: relu6, hardtanh, elu and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import xp
from minitorch.errors import ShapeError
from minitorch.nn.functional.activation import leaky_relu, relu
from minitorch.ops._masks import mask_bits, select
from minitorch.ops.movement import reshape
from minitorch.types import TensorLike

__all__ = ["celu", "elu", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu"]
__all__ += ["prelu", "relu", "relu6", "rrelu", "selu"]

# -- straight pieces ---------------------------------------------------------------------------------------------------


@primitive(name="hardtanh")
def _clipped(input: Any, min_val: float, max_val: float) -> Any:
    """The input, kept within min_val … max_val."""
    return np.clip(input, min_val, max_val).astype(input.dtype, copy=False)


def _clipped_wrt_input(g: Any, input: Any, min_val: float, max_val: float) -> Any:
    return mask_bits.raw(
        g, np.logical_not(np.logical_or(input <= min_val, input >= max_val))
    )  # so that nan, which is not within, passes g on


_clipped.vjp(input=_clipped_wrt_input)


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


hardswish.vjp(
    input=lambda g, input: np.where(input <= -3, 0, np.where(input < 3, g * (input / 3 + 0.5), g)),
)


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
    input=lambda g, input, weight: select(input > 0, g, g * weight),
    weight=lambda g, input: g * np.minimum(input, 0),
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

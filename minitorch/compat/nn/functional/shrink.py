"""Activations that let small numbers vanish, and a choice at random that has a gradient."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.ops.arithmetic import add, div, sub
from minitorch.ops.choice import clamp, where
from minitorch.ops.softmax import softmax
from minitorch.ops.unary import tanh
from minitorch.types import TensorLike

__all__ = ["gumbel_softmax", "hardshrink", "softshrink", "tanhshrink", "threshold"]


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

"""Softmax, its logarithm and cross entropy, each computed as one; each names its twin of elementary operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import as_result, xp
from minitorch.ops._row_reductions import product, row_max, row_sums, row_totals
from minitorch.ops.arithmetic import div, mul, sub
from minitorch.ops.index import getitem
from minitorch.ops.reduce import sum as sum_
from minitorch.ops.unary import exp, log
from minitorch.types import TensorLike

__all__ = [
    "softmax",
    "log_softmax",
]


def _softmax_composed(input: TensorLike, dim: int, dtype: Any = None) -> Any:
    powers = exp(_below_zero(input, dim, dtype))
    return div(powers, sum_(powers, dim, keepdim=True))


def _log_softmax_composed(input: TensorLike, dim: int, dtype: Any = None) -> Any:
    shifted = _below_zero(input, dim, dtype)
    return sub(shifted, log(sum_(exp(shifted), dim, keepdim=True)))


def _below_zero(input: Any, dim: int, dtype: Any) -> Any:
    """The Tensor minus its largest along `dim`: the same softmax, and nothing overflows."""
    if dtype is not None:
        input = input.to(dtype)
    return sub(input, constant(np.amax(as_array(input), axis=dim, keepdims=True)))


def _shifted(input: Any, dim: int, dtype: Any) -> Any:
    input = as_float(input) if dtype is None else input.astype(dtype)
    if not input.size:
        return input - 0
    highest = row_max(input) if input.ndim and dim in (-1, input.ndim - 1) else np.amax(input, axis=dim, keepdims=True)
    return as_result(input - highest)  # so that eˣ does not overflow


def _totals(values: Any, dim: int) -> Any:
    """Σ along `dim`, which stays as an axis of one; of arrays and of Tensors."""
    if dim in (-1, values.ndim - 1) and values.ndim > 1:
        return row_sums(values)
    return np.sum(values, axis=dim, keepdims=True)


def _softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    powers = _shifted(input, dim, dtype)
    np.exp(powers, out=powers)
    powers /= _totals(powers, dim)
    return powers


def _log_softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    shifted = _shifted(input, dim, dtype)
    if shifted.size:  # ln 0 where there is nothing to sum
        shifted -= np.log(_totals(np.exp(shifted), dim))
    return shifted


softmax = primitive(
    _softmax,
    """e**xᵢ / Σⱼ e**xⱼ along `dim`, (…) → (…). dL/dx = out · (g - Σ g · out). With `dtype`, x is converted first.

    >>> softmax(Tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """,
    name="softmax",
    composed=_softmax_composed,
    input=lambda g, out, dim: out * (g - _totals(g * out, dim)),
)

log_softmax = primitive(
    _log_softmax,
    """xᵢ - ln Σⱼ e**xⱼ along `dim`, (…) → (…). dL/dx = g - softmax(x) · Σ g. With `dtype`, x is converted first.

    >>> log_softmax(Tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """,
    name="log_softmax",
    composed=_log_softmax_composed,
    input=lambda g, out, dim: g - np.exp(out) * _totals(g, dim),
)


def _cross_entropy_composed(input: TensorLike, target: Any, scale: Any) -> Any:
    picked = getitem(log_softmax(input, 1), (xp(target).arange(len(target)), target))
    return mul(picked, -scale if isinstance(scale, float) else constant(-scale))


def _row_losses(input: Any, target: Any) -> tuple[Any, Any]:
    """The losses of the rows, and softmax(input) - onehot(target) for the rule."""
    scores = xp(input).ascontiguousarray(_shifted(input, 1, None))
    # Plainly scores[rows, target]: two indices take three times as long as one, 2 % of a step of the small MLP.
    flat = scores.reshape(-1)  # the same memory
    at_targets = xp(input).arange(0, scores.size, scores.shape[1]) + target  # each target's score in the flat array
    picked = flat.take(at_targets)  # the score of each target
    np.exp(scores, out=scores)  # eˣ of each score x
    totals = row_totals(scores)
    losses = np.log(totals)  # ln Σ eˣ
    losses -= picked  # minus the target's score: -ln softmax
    scores /= totals[:, None]  # softmax, for the backward pass
    flat[at_targets] -= 1  # softmax - onehot
    return losses, scores


def _cross_entropy(input: Any, target: Any, scale: Any) -> tuple[Any, Any]:
    losses, aux = _row_losses(input, target)
    losses *= scale  # times the factor of each row
    return losses, aux


def _cross_entropy_wrt_input(g: Any, scale: Any, aux: Any) -> Any:
    g = g * scale
    return aux * (g[:, None] if np.ndim(g) else g)  # dL/dinput = (softmax - onehot) times the row's factor


cross_entropy_rows = primitive(
    _cross_entropy,
    """-scaleₙ · log_softmax(input)ₙ,ₜ with t = targetₙ: (N, C), (N,), (N,) → (N,). One number may scale all rows.

    dL/dinput = gₙ · scaleₙ · (softmax(input) - onehot(target)).

    >>> cross_entropy_rows(Tensor([[0.0, 0.0]]), Tensor([1]), Tensor([1.0]))
    tensor([0.6931])
    """,
    name="cross_entropy",
    composed=_cross_entropy_composed,
    input=_cross_entropy_wrt_input,
)


def _cross_entropy_total_composed(input: TensorLike, target: Any, scale: Any) -> Any:
    return sum_(_cross_entropy_composed(input, target, scale))


@primitive(name="cross_entropy", composed=_cross_entropy_total_composed)
def cross_entropy_total(input: Any, target: Any, scale: Any) -> Any:
    """The sum of `cross_entropy_rows`, one operation instead of two: a small network notices. (N, C), (N,), (N,) → ().

    dL/dinput = g · scaleₙ · (softmax(input) - onehot(target)).

    >>> cross_entropy_total(Tensor([[0.0, 0.0], [0.0, 0.0]]), Tensor([1, 0]), 0.5)
    tensor(0.6931)
    """
    losses, aux = _row_losses(input, target)
    if not isinstance(scale, float):
        return product(losses, scale), aux  # Σ of the losses, each times its row's factor
    total = row_totals(losses)  # Σ of the losses
    return total * scale, aux  # times the factor of each row, 1/N in a mean


cross_entropy_total.vjp(input=_cross_entropy_wrt_input)

"""Operations that are computed as one for speed and stability; each names its twin made of elementary ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.handle import as_array, constant
from minitorch.autograd.primitive import primitive
from minitorch.ops.elementwise import div, exp, log, mul, sub
from minitorch.ops.index import getitem
from minitorch.ops.reduce import as_float
from minitorch.ops.reduce import sum as sum_
from minitorch.types import TensorLike


def _softmax_composed(x: TensorLike, dim: int) -> Any:
    powers = exp(sub(x, constant(np.amax(as_array(x), axis=dim, keepdims=True))))
    return div(powers, sum_(powers, dim, keepdim=True))


def _log_softmax_composed(x: TensorLike, dim: int) -> Any:
    shifted = sub(x, constant(np.amax(as_array(x), axis=dim, keepdims=True)))
    return sub(shifted, log(sum_(exp(shifted), dim, keepdim=True)))


def _softmax(x: Any, dim: int) -> Any:
    x = as_float(x)
    powers = np.exp(x - np.amax(x, axis=dim, keepdims=True, initial=-np.inf))
    return powers / np.sum(powers, axis=dim, keepdims=True)


def _log_softmax(x: Any, dim: int) -> Any:
    x = as_float(x)
    shifted = x - np.amax(x, axis=dim, keepdims=True, initial=-np.inf)
    total = np.sum(np.exp(shifted), axis=dim, keepdims=True)
    return shifted - np.log(total) if shifted.size else shifted  # ln 0 where there is nothing to sum


softmax = primitive(
    _softmax,
    """e**xᵢ / Σⱼ e**xⱼ along `dim`. dL/dx = out · (g - Σ g · out).

    >>> softmax(Tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """,
    name="softmax",
    composed=_softmax_composed,
    x=lambda g, out, dim: out * (g - np.sum(g * out, axis=dim, keepdims=True)),
)

log_softmax = primitive(
    _log_softmax,
    """xᵢ - ln Σⱼ e**xⱼ along `dim`. dL/dx = g - softmax(x) · Σ g.

    >>> log_softmax(Tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """,
    name="log_softmax",
    composed=_log_softmax_composed,
    x=lambda g, out, dim: g - np.exp(out) * np.sum(g, axis=dim, keepdims=True),
)


def _cross_entropy_composed(logits: TensorLike, target: Any, scale: Any) -> Any:
    picked = getitem(log_softmax(logits, 1), (np.arange(len(target)), target))
    return mul(picked, constant(-scale))


def _log_norm(logits: Any) -> tuple[Any, Any]:
    """Logits (N, C) shifted so that the largest of each row is 0, and ln Σ e**shifted, (N, 1)."""
    shifted = logits - np.amax(logits, axis=1, keepdims=True, initial=-np.inf)
    return shifted, np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))


def _cross_entropy(logits: Any, target: Any, scale: Any) -> Any:
    shifted, log_norm = _log_norm(logits)
    return scale * (log_norm[:, 0] - shifted[np.arange(len(target)), target])


def _cross_entropy_wrt_logits(g: Any, logits: Any, target: Any, scale: Any) -> Any:
    shifted, log_norm = _log_norm(logits)
    gradient = np.exp(shifted - log_norm)  # softmax, (N, C)
    gradient[np.arange(len(target)), target] -= 1
    return gradient * (g * scale)[:, None]


cross_entropy_rows = primitive(
    _cross_entropy,
    """-scaleₙ · log_softmax(logits)ₙ,ₜ with t = targetₙ: (N, C), (N,), (N,) → (N,).

    dL/dlogits = gₙ · scaleₙ · (softmax(logits) - onehot(target)).

    >>> cross_entropy_rows(Tensor([[0.0, 0.0]]), Tensor([1]), Tensor([1.0]))
    tensor([0.6931])
    """,
    name="cross_entropy",
    composed=_cross_entropy_composed,
    logits=_cross_entropy_wrt_logits,
)

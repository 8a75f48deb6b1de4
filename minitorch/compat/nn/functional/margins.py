"""Losses of margins, rates and distributions: far enough apart, ranked, counted, of a Gaussian."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.nn.functional.activation import softplus
from minitorch.compat.nn.functional.similarity import cosine_similarity
from minitorch.errors import OperandError, ShapeError
from minitorch.nn.functional.loss import Reduction, reduced
from minitorch.ops.arithmetic import add, div, mul, sub
from minitorch.ops.choice import clamp_min, minimum, where
from minitorch.ops.index import pick
from minitorch.ops.norms import norm
from minitorch.ops.unary import exp, log, neg, square
from minitorch.types import TensorLike

__all__ = ["cosine_embedding_loss", "gaussian_nll_loss", "hinge_embedding_loss", "margin_ranking_loss"]
__all__ += ["pairwise_distance", "pdist", "poisson_nll_loss", "soft_margin_loss", "triplet_margin_loss"]
__all__ += ["triplet_margin_with_distance_loss"]


def pairwise_distance(
    x1: TensorLike, x2: TensorLike, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """‖x1 - x2 + eps‖ₚ over the last axis: (…, n), (…, n) → (…), or (…, 1).

    eps keeps the gradient finite where both are equal.

    >>> from minitorch import Tensor
    >>> pairwise_distance(Tensor([[3.0, 4.0]]), Tensor([[0.0, 0.0]]))
    tensor([5.0000])
    """
    return norm(add(sub(x1, x2), eps), p, -1, keepdim)


def pdist(input: TensorLike, p: float = 2.0) -> Tensor:
    """The distances of all pairs of rows, ‖xᵢ - xⱼ‖ₚ for i < j: (n, d) → (n (n - 1) / 2,).

    The gradient is 0 where two rows are one. Raises ValueError for another number of axes and a negative p.

    >>> from minitorch import Tensor
    >>> pdist(Tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    tensor([5.0000, 1.0000, 4.2426])
    """
    shape = as_array(input).shape
    if len(shape) != 2 or not p >= 0:
        raise ShapeError(f"pdist: input must have shape (n, d) and p be 0 or more, not {shape} and {p}")
    there = xp(as_array(input))
    one, other = (there.asarray(places) for places in np.triu_indices(shape[0], 1))
    return norm(sub(pick(input, (one,)), pick(input, (other,))), p, -1)


def triplet_margin_loss(
    anchor: TensorLike,
    positive: TensorLike,
    negative: TensorLike,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    *,
    reduction: Reduction = "mean",
) -> Tensor:
    """max(d(anchor, positive) - d(anchor, negative) + margin, 0), averaged, where d is `pairwise_distance`.

    (N, n), (N, n), (N, n) → (), or (N,) for "none". swap: the smaller of d(anchor, negative) and d(positive, negative)
    counts. Raises ValueError unless margin is positive. Source: Balntas et al., 2016.

    >>> from minitorch import Tensor
    >>> triplet_margin_loss(Tensor([[0.0]]), Tensor([[1.0]]), Tensor([[1.5]]))
    tensor(0.5000)
    """

    def distance(one: Any, other: Any) -> Tensor:
        return pairwise_distance(one, other, p, eps)

    return _triplets("triplet_margin_loss", anchor, positive, negative, distance, margin, swap, reduction)


def triplet_margin_with_distance_loss(
    anchor: TensorLike,
    positive: TensorLike,
    negative: TensorLike,
    *,
    distance_function: Callable[[Any, Any], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: Reduction = "mean",
) -> Tensor:
    """`triplet_margin_loss` with a distance of one's own; `pairwise_distance` without one.

    (N, n), (N, n), (N, n) → (), or (N,) for "none".

    >>> from minitorch import Tensor
    >>> apart = lambda a, b: (a - b).abs().sum(-1)
    >>> a, p, n = Tensor([[0.0]]), Tensor([[1.0]]), Tensor([[1.5]])
    >>> triplet_margin_with_distance_loss(a, p, n, distance_function=apart)
    tensor(0.5000)
    """
    distance = pairwise_distance if distance_function is None else distance_function
    name = "triplet_margin_with_distance_loss"
    return _triplets(name, anchor, positive, negative, distance, margin, swap, reduction)


def _triplets(
    name: str,
    anchor: TensorLike,
    positive: TensorLike,
    negative: TensorLike,
    distance: Callable[[Any, Any], Tensor],
    margin: float,
    swap: bool,
    reduction: Reduction,
) -> Tensor:
    if margin <= 0:
        raise ValueError(f"{name}: margin must be positive, not {margin}")
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced(clamp_min(add(sub(near, far), margin), 0), reduction)


def margin_ranking_loss(
    input1: TensorLike, input2: TensorLike, target: TensorLike, margin: float = 0.0, *, reduction: Reduction = "mean"
) -> Tensor:
    """max(-target · (input1 - input2) + margin, 0), averaged: target 1 wants input1 larger, -1 input2.

    (…), (…), (…) → (), or (…) for "none".

    >>> from minitorch import Tensor
    >>> margin_ranking_loss(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    tensor(2.)
    """
    return reduced(clamp_min(add(mul(neg(target), sub(input1, input2)), margin), 0), reduction)


def hinge_embedding_loss(
    input: TensorLike, target: TensorLike, margin: float = 1.0, *, reduction: Reduction = "mean"
) -> Tensor:
    """input where target is 1, max(margin - input, 0) where it is -1; averaged. The input holds distances.

    (…), (…) → (), or (…) for "none".

    >>> from minitorch import Tensor
    >>> hinge_embedding_loss(Tensor([0.5, 0.25]), Tensor([1.0, -1.0]), reduction="none")
    tensor([0.5000, 0.7500])
    """
    kind = as_array(target)
    far = where(kind == 1, 0.0, clamp_min(sub(margin, input), 0))
    return reduced(add(where(kind == -1, 0.0, input), far), reduction)


def soft_margin_loss(input: TensorLike, target: TensorLike, *, reduction: Reduction = "mean") -> Tensor:
    """ln(1 + exp(-target · input)), averaged, for targets of 1 and -1. dL/dinput = -target · σ(-target · input) / n.

    (…), (…) → (), or (…) for "none".

    >>> from minitorch import Tensor
    >>> soft_margin_loss(Tensor([0.0]), Tensor([1.0]))
    tensor(0.6931)
    """
    return reduced(softplus(mul(neg(target), input), threshold=math.inf), reduction)


def cosine_embedding_loss(
    input1: TensorLike, input2: TensorLike, target: TensorLike, margin: float = 0.0, *, reduction: Reduction = "mean"
) -> Tensor:
    """1 - cos(input1, input2) where target is 1, max(cos - margin, 0) where it is -1; averaged.

    (N, n), (N, n), (N,) → (), or (N,) for "none".

    >>> from minitorch import Tensor
    >>> cosine_embedding_loss(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1.0]))
    tensor(1.)
    """
    kind, cosine = as_array(target), cosine_similarity(input1, input2, dim=-1)
    apart = where(kind == -1, clamp_min(sub(cosine, margin), 0), 0.0)
    return reduced(add(where(kind == 1, sub(1.0, cosine), 0.0), apart), reduction)


def poisson_nll_loss(
    input: TensorLike,
    target: TensorLike,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    *,
    reduction: Reduction = "mean",
) -> Tensor:
    """exp(input) - target · input, averaged: how surprising counts are, where the input is the logarithm of a rate.

    (…), (…) → (), or (…) for "none".

    log_input=False: the input is the rate itself, input - target · ln(input + eps). full: with Stirling's term for
    ln(target!), target · ln target - target + ln(2π target) / 2 where target is above 1. dL/dinput = exp(input) -
    target.

    >>> from minitorch import Tensor
    >>> poisson_nll_loss(Tensor([0.0]), Tensor([2.0]))
    tensor(1.)
    """
    loss = sub(exp(input), mul(target, input)) if log_input else sub(input, mul(target, log(add(input, eps))))
    if full:
        above = clamp_min(target, 1.0)
        stirling = add(sub(mul(above, log(above)), above), mul(0.5, log(mul(2 * math.pi, above))))
        loss = add(loss, where(as_array(target) > 1, stirling, 0.0))
    return reduced(loss, reduction)


def gaussian_nll_loss(
    input: TensorLike,
    target: TensorLike,
    var: TensorLike,
    full: bool = False,
    eps: float = 1e-6,
    *,
    reduction: Reduction = "mean",
) -> Tensor:
    """(ln var + (input - target)² / var) / 2, averaged: how surprising the target is to a Gaussian at `input`.

    (…), (…), (…) → (), or (…) for "none".

    var: the variances, of input's shape, or with a last axis of 1 or without it; those below eps count as eps, and get
    their gradient all the same. full: plus ln(2π) / 2. Raises ValueError for a negative variance and another shape.
    Source: Nix and Weigend, 1994.

    >>> from minitorch import Tensor
    >>> gaussian_nll_loss(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    tensor(2.)
    """
    spread: Any = var if isinstance(var, Tensor) else constant(as_array(var))
    shape, given = as_array(input).shape, as_array(var).shape
    if given not in ((), shape):
        if given == shape[:-1]:
            spread = spread.unsqueeze(-1)
        elif given != (*shape[:-1], 1):
            raise ShapeError(f"gaussian_nll_loss: var of shape {given} does not fit an input of shape {shape}")
    if bool((as_array(var) < 0).any()):
        raise OperandError("gaussian_nll_loss: var has a negative variance")
    held = as_array(spread)
    spread = add(spread, constant(np.maximum(eps - held, 0)))
    loss = mul(0.5, add(log(spread), div(square(sub(input, target)), spread)))
    return reduced(add(loss, 0.5 * math.log(2 * math.pi)) if full else loss, reduction)

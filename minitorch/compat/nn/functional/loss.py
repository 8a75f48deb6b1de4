"""Losses: distances and probabilities, margins, rates; and the distance of two vectors."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from minitorch import Tensor, exp, gather, log, mean, neg, norm, reshape, square, unsqueeze
from minitorch import abs as abs_
from minitorch import sum as sum_
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import extremes, xp
from minitorch.compat.nn.functional.activation import logsigmoid, softplus
from minitorch.compat.nn.functional.norm import cosine_similarity
from minitorch.errors import DtypeError, IndexingError, OperandError, ShapeError
from minitorch.nn.functional.loss import Reduction, difference_of, huber, reduced, require_one_shape, require_reduction
from minitorch.ops.arithmetic import add, div, mul, pow, sub
from minitorch.ops.choice import clamp_min, minimum, where
from minitorch.ops.index import pick
from minitorch.types import TensorLike

__all__ = ["binary_cross_entropy_with_logits", "huber_loss", "kl_div", "l1_loss", "cosine_embedding_loss"]
__all__ += ["gaussian_nll_loss", "hinge_embedding_loss", "margin_ranking_loss", "pairwise_distance", "pdist"]
__all__ += ["poisson_nll_loss", "soft_margin_loss", "triplet_margin_loss", "triplet_margin_with_distance_loss"]
__all__ += ["multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss"]


def l1_loss(input: TensorLike, target: TensorLike, *, reduction: Reduction = "mean") -> Tensor:
    """|input - target|, averaged: (…), (…) → (), or (…) for "none".

    dL/dinput = sign(input - target) / n, which is 0 where they are equal.
    Shapes that differ are broadcast, with a warning.

    >>> from minitorch import Tensor
    >>> l1_loss(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(2.)
    """
    return reduced(abs_(difference_of("l1_loss", input, target, reduction)), reduction)


def huber_loss(input: TensorLike, target: TensorLike, *, reduction: Reduction = "mean", delta: float = 1.0) -> Tensor:
    """d² / 2 where |d| ≤ delta, else delta · (|d| - delta / 2), with d = input - target; averaged.

    (…), (…) → (), or (…) for "none". dL/dinput = d, kept within -delta … delta, divided by n.
    Shapes that differ are broadcast, with a warning.
    Raises ValueError unless delta is positive. Source: Huber, 1964, Robust Estimation of a Location Parameter.

    >>> from minitorch import Tensor
    >>> huber_loss(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]), delta=2.0)
    tensor(2.2500)
    """
    difference = difference_of("huber_loss", input, target, reduction)
    if delta <= 0:
        raise ValueError(f"huber_loss: delta must be positive, but is {delta}")
    return reduced(huber(difference, delta), reduction)


def binary_cross_entropy_with_logits(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    *,
    reduction: Reduction = "mean",
    pos_weight: TensorLike | None = None,
) -> Tensor:
    """-(c t ln σ(x) + (1 - t) ln(1 - σ(x))) for logits x = input, probabilities t = target, c = pos_weight; averaged.

    (…), (…) → (), or (…) for "none". Computed from ln σ, so that nothing overflows.
    weight: a factor, broadcast. pos_weight: a factor of the positive part, one for each class (the last axis).
    Without it dL/dx = (σ(x) - t) / n. Raises ValueError when shapes differ.

    >>> from minitorch import Tensor
    >>> binary_cross_entropy_with_logits(Tensor([0.0, 100.0]), Tensor([1.0, 1.0]))
    tensor(0.3466)
    """
    name = "binary_cross_entropy_with_logits"
    require_reduction(name, reduction)
    require_one_shape(name, input, target)
    surprise = logsigmoid(input)
    if pos_weight is not None:
        surprise = mul(surprise, add(mul(sub(pos_weight, 1), target), 1))
    losses = sub(mul(sub(1, target), input), surprise)
    return reduced(losses if weight is None else mul(losses, weight), reduction)


def kl_div(
    input: TensorLike,
    target: TensorLike,
    *,
    reduction: Literal["batchmean", "mean", "sum", "none"] = "mean",
    log_target: bool = False,
) -> Tensor:
    """t · (ln t - input), where input holds logarithms of probabilities and t = target: what input misses of target.

    (N, …), (N, …) → (), or (N, …) for "none".
    log_target: target holds logarithms too. "batchmean" divides the sum by the number of rows, which is the
    Kullback-Leibler divergence; "mean" by the count of numbers, which is not. Where t = 0 the loss is 0.
    dL/dinput = -t / n. Source: Kullback and Leibler, 1951, On Information and Sufficiency.

    >>> from minitorch import Tensor
    >>> kl_div(Tensor([[0.5, 0.5]]).log(), Tensor([[1.0, 0.0]]), reduction="batchmean")
    tensor(0.6931)
    """
    require_reduction("kl_div", reduction, "batchmean")
    if log_target:
        losses = mul(exp(target), sub(target, input))
    else:
        positive = where(constant(as_array(target) != 0), target, 1.0)  # 0 · ln 0 = 0
        losses = sub(mul(target, log(positive)), mul(target, input))
    if reduction != "batchmean":
        return reduced(losses, reduction)
    shape = as_array(input).shape
    return div(sum_(losses), shape[0] if shape else 1)


# -- margins, rates and distributions ----------------------------------------------------------------------------------


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
    distance = functools.partial(pairwise_distance, p=p, eps=eps)
    return _triplets("triplet_margin_loss", (anchor, positive, negative), distance, margin, swap, reduction)


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
    return _triplets(name, (anchor, positive, negative), distance, margin, swap, reduction)


def _triplets(
    name: str, three: tuple[Any, Any, Any], distance: Callable[..., Tensor], margin: float, swap: bool, reduction: str
) -> Tensor:
    if margin <= 0:
        raise ValueError(f"{name}: margin must be positive, not {margin}")
    anchor, positive, negative = three
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


# -- one class ahead of the others -------------------------------------------------------------------------------------


def multi_margin_loss(
    input: TensorLike,
    target: TensorLike,
    p: int = 1,
    margin: float = 1.0,
    weight: TensorLike | None = None,
    *,
    reduction: Reduction = "mean",
) -> Tensor:
    """Σⱼ weight[y] · max(margin - input[y] + input[j], 0)ᵖ / C over the classes j ≠ y = target; averaged.

    (N, C), (N,) → (), or (N,) for "none"; also (C,), (). p: 1 or 2. weight: (C,), a factor for each class.
    Raises ValueError for another p and shapes that do not fit, IndexError for a class that does not exist.

    >>> from minitorch import Tensor
    >>> multi_margin_loss(Tensor([[0.5, 1.0, 0.0]]), Tensor([0]))
    tensor(0.6667)
    """
    require_reduction("multi_margin_loss", reduction)
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss: p must be 1 or 2, not {p}")
    rows, labels = _rows_and_labels("multi_margin_loss", input, target, 0)
    classes = as_array(rows).shape[1]
    right = gather(rows, 1, constant(labels[:, None]))
    missed = pow(clamp_min(add(sub(rows, right), margin), 0), p)
    counted = xp(labels).arange(classes) != labels[:, None]
    if weight is not None:
        if as_array(weight).shape != (classes,):
            raise ShapeError(f"multi_margin_loss: weight has shape {as_array(weight).shape}, not ({classes},)")
        missed = mul(missed, as_array(weight)[labels][:, None])
    losses = div(sum_(mul(missed, counted.astype(missed.dtype)), 1), classes)
    return reduced(reshape(losses, as_array(input).shape[:-1]), reduction)


def multilabel_margin_loss(input: TensorLike, target: TensorLike, *, reduction: Reduction = "mean") -> Tensor:
    """Σᵢⱼ max(1 - input[i] + input[j], 0) / C over classes i in the target and j that are not; averaged.

    (N, C), (N, C) → (), or (N,) for "none"; also (C,), (C,). target: numbers of classes, as many as there are, and
    from the first -1 on nothing counts. Raises ValueError when shapes differ, IndexError for a class that does not
    exist.

    >>> from minitorch import Tensor
    >>> multilabel_margin_loss(Tensor([[0.5, 1.0, 0.0]]), Tensor([[1, -1, 0]]))
    tensor(0.1667)
    """
    require_reduction("multilabel_margin_loss", reduction)
    rows, labels = _rows_and_labels("multilabel_margin_loss", input, target, -1)
    classes = as_array(rows).shape[1]
    library, dtype = xp(labels), as_array(rows).dtype
    named = np.cumsum(labels < 0, axis=1) == 0  # those before the first -1
    right = gather(rows, 1, constant(np.where(named, labels, 0)))
    wrong = ~((labels[:, :, None] == library.arange(classes)) & named[:, :, None]).any(axis=1)
    pairs = (named[:, :, None] & wrong[:, None, :]).astype(dtype)
    missed = clamp_min(add(sub(unsqueeze(rows, 1), unsqueeze(right, 2)), 1.0), 0)
    losses = div(sum_(mul(missed, pairs), (1, 2)), classes)
    return reduced(reshape(losses, as_array(input).shape[:-1]), reduction)


def multilabel_soft_margin_loss(
    input: TensorLike, target: TensorLike, weight: TensorLike | None = None, *, reduction: Reduction = "mean"
) -> Tensor:
    """-Σ (t ln σ(input) + (1 - t) ln σ(-input)) / C over the classes, with t = target of 0 and 1; averaged.

    (N, C), (N, C) → (), or (N,) for "none". weight: a factor for each class, broadcast.

    >>> from minitorch import Tensor
    >>> multilabel_soft_margin_loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """
    require_reduction("multilabel_soft_margin_loss", reduction)
    losses = neg(add(mul(target, logsigmoid(input)), mul(sub(1, target), logsigmoid(neg(input)))))
    return reduced(mean(losses if weight is None else mul(losses, weight), -1), reduction)


def _rows_and_labels(name: str, input: TensorLike, target: TensorLike, least: int) -> tuple[Any, Any]:
    """The input as rows of classes, and the class numbers beside them. Raises for what does not fit."""
    shape, labels = as_array(input).shape, as_array(target)
    fitting = shape[:-1] if least == 0 else shape
    if len(shape) not in (1, 2) or labels.shape != fitting:
        raise ShapeError(
            f"{name}: input has shape {shape} and target {labels.shape}, but (N, C) or (C,) is needed and {fitting}"
        )
    if labels.dtype.kind not in "iu":
        raise DtypeError(f"{name}: target must hold class numbers, which are integers, not {labels.dtype}")
    if labels.size:
        low, high = extremes(labels)
        wrong = low if low < least else high
        if not least <= wrong < shape[-1]:
            raise IndexingError(f"{name}: class {wrong} in target, but the classes are 0 to {shape[-1] - 1}")
    rows = input if len(shape) == 2 else reshape(input, (1, *shape))
    return rows, labels.reshape(as_array(rows).shape if least else -1)

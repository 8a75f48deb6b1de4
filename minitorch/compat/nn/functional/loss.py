"""Losses that few programs ask for: how far the output is from the target, number by number."""

from __future__ import annotations

from typing import Literal

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.compat.nn.functional.activation import logsigmoid
from minitorch.nn.functional.loss import (
    Reduction,
    difference_of,
    huber,
    reduced,
    require_equal_shapes,
    require_reduction,
)
from minitorch.ops.arithmetic import add, div, mul, sub
from minitorch.ops.choice import where
from minitorch.ops.reduce import sum as sum_
from minitorch.ops.unary import abs as abs_
from minitorch.ops.unary import exp, log
from minitorch.types import TensorLike

__all__ = ["binary_cross_entropy_with_logits", "huber_loss", "kl_div", "l1_loss"]


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
    require_equal_shapes(name, input, target)
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

"""Losses that few programs ask for. Each is the function of its name in `nn.functional`."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Literal

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLoss, layer
from minitorch.nn.functional.loss import Reduction

__all__ = ["BCEWithLogitsLoss", "HuberLoss", "KLDivLoss", "L1Loss", "SmoothL1Loss"]


@layer
class BCEWithLogitsLoss(FunctionLoss, function="binary_cross_entropy_with_logits"):
    """BCELoss of σ(input), computed from ln σ so that nothing overflows.

    (…), (…) → (), or (…) for "none".
    weight: a factor, broadcast. pos_weight: a factor of the positive part, one for each class (the last axis).
    dL/dinput = (σ(x) - t) / n without them. Raises ValueError when shapes differ.

    >>> from minitorch import Tensor
    >>> BCEWithLogitsLoss()(Tensor([0.0, 100.0]), Tensor([1.0, 1.0]))
    tensor(0.3466)
    """

    weight: Tensor | None = None
    _: KW_ONLY
    pos_weight: Tensor | None = None


@layer
class KLDivLoss(FunctionLoss, function="kl_div"):
    """t · (ln t - input), where the input holds logarithms: how far its distribution is from the target's.

    (N, …), (N, …) → (), or (N, …) for "none".
    reduction "batchmean" divides the sum by the number of rows: the divergence itself, which "mean" is not.
    log_target: the target holds logarithms too. Source: Kullback and Leibler, 1951, On Information and Sufficiency.

    >>> from minitorch import Tensor
    >>> KLDivLoss(reduction="batchmean")(Tensor([[0.5, 0.5]]).log(), Tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """

    _: KW_ONLY
    reduction: Literal["batchmean", "mean", "sum", "none"] = "mean"  # type: ignore[assignment]
    log_target: bool = False

    _reductions = ("batchmean",)


class L1Loss(FunctionLoss, function="l1_loss"):
    """|input - target|: (…), (…) → (), or (…) for "none".

    dL/dinput = its sign / n. Shapes that differ are broadcast, with a warning.

    >>> from minitorch import Tensor
    >>> L1Loss()(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(2.)
    """


@layer
class SmoothL1Loss(FunctionLoss, function="smooth_l1_loss"):
    """d² / (2 beta) where |d| < beta, else |d| - beta / 2, with d = input - target: HuberLoss / beta.

    (…), (…) → (), or (…) for "none". Raises ValueError when beta is negative. Source: Girshick, 2015, Fast R-CNN.

    >>> from minitorch import Tensor
    >>> SmoothL1Loss()(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(1.5000)
    """

    _: KW_ONLY
    beta: float = 1.0


@layer
class HuberLoss(FunctionLoss, function="huber_loss"):
    """d² / 2 where |d| < delta, else delta · (|d| - delta / 2), with d = input - target.

    (…), (…) → (), or (…) for "none". Raises ValueError unless delta is positive. Source: Huber, 1964, Robust Estimation
    of a Location Parameter.

    >>> from minitorch import Tensor
    >>> HuberLoss(delta=2.0)(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(2.2500)
    """

    reduction: Reduction = "mean"
    delta: float = 1.0

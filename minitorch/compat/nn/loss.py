"""Losses: distances and probabilities, margins, rates, alignments; distance and cosine of two vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import Any, Literal

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLayer, FunctionLoss, layer
from minitorch.nn import Module, functional
from minitorch.nn.functional.loss import Reduction
from minitorch.nn.loss import Loss
from minitorch.types import TensorLike

__all__ = ["BCEWithLogitsLoss", "HuberLoss", "KLDivLoss", "L1Loss", "SmoothL1Loss", "CosineEmbeddingLoss"]
__all__ += ["GaussianNLLLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "PairwiseDistance", "PoissonNLLLoss"]
__all__ += ["SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss", "MultiLabelMarginLoss"]
__all__ += ["MultiLabelSoftMarginLoss", "MultiMarginLoss", "CTCLoss", "CosineSimilarity"]


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


# -- margins, rates and distributions ----------------------------------------------------------------------------------


class PairwiseDistance(Module):
    """‖x1 - x2 + eps‖ₚ over the last axis: (…, n), (…, n) → (…), or (…, 1) with keepdim.

    >>> from minitorch import Tensor
    >>> PairwiseDistance()(Tensor([[3.0, 4.0]]), Tensor([[0.0, 0.0]]))
    tensor([5.0000])
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: TensorLike, x2: TensorLike) -> Tensor:
        """The distances."""
        return functional.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


@layer
class TripletMarginLoss(FunctionLoss, function="triplet_margin_loss"):
    """max(d(anchor, positive) - d(anchor, negative) + margin, 0): (N, n) each → (), or (N,) for "none".

    d is the p-distance; swap: the smaller of the two distances to the negative counts. Source: Balntas et al., 2016.

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> TripletMarginLoss()(Tensor([[0.0]]), Tensor([[1.0]]), Tensor([[1.5]]))
    tensor(0.5000)
    """

    margin: float = 1.0
    p: float = 2.0
    eps: float = 1e-6
    swap: bool = False

    def forward(self, anchor: TensorLike, positive: TensorLike, negative: TensorLike) -> Tensor:  # type: ignore[override]
        """Return the loss."""
        return self._called(anchor, positive, negative)


@layer
class TripletMarginWithDistanceLoss(FunctionLoss, function="triplet_margin_with_distance_loss"):
    """TripletMarginLoss with a distance of one's own.

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> TripletMarginWithDistanceLoss()(Tensor([[0.0]]), Tensor([[1.0]]), Tensor([[1.5]]))
    tensor(0.5000)
    """

    _: KW_ONLY
    distance_function: Callable[[Any, Any], Tensor] | None = None
    margin: float = 1.0
    swap: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.distance_function = PairwiseDistance() if self.distance_function is None else self.distance_function

    def forward(self, anchor: TensorLike, positive: TensorLike, negative: TensorLike) -> Tensor:  # type: ignore[override]
        """Return the loss."""
        return self._called(anchor, positive, negative)


@layer
class MarginRankingLoss(FunctionLoss, function="margin_ranking_loss"):
    """max(-target · (input1 - input2) + margin, 0): target 1 wants input1 larger, -1 input2.

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> MarginRankingLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    tensor(2.)
    """

    margin: float = 0.0

    def forward(self, input1: TensorLike, input2: TensorLike, target: TensorLike) -> Tensor:  # type: ignore[override]
        """Return the loss."""
        return self._called(input1, input2, target)


@layer
class HingeEmbeddingLoss(FunctionLoss, function="hinge_embedding_loss"):
    """input where target is 1, max(margin - input, 0) where it is -1. The input holds distances.

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> HingeEmbeddingLoss()(Tensor([0.5]), Tensor([-1.0]))
    tensor(0.5000)
    """

    margin: float = 1.0


class SoftMarginLoss(FunctionLoss, function="soft_margin_loss"):
    """ln(1 + exp(-target · input)) for targets of 1 and -1.

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> SoftMarginLoss()(Tensor([0.0]), Tensor([1.0]))
    tensor(0.6931)
    """


@layer
class CosineEmbeddingLoss(FunctionLoss, function="cosine_embedding_loss"):
    """1 - cos(input1, input2) where target is 1, max(cos - margin, 0) where it is -1: (N, n), (N, n), (N,) → ().

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> CosineEmbeddingLoss()(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1.0]))
    tensor(1.)
    """

    margin: float = 0.0

    def forward(self, input1: TensorLike, input2: TensorLike, target: TensorLike) -> Tensor:  # type: ignore[override]
        """Return the loss."""
        return self._called(input1, input2, target)


@layer
class PoissonNLLLoss(FunctionLoss, function="poisson_nll_loss"):
    """exp(input) - target · input: how surprising counts are. log_input=False: the input is the rate itself.

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> PoissonNLLLoss()(Tensor([0.0]), Tensor([2.0]))
    tensor(1.)
    """

    log_input: bool = True
    full: bool = False
    eps: float = 1e-8


@layer
class GaussianNLLLoss(FunctionLoss, function="gaussian_nll_loss"):
    """(ln var + (input - target)² / var) / 2: how surprising the target is to a Gaussian.

    Source: Nix and Weigend, 1994.

    → () averaged or summed, or one loss each, as `reduction` says.

    >>> from minitorch import Tensor
    >>> GaussianNLLLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    tensor(2.)
    """

    _: KW_ONLY
    full: bool = False
    eps: float = 1e-6

    def forward(self, input: TensorLike, target: TensorLike, var: TensorLike) -> Tensor:  # type: ignore[override]
        """Return the loss."""
        return self._called(input, target, var)


# -- one class ahead of the others -------------------------------------------------------------------------------------


@layer
class MultiMarginLoss(FunctionLoss, function="multi_margin_loss"):
    """Σⱼ weight[y] · max(margin - input[y] + input[j], 0)ᵖ / C over j ≠ y: (N, C), (N,) → (), or (N,) for "none".

    p: 1 or 2. weight: (C,), a factor for each class. Raises ValueError for another p and shapes that do not fit.

    >>> from minitorch import Tensor
    >>> MultiMarginLoss()(Tensor([[0.5, 1.0, 0.0]]), Tensor([0]))
    tensor(0.6667)
    """

    p: int = 1
    margin: float = 1.0
    weight: Tensor | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.p not in (1, 2):
            raise ValueError(f"MultiMarginLoss: p must be 1 or 2, not {self.p}")


class MultiLabelMarginLoss(FunctionLoss, function="multilabel_margin_loss"):
    """Σᵢⱼ max(1 - input[i] + input[j], 0) / C, i in the target, j not: (N, C), (N, C) → (), or (N,) for "none".

    target: numbers of classes, and from the first -1 on nothing counts.

    >>> from minitorch import Tensor
    >>> MultiLabelMarginLoss()(Tensor([[0.5, 1.0, 0.0]]), Tensor([[1, -1, 0]]))
    tensor(0.1667)
    """


@layer
class MultiLabelSoftMarginLoss(FunctionLoss, function="multilabel_soft_margin_loss"):
    """-Σ (t ln σ(input) + (1 - t) ln σ(-input)) / C for targets t of 0 and 1: (N, C), (N, C) → (), or (N,) for "none".

    weight: a factor for each class.

    >>> from minitorch import Tensor
    >>> MultiLabelSoftMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """

    weight: Tensor | None = None


# -- alignments --------------------------------------------------------------------------------------------------------


class CTCLoss(Loss):
    """-ln p(targets), where p sums over all ways to stretch the labels over time: (T, N, C) → (), or (N,) for "none".

    The input holds log_softmax of C classes, one of which is `blank`. zero_infinity: a target that is too long for its
    time counts for 0. `functional.ctc_loss` has the mathematics. Source: Graves et al., 2006.

    >>> from minitorch import Tensor
    >>> half = Tensor([[[0.5, 0.5]], [[0.5, 0.5]]]).log()
    >>> CTCLoss()(half, Tensor([[1]]), [2], [1])
    tensor(0.2877)
    """

    def __init__(self, blank: int = 0, reduction: Reduction = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs: TensorLike, targets: TensorLike, input_lengths: Any, target_lengths: Any) -> Tensor:
        """The loss."""
        lengths = (input_lengths, target_lengths)
        return functional.ctc_loss(log_probs, targets, *lengths, self.blank, self.reduction, self.zero_infinity)


@layer
class CosineSimilarity(FunctionLayer, function="cosine_similarity"):
    """x₁ · x₂ / (max(‖x₁‖, eps) · max(‖x₂‖, eps)) along `dim`: the cosine of the angle between two vectors.

    (…, n, …), (…, n, …) → (…, …), without the axis `dim`.

    >>> from minitorch import Tensor
    >>> CosineSimilarity()(Tensor([[1.0, 0.0]]), Tensor([[3.0, 4.0]]))
    tensor([0.6000])
    """

    dim: int = 1
    eps: float = 1e-8
    extra_repr = Module.extra_repr

    def forward(self, x1: TensorLike, x2: TensorLike) -> Tensor:  # type: ignore[override]
        """The cosines."""
        return self._called(x1, x2)

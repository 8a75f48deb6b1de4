"""Losses of margins, rates and distributions, as modules: each is the function of its name in `nn.functional`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import Any

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLoss, layer
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["CosineEmbeddingLoss", "GaussianNLLLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "PairwiseDistance"]
__all__ += ["PoissonNLLLoss", "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss"]


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

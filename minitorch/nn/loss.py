"""Losses: one number that says how wrong a prediction is.

reduction: "mean" over all numbers (or rows), "sum", or "none" for a loss each; looked at when the loss is made.
All but the weight of the classes is said by name. PyTorch's retired `size_average` and `reduce` are not there.
"""

from __future__ import annotations

from typing import Any, Literal

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional.loss import require_reduction
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "SmoothL1Loss",
]

Reduction = Literal["mean", "sum", "none"]


class Loss(Module):
    """Base of losses: a reduction and, for some, a weight, a buffer that moves and is saved with the module."""

    weight: Any

    def __init__(self, reduction: str, *others: str) -> None:
        super().__init__()
        require_reduction(type(self).__name__, reduction, *others)
        self.reduction: Any = reduction


class BCELoss(Loss):
    """-(t ln p + (1 - t) ln(1 - p)): input and target are probabilities of one shape. weight: a factor, broadcast.

    (…), (…) → (), or (…) for "none". Raises ValueError when shapes differ or a number lies outside 0 … 1. For logits,
    BCEWithLogitsLoss is stabler.

    >>> from minitorch import Tensor
    >>> BCELoss()(Tensor([0.5, 0.9]), Tensor([1.0, 1.0]))
    tensor(0.3993)
    """

    def __init__(self, weight: Tensor | None = None, *, reduction: Reduction = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The binary cross entropy."""
        return functional.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(Loss):
    """BCELoss of σ(input), computed from ln σ so that nothing overflows.

    (…), (…) → (), or (…) for "none".
    weight: a factor, broadcast. pos_weight: a factor of the positive part, one for each class (the last axis).
    dL/dinput = (σ(x) - t) / n without them. Raises ValueError when shapes differ.

    >>> from minitorch import Tensor
    >>> BCEWithLogitsLoss()(Tensor([0.0, 100.0]), Tensor([1.0, 1.0]))
    tensor(0.3466)
    """

    pos_weight: Any

    def __init__(
        self, weight: Tensor | None = None, *, reduction: Reduction = "mean", pos_weight: Tensor | None = None
    ) -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The binary cross entropy of σ(input)."""
        return functional.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


class KLDivLoss(Loss):
    """t · (ln t - input), where the input holds logarithms: how far its distribution is from the target's.

    (N, …), (N, …) → (), or (N, …) for "none".
    reduction "batchmean" divides the sum by the number of rows: the divergence itself, which "mean" is not.
    log_target: the target holds logarithms too. Source: Kullback and Leibler, 1951, On Information and Sufficiency.

    >>> from minitorch import Tensor
    >>> KLDivLoss(reduction="batchmean")(Tensor([[0.5, 0.5]]).log(), Tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """

    def __init__(
        self, *, reduction: Literal["batchmean", "mean", "sum", "none"] = "mean", log_target: bool = False
    ) -> None:
        super().__init__(reduction, "batchmean")
        self.log_target = log_target

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The divergence."""
        return functional.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


# -- distances ---------------------------------------------------------------------------------------------------------


class MSELoss(Loss):
    """(input - target)²: (…), (…) → (), or (…) for "none".

    dL/dinput = 2 (input - target) / n. Shapes that differ are broadcast, with a warning.

    >>> from minitorch import Tensor
    >>> MSELoss()(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(5.)
    """

    def __init__(self, *, reduction: Reduction = "mean") -> None:
        super().__init__(reduction)

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The squared differences."""
        return functional.mse_loss(input, target, reduction=self.reduction)


class L1Loss(Loss):
    """|input - target|: (…), (…) → (), or (…) for "none".

    dL/dinput = its sign / n. Shapes that differ are broadcast, with a warning.

    >>> from minitorch import Tensor
    >>> L1Loss()(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(2.)
    """

    def __init__(self, *, reduction: Reduction = "mean") -> None:
        super().__init__(reduction)

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The absolute differences."""
        return functional.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(Loss):
    """d² / (2 beta) where |d| < beta, else |d| - beta / 2, with d = input - target: HuberLoss / beta.

    (…), (…) → (), or (…) for "none". Raises ValueError when beta is negative. Source: Girshick, 2015, Fast R-CNN.

    >>> from minitorch import Tensor
    >>> SmoothL1Loss()(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(1.5000)
    """

    def __init__(self, *, reduction: Reduction = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The differences, square where they are small."""
        return functional.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(Loss):
    """d² / 2 where |d| < delta, else delta · (|d| - delta / 2), with d = input - target.

    (…), (…) → (), or (…) for "none". Raises ValueError unless delta is positive. Source: Huber, 1964, Robust Estimation
    of a Location Parameter.

    >>> from minitorch import Tensor
    >>> HuberLoss(delta=2.0)(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(2.2500)
    """

    def __init__(self, reduction: Reduction = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The differences, square where they are small."""
        return functional.huber_loss(input, target, reduction=self.reduction, delta=self.delta)

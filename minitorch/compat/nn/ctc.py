"""The loss of sequences of labels whose places in time are not known."""

from __future__ import annotations

from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional.loss import Reduction
from minitorch.nn.loss import Loss
from minitorch.types import TensorLike

__all__ = ["CTCLoss"]


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

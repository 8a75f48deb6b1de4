"""Losses of classification: how surprised the model is by the class that it was."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional.loss import Reduction
from minitorch.nn.loss import Loss
from minitorch.types import TensorLike

__all__ = ["CrossEntropyLoss", "NLLLoss"]


class CrossEntropyLoss(Loss):
    """-ln softmax(input)[target]: logits (N, C), class numbers (N,) → (), or (N,) for "none".

    input may be (N, C, d₁, …) with target (N, d₁, …), and target probabilities of input's shape. weight: (C,), a factor
    for each class. Rows of the class `ignore_index` count for nothing. label_smoothing: the share of the target that is
    spread evenly over the classes. dL/dinput = (softmax - target) / N.
    Raises ValueError when shapes do not fit, IndexError for a class that does not exist.

    >>> from minitorch import Tensor
    >>> CrossEntropyLoss()(Tensor([[0.0, 0.0]]), Tensor([1]))
    tensor(0.6931)
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        *,
        ignore_index: int = -100,
        reduction: Reduction = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The cross entropy."""
        return functional.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class NLLLoss(Loss):
    """-input[target]: log-probabilities (N, C), class numbers (N,) → (), or (N,) for "none".

    input is as LogSoftmax gives it, and may be (N, C, d₁, …) with target (N, d₁, …). weight, ignore_index: as in
    CrossEntropyLoss. Raises as it does.

    >>> from minitorch import Tensor
    >>> NLLLoss()(Tensor([[-0.5, -1.0]]), Tensor([1]))
    tensor(1.)
    """

    def __init__(
        self, weight: Tensor | None = None, *, ignore_index: int = -100, reduction: Reduction = "mean"
    ) -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The negative log-likelihood."""
        return functional.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)

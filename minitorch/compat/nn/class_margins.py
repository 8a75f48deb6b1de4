"""Losses of margins between classes, as modules: each is the function of its name in `nn.functional`."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional.loss import Reduction
from minitorch.nn.loss import Loss
from minitorch.types import TensorLike

__all__ = ["MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss"]


class MultiMarginLoss(Loss):
    """Σⱼ weight[y] · max(margin - input[y] + input[j], 0)ᵖ / C over j ≠ y: (N, C), (N,) → (), or (N,) for "none".

    p: 1 or 2. weight: (C,), a factor for each class. Raises ValueError for another p and shapes that do not fit.

    >>> from minitorch import Tensor
    >>> MultiMarginLoss()(Tensor([[0.5, 1.0, 0.0]]), Tensor([0]))
    tensor(0.6667)
    """

    def __init__(
        self, p: int = 1, margin: float = 1.0, weight: Tensor | None = None, *, reduction: Reduction = "mean"
    ) -> None:
        super().__init__(reduction)
        if p not in (1, 2):
            raise ValueError(f"MultiMarginLoss: p must be 1 or 2, not {p}")
        self.register_buffer("weight", weight)
        self.p = p
        self.margin = margin

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The loss."""
        options = (self.p, self.margin, self.weight)
        return functional.multi_margin_loss(input, target, *options, reduction=self.reduction)


class MultiLabelMarginLoss(Loss):
    """Σᵢⱼ max(1 - input[i] + input[j], 0) / C, i in the target, j not: (N, C), (N, C) → (), or (N,) for "none".

    target: numbers of classes, and from the first -1 on nothing counts.

    >>> from minitorch import Tensor
    >>> MultiLabelMarginLoss()(Tensor([[0.5, 1.0, 0.0]]), Tensor([[1, -1, 0]]))
    tensor(0.1667)
    """

    def __init__(self, *, reduction: Reduction = "mean") -> None:
        super().__init__(reduction)

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The loss."""
        return functional.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(Loss):
    """-Σ (t ln σ(input) + (1 - t) ln σ(-input)) / C for targets t of 0 and 1: (N, C), (N, C) → (), or (N,) for "none".

    weight: a factor for each class.

    >>> from minitorch import Tensor
    >>> MultiLabelSoftMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """

    def __init__(self, weight: Tensor | None = None, *, reduction: Reduction = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """The loss."""
        return functional.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)

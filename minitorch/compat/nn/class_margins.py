"""Losses of margins between classes, as modules: each is the function of its name in `nn.functional`."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLoss, layer

__all__ = ["MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss"]


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

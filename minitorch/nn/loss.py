"""Losses: one number that says how wrong a prediction is.

reduction: "mean" over all numbers (or rows), "sum", or "none" for a loss each; looked at when the loss is made.
All but the weight of the classes is said by name. PyTorch's retired `size_average` and `reduce` are not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn.functional.loss import Reduction, require_reduction
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["BCELoss", "MSELoss"]


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


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.loss import *
else:
    __getattr__, __dir__ = moved_names(__name__)

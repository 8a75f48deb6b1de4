"""Flatten: a layer that changes the shape alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn.module import Module
from minitorch.ops.movement import flatten
from minitorch.types import TensorLike

__all__ = ["Flatten"]


class Flatten(Module):
    """The axes from `start_dim` to `end_dim` as one; unless told otherwise, all but the batch: (N, …) → (N, numbers).

    >>> from minitorch import Tensor
    >>> Flatten()(Tensor(np.zeros((2, 3, 4)))).shape
    (2, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input with these axes as one."""
        return flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """Return the axes."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.flatten import *
else:
    __getattr__, __dir__ = moved_names(__name__)

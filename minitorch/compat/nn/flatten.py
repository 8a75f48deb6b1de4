"""Unflatten: one axis as several."""

from __future__ import annotations

from collections.abc import Sequence

from minitorch._tensor import Tensor
from minitorch.nn.module import Module
from minitorch.ops.movement import unflatten
from minitorch.types import TensorLike

__all__ = ["Unflatten"]


class Unflatten(Module):
    """The axis `dim` as several, of the sizes `unflattened_size`, one of which may be -1. Undoes Flatten.

    (…, numbers, …) → (…, *unflattened_size, …). Raises ValueError when the sizes do not multiply to the axis's size.

    >>> from minitorch import Tensor
    >>> Unflatten(1, (3, 4))(Tensor(np.zeros((2, 12)))).shape
    (2, 3, 4)
    """

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        super().__init__()
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input with this axis as several."""
        return unflatten(input, self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """Return the axis and its sizes."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"

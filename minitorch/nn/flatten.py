"""Flatten and Unflatten: layers that change the shape alone."""

from __future__ import annotations

from collections.abc import Sequence

from minitorch._tensor import Tensor
from minitorch.nn.module import Module
from minitorch.ops.movement import flatten, unflatten
from minitorch.types import TensorLike

__all__ = ["Flatten", "Unflatten"]


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
        """The same numbers with fewer axes."""
        return flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The axes."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


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
        """The same numbers with more axes."""
        return unflatten(input, self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """The axis and its sizes."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"

"""Unflatten: one axis as several."""

from __future__ import annotations

from collections.abc import Sequence

from minitorch import Tensor, unflatten
from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.types import TensorLike

__all__ = ["Unflatten"]


@layer
class Unflatten(FunctionLayer):
    """The axis `dim` as several, of the sizes `unflattened_size`, one of which may be -1. Undoes Flatten.

    (…, numbers, …) → (…, *unflattened_size, …). Raises ValueError when the sizes do not multiply to the axis's size.

    >>> from minitorch import Tensor
    >>> Unflatten(1, (3, 4))(Tensor(np.zeros((2, 12)))).shape
    (2, 3, 4)
    """

    dim: int
    unflattened_size: Sequence[int]

    def __post_init__(self) -> None:
        self.unflattened_size = tuple(self.unflattened_size)

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input with this axis as several."""
        return unflatten(input, self.dim, tuple(self.unflattened_size))

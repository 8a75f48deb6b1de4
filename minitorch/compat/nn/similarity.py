"""Similarity: vectors compared by the angle between them."""

from __future__ import annotations

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["CosineSimilarity"]


class CosineSimilarity(Module):
    """x₁ · x₂ / (max(‖x₁‖, eps) · max(‖x₂‖, eps)) along `dim`: the cosine of the angle between two vectors.

    (…, n, …), (…, n, …) → (…, …), without the axis `dim`.

    >>> from minitorch import Tensor
    >>> CosineSimilarity()(Tensor([[1.0, 0.0]]), Tensor([[3.0, 4.0]]))
    tensor([0.6000])
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: TensorLike, x2: TensorLike) -> Tensor:
        """The cosines."""
        return functional.cosine_similarity(x1, x2, self.dim, self.eps)

"""EmbeddingBag: the mean, sum or maximum of the rows of several numbers."""

from __future__ import annotations

from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import Embedding, functional
from minitorch.types import TensorLike

__all__ = ["EmbeddingBag"]


class EmbeddingBag(Embedding):
    """The mean, sum or max of the rows of `weight` for each bag of numbers: (N, L), or (L,) with offsets → (N, d).

    offsets say where each bag begins, and with include_last_offset where the last one ends. The row `padding_idx` does
    not count. Raises as `nn.functional.embedding_bag` does.

    >>> from minitorch import Tensor
    >>> EmbeddingBag(10, 3, mode="sum")(Tensor([1, 2, 4, 5]), Tensor([0, 3])).shape
    (2, 3)
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        *,
        mode: str = "mean",
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        _weight: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, padding_idx, _weight=_weight, device=device, dtype=dtype)
        self.mode = mode
        self.include_last_offset = include_last_offset

    def forward(
        self, input: TensorLike, offsets: TensorLike | None = None, per_sample_weights: TensorLike | None = None
    ) -> Tensor:
        """One row for each bag."""
        return functional.embedding_bag(
            input,
            self.weight,
            offsets,
            mode=self.mode,
            per_sample_weights=per_sample_weights,
            include_last_offset=self.include_last_offset,
            padding_idx=self.padding_idx,
        )

    def extra_repr(self) -> str:
        """The sizes and the mode."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode!r}{padding}"

"""Embedding, a table of vectors, learnt: one row for each word, character or other thing that has a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import no_grad
from minitorch.autograd.tensor_base import as_array
from minitorch.moved import moved_names
from minitorch.nn import functional, init
from minitorch.nn._sizes import require_sizes
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import as_tensor, empty
from minitorch.types import TensorLike

__all__ = ["Embedding"]


class Embedding(Module):
    """The row of `weight` for each number: integers of any shape (…) → (…, embedding_dim).

    weight (num_embeddings, embedding_dim) starts normal with mean 0 and standard deviation 1. The row `padding_idx`
    starts as zeros and gets no gradient. Raises TypeError when the input holds no integers, IndexError on a number
    outside 0 … num_embeddings - 1. Source: Bengio et al., 2003, A Neural Probabilistic Language Model.

    >>> from minitorch import Tensor
    >>> Embedding(10, 3)(Tensor([[1, 2, 4, 5]])).shape
    (1, 4, 3)
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        *,
        _weight: Any = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        require_sizes("Embedding", num_embeddings=num_embeddings, embedding_dim=embedding_dim)
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise IndexError(f"Embedding: padding_idx {padding_idx} is none of the {num_embeddings} rows")
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if _weight is None:
            self.weight = Parameter(
                empty(num_embeddings, embedding_dim, device=device, dtype=dtype), requires_grad=not _freeze
            )
            self.reset_parameters()
            return
        if as_array(_weight).shape != (num_embeddings, embedding_dim):
            raise ValueError(
                f"Embedding: a table of shape {as_array(_weight).shape} was given for {num_embeddings} rows of "
                f"{embedding_dim} numbers"
            )
        self.weight = Parameter(as_tensor(_weight), requires_grad=not _freeze)

    def reset_parameters(self) -> None:
        """Draws the table again; the padding row is zeros."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx] = 0.0

    @classmethod
    def from_pretrained(cls, embeddings: TensorLike, freeze: bool = True, padding_idx: int | None = None) -> Embedding:
        """An Embedding around a table that is there already, (rows, features); `freeze`: it gets no gradients.

        Raises ValueError when the table has another number of axes.

        >>> from minitorch import Tensor
        >>> Embedding.from_pretrained(Tensor([[1.0, 2.3], [4.0, 5.1]]))(Tensor([1]))
        tensor([[4.0000, 5.1000]])
        """
        shape = as_array(embeddings).shape
        if len(shape) != 2:
            raise ValueError(f"Embedding.from_pretrained: the table must have shape (rows, features), not {shape}")
        return cls(*shape, padding_idx, _weight=embeddings, _freeze=freeze)

    def forward(self, input: TensorLike) -> Tensor:
        """The rows."""
        return functional.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        """The sizes."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.embedding import *
else:
    __getattr__, __dir__ = moved_names(__name__)

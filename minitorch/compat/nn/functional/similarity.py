"""Similarity of vectors by their direction: brought to length 1, and compared by the angle between them."""

from __future__ import annotations

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import constant
from minitorch.compat.ops.rearrange import broadcast_tensors
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.arithmetic import add, div, mul
from minitorch.ops.choice import clamp_min
from minitorch.ops.norms import norm
from minitorch.ops.reduce import sum as sum_
from minitorch.types import Dim, TensorLike

__all__ = ["cosine_similarity", "normalize"]


@accepts_numpy_names
def normalize(input: TensorLike, p: float = 2.0, dim: Dim = 1, eps: float = 1e-12) -> Tensor:
    """x / max(‖x‖ₚ, eps) along `dim`: vectors of length 1, but for those shorter than eps.

    (…, n, …) → (…, n, …). dL/dx = (g - out · Σ g out) / ‖x‖ for p = 2; g / eps below eps.

    >>> from minitorch import Tensor
    >>> normalize(Tensor([[3.0, 4.0], [0.0, 2.0]]))
    tensor([[0.6000, 0.8000],
            [0.0000, 1.0000]])
    """
    return div(input, clamp_min(norm(input, p, dim, keepdim=True), eps))


@accepts_numpy_names
def cosine_similarity(x1: TensorLike, x2: TensorLike, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """x₁ · x₂ / (max(‖x₁‖, eps) · max(‖x₂‖, eps)) along `dim`: the cosine of the angle between two vectors.

    (…, n, …), (…, n, …) → (…, …), without the axis `dim`; the two broadcast.
    With u₁ and u₂ the two at length 1, dL/dx₁ = g · (u₂ - u₁ · cosine) / ‖x₁‖.

    >>> from minitorch import Tensor
    >>> cosine_similarity(Tensor([[1.0, 0.0]]), Tensor([[3.0, 4.0]]))
    tensor([0.6000])
    """
    x1, x2 = broadcast_tensors(x1, x2)
    return sum_(mul(_directed(x1, dim, eps), _directed(x2, dim, eps)), dim)


def _directed(vectors: TensorLike, dim: int, eps: float) -> Tensor:
    """The vectors divided by their length, or by eps: a constant added to the length, so that it keeps its gradient."""
    length = norm(vectors, 2.0, dim, keepdim=True)
    return div(vectors, add(length, constant(np.maximum(length.data, eps) - length.data)))

"""bilinear: a product of two inputs with a stack of matrices."""

from __future__ import annotations

from minitorch import Tensor, add, einsum
from minitorch.types import TensorLike

__all__ = ["bilinear"]


def bilinear(input1: TensorLike, input2: TensorLike, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
    """Σᵢⱼ input1[…, i] · weight[o, i, j] · input2[…, j] + bias[o]: (…, n), (…, m) with (o, n, m) and (o,) → (…, o).

    Raises ValueError when the sizes differ.

    >>> from minitorch import Tensor
    >>> bilinear(Tensor([1.0, 2.0]), Tensor([3.0]), Tensor([[[1.0], [10.0]]]))
    tensor([63.])
    """
    out = einsum("...i,oij,...j->...o", input1, weight, input2)
    return out if bias is None else add(out, bias)

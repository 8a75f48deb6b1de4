"""Products of vectors and matrices in further forms: with something added, of many, of vectors in space."""

from __future__ import annotations

from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import xp
from minitorch.compat.ops import vectors
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.creation import as_tensor
from minitorch.ops.products import bmm, dot, mv, outer
from minitorch.types import TensorLike

__all__ = ["addbmm", "addmv", "addr", "adjoint", "chain_matmul", "cross", "vdot"]

# -- with something added ----------------------------------------------------------------------------------------------


def _plus(input: TensorLike, product: Tensor, beta: Any, alpha: Any) -> Tensor:
    """beta · input + alpha · product; of beta = 0, what is in input does not count, nan neither."""
    given, scaled = as_tensor(input), product if alpha == 1 else product * alpha
    if beta == 0:
        return scaled + given.masked_fill(xp(given).ones(given.shape, bool), 0.0)
    return (given if beta == 1 else given * beta) + scaled


def addmv(input: TensorLike, mat: TensorLike, vec: TensorLike, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta · input + alpha · mat @ vec. Raises ValueError when the shapes do not fit.

    >>> addmv(Tensor([1.0]), Tensor([[2.0, 3.0]]), Tensor([1.0, 1.0]))
    tensor([6.])
    """
    return _plus(input, mv(mat, vec), beta, alpha)


def addr(input: TensorLike, vec1: TensorLike, vec2: TensorLike, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta · input + alpha · outer(vec1, vec2). Raises ValueError when the shapes do not fit.

    >>> addr(Tensor([[1.0, 1.0]]), Tensor([2.0]), Tensor([3.0, 4.0]))
    tensor([[7., 9.]])
    """
    return _plus(input, outer(vec1, vec2), beta, alpha)


def addbmm(input: TensorLike, batch1: TensorLike, batch2: TensorLike, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta · input + alpha · Σ batch1[i] @ batch2[i]. Raises ValueError when the shapes do not fit.

    >>> addbmm(Tensor([[1.0]]), Tensor([[[2.0]], [[3.0]]]), Tensor([[[1.0]], [[1.0]]]))
    tensor([[6.]])
    """
    return _plus(input, bmm(batch1, batch2).sum(0), beta, alpha)


def vdot(input: TensorLike, other: TensorLike) -> Tensor:
    """`dot`, which it is for real numbers.

    >>> vdot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    tensor(11.)
    """
    return dot(input, other)


def chain_matmul(*matrices: TensorLike) -> Tensor:
    """`multi_dot` under its older name.

    >>> chain_matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    return vectors.multi_dot(matrices)


@accepts_numpy_names
def cross(input: TensorLike, other: TensorLike, dim: int | None = None) -> Tensor:
    """The cross product of vectors with three coordinates: along `dim`, or the first axis of size 3.

    Raises ValueError where there is none.

    >>> cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    shape = as_array(input).shape
    if dim is None:
        if 3 not in shape:
            raise ShapeError(f"cross: no axis of shape {shape} has three coordinates")
        dim = shape.index(3)
    return vectors.cross(input, other, dim=dim)


def adjoint(input: TensorLike) -> Tensor:
    """The last two axes exchanged.

    >>> adjoint(Tensor([[1.0, 2.0]])).shape
    (2, 1)
    """
    given = as_tensor(input)
    if given.ndim < 2:
        raise ShapeError(f"adjoint: shape {given.shape} has fewer than two axes")
    return given.permute(*range(given.ndim - 2), given.ndim - 1, given.ndim - 2)

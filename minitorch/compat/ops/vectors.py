"""Linear algebra's products of vectors, and of many matrices: public as `minitorch.linalg`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.compat.ops.combining import powers
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.creation import as_tensor
from minitorch.ops.joining import stack
from minitorch.ops.rearrange import diagonal as diagonal_
from minitorch.types import TensorLike

__all__ = ["cross", "diagonal", "multi_dot", "vander", "vecdot"]


@accepts_numpy_names
def vecdot(x: TensorLike, y: TensorLike, *, dim: int = -1) -> Tensor:
    """Σ x · y along `dim`, of shapes that broadcast.

    >>> vecdot(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0]))
    tensor([11.])
    """
    return (as_tensor(x) * y).sum(dim)


def multi_dot(tensors: Sequence[TensorLike]) -> Tensor:
    """The product of two matrices or more, in the order that needs the fewest multiplications.

    The first may be a row and the last a column, given as vectors. Raises ValueError for fewer than two and for shapes
    that do not fit.

    >>> multi_dot([Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]), Tensor([[2.0]])])
    tensor([[22.]])
    """
    given = [as_tensor(each) for each in tensors]
    shapes = [each.shape for each in given]
    if len(given) < 2 or any(len(s) != 2 for s in shapes[1:-1]) or {len(shapes[0]), len(shapes[-1])} - {1, 2}:
        raise ShapeError(f"multi_dot: shapes {shapes}: two matrices or more, of which the outer ones may be vectors")
    given[0] = given[0].reshape(1, -1) if len(shapes[0]) == 1 else given[0]
    given[-1] = given[-1].reshape(-1, 1) if len(shapes[-1]) == 1 else given[-1]
    for left, right in pairwise(given):
        if left.shape[1] != right.shape[0]:
            raise ShapeError(f"multi_dot: shapes {left.shape} and {right.shape} do not fit")
    sizes = [len(given[0]), *[each.shape[1] for each in given]]
    out = _in_best_order(given, sizes)
    return out.reshape(shapes[0][:-1] + (shapes[-1][1:] if len(shapes[-1]) > 1 else ()))


def _in_best_order(matrices: list[Tensor], sizes: list[int]) -> Tensor:
    """The chain's cheapest brackets, by the costs of all its parts from the short ones on."""
    n = len(matrices)
    cost, cut = {(i, i): 0 for i in range(n)}, {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            options = [(cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)]
            cost[i, j], cut[i, j] = min(options)
    return _product(matrices, cut, 0, n - 1)


def _product(matrices: list[Tensor], cut: dict[tuple[int, int], int], i: int, j: int) -> Tensor:
    """The product of the matrices from i to j, which `cut` parts."""
    if i == j:
        return matrices[i]
    return _product(matrices, cut, i, cut[i, j]) @ _product(matrices, cut, cut[i, j] + 1, j)


@accepts_numpy_names
def cross(input: TensorLike, other: TensorLike, *, dim: int = -1) -> Tensor:
    """The cross product of vectors with three coordinates along `dim`, of shapes that broadcast.

    Raises ValueError for another number of coordinates.

    >>> cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    vectors = [as_tensor(each) for each in (input, other)]
    shapes = [each.shape for each in vectors]
    if len(shapes[0]) != len(shapes[1]) or any(shape[dim] != 3 for shape in shapes):
        raise ShapeError(f"cross: shapes {shapes[0]} and {shapes[1]} need three coordinates along dim {dim}")
    x, y = ([each.select(dim, k) for k in range(3)] for each in vectors)
    return stack([x[i - 2] * y[i - 1] - x[i - 1] * y[i - 2] for i in range(3)], dim)


@accepts_numpy_names
def diagonal(A: TensorLike, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """`diagonal` of the last two axes, as a view.

    >>> diagonal(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([1., 4.])
    """
    return diagonal_(A, offset, dim1, dim2)


def vander(x: TensorLike, *, N: int | None = None) -> Tensor:
    """1, x, x² … x**(N-1) along a new last axis: (…, n) → (…, n, N), N = n unless given.

    Raises ValueError for N below 2.

    >>> vander(Tensor([2.0, 3.0]), N=3)
    tensor([[1., 2., 4.],
            [1., 3., 9.]])
    """
    shape = as_array(x).shape
    count = (shape or (1,))[-1] if N is None else N
    if N is not None and N < 2:
        raise ValueError(f"vander: N is how many powers to take, two or more, so it cannot be {N}")
    return powers(as_tensor(x).reshape(shape or (1,)), count)

"""Products of matrices and vectors.

As in PyTorch, operands whose products are summed must have one dtype; `outer` and `kron` only multiply and take any.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import xp
from minitorch.errors import ShapeError
from minitorch.ops._ufuncs import answers
from minitorch.ops.arithmetic import mul
from minitorch.ops.movement import reshape
from minitorch.types import Shape, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "matmul",
    "mm",
    "bmm",
    "mv",
    "dot",
    "inner",
    "outer",
    "addmm",
    "baddbmm",
    "kron",
    "trace",
]


def mT(matrix: Any) -> Any:  # noqa: N802 (PyTorch's name)
    """The last two axes exchanged."""
    return np.swapaxes(matrix, -1, -2)


# -- the product of all ranks --------------------------------------------------------------------------------------


@answers(np.matmul)
@primitive(promotes=False)
def matmul(input: Any, other: Any) -> Any:
    """input @ other: (…, n, k) @ (…, k, m) → (…, n, m); vectors and leading axes as in NumPy and PyTorch.

    dL/dinput = g @ otherᵀ, dL/dother = inputᵀ @ g, summed over the leading axes that were broadcast.
    Raises ValueError when the inner sizes differ or one side is a single number, TypeError when the dtypes differ.

    >>> matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    try:
        if np.ndim(other) == 2 and np.ndim(input) > 2 and input.flags.c_contiguous:
            return _tall(input, other)
        return np.matmul(input, other)
    except ValueError:
        raise ShapeError(_mismatch(np.shape(input), np.shape(other))) from None


def _tall(input: Any, matrix: Any) -> Any:
    """(…, n, k) @ (k, m) as one product of a tall matrix instead of many small ones."""
    rows = math.prod(input.shape[:-1])  # -1 could be any number if an axis has size 0
    return (input.reshape(rows, input.shape[-1]) @ matrix).reshape(*input.shape[:-1], matrix.shape[-1])


def _mismatch(input_shape: Shape, other_shape: Shape) -> str:
    if not input_shape or not other_shape:
        return f"shapes {input_shape} and {other_shape}: a single number takes no part in @; use * instead"
    inner_size = other_shape[-2] if len(other_shape) > 1 else other_shape[0]
    if input_shape[-1] != inner_size:
        return (
            f"shapes {input_shape} and {other_shape}: the inner sizes {input_shape[-1]} and {inner_size} must be equal"
        )
    return f"shapes {input_shape} and {other_shape}: the leading axes must be equal or 1"


def _matmul_wrt_input(g: Any, other: Any, input_shape: Shape) -> Any:
    if other.ndim == 1:  # (…, k) · (k,) → (…)
        return g[..., None] * other
    if len(input_shape) == 1:  # (k,) @ (…, k, m) → (…, m)
        return (other @ g[..., None])[..., 0]
    if other.ndim == 2 and g.ndim > 2:
        return _tall(g, other.T)
    return g @ mT(other)


def _matmul_wrt_other(g: Any, input: Any, other_shape: Shape) -> Any:
    if input.ndim == 1:  # (k,) @ (…, k, m) → (…, m), or (k,) · (k,) → ()
        return input * g if len(other_shape) == 1 else input[:, None] * g[..., None, :]
    if len(other_shape) == 1:  # (…, n, k) · (k,) → (…, n)
        return (mT(input) @ g[..., None])[..., 0]
    if len(other_shape) == 2 and input.ndim > 2:  # one product of tall matrices, and no axis left to sum
        rows = math.prod(input.shape[:-1])
        return input.reshape(rows, input.shape[-1]).T @ g.reshape(rows, g.shape[-1])
    return mT(input) @ g


matmul.vjp(input=_matmul_wrt_input, other=_matmul_wrt_other)


# -- the products of known ranks -----------------------------------------------------------------------------------

_KINDS = ("a single number", "a vector", "a matrix", "a batch of matrices")


def _require_ranks(left: Any, right: Any, left_ndim: int, right_ndim: int) -> None:
    if np.ndim(left) != left_ndim or np.ndim(right) != right_ndim:
        raise ShapeError(
            f"shapes {np.shape(left)} and {np.shape(right)}: it takes {_KINDS[left_ndim]} and {_KINDS[right_ndim]}; "
            f"matmul takes all of them"
        )


def _product(left: Any, right: Any, left_ndim: int, right_ndim: int) -> Any:
    """left @ right of operands with so many axes, and of batches of the same size."""
    _require_ranks(left, right, left_ndim, right_ndim)
    if left.shape[-1] != right.shape[0 if right_ndim == 1 else -2]:
        raise ShapeError(_mismatch(left.shape, right.shape))
    if left_ndim == 3 and left.shape[0] != right.shape[0]:
        raise ShapeError(f"shapes {left.shape} and {right.shape}: both batches must have the same size")
    return left @ right


@primitive(promotes=False)
def mm(input: Any, mat2: Any) -> Any:
    """(n, k) @ (k, m) → (n, m), of two matrices alone. dL/dinput = g @ mat2ᵀ, dL/dmat2 = inputᵀ @ g.

    >>> mm(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    return _product(input, mat2, 2, 2)


mm.vjp(input=lambda g, mat2: g @ mT(mat2), mat2=lambda g, input: mT(input) @ g)


@primitive(promotes=False)
def bmm(input: Any, mat2: Any) -> Any:
    """(b, n, k) @ (b, k, m) → (b, n, m), one product for each of the batch; nothing broadcasts.

    dL/dinput = g @ mat2ᵀ, dL/dmat2 = inputᵀ @ g.

    >>> bmm(Tensor([[[1.0, 2.0]]]), Tensor([[[3.0], [4.0]]]))
    tensor([[[11.]]])
    """
    return _product(input, mat2, 3, 3)


bmm.vjp(input=lambda g, mat2: g @ mT(mat2), mat2=lambda g, input: mT(input) @ g)


@primitive(promotes=False)
def mv(input: Any, vec: Any) -> Any:
    """(n, k) @ (k,) → (n,). dL/dinput = g vecᵀ, dL/dvec = inputᵀ @ g.

    >>> mv(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    return _product(input, vec, 2, 1)


mv.vjp(input=lambda g, vec: g[:, None] * vec, vec=lambda g, input: mT(input) @ g)


@primitive(promotes=False)
def dot(input: Any, tensor: Any) -> Any:
    """Σ input · tensor of two vectors of the same size. dL/dinput = g · tensor, dL/dtensor = g · input.

    >>> dot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    tensor(11.)
    """
    return _product(input, tensor, 1, 1)


dot.vjp(input=lambda g, tensor: g * tensor, tensor=lambda g, input: g * input)


@primitive(promotes=False)
def inner(input: Any, other: Any) -> Any:
    """Σ over the last axis of both: (…, k) and (…, k) → (*input's leading axes, *other's). A single number multiplies.

    dL/dinput = g · other, summed over other's leading axes, and the reverse. Raises ValueError when k differs.

    >>> inner(Tensor([1.0, 2.0]), Tensor([[3.0, 4.0], [5.0, 6.0]]))
    tensor([11., 17.])
    """
    if np.ndim(input) and np.ndim(other) and input.shape[-1] != other.shape[-1]:
        raise ShapeError(f"shapes {input.shape} and {other.shape}: the last sizes must be equal")
    return np.inner(input, other)


def _inner_wrt_input(g: Any, other: Any, input_shape: Shape) -> Any:
    if not input_shape or not other.ndim:
        return g * other
    return np.tensordot(g, other, other.ndim - 1)


def _inner_wrt_other(g: Any, input: Any, other_shape: Shape) -> Any:
    if not input.ndim or not other_shape:
        return g * input
    leading = list(range(input.ndim - 1))
    return np.tensordot(g, input, (leading, leading))


inner.vjp(input=_inner_wrt_input, other=_inner_wrt_other)


@primitive
def outer(input: Any, vec2: Any) -> Any:
    """inputᵢ · vec2ⱼ of two vectors: (n,) and (m,) → (n, m). dL/dinput = g @ vec2, dL/dvec2 = gᵀ @ input.

    >>> outer(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    _require_ranks(input, vec2, 1, 1)
    return input[:, None] * vec2


outer.vjp(input=lambda g, vec2: g @ vec2, vec2=lambda g, input: mT(g) @ input)


# -- a product and a sum in one ------------------------------------------------------------------------------------


def _times(array: Any, factor: float) -> Any:
    """factor · array; of integers, by the whole part of the factor, as in PyTorch."""
    if getattr(array, "dtype", None) is not None and array.dtype.kind in "iu":
        factor = int(factor)
    return array if factor == 1 else array * factor


def _affine(input: Any, product: Any, beta: float, alpha: float) -> Any:
    """beta · input + alpha · product, in the product's shape. With beta = 0, input is not looked at: nan stays out."""
    shape = np.shape(input)
    sizes = zip(reversed(shape), reversed(product.shape), strict=False)
    if len(shape) > product.ndim or any(have not in (want, 1) for have, want in sizes):
        raise ShapeError(f"input of shape {shape} does not broadcast to the product's shape {product.shape}")
    product = _times(product, alpha)
    return product if beta == 0 else product + _times(input, beta)


@primitive(promotes=False)
def addmm(input: Any, mat1: Any, mat2: Any, beta: float = 1, alpha: float = 1) -> Any:
    """beta · input + alpha · (mat1 @ mat2), input broadcast to (n, m).

    dL/dinput = beta · g, dL/dmat1 = alpha · g @ mat2ᵀ, dL/dmat2 = alpha · mat1ᵀ @ g. With beta = 0 nan and inf in
    input are ignored. Of integers, beta and alpha count by their whole parts.

    >>> addmm(Tensor([1.0]), Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]), alpha=2)
    tensor([[23.]])
    """
    return _affine(input, _product(mat1, mat2, 2, 2), beta, alpha)


addmm.vjp(
    input=lambda g, beta: _times(g, beta),
    mat1=lambda g, mat2, alpha: _times(g @ mT(mat2), alpha),
    mat2=lambda g, mat1, alpha: _times(mT(mat1) @ g, alpha),
)


@primitive(promotes=False)
def baddbmm(input: Any, batch1: Any, batch2: Any, beta: float = 1, alpha: float = 1) -> Any:
    """beta · input + alpha · (batch1 @ batch2), input broadcast to (b, n, m); `addmm` for batches.

    >>> baddbmm(Tensor([1.0]), Tensor([[[1.0, 2.0]]]), Tensor([[[3.0], [4.0]]]), beta=2)
    tensor([[[13.]]])
    """
    return _affine(input, _product(batch1, batch2, 3, 3), beta, alpha)


baddbmm.vjp(
    input=lambda g, beta: _times(g, beta),
    batch1=lambda g, batch2, alpha: _times(g @ mT(batch2), alpha),
    batch2=lambda g, batch1, alpha: _times(mT(batch1) @ g, alpha),
)


# -- of one matrix, and of blocks ----------------------------------------------------------------------------------


def kron(input: TensorLike, other: TensorLike) -> Tensor:
    """The Kronecker product: every number of input times the whole of other, side by side; any number of axes.

    Sizes multiply, (n, m) and (p, q) → (n·p, m·q); missing leading axes count as 1. Source: Van Loan, 2000.

    >>> kron(Tensor([1.0, 10.0]), Tensor([1.0, 2.0]))
    tensor([ 1.,  2., 10., 20.])
    """
    shape, other_shape = as_array(input).shape, as_array(other).shape
    ndim = max(len(shape), len(other_shape))
    shape = (1,) * (ndim - len(shape)) + shape
    other_shape = (1,) * (ndim - len(other_shape)) + other_shape
    product = mul(
        reshape(input, tuple(each for size in shape for each in (size, 1))),
        reshape(other, tuple(each for size in other_shape for each in (1, size))),
    )
    return reshape(product, tuple(n * p for n, p in zip(shape, other_shape, strict=True)))


@primitive
def trace(input: Any) -> Any:
    """Σ of the main diagonal of a matrix. dL/dinput = g on the diagonal, 0 elsewhere.

    >>> trace(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor(5.)
    """
    if input.ndim != 2:
        raise ShapeError(f"it takes a matrix, not shape {input.shape}")
    return np.trace(input)


trace.vjp(input=lambda g, input_shape: g * xp(g).eye(*input_shape, dtype=g.dtype))

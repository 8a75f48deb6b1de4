"""Counts and places: each number once, where a number belongs in an order, how often each integer comes."""

from __future__ import annotations

import math
from typing import Any, Literal, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import as_result, xp
from minitorch.errors import OperandError, ShapeError
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.sort import axis_of
from minitorch.types import TensorLike

__all__ = ["bincount", "searchsorted", "unique"]


@overload
def unique(input: TensorLike, sorted: bool = True, *, dim: int | None = None) -> Tensor: ...


@overload
def unique(
    input: TensorLike, sorted: bool = ..., return_inverse: bool = ..., return_counts: bool = ..., dim: int | None = ...
) -> Tensor | tuple[Tensor, ...]: ...


@accepts_numpy_names
def unique(
    input: TensorLike,
    sorted: bool = True,  # noqa: ARG001 (PyTorch's name)
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """Each number once, in order; with `dim`, each slice across that axis once. Constants: no gradient.

    return_inverse: also where in the result each number, or slice, is found. return_counts: also how often each came.
    With one of them it returns a tuple. They are in order even without `sorted`; no nan equals another. Raises
    IndexError for a dim that there is not.

    >>> unique(Tensor([3, 1, 1]), return_counts=True)
    (tensor([1, 3]), tensor([2, 1]))
    """
    array = as_array(input)
    if dim is not None and array.ndim == 0:
        raise IndexError("unique: a single number has no axis: leave dim out")
    axis = None if dim is None else axis_of(array, dim, "unique")
    options: Any = {"return_inverse": return_inverse, "return_counts": return_counts, "equal_nan": False}
    found: Any = np.unique(array, axis=axis, **options)
    if not isinstance(found, tuple):
        return constant(found)
    values, *rest = found
    if return_inverse:  # releases of NumPy differ in its shape
        rest[0] = rest[0].reshape(array.shape if axis is None else (array.shape[axis],))
    return tuple([constant(each) for each in (values, *rest)])


def searchsorted(
    sorted_sequence: TensorLike,
    input: TensorLike,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: TensorLike | None = None,
) -> Tensor:
    """Position along the last axis at which each number is inserted to keep the order: before its equals, or after.

    A sequence with one axis serves all of input; with more, both have the same leading axes, row for row. `right=True`
    and side="right" mean after. `sorter` holds the indices that sort the sequence. Raises ValueError when the shapes do
    not fit or side and right disagree.

    >>> searchsorted(Tensor([1.0, 3.0, 5.0]), Tensor([3.0, 4.0]))
    tensor([1, 2])
    """
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ValueError(f"searchsorted: side {side!r} and right={right} do not fit: side is 'left' or 'right'")
    sequence = as_array(sorted_sequence)
    wanted = xp(sequence).asarray(as_array(input))
    if sorter is not None:
        sequence = np.take_along_axis(sequence, as_array(sorter), -1)
    if sequence.ndim == 0 or (sequence.ndim > 1 and sequence.shape[:-1] != wanted.shape[:-1]):
        shapes = f"sequences of shape {sequence.shape} and input of shape {wanted.shape}"
        raise ShapeError(f"searchsorted: {shapes} need the same axes but the last, or one sequence for all")
    where: Literal["left", "right"] = "right" if right or side == "right" else "left"
    if sequence.ndim == 1 or wanted.size == 0:
        found = as_result(np.searchsorted(sequence.reshape(-1), wanted, where))
    else:
        count, size = math.prod(wanted.shape[:-1]), sequence.shape[-1]
        rows = zip(sequence.reshape(count, size), wanted.reshape(count, -1), strict=True)
        found = np.stack([np.searchsorted(row, values, where) for row, values in rows]).reshape(wanted.shape)
    return constant(found.astype(np.int32 if out_int32 else np.int64, copy=False))


def bincount(input: TensorLike, weights: TensorLike | None = None, minlength: int = 0) -> Tensor:
    """Count how often each of 0, 1, … is in input, or the sum of its weights; `minlength` adds zeros at the end.

    dL/dweightsᵢ = g at inputᵢ. Raises ValueError unless input is one axis of integers ≥ 0, with a weight for each.

    >>> bincount(Tensor([1, 1, 3]))
    tensor([0, 2, 0, 1])
    """
    array = as_array(input)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.size and int(array.min()) < 0):
        raise OperandError(f"bincount: input is one axis of integers from 0, not {array.dtype} of shape {array.shape}")
    if weights is None:
        return constant(np.bincount(array, minlength=minlength))
    if as_array(weights).shape != array.shape:
        raise ShapeError(f"bincount: input of shape {array.shape} and weights of {as_array(weights).shape} must match")
    return _weighed(weights if as_array(weights).dtype.kind == "f" else as_float(as_array(weights)), array, minlength)


@primitive(name="bincount")
def _weighed(weights: Any, input: Any, minlength: int) -> Any:
    return np.bincount(input, weights, minlength).astype(weights.dtype)


_weighed.vjp(weights=lambda g, input: g[input])

"""Sums and maxima of rows, for rows that are short, where NumPy's own reductions spend their time between the rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.backend import StandIn, xp
from minitorch.ops import _constant_cache as constant_cache
from minitorch.types import Shape


def product(left: Any, right: Any) -> Any:
    """left @ right of matrices and vectors: of arrays of each device, and of Tensors."""
    # Plainly left @ right, with which a step of the small MLP takes 1.04 times as long.
    if type(left) is np.ndarray and type(right) is np.ndarray:
        return left.dot(right)
    if isinstance(left, StandIn) or isinstance(right, StandIn):
        return np.dot(left, right)
    return left @ right


def as_rows(values: Any) -> Any:
    """(…, n) → (rows, n)."""
    if values.ndim == 2:
        return values
    return values.reshape(math.prod(values.shape[:-1]), values.shape[-1])  # as in products.py


def row_max(values: Any) -> Any:
    """The largest number along the last axis: (…, n) → (…, 1). Of arrays; nan where there is one. n is at least 1."""
    # Plainly np.amax(values, axis=-1, keepdims=True), which takes 4 to 7 times as long for rows of 10 to 100 numbers:
    # 2 % of a step of the small MLP.
    is_numpys = isinstance(values, (np.ndarray, StandIn))
    if not is_numpys or values.ndim == 1:
        return np.amax(values, axis=-1, keepdims=True)
    rows = as_rows(values)
    argmaxes = rows.argmax(1)  # where the largest of each row is
    argmaxes += xp(rows).arange(0, rows.size, rows.shape[1])  # the same positions in the flat array
    largest = rows.reshape(-1).take(argmaxes)  # the largest of each row
    return largest[:, None] if values.ndim == 2 else largest.reshape(*values.shape[:-1], 1)


def row_totals(rows: Any) -> Any:
    """Σ over the last axis: (rows, n) → (rows,), or (n,) → (). Of arrays of each device and of Tensors."""
    # Plainly rows.sum(axis=-1), with which a step of the GPT takes 1.05 times as long; so with the columns, below.
    return product(rows, _ones(rows.shape[-1], rows))  # Σ of each row


def row_sums(values: Any) -> Any:
    """Σ over the last axis, which stays as one of length 1: (…, n) → (…, 1). Of arrays and of Tensors as well."""
    totals = row_totals(as_rows(values))
    return totals.reshape(*values.shape[:-1], 1)


def column_sums(values: Any) -> Any:
    """Σ over all axes but the last: (…, n) → (n,). Of arrays of each device and of Tensors."""
    rows = as_rows(values)
    return product(_ones(len(rows), values), rows)  # Σ of each column


def channel_sums(values: Any) -> Any:
    """Σ over the first and the last axis: (N, C, places) → (C,), in the order in which the numbers lie in memory.

    Of arrays of each device and of Tensors.
    """
    # Plainly values.sum(axis=(0, 2)), with which a step of LeNet takes 1.05 times as long.
    n, _, places = values.shape
    is_numpys = isinstance(values, (np.ndarray, StandIn))
    if is_numpys and min(n, places) > 1:
        by_sample, by_channel, by_place = values.strides
        if by_channel > max(by_sample, by_place):  # as a convolution lays out its images
            order = (1, 2, 0) if by_sample < by_place else (1, 0, 2)
            inner = values.transpose(order)
            totals = row_totals(as_rows(inner)).reshape(inner.shape[:2])
            return row_totals(totals)
    totals = (row_sums(values) if places != 1 else values)[..., 0]
    return column_sums(totals) if n != 1 else totals[0]


def _ones(count: int, values: Any) -> Any:
    """Return as many ones, of the dtype and on the device of `values`."""
    if type(values) is np.ndarray:
        return constant_cache.ones(count, values.dtype)
    return xp(values).ones(count, values.dtype)


def summed_to(values: Any, shape: Shape) -> Any:
    """Σ over the axes that broadcasting `shape` against the values repeats, for the shapes of a norm's parameters.

    Those are the last axes, (n, …), or the channels, (C, 1, …). Others are left to whoever asked.
    """
    if values.shape[values.ndim - len(shape) :] == shape:
        return column_sums(values.reshape(*values.shape[: values.ndim - len(shape)], math.prod(shape))).reshape(shape)
    if math.prod(shape) == shape[0] == values.shape[1]:
        return channel_sums(values.reshape(*values.shape[:2], math.prod(values.shape[2:]))).reshape(shape)
    return values

"""Arrays that are made once, kept, and written to by nobody: ones to sum with, zeros to compare with, where rows begin.

Making them anew is a tenth of a small network's operations. Each is of NumPy's and small, so that all of them together
take no more memory than a layer.
"""

from __future__ import annotations

import functools

import numpy as np

from minitorch.types import Shape

LARGEST = 16_384  # numbers of an array that is kept


@functools.lru_cache(maxsize=64)
def ones(count: int, dtype: np.dtype) -> np.ndarray:
    """A row of ones, whose product with a matrix is the sum of its rows."""
    return _unwritten(np.ones(count, dtype))


@functools.lru_cache(maxsize=16)
def zeros(shape: Shape, dtype: np.dtype) -> np.ndarray:
    """Zeros of that shape: the larger of two arrays is found in a third of the time of an array and a number."""
    return _unwritten(np.zeros(shape, dtype))


@functools.lru_cache(maxsize=64)
def row_starts(rows: int, length: int) -> np.ndarray:
    """Where each of so many rows begins, in an array of one axis: at 0, length, 2 · length and so on."""
    return _unwritten(np.arange(0, rows * length, length))


def _unwritten(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array

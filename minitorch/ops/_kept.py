"""Arrays that are made once, kept, and written to by nobody: ones to sum with, zeros to compare with, where rows begin.

Making them anew is a tenth of a small network's operations. Each is of NumPy's and small, so that all of them together
take no more memory than a layer.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from minitorch.types import Shape

LARGEST = 16_384  # numbers of a row that is kept
LARGEST_FULL = 65_536  # and of an array of one number


@functools.lru_cache(maxsize=64)
def ones(count: int, dtype: np.dtype) -> np.ndarray:
    """A row of ones, whose product with a matrix is the sum of its rows."""
    return _unwritten(np.ones(count, dtype))


@functools.lru_cache(maxsize=128)
def full(number: int, shape: Shape, strides: Shape, dtype: np.dtype) -> np.ndarray | None:
    """An array of that number alone, laid out so; None for a large one, or for one with gaps.

    The larger of two arrays that lie alike is found in a third of the time of an array and a number. All that hold one
    number of one dtype show the same memory.
    """
    if not can_be_full(shape, strides, dtype.itemsize):
        return None
    return np.ndarray(shape, dtype, _memory_of(number, dtype).data, 0, strides)


def can_be_full(shape: Shape, strides: Shape, width: int) -> bool:
    """Return whether `full` has such an array: few enough numbers, and no gaps between them, in any order."""
    dense = width
    for step, length in sorted(zip(strides, shape, strict=True)):
        if length != 1 and step != dense:
            return False
        dense *= length
    return math.prod(shape) <= LARGEST_FULL


@functools.lru_cache(maxsize=16)
def _memory_of(number: int, dtype: np.dtype) -> np.ndarray:
    return _unwritten(np.full(LARGEST_FULL, number, dtype) if number else np.zeros(LARGEST_FULL, dtype))


@functools.lru_cache(maxsize=64)
def row_starts(rows: int, length: int) -> np.ndarray:
    """Return the first position of each of so many rows, (0, length, 2 · length, …), in an array of one axis."""
    return _unwritten(np.arange(0, rows * length, length))


def _unwritten(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array

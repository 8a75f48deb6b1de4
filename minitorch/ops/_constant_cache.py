"""A cache of constants: vectors of ones to sum with, made once, shared, and read-only."""

from __future__ import annotations

import functools

import numpy as np

_LONGEST = 256  # elements of a vector; 32 of them of float64 take 64 kB, all that outlives the Tensors it is made for


def ones(count: int, dtype: np.dtype) -> np.ndarray:
    """Return a vector of ones, whose product with a matrix is the sum of its rows."""
    # Plainly np.ones(count, dtype), with which a step of the small MLP takes 1.05 times as long.
    return _ones(count, dtype) if count <= _LONGEST else np.ones(count, dtype)


@functools.lru_cache(maxsize=32)
def _ones(count: int, dtype: np.dtype) -> np.ndarray:
    vector = np.ones(count, dtype)
    vector.flags.writeable = False
    return vector

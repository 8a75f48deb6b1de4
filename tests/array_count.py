"""Memory, counted in arrays.

NumPy reports the memory of array data to tracemalloc. With arrays of one large size, live bytes divided by that size
is the number of live arrays; small objects do not amount to one.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

LENGTH = 65_536
BYTES = 8 * LENGTH


def large_array() -> np.ndarray:
    return np.linspace(0.1, 0.9, LENGTH)


class ArrayCount:
    """How many arrays of LENGTH float64 numbers live, and how many lived at most, since the count began."""

    def live(self) -> int:
        return round(tracemalloc.get_traced_memory()[0] / BYTES)

    def peak(self) -> int:
        return round(tracemalloc.get_traced_memory()[1] / BYTES)

    def forget_peak(self) -> None:
        tracemalloc.reset_peak()


@contextmanager
def counted_arrays() -> Iterator[ArrayCount]:
    tracemalloc.start()
    try:
        yield ArrayCount()
    finally:
        tracemalloc.stop()

"""Measures every operation, recorded, beside its plain NumPy form: `python -m benchmarks.operations` prints JSON."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

LIMIT = 3.0
SECONDS = 0.1  # for each pair, and never fewer rounds than ROUNDS
ROUNDS = 7


@dataclass(frozen=True)
class Measured:
    """Microseconds of an operation of minitorch, and of NumPy alone."""

    name: str
    ours: float
    plain: float

    @property
    def ratio(self) -> float:
        """How many times slower ours is."""
        return self.ours / self.plain

    @property
    def is_met(self) -> bool:
        """Whether that is within the limit."""
        return self.ratio <= LIMIT


def in_turns(*actions: Callable[[], Any]) -> list[float]:
    """CPU seconds of the cheapest round of each; turns, so that a busy machine slows all of them alike."""
    best = [math.inf] * len(actions)
    end = time.perf_counter() + SECONDS
    rounds = 0
    while rounds < ROUNDS or time.perf_counter() < end:
        for place, action in enumerate(actions):
            start = time.process_time()
            kept = action()
            best[place] = min(best[place], time.process_time() - start)
            del kept
        rounds += 1
    return best


def all_measured() -> list[Measured]:
    """Every pair, the slowest ratio first."""
    from benchmarks.pairs import PAIRS
    from minitorch.backend import keep_freed_memory

    keep_freed_memory()  # as in a training, for both: no optimiser is made here
    found = []
    for name, pair in PAIRS.items():
        tensors, arrays = pair.tensors(), pair.arrays
        with np.errstate(all="ignore"):
            ours, plain = in_turns(lambda: pair.ours(*tensors), lambda: pair.plain(*arrays))  # noqa: B023
        found.append(Measured(name, ours * 1e6, plain * 1e6))
    return sorted(found, key=lambda each: -each.ratio)


if __name__ == "__main__":
    print(json.dumps([vars(each) for each in all_measured()]))

"""Repetitions in a row of things: an unrolled loop, a stack of blocks, a chain of one operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

LONGEST = 1000  # things in a round
TRIED = 8  # places for a round to begin at


@dataclass(frozen=True, slots=True)
class Repeat:
    """`count` rounds of `period` things each, from place `start` on, one like the other.

    before: how many things right before them are a round without its end: the first one of a sum adds nothing yet.
    """

    start: int
    period: int
    count: int
    before: int = 0

    @property
    def stop(self) -> int:
        """The place after the last of them."""
        return self.start + self.period * self.count


def repeats(
    kinds: Sequence[int],
    weights: Sequence[int],
    cuts: Sequence[int],
    comes_in: Callable[[int, int], int],
    least: int,
) -> list[Repeat]:
    """The repetitions in a row of kinds, the longest first to be chosen, none overlapping; in their order.

    weights: how many nodes each thing is; a repetition of fewer than `least` in all, or of one single thing twice, is
    none. A round that may begin at several places, as in "ab ab ab a", begins where least is cut (cuts: by a border
    before each place), and of those where the least comes in to it (comes_in: to the things from one place to before
    another).
    """
    row = list(kinds)
    heavy = list(accumulate(weights, initial=0))
    taken = bytearray(len(row))
    kept = []
    for start, stop, period in _stretches(row):
        low, high = _widest_free(taken, start, stop)
        if high - low < 2 * period:
            continue
        repeat = _placed(low, high, period, cuts, comes_in)
        one, all_ = heavy[repeat.start + period] - heavy[repeat.start], heavy[repeat.stop] - heavy[repeat.start]
        if all_ < least or (repeat.count == 2 and one <= 3):
            continue
        before = _before(repeat, row)
        if any(taken[repeat.start - before : repeat.start]):
            before = 0
        first = repeat.start - before
        taken[first : repeat.stop] = b"\1" * (repeat.stop - first)
        kept.append(replace(repeat, before=before))
    return sorted(kept, key=lambda each: each.start)


def _stretches(row: list[int]) -> list[tuple[int, int, int]]:
    """(start, stop, period) of all that repeats itself, the longest first."""
    found: dict[tuple[int, int], int] = {}  # a stretch of rounds of two is one of rounds of four, too
    numbers = np.array(row)
    for period in range(1, min(LONGEST, len(row) // 2) + 1):
        same = (numbers[:-period] == numbers[period:]).tobytes()
        start = same.find(b"\1" * period)
        while start >= 0:
            stop = same.find(b"\0", start + period)
            stop = len(same) if stop < 0 else stop
            found.setdefault((start, stop + period), period)
            start = same.find(b"\1" * period, stop)
    stretches = [(start, stop, period) for (start, stop), period in found.items()]
    return sorted(stretches, key=lambda each: (each[0] - each[1], each[2], each[0]))


def _widest_free(taken: bytearray, start: int, stop: int) -> tuple[int, int]:
    """Of the places from `start` to before `stop` the longest part of which none is taken."""
    low = high = at = start
    for free in taken[start:stop].split(b"\1"):
        if len(free) > high - low:
            low, high = at, at + len(free)
        at += len(free) + 1
    return low, high


def _placed(start: int, stop: int, period: int, cuts: Sequence[int], comes_in: Callable[[int, int], int]) -> Repeat:
    """The whole rounds between start and stop, begun where their borders cut least."""
    count, spare = divmod(stop - start, period)
    cut = [sum(cuts[at : at + period * count : period]) for at in range(start, start + spare + 1)]
    least = min(cut)
    best = [start + place for place, each in enumerate(cut) if each == least][:TRIED]
    first = best[0] if len(best) == 1 else min(best, key=lambda at: (comes_in(at + period, at + 2 * period), at))
    return Repeat(first, period, count)


def _before(repeat: Repeat, row: list[int]) -> int:
    """How many things before a repetition are one of its rounds but for the last thing or two."""
    for missing in (1, 2):
        size = repeat.period - missing
        first = repeat.start - size
        if size > 2 and first >= 0 and row[first : repeat.start] == row[repeat.start : repeat.start + size]:
            return size
    return 0

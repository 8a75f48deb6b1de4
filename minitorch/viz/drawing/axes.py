"""Axes: where a number stands on a picture's edge, and the round numbers that are written beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from minitorch.viz.facts import words
from minitorch.viz.facts.reading import Numbers

MOST_TICKS = 9
LARGEST = 1e300  # of a number that has a place of its own: beyond it, differences and powers of ten leave float64
SMALLEST = 1e-300  # that differs from 0


@dataclass(frozen=True, slots=True)
class Axis:
    """low, high: the numbers at its ends, which are drawn at the pixels start and end. log: it counts powers of ten.

    ticks: the numbers that are written beside it.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool
    ticks: tuple[float, ...]

    def places(self, numbers: npt.ArrayLike) -> Numbers:
        """The pixel of each number; nan for what has no place."""
        values = _within(np.asarray(numbers, dtype=np.float64))
        with np.errstate(all="ignore"):
            if self.log:
                share = (np.log(values) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
            else:
                share = (values - self.low) / (self.high - self.low)
        placed = self.start + share * (self.end - self.start)
        return np.where(np.isfinite(placed), placed, np.nan)

    def labels(self) -> tuple[str, ...]:
        """What is written at the ticks."""
        if self.log or len(self.ticks) < 2:
            found = tuple(words.number(tick, words.TYPESET) for tick in self.ticks)
            return tuple(map(_power, self.ticks)) if any("e" in each for each in found) else found
        step = self.ticks[1] - self.ticks[0]
        largest = max(map(abs, self.ticks))
        power = math.floor(math.log10(step) + 1e-9)
        finest = power - (0 if math.isclose(step, round(step / 10.0**power) * 10.0**power) else 1)  # 2.5 has one more
        if 1e-3 <= largest < 1e6:
            found = tuple(f"{tick + 0.0:,.{max(0, -finest)}f}" for tick in self.ticks)
        else:
            digits = math.floor(math.log10(largest) + 1e-9) - finest
            found = tuple(f"{tick:.{max(0, digits)}e}" if tick else "0" for tick in self.ticks)
            found = tuple(re.sub(r"e([+-])0*", lambda sign: "e" + sign[1].strip("+"), each) for each in found)
        return tuple(each.replace("-", "−") for each in found)


def axis(
    numbers: Sequence[float] | Numbers, start: float, end: float, *, log: bool = False, round_ends: bool, ticks: int = 6
) -> Axis:
    """An axis over the numbers that have a place on it. round_ends: it reaches on to the next round number.

    Where all numbers are whole, so are those that are written beside it.
    """
    values = _within(np.asarray(numbers, dtype=np.float64))
    values = values[np.isfinite(values) & ((values > 0) if log else True)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (1.0, 10.0) if log else (0.0, 1.0)
    if log:
        return _logarithmic(low, high, start, end, round_ends)
    least = 1.0 if len(values) and bool((values == np.round(values)).all()) else 0.0
    return _linear(low, high, start, end, round_ends, ticks, least)


def _within(values: Numbers) -> Numbers:
    """The numbers as far as an axis reaches: what is next to nothing is 0, what is infinite stays so."""
    near = np.where(np.abs(values) < SMALLEST, 0.0, values)
    return np.where(np.isfinite(near), np.clip(near, -LARGEST, LARGEST), near)


def _linear(low: float, high: float, start: float, end: float, round_ends: bool, ticks: int, least: float) -> Axis:
    if round_ends and 0 < low < 0.6 * high:
        low = 0.0  # a curve above zero is seen from zero, unless that would flatten it
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        room = abs(high) * 0.5 or 1.0
        low, high = low - room, high + room
    step = _round_step(max((high - low) / max(ticks - 1, 1), least))
    if round_ends:
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Axis(low, high, start, end, False, tuple(step * number for number in range(first, last + 1)))


def _logarithmic(low: float, high: float, start: float, end: float, round_ends: bool) -> Axis:
    span = math.log10(high) - math.log10(low)
    if span < 0.005:
        low, high = low / 2, high * 2
    if round_ends and span > 0.6:
        low, high = 10.0 ** math.floor(math.log10(low) + 1e-9), 10.0 ** math.ceil(math.log10(high) - 1e-9)
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    every = -(-(last - first + 1) // MOST_TICKS)
    found = [10.0**number for number in range(first, last + 1) if (number - first) % max(every, 1) == 0]
    if len(found) < 3:
        decades = range(first - 1, last + 2)
        found = [each * 10.0**number for number in decades for each in (1, 2, 5)]
        found = [each for each in found if low * 0.999 <= each <= high * 1.001]
    return Axis(low, high, start, end, True, tuple(found))


def _power(tick: float) -> str:
    """A number as digits and a power of ten: "1e−4", "2e3"; 1 as it is.

    >>> _power(0.01), _power(1.0), _power(20000.0)
    ('1e−2', '1', '2e4')
    """
    mantissa, _, exponent = f"{tick:.0e}".partition("e")
    return mantissa if int(exponent) == 0 else f"{mantissa}e{int(exponent)}".replace("-", "−")


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(each * power for each in (1, 2, 2.5, 5, 10) if each * power >= least * (1 - 1e-9))

"""Axes: where a number stands on a picture's edge, and the round numbers that are written beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from minitorch.viz.drawing.scene import text_width
from minitorch.viz.facts import words
from minitorch.viz.facts.reading import Numbers

MOST_TICKS = 9
SMALLEST = 1e-300  # that a plain axis tells from 0


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
        values = np.asarray(numbers, dtype=np.float64)
        with np.errstate(all="ignore"):
            if self.log:
                share = (np.log(values) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
            else:  # times a power of two: a difference of the largest numbers has no place in float64
                scale = math.ldexp(1.0, -math.frexp(max(abs(self.low), abs(self.high)))[1])
                share = (values * scale - self.low * scale) / (self.high * scale - self.low * scale)
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
    values = np.asarray(numbers, dtype=np.float64)
    values = values[np.isfinite(values) & ((values > 0) if log else True)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (1.0, 10.0) if log else (0.0, 1.0)
    if log:
        return _logarithmic(low, high, start, end, round_ends)
    least = 1.0 if len(values) and bool((values == np.round(values)).all()) else 0.0
    return _linear(low, high, start, end, round_ends, ticks, least)


def edges(x: Numbers, y: Numbers, wide: int, tall: int) -> tuple[list[str], int]:
    """Round numbers along the lower and the left edge of a plane, and the pixels that those on the left take.

    x, y: what it goes over, from left to right and from top to bottom. They have the classes `fr`, `ax` and `ay`.
    """
    across = axis(x, 0, wide, round_ends=False)
    up = axis(y, tall, 0, round_ends=False, ticks=5)
    found = []
    for place, said in zip(across.places(across.ticks), across.labels(), strict=True):
        at = short(float(place))
        found.append(f'<path class="fr" d="M{at} {tall}v5"/><text class="ax" x="{at}" y="{tall + 17}">{said}</text>')
    for place, said in zip(up.places(up.ticks), up.labels(), strict=True):
        at, foot = short(float(place)), short(float(place) + 4)
        found.append(f'<path class="fr" d="M0 {at}h-5"/><text class="ay" x="-8" y="{foot}">{said}</text>')
    return found, round(max((text_width(said, 12) for said in up.labels()), default=0.0))


def short(number: float) -> str:
    """A coordinate with one decimal, and no more letters than it needs.

    >>> short(3.0), short(2.25), short(-0.01)
    ('3', '2.2', '0')
    """
    return f"{round(float(number), 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0: there is no -0


def _linear(low: float, high: float, start: float, end: float, round_ends: bool, ticks: int, least: float) -> Axis:
    if round_ends and 0 < low < 0.6 * high:
        low = 0.0  # a curve above zero is seen from zero, unless that would flatten it
    if high - low <= max(1e-9 * max(abs(low), abs(high)), SMALLEST):
        room = abs(high) * 0.5 if abs(high) > SMALLEST else 1.0
        low, high = _finite(low - room, low), _finite(high + room, high)
    parts = max(ticks - 1, 1)
    step = _round_step(max(high / parts - low / parts, least))
    if round_ends:
        ends = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
        low, high = _finite(ends[0], low), _finite(ends[1], high)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Axis(low, high, start, end, False, tuple(step * number for number in range(first, last + 1)))


def _finite(number: float, instead: float) -> float:
    """The number, or another where it has left float64."""
    return number if math.isfinite(number) else instead


def _ten(power: int) -> float:
    """A power of ten: inf and 0 beyond the ends of float64, where ** would raise."""
    return float(f"1e{power}")


def _logarithmic(low: float, high: float, start: float, end: float, round_ends: bool) -> Axis:
    span = math.log10(high) - math.log10(low)
    if span < 0.005:
        low, high = low / 2 or low, _finite(high * 2, high)
    if round_ends and span > 0.6:
        ends = _ten(math.floor(math.log10(low) + 1e-9)), _ten(math.ceil(math.log10(high) - 1e-9))
        low, high = ends[0] or low, _finite(ends[1], high)
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    every = -(-(last - first + 1) // MOST_TICKS)
    found = [_ten(number) for number in range(first, last + 1) if (number - first) % max(every, 1) == 0]
    if len(found) < 3:
        decades = range(first - 1, last + 2)
        found = [each * _ten(number) for number in decades for each in (1, 2, 5)]
        found = [each for each in found if low * 0.999 <= each <= high * 1.001 and math.isfinite(each)]
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

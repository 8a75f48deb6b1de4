"""Curves: series of numbers over a common axis, what is said of them, and how many points a picture has room for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitorch.language import N_, gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.reading import Numbers, numbers

MOST_LINES = 6  # dashes and colours that are told apart
MOST_POINTS = 600  # of a line that are shown one by one
PUT_TOGETHER = 240  # points that more are put together to


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """One series. x, y (n,): its points, as they were given."""

    name: str
    x: Numbers
    y: Numbers

    @property
    def finite(self) -> np.ndarray:
        """Which points have a place, (n,)."""
        return np.isfinite(self.y)

    def drawn(self) -> Drawn:
        """The points that a picture shows: as they are, or put together evenly where they are too many."""
        if len(self.y) <= MOST_POINTS:
            return Drawn(self.x, self.y, self.y, self.y, 1)
        together = -(-len(self.y) // PUT_TOGETHER)
        starts = np.arange(0, len(self.y), together)
        counts = np.diff(np.append(starts, len(self.y)))
        return Drawn(
            np.add.reduceat(self.x, starts) / counts,
            np.add.reduceat(self.y / np.repeat(counts, counts), starts),  # the sum of the largest has no place
            np.minimum.reduceat(self.y, starts),
            np.maximum.reduceat(self.y, starts),
            together,
        )


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """Points of a picture: the means, and around them the smallest and the largest of those that are put together."""

    x: Numbers
    mean: Numbers
    low: Numbers
    high: Numbers
    together: int


def lines_of(data: Any, x: Any = None) -> tuple[Line, ...]:
    """The series in a sequence of numbers, a mapping of names to such, or the History of a training.

    x: the places that all share; else a History counts its steps from 1, and anything else its numbers from 0. A pair
    (places, numbers) in a mapping has places of its own. Raises ValueError for what does not fit together.
    """
    if hasattr(data, "losses") and hasattr(data, "records"):
        found = _of_history(data)
    elif isinstance(data, Mapping):
        found = [_line(str(name), each, x) for name, each in data.items()]
    else:
        found = [_line("", data, x)]
    if not found or not all(len(each.y) for each in found):
        raise ValueError("there is no number to draw a curve of")
    if len(found) > MOST_LINES:
        raise ValueError(f"this picture tells up to {MOST_LINES} curves apart, and there are {len(found)}")
    return tuple(found)


def _of_history(history: Any) -> list[Line]:
    """The loss of every step, and each loss that was measured on other data, at its step."""
    found = [_line("loss", history.losses, np.arange(1, len(history.losses) + 1))]
    steps = [record["step"] for record in history.records]
    columns = list(history.records[0]) if history.records else []
    others = [name for name in columns if name != "loss" and name.endswith("loss")]
    return [*found, *(_line(name, [record[name] for record in history.records], steps) for name in others)]


def _line(name: str, data: Any, x: Any) -> Line:
    if hasattr(data, "losses") and hasattr(data, "records"):  # several trainings beside each other
        return _line(name, data.losses, np.arange(1, len(data.losses) + 1) if x is None else x)
    if isinstance(data, tuple) and len(data) == 2 and isinstance(data[0], (Sequence, np.ndarray)):
        x, data = data
    y = numbers(data if isinstance(data, (list, tuple, np.ndarray)) or hasattr(data, "data") else list(data))
    called = f"the curve {name!r}" if name else "a curve"
    if y.ndim != 1:
        raise ValueError(f"{called} is a row of numbers, not an array of shape {y.shape}")
    places = np.arange(len(y), dtype=np.float64) if x is None else numbers(x if hasattr(x, "__len__") else list(x))
    if places.shape != y.shape:
        raise ValueError(f"{called} has {len(y)} numbers, and x has the shape {places.shape}: give each its place")
    if not np.isfinite(places).all():
        raise ValueError(f"{called} has a place that is nan or inf: it is on no axis")
    return Line(name, places, y)


# -- in words --------------------------------------------------------------------------------------------------------


def sentences(lines: Sequence[Line], log: str, across: str, signs: words.Signs = words.ASCII) -> list[str]:
    """What there is to see, one or two sentences a line. log: the axes that count powers of ten. across: what x is."""
    found = []
    for line in lines:
        name = line.name or gettext("The curve")
        kept = np.flatnonzero(line.finite)
        if len(kept):
            first, last = kept[0], kept[-1]
            low, high = kept[line.y[kept].argmin()], kept[line.y[kept].argmax()]
            said = {
                key: words.number(float(axis[at]), signs)
                for key, axis, at in (
                    ("first", line.y, first), ("start", line.x, first), ("last", line.y, last), ("end", line.x, last),
                    ("low", line.y, low), ("at_low", line.x, low), ("high", line.y, high), ("at_high", line.x, high),
                )
            }  # fmt: skip
            key = (
                N_(
                    "{name}: {first} at {across} {start}, {last} at {across} {end}; smallest {low} at "
                    "{at_low}, largest {high} at {at_high}."
                )
                if len(kept) > 1
                else N_("{name}: {first} at {across} {start}.")
            )
            found.append(gettext(key, name=name, across=across, **said))
        if len(kept) < len(line.y):
            found.append(unfinite(line, name, across, signs))
        unplaced = int((line.y[kept] <= 0).sum()) if "y" in log else 0
        if unplaced:
            found.append(
                gettext(
                    "{count} numbers of {name} are 0 or less: an axis of powers of ten has no place for them.",
                    name=name,
                    count=unplaced,
                )
            )
        if line.drawn().together > 1:
            found.append(
                gettext(
                    "{name}: each point stands for {count} numbers, the line for their mean, the band for all.",
                    name=name,
                    count=line.drawn().together,
                )
            )
    return found


def unfinite(line: Line, name: str, across: str, signs: words.Signs = words.ASCII) -> str:
    """Where a line is first nan or inf."""
    first = int(np.flatnonzero(~line.finite)[0])
    number, place = words.number(float(line.y[first]), signs), words.number(float(line.x[first]), signs)
    return gettext(
        "{name} is {number} at {across} {place}: the first number that has no place.",
        name=name,
        number=number,
        across=across,
        place=place,
    )

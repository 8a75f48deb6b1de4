"""Memory: which arrays were alive at which moment of a program, what they were for, and what is left of them.

A recording is a row of moments: before, one for each operation, for each node that a backward pass has passed, for each
step of an optimiser, and after. A life is an array's, from the first moment at which it was there to the first at which
it was not any more. Views share the bytes of the array that owns them, and are counted with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from minitorch.viz.facts.model import Shape

Kind = Literal["parameter", "state", "input", "gradient", "activation", "interior", "temporary"]
# From what stays to what passes, as they lie upon one another.
KINDS: tuple[Kind, ...] = ("parameter", "state", "input", "gradient", "activation", "interior", "temporary")
STANDING: tuple[Kind, ...] = ("parameter", "state", "input")
Phase = Literal["before", "forward", "within", "backward", "collected", "update", "write", "after"]
Role = Literal["value", "saved", "gradient"]

TURNS = 4  # of phases that are looked at one by one

Bytes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Moment:
    """phase: what happened; "within" is an operation inside a backward pass, as in a checkpoint. place: where, or None.

    inside: bytes that were needed in between and let go again, where that was measured.
    """

    phase: Phase
    op: str = ""
    place: int | None = None
    inside: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A node of the graph, or an array that was given. name: no two are alike. line: of the program that made it."""

    name: str
    op: str
    shape: Shape
    dtype: str
    scope: str
    line: str


@dataclass(frozen=True, slots=True)
class Life:
    """An array. role: what it is to its place; savers: the places whose gradient rules saved it.

    birth: the first moment at which it is there. death: the first at which it is not, None where it outlives them all.
    """

    place: int
    kind: Kind
    role: Role
    nbytes: int
    shape: Shape
    dtype: str
    birth: int
    death: int | None
    savers: tuple[int, ...]

    def is_there(self, moment: int) -> bool:
        """Whether it is alive after a moment."""
        return self.birth <= moment and (self.death is None or moment < self.death)


@dataclass(frozen=True, slots=True)
class Remaining:
    """Arrays alike that were made on the way and are alive at the end.

    holders: through what they are held, in the program's own names; through: "value", "saved" or "gradient", as what.
    """

    op: str
    scope: str
    line: str
    kind: Kind
    through: Role
    savers: tuple[str, ...]  # operations
    shape: Shape
    dtype: str
    count: int
    nbytes: int
    holders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Holder:
    """What of the program holds results. tensors: how many; places: of the graph, behind them; scalar: single numbers.

    container: it is a list or the like, and no single Tensor.
    """

    name: str
    tensors: int
    places: int
    nbytes: int
    scalar: bool
    container: bool


@dataclass(frozen=True)
class Run:
    """One recording."""

    name: str
    moments: tuple[Moment, ...]
    places: tuple[Place, ...]
    lives: tuple[Life, ...]
    remaining: tuple[Remaining, ...]
    holders: tuple[Holder, ...]

    @cached_property
    def levels(self) -> Bytes:
        """Bytes alive after each moment, (moments, kinds)."""
        changes = np.zeros((len(self.moments) + 1, len(KINDS)), np.int64)
        for life in self.lives:
            kind = KINDS.index(life.kind)
            changes[life.birth, kind] += life.nbytes
            if life.death is not None:
                changes[life.death, kind] -= life.nbytes
        return np.cumsum(changes[:-1], axis=0)

    @cached_property
    def totals(self) -> Bytes:
        """Bytes alive after each moment."""
        found: Bytes = self.levels.sum(axis=1)
        return found

    @cached_property
    def reached(self) -> Bytes:
        """The same, and what was needed inside the moment."""
        return self.totals + np.array([moment.inside for moment in self.moments], np.int64)

    @cached_property
    def peak(self) -> int:
        """The first moment at which most was needed."""
        return int(self.reached.argmax())

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The moments to look at: before, the last of each of the first phases, the peak, after."""
        last = len(self.moments) - 1
        ends = [n for n in range(1, last) if self.moments[n].phase != self.moments[n + 1].phase]
        return tuple(sorted({0, *ends[:TURNS], self.peak, last}))

    def alive(self, moment: int) -> list[Life]:
        """The arrays that are there after a moment."""
        return [life for life in self.lives if life.is_there(moment)]

    def end_of(self, life: Life) -> int:
        """The first moment at which an array is not there; one more than there are where it outlives them all."""
        return len(self.moments) if life.death is None else life.death


@dataclass(frozen=True, slots=True)
class Row:
    """The arrays of one place. weight: their bytes times how long they were there."""

    place: int
    lives: tuple[Life, ...]
    weight: int

    @property
    def birth(self) -> int:
        """When the first of them came."""
        return min(life.birth for life in self.lives)

    @property
    def most(self) -> int:
        """How many bytes of them are alive at once, at most."""
        return max(sum(each.nbytes for each in self.lives if each.is_there(life.birth)) for life in self.lives)


def rows(run: Run, most: int) -> tuple[list[Row], list[Row]]:
    """The places that held most for longest, in the order in which they came, and the others.

    What is there all the time, such as parameters, takes a third of the rows at most where others want them.
    """
    by_place: dict[int, list[Life]] = {}
    for life in run.lives:
        if life.nbytes:
            by_place.setdefault(life.place, []).append(life)
    found = [
        Row(place, tuple(lives), sum(life.nbytes * (run.end_of(life) - life.birth) for life in lives))
        for place, lives in by_place.items()
    ]
    if len(found) <= most:
        shown, others = found, []
    else:
        found.sort(key=lambda row: (-row.weight, row.place))
        stays = [row for row in found if row.lives[0].kind in STANDING]
        passes = [row for row in found if row.lives[0].kind not in STANDING]
        few = max(most // 3, most - 1 - len(passes))
        shown = [*stays[:few], *passes[: most - 1 - len(stays[:few])]]
        others = [row for row in found if row not in shown]
    return sorted(shown, key=lambda row: (row.birth, row.place)), others


def columns(run: Run, most: int) -> tuple[Sequence[int], int]:
    """At most so many moments that stand for all: of each few neighbours the one with most. And how many they are."""
    together = -(-len(run.moments) // most)
    starts = range(0, len(run.moments), together)
    return [start + int(run.reached[start : start + together].argmax()) for start in starts], together


def size(nbytes: int) -> str:
    """Bytes, in thousands of them.

    >>> size(640), size(1_536), size(1_900_000), size(999_950)
    ('640 B', '1.54 kB', '1.9 MB', '1 MB')
    """
    number, unit = float(nbytes), "B"
    for unit in ("B", "kB", "MB", "GB"):
        if abs(number) < 999.5 or unit == "GB":
            break
        number /= 1000
    said = f"{number:.0f}" if unit == "B" or abs(number) >= 100 else f"{number:.3g}"
    return f"{said} {unit}"


def share(part: int, whole: int) -> int:
    """In per cent."""
    return round(100 * part / whole) if whole else 0

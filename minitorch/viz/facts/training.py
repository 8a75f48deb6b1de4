"""A training as it is seen from outside: losses, norms, dead units, and where a number was first lost. No tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from minitorch.viz.facts.boundary import Regions
from minitorch.viz.facts.curve import Line
from minitorch.viz.facts.reading import Numbers

MOST_COLUMNS = 256  # then neighbours are put together, so that the longest training takes no more room
NONE = -1.0  # the square of the norm of a gradient that is not there
EMPTY = (0.0, math.inf, -math.inf)  # a sum, a smallest and a largest number of none
MOST_UNITS = 8  # rectifiers that have a row of their own
DECADES = 8  # of gradients and updates that are told apart, at most
HEALTHY = 1e-3  # of update / weight


class Thinned:
    """Rows of numbers, one a step, of which a few hundred columns are kept: each is the mean of `together` steps."""

    def __init__(self, width: int) -> None:
        self.together = 1
        self._kept = np.empty((MOST_COLUMNS, width))
        self._filled = 0
        self._pending = np.zeros(width)
        self._count = 0

    def add(self, row: Sequence[float] | Numbers) -> None:
        """One step more."""
        self._pending += row
        self._count += 1
        if self._count < self.together:
            return
        if self._filled == MOST_COLUMNS:  # two become one; what is pending is a half of the next one
            self._filled, self.together = MOST_COLUMNS // 2, 2 * self.together
            self._kept[: self._filled] = (self._kept[0::2] + self._kept[1::2]) / 2
            return
        self._kept[self._filled] = self._pending
        self._kept[self._filled] /= self.together
        self._pending[:] = 0.0
        self._filled, self._count = self._filled + 1, 0

    def columns(self) -> Numbers:
        """What is kept, (columns, width); of the newest steps only those that fill a column."""
        return self._kept[: self._filled]


class Losses:
    """Losses, one a step, in as few columns: of each the mean, the smallest and the largest.

    Plain numbers: to put one a step into arrays would cost ten times as much.
    """

    def __init__(self) -> None:
        self.together = 1
        self._kept: list[tuple[float, float, float]] = []
        self._pending = EMPTY
        self._count = 0

    def add(self, value: float) -> None:
        """One step more."""
        total, low, high = self._pending
        self._pending = (total + value, min(low, value), max(high, value))
        self._count += 1
        if self._count < self.together:
            return
        if len(self._kept) == MOST_COLUMNS:
            pairs = zip(self._kept[0::2], self._kept[1::2], strict=True)
            self._kept = [((a[0] + b[0]) / 2, min(a[1], b[1]), max(a[2], b[2])) for a, b in pairs]
            self.together *= 2
            return
        total, low, high = self._pending
        self._kept.append((total / self.together, low, high))
        self._pending, self._count = EMPTY, 0

    def columns(self) -> Numbers:
        """(columns, 3): mean, smallest, largest; of the newest steps only those that fill a column."""
        return np.array(self._kept, dtype=np.float64).reshape(-1, 3)


@dataclass(frozen=True, slots=True)
class Birth:
    """Where a number was first lost. kind: the loss of a step, the gradient of a parameter, or a parameter itself.

    value: "nan" or "inf". name: of the parameter, op: the operation through which it was reached; others: how many
    parameters more were lost in the same step.
    """

    kind: Literal["loss", "gradient", "weight"]
    step: int
    value: float
    name: str = ""
    op: str = ""
    others: int = 0


@dataclass(eq=False)
class Training:
    """What is known of one training. names: of its parameters; every: of so many steps one is looked at closely.

    losses: of each column of steps. squares: of the gradients' norms, by parameter; moves, weights:
    squares of the norms of updates and of what they update, in steps that were looked at closely. shares: of dead
    units, by rectifier; units: how many each has; relus: how many there are, which are one row where they are too many;
    kinds: what each is, such as "relu6"; each_dead: the newest (dead units, units) of each.
    last: the squares of the newest gradients' norms, NONE where there was no gradient.
    """

    names: tuple[str, ...]
    every: int
    steps: int = 0
    told: int = 0  # losses
    loss: float = math.nan
    first_loss: float = math.nan
    best: tuple[float, int] = (math.inf, 0)
    valid: list[tuple[int, float]] = field(default_factory=list)
    last: Sequence[float] = ()
    last_ratios: tuple[float | None, ...] = ()
    dead: tuple[int, ...] = ()
    units: tuple[int, ...] = ()
    relus: int = 0
    kinds: tuple[str, ...] = ()
    each_dead: tuple[tuple[int, int], ...] = ()
    birth: Birth | None = None
    plane: Regions | None = None
    unplaced: str = ""  # why there is no boundary
    state: Literal["running", "finished", "interrupted", "failed"] = "running"

    def __post_init__(self) -> None:
        self.losses = Losses()
        self.squares = Thinned(len(self.names))
        self.moves, self.weights = Thinned(len(self.names)), Thinned(len(self.names))
        self.shares: Thinned | None = None

    def add_loss(self, value: float) -> None:
        """The loss of one step more."""
        self.told += 1
        self.loss = value
        if self.told == 1:
            self.first_loss = value
        if value < self.best[0]:
            self.best = (value, self.told)
        self.losses.add(value)

    def add_dead(self, dead: Sequence[int], units: Sequence[int], kinds: Sequence[str]) -> None:
        """How many units of each rectifier let no gradient through for a whole batch. kinds: what each is."""
        self.relus, self.kinds = len(units), tuple(kinds)
        self.each_dead = tuple(zip(dead, units, strict=True))
        if len(units) > MOST_UNITS:
            dead, units = [sum(dead)], [sum(units)]
        if self.shares is None or len(units) != len(self.units):
            self.shares = Thinned(len(units))
        self.dead, self.units = tuple(dead), tuple(units)
        self.shares.add([one / max(of, 1) for one, of in zip(dead, units, strict=True)])

    def loss_line(self) -> Line:
        """The losses as a curve over the steps; a column stands in the middle of its steps."""
        columns, together = self.losses.columns()[:, 0], self.losses.together
        places = np.arange(len(columns), dtype=np.float64)
        return Line("", (places + 0.5) * together + 0.5, columns)

    def groups(self, most: int) -> list[tuple[str, list[int]]]:
        """The parameters as at most so many rows: each on its own, or those below one module together."""
        parts = [name.split(".") for name in self.names]
        for depth in range(max(map(len, parts), default=0), 0, -1):
            found: dict[str, list[int]] = {}
            for number, each in enumerate(parts):
                found.setdefault(".".join(each[:depth]), []).append(number)
            if len(found) <= most:
                return list(found.items())
        return [("", list(range(len(self.names))))] if self.names else []


class Rows:
    """Parameters put together to rows: how to add up their squares, all rows at once."""

    def __init__(self, groups: Sequence[tuple[str, Sequence[int]]]) -> None:
        self.names = tuple(name for name, _ in groups)
        self.members = tuple(tuple(members) for _, members in groups)
        self._order = np.array([number for members in self.members for number in members], dtype=np.intp)
        self._starts = np.cumsum([0, *map(len, self.members)], dtype=np.intp)[:-1]

    def norms(self, kept: Thinned) -> Numbers:
        """The norms of the rows, (columns, rows). Call it where NumPy's warnings are off."""
        return np.sqrt(np.add.reduceat(kept.columns()[:, self._order], self._starts, axis=1))


def square(array: Any) -> float:
    """The square of an array's norm; nan or inf only where an entry is. Call it where NumPy's warnings are off."""
    flat = array.ravel("K")  # no copy, however the axes lie in memory
    found = float(flat.dot(flat))
    if 0.0 < found < math.inf:
        return found
    exact = flat.astype(np.float64)  # float32 has no place for the squares of 1e20 and 1e-25
    return float(exact.dot(exact))

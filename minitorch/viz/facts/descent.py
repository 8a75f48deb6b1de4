"""A function of two numbers, seen from above, and paths across it: heights on a grid, and along every path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitorch.language import gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.counting import counted
from minitorch.viz.facts.reading import Numbers, numbers

COLUMNS = 72  # cells of the grid, from left to right
FLATTEST, TALLEST = 0.36, 0.8  # height by width
MARGIN = 0.12  # of the paths' extent, on each side
LEVELS = 9
MOST_PATHS = 4

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Path:
    """Points (n, 2) and the height at each, (n,). inside: whether each lies in the picture."""

    name: str
    points: Numbers
    heights: Numbers
    inside: np.ndarray

    @property
    def steps(self) -> int:
        """From the first point to the last."""
        return len(self.points) - 1

    @property
    def leaves(self) -> int | None:
        """The first step after which it lies outside of the picture, if there is one."""
        outside = np.flatnonzero(~self.inside)
        return int(outside[0]) if len(outside) else None

    @property
    def lost(self) -> int | None:
        """The first step after which it is at nan or inf, if there is one."""
        odd = np.flatnonzero(~np.isfinite(self.points).all(axis=1))
        return int(odd[0]) if len(odd) else None

    def height_said(self, step: int) -> str:
        """The height after some steps, or after the last one."""
        return words.number(float(self.heights[min(step, self.steps)]), words.TYPESET)

    def sentence(self) -> str:
        """Where it begins and ends, and whether it leaves."""
        steps = counted("1 step", "{count} steps", self.steps)
        name = self.name or gettext("the path")
        said = gettext(
            "{name}: height {start} at the start, {end} after {steps}.",
            name=name,
            start=self.height_said(0),
            end=self.height_said(self.steps),
            steps=steps,
        )
        if self.leaves is not None and self.leaves != self.lost:
            said += f" {gettext('It leaves the picture at step {step}.', step=self.leaves)}"
        if self.lost is not None:
            value = "nan" if np.isnan(self.points[self.lost]).any() else "inf"
            said += f" {gettext('From step {step} on it is nowhere: {value}.', step=self.lost, value=value)}"
        return said[0].upper() + said[1:] if not self.name else said


class Landscape:
    """The facts of `viz.descent`; `Descent`, which draws them, says what each attribute is."""

    def __init__(
        self, f: Callable[[Any], Any], paths: Any, x: Range | None, y: Range | None, names: tuple[str, str]
    ) -> None:
        given = _paths(paths)
        self.names = names
        self.x, self.y = _places(np.concatenate(list(given.values())), x, y)
        grid = np.array([(across, up) for up in self.y for across in self.x])
        asked = np.concatenate([grid, *given.values()])
        heights = _heights(f, asked)
        self.field = heights[: len(grid)].reshape(len(self.y), len(self.x))
        self.levels = _levels(self.field)
        found, begin = [], len(grid)
        for name, points in given.items():
            along = heights[begin : begin + len(points)]
            found.append(Path(name, points, along, self._inside(points)))
            begin += len(points)
        self.paths = tuple(found)

    def _inside(self, points: Numbers) -> np.ndarray:
        low, high = np.array([self.x[0], self.y[-1]]), np.array([self.x[-1], self.y[0]])
        with np.errstate(invalid="ignore"):
            return np.asarray(((points >= low) & (points <= high)).all(axis=1))

    @property
    def steps(self) -> int:
        """Of the longest path."""
        return max(path.steps for path in self.paths)

    def sentences(self) -> list[str]:
        """What the picture shows, for everybody."""
        found = [path.sentence() for path in self.paths]
        if self.levels:
            levels = ", ".join(words.number(level, words.TYPESET) for level in self.levels)
            found.append(gettext("Level lines at {levels}.", levels=levels))
        odd = ~np.isfinite(self.field)
        if odd.any():
            share = max(1, round(100 * float(odd.mean())))
            value = "nan" if np.isnan(self.field).any() else "inf"
            found.append(
                gettext(
                    "The function is {value} at {share} % of the picture: no level lines there.",
                    value=value,
                    share=share,
                )
            )
        return found


def _paths(paths: Any) -> dict[str, Numbers]:
    """The paths by name; a single one has no name."""
    named = {str(name): numbers(each) for name, each in paths.items()} if isinstance(paths, Mapping) else {}
    found = named if isinstance(paths, Mapping) else {"": numbers(paths)}
    if not 0 < len(found) <= MOST_PATHS:
        raise ValueError(f"this picture tells 1 to {MOST_PATHS} paths apart, and there are {len(found)}")
    for name, points in found.items():
        if points.ndim != 2 or points.shape[1] != 2 or not len(points):
            called = f"the path {name!r}" if name else "a path"
            raise ValueError(f"{called} is points in the plane, of shape (n, 2), n at least 1, not {points.shape}")
    return found


def _places(points: Numbers, x: Range | None, y: Range | None) -> tuple[Numbers, Numbers]:
    """The lines of the grid, from left to right and from top to bottom; what is not asked for fits the paths."""
    for name, asked in (("x", x), ("y", y)):
        if asked is not None and not (np.isfinite(asked).all() and asked[0] < asked[1]):
            raise ValueError(f"{name} is from where to where the picture goes, (low, high), not {tuple(asked)}")
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points) and (x is None or y is None):
        raise ValueError("no point of any path has a place: say with x=(low, high), y=(low, high) what is to be seen")
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.ones(2))
    extent = np.maximum(high - low, 1e-9 * np.maximum(1.0, np.abs(high)))
    wide = max(float(extent[0]), float(extent[1]) / TALLEST)
    tall = max(float(extent[1]), wide * FLATTEST)
    middle = (low + high) / 2
    half = np.array([wide, tall]) * (0.5 + MARGIN)
    across = x or (float(middle[0] - half[0]), float(middle[0] + half[0]))
    up = y or (float(middle[1] - half[1]), float(middle[1] + half[1]))
    ratio = min(max((up[1] - up[0]) / (across[1] - across[0]), FLATTEST), TALLEST)
    return np.linspace(*across, COLUMNS + 1), np.linspace(up[1], up[0], round(COLUMNS * ratio) + 1)


def _heights(f: Callable[[Any], Any], asked: Numbers) -> Numbers:
    with np.errstate(all="ignore"):
        heights = numbers(f(asked))
    if heights.ndim == 2 and heights.shape[1] == 1:
        heights = heights[:, 0]
    if heights.shape != (len(asked),):
        raise ValueError(
            f"the function was given places of shape {asked.shape} and returned the shape {heights.shape}: one "
            f"height for each place is wanted, ({len(asked)},)"
        )
    return heights


def _levels(field: Numbers) -> tuple[float, ...]:
    """Heights of level lines, nearer to each other towards the lowest: in a round bowl the lines are evenly apart."""
    known = field[np.isfinite(field)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        return ()
    return tuple(float(f"{low + (high - low) * (each / LEVELS) ** 2:.3g}") for each in range(1, LEVELS))

"""Regions of a classifier of points in the plane: what it says about every place, and about the points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from minitorch.language import gettext
from minitorch.viz.facts.counting import counted
from minitorch.viz.facts.reading import Numbers, numbers

COLUMNS = 30  # places that are asked, from left to right
FLATTEST, TALLEST = 0.33, 0.8  # height by width
MARGIN = 0.08  # of the points' extent, on each side
MOST_CLASSES = 4
Spot = tuple[float, float]

NOWHERE = -1  # in place of a class, where the classifier gives nan or inf


class Regions:
    """The facts of `viz.boundary`; `Boundary`, which draws them, says what each attribute is."""

    def __init__(self, score: Callable[[Any], Any], points: Any, labels: Any, lines: Any = ()) -> None:
        self.points = numbers(points)
        if self.points.ndim != 2 or self.points.shape[1] != 2 or not len(self.points):
            raise ValueError(f"points in the plane have the shape (n, 2), n at least 1, not {self.points.shape}")
        if not np.isfinite(self.points).all():
            raise ValueError("a point lies at nan or inf: it has no place in a picture")
        self.x, self.y = _places(self.points)
        asked = np.array([(x, y) for y in self.y for x in self.x])
        scores = _scores(score, np.concatenate([asked, self.points]))
        self.odd = _odd(scores)
        ahead = _ahead(scores)
        self.classes, self.names = _classes(numbers(labels), len(self.points), ahead.shape[1])
        self.fields = np.moveaxis(ahead[: len(asked)].reshape(len(self.y), len(self.x), -1), -1, 0)
        self.said = _winner(ahead[len(asked) :])
        self.right = int((self.said == self.classes).sum())
        self.lines = _lines(lines)

    @property
    def lost(self) -> npt.NDArray[np.bool_]:
        """The places with a score that is nan or inf, (len(y), len(x)): they are in nobody's region."""
        return np.asarray(self.regions == NOWHERE)

    @property
    def regions(self) -> npt.NDArray[np.intp]:
        """The class at each place, (len(y), len(x)); NOWHERE, -1, where the score is nan or inf."""
        return _winner(np.moveaxis(self.fields, 0, -1))

    def sentences(self) -> list[str]:
        """What the picture shows, for everybody."""
        regions = self.regions
        found = [
            gettext(
                "{right} of {count} points lie in the region of their class.", right=self.right, count=len(self.points)
            )
        ]
        for index, name in enumerate(self.names):
            own = self.classes == index
            lost = int((own & (self.said != index) & (self.said != NOWHERE)).sum())
            share = round(100 * float((regions == index).mean()))
            points = counted("1 point", "{count} points", int(own.sum()))
            found.append(
                gettext(
                    "Class {name}: {share} % of the picture, {points}, {lost} on the wrong side.",
                    name=name,
                    share=share,
                    points=points,
                    lost=lost,
                )
            )
        return found + self.odd_sentences() + self.line_sentences()

    def odd_sentences(self) -> list[str]:
        """Where the classifier gives nan or inf, in words; empty where it does not."""
        if not self.odd:
            return []
        share = 100 * float(self.lost.mean())
        said = "1" if 0 < share < 1 else str(round(share))
        points = counted("1 point", "{count} points", int((self.said == NOWHERE).sum()))
        return [
            gettext(
                "The score is {value} at {share} % of the picture: no class, crossed out. {points} there.",
                value=self.odd,
                share=said,
                points=points,
            )
        ]

    def line_sentences(self) -> list[str]:
        """How many lines are drawn over the plane, in words; empty where there are none."""
        return (
            [
                counted(
                    "1 dashed line is drawn over the plane.",
                    "{count} dashed lines are drawn over the plane.",
                    len(self.lines),
                )
            ]
            if len(self.lines)
            else []
        )

    @property
    def chords(self) -> list[tuple[Spot, Spot]]:
        """Of each line that crosses the plane the piece inside: the places where it enters and where it leaves."""
        left, right, high, low = (float(edge) for edge in (self.x[0], self.x[-1], self.y[0], self.y[-1]))
        found = []
        for across, up, rest in self.lines.tolist():
            spots = [(x, -(across * x + rest) / up) for x in (left, right) if up]
            spots += [(-(up * y + rest) / across, y) for y in (low, high) if across]
            inside = [(x, y) for x, y in spots if left <= x <= right and low <= y <= high]
            if inside and min(inside) != max(inside):
                found.append((min(inside), max(inside)))
        return found


def _lines(lines: Any) -> Numbers:
    """Lines as their three numbers, (n, 3)."""
    found = numbers(lines) if len(lines) else np.empty((0, 3))
    if found.ndim != 2 or found.shape[1] != 3:
        raise ValueError(f"a line is three numbers, a, b and c: lines have the shape (n, 3), not {found.shape}")
    if not np.isfinite(found).all() or (found[:, :2] == 0).all(axis=1).any():
        raise ValueError("a line a·x + b·y + c = 0 needs finite numbers, and an a or a b that is not 0")
    return found


def _places(points: Numbers) -> tuple[Numbers, Numbers]:
    """The corners of the cells: all points are inside, and the cells nearly square."""
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = high - low
    farthest = float(np.abs(points).max())
    if max(wide, tall) <= 1e-9 * farthest:  # one place: it has room around it
        wide = max(1.0, 1e-6 * farthest)
    wide = max(wide, tall / TALLEST)
    extent = np.array([wide, max(tall, wide * FLATTEST)])
    middle = (low + high) / 2
    half = extent * (0.5 + MARGIN)
    rows = round(COLUMNS * float(extent[1] / extent[0]))
    x = np.linspace(middle[0] - half[0], middle[0] + half[0], COLUMNS + 1)
    y = np.linspace(middle[1] + half[1], middle[1] - half[1], rows + 1)
    return x, y


def _scores(score: Callable[[Any], Any], asked: Numbers) -> Numbers:
    """What the classifier says about the places, (n,) or (n, classes)."""
    scores = numbers(score(asked))
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim not in (1, 2) or len(scores) != len(asked):
        raise ValueError(
            f"score was given points of shape {asked.shape} and returned the shape {scores.shape}: one score for each "
            f"point, ({len(asked)},), or one for each point and class"
        )
    if scores.ndim == 2 and scores.shape[1] > MOST_CLASSES:
        raise ValueError(f"this picture tells up to {MOST_CLASSES} classes apart, and there are {scores.shape[1]}")
    return scores


def _odd(scores: Numbers) -> str:
    """What is among the scores that is no number to compare: "nan", "inf", "nan or inf", or nothing."""
    found = [(np.isnan(scores).any(), "nan"), (np.isinf(scores).any(), "inf")]
    return gettext(" or ").join(name for is_there, name in found if is_there)


def _ahead(scores: Numbers) -> Numbers:
    """How far each class is ahead of the best other one, (n, classes); nan where a score is nan or inf."""
    if scores.ndim == 1:
        scores = np.stack([-scores / 2, scores / 2], axis=1)
    scores = np.where(np.isfinite(scores).all(axis=1, keepdims=True), scores, np.nan)
    others = [np.delete(scores, index, axis=1).max(axis=1) for index in range(scores.shape[1])]
    return np.asarray(scores - np.stack(others, axis=1))


def _winner(ahead: Numbers) -> npt.NDArray[np.intp]:
    """The class that is ahead; of two, the second must be ahead by more than 0. NOWHERE where nothing can be."""
    return np.asarray(np.where(np.isnan(ahead[..., 0]), NOWHERE, ahead.argmax(axis=-1)))


def _classes(labels: Numbers, count: int, classes: int) -> tuple[npt.NDArray[np.intp], tuple[str, ...]]:
    """Labels as 0, 1, …; -1 and 1 stand for 0 and 1."""
    if labels.shape != (count,):
        raise ValueError(f"there are {count} points, so labels must have the shape ({count},), not {labels.shape}")
    if classes == 2 and set(labels.tolist()) <= {-1.0, 1.0}:
        return (labels > 0).astype(np.intp), ("-1", "1")
    if not set(labels.tolist()) <= set(map(float, range(classes))):
        also = ", or -1 and 1" if classes == 2 else ""
        raise ValueError(f"for {classes} classes the labels are 0 to {classes - 1}{also}")
    return labels.astype(np.intp), tuple(map(str, range(classes)))

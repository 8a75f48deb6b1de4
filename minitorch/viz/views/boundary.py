"""The view `boundary`: what a classifier says about every place of the plane."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing.boundary import ON_SLIDE, THEME, draw, listing
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.reel import Reel
from minitorch.viz.facts.boundary import Regions
from minitorch.viz.views.film import Film

__all__ = ["Boundary", "boundary"]


class Boundary(Regions, Film):
    """The regions of a classifier of points in the plane.

    points (n, 2); classes (n,): of each point, 0, 1, …; names: what the labels call those classes.
    said (n,): the classes that the classifier gives the points, -1 where its score is nan or inf; right: how many of
    them are as labelled. odd: what scores there are that are no numbers to compare, "nan", "inf" or both; "" for none.
    x, y: the places that were asked, from left to right and from top to bottom; fields (classes, len(y), len(x)): how
    far each class is ahead of the others there; it is above 0 in the class's own region.
    lines (k, 3): the lines that are drawn over it; chords: the pieces of them inside the picture.
    """

    _theme = THEME

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Decision boundary")

    @cached_property
    def _reels(self) -> tuple[Reel, ...]:
        return (draw(self, f"{self._id}h"),)

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: all of it; what there is to say of it stands in the drawing."""
        cell, letters = ON_SLIDE
        return (
            Moment(self._document(draw(self, f"{self._id}h", cell, letters), 0), "", self._told(), letters=letters),
        )

    def _listing(self, limit: int | None) -> str:
        return listing(self, limit)


def boundary(score: Callable[[Any], Any], points: Any, labels: Any, *, lines: Any = ()) -> Boundary:
    """The regions of a classifier of points in the plane, the boundary between them, and the points with their labels.

    score: is given an array of places, (m, 2), and returns m scores, where above 0 is the second class, or (m, classes)
    scores, where the largest wins. Lists of numbers or of Values, arrays and Tensors will do; classes may be up to 4.
    points: (n, 2). labels: n of them, -1 and 1 or 0, 1, … Patterns and shapes tell classes apart, not colours alone.
    lines: of each straight line a·x + b·y + c = 0 that is to be drawn over it, dashed, the three numbers a, b and c.

    Where a score is nan or inf there is no class: those places are crossed out, and the words say how many there are.

    Raises ValueError for other shapes and labels, and for three numbers that are no line.

    >>> seen = boundary(lambda places: places[:, 0] - 1, [[0, 0], [2, 1], [0.5, 1]], [-1, 1, 1])
    >>> print(seen.sentences()[0])
    2 of 3 points lie in the region of their class.
    >>> seen.said.tolist(), seen.regions.shape
    ([0, 1, 0], (16, 31))
    """
    return Boundary(score, points, labels, lines)

"""The view `descent`: paths across a function of two numbers, seen from above."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing.descent import THEME, draw, listing
from minitorch.viz.drawing.reel import Reel
from minitorch.viz.facts.descent import Landscape, Range
from minitorch.viz.views.film import Film

__all__ = ["Descent", "descent"]


class Descent(Landscape, Film):
    """A function of two numbers as level lines, and paths across it that are walked step by step.

    x, y: the lines of the grid, from left to right and from top to bottom; field (len(y), len(x)): the heights there;
    levels: those of the lines. paths: each with its name, points (n, 2), heights (n,), and whether each point lies
    inside the picture.
    """

    _theme = THEME

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Paths across a function of two numbers")

    @cached_property
    def _reels(self) -> tuple[Reel, ...]:
        return (draw(self),)

    def _still(self) -> tuple[Reel, int]:
        (reel,) = self._reels
        return reel, len(reel.frames) - 1

    def _listing(self, limit: int | None) -> str:
        return listing(self, limit)


def descent(
    f: Callable[[Any], Any],
    paths: Any,
    *,
    x: Range | None = None,
    y: Range | None = None,
    names: tuple[str, str] = ("x", "y"),
) -> Descent:
    """Paths across a function of two numbers: level lines from above, and each path drawn step by step.

    f: is given an array of places, (m, 2), and returns m heights; arrays, Tensors, lists of numbers or Values will do.
    paths: points (n, 2), or up to four of them by name, as {"SGD": …, "momentum": …}: where a training was after each
    step. x, y: from where to where the picture goes, (low, high); by default it fits the paths. names: of the two
    numbers. A path that leaves the picture ends at its edge and is told of; where f is nan or inf there are no lines.

    Raises ValueError for other shapes, for ranges that are none, and for more than four paths.

    >>> import numpy as np
    >>> seen = descent(lambda p: (p**2).sum(axis=1), np.array([[2.0, 1.0], [1.0, 0.5], [0.5, 0.25]]))
    >>> print(seen.sentences()[0])
    The path: height 5 at the start, 0.312 after 2 steps.
    """
    return Descent(f, paths, x, y, names)

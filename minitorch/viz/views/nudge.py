"""The view `nudge`: a graph of single numbers that can be changed in the picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing.graph import alternative, caption_of, draw
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.nudge import BELOW, as_traits, caption, height, roomy, table
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.scene import Scene
from minitorch.viz.drawing.step import width
from minitorch.viz.facts.nudging import Calculation, calculation
from minitorch.viz.views.graph import GraphPicture

__all__ = ["Nudge", "nudge"]


class Nudge(GraphPicture):
    """A graph of single numbers, computed anew in the browser when the reader changes one. h: of the differences."""

    def __init__(self, calculation: Calculation, h: float = 1e-4, fold: bool | None = None) -> None:
        super().__init__(calculation.graph, None, fold)
        self.calculation = calculation
        self.h = h

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Nudge the numbers of {root}", root=self._names[self.graph.root])

    @property
    def notes(self) -> tuple[str, ...]:
        """What does not agree between the graph as it was given and what its operations give, in sentences."""
        return self.calculation.notes

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: all at once, with its finite differences below it."""
        said = f"{caption_of(self._scene, None)} {self._caption}"
        return (Moment(draw(self._scene, captioned=False), said, self._told()),)

    def svg(self) -> str:
        """The graph as it is, with its values, gradients and finite differences, as an SVG document."""
        return draw(self._scene, more=self._caption)

    @cached_property
    def _scene(self) -> Scene:
        return roomy(self.calculation, self._level if self._folds else None, self._names)

    @cached_property
    def _caption(self) -> str:
        return caption(self.calculation, self.h, self._names)

    @property
    def _moves(self) -> bool:
        return True

    def _player(self, _step: int = 0) -> Player:
        folding = self._folding if self._folds else None
        traits = as_traits(self._scene, folding, self.calculation, self.h, self.title)
        high = height(self._scene)
        return Player("nudge.js", self.title, {"scene": traits}, high, width(traits), narrow=high + BELOW)

    def _listing(self, limit: int | None) -> str:
        return super()._listing(limit) + table(self.calculation, self.h, self._names, limit)

    def _told(self) -> str:
        return f"{self.title}. {alternative(self._scene)} {self._caption}"


def nudge(root: Any, names: Mapping[str, Any] | None = None, *, h: float = 1e-4, fold: bool | None = None) -> Nudge:
    """The graph behind `root`, whose numbers can be changed in the picture: all values and gradients follow.

    Beside the gradient of the number that is changed stands the finite difference (f(x + h) - f(x - h)) / 2h, and where
    the two differ the picture says why: a kink, a division by zero, too large an h, rounding. Constants can be changed,
    too; they have a finite difference only. It needs no kernel, and does all that in a saved page, too.

    root: a `scalar.Value`, a Tensor of one number made of such, or a learner's own node with `data`, `_prev` and `_op`;
    if a learner's operation gave another number than its operands do, that is said. names, fold: as in `viz.graph`.

    Raises TypeError when `root` is none of these; ValueError for an array in the graph, an operation that the browser
    cannot compute, a constant that no node remembers, numbers that were changed after the operations on them, a graph
    without leaves, and an h that is not above 0.

    >>> from minitorch.scalar import Value
    >>> x, y = Value(2.0, label="x"), Value(-3.0, label="y")
    >>> nudge(x * y + x)
    node  made by  value  gradient
    x     leaf         2        -2
    y     leaf        -3         2
    v1    x * y       -6         1
    v2    v1 + x      -4         1
    <BLANKLINE>
    (f(x + h) - f(x - h)) / 2h, with h = 0.0001
    leaf  gradient  finite difference
    x           -2                 -2
    y            2                  2
    """
    if not (isinstance(h, (int, float)) and math.isfinite(h) and h > 0):
        raise ValueError(f"viz.nudge: h must be a number above 0, not {h!r}")
    return Nudge(calculation(root, names or {}), float(h), fold)

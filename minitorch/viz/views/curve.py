"""The view `curve`: how numbers go on, step by step, or over any other axis."""

from __future__ import annotations

import hashlib
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing.curve import Words, draw, listing
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.facts.curve import Line, lines_of, sentences
from minitorch.viz.facts.words import TYPESET
from minitorch.viz.views.picture import Picture

__all__ = ["Curve", "curve"]


class Curve(Picture):
    """Lines over a common axis. lines: their names and points, all of them, however many the picture shows."""

    def __init__(self, lines: tuple[Line, ...], said: Words) -> None:
        self.lines = lines
        self._words = said

    @property
    def title(self) -> str:
        """What the picture is called."""
        return self._words.title or gettext("Curves")

    def svg(self) -> str:
        """An SVG document, the same bytes for the same facts; light or dark as the reader's system is."""
        name = f"mc{hashlib.sha256(self._listing(None).encode()).hexdigest()[:8]}"
        return draw(self.lines, self._words, name)

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: all of it at once, in larger letters."""
        return (Moment(self.svg(), "", self._told(), letters=16),)

    def sentences(self) -> list[str]:
        """What the picture shows, for everybody."""
        return sentences(self.lines, self._words.log, self._words.across or gettext("place"))

    def _listing(self, limit: int | None) -> str:
        return listing(self.lines, self._words, limit)

    def _told(self) -> str:
        across = self._words.across or gettext("place")
        return " ".join([f"{self.title}.", *sentences(self.lines, self._words.log, across, TYPESET)])


def curve(
    data: Any, *, x: Any = None, log: str = "", title: str = "", x_label: str | None = None, y_label: str | None = None
) -> Curve:
    """Curves in one picture, each with its name at its end, told apart by dash and mark as well as by colour.

    data: a row of numbers; a mapping of names to rows, to pairs (places, numbers) or to Histories; or the History of a
    training, of which the loss of each step is shown and the losses on other data, each called as its column is, in
    any language: "loss", "valid_loss". Lists, arrays, Tensors and Values
    will do. x: the places that all share, else 0, 1, 2, … (a History counts steps from 1). log: the axes that count
    powers of ten, "x", "y" or "xy". x_label, y_label: what the axes are, with their unit, as in "time (s)".

    Where there are more points than room, neighbours are put together: the line is their mean, the band goes from the
    smallest to the largest. A number that is nan or inf breaks the line and is ringed where it first comes.

    Raises ValueError for no numbers, more than 6 curves, and places that do not fit the numbers.

    >>> print(curve([2.0, 1.0, 0.5]).sentences()[0])
    The curve: 2 at place 0, 0.5 at place 2; smallest 0.5 at 2, largest 2 at 0.
    """
    if set(log) - set("xy"):
        raise ValueError(f"log says which axes count powers of ten, 'x', 'y' or 'xy', not {log!r}")
    lines = lines_of(data, x)
    if "x" in log and not all((line.x > 0).all() for line in lines):
        raise ValueError("an axis x of powers of ten needs places above 0: give them in x, or leave x out of log")
    trained = hasattr(data, "losses") or any(hasattr(each, "losses") for each in getattr(data, "values", list)())
    across = x_label if x_label is not None else gettext("step") if trained and x is None else ""
    up = y_label if y_label is not None else gettext("loss") if trained else ""
    return Curve(lines, Words(title, across, up, log))

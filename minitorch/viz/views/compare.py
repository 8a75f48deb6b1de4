"""The view `compare`: two graphs of one computation beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing import dot, html
from minitorch.viz.drawing.compare import Sides, draw, fitting, on_slide
from minitorch.viz.drawing.compare_rest import draw_totals
from minitorch.viz.drawing.compare_words import caption, description, listing
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.facts.differences import Compared, Difference, compared
from minitorch.viz.facts.surroundings import Part
from minitorch.viz.views.picture import DOT, Picture

__all__ = ["Comparison", "compare"]


class Comparison(Picture):
    """My graph against the reference. Holds no tensors: it shows both graphs as they were."""

    forms = (*Picture.forms, *DOT)

    def __init__(self, facts: Compared, whole: bool = False) -> None:
        self._facts = facts
        self._whole = whole

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("My graph against the reference")

    @property
    def verdict(self) -> str:
        """The result in one sentence: "the same, 7 nodes, 7 gradients", or "first difference: …", with who made it."""
        return self._facts.verdict

    @property
    def same(self) -> bool:
        """True when nothing that was compared differs."""
        return not self._facts.differences

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Every difference, the first one first: values on the way forward, then gradients on the way back."""
        return self._facts.differences

    @property
    def first(self) -> str:
        """The name of the node that differs first; "" where none does."""
        return self._facts.names[self.differences[0].place] if self.differences else ""

    @property
    def blamed(self) -> tuple[str, ...]:
        """The names of the operations whose backward made the first difference; none where it is no gradient's."""
        return tuple(self._facts.names[place] for place in self.differences[0].blamed) if self.differences else ()

    @cached_property
    def _sides(self) -> Sides | None:
        """What is drawn; None where nothing of a large comparison differs."""
        return fitting(self._facts, self._whole)

    @property
    def _part(self) -> Part | None:
        return None if self._sides is None else self._sides.part

    def svg(self) -> str:
        """Both graphs as one SVG document, the first difference ringed; the same bytes for the same graphs.

        Of more than 60 nodes, or more side by side than a notebook has room for, it shows the first difference with
        its surroundings and counts the rest; where nothing differs, it says how much was compared.
        """
        return draw_totals(self._facts) if self._sides is None else draw(self._sides)

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: both graphs at once, or mine and then the reference."""
        return tuple(Moment(drawn, caption(self._facts), self._told()) for drawn in on_slide(self._facts))

    def dot(self) -> Any:
        """Both graphs as one `graphviz.Digraph`: mine, with what the reference has beyond it, and what differs.

        Raises ImportError when the graphviz package is missing.
        """
        notes: dict[int, list[str]] = {}
        for each in self.differences:
            notes.setdefault(each.place, []).append(f"≠ {each.said}")
        return dot.digraph(self._facts.united, self._facts.names, notes)

    def _page(self) -> str:
        if self._part is not None and not self._part.rests:
            return super()._page()
        return html.page(self.title, self._shown() + html.unfolding(gettext("Every node of both graphs"), self.text()))

    def _listing(self, limit: int | None) -> str:
        return listing(self._facts, limit)

    def _told(self) -> str:
        return f"{self.title}. {description(self._facts, self._part)}"


def compare(
    mine: Any,
    reference: Any,
    *,
    names: Mapping[str, Any] | None = None,
    reference_names: Mapping[str, Any] | None = None,
    whole: bool = False,
) -> Comparison:
    """Two graphs of the same computation beside each other, with the first node that differs ringed and named.

    The graphs are matched from their results upwards, by labels, operations (`"*"` is `"mul"`) and operands, across
    kinds of engine. Values are compared on the way forward, then gradients on the way back, up to the rounding of the
    coarser dtype; nodes that one graph alone has are named. Gradients that the reference does not hold are worked out
    aside where its graph allows it; otherwise they are left out and counted. No `.grad` is changed.

    names, reference_names: what to call which node of either graph, as in `graph`. whole: draws every node of graphs
    of more than 60, or too wide to be read, too; else only the first difference with what it is computed from and what
    follows, and boxes that say how many others there are and how many of them differ. `.text()` lists every node in any
    case. Raises TypeError when either is neither a Tensor nor a scalar Value.

    >>> from minitorch.scalar import Value
    >>> x, y = Value(3.0, label="x"), Value(3.0, label="x")
    >>> mine, reference = Value(9.0, (x, x), "*", (3.0, 0.0)), y * y  # mine forgets one of the two operands
    >>> mine.backward()
    >>> found = compare(mine, reference)
    >>> found.same, found.first, found.differences[0].said
    (False, 'x', 'x.grad is 3 here and 6 there')
    """
    return Comparison(compared(mine, reference, names, reference_names), whole)

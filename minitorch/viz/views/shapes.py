"""The view `shapes`: a backward pass as a table, one row for each edge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing import dot, html
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.shapes import beside, draw, listing, on_slides, table, title, told
from minitorch.viz.facts.shapes import LONG, Rows, shape_rows
from minitorch.viz.views.picture import DOT, Picture

__all__ = ["ShapeTable", "shapes"]


class ShapeTable(Picture):
    """The backward pass as a table of shapes. Holds no tensors: it shows the graph as it was."""

    forms = (*Picture.forms, *DOT)

    def __init__(self, rows: Rows, whole: bool = False) -> None:
        self.rows = rows.rows
        self._whole = whole
        self._facts = rows

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return title(self._facts)

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is wrong, each as "name: kind: sentence"; empty where nothing is."""
        return tuple(f"{name}: {fault}" for name, fault in self._facts.wrong)

    def svg(self) -> str:
        """The table as an SVG document, for a slide; a notebook shows it as HTML."""
        return draw(self._facts, self._whole)

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: some rows at a time, and of a wide table its halves one after the other."""
        return tuple(Moment(drawn, said, self._told()) for drawn, said in on_slides(self._facts, self._whole))

    def dot(self) -> Any:
        """The graph as a `graphviz.Digraph`, beside each edge its row: the rule, the contribution, the summed axes.

        Raises ImportError when the graphviz package is missing.
        """
        return dot.digraph(self._facts.graph, labels=beside(self._facts))

    def _listing(self, limit: int | None) -> str:
        return listing(self._facts, limit)

    def _told(self) -> str:
        return told(self._facts)

    def _shown(self) -> str:
        return table(self._facts, self._whole)

    def _page(self) -> str:
        if self._whole or len(self.rows) <= LONG:
            return super()._page()
        return html.page(self.title, self._shown() + html.unfolding(gettext("Every row"), self.text()))


def shapes(loss: Any, *, names: Mapping[str, Any] | None = None, whole: bool = False) -> ShapeTable:
    """The backward pass of `loss` as a table: one row for each edge, in the order of the pass.

    A row has the shape of the gradient that an operation is given, its rule for one operand, the shape of that
    operand's contribution, the axes that are then summed, the operand's shape, and the gradient that it holds.
    Of a learner's graph the table marks what is wrong: a gradient of another shape or dtype than its data, one that is
    missing, one that is not finite, one that a constant holds. Nothing is computed; before a backward pass the table
    says what shapes there will be.

    names: as in `graph`. whole: shows every row of a table of more than 60, too; else how it begins and ends and what
    is wrong in it, and how many rows are left out. `.text()` has every row in any case. Raises TypeError when `loss` is
    neither a Tensor nor a scalar Value.

    >>> from minitorch import Tensor
    >>> import numpy as np
    >>> b = Tensor([0.5, 1.0, 2.0], requires_grad=True)
    >>> x = Tensor(np.ones((4, 3), np.float32))
    >>> loss = (x * b).sum()
    >>> shapes(loss, names={"x": x, "b": b, "loss": loss})
    Gradient shapes of the backward pass from loss
    backward of  g       operand  local rule                  contribution  summed over  to shape  gradient
    seed         -       loss     1                           = ()          -            ()        no gradient yet
    sum -> loss  ()      v1       g, for every number summed  = (4, 3)      -            (4, 3)    no gradient yet
    mul -> v1    (4, 3)  x        -                           -             -            (4, 3)    constant
    mul -> v1    (4, 3)  b        g * x                       = (4, 3)      axis 0       (3,)      no gradient yet
    3 edges; no gradient yet anywhere: these are the shapes that gradients will have.
    """
    return ShapeTable(shape_rows(loss, names), whole)

"""The graph of a training's loss, in which parameters and rectifiers say how they are: what `board.graph` gives."""

from __future__ import annotations

from collections.abc import Mapping

from minitorch.language import N_, gettext
from minitorch.viz.drawing.scene import Reach, reach
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import words
from minitorch.viz.facts.grades import By, Graded, table
from minitorch.viz.facts.model import Graph
from minitorch.viz.views.graph import GraphPicture

__all__ = ["Health"]


TITLES = {
    "gradient": N_("Gradients of the training in the graph of {root}, step {step}"),
    "update": N_("Updates of the training in the graph of {root}, step {step}"),
    "dead": N_("Dead units of the training in the graph of {root}, step {step}"),
}


class Health(GraphPicture):
    """A graph whose boxes say a training's newest figures in place of gradients. graded: those, and their grades."""

    def __init__(
        self, graph: Graph, graded: Graded, step: int, by: By, kinds: Mapping[str, str] | None, fold: bool | None
    ) -> None:
        super().__init__(graph, kinds, fold)
        self.graded = graded
        self._step, self._by = step, by

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext(TITLES[self._by], root=words.results(self.graph, self._names), step=self._step)

    def _reach(self) -> Reach:
        told = f"{self.graded.told} {self._unregistered}".strip()
        return reach(self._facts(), self._births, self.graded, told)

    def _listing(self, limit: int | None) -> str:
        lines = aligned(table(self.graded), ())
        return "\n".join([self.title, self.graded.told, "", *shortened(lines, limit)])

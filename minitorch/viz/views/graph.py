"""The view `graph`: a computation graph as it is now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing import dot, text
from minitorch.viz.drawing.dot_layout import Graphviz
from minitorch.viz.drawing.graph import alternative, caption_of, draw
from minitorch.viz.drawing.layout import layout
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.scene import Reach, Scene, reach, scene
from minitorch.viz.drawing.step import as_traits, height, width
from minitorch.viz.facts import scopes, words
from minitorch.viz.facts.births import Birth, births
from minitorch.viz.facts.capture import snapshot_of_all
from minitorch.viz.facts.folding import Folding
from minitorch.viz.facts.levels import Level, is_large, level_of
from minitorch.viz.facts.model import Graph, Trace, to_json
from minitorch.viz.views.picture import DOT, MovingPicture, Picture

__all__ = ["GraphPicture", "graph"]


ENGINES = ("own", "dot")  # that say where everything stands
READABLE = 1060  # pixels; in a notebook of 900, the letters of a wider image are smaller than 11


class GraphPicture(MovingPicture):
    """A graph, drawn. A notebook shows its player, to move and search it, where it is folded or very wide."""

    forms = (*Picture.forms, ".json", *DOT)

    def __init__(
        self, graph: Graph, kinds: Mapping[str, str] | None = None, fold: bool | None = None, engine: str = "own"
    ) -> None:
        if engine not in ENGINES:
            raise ValueError(f"engine is {' or '.join(map(repr, ENGINES))}, not {engine!r}")
        self._engine = engine
        self.graph = scopes.with_scopes(graph, kinds)
        self._kinds = kinds
        self._folds = is_large(graph) if fold is None else fold

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Computation graph of {root}", root=words.results(self.graph, self._names))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return words.names(self.graph)

    @cached_property
    def _births(self) -> Mapping[int, Birth]:
        """Where a nan or an inf comes from, in the whole graph."""
        return births(self._facts())

    @cached_property
    def _folding(self) -> Folding:
        return Folding(self.graph, self._kinds, self._names)

    @cached_property
    def _level(self) -> Level:
        """The first picture of a folded graph."""
        return level_of(self._folding, self._folding.top)

    @cached_property
    def _scene(self) -> Scene:
        arrange = Graphviz() if self._engine == "dot" else layout
        return scene(self._facts(), self._level if self._folds else None, self._names, self._reach(), arrange)

    def _reach(self) -> Reach:
        return reach(self._facts(), self._births, told=self._unregistered)

    @property
    def _unregistered(self) -> str:
        """Which leaves are no parameters of the model, where one is known; "" where there are none."""
        graph, names = self.graph, self._names
        found = [names[node.idx] for node in graph.nodes if node.is_leaf and not node.label]
        return (
            gettext(
                "Not among model.parameters(): {names}. Layers in a plain list are not registered: "
                "nn.ModuleList registers them.",
                names=words.listed(found),
            )
            if found and "" in (self._kinds or {})
            else ""
        )

    def _with_told(self, nodes: str) -> str:
        return f"{nodes}\n{self._unregistered}".rstrip()

    @property
    def _moves(self) -> bool:
        left, right = self._scene.extent
        return self._folds or right - left > READABLE

    def _player(self, step: int = 0) -> Player:
        traits = as_traits(self._scene, self._folding if self._folds else None)
        return Player("graph.js", self.title, {"scene": traits, "step": step}, height(self._scene), width(traits))

    def svg(self) -> str:
        """An SVG document, the same bytes for the same graph; light or dark as the reader's system is."""
        return draw(self._scene)

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: all at once, what stands below it apart from it."""
        return (Moment(draw(self._scene, captioned=False), caption_of(self._scene, None), self._told()),)

    def dot(self) -> Any:
        """The graph as a `graphviz.Digraph`, to be laid out by Graphviz. Its `.source` needs no `dot` program.

        Raises ImportError when the graphviz package is missing.
        """
        return dot.digraph(self.graph)

    def _listing(self, limit: int | None) -> str:
        if self._is_long(limit):
            return self._with_told(text.folded(self._level, self.graph, None, limit, self._births))
        return self._with_told(text.listing(self.graph, None, limit, self._births, self._names))

    def _is_long(self, limit: int | None) -> bool:
        """Whether the graph has more nodes than the listing may have lines, so that it is listed folded."""
        return self._folds and limit is not None and len(self.graph.nodes) > limit

    def _told(self) -> str:
        return alternative(self._scene)

    def _facts(self) -> Graph | Trace:
        return self.graph

    def _content(self, form: str) -> str | bytes:
        return to_json(self._facts()) if form == ".json" else super()._content(form)


def graph(
    x: Any,
    *,
    names: Mapping[str, Any] | None = None,
    model: Any = None,
    fold: bool | None = None,
    engine: str = "own",
) -> GraphPicture:
    """Draws the graph behind `x`, with the values and gradients it has now: a Tensor, a Value, or an AutogradGraph.

    Several results, in a tuple, a list, a mapping or a dataclass, nested as they come, are drawn as one graph: each is
    marked, and named by its key or field, or by its position where nothing else names it. Constants and what is neither
    Tensor nor Value are passed over. Of an AutogradGraph all results are drawn that somebody holds.

    names: what to call which Tensor or Value, as in `names={"w": w}`; a Value's own label is used too. model: a Module
    whose parameters are called by their names, and whose modules are boxes where the graph is folded. fold: whether
    modules, repetitions and long chains are drawn as one box each; by default in graphs of
    more than 60 nodes, and where one operation has more than 8 leaves of its own. engine:
    "dot" has Graphviz say where everything stands, for at most 5 s; where its program is missing, our own layout does,
    and a sentence below the picture says so. Raises TypeError when `x` is none of these, where results are of two
    kinds, or `model` names no parameters, ValueError for another engine.

    >>> from minitorch.scalar import Value
    >>> x, y = Value(2.0, label="x"), Value(-3.0, label="y")
    >>> graph(x * y + x)
    node  made by  value         gradient
    x     leaf         2  no gradient yet
    y     leaf        -3  no gradient yet
    v1    x * y       -6  no gradient yet
    v2    v1 + x      -4  no gradient yet
    >>> graph({"area": x * y, "sum": x + y}).title
    'Computation graph of area, sum'
    """
    called = {**scopes.parameters_of(model), **(names or {})}
    return GraphPicture(snapshot_of_all(x, called), scopes.kinds_of(model, x), fold, engine)

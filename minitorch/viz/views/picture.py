"""What `viz.graph` and `viz.step` give back: one picture in several forms."""

from __future__ import annotations

import warnings
from base64 import b64encode
from collections.abc import Callable
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from minitorch.viz.drawing import dot, svg, text
from minitorch.viz.drawing.scene import Scene, scene
from minitorch.viz.facts.model import Event, Graph, Trace, to_json

LINES = 200  # of text in a notebook; `.text()` has them all


class GraphPicture:
    """A graph, drawn. A notebook shows the picture, with words for those who do not see it; a terminal, the listing.

    Holds no tensors: it shows the graph as it was when the picture was made.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @cached_property
    def _scene(self) -> Scene:
        return scene(self.graph)

    def svg(self) -> str:
        """An SVG document, the same bytes for the same graph; light or dark as the reader's system is."""
        return svg.draw(self._scene)

    def text(self) -> str:
        """One line a node: how it was made, its value, its gradient."""
        return text.listing(self.graph)

    def dot(self) -> Any:
        """The graph as a `graphviz.Digraph`, to be laid out by Graphviz. Its `.source` needs no `dot` program.

        Raises ImportError when the graphviz package is missing.
        """
        return dot.digraph(self.graph)

    def save(self, path: str | Path) -> Path:
        """Writes the picture; the name's ending says how: .svg, .txt, .json, .gv (DOT), .pdf or .png.

        The last two need Graphviz's `dot` program. Raises ValueError on another ending, RuntimeError without `dot`.
        """
        path = Path(path)
        writers: dict[str, Callable[[], str | bytes]] = {
            ".svg": self.svg,
            ".txt": lambda: f"{self.text()}\n",
            ".json": lambda: to_json(self._facts()),
            ".gv": lambda: str(self.dot().source),
            ".pdf": lambda: dot.rendered(self.dot(), "pdf"),
            ".png": lambda: dot.rendered(self.dot(), "png"),
        }
        if path.suffix not in writers:
            raise ValueError(f"cannot write a picture as {path.suffix or path.name!r}: use {', '.join(writers)}")
        content = writers[path.suffix]()
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def _facts(self) -> Graph | Trace:
        return self.graph

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return self._still(text.listing(self.graph, limit=LINES))

    def _still(self, listing: str) -> dict[str, Any]:
        """The picture without a widget. A bare SVG has no place for an `alt`, and an untrusted notebook hides it."""
        drawn = self.svg()
        source = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
        image = f'<img alt="{escape(svg.alternative(self._scene))}" src="{source}">'
        return {"text/html": image, "image/svg+xml": drawn, "text/plain": listing}

    def __repr__(self) -> str:
        return text.listing(self.graph, limit=LINES)


class Stepper(GraphPicture):
    """A backward pass, step by step: a widget in a notebook, beside it the SVG and the text of its end.

    Step 0 is before the pass, step 1 the seed, and every later step one contribution along one edge.
    """

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace.graph)
        self.trace = trace

    @property
    def steps(self) -> tuple[Event, ...]:
        """What happens: the seed, then one contribution after another."""
        return self.trace.events

    @cached_property
    def _scene(self) -> Scene:
        return scene(self.trace)

    @cached_property
    def widget(self) -> Any:
        """The anywidget. Raises ImportError when anywidget is missing."""
        from minitorch.viz.drawing.widget import stepper_widget

        return stepper_widget(self._scene)

    def svg(self, step: int | None = None) -> str:
        """The picture after `step` steps; the whole pass if None. Raises IndexError beyond the last step."""
        return svg.draw(self._scene, self._checked(step))

    def text(self, step: int | None = None) -> str:
        """The nodes with the gradients that they have after `step` steps, and the steps. Raises as `svg`."""
        return self._text(self._checked(step), None)

    def _text(self, step: int | None, limit: int | None) -> str:
        nodes = text.listing(self.graph, self.trace.gradients(step), limit)
        return f"{nodes}\n\n{text.passing(self.trace, step, limit)}"

    def _checked(self, step: int | None) -> int | None:
        if step is not None and not 0 <= step <= len(self.steps):
            raise IndexError(f"there is no step {step}: this pass has the steps 0 to {len(self.steps)}")
        return step

    def _facts(self) -> Trace:
        return self.trace

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        still = self._still(self._text(None, LINES))
        try:
            return {**self._live(), **still}
        except ImportError as error:
            warnings.warn(f"{error} Until then the picture stands still.", stacklevel=2)
            return still

    def _live(self) -> dict[str, Any]:
        bundle = self.widget._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        return dict(data or {})

    def __repr__(self) -> str:
        return self._text(None, LINES)

"""Export to Graphviz, for those who have it: a graph in its language, through the `graphviz` package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minitorch.language import gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.model import Edge, Graph, NodeFacts


def digraph(
    graph: Graph,
    names: Sequence[str] | None = None,
    notes: Mapping[int, Sequence[str]] | None = None,
    labels: Mapping[Edge, str] | None = None,
) -> Any:
    """The graph as a `graphviz.Digraph`. Raises ImportError when the package is missing.

    names: what to call the nodes, as `words.names` does by default. notes: for some nodes further lines in their box.
    labels: what stands beside edges, in place of the local gradient or the stretched axes.
    """
    try:
        import graphviz
    except ImportError:
        raise ImportError(
            'the graphviz package is missing. Install it with: pip install "minitorch-course[viz]"'
        ) from None
    names = words.names(graph) if names is None else names
    looks = {"shape": "box", "style": "rounded", "fontname": "sans-serif"}
    made = graphviz.Digraph(
        f"mt{graph.topology}", graph_attr={"ordering": "in"}, node_attr=looks, edge_attr={"fontname": "sans-serif"}
    )
    for node in graph.nodes:
        style = {"leaf": "rounded,bold", "constant": "rounded,dotted"}.get(node.kind, "rounded")
        peripheries = "2" if node.idx in graph.ends else "1"
        made.node(
            str(node.idx),
            _label(node, names[node.idx], graph.scalar, (notes or {}).get(node.idx, ())),
            style=style,
            peripheries=peripheries,
        )
    for edge in graph.edges:
        label = _beside(edge) if labels is None else labels.get(edge, "")
        made.edge(str(edge.src), str(edge.dst), graphviz.escape(label))
    return made


def _beside(edge: Edge) -> str:
    """The stretched axes, or the local gradient."""
    if edge.broadcast_axes:
        return gettext("stretched along {axes}", axes=words.axes(edge.broadcast_axes))
    return "" if edge.local is None else words.number(edge.local)


def _label(node: NodeFacts, name: str, scalar: bool, notes: Sequence[str]) -> str:
    """The lines of a box; Graphviz reads a backslash as a sign of its own, so the package escapes it."""
    import graphviz

    value = "" if node.value is None else words.reading(node.value)
    shape = "" if scalar or node.shape is None or node.shape == () else str(node.shape)
    is_norm = node.value is not None and words.is_norm(node.value)
    known = name if name == value or not value or is_norm else f"{name} = {value}"
    state = words.gradient(node, node.grad)
    lines = [words.badge(node), known if known != state else "", shape, state, *notes]
    return str(graphviz.nohtml("\\n".join(graphviz.escape(line) for line in lines if line)))

"""Graphs as plain facts, whatever holds them. Reads the graph, changes nothing, keeps nothing of it.

Four kinds are known: our Tensors, scalar Values, explicit graphs, and Tensors of closures, as a learner writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from minitorch.autograd.node import Node
from minitorch.autograd.tensor_base import TensorBase
from minitorch.viz.facts import closures, scalars, tensors, words
from minitorch.viz.facts.model import Graph, Trace
from minitorch.viz.facts.results import is_named, is_several, name_of, results


def snapshot(root: Any, names: Mapping[str, Any] | None = None) -> Graph:
    """The graph behind `root`, a Tensor or a scalar Value, or the explicit graph `root`, as it is now.

    names: what to call which Tensor or Value; other entries are ignored, so that `globals()` will do. Raises TypeError
    when `root` is neither.
    """
    if isinstance(root, (TensorBase, Node)):
        return tensors.graph_of(root, names or {})[0]
    if _is_stored(root):
        from minitorch.viz.facts import stored

        return stored.snapshot(root, names or {})
    if closures.is_tensor(root):
        return closures.snapshot(root, names or {})
    return scalars.snapshot(root, names or {})


def snapshot_of_all(root: Any, names: Mapping[str, Any] | None = None) -> Graph:
    """The same of all results in a tuple, a list, a mapping or a dataclass, nested as they come, or of one.

    A result is named by its key or field; by its position where nothing else names it. Raises TypeError, too, where
    results are of two kinds.
    """
    found = list(results(root))
    if not is_several(root) or not found:
        return snapshot(root, names)
    graph, places = together([part for _, part in found], names or {})
    ways: dict[int, str] = {}
    for place, (way, _) in zip(places, found, strict=True):
        ways.setdefault(place, way)
    nodes = list(graph.nodes)
    for place, way in ways.items():
        if is_named(way) or not nodes[place].label:
            nodes[place] = replace(nodes[place], label=words.tidy(name_of(way)))
    return replace(graph, nodes=tuple(nodes), results=tuple(ways) if len(ways) > 1 else ())


def together(roots: Sequence[Any], names: Mapping[str, Any]) -> tuple[Graph, list[int]]:
    """All that several Tensors, or scalar Values, were made from, and the place of each. The last of them is the root.

    Raises TypeError where both kinds are among them, or anything else.
    """
    if all(isinstance(each, TensorBase) for each in roots):
        tops = [each._node for each in roots if each._node is not None]
        if not tops:
            raise TypeError("none of these Tensors has a graph: one of them must have requires_grad=True")
        graph, where = tensors.graph_of_all(tops, names)
        places = [where[top] for top in tops]
        return replace(graph, root=places[-1]), places
    for kind, read in ((closures.is_tensor, closures.snapshot), (scalars.is_value, scalars.snapshot)):
        if all(map(kind, roots)):
            whole = read(_Several(roots), names)
            edges = tuple(edge for edge in whole.edges if edge.dst != whole.root)
            places = [edge.src for edge in whole.operands[whole.root]]
            return Graph(whole.nodes[:-1], edges, places[-1], whole.scalar), places
    for each in roots:
        if not isinstance(each, TensorBase):
            snapshot(each, names)  # which says what is to be given in place of what has no graph
    kinds = ", ".join(dict.fromkeys(type(each).__name__ for each in roots))
    raise TypeError(f"several results in one picture are Tensors or scalar Values, all of one kind, not {kinds}")


class _Several:
    """Several nodes as the operands of one that is not there."""

    data = 0.0
    _op = "together"

    def __init__(self, nodes: Sequence[Any]) -> None:
        self._prev = tuple(nodes)
        self.uid = 1 + max((each.uid for each in nodes if isinstance(getattr(each, "uid", None), int)), default=0)


def trace(root: Any, names: Mapping[str, Any] | None = None) -> Trace:
    """The backward pass of `root`, contribution by contribution, computed aside: no `.grad` is read or changed.

    Raises as `backward` does for a Tensor that is a constant, not one number, or whose graph was freed; ValueError for
    scalar nodes that do not say their local gradients, TypeError for a Tensor made of closures.
    """
    if isinstance(root, TensorBase):
        return tensors.trace(root, names or {})
    if _is_stored(root):
        from minitorch.viz.facts import stored

        return stored.trace(root, names or {})
    if closures.is_tensor(root):
        raise TypeError(
            "the closures of this Tensor do not say what they contribute one by one, so its backward pass cannot be "
            "stepped through: viz.graph and viz.shapes show it as a whole"
        )
    return scalars.trace(root, names or {})


def _is_stored(root: Any) -> bool:
    """True for an AutogradGraph. Whoever has one has loaded its module, and rustworkx with it; a picture does not."""
    store = sys.modules.get("minitorch.graph.store")
    return store is not None and isinstance(root, store.AutogradGraph)

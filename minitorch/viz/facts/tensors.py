"""Graphs of our own Tensors as plain facts, and their backward pass, contribution by contribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.autograd.grad import Contribution, steps
from minitorch.autograd.node import Node, ancestors
from minitorch.autograd.rules import OUT, Backward
from minitorch.autograd.tensor_base import TensorBase
from minitorch.backend import is_array, to_host
from minitorch.viz.facts import words
from minitorch.viz.facts.formulas import STRETCHING
from minitorch.viz.facts.model import Edge, Event, Graph, NodeFacts, Reading, Shape, Trace
from minitorch.viz.facts.reading import read


def graph_of(root: TensorBase | Node, names: Mapping[str, Any]) -> tuple[Graph, dict[Node, int]]:
    """The graph behind `root`, and where in it each node of the engine stands.

    Oldest first, each node right after those of its operands that are constants: the engine has no node for them, so
    each is drawn by itself, with its number where the operation kept it. A constant without a graph is one node.
    """
    top = root if isinstance(root, Node) else root._node
    if top is None:
        assert isinstance(root, TensorBase)
        name = _labels(names)[1].get(id(root._data), ("", root._data))[0]
        node = NodeFacts(
            0, "constant", words.tidy(name), shape=root._data.shape, dtype=str(root._data.dtype), value=read(root._data)
        )
        return Graph((node,), (), 0, scalar=False), {}
    return graph_of_all([top], names)


def graph_of_all(tops: Sequence[Node], names: Mapping[str, Any]) -> tuple[Graph, dict[Node, int]]:
    """The graph behind several places, whose root is the first of them; and where in it each node stands."""
    labels, constants = _labels(names)
    nodes: list[NodeFacts] = []
    edges: list[Edge] = []
    where: dict[Node, int] = {}
    places = ancestors(tops)
    passed, kept = passed_by(places), _kept(places)
    for place in places:
        sources = []
        for slot, parent in enumerate(place.parents):
            if parent is None:
                nodes.append(_constant(len(nodes), kept.get((place, slot)), constants, _was_freed(place, slot)))
                sources.append(len(nodes) - 1)
            else:
                sources.append(where[parent])
        where[place] = len(nodes)
        nodes.append(_node(len(nodes), place, labels.get(place, ""), place in passed, kept.get((place, OUT))))
        for slot, source in enumerate(sources):
            number = nodes[source].kind == "constant" and nodes[source].shape == ()  # stretched, but that is no news
            stretched = () if number else _stretched_axes(place, nodes[source].shape)
            edges.append(Edge(source, where[place], slot, broadcast_axes=stretched))
    return Graph(tuple(nodes), tuple(edges), where[tops[0]], scalar=False), where


def _labels(names: Mapping[str, Any]) -> tuple[dict[Node, str], dict[int, tuple[str, np.ndarray]]]:
    """Names of places in the graph, and of constants: those are known again by their array."""
    labels: dict[Node, str] = {}
    constants: dict[int, tuple[str, np.ndarray]] = {}
    for name, thing in names.items():
        if name.startswith("_") or not isinstance(thing, (TensorBase, Node)):
            continue
        place = thing if isinstance(thing, Node) else thing._node
        if place is not None:
            labels.setdefault(place, name)
        elif isinstance(thing, TensorBase):
            constants.setdefault(id(thing._data), (name, thing._data))
    return labels, constants


def passed_by(places: Sequence[Node]) -> set[Node]:
    """Those of all the places of a graph, parents first, that a backward pass has been at.

    It leaves traces where it frees what an operation saved, and where a Tensor that is held got a gradient; from there
    on it has gone to everything behind. A leaf's gradient is no trace: another graph may have given it.
    """
    found: set[Node] = set()
    for place in reversed(places):
        if place in found or (not place.is_leaf and (place.saved is None or place.grad is not None)):
            found.add(place)
            found.update(parent for parent in place.parents if parent is not None)
    return found


def _kept(places: Sequence[Node]) -> dict[tuple[Node, int], Any]:
    """What operations have saved: the numbers of an operand by the operation and its slot, of a result by its place.

    So a Tensor that nobody holds shows its numbers all the same, as long as an operation needs them.
    """
    found: dict[tuple[Node, int], Any] = {}
    for place in places:
        if not isinstance(place.rule, Backward):
            continue
        for value, origin in zip(place.saved or (), place.rule.origins, strict=False):
            if origin == OUT:
                found[place, OUT] = value
            elif origin is not None and origin >= 0:
                parent = place.parents[origin]
                found[(place, origin) if parent is None else (parent, OUT)] = value
    return found


def _node(idx: int, place: Node, label: str, passed: bool, kept: Any) -> NodeFacts:
    """passed: a backward pass has been here, and has dropped the gradients of what nobody holds. kept: its numbers,
    where an operation has them.
    """
    tensor = place.tensor
    value = kept if tensor is None else tensor._data
    return NodeFacts(
        idx,
        "leaf" if place.is_leaf else "op",
        words.tidy(label),
        words.tidy(place.op),
        place.shape,
        str(place.dtype),
        value=None if value is None or np.shape(value) != place.shape else read(value),
        grad=None if place.grad is None else read(place.grad),
        freed=passed and place.grad is None and tensor is None and not place.is_leaf,
        slope=float(place.saved[1]) if place.op == "leaky_relu" and place.saved else None,
    )


def _was_freed(place: Node, slot: int) -> bool:
    """Whether the operation had kept the numbers of this operand, until a backward pass freed them."""
    return place.saved is None and isinstance(place.rule, Backward) and slot in place.rule.origins


def _constant(idx: int, kept: Any, constants: Mapping[int, tuple[str, np.ndarray]], freed: bool) -> NodeFacts:
    """An operand without a place in the graph. Its numbers are known only if the operation kept them."""
    if id(kept) in constants:
        name, array = constants[id(kept)]
        return NodeFacts(
            idx, "constant", words.tidy(name), shape=array.shape, dtype=str(array.dtype), value=read(array)
        )
    if kept is None or not (is_array(kept) or isinstance(kept, (int, float, np.generic))):
        return NodeFacts(idx, "constant", shape=None, freed=freed)
    array = np.asarray(to_host(kept))
    return NodeFacts(
        idx, "constant", shape=array.shape, dtype=str(array.dtype) if is_array(kept) else "", value=read(array)
    )


def _stretched_axes(place: Node, shape: Shape | None) -> tuple[int, ...]:
    """The axes of the result along which an operand of `shape` is repeated."""
    if shape is None:
        return ()
    if place.op in STRETCHING:
        return reduced_axes(place.shape, shape) or ()
    if place.op == "matmul" and len(shape) >= 2 and len(place.shape) >= 2:
        return reduced_axes(place.shape[:-2], shape[:-2]) or ()
    return ()


def trace(root: TensorBase, names: Mapping[str, Any]) -> Trace:
    """The backward pass of a Tensor, computed aside. Raises as its `backward` does."""
    walk = steps(root)
    graph, where = graph_of(root, names)
    edge_at = {(edge.dst, edge.slot): number for number, edge in enumerate(graph.edges)}
    one = Reading(graph.nodes[graph.root].shape or (), 1.0, (1.0,))
    events = [Event("seed", graph.root, one, one)]
    for step in walk:
        if step.arrived is not None:
            after = read(step.gradient)
            events.append(Event("hook", where[step.node], after, after))
        for each in step.contributions:
            total = each.gradient if each.before is None else np.asarray(each.before + each.gradient)
            events.append(
                Event(
                    "set" if each.first else "add",
                    where[each.parent],
                    read(each.gradient),
                    read(total),
                    edge_at[where[each.node], each.slot],
                    read(each.upstream),
                    each.reduced_axes,
                    _shape_before(each),
                )
            )
    return Trace(graph, tuple(events))


def _shape_before(each: Contribution[Node]) -> Shape | None:
    """The shape that was summed, where it is the result's own (as in every elementwise operation)."""
    same = each.reduced_axes and reduced_axes(each.node.shape, each.parent.shape) == each.reduced_axes
    return each.node.shape if same else None

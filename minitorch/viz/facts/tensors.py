"""Graphs of our own Tensors as plain facts, and their backward pass, contribution by contribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.autograd.grad import Contribution, steps
from minitorch.autograd.handle import Handle
from minitorch.autograd.node import Node, ancestors
from minitorch.viz.facts import words
from minitorch.viz.facts.formulas import STRETCHING
from minitorch.viz.facts.model import Edge, Event, Graph, NodeFacts, Reading, Shape, Trace
from minitorch.viz.facts.reading import read

# Operations that save, of Python numbers, nothing but an operand.
_SAVES_OPERANDS = frozenset({"mul", "div", "pow", "maximum", "minimum"})


def graph_of(root: Handle | Node, names: Mapping[str, Any]) -> tuple[Graph, dict[Node, int]]:
    """The graph behind `root`, and where in it each node of the engine stands.

    Oldest first, each node right after those of its operands that are constants: the engine has no node for them, so
    each is drawn by itself, with its number where the operation kept it. A constant without a graph is one node.
    """
    top = root if isinstance(root, Node) else root._node
    labels, constants = _labels(names)
    if top is None:
        assert isinstance(root, Handle)
        name = constants.get(id(root._data), ("", root._data))[0]
        node = NodeFacts(
            0, "constant", words.tidy(name), shape=root._data.shape, dtype=str(root._data.dtype), value=read(root._data)
        )
        return Graph((node,), (), 0, scalar=False), {}
    nodes: list[NodeFacts] = []
    edges: list[Edge] = []
    where: dict[Node, int] = {}
    places = ancestors([top])
    passed = any(place.saved is None for place in places)
    for place in places:
        sources = []
        for parent in place.parents:
            if parent is None:
                nodes.append(_constant(len(nodes), place, constants))
                sources.append(len(nodes) - 1)
            else:
                sources.append(where[parent])
        where[place] = len(nodes)
        nodes.append(_node(len(nodes), place, labels.get(place, ""), passed))
        for slot, source in enumerate(sources):
            number = nodes[source].kind == "constant" and nodes[source].shape == ()  # stretched, but that is no news
            stretched = () if number else _stretched_axes(place, nodes[source].shape)
            edges.append(Edge(source, where[place], slot, broadcast_axes=stretched))
    return Graph(tuple(nodes), tuple(edges), where[top], scalar=False), where


def _labels(names: Mapping[str, Any]) -> tuple[dict[Node, str], dict[int, tuple[str, np.ndarray]]]:
    """Names of places in the graph, and of constants: those are known again by their array."""
    labels: dict[Node, str] = {}
    constants: dict[int, tuple[str, np.ndarray]] = {}
    for name, thing in names.items():
        if name.startswith("_") or not isinstance(thing, (Handle, Node)):
            continue
        place = thing if isinstance(thing, Node) else thing._node
        if place is not None:
            labels.setdefault(place, name)
        elif isinstance(thing, Handle):
            constants.setdefault(id(thing._data), (name, thing._data))
    return labels, constants


def _node(idx: int, place: Node, label: str, passed: bool) -> NodeFacts:
    """passed: a backward pass has been here, and has dropped the gradients of what nobody holds."""
    tensor = place.tensor
    return NodeFacts(
        idx,
        "leaf" if place.is_leaf else "op",
        words.tidy(label),
        words.tidy(place.op),
        place.shape,
        str(place.dtype),
        value=None if tensor is None else read(tensor._data),
        grad=None if place.grad is None else read(place.grad),
        freed=passed and place.grad is None and tensor is None and not place.is_leaf,
    )


def _constant(idx: int, place: Node, constants: Mapping[int, tuple[str, np.ndarray]]) -> NodeFacts:
    """An operand without a place in the graph. It is known only if the operation kept it, and it is the only one."""
    kept = place.saved or ()
    if place.parents.count(None) == 1:
        for value in kept:
            if id(value) in constants:
                name, array = constants[id(value)]
                return NodeFacts(
                    idx, "constant", words.tidy(name), shape=array.shape, dtype=str(array.dtype), value=read(array)
                )
        plain = [float(value) for value in kept if isinstance(value, (int, float))]
        if len(plain) == 1 and place.op in _SAVES_OPERANDS:
            return NodeFacts(idx, "constant", value=Reading((), abs(plain[0]), (plain[0],)))
    return NodeFacts(idx, "constant", shape=None)


def _stretched_axes(place: Node, shape: Shape | None) -> tuple[int, ...]:
    """The axes of the result along which an operand of `shape` is repeated."""
    if shape is None:
        return ()
    if place.op in STRETCHING:
        return reduced_axes(place.shape, shape) or ()
    if place.op == "matmul" and len(shape) >= 2 and len(place.shape) >= 2:
        return reduced_axes(place.shape[:-2], shape[:-2]) or ()
    return ()


def trace(root: Handle, names: Mapping[str, Any]) -> Trace:
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

"""From a Tensor or a scalar Value to plain facts. Reads the graph, changes nothing, keeps nothing of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.autograd.grad import Contribution, steps
from minitorch.autograd.handle import Handle
from minitorch.autograd.node import Node as Place
from minitorch.viz.facts import closures, scalars, words
from minitorch.viz.facts.model import Edge, Event, Graph, Node, Reading, Shape, Trace
from minitorch.viz.facts.reading import read

# Operations whose operands are stretched to the shape of the result; a test compares the list with the op table.
STRETCHING = frozenset(
    {
        *("add", "sub", "mul", "div", "floor_divide", "remainder", "fmod", "pow", "maximum", "minimum", "where"),
        *("atan2", "hypot", "logaddexp", "xlogy", "lerp", "clamp", "clamp_min", "clamp_max", "expand", "broadcast_to"),
    }
)

# Operations that save, of Python numbers, nothing but an operand.
_SAVES_OPERANDS = frozenset({"mul", "div", "pow", "maximum", "minimum"})


def snapshot(root: Any, names: Mapping[str, Any] | None = None) -> Graph:
    """The graph behind `root`, a Tensor or a scalar Value, or the explicit graph `root`, as it is now.

    names: what to call which Tensor or Value; other entries are ignored, so that `globals()` will do. Raises TypeError
    when `root` is neither.
    """
    if isinstance(root, (Handle, Place)):
        return _tensor_graph(root, names or {})[0]
    if _is_stored(root):
        from minitorch.viz.facts import stored

        return stored.snapshot(root, names or {})
    if closures.is_tensor(root):
        return closures.snapshot(root, names or {})
    return scalars.snapshot(root, names or {})


def trace(root: Any, names: Mapping[str, Any] | None = None) -> Trace:
    """The backward pass of `root`, contribution by contribution, computed aside: no `.grad` is read or changed.

    Raises as `backward` does for a Tensor that is a constant, not one number, or whose graph was freed; ValueError for
    scalar nodes that do not say their local gradients, TypeError for a Tensor made of closures.
    """
    if isinstance(root, Handle):
        return _tensor_trace(root, names or {})
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


# -- tensors -------------------------------------------------------------------------------------------------------


def _tensor_graph(root: Handle | Place, names: Mapping[str, Any]) -> tuple[Graph, dict[Place, int]]:
    top = root if isinstance(root, Place) else root._node
    labels, constants = _labels(names)
    if top is None:
        assert isinstance(root, Handle)
        name = constants.get(id(root._data), ("", root._data))[0]
        node = Node(
            0, "constant", words.tidy(name), shape=root._data.shape, dtype=str(root._data.dtype), value=read(root._data)
        )
        return Graph((node,), (), 0, scalar=False), {}
    nodes: list[Node] = []
    edges: list[Edge] = []
    where: dict[Place, int] = {}
    for place in ancestors(top):
        sources = []
        for parent in place.parents:
            if parent is None:
                nodes.append(_constant(len(nodes), place, constants))
                sources.append(len(nodes) - 1)
            else:
                sources.append(where[parent])
        where[place] = len(nodes)
        nodes.append(_node(len(nodes), place, labels.get(place, "")))
        for slot, source in enumerate(sources):
            number = nodes[source].kind == "constant" and nodes[source].shape == ()  # stretched, but that is no news
            stretched = () if number else _stretched_axes(place, nodes[source].shape)
            edges.append(Edge(source, where[place], slot, broadcast_axes=stretched))
    return Graph(tuple(nodes), tuple(edges), where[top], scalar=False), where


def _labels(names: Mapping[str, Any]) -> tuple[dict[Place, str], dict[int, tuple[str, np.ndarray]]]:
    """Names of places in the graph, and of constants: those are known again by their array."""
    labels: dict[Place, str] = {}
    constants: dict[int, tuple[str, np.ndarray]] = {}
    for name, thing in names.items():
        if name.startswith("_") or not isinstance(thing, (Handle, Place)):
            continue
        place = thing if isinstance(thing, Place) else thing._node
        if place is not None:
            labels.setdefault(place, name)
        elif isinstance(thing, Handle):
            constants.setdefault(id(thing._data), (name, thing._data))
    return labels, constants


def ancestors(top: Place) -> list[Place]:
    """top and everything it was made from, oldest first."""
    found = {top}
    stack = [top]
    while stack:
        for parent in stack.pop().parents:
            if parent is not None and parent not in found:
                found.add(parent)
                stack.append(parent)
    return sorted(found, key=lambda place: place.uid)


def _node(idx: int, place: Place, label: str) -> Node:
    tensor = place.tensor
    dropped = place.grad is None and place.saved is None and tensor is None
    return Node(
        idx,
        "leaf" if place.is_leaf else "op",
        words.tidy(label),
        words.tidy(place.op),
        place.shape,
        str(place.dtype),
        value=None if tensor is None else read(tensor._data),
        grad=None if place.grad is None else read(place.grad),
        freed=dropped,
    )


def _constant(idx: int, place: Place, constants: Mapping[int, tuple[str, np.ndarray]]) -> Node:
    """An operand without a place in the graph. It is known only if the operation kept it, and it is the only one."""
    kept = place.saved or ()
    if place.parents.count(None) == 1:
        for value in kept:
            if id(value) in constants:
                name, array = constants[id(value)]
                return Node(
                    idx, "constant", words.tidy(name), shape=array.shape, dtype=str(array.dtype), value=read(array)
                )
        plain = [float(value) for value in kept if isinstance(value, (int, float))]
        if len(plain) == 1 and place.op in _SAVES_OPERANDS:
            return Node(idx, "constant", value=Reading((), abs(plain[0]), (plain[0],)))
    return Node(idx, "constant", shape=None)


def _stretched_axes(place: Place, shape: Shape | None) -> tuple[int, ...]:
    """The axes of the result along which an operand of `shape` is repeated."""
    if shape is None:
        return ()
    if place.op in STRETCHING:
        return reduced_axes(place.shape, shape) or ()
    if place.op == "matmul" and len(shape) >= 2 and len(place.shape) >= 2:
        return reduced_axes(place.shape[:-2], shape[:-2]) or ()
    return ()


def _tensor_trace(root: Handle, names: Mapping[str, Any]) -> Trace:
    arrivals: Iterable[Contribution] = steps(root)
    graph, where = _tensor_graph(root, names)
    edge_at = {(edge.dst, edge.slot): number for number, edge in enumerate(graph.edges)}
    one = Reading(graph.nodes[graph.root].shape or (), 1.0, (1.0,))
    events = [Event("seed", graph.root, one, one)]
    for each in arrivals:
        after = each.gradient if each.before is None else np.asarray(each.before + each.gradient)
        events.append(
            Event(
                "set" if each.first else "add",
                where[each.parent],
                read(each.gradient),
                read(after),
                edge_at[where[each.node], each.slot],
                read(each.upstream),
                each.reduced_axes,
                _shape_before(each),
            )
        )
    return Trace(graph, tuple(events))


def _shape_before(each: Contribution) -> Shape | None:
    """The shape that was summed, where it is the result's own (as in every elementwise operation)."""
    same = each.reduced_axes and reduced_axes(each.node.shape, each.parent.shape) == each.reduced_axes
    return each.node.shape if same else None

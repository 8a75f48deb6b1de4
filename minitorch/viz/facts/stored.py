"""Explicit graphs (`minitorch.graph`) as plain facts: nodes of minitorch and of PyTorch alike."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.autograd.node import ancestors
from minitorch.autograd.tensor_base import TensorBase
from minitorch.graph.executor import GraphExecutor
from minitorch.graph.node import GraphNode
from minitorch.graph.store import AutogradGraph
from minitorch.viz.facts import words
from minitorch.viz.facts.formulas import STRETCHING
from minitorch.viz.facts.model import Edge, Event, Graph, NodeFacts, Reading, Shape, Trace
from minitorch.viz.facts.reading import SMALL, read
from minitorch.viz.facts.tensors import passed_by


def snapshot(graph: AutogradGraph, names: Mapping[str, Any]) -> Graph:
    """All that the graph's results were made from: those that somebody holds; of a closed graph all that it had.

    Raises ValueError when nothing was recorded, or nobody holds a result any more.
    """
    had_results = any(node.op for node in graph.nodes())
    ends, nodes = graph.ends(), graph.nodes()
    if had_results and not any(node.op for node in nodes):
        raise ValueError(f"{graph!r} has lost its results, for it holds none: keep the loss until its graph is drawn")
    if not nodes:
        raise ValueError(f"{graph!r} is empty: compute something inside its `with` block first")
    tops = ends or [node for node in nodes if node.op and not graph.children(node)] or nodes[-1:]
    return _below(graph, tops, names)[0]


def trace(graph: AutogradGraph, names: Mapping[str, Any]) -> Trace:
    """The backward pass from the graph's one living scalar. Raises as GraphExecutor.steps does."""
    executor = GraphExecutor(graph)
    top = executor.root()
    picture, where = _below(graph, [top], names)
    edge_at = {(edge.dst, edge.slot): number for number, edge in enumerate(picture.edges)}
    one = Reading(top.shape, 1.0, (1.0,))
    events = [Event("seed", picture.root, one, one)]
    parts: dict[int, list[Reading]] = {}  # what calls of several results were given, result by result
    for step in executor.steps(top):
        if step.node.uid not in where:
            continue  # a result that nothing uses, of a call whose other results are used
        if step.arrived is not None:
            changed = _read(step.gradient)
            events.append(Event("hook", where[step.node.uid], changed, changed))
        for each in step.contributions:
            target = where.get(each.parent.uid)
            if target is None:
                continue
            after = _read(each.gradient if each.before is None else each.before + each.gradient)
            is_first = each.before is None
            if picture.nodes[target].shape is None:
                given = parts.setdefault(target, [])
                given.append(after)
                is_first = len(given) == 1
                after = Reading((), math.hypot(*(part.norm for part in given)))
            edge = edge_at.get((where[step.node.uid], each.slot))
            events.insert(
                len(events) if edge is not None else _handed_on(picture, events, target),
                Event(
                    "set" if is_first else "add",
                    target,
                    _read(each.gradient),
                    after,
                    edge,
                    None if picture.nodes[where[step.node.uid]].shape is None else _read(step.gradient),
                    each.reduced_axes,
                    _shape_before(step.node, each.parent, each.reduced_axes),
                ),
            )
    return Trace(picture, tuple(events))


def _handed_on(graph: Graph, events: Sequence[Event], node: int) -> int:
    """Where among the events a node's gradient was complete: before the first that it gave to another."""
    given = (place for place, event in enumerate(events) if event.edge is not None and _giver(graph, event) == node)
    return next(given, len(events))


def _giver(graph: Graph, event: Event) -> int | None:
    return None if event.edge is None else graph.edges[event.edge].dst


def _below(graph: AutogradGraph, tops: Sequence[GraphNode], names: Mapping[str, Any]) -> tuple[Graph, dict[int, int]]:
    """The graph behind `tops` with its constants, and where in it each node of the store stands, by uid."""
    labels = _labels(graph, names)
    tensors = [graph.tensor(top) for top in tops]
    places = [each._node for each in tensors if isinstance(each, TensorBase) and each._node is not None]
    passed = {place.uid for place in passed_by(ancestors(places))}
    wanted, behind = {top.uid for top in tops}, []
    for node in reversed(graph.nodes()):
        if node.uid in wanted:
            behind.append(node)
            wanted.update(parent.uid for parent in graph.parents(node))
    nodes: list[NodeFacts] = []
    edges: list[Edge] = []
    where: dict[int, int] = {}
    for node in reversed(behind):
        sources: list[tuple[int, int]] = []
        for constant in node.constants:
            value = None if constant.value is None else _read(constant.value)
            sources.append((constant.slot, len(nodes)))
            nodes.append(NodeFacts(len(nodes), "constant", shape=constant.shape, value=value))
        sources += [(slot, where[parent.uid]) for slot, parent in graph.operands(node)]
        where[node.uid] = len(nodes)
        label = labels.get(node.uid) or node.name or _module(graph, node.scope)
        nodes.append(_node(len(nodes), graph, node, label, node.uid in passed))
        for slot, source in sorted(sources):
            number = nodes[source].kind == "constant" and nodes[source].shape == ()
            stretched = () if number else _stretched_axes(node, nodes[source].shape)
            edges.append(Edge(source, where[node.uid], slot, broadcast_axes=stretched))
    ends = tuple(where[top.uid] for top in tops)
    return Graph(tuple(nodes), tuple(edges), ends[-1], False, ends if len(ends) > 1 else ()), where


def _labels(graph: AutogradGraph, names: Mapping[str, Any]) -> dict[int, str]:
    """uid → name, of the tensors in `names` that the graph knows."""
    found: dict[int, str] = {}
    for name, thing in names.items():
        node = None if name.startswith("_") else graph.find(thing)
        if node is not None:
            found.setdefault(node.uid, name)
    return found


def _module(graph: AutogradGraph, path: str) -> str:
    """The path of a module; where it reads as a number, as of a Sequential's children, after what kind it is of."""
    kind = graph.kinds.get(path, "")
    return f"{kind} {path}" if kind and path.replace(".", "").isdigit() else path


def _node(idx: int, graph: AutogradGraph, node: GraphNode, label: str, passed: bool) -> NodeFacts:
    """A node's facts. passed: a backward pass has been here, and has dropped what nobody holds."""
    tensor = graph.tensor(node)
    value = getattr(tensor, "data", node.value) if tensor is not None else node.value
    held = tensor is not None and (node.is_leaf or node.backend == "minitorch" or tensor.retains_grad)
    grad = tensor.grad if held else None
    statistics = None if node.gradient is None else Reading(node.shape, node.gradient.norm)
    return NodeFacts(
        idx,
        "leaf" if node.is_leaf else "op",
        words.tidy(label),
        words.tidy(node.op),
        None if node.is_call else node.shape,
        "" if node.is_call else node.dtype,
        value=None if value is None else _read_if_any(value),
        grad=statistics if grad is None else _read_if_any(grad),
        freed=passed and tensor is None and statistics is None,
    )


def _read(values: Any) -> Reading:
    """What is written down of an array, a number or a tensor of either library that has numbers."""
    found = _read_if_any(values)
    if found is None and getattr(values, "is_nested", False):
        raise ValueError(
            "a nested tensor is of several shapes, so there is no one array to step through: "
            "viz.graph draws what was recorded"
        )
    if found is None:
        raise ValueError(
            f"{type(values).__name__} of shape {tuple(values.shape)} on the device {values.device} has no numbers, so "
            f"there is nothing to step through: viz.graph draws what was recorded"
        )
    return found


def _read_if_any(values: Any) -> Reading | None:
    """None for a tensor of PyTorch's that is a shape and nothing more: on the meta device, or a fake one."""
    plain = values.detach() if hasattr(values, "detach") else values
    if not hasattr(plain, "layout"):
        array = np.asarray(getattr(plain, "_data", plain))
        return read(array.astype(np.float64)) if array.dtype.kind != "c" else _of_complex(array)
    if plain.is_nested:  # of several shapes: no one array
        return None
    if _is_empty(plain):
        return None
    if plain.is_complex():
        return _of_complex(plain.to_dense().cpu().resolve_conj().resolve_neg().numpy())
    if not str(plain.layout).startswith("torch.sparse"):
        return read(plain.cpu().double().numpy())
    if plain.numel() <= SMALL:
        return read(plain.to_dense().cpu().double().numpy())
    stored = plain.coalesce() if str(plain.layout) == "torch.sparse_coo" else plain
    return Reading(tuple(plain.shape), read(stored.values().cpu().double().numpy()).norm)


def _of_complex(array: np.ndarray) -> Reading:
    """A complex array's norm; the axes of a picture have room for real numbers alone."""
    return Reading(array.shape, read(np.abs(array)).norm)


def _is_empty(tensor: Any) -> bool:
    """True for a tensor of PyTorch's that is a shape and nothing more: on the meta device, or a fake one."""
    return tensor.device.type == "meta" or any(kind.__name__ == "FakeTensor" for kind in type(tensor).__mro__)


def _stretched_axes(node: GraphNode, shape: Shape | None) -> tuple[int, ...]:
    return reduced_axes(node.shape, shape) or () if shape is not None and node.op in STRETCHING else ()


def _shape_before(node: GraphNode, parent: GraphNode, axes: tuple[int, ...]) -> Shape | None:
    return node.shape if axes and reduced_axes(node.shape, parent.shape) == axes else None

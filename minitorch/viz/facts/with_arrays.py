"""A graph with its arrays beside it, to be judged or compared and then let go: only facts leave these modules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from minitorch.autograd.grad import steps
from minitorch.autograd.node import Node, ancestors
from minitorch.autograd.rules import UserBackward
from minitorch.autograd.tensor_base import TensorBase
from minitorch.backend import to_host
from minitorch.viz.facts import closures, scalars
from minitorch.viz.facts.capture import snapshot, trace
from minitorch.viz.facts.model import Edge, Graph


@dataclass(frozen=True)
class GraphWithArrays:
    """A graph and, node by node, what it holds.

    ours: its rules are minitorch's own, so that they are known, and what is missing was freed on purpose.
    values, gradients: as they are held, None where nothing is. wants: which nodes want a gradient.
    handmade: the nodes whose rule somebody wrote by hand.
    """

    graph: Graph
    ours: bool
    values: tuple[np.ndarray | None, ...]
    gradients: tuple[Any, ...]
    wants: tuple[bool, ...]
    handmade: frozenset[int] = frozenset()

    @cached_property
    def has_run(self) -> bool:
        """True when the nodes show that a backward pass has been here."""
        passed = any(node.kind == "op" and (grad is not None or node.freed) for node, grad in self._with_gradients)
        return passed or self.gradients[self.graph.root] is not None

    @property
    def _with_gradients(self) -> Any:
        return zip(self.graph.nodes, self.gradients, strict=True)

    @cached_property
    def backward_edges(self) -> tuple[Edge, ...]:
        """Every edge in the order of the backward pass: newest result first, its operands in their order."""
        return tuple(edge for node in reversed(self.graph.nodes) for edge in self.graph.operands[node.idx])


def with_arrays(root: Any, names: Mapping[str, Any] | None = None) -> GraphWithArrays:
    """The graph behind `root`: a Tensor, a scalar Value, or what a learner wrote with the same attributes.

    Raises TypeError when it is none of these, ValueError when the graph goes round in a circle.
    """
    names = names or {}
    if isinstance(root, (TensorBase, Node)):
        return _of_tensor(root, names)
    graph = snapshot(root, names)
    if not closures.is_tensor(root) and not graph.scalar:
        raise TypeError(
            f"this picture needs a Tensor or a scalar Value, not {type(root).__name__}: "
            f"of a recorded graph there are viz.graph and viz.step"
        )
    order = scalars.oldest_first(root)
    gradients = tuple(getattr(each, "grad", None) for each in order)
    if graph.scalar:
        numbers = tuple(np.asarray(float(each.data)) for each in order)
        return GraphWithArrays(graph, False, numbers, gradients, (True,) * len(order))
    wants = tuple(closures.wants_gradient(each) for each in order)
    return GraphWithArrays(graph, False, tuple(closures.as_numbers(each.data) for each in order), gradients, wants)


def worked_out(root: Any, held: GraphWithArrays) -> tuple[Any, ...]:
    """The gradients that a graph holds, and those that a backward pass of it gives aside where it holds none.

    Only inner nodes are filled in once a pass has been there: a leaf's gradient may be the sum of several passes.
    What cannot be worked out (a graph that was freed, closures, more than one number) stays as it is.
    """
    found: dict[int, Any] = {}
    graph = held.graph
    if isinstance(root, TensorBase) and root._node is not None and root._data.size == 1:
        places = dict(zip(ancestors([root._node]), _inner(graph), strict=True))
        if any(place.saved is None for place in places):
            return held.gradients
        found = {places[step.node]: to_host(step.gradient) for step in steps(root)}
    elif graph.scalar:
        try:
            arrived = trace(root).gradients()
        except ValueError:  # closures: no node says its local gradients
            return held.gradients
        found = {idx: reading.values[0] for idx, reading in arrived.items() if reading.values is not None}
    return tuple(
        found.get(node.idx) if grad is None and (node.kind == "op" or not held.has_run) else grad
        for node, grad in zip(graph.nodes, held.gradients, strict=True)
    )


def contributions(root: Any, held: GraphWithArrays) -> dict[tuple[int, int], np.ndarray]:
    """What comes along each edge in a backward pass, by result and slot; nothing where it cannot be known."""
    graph = held.graph
    if isinstance(root, TensorBase) and root._node is not None and root._data.size == 1:
        places = dict(zip(ancestors([root._node]), _inner(graph), strict=True))
        if any(place.saved is None for place in places):
            return {}
        return {
            (places[each.node], each.slot): to_host(each.gradient)
            for step in steps(root)
            for each in step.contributions
        }
    if not graph.scalar or any(edge.local is None for edge in graph.edges):
        return {}
    arrived = trace(root).gradients()
    numbers = {idx: reading.values[0] for idx, reading in arrived.items() if reading.values is not None}
    return {
        (edge.dst, edge.slot): np.asarray((edge.local or 0.0) * numbers[edge.dst])
        for edge in graph.edges
        if edge.dst in numbers
    }


def _inner(graph: Graph) -> list[int]:
    return [node.idx for node in graph.nodes if node.kind != "constant"]


def _of_tensor(root: TensorBase | Node, names: Mapping[str, Any]) -> GraphWithArrays:
    """The graph of our own Tensors: arrays on the host, handmade rules told apart."""
    graph = snapshot(root, names)
    top = root if isinstance(root, Node) else root._node
    values: list[np.ndarray | None] = [None] * len(graph.nodes)
    gradients: list[Any] = [None] * len(graph.nodes)
    wants = [node.kind != "constant" for node in graph.nodes]
    handmade = set()
    if top is None:
        assert isinstance(root, TensorBase)
        return GraphWithArrays(graph, True, (to_host(root._data),), (None,), (False,))
    for place, idx in zip(ancestors([top]), _inner(graph), strict=True):
        tensor = place.tensor
        values[idx] = None if tensor is None else to_host(tensor._data)
        gradients[idx] = None if place.grad is None else to_host(getattr(place.grad, "_data", place.grad))
        if isinstance(place.rule, UserBackward):
            handmade.add(idx)
    return GraphWithArrays(graph, True, tuple(values), tuple(gradients), tuple(wants), frozenset(handmade))

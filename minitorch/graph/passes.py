"""How a backward pass is done: by the callables that were recorded, or by minitorch's own engine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from minitorch.autograd.backward import contribute, fitted, free, reachable, reduced_axes, seed_of
from minitorch.autograd.grad import backward_of, hooked
from minitorch.autograd.handle import Handle
from minitorch.autograd.scope import current_scope
from minitorch.backend import as_result, is_array, xp
from minitorch.graph.node import GradientStatistics, GraphNode
from minitorch.graph.recording import Unseen

if TYPE_CHECKING:
    from minitorch.graph.store import AutogradGraph


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a step adds to the gradient of `parent`, its operand number `slot`.

    gradient: of the parent's shape, after a sum over `reduced_axes`. before: the parent's gradient so far, or None.
    """

    parent: GraphNode
    slot: int
    gradient: Any
    before: Any
    reduced_axes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One node of the backward pass: its gradient, complete by now, and what it gives to its parents."""

    node: GraphNode
    gradient: Any
    contributions: tuple[Contribution, ...]


class BackwardPass(Protocol):
    """How one backend does a backward pass; made as cls(graph, root tensor, gradient, retain_graph=…)."""

    def steps(self) -> Iterator[Any]:
        """One record a node, newest first; nothing that a user can see changes."""
        ...

    def run(self) -> Any:
        """The whole pass: sets `.grad` and frees what was saved."""
        ...


class PulledPass:
    """The pass of a backend that recorded a `pull` with every operation. Gradients are added with `+`."""

    def __init__(self, graph: AutogradGraph, root: Any, gradient: Any = None, *, retain_graph: bool = False) -> None:
        self.graph = graph
        self.retain = retain_graph
        self.top = graph.node(root)
        if gradient is None and math.prod(self.top.shape) != 1:
            raise RuntimeError(f"backward starts from one number, not from shape {self.top.shape}: pass gradient=")
        self.seed = root * 0 + 1 if gradient is None else gradient

    def pull(self, node: GraphNode, g: Any) -> Iterable[tuple[int, Any, tuple[int, ...]]]:
        """(slot, contribution, summed axes) for each parent that wants one."""
        if node.pull is None:
            raise RuntimeError(f"{node!r} cannot be differentiated: its pull was freed, or never recorded")
        return [(slot, c, ()) for slot, c in node.pull(g)]

    def complete(self, _node: GraphNode, g: Any) -> Any:
        """The gradient of a node to which nothing more will be added."""
        return g

    def add(self, before: Any, c: Any) -> Any:
        """The sum of two contributions."""
        return before + c

    def steps(self) -> Iterator[Step]:
        """The pass, one node a step, in a ledger of its own."""
        nodes = self.graph.reverse_toposort(self.top)[::-1]
        ledger = {self.top.uid: self.seed}
        while nodes:
            node = nodes.pop()
            if node.uid not in ledger:
                continue
            with Unseen():
                g = self.complete(node, ledger.pop(node.uid))
                pulled = list(self.pull(node, g)) if node.op else []
            parents = dict(self.graph.operands(node))
            found = []
            for slot, c, axes in pulled:
                parent = parents[slot]
                before = ledger.get(parent.uid)
                ledger[parent.uid] = c if before is None else self.add(before, c)
                found.append(Contribution(parent, slot, c, before, axes))
            yield Step(node, g, tuple(found))

    def run(self) -> None:
        """Sets `.grad` of every tensor that is alive; leaves accumulate. Each pull is dropped when it has run."""
        for step in self.steps():
            node = step.node
            node.gradient = statistics(step.gradient)
            if not self.retain:
                node.pull = None
            tensor = self.graph.tensor(node)
            if tensor is not None:
                before = tensor.grad if node.is_leaf else None
                tensor.grad = step.gradient if before is None else before + step.gradient


class EnginePass(PulledPass):
    """The pass over minitorch's own nodes: the engine's rules, its order of additions, its way of freeing."""

    def __init__(self, graph: AutogradGraph, root: Handle, gradient: Any = None, *, retain_graph: bool = False) -> None:
        seed = seed_of(root, gradient)
        assert root._node is not None  # seed_of has refused constants
        nodes = reachable([root._node])
        super().__init__(graph, root, seed, retain_graph=retain_graph)
        self.root = root
        self.places = {node.uid: node for node in nodes}
        self.special = current_scope().anomaly or any(node.notes is not None for node in nodes)

    def pull(self, node: GraphNode, g: Any) -> Iterable[tuple[int, Any, tuple[int, ...]]]:
        """What the node's rule gives each parent, fitted to the parent's shape and dtype."""
        place = self.places[node.uid]
        assert place.rule is not None  # leaves are not asked
        with np.errstate(all="ignore"):
            raw = [(slot, as_result(c)) for slot, c in place.rule.pull(place, g)]
        parents = [place.parents[slot] for slot, _ in raw]
        return [
            (slot, fitted(c, parent, place), reduced_axes(c.shape, parent.shape) or ())
            for (slot, c), parent in zip(raw, parents, strict=True)
            if parent is not None
        ]

    def complete(self, node: GraphNode, g: Any) -> Any:
        """The gradient after the hooks of its Tensor."""
        place = self.places[node.uid]
        return g if place.notes is None else hooked(place, g)

    def add(self, before: Any, c: Any) -> Any:
        """The sum of two contributions; an array, also where it is one number."""
        return as_result(before + c)

    def run(self) -> None:
        """Sets `grad` as Tensor.backward does, by the engine's own additions."""
        nodes = self.graph.reverse_toposort(self.top)
        with Unseen():
            if self.special:
                backward_of(self.root, self.seed, retain_graph=self.retain)
                for node in nodes:
                    node.gradient = statistics(self.places[node.uid].grad)
            else:
                self._run(nodes)

    def _run(self, nodes: list[GraphNode]) -> None:
        for place in self.places.values():
            if place.rule is not None:
                place.grad = None
            elif place.grad is not None:
                place.grad = getattr(place.grad, "_data", place.grad)  # a Tensor, after create_graph=True
        top = self.places[self.top.uid]
        top.grad = self.seed if top.grad is None else as_result(top.grad + self.seed)
        with np.errstate(all="ignore"):
            for node in nodes:
                place = self.places.pop(node.uid)  # so that a place that nobody needs dies once it has been passed
                node.gradient = statistics(place.grad)
                if place.rule is None:
                    continue
                if place.grad is not None:
                    contribute(place)
                if not self.retain:
                    free(place)
                if place() is None:
                    place.grad = None


def statistics(gradient: Any) -> GradientStatistics | None:
    """What is written down of a gradient; None where there is no array of numbers."""
    array = getattr(gradient, "_data", gradient)
    if not is_array(array) or array.size == 0:
        return None
    flat = array.ravel() if array.dtype.itemsize > 2 else array.ravel().astype(np.float32)
    with np.errstate(all="ignore"):
        norm = math.sqrt(float(flat @ flat))
    zeros = 1.0 - int(xp(flat).count_nonzero(flat)) / flat.size
    return GradientStatistics(norm, float(flat.min()), float(flat.max()), zeros)

"""How a backward pass is done: by the callables that were recorded, or by minitorch's own engine."""

from __future__ import annotations

import math
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from minitorch.autograd.backward import Entry, traverse
from minitorch.autograd.grad import (
    Contribution,
    Pulled,
    Step,
    Visit,
    accumulate_in,
    as_step,
    root_seed,
    run_backward,
    steps,
)
from minitorch.autograd.node import Node, ancestors, by_creation
from minitorch.autograd.tensor_base import TensorBase
from minitorch.backend import is_array, xp
from minitorch.graph.node import GradientStatistics, GraphNode
from minitorch.graph.recording import Unseen

if TYPE_CHECKING:
    from minitorch.graph.store import AutogradGraph


class BackwardPass(Protocol):
    """How one backend does a backward pass; made as cls(graph, root tensor, gradient, retain_graph=…)."""

    def steps(self) -> Iterator[Any]:
        """One record a node, newest first; nothing that a user can see changes."""
        ...

    def run(self) -> Any:
        """The whole pass: sets `.grad` and frees what was saved."""
        ...

    def measure(self) -> dict[GraphNode, tuple[int, float]]:
        """Bytes kept and seconds of each operation's gradient rule, in a pass that changes nothing."""
        ...


class BackendPass(BackwardPass, Protocol):
    """The pass of a backend that traces what was not recorded, for `graph.passes`."""

    def __init__(self, graph: AutogradGraph, root: Any, gradient: Any = None, *, retain_graph: bool = False) -> None:
        """Gets ready; raises RuntimeError where no pass can begin at `root`."""
        ...

    @staticmethod
    def takes(root: Any) -> bool:
        """True for a tensor of this backend, which may begin a pass though nobody recorded it."""
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

    def steps(self) -> Iterator[Step[GraphNode]]:
        """The pass, one node a step, in a ledger of its own."""
        nodes = self.graph.reverse_toposort(self.top)[::-1]
        ledger = {self.top: Entry(self.seed)}

        def give(node: GraphNode, g: Any) -> Visit[GraphNode]:
            return node, g, g, accumulate_in(ledger, self._pulled(node, g))

        return map(as_step, traverse(nodes, give, ledger=ledger))

    def _pulled(self, node: GraphNode, g: Any) -> Pulled[GraphNode]:
        """What the node's own `pull` gives each parent that wants something."""
        if node.is_leaf:
            return []
        if node.pull is None:
            raise RuntimeError(f"{node!r} cannot be differentiated: its pull was freed, or never recorded")
        parents = dict(self.graph.operands(node))
        with Unseen():
            return [(slot, parents[slot], c, ()) for slot, c in node.pull(g)]

    def measure(self) -> dict[GraphNode, tuple[int, float]]:
        """Seconds alone: what a `pull` holds is its own affair, and counts as 0 bytes."""
        return {node: (0, seconds) for node, seconds in timed(self.steps()).items()}

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
                tensor.grad = step.gradient * 1 if before is None else before + step.gradient  # never somebody else's


class EnginePass:
    """The pass over minitorch's own nodes: the engine's own traversal, told in nodes of the store."""

    def __init__(
        self, graph: AutogradGraph, root: TensorBase, gradient: Any = None, *, retain_graph: bool = False
    ) -> None:
        if root._node is not None:
            graph.node(root)  # traces what nobody saw being made
        self.graph = graph
        self.root = root
        self.gradient = gradient
        self.retain = retain_graph

    def steps(self) -> Iterator[Step[GraphNode]]:
        """The pass, one node a step, in a ledger of its own."""
        with Unseen():
            walk = steps(self.root, self.gradient)
        return (self._told(step) for step in walk)

    def _told(self, step: Step[Node]) -> Step[GraphNode]:
        node = self.graph.at(step.node.uid)
        given = [
            Contribution(node, self.graph.at(each.parent.uid), *each[2:])  # the rest is the same
            for each in step.contributions
        ]
        return Step(node, step.gradient, tuple(given), step.arrived)

    def measure(self) -> dict[GraphNode, tuple[int, float]]:
        """Arrays that several nodes keep count once, for the oldest; those of leaves are the program's."""
        seconds = timed(self.steps())
        nodes = [] if self.root._node is None else sorted(ancestors([self.root._node]), key=by_creation)
        tensors = [node.tensor for node in nodes if node.is_leaf]
        seen = {id(owner(each._data)) for each in tensors if each is not None}
        kept = {node.uid: _bytes(node.saved, seen) for node in nodes}
        return {node: (kept.get(node.uid, 0), took) for node, took in seconds.items()}

    def run(self) -> None:
        """Sets `grad` as Tensor.backward does, by the same traversal."""
        with Unseen():
            run_backward(root_seed(self.root, self.gradient), self.retain, create_graph=False, after=self._note)

    def _note(self, node: Node, gradient: Any) -> None:
        self.graph.at(node.uid).gradient = statistics(gradient)


def timed(steps: Iterator[Step[GraphNode]]) -> dict[GraphNode, float]:
    """Seconds that each operation took of a walk which works when it is asked."""
    found: dict[GraphNode, float] = {}
    began = perf_counter()
    for step in steps:
        if not step.node.is_leaf:
            found[step.node] = perf_counter() - began
        began = perf_counter()
    return found


def owner(array: Any) -> Any:
    """The array whose memory this one shows."""
    while is_array(getattr(array, "base", None)):
        array = array.base
    return array


def _bytes(saved: Any, seen: set[int]) -> int:
    """What arrays hold that nobody has counted, those in tuples and lists too."""
    if isinstance(saved, (tuple, list)):
        return sum(_bytes(each, seen) for each in saved)
    array = owner(getattr(saved, "_data", saved))
    if not is_array(array) or id(array) in seen:
        return 0
    seen.add(id(array))
    return int(array.nbytes)


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

"""The backward pass over PyTorch's own nodes, one at a time, in the order of PyTorch's engine.

A node is ready when every consumer of its results has run. Of the nodes that are ready the engine runs the youngest,
and adds up the contributions to one result in the order in which they arrive: three numbers added in another order
differ in the last bit. `torch.autograd.grad` for one operation would not do: where z = x + exp(x) it follows the path
through exp too.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import TypeAlias

import torch

from minitorch.autograd.grad import Contribution, Step
from minitorch.bridge import compat
from minitorch.bridge.calls import CallRecorder, Place
from minitorch.graph.node import GradientStatistics, GraphNode
from minitorch.graph.store import AutogradGraph

Gradient: TypeAlias = torch.Tensor | None
OWN = -1  # the slot of what an operation gives to one of its own results


class TorchBackward:
    """One backward pass from `root`, through the operations that `graph` knows; what it does not know is traced.

    gradient: as in `Tensor.backward`. retain_graph: keep the saved tensors. Each node's saved tensors are freed once it
    has run. Raises RuntimeError as `root.backward` does.
    """

    def __init__(
        self,
        graph: AutogradGraph,
        root: torch.Tensor,
        gradient: torch.Tensor | None = None,
        *,
        retain_graph: bool = False,
    ) -> None:
        if not root.requires_grad:
            raise RuntimeError("backward() starts at a tensor that requires grad; this one does not")
        if gradient is None and root.numel() != 1:
            raise RuntimeError(
                f"only one number has an obvious gradient; for shape {tuple(root.shape)} pass gradient=…"
            )
        if gradient is not None and gradient.shape != root.shape:
            raise RuntimeError(
                f"gradient has shape {tuple(gradient.shape)}, but the root has shape {tuple(root.shape)}"
            )
        self._recording = CallRecorder(graph)
        self._graph = graph
        self._retain = retain_graph
        self._watching = False
        self._own: dict[int, tuple[Gradient, ...]] = {}  # uid → the gradients of the operation's results
        self._unhooked: dict[int, Gradient] = {}  # uid → what arrived, where a hook has made something else of it
        self._given: dict[int, list[Contribution[GraphNode]]] = {}  # uid → what it has given so far
        top = compat.accumulator(root) if root.grad_fn is None else root.grad_fn
        number = 0 if root.grad_fn is None else root.output_nr
        if root.grad_fn is not None:
            self._recording.place(top)
        self._waiting, self._unfinished = self._count(top)
        self._arrived: dict[compat.GradFn, list[Gradient]] = {top: [None] * len(compat.outputs(top))}
        self._summed: set[tuple[compat.GradFn, int]] = set()
        seed = torch.ones_like(root) if gradient is None else gradient
        self._arrived[top][number] = seed.detach()
        self._ready = [(-compat.sequence(top), 0, top)]
        self._order = 0

    def run(self) -> None:
        """The whole pass: sets `.grad`, and checkpoints recompute once."""
        compat.in_backward_pass(self._exhaust)

    def steps(self) -> Iterator[Step[GraphNode]]:
        """The pass, one recorded node at a time. It sets no `.grad` and frees nothing; it may be abandoned."""
        self._retain, self._watching = True, True
        taken: list[Step[GraphNode]] = []
        while self._ready:
            compat.in_backward_pass(lambda: taken.extend(self._step()))
            yield from taken
            taken.clear()

    def _exhaust(self) -> None:
        while self._ready:
            self._step()

    def _count(self, top: compat.GradFn) -> tuple[dict[compat.GradFn, int], dict[int, int]]:
        """For each node how many edges lead to it; for each operation how many nodes it has."""
        waiting = {top: 0}
        sizes: dict[int, int] = {}
        stack = [top]
        while stack:
            fn = stack.pop()
            if not compat.accumulates(fn):
                uid = self._recording.place(fn).node.uid
                sizes[uid] = sizes.get(uid, 0) + 1
            for to, _ in fn.next_functions:
                if to is None:
                    continue
                if to not in waiting:
                    waiting[to] = 0
                    stack.append(to)
                waiting[to] += 1
        return waiting, sizes

    def _step(self) -> list[Step[GraphNode]]:
        """Runs one `grad_fn`; says which recorded nodes are complete with it."""
        with torch.no_grad():
            return self._next()

    def _next(self) -> list[Step[GraphNode]]:
        _, _, fn = heapq.heappop(self._ready)
        del self._waiting[fn]
        gradients = self._arrived.pop(fn)
        self._summed.difference_update([(fn, number) for number in range(len(gradients))])
        if compat.accumulates(fn):
            return self._accumulate(fn, gradients[0])
        place = self._recording.place(fn)
        arrived = tuple(gradients) if self._watching else ()
        _run_hooks(place, gradients, retain_grad=not self._watching)
        steps = []
        for number, port in place.ports.items():
            g = gradients[number]
            if g is not None:
                port.gradient = statistics(g)
                if self._watching:
                    up = Contribution(port, place.node, 0, g, g, None)
                    steps.append(Step(port, g, (up,), None if g is arrived[number] else arrived[number]))
        if place.node.uid not in self._own:  # the first to run is the one that made the result
            self._own[place.node.uid] = tuple(gradients) if self._watching else ()
            if self._watching and not place.ports and arrived[0] is not gradients[0]:
                self._unhooked[place.node.uid] = arrived[0]
            if not place.ports and gradients[0] is not None:
                place.node.gradient = statistics(gradients[0])
        found = self._call(fn, place, gradients)
        gradients.clear()  # what arrived is not needed any more; what goes on may be as large
        self._hand_on(fn, place.node, found)
        self._unfinished[place.node.uid] -= 1
        if not self._unfinished[place.node.uid]:
            own = self._own.pop(place.node.uid)
            given = tuple(self._given.pop(place.node.uid, ()))
            unhooked = self._unhooked.pop(place.node.uid, None)
            steps.append(Step(place.node, own[0] if len(own) == 1 else own, given, unhooked))
        return steps if self._watching else []

    def _accumulate(self, fn: compat.GradFn, gradient: Gradient) -> list[Step[GraphNode]]:
        if gradient is None:
            return []
        leaf, arrived = fn.variable, gradient
        for hook in tuple((compat.hooks(leaf) or {}).values()):
            changed = hook(gradient)
            gradient = gradient if changed is None else changed
        node = self._recording.leaf(leaf)
        node.gradient = statistics(gradient)
        if not self._watching:
            fn(gradient)
        return [Step(node, gradient, (), None if gradient is arrived else arrived)]

    def _call(self, fn: compat.GradFn, place: Place, gradients: list[Gradient]) -> list[Gradient]:
        """Runs the node and empties the boxes that it opened."""
        saved = place.saved
        if saved is not None:
            saved.open()
        try:
            found = list(compat.call(fn, gradients))
        finally:
            boxes = [] if saved is None else saved.close()
        if not self._retain:
            for box in boxes:
                box.tensor = None
            compat.let_go(fn)
        return found

    def _hand_on(self, fn: compat.GradFn, node: GraphNode, found: list[Gradient]) -> None:
        found.reverse()
        for to, number in fn.next_functions:
            gradient = found.pop() if found else None
            if to is None:
                continue
            if gradient is not None:
                self._add(node, to, number, compat.fitted(gradient, to, number))
            self._waiting[to] -= 1
            if not self._waiting[to]:
                self._arrived.setdefault(to, [None] * len(compat.outputs(to)))
                self._order += 1
                heapq.heappush(self._ready, (-compat.sequence(to), self._order, to))

    def _add(self, node: GraphNode, to: compat.GradFn, number: int, gradient: torch.Tensor) -> None:
        arrived = self._arrived.setdefault(to, [None] * len(compat.outputs(to)))
        before = arrived[number]
        if self._watching:
            self._show(node, self._recording.source(to, number), gradient, before)
        if before is None:
            arrived[number] = gradient
        elif (to, number) in self._summed and not self._watching:
            before.add_(gradient)  # nobody else has seen this sum
        else:
            arrived[number] = gradient + before if before.is_sparse else before + gradient
            if not before.is_sparse and before.layout is torch.strided:
                self._summed.add((to, number))

    def _show(self, node: GraphNode, parent: GraphNode, gradient: torch.Tensor, before: Gradient) -> None:
        """Notes what an operation gives to another; what passes between its own parts is its own affair.

        Where it has made one of its results from another (an LSTM's h from its c), it gives to its own result: that is
        no operand, and its slot is OWN.
        """
        if parent is node:
            return
        given = self._given.setdefault(node.uid, [])
        slots = [slot for slot, each in self._graph.operands(node) if each is parent]
        earlier = sum(each.parent is parent for each in given)
        slot = slots[min(earlier, len(slots) - 1)] if slots else OWN
        own = self._own[node.uid]
        given.append(Contribution(node, parent, slot, own[0] if len(own) == 1 else own, gradient, before))


def statistics(gradient: torch.Tensor) -> GradientStatistics | None:
    """What is written down of a gradient, without a copy of it."""
    if not gradient.numel() or gradient.layout is not torch.strided or gradient.is_complex():
        return None
    low, high = torch.aminmax(gradient)
    zeros = 1 - int(torch.count_nonzero(gradient)) / gradient.numel()
    return GradientStatistics(float(torch.linalg.vector_norm(gradient)), float(low), float(high), zeros)


def _run_hooks(place: Place, gradients: list[Gradient], *, retain_grad: bool) -> None:
    """What `register_hook` and `retain_grad` asked for of the results of this node."""
    for number, gradient in enumerate(gradients):
        if gradient is None:
            continue
        for hook in tuple(place.hooks.get(number, {}).values()):
            changed = hook(gradient)
            gradient = gradient if changed is None else changed
        gradients[number] = gradient
        holder = place.retaining.get(number)
        tensor = None if holder is None else holder()
        if tensor is not None and retain_grad:
            tensor.grad = gradient.clone() if tensor.grad is None else tensor.grad + gradient

"""One pass of PyTorch's engine told afterwards, a recorded node at a time.

The engine runs a `grad_fn` as soon as its consumers have run, and of those that are ready the youngest. An operation of
several of them is told when the last has run, after everything that uses its results; a leaf after the last operation
that gives it something.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import torch

from minitorch.autograd.grad import Contribution, Step
from minitorch.bridge import compat
from minitorch.bridge.calls import CallRecorder, Place
from minitorch.bridge.watching import Gradients
from minitorch.graph.node import GraphNode

OWN = -1  # the slot of what an operation gives to one of its own results
Told: TypeAlias = Step[GraphNode]
Given: TypeAlias = Contribution[GraphNode]
Edge: TypeAlias = tuple[compat.GradFn, int]


class Film:
    """What hooks saw of a pass, in the order in which the engine did it.

    top, seed: the edge that the pass began at, and the gradient that it began with.
    """

    def __init__(self, recording: CallRecorder, top: Edge, seed: torch.Tensor) -> None:
        self._recording = recording
        self._sums: dict[Edge, torch.Tensor] = {top: seed}  # what has been added up for this output so far
        self._own: dict[GraphNode, Gradients] = {}  # what the node that made the results was given
        self._unhooked: dict[GraphNode, torch.Tensor] = {}
        self._ports: dict[GraphNode, list[Told]] = {}
        self._given: dict[GraphNode, list[Given]] = {}
        self._last: dict[GraphNode, None] = {}  # operations, in the order in which their last node ran
        self._causes: dict[compat.GradFn, set[GraphNode]] = {}  # for which results of its operation a node runs

    def arrived(self, fn: compat.GradFn, gradients: Gradients) -> None:
        """Told by a hook: `fn` is about to run with these gradients of its outputs."""
        if compat.accumulates(fn):
            return
        place = self._recording.place(fn)
        node = self._told_as(place)
        before = [self._changed((fn, number), gradient) for number, gradient in enumerate(gradients)]
        if node is place.node:
            for number, port in place.ports.items():
                g = gradients[number]
                if g is not None:
                    # What is inside of an operation is none of its results: it gives to no other.
                    given = () if place.inner else (Contribution(port, node, 0, g, g, None),)
                    self._ports.setdefault(node, []).append(Step(port, g, given, before[number]))
                    self._causes.setdefault(fn, set()).add(port)
        if node not in self._own:
            self._own[node] = gradients
            first = next((each for each in before if each is not None), None)
            if (not place.ports or node is not place.node) and first is not None:
                self._unhooked[node] = first

    def handed_on(self, fn: compat.GradFn, gradients: Gradients) -> None:
        """Told by a hook: `fn` has run, and gives these gradients to its edges."""
        node = self._told_as(self._recording.place(fn))
        for (to, number), gradient in zip(fn.next_functions, gradients, strict=False):
            if to is None or gradient is None:
                continue
            gradient = compat.fitted(gradient, to, number)
            before = self._sums.get((to, number))
            self._sums[to, number] = gradient if before is None else _sum(before, gradient)
            parent = self._recording.source(to, number, node)
            if parent is not node:
                self._show(node, parent, gradient, before, self._causes_of(fn, to, node))
            elif fn in self._causes:  # what passes between its own parts is its own affair
                self._causes.setdefault(to, set()).update(self._causes[fn])
        self._last.pop(node, None)
        self._last[node] = None

    def steps(self, leaves: Mapping[compat.GradFn, torch.Tensor | None]) -> Iterator[Told]:
        """The pass, each node after everything that gives it something; leaves as soon as they may."""
        told: list[Told] = []
        for node in self._last:
            told += self._ports.pop(node, [])
            gradient = self._gradient(node)
            told.append(Step(node, gradient, tuple(self._given.pop(node, ())), self._unhooked.pop(node, None)))
        for fn, gradient in leaves.items():
            if gradient is not None:
                node = self._recording.leaf(fn.variable)
                told.append(Step(node, gradient, (), self._changed((fn, 0), gradient)))
        self._sums.clear()
        self._own.clear()
        return _in_order(told)

    def _changed(self, edge: Edge, gradient: torch.Tensor | None) -> torch.Tensor | None:
        """What arrived there, where hooks have made something else of it."""
        arrived = self._sums.get(edge)
        if arrived is None or gradient is None or _same(arrived, gradient):
            return None
        return arrived

    def _told_as(self, place: Place) -> GraphNode:
        """In whose step a node is told: what is inside of an operation, and was used outside of it, in its own."""
        if place.inner and len(place.ports) == 1:
            (port,) = place.ports.values()
            if all(parent is not place.node for _, parent in self._recording.graph.operands(port)):
                return port
        return place.node

    def _gradient(self, node: GraphNode) -> Any:
        """What an operation was given: of one result the gradient, of several a tuple, None where nothing came."""
        own = self._own[node]
        return own if node.is_call else next((each for each in own if each is not None), None)

    def _causes_of(self, fn: compat.GradFn, to: compat.GradFn, node: GraphNode) -> set[GraphNode]:
        """For which results of the operation `fn` gives to `to`, where `to` has made another of its results."""
        if compat.accumulates(to):
            return set()
        place = self._recording.place(to)
        return self._causes.get(fn, set()) if place.node is node and not place.inner else set()

    def _show(
        self,
        node: GraphNode,
        parent: GraphNode,
        gradient: torch.Tensor,
        before: torch.Tensor | None,
        causes: set[GraphNode],
    ) -> None:
        """Notes what an operation gives to another.

        Where it has made one of its results from another (an LSTM's h from its c), that result gives to the other one:
        it is no operand, and the slot is OWN. causes: the results for which that is given.
        """
        results = self._ports.get(node, [])
        own = [at for at, step in enumerate(results) if step.node in causes and step.node is not parent]
        if len(own) == 1:
            at = own[0]
            step = results[at]
            gives = Contribution(step.node, parent, OWN, step.gradient, gradient, before)
            results[at] = Step(step.node, step.gradient, (*step.contributions, gives), step.arrived)
            return
        given = self._given.setdefault(node, [])
        slots = [slot for slot, each in self._recording.graph.operands(node) if each is parent]
        earlier = sum(each.parent is parent for each in given)
        slot = slots[min(earlier, len(slots) - 1)] if slots else OWN
        given.append(Contribution(node, parent, slot, self._gradient(node), gradient, before))


def _in_order(told: list[Told]) -> Iterator[Told]:
    """Each step after those that give its node something, else in the order in which they were told; leaves first."""
    steps = dict(enumerate(told))
    told.clear()
    places = {step.node: place for place, step in steps.items()}
    below = {place: _below(step, places, steps) for place, step in steps.items()}
    waiting = dict.fromkeys(steps, 0)
    for place in itertools.chain.from_iterable(below.values()):
        waiting[place] += 1
    ready = [(not steps[place].node.is_leaf, place) for place, count in waiting.items() if not count]
    heapq.heapify(ready)
    while ready:
        _, place = heapq.heappop(ready)
        step = steps.pop(place)
        for after in below.pop(place):
            waiting[after] -= 1
            if not waiting[after]:
                heapq.heappush(ready, (not steps[after].node.is_leaf, after))
        yield step


def _below(step: Told, places: Mapping[GraphNode, int], steps: Mapping[int, Told]) -> list[int]:
    """The places of the steps that this one gives something, once for each time.

    Not of a result to which the operation gives while the result gives to the operation: each would wait for the other.
    """
    found = []
    for each in step.contributions:
        place = places.get(each.parent)
        if place is None:
            continue
        if each.slot == OWN and any(back.parent is step.node for back in steps[place].contributions):
            continue
        found.append(place)
    return found


def _sum(before: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
    """As PyTorch's engine adds: a dense gradient to a sparse one, and not the other way round."""
    return gradient + before if before.is_sparse else before + gradient


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """True for the same numbers. What has no numbers, or keeps only some of them, is taken for unchanged."""
    if one is other or one.layout is not torch.strided or not compat.has_numbers(one):
        return True
    return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())

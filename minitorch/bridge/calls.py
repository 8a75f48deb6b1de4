"""From a call of a PyTorch function to nodes of the graph store.

What is recorded is read off PyTorch's own graph: an operation is the `grad_fn`s that its call has added, and each of
them carries, in its `metadata`, the place that it has in the store. So the store holds no `grad_fn`, every `grad_fn`
knows its node as long as it lives, and an operation that changed a view in place is found by whoever uses the base.
"""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any

import torch
from torch.nn.functional import multi_head_attention_forward as attention

from minitorch.bridge import compat
from minitorch.bridge.dropping import DEPTH, Landing
from minitorch.bridge.operands import as_written, constants_of, flat, small
from minitorch.graph.node import Constant, GraphNode
from minitorch.graph.store import AutogradGraph

Edge = tuple[compat.GradFn, int]  # output number so-and-so of a node


class Place:
    """What a `grad_fn` knows of its node in one graph.

    node: the operation. ports: for operations with several results, the node of each, by its output number. inner: it
    has made none of the results.
    """

    __slots__ = ("depth", "inner", "landing", "node", "ports")

    def __init__(self, node: GraphNode, inner: bool) -> None:
        self.node = node
        self.inner = inner
        self.depth = 0  # nodes below it until a landing
        self.landing: Landing | None = None
        self.ports: dict[int, GraphNode] = {}

    def port(self, number: int) -> GraphNode:
        """The node of output `number`."""
        return self.ports.get(number, self.node)


class CallRecorder:
    """Writes calls into the injected graph. It holds nothing but the graph and the names of leaves (by identity)."""

    def __init__(self, graph: AutogradGraph, names: Mapping[int, str] | None = None) -> None:
        self.graph = graph
        self._names = names or {}
        self._key = weakref.ref(graph)
        self._took = 0.0  # seconds of the call that is being recorded, where calls are timed

    def call(
        self, func: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any], run: Callable[[], Any]
    ) -> Any:
        """Runs a call of `func` with these operands, and records it if its result takes part in autograd.

        Not for calls that must pass through (`compat`): under torch.compile nothing may be asked.
        """
        if not torch.is_grad_enabled() or self.graph.closed:
            if func is attention:
                _tell_of_the_slow_path(named)
            return run()
        before = compat.next_sequence()
        began = 0.0 if self.graph.seconds is None else perf_counter()
        result = run()
        if self.graph.seconds is not None:
            self._took = perf_counter() - began
        made = compat.next_sequence() - before
        if made:
            with compat.as_plain_tensors():
                op, given = as_written(func, args, named)
                if made > 1 or not isinstance(result, torch.Tensor) or not self._note_one(op, given, result):
                    self._note(op, given, flat(result), before)
        elif func is attention:
            _tell_of_the_slow_path(named)
        return result

    def meet(self, things: Any) -> None:
        """Traces what nobody saw being made, as the results of a Function of the program's own, where it is met.

        A view of PyTorch's own is not asked: its `grad_fn` is renewed when it is.
        """
        if not torch.is_grad_enabled() or self.graph.closed or compat.must_pass_through():
            return
        with compat.as_plain_tensors():
            for each in flat(things):
                if isinstance(each, torch.Tensor) and each.requires_grad and compat.keeps_its_fn(each):
                    self._know(each)

    def place(self, fn: compat.GradFn) -> Place:
        """The place of any node of PyTorch's graph. What nobody saw happen is traced: one operation each."""
        found = self._place(fn)
        if found is not None:
            return found
        stack = [fn]
        while stack:
            top = stack[-1]
            if self._place(top) is not None:
                stack.pop()
                continue
            unknown = [
                to
                for to, _ in top.next_functions
                if to is not None and not compat.accumulates(to) and self._place(to) is None
            ]
            if unknown:
                stack.extend(unknown)
            else:
                stack.pop()
                self._trace(top)
        found = self._place(fn)
        assert found is not None
        return found

    def source(self, fn: compat.GradFn, number: int, asking: GraphNode | None = None) -> GraphNode:
        """The node that output `number` of `fn` is, or the leaf that `fn` adds to; asking: the operation that uses it.

        A second derivative may use what is inside of an operation, as the transposed weight of a linear: that is a node
        of its own, beside the result.
        """
        if compat.accumulates(fn):
            return self.leaf(fn.variable)
        place = self.place(fn)
        if number not in place.ports:
            if place.inner and place.node is not asking:
                self._port(fn, number, f"{place.node.op}.{compat.name_of(fn)}", self._inputs(fn, place.node))
            elif place.node.is_call and not place.inner:
                self._port(fn, number, f"{place.node.op}[{number}]", [(0, place.node)])
        return place.port(number)

    def _port(self, fn: compat.GradFn, number: int, op: str, inputs: Sequence[tuple[int, GraphNode]]) -> None:
        """Adds a node for output `number` of `fn`, whose tensor nobody has seen."""
        about = compat.outputs(fn)[number]
        shape, dtype = compat.shape_of_output(about), about.dtype
        place: Place = fn.metadata[self._key]
        place.ports[number] = self.graph.record(op, inputs, None, backend="torch", shape=shape, dtype=dtype)

    def _inputs(self, fn: compat.GradFn, whole: GraphNode) -> list[tuple[int, GraphNode]]:
        """What is inside of an operation is made from what the operation is given; where not at once, from `whole`."""
        edges = [(slot, to, number) for slot, (to, number) in enumerate(fn.next_functions) if to is not None]
        places = [None if compat.accumulates(to) else self._place(to) for _, to, _ in edges]
        if any(place is not None and place.node is whole for place in places):
            return [(0, whole)]
        return [(slot, self.source(to, number)) for slot, to, number in edges]

    def leaf(self, tensor: torch.Tensor) -> GraphNode:
        """The node of a leaf."""
        known = self.graph.find(tensor)
        if known is not None:
            return known
        name, shape = self._names.get(id(tensor), ""), compat.shape(tensor)
        return self.graph.leaf(tensor, backend="torch", name=name, value=small(tensor), shape=shape)

    def _place(self, fn: compat.GradFn) -> Place | None:
        """The place that was written down, unless the graph has swept it since."""
        found: Place | None = fn.metadata.get(self._key)
        return found if found is not None and self.graph.has(found.node.uid) else None

    def _note_one(self, op: str, operands: Sequence[Any], result: torch.Tensor) -> bool:
        """Records what most calls are: one new `grad_fn` on operands whose places are known. False where it is not."""
        fn: compat.GradFn = result.grad_fn
        if fn is None or self._key in fn.metadata or _is_among(result, operands) or result.is_nested:
            return False
        edges = [edge for edge in fn.next_functions if edge[0] is not None]
        wanting = [
            (slot, each) for slot, each in enumerate(operands) if isinstance(each, torch.Tensor) and each.requires_grad
        ]
        if len(edges) != len(wanting):
            return False
        inputs, depth = [], 0
        for (slot, tensor), (to, number) in zip(wanting, edges, strict=True):
            if compat.accumulates(to):
                if to.variable is not tensor:
                    return False
                inputs.append((slot, self.leaf(tensor).uid))
                continue
            place = self._place(to)
            if place is None or tensor.grad_fn is not to or tensor.output_nr != number:
                return False
            inputs.append((slot, place.port(number).uid))
            depth = max(depth, place.depth)
        value, constants = small(result), constants_of(op, operands)
        node = self.graph.record_on(inputs, op, result, "torch", value, constants)
        self._put_one(fn, node, depth + 1)
        self._clock(node)
        return True

    def _note(self, op: str, operands: Sequence[Any], results: Sequence[Any], before: int) -> None:
        """Records the operation, if there are `grad_fn`s younger than `before` that no operation has claimed yet.

        Nothing is asked for its `grad_fn` before the call: PyTorch renews that of a view when it is asked, and the
        order of the backward pass would change.
        """
        tensors = [(slot, each) for slot, each in enumerate(operands) if isinstance(each, torch.Tensor)]
        changed = [each for each in results if isinstance(each, torch.Tensor)]
        if not changed:  # as in x[0] = y
            changed = [each for slot, each in tensors if slot == 0 or op != "index_put_"]
        in_place = [each for each in changed if _is_among(each, operands)]
        touched = [compat.base(each) for each in in_place]
        made: dict[Edge, torch.Tensor] = {}
        beside: list[torch.Tensor] = []
        for each in changed:
            # The `grad_fn` of a view that was changed is stale, and must be until the program asks for it. Where its
            # base knows of no change, as after t_(), it is not stale.
            base = compat.base(each) if _is_among(each, in_place) else each
            top = base if self._is_new(base) else each
            if self._is_new(top):
                shown = top if compat.shape(top) != compat.shape(each) else each
                if made.setdefault((top.grad_fn, top.output_nr), shown) is not each:
                    beside.append(each)
        if not made:
            return
        wanting = [(slot, each) for slot, each in tensors if each.requires_grad and not (slot and op.endswith("_as"))]
        used = [(slot, each) for slot, each in wanting if not _is_among(compat.base(each), touched)]
        for _, each in used:
            self._know(each)
        members, below = self._claim([fn for fn, _ in made], before)
        taken = {slot for slot, _ in used}
        free = [slot for slot, _ in wanting if slot not in taken]
        inputs = self._slots(used, below, itertools.chain(free, itertools.count(len(operands))))
        one = next(iter(made.values())) if len(made) == 1 else None
        value, shape = (None, None) if one is None else (small(one), compat.shape(one))
        constants = constants_of(op, operands)
        node = self.graph.record(op, inputs, one, backend="torch", value=value, shape=shape, constants=constants)
        self._put(members, {fn for fn, _ in made}, node, [fn for fn, _ in below])
        self._clock(node)
        if one is not None:
            for each in beside:
                self.graph.refs.stand_beside(node.uid, each)
            return
        for index, ((fn, number), output) in enumerate(made.items()):
            value, shape = small(output), compat.shape(output)
            port = self.graph.record(f"{op}[{index}]", [(0, node)], output, backend="torch", value=value, shape=shape)
            place: Place = fn.metadata[self._key]
            place.ports[number] = port

    def _clock(self, node: GraphNode) -> None:
        if self.graph.seconds is not None:
            self.graph.seconds[node.uid] = self._took

    def _is_new(self, tensor: torch.Tensor) -> bool:
        """True for a result that no operation of the store has claimed."""
        return tensor.grad_fn is not None and self._place(tensor.grad_fn) is None

    def _know(self, tensor: torch.Tensor) -> None:
        """Finds the place of an operand, and that of a tensor whose making nobody saw: it is traced."""
        fn = tensor.grad_fn
        if fn is None:
            return
        if self._place(fn) is None:
            self.place(fn)
            self.graph.refs.hold(self.source(fn, tensor.output_nr).uid, tensor)

    def _claim(self, tops: Sequence[compat.GradFn], before: int) -> tuple[list[compat.GradFn], dict[Edge, None]]:
        """The nodes that one call has made, and the edges that lead from them to what was there before."""
        members = dict.fromkeys(tops)
        below: dict[Edge, None] = {}
        stack = list(members)
        while stack:
            for to, number in stack.pop().next_functions:
                if to is None or to in members:
                    continue
                if compat.accumulates(to) or compat.sequence(to) < before or self._place(to) is not None:
                    below[to, number] = None
                else:
                    members[to] = None
                    stack.append(to)
        return list(members), below

    def _slots(
        self, used: Sequence[tuple[int, torch.Tensor]], below: Mapping[Edge, None], free: Iterable[int]
    ) -> list[tuple[int, GraphNode]]:
        """Which node stands in which slot. What the call has changed is known by what it was before."""
        leaves = {id(fn.variable) for fn, _ in below if compat.accumulates(fn)}
        for _, tensor in used:
            if id(tensor) in leaves:
                self.leaf(tensor)  # in the order in which a reader meets them
        sources = {self.source(*edge): None for edge in below}
        found = []
        for slot, tensor in used:
            fn = tensor.grad_fn
            node = self.graph.find(tensor) if fn is None else self.source(fn, tensor.output_nr)
            if node in sources:
                found.append((slot, node))
        known = {node for _, node in found}
        rest = [node for node in sources if node not in known]
        return sorted([*found, *zip(free, rest, strict=False)], key=lambda each: each[0])

    def _put(
        self,
        members: Sequence[compat.GradFn],
        tops: Container[compat.GradFn],
        node: GraphNode,
        below: Sequence[compat.GradFn],
    ) -> None:
        """Writes down the place of each node of an operation."""
        places = [self._place(fn) for fn in below if not compat.accumulates(fn)]
        depth = len(members) + max((place.depth for place in places if place is not None), default=0)
        for fn in members:
            self._put_one(fn, node, depth, inner=fn not in tops)

    def _put_one(self, fn: compat.GradFn, node: GraphNode, depth: int, *, inner: bool = False) -> None:
        place = fn.metadata[self._key] = Place(node, inner)
        if depth < DEPTH:
            place.depth = depth
        else:
            place.landing = Landing([to for to, _ in fn.next_functions if to is not None])

    def _trace(self, fn: compat.GradFn) -> None:
        inputs = [(slot, self.source(to, number)) for slot, (to, number) in enumerate(fn.next_functions) if to]
        op, results = compat.name_of(fn), compat.outputs(fn)
        one = results[0] if len(results) == 1 else None  # of several, each is a node of its own once it is used
        shape, dtype = (compat.shape_of_output(one), one.dtype) if one is not None else (None, None)
        constants: tuple[Constant, ...] = ()
        if compat.is_custom(fn):  # PyTorch tells nobody what else a Function of the program's own was given
            wants = fn.needs_input_grad
            if sum(wants) == len(inputs):
                slots = [slot for slot, wanted in enumerate(wants) if wanted]
                inputs = [(slot, node) for slot, (_, node) in zip(slots, inputs, strict=True)]
            constants = tuple(Constant(slot, None, None) for slot, wanted in enumerate(wants) if not wanted)
        node = self.graph.record(op, inputs, None, backend="torch", shape=shape, dtype=dtype, constants=constants)
        self._put([fn], [fn], node, [to for to, _ in fn.next_functions if to is not None])


def _tell_of_the_slow_path(named: Mapping[str, Any]) -> None:
    """In eval() and without gradients PyTorch has a kernel for all of attention, but not where its calls are seen."""
    if not named.get("training", True):
        warnings.warn(
            "while PyTorch's calls are recorded it takes attention in eval() step by step, not by its one kernel for "
            "it: the last bits may be others than without recording",
            stacklevel=3,
        )


def _is_among(tensor: Any, others: Sequence[Any]) -> bool:
    return any(tensor is each for each in others)

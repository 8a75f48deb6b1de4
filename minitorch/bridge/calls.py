"""From a call of a PyTorch function to nodes of the graph store.

What is recorded is read off PyTorch's own graph: an operation is the `grad_fn`s that its call has added, and each of
them carries, in its `metadata`, the place that it has in the store. So the store holds no `grad_fn`, every `grad_fn`
knows its node as long as it lives, and an operation that changed a view in place is found by whoever uses the base.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import torch

from minitorch.bridge import compat
from minitorch.bridge.dropping import DEPTH, Landing
from minitorch.bridge.saved import Saved, saving
from minitorch.graph.node import SMALL, Constant, GraphNode
from minitorch.graph.store import AutogradGraph

_PLAIN = {"truediv": "div", "rtruediv": "rdiv", "itruediv": "div_", "getitem": "index", "setitem": "index_put_"}
_REFLECTED_OR_IN_PLACE = frozenset({"add", "sub", "mul", "div", "pow", "matmul"})
_HOOKS = frozenset({"register_hook", "retain_grad"})

Edge = tuple[compat.GradFn, int]  # output number so-and-so of a node


class Place:
    """What a `grad_fn` knows of its node in one graph.

    node: the operation. ports: for operations with several results, the node of each, by its output number. saved:
    the tensors that the operation keeps. hooks, retaining: what `register_hook` and `retain_grad` asked for, by output
    number.
    """

    __slots__ = ("depth", "hooks", "landing", "node", "ports", "retaining", "saved")

    def __init__(self, node: GraphNode, saved: Saved | None = None) -> None:
        self.node = node
        self.saved = saved
        self.depth = 0  # nodes below it until a landing
        self.landing: Landing | None = None
        self.ports: dict[int, GraphNode] = {}
        self.hooks: dict[int, Mapping[int, Callable[..., Any]]] = {}
        self.retaining: dict[int, weakref.ref[torch.Tensor]] = {}

    def port(self, number: int) -> GraphNode:
        """The node of output `number`."""
        return self.ports.get(number, self.node)


class CallRecorder:
    """Writes calls into the injected graph. It holds nothing but the graph and the names of leaves (by identity)."""

    def __init__(self, graph: AutogradGraph, names: Mapping[int, str] | None = None) -> None:
        self.graph = graph
        self._names = names or {}
        self._key = weakref.ref(graph)

    def call(self, func: Callable[..., Any], operands: Any, run: Callable[[], Any]) -> Any:
        """Runs a call of `func` with these operands, and records it if its result takes part in autograd."""
        if compat.must_pass_through() or not torch.is_grad_enabled() or self.graph.closed:
            return run()
        before = compat.next_sequence()
        with saving() as saved:
            result = run()
        made = compat.next_sequence() != before
        hooked = getattr(func, "__name__", "") in _HOOKS
        if made or hooked:
            with compat.as_plain_tensors():
                operands = list(flat(operands))
                if made:
                    self._note(op_name(func), operands, list(flat(result)), before, saved)
                if hooked:
                    self._note_hooks(func.__name__, operands[0])
        return result

    def place(self, fn: compat.GradFn) -> Place:
        """The place of any node of PyTorch's graph. What nobody saw happen is traced: one operation each."""
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

    def source(self, fn: compat.GradFn, number: int) -> GraphNode:
        """The node that output `number` of `fn` is, or the leaf that `fn` adds to."""
        if compat.accumulates(fn):
            return self.leaf(fn.variable)
        return self.place(fn).port(number)

    def leaf(self, tensor: torch.Tensor) -> GraphNode:
        """The node of a leaf."""
        return self.graph.find(tensor) or self.graph.leaf(
            tensor, backend="torch", name=self._names.get(id(tensor), ""), value=small(tensor)
        )

    def _place(self, fn: compat.GradFn) -> Place | None:
        """The place that was written down, unless the graph has swept it since."""
        found: Place | None = fn.metadata.get(self._key)
        return found if found is not None and self.graph.has(found.node.uid) else None

    def _note(
        self,
        op: str,
        operands: Sequence[Any],
        results: Sequence[Any],
        before: int,
        saved: Saved | None,
    ) -> None:
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
        for each in changed:
            # The `grad_fn` of a view that was changed is stale, and must be until the program asks for it.
            top = compat.base(each) if _is_among(each, in_place) else each
            if top.grad_fn is not None and self._place(top.grad_fn) is None:
                made.setdefault((top.grad_fn, top.output_nr), each)
        if not made:
            return
        wanting = [(slot, each) for slot, each in tensors if each.requires_grad and not (slot and op.endswith("_as"))]
        used = [(slot, each) for slot, each in wanting if not _is_among(compat.base(each), touched)]
        for _, each in used:
            if each.grad_fn is not None:
                self.place(each.grad_fn)
        members, below = self._claim([fn for fn, _ in made], before)
        taken = {slot for slot, _ in used}
        free = [slot for slot, _ in wanting if slot not in taken]
        inputs = self._slots(used, below, itertools.chain(free, itertools.count(len(operands))))
        constants = tuple(
            Constant(slot, tuple(each.shape), small(each)) for slot, each in tensors if not each.requires_grad
        )
        one = next(iter(made.values())) if len(made) == 1 else None
        value = None if one is None else small(one)
        node = self.graph.record(op, inputs, one, backend="torch", value=value, constants=constants)
        self._put(members, node, saved, [fn for fn, _ in below])
        if one is not None:
            return
        for index, ((fn, number), output) in enumerate(made.items()):
            port = self.graph.record(f"{op}[{index}]", [(0, node)], output, backend="torch", value=small(output))
            place: Place = fn.metadata[self._key]
            place.ports[number] = port

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
        self, members: Sequence[compat.GradFn], node: GraphNode, saved: Saved | None, below: Sequence[compat.GradFn]
    ) -> None:
        """Writes down the place of each node of an operation."""
        places = [self._place(fn) for fn in below if not compat.accumulates(fn)]
        depth = len(members) + max((place.depth for place in places if place is not None), default=0)
        for fn in members:
            place = Place(node, saved)
            place.depth = depth if depth < DEPTH else 0
            if depth >= DEPTH:
                place.landing = Landing([to for to, _ in fn.next_functions if to is not None])
            fn.metadata[self._key] = place

    def _note_hooks(self, name: str, tensor: torch.Tensor) -> None:
        """PyTorch keeps the hooks of an intermediate where nobody can read them; so they are noted at the call."""
        if tensor.grad_fn is None:
            return
        place = self.place(tensor.grad_fn)
        if name == "retain_grad":
            place.retaining[tensor.output_nr] = weakref.ref(tensor)
        else:
            place.hooks[tensor.output_nr] = compat.hooks(tensor) or {}

    def _trace(self, fn: compat.GradFn) -> None:
        inputs = [(slot, self.source(to, number)) for slot, (to, number) in enumerate(fn.next_functions) if to]
        about = compat.outputs(fn)[0]
        node = self.graph.record(
            compat.name_of(fn), inputs, None, backend="torch", shape=tuple(about.shape), dtype=about.dtype
        )
        self._put([fn], node, None, [to for to, _ in fn.next_functions if to is not None])


@cache
def op_name(func: Callable[..., Any]) -> str:
    """The tag of an operation: torch.add, Tensor.add, + and the reflected + are all add; += is add_."""
    name = getattr(func, "__name__", "call")
    if name == "__get__":  # an attribute such as Tensor.T
        name = getattr(getattr(func, "__self__", None), "__name__", "attribute")
    if not (name.startswith("__") and name.endswith("__")):
        return name
    name = name.strip("_")
    name = _PLAIN.get(name, name)
    if name[1:] in _REFLECTED_OR_IN_PLACE:
        return name[1:] if name[0] == "r" else name[1:] + "_"
    return name


def small(tensor: torch.Tensor) -> Any:
    """A copy of the numbers, if they are few and at hand."""
    import numpy as np

    if tensor.numel() > SMALL or tensor.layout is not torch.strided or tensor.device.type != "cpu":
        return None
    return np.array(tensor.detach().tolist())


def flat(thing: Any) -> Iterator[Any]:
    """Every operand, those in lists and dictionaries too."""
    if isinstance(thing, (tuple, list)):
        for each in thing:
            yield from flat(each)
    elif isinstance(thing, Mapping):
        for each in thing.values():
            yield from flat(each)
    else:
        yield thing


def _is_among(tensor: Any, others: Sequence[Any]) -> bool:
    return any(tensor is each for each in others)

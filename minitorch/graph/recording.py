"""From minitorch's own tape to the store: as operations happen, and after the fact.

A node of the store carries the uid of the engine's Node, so that the one is found from the other without a reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from minitorch.autograd.node import Node, ancestors
from minitorch.autograd.scope import Scope, Scoped, change, current_scope
from minitorch.autograd.tensor_base import TensorBase
from minitorch.graph.node import SMALL, Constant, GraphNode
from minitorch.graph.scopes import Here

if TYPE_CHECKING:
    from minitorch.graph.store import AutogradGraph

BACKEND = "minitorch"
_SCALED = frozenset(
    ("addmm", "baddbmm")
)  # by the numbers that come last; addcmul and addcdiv are made of a mul, an add


class Watcher:
    """What the Scope tells of every operation. It writes into the one graph that it was made for.

    around: the watcher that is told again when the block of this one ends. ended: it has.
    """

    __slots__ = ("around", "ended", "graph")

    def __init__(self, graph: AutogradGraph, around: Watcher | None = None) -> None:
        self.graph = graph
        self.around = around
        self.ended = False

    def __call__(self, _name: str, arguments: Sequence[Any], result: TensorBase, slots: Sequence[int] = ()) -> None:
        """One operation has happened; slots: where its operands are among the arguments."""
        place = result._node
        graph = self.graph
        if place is None or graph.closed:
            return
        with graph._lock:
            take(graph, place, result, arguments, slots)

    def arrived(self, tensor: TensorBase, result: TensorBase | None) -> None:
        """`tensor` has a place that no operation made, or was changed in place and took over that of `result`."""
        graph = self.graph
        place = tensor._node
        if graph.closed or place is None:
            return
        with graph._lock:
            former = None if result is None else graph.find(result)
            node = take(graph, place, tensor)
            if former is not None and former is not node:
                node.constants = former.constants
                if not graph.children(former):
                    graph.remove(former)


class Recording(Here):
    """Inside, operations are told to `graph` and to no other graph.

    Blocks may end in another order than they began in, as those of generators that take turns: each ends for itself.
    """

    __slots__ = ("graph", "watcher")

    def __init__(self, graph: AutogradGraph) -> None:
        super().__init__(graph.running)
        self.graph = graph
        self.watcher = Watcher(graph)

    def changed(self, scope: Scope) -> Scope:
        """The same Scope with this graph's watcher in place of another graph's."""
        self.watcher.around = _innermost(scope)
        return replace(super().changed(scope), watchers=(*_others(scope), self.watcher))

    def __exit__(self, *exc_info: Any) -> None:
        self.watcher.ended = True
        scope = current_scope()
        if _innermost(scope) not in (self.watcher, None):  # a block that began inside this one has not ended
            self._tokens.clear()
            change(kept={key: value for key, value in scope.kept.items() if key is not self.running})
            return
        super().__exit__(*exc_info)
        scope = current_scope()
        found = innermost = _innermost(scope)
        while found is not None and found.ended:
            found = found.around
        if found is not innermost:  # one that ended before this one did
            change(watchers=(*_others(scope), *([] if found is None else [found])) or None)

    def again(self) -> Scoped:
        """A fresh manager for the same graph."""
        return Recording(self.graph)


class Unseen(Scoped):
    """Inside, no graph is told: what a backward pass computes is not part of the program."""

    __slots__ = ()

    def changed(self, scope: Scope) -> Scope:
        """The same Scope without a graph's watcher."""
        return replace(scope, watchers=_others(scope) or None)


def _others(scope: Scope) -> tuple[Any, ...]:
    return tuple([each for each in scope.watchers or () if not isinstance(each, Watcher)])


def _innermost(scope: Scope) -> Watcher | None:
    return next((each for each in scope.watchers or () if isinstance(each, Watcher)), None)


def take(
    graph: AutogradGraph,
    place: Node,
    tensor: TensorBase | None = None,
    arguments: Sequence[Any] = (),
    slots: Sequence[int] = (),
) -> GraphNode:
    """Adds a place of the engine's graph, and before it whatever it was made from that the store does not know yet."""
    index = graph._index
    found = index.get(place.uid)
    if found is not None:
        return graph._graph[found]
    parents = []
    rule, before = place.rule, place.parents
    complete = len(before) < 3 or rule is None or rule.name not in _SCALED
    for slot, parent in enumerate(before):
        if parent is None:
            complete = False
            continue
        if parent.uid not in index:
            return _take_all(graph, place, tensor, arguments, slots)
        parents.append((slot, parent.uid))
    if graph.crowded():
        graph.reserve(1, [uid for _, uid in parents])
    constants = () if complete else _constants(place, arguments, slots)
    return _added(graph, place, parents, tensor if tensor is not None else place.tensor, constants)


def _take_all(
    graph: AutogradGraph, top: Node, tensor: TensorBase | None, arguments: Sequence[Any], slots: Sequence[int]
) -> GraphNode:
    """`take` where parents are missing: made before the recording began, or where nobody is told."""
    found = ancestors([top], lambda node: graph.has(node.uid))
    missing = [place for place in found if not graph.has(place.uid)]
    known = {place.uid for place in found if graph.has(place.uid)}
    graph.reserve(len(missing), known)
    for place in missing:
        parents = [(slot, parent.uid) for slot, parent in enumerate(place.parents) if parent is not None]
        own = place is top
        constants = _constants(place, arguments if own else (), slots if own else ())
        node = _added(graph, place, parents, tensor if own and tensor is not None else place.tensor, constants)
    return node


def _added(
    graph: AutogradGraph,
    place: Node,
    parents: list[tuple[int, int]],
    tensor: TensorBase | None,
    constants: tuple[Constant, ...],
) -> GraphNode:
    value = None if tensor is None or tensor._data.size > SMALL else tensor._data.copy()
    rule = place.rule
    uid = place.uid
    if rule is None:
        op, scope, name = "", "", graph.names.pop(uid, "")
    else:
        op, scope, name = rule.name or "hand-made", graph.place, ""
    node = GraphNode(uid, op, place.shape, place.dtype, BACKEND, name, scope, value, None, constants)
    return graph.add(node, parents, tensor, strong=rule is None)


def _constants(place: Node, arguments: Sequence[Any], slots: Sequence[int]) -> tuple[Constant, ...]:
    """The operands without a place in the graph, as far as they are known."""
    operands = arguments[0] if arguments and isinstance(arguments[0], tuple) else [arguments[slot] for slot in slots]
    found = []
    for slot, parent in enumerate(place.parents):
        if parent is None and slot < len(operands):
            value = operands[slot]
            shape = tuple(getattr(value, "shape", ()))
            if not shape and isinstance(value, (int, float)):
                found.append(Constant(slot, (), value))
            elif hasattr(value, "shape"):
                found.append(Constant(slot, shape, value.copy() if value.size <= SMALL else None))
    if place.rule is not None and place.rule.name in _SCALED:
        scales = arguments[len(operands) :]
        if any(each != 1 for each in scales):  # then all of them: where one is missing, nobody knows which
            found += [Constant(slot, (), each) for slot, each in enumerate(scales, len(operands))]
    return tuple(found)

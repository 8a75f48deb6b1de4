"""A learner's own backward pass, watched: it runs on a copy of the graph, whose nodes write down what happens to them.

The copy has the attributes that the lessons promise (data, grad, label, _op, _prev, _local_grads). Which edge a change
of `.grad` came along is worked out from its size, and from which gradients were read last.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minitorch.language import gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.counting import grouped
from minitorch.viz.facts.model import Edge, Graph
from minitorch.viz.facts.walks import WORK, Handing, Ledger, Walk, local

LOOKS = 40 * WORK  # how often a walk may look at a node before it counts as running in circles

Backward = Callable[[Any], Any]


class Interrupted(BaseException):
    """Ends a walk that is too long. No Exception: a learner's own `except Exception` must not catch it."""


class Copy:
    """A node of the copied graph. A learner may add attributes of their own."""

    def __init__(self, recorder: Recorder, idx: int, prev: tuple[Copy, ...], locals_: tuple[float, ...]) -> None:
        node = recorder.graph.nodes[idx]
        self._recorder, self._idx = recorder, idx
        self._parents = prev
        self.data = node.value.values[0] if node.value is not None and node.value.values else math.nan
        self.label, self.uid, self._op, self._local_grads = node.label, idx, node.op, locals_

    @property
    def _prev(self) -> tuple[Copy, ...]:
        self._recorder.look()
        return self._parents

    @property
    def grad(self) -> Any:
        """d(root)/d(this), as far as the walk has come."""
        return self._recorder.read(self._idx)

    @grad.setter
    def grad(self, value: Any) -> None:
        self._recorder.write(self._idx, value)

    def __repr__(self) -> str:
        return f"node {self._recorder.names[self._idx]}"


class Recorder:
    """Makes the copy and turns what its nodes report into moves."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.names = words.names(graph)
        self.ledger = Ledger(graph)
        self._looks = 0
        self._read = [0] * len(graph.nodes)  # when each gradient was read or written last
        self._part: list[float | None] = [None] * len(graph.nodes)  # what arrived last at each node
        self._used = [0] * len(graph.edges)
        self._written = 0  # when a gradient was written last
        self._out: list[list[tuple[int, Edge]]] = [[] for _ in graph.nodes]
        for number, edge in enumerate(graph.edges):
            self._out[edge.src].append((number, edge))

    def root(self) -> Copy:
        """The copied result."""
        made: list[Copy] = []
        for node in self.graph.nodes:
            operands = self.graph.operands[node.idx]
            made.append(Copy(self, node.idx, tuple(made[e.src] for e in operands), tuple(map(local, operands))))
        return made[self.graph.root]

    def look(self) -> None:
        """Counts, so that a walk in circles ends."""
        self._looks += 1
        if self._looks > LOOKS:
            raise Interrupted(
                gettext(
                    "broken off: it was still running after it had looked at nodes {count} times", count=grouped(LOOKS)
                )
            )

    def read(self, idx: int) -> float | None:
        """A gradient, and the note that it was read now."""
        self.look()
        self._read[idx] = self._looks
        return self.ledger.grads.get(idx)

    def write(self, idx: int, value: Any) -> None:
        """A gradient changes. Raises TypeError when it is neither a number nor None."""
        self.look()
        if value is not None:
            try:
                value = float(value)
            except (TypeError, ValueError):
                kind = type(value).__name__
                raise TypeError(f"the grad of {self.names[idx]} must be one number or None, not {kind}") from None
        before = self.ledger.grads.get(idx)
        if not before and not value and not self._came_along(idx, before, value):
            self.ledger.start(idx, value)
            self._read[idx] = self._written = self._looks
            return
        if self.ledger.total >= WORK:
            raise Interrupted(gettext("broken off after {count} steps", count=grouped(WORK)))
        self._explain(idx, before, value)
        self._read[idx] = self._written = self._looks

    def _came_along(self, idx: int, before: float | None, value: float | None) -> bool:
        """Whether a gradient that stays at nothing was given a contribution of 0: somebody's was read for it."""
        fresh = any(self._read[edge.dst] > self._written for _, edge in self._out[idx])
        return fresh and value is not None and self._edge(idx, before, value) is not None

    def _explain(self, idx: int, before: float | None, value: float | None) -> None:
        """Writes down a change as a contribution along an edge, or as a plain change where no edge fits."""
        edge = None if value is None else self._edge(idx, before, value)
        if edge is None or value is None:
            self.ledger.change(idx, value)
            self._part[idx] = value
            return
        number, upstream, loses = edge
        arrives = value if loses or before is None else value - before
        product = upstream * local(self.graph.edges[number])
        if _near(value, product + (0.0 if loses else before or 0.0), before):
            arrives = product  # as it was before it was rounded into a sum
        self.ledger.hand(Handing(number, upstream, loses), arrives)
        self.ledger.start(idx, value)  # to the last digit
        self._used[number] += 1
        self._part[idx] = arrives

    def _edge(self, idx: int, before: float | None, value: float) -> tuple[int, float, bool] | None:
        """The edge that a change came along, what was multiplied by its local gradient, and whether `before` is lost.

        Of all that fit, the one whose lower node was read last; of its slots, the one used least. What replaces, and
        what fits nowhere, came from the node that was read last.
        """
        latest = max((edge.dst for _, edge in self._out[idx]), key=self._read.__getitem__, default=None)
        found: list[tuple[tuple[int, ...], tuple[int, float, bool]]] = []
        for number, edge in self._out[idx]:
            whole = self.ledger.grads.get(edge.dst)
            if whole is None:
                continue
            part = self._part[edge.dst]
            for quality, upstream in ((1, whole), (0, whole if part is None else part)):
                product = upstream * local(edge)
                order = (self._read[edge.dst], quality, -self._used[number], -edge.slot)
                if _near(value, (before or 0.0) + product, before):
                    found.append(((1, *order), (number, upstream, False)))
                elif before and edge.dst == latest and _near(value, product, before):
                    found.append(((0, *order), (number, upstream, True)))
        if found:
            return max(found)[1]
        if latest is None or self._read[latest] <= self._written:
            return None
        number = min((self._used[n], edge.slot, n) for n, edge in self._out[idx] if edge.dst == latest)[2]
        whole = self.ledger.grads.get(latest)
        return None if whole is None or not value else (number, whole, False)


def recorded(graph: Graph, backward: Backward, name: str = "") -> Walk:
    """What `backward(root)` does to the gradients of a copy of the graph. The graph itself stays as it is.

    What the function raises, and a walk that does not end, are part of what is shown.
    """
    recorder = Recorder(graph)
    called = words.tidy(name or getattr(backward, "__name__", "") or gettext("walk"))
    stopped = ""
    try:
        backward(recorder.root())
    except Interrupted as reason:
        stopped = str(reason)
    except RecursionError:
        stopped = gettext("RecursionError: the function called itself too many levels deep")
    except Exception as error:  # noqa: BLE001 - a learner's code may raise anything, and that is worth showing
        stopped = f"{type(error).__name__}: {error}"
    return recorder.ledger.walk(called, gettext("the function {name}", name=called), words.tidy(stopped))


def _near(value: float, wanted: float, before: float | None) -> bool:
    scale = max(abs(value), abs(wanted), abs(before or 0.0))
    return abs(value - wanted) <= 1e-9 * scale or value == wanted or (math.isnan(value) and math.isnan(wanted))

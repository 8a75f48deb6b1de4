"""Backward passes by several algorithms, right and wrong, over one graph of numbers: what each does, move by move.

A walk is judged by what every right one keeps to, in whatever order it goes: what has arrived at a node is handed on
along each of its edges exactly once, and nothing that has arrived is lost. Where a walk first breaks that, it is
marked.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from minitorch.language import N_, gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.counting import grouped
from minitorch.viz.facts.model import Edge, Graph

SHOWN = 120  # moves that are kept, to be looked at
WORK = 60_000  # moves that are made; a walk that needs more is stopped

TITLES = {  # name → the sentence that says what it does
    "topological": N_("children first, each node once"),
    "recursive": N_("hands on its whole gradient whenever something arrives"),
    "paths": N_("path by path: hands on just what has just arrived"),
    "overwrite": N_("children first, but with = in place of +="),
    "breadth_first": N_("level by level from the result"),
}

Grads = dict[int, float]


@dataclass(frozen=True, slots=True)
class Handing:
    """What an algorithm does next: `upstream` times the local gradient goes along `edge`; `loses` what was there."""

    edge: int
    upstream: float
    loses: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """One change of one gradient: `node`'s goes from `before` to `after`.

    kind: "seed" starts the result; "set" is a first contribution, "add" a later one; "replace" drops what was there;
    "clear" sets back to nothing, "other" is a change that no edge explains. edge, upstream: where the contribution
    came along and what its giver multiplied. visit: the how-manieth time that the giver hands something on.
    arrived, expected: the contributions that the giver has had so far, and those that it gets in a right pass.
    """

    kind: Literal["seed", "set", "add", "replace", "clear", "other"]
    node: int
    contribution: float
    before: float | None
    after: float | None
    edge: int | None = None
    upstream: float = 0.0
    visit: int = 0
    arrived: int = 0
    expected: int = 0


@dataclass(frozen=True)
class Walk:
    """A backward pass by one algorithm, over `graph`, from no gradient anywhere.

    moves: the first of them; `total` counts all that were made. gradients: those at the end, None where none arrived.
    right: those of a right pass. visits: how many times each node handed on its gradient.
    first_wrong: the number of the move, from 1, that first breaks a right pass, None in a right walk; fault: how.
    stopped: why the walk was broken off, "" when it came to its end.
    """

    name: str
    title: str
    graph: Graph
    moves: tuple[Move, ...]
    total: int
    gradients: tuple[float | None, ...]
    right: tuple[float | None, ...]
    visits: tuple[int, ...]
    first_wrong: int | None = None
    fault: str = ""
    stopped: str = ""

    @property
    def is_right(self) -> bool:
        """True when the walk came to its end and every gradient is the right one."""
        return not self.stopped and not any(map(self.is_wrong, range(len(self.right))))

    def is_wrong(self, node: int) -> bool:
        """True when the walk has left another gradient at this node than a right one does."""
        return not _same(self.gradients[node], self.right[node])

    @cached_property
    def states(self) -> tuple[dict[int, float | None], ...]:
        """The gradients after 0, 1, 2, … moves."""
        found: list[dict[int, float | None]] = [{}]
        for move in self.moves:
            found.append({**found[-1], move.node: move.after})
        return tuple(found)


def paths(graph: Graph) -> tuple[int, ...]:
    """The number of ways from the result back to each node. A chain of n diamonds has 2^n of them: they are multiplied
    out, not walked.
    """
    found = [0] * len(graph.nodes)
    found[graph.root] = 1
    for node in reversed(graph.nodes):
        for edge in graph.operands[node.idx]:
            found[edge.src] += found[node.idx]
    return tuple(found)


def right_gradients(graph: Graph) -> tuple[float | None, ...]:
    """d(root)/d(node) for each node, None for those that the result does not depend on."""
    found: list[float | None] = [None] * len(graph.nodes)
    found[graph.root] = 1.0
    for node in reversed(graph.nodes):
        upstream = found[node.idx]
        for edge in graph.operands[node.idx] if upstream is not None else ():
            assert upstream is not None
            found[edge.src] = (found[edge.src] or 0.0) + local(edge) * upstream
    return tuple(found)


def local(edge: Edge) -> float:
    """The local gradient of an edge of a graph of numbers."""
    assert edge.local is not None
    return edge.local


def walked(graph: Graph, name: str) -> Walk:
    """One of the algorithms in `TITLES`, by name. Raises ValueError for any other name."""
    if name not in TITLES:
        raise ValueError(f"there is no walk {name!r}: use {', '.join(map(repr, TITLES))}, or a function")
    ledger = Ledger(graph)
    ledger.change(graph.root, 1.0)
    stopped = ""
    for handing in _ALGORITHMS[name](graph, ledger.grads):
        if ledger.total >= WORK:
            needed = 1 + sum(
                count * len(graph.operands[node]) for node, count in enumerate(paths(graph)) if graph.operands[node]
            )
            stopped = gettext(
                "broken off after {count} steps: it would take {needed}", count=grouped(WORK), needed=large(needed)
            )
            break
        ledger.hand(handing)
    return ledger.walk(name, gettext(TITLES[name]), stopped)


# -- the algorithms ------------------------------------------------------------------------------------------------


def _topological(graph: Graph, grads: Grads) -> Iterator[Handing]:
    number = _numbers(graph)
    for node in reversed(graph.nodes):  # parents stand before children
        for edge in graph.operands[node.idx] if node.idx in grads else ():
            yield Handing(number[edge.dst, edge.slot], grads[node.idx])


def _overwrite(graph: Graph, grads: Grads) -> Iterator[Handing]:
    for handing in _topological(graph, grads):
        yield replace(handing, loses=True)


def _recursive(graph: Graph, grads: Grads) -> Iterator[Handing]:
    number = _numbers(graph)
    stack = [iter(graph.operands[graph.root])]
    while stack:
        edge = next(stack[-1], None)
        if edge is None:
            stack.pop()
            continue
        yield Handing(number[edge.dst, edge.slot], grads[edge.dst])
        stack.append(iter(graph.operands[edge.src]))


def _paths(graph: Graph, grads: Grads) -> Iterator[Handing]:
    number = _numbers(graph)
    stack = [(iter(graph.operands[graph.root]), grads[graph.root])]
    while stack:
        edges, part = stack[-1]
        edge = next(edges, None)
        if edge is None:
            stack.pop()
            continue
        yield Handing(number[edge.dst, edge.slot], part)
        stack.append((iter(graph.operands[edge.src]), part * local(edge)))


def _breadth_first(graph: Graph, grads: Grads) -> Iterator[Handing]:
    number = _numbers(graph)
    queue, seen = [graph.root], {graph.root}
    for node in queue:  # it grows on the way
        for edge in graph.operands[node]:
            yield Handing(number[edge.dst, edge.slot], grads[node])
            if edge.src not in seen:
                seen.add(edge.src)
                queue.append(edge.src)


_ALGORITHMS: dict[str, Callable[[Graph, Grads], Iterable[Handing]]] = {
    "topological": _topological,
    "recursive": _recursive,
    "paths": _paths,
    "overwrite": _overwrite,
    "breadth_first": _breadth_first,
}


def _numbers(graph: Graph) -> dict[tuple[int, int], int]:
    return {(edge.dst, edge.slot): number for number, edge in enumerate(graph.edges)}


# -- the judge -----------------------------------------------------------------------------------------------------


class Ledger:
    """The gradients of a walk while it goes, what was handed along each edge, and the first thing that was wrong."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.grads: Grads = {}
        self.moves: list[Move] = []
        self.total = 0
        self._names = words.names(graph)
        self._right = right_gradients(graph)
        self._uses = [0] * len(graph.nodes)
        for edge in graph.edges:
            self._uses[edge.src] += 1
        self._uses[graph.root] = 1  # the seed
        self._visits = [0] * len(graph.nodes)
        self._arrived = [0] * len(graph.nodes)
        self._handed: defaultdict[int, float] = defaultdict(float)  # edge → the upstream that went along it
        self._uses_of: defaultdict[int, int] = defaultdict(int)  # edge → how many times something went along it
        self._late: dict[int, tuple[int, float]] = {}  # node → the first move that it has not handed on, and how much
        self._faults: list[tuple[int, str]] = []

    def hand(self, handing: Handing, contribution: float | None = None) -> None:
        """A contribution along an edge. contribution: what arrives, if it is not upstream times the local gradient."""
        edge = self.graph.edges[handing.edge]
        self._uses_of[handing.edge] += 1
        visit = self._uses_of[handing.edge]
        self._visits[edge.dst] = max(self._visits[edge.dst], visit)
        before = self.grads.get(edge.src)
        product = handing.upstream * local(edge)
        arrives = product if contribution is None else contribution
        after = arrives if before is None or handing.loses else before + arrives
        number = self.total + 1
        self._inspect(number, handing, product, arrives, before)
        self._handed[handing.edge] += handing.upstream
        self._arrived[edge.src] += 1
        kind: Literal["set", "replace", "add"] = "set" if before is None else "replace" if handing.loses else "add"
        self._note(
            Move(
                kind, edge.src, arrives, before, after, handing.edge, handing.upstream,
                visit, self._arrived[edge.dst], self._uses[edge.dst],
            )
        )  # fmt: skip
        self._late.pop(edge.dst, None)
        if self.graph.operands[edge.src]:
            self._late.setdefault(edge.src, (number, arrives))

    def change(self, node: int, value: float | None) -> None:
        """A gradient is set to a number, or to None, without a contribution: the seed, or what no edge explains."""
        before = self.grads.get(node)
        number, name = self.total + 1, self._names[node]
        if value is None:
            if before is None:
                return
            self._faults.append(
                (
                    number,
                    gettext("the gradient of {node} is thrown away: {value} is lost", node=name, value=_said(before)),
                )
            )
            self._note(Move("clear", node, 0.0, before, None))
        elif node == self.graph.root and not self._arrived[node]:
            if value != 1.0:
                self._faults.append(
                    (number, gettext("the seed is {value}: d{node}/d{node} is 1", value=_said(value), node=name))
                )
            self._arrived[node] += 1
            self._note(Move("seed", node, value, before, value))
        else:
            self._faults.append(
                (
                    number,
                    gettext(
                        "{node} is set to {value}: no gradient of a node that it goes into explains this number",
                        node=name,
                        value=_said(value),
                    ),
                )
            )
            self._note(Move("other", node, value - (before or 0.0), before, value))

    def start(self, node: int, value: float | None) -> None:
        """What a node holds before anything has arrived: None or 0. That is no move."""
        if value is None:
            self.grads.pop(node, None)
        else:
            self.grads[node] = value

    def walk(self, name: str, title: str, stopped: str) -> Walk:
        """What happened, judged."""
        gradients = tuple(self.grads.get(node.idx) for node in self.graph.nodes)
        found = Walk(
            name, title, self.graph, tuple(self.moves), self.total, gradients, self._right, tuple(self._visits),
            stopped=stopped,
        )  # fmt: skip
        if found.is_right:
            return found
        first, fault = min(self._faults + ([] if stopped else self._left_over()), default=(self.total, ""))
        if not first or (stopped and not fault):
            return found
        return replace(found, first_wrong=first, fault=fault)

    def _note(self, move: Move) -> None:
        self.total += 1
        self.start(move.node, move.after)
        if len(self.moves) < SHOWN:
            self.moves.append(move)

    def _inspect(self, number: int, handing: Handing, product: float, arrives: float, before: float | None) -> None:
        edge = self.graph.edges[handing.edge]
        giver, taker, sent = self._names[edge.dst], self._names[edge.src], self._handed[handing.edge]
        if not _same(product, arrives):
            due = f"{_said(handing.upstream)} * {_said(local(edge))} = {_said(product)}"
            self._faults.append(
                (
                    number,
                    gettext(
                        "{value} arrives at {taker} from {giver}, not {due}",
                        value=_said(arrives),
                        taker=taker,
                        giver=giver,
                        due=due,
                    ),
                )
            )
        if before and handing.loses:
            self._faults.append(
                (
                    number,
                    gettext("{taker} held {value}, which is overwritten and lost", taker=taker, value=_said(before)),
                )
            )
        if sent and _same(handing.upstream, self.grads.get(edge.dst)):
            fields = {"giver": giver, "whole": _said(handing.upstream), "taker": taker, "part": _said(sent)}
            self._faults.append(
                (
                    number,
                    gettext(
                        "{giver} hands its whole {whole} on to {taker}, but {part} of it went there before "
                        "and counts twice",
                        **fields,
                    ),
                )
            )

    def _left_over(self) -> list[tuple[int, str]]:
        """With hindsight: what arrived at a node that never handed it on."""
        found = []
        for node, (number, much) in self._late.items():
            if self._right[node] is None:
                continue
            name, where = self._names[node], ", ".join(self._names[edge.src] for edge in self.graph.operands[node])
            key = (
                N_("{node} has handed on already: the {value} that arrives now never gets to {where}")
                if self._visits[node]
                else N_("{node} never hands anything on: the {value} that arrives now never gets to {where}")
            )
            found.append((number, gettext(key, node=name, value=_said(much), where=where)))
        return found


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return (one or 0.0) == (other or 0.0)  # a walk may start from 0 where another has nothing
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def _said(value: float) -> str:
    return words.number(value)


def large(count: int) -> str:
    """A count with commas; beyond a thousand million million as a power of ten.

    >>> large(1024), large(2**100)
    ('1,024', 'about 10^30')
    """
    return grouped(count) if count < 10**15 else gettext("about 10^{power}", power=len(str(count)) - 1)

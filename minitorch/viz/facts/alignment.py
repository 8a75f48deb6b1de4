"""Two graphs of the same computation, node beside node: from the results upwards, by labels, operations and operands.

Neither graph need be right. What one has and the other has not (a negation and a sum in place of a difference, an
operand that was forgotten) stays without a partner; everything else is matched around it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from minitorch.viz.facts.formulas import COMMUTATIVE, canonical
from minitorch.viz.facts.model import Edge, Graph, NodeFacts
from minitorch.viz.facts.with_arrays import GraphWithArrays

FAR = 3  # how many operations that only one graph has may stand between two that both have
SKIPPED = 0.12  # what each of them costs, as a share of likeness


@dataclass(frozen=True)
class Alignment:
    """places: (node of mine or None, node of the reference or None), operands before results.

    edges: between places, of either graph, each once; owners: for each of them whether mine and whether the reference
    has it.
    """

    places: tuple[tuple[int | None, int | None], ...]
    edges: tuple[Edge, ...]
    owners: tuple[tuple[bool, bool], ...]

    @property
    def root(self) -> int:
        """The place of the two results."""
        return len(self.places) - 1


def aligned_graphs(mine: GraphWithArrays, reference: GraphWithArrays) -> Alignment:
    """Matches the nodes of two graphs. Their results always stand beside each other."""
    search = _Search(mine, reference)
    return _united(mine.graph, reference.graph, search.matched())


def op_of(graph: Graph, node: NodeFacts) -> str:
    """The operation by the engine's name; a scalar's folded number counts as an operand."""
    return canonical(node.op, len(graph.operands[node.idx]) + bool(node.folded)) if node.kind == "op" else ""


class _Search:
    """The matching while it is made."""

    def __init__(self, mine: GraphWithArrays, reference: GraphWithArrays) -> None:
        self.mine, self.reference = mine, reference
        self.ops = [[op_of(each.graph, node) for node in each.graph.nodes] for each in (mine, reference)]
        forms: dict[tuple[object, ...], int] = {}
        self.forms = [_forms(each.graph, ops, forms) for each, ops in zip((mine, reference), self.ops, strict=True)]
        self.bags: tuple[dict[int, Counter[object]], dict[int, Counter[object]]] = ({}, {})
        self.partner: dict[int, int] = {}
        self.taken: dict[int, int] = {}

    def matched(self) -> dict[int, int]:
        """Node of mine → node of the reference."""
        todo = deque([(self.mine.graph.root, self.reference.graph.root)])
        while todo:
            m, r = todo.popleft()
            if m in self.partner or r in self.taken:
                continue
            nearer = None if self._same_maker(m, r) else self._nearer(m, r, only_beyond=not self.partner)
            if nearer is not None and self._same_value(m, r) and not self._is_detour(m, r, nearer):
                nearer = None  # the same number, made in another way
            if nearer is None or (nearer[0] != m and nearer[1] != r):
                self.partner[m], self.taken[r] = r, m  # the same place, if with another operation
            todo.extend(self._operands(m, r) if nearer is None else [nearer])
        return self.partner

    def _same_maker(self, m: int, r: int) -> bool:
        return self.ops[0][m] == self.ops[1][r] or self._same_label(m, r)

    def _alike(self, m: int, r: int) -> bool:
        return self._same_maker(m, r) or self._same_value(m, r)

    def _is_detour(self, m: int, r: int, nearer: tuple[int, int]) -> bool:
        """Whether one of the two has an operation too many, after which both go on alike."""
        a, b = nearer
        return (a == m or b == r) and bool(self.ops[0][a]) and self.ops[0][a] == self.ops[1][b]

    def _same_label(self, m: int, r: int) -> bool:
        mine, reference = self.mine.graph.nodes[m].label, self.reference.graph.nodes[r].label
        return bool(mine) and mine == reference

    def _same_value(self, m: int, r: int) -> bool:
        mine, reference = self.mine.values[m], self.reference.values[r]
        if mine is None or reference is None or mine.shape != reference.shape:
            return False
        return bool(np.allclose(mine, reference, rtol=1e-3, atol=1e-6, equal_nan=True))

    # -- the operands of two nodes at the same place -------------------------------------------------------------------

    def _operands(self, m: int, r: int) -> list[tuple[int, int]]:
        """Which operand stands for which."""
        left = [edge.src for edge in self.mine.graph.operands[m]]
        right = [edge.src for edge in self.reference.graph.operands[r]]
        if len(left) != len(right):  # one keeps constants as nodes, the other folds them away
            left, right = self._without_constants(left, right)
        if len(left) == len(right):
            straight = list(zip(left, right, strict=True))
            crossed = list(zip(left, reversed(right), strict=True))
            if len(left) == 2 and self.ops[0][m] in COMMUTATIVE and self._total(crossed) > self._total(straight):
                return crossed
            return straight
        found: list[tuple[int, int]] = []
        for a, b in sorted(product(left, right), key=lambda pair: -self._likeness(*pair)):
            if self._likeness(a, b) > 0 and a not in [x for x, _ in found] and b not in [y for _, y in found]:
                found.append((a, b))
        return found

    def _without_constants(self, left: list[int], right: list[int]) -> tuple[list[int], list[int]]:
        a = [each for each in left if self.mine.graph.nodes[each].kind != "constant"]
        b = [each for each in right if self.reference.graph.nodes[each].kind != "constant"]
        if len(a) > len(b):
            a = [each for each in a if self.mine.graph.nodes[each].kind == "op" or self.mine.graph.nodes[each].label]
        if len(b) > len(a):
            nodes = self.reference.graph.nodes
            b = [each for each in b if nodes[each].kind == "op" or nodes[each].label]
        return a, b

    def _total(self, pairs: list[tuple[int, int]]) -> int:
        return sum(self._likeness(*pair) for pair in pairs)

    def _likeness(self, m: int, r: int) -> int:
        """How well two nodes go together, by what can be seen without their place."""
        mine, reference = self.mine.graph.nodes[m], self.reference.graph.nodes[r]
        both = bool(mine.label) and bool(reference.label)
        found = 8 * self._same_label(m, r) - 4 * (both and mine.label != reference.label)
        found += 4 * (self.forms[0][m] == self.forms[1][r]) + 2 * (self.ops[0][m] == self.ops[1][r])
        found += mine.shape == reference.shape
        found += 3 * self._same_value(m, r)
        return found

    # -- where the operations differ -----------------------------------------------------------------------------------

    def _nearer(self, m: int, r: int, only_beyond: bool) -> tuple[int, int] | None:
        """The most alike pair a few operations further up; one of it may be m or r itself, unless `only_beyond`."""
        best, found = 0.0, None
        for (a, down), (b, across) in product(
            _above(self.mine.graph, m, self.partner), _above(self.reference.graph, r, self.taken)
        ):
            if (a, b) == (m, r) or (only_beyond and (a == m or b == r)) or not self._alike(a, b):
                continue
            if not self.ops[0][a] and not self._same_label(a, b) and not self._same_value(a, b):
                continue  # two leaves are alike in nothing but being leaves
            likeness = self._overlap(a, b) - SKIPPED * (down + across)
            if likeness > best:
                best, found = likeness, (a, b)
        return found

    def _overlap(self, m: int, r: int) -> float:
        """The share of what is behind two nodes that they have in common (Dice's coefficient)."""
        a, b = self._bag(0, self.mine.graph, m), self._bag(1, self.reference.graph, r)
        return 2 * (a & b).total() / (a.total() + b.total())

    def _bag(self, side: int, graph: Graph, idx: int) -> Counter[object]:
        bags = self.bags[side]
        if idx not in bags:
            found = {place for place, _ in _above(graph, idx, (), len(graph.nodes))}
            bags[idx] = Counter(
                self.ops[side][place] or graph.nodes[place].shape
                for place in found
                if graph.nodes[place].kind != "constant"
            ) or Counter(["nothing"])
        return bags[idx]


def _forms(graph: Graph, ops: list[str], known: dict[tuple[object, ...], int]) -> list[int]:
    """A number for each node, equal where operations, shapes and everything behind them are equal."""
    found: list[int] = []
    for node in graph.nodes:
        behind = tuple(found[e.src] for e in graph.operands[node.idx] if graph.nodes[e.src].kind != "constant")
        form = (node.kind == "op", ops[node.idx], node.shape, behind)
        found.append(known.setdefault(form, len(known)))
    return found


def _above(graph: Graph, idx: int, without: object, far: int = FAR) -> list[tuple[int, int]]:
    """A node and what it was made from, with the number of steps there; nodes in `without` are left out."""
    assert isinstance(without, (dict, tuple))
    found, todo = {idx: 0}, deque([idx])
    while todo:
        place = todo.popleft()
        for edge in graph.operands[place]:
            if edge.src not in found and edge.src not in without and found[place] < far:
                found[edge.src] = found[place] + 1
                todo.append(edge.src)
    return list(found.items())


# -- one graph of both -------------------------------------------------------------------------------------------------


def _united(mine: Graph, reference: Graph, partner: dict[int, int]) -> Alignment:
    """The places in an order in which operands come first. Pairs that would make it go in a circle are parted."""
    order = _ordered(mine, reference, partner)
    if order is None:
        kept: dict[int, int] = {}
        for m, r in partner.items():
            if _ordered(mine, reference, {**kept, m: r}) is not None:
                kept[m] = r
        partner = kept
        order = _ordered(mine, reference, partner)
    assert order is not None  # without any pair but the first there is no circle
    of_mine = {m: place for place, (m, _) in enumerate(order) if m is not None}
    of_reference = {r: place for place, (_, r) in enumerate(order) if r is not None}
    edges: dict[tuple[int, int, int], Edge] = {}
    has: tuple[set[tuple[int, int, int]], set[tuple[int, int, int]]] = (set(), set())
    for graph, where, owned in zip((mine, reference), (of_mine, of_reference), has, strict=True):
        nth: Counter[tuple[int, int]] = Counter()
        for edge in graph.edges:
            ends = where[edge.src], where[edge.dst]
            nth[ends] += 1
            owned.add((*ends, nth[ends]))
            edges.setdefault((*ends, nth[ends]), Edge(*ends, edge.slot))
    owners = tuple((key in has[0], key in has[1]) for key in edges)
    return Alignment(order, tuple(edges.values()), owners)


def _ordered(
    mine: Graph, reference: Graph, partner: dict[int, int]
) -> tuple[tuple[int | None, int | None], ...] | None:
    """Every place after its operands, mine's order first; None if there is a circle. The two results come last."""
    back = {r: m for m, r in partner.items()}
    places: list[tuple[int | None, int | None]] = [(node.idx, partner.get(node.idx)) for node in mine.nodes]
    places += [(None, node.idx) for node in reference.nodes if node.idx not in back]

    def operands(place: tuple[int | None, int | None]) -> list[tuple[int | None, int | None]]:
        m, r = place
        found: list[tuple[int | None, int | None]] = []
        if m is not None:
            found += [(edge.src, partner.get(edge.src)) for edge in mine.operands[m]]
        if r is not None:
            found += [(back.get(edge.src), edge.src) for edge in reference.operands[r]]
        return found

    last = (mine.root, reference.root)
    return _sorted_places([place for place in places if place != last], last, operands)


def _sorted_places(
    places: list[tuple[int | None, int | None]],
    last: tuple[int | None, int | None],
    operands: Callable[[tuple[int | None, int | None]], list[tuple[int | None, int | None]]],
) -> tuple[tuple[int | None, int | None], ...] | None:
    """The places in an order in which operands come first, None where they go round in a circle."""
    done: dict[tuple[int | None, int | None], bool] = {}
    order = []
    stack = [(place, False) for place in reversed([*places, last])]
    while stack:
        place, left = stack.pop()
        if left:
            done[place] = True
            order.append(place)
        elif place not in done:
            done[place] = False
            stack.append((place, True))
            for each in reversed(operands(place)):
                if done.get(each) is False:
                    return None
                stack.append((each, False))
    return tuple(order)

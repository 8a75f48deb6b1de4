"""Differences between two graphs of one computation: where they first part, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from minitorch.language import N_, gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.alignment import Alignment, aligned_graphs, op_of
from minitorch.viz.facts.closures import as_numbers
from minitorch.viz.facts.counting import counted
from minitorch.viz.facts.faults import unfinite
from minitorch.viz.facts.model import Graph, NodeFacts
from minitorch.viz.facts.reading import read
from minitorch.viz.facts.two_arrays import apart, brief, close, factor_between, rounding, shape_of, shape_said
from minitorch.viz.facts.with_arrays import GraphWithArrays, contributions, with_arrays, worked_out

Kind = Literal["value", "cut", "gradient", "operation", "extra", "missing"]


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs at one place. said: a clause that names the node; cause: what may be behind it, or "".

    blamed: of a gradient, the places of the operations whose backward made it; blame: what those are called.
    """

    place: int
    kind: Kind
    said: str
    cause: str = ""
    blamed: tuple[int, ...] = ()
    blame: str = ""

    def __str__(self) -> str:
        whole = f"{self.said}: {self.cause}" if self.cause else self.said
        return (
            gettext("{difference}, in the backward of {ops}", difference=whole, ops=self.blame) if self.blame else whole
        )


@dataclass(frozen=True)
class Compared:
    """Two graphs beside each other, as facts. Their nodes and names are those of the alignment's places.

    mine, reference: for each place its node, None where that graph has none there. differences: the first one first.
    nodes: how many pairs there are; values, gradients: the places where both were compared; ungraded: how many have a
    gradient on one side alone, where the other one does not keep it. rounding: what a number may differ by and still
    be the same, as a share of itself.
    """

    alignment: Alignment
    mine: tuple[NodeFacts | None, ...]
    reference: tuple[NodeFacts | None, ...]
    names: tuple[str, ...]
    scalar: bool
    differences: tuple[Difference, ...]
    nodes: int
    values: frozenset[int]
    gradients: frozenset[int]
    ungraded: int
    rounding: float

    @cached_property
    def united(self) -> Graph:
        """The graph of all places: mine's nodes, and the reference's where mine has none."""
        nodes = [a or b for a, b in zip(self.mine, self.reference, strict=True)]
        return Graph(
            tuple(replace(node, idx=idx) for idx, node in enumerate(nodes) if node is not None),
            self.alignment.edges,
            self.alignment.root,
            self.scalar,
        )

    @property
    def verdict(self) -> str:
        """The whole comparison in one sentence."""
        if self.differences:
            harmless = all(each.kind in ("operation", "extra", "missing") for each in self.differences)
            return gettext(
                "first difference: {difference}; every value and gradient that both have is the same"
                if harmless
                else "first difference: {difference}",
                difference=self.differences[0],
            )
        gradients = counted("1 gradient", "{count} gradients", len(self.gradients))
        same = gettext(
            "the same, {nodes}, {gradients}", nodes=counted("1 node", "{count} nodes", self.nodes), gradients=gradients
        )
        if not self.gradients and self.ungraded:
            return gettext("{same}: the reference holds no gradients, so only values were compared", same=same)
        if self.ungraded:
            return gettext("{same} ({count} more are kept by one of the two alone)", same=same, count=self.ungraded)
        return same if self.gradients else gettext("{same}: no backward pass has run yet", same=same)


def compared(
    mine: Any, reference: Any, names: Mapping[str, Any] | None, reference_names: Mapping[str, Any] | None
) -> Compared:
    """Aligns and compares two graphs. Raises as `with_arrays`."""
    held, true = with_arrays(mine, names), with_arrays(reference, reference_names)
    true = replace(true, gradients=worked_out(reference, true))
    if held.ours:
        held = replace(held, gradients=worked_out(mine, held))
    alignment = aligned_graphs(held, true)
    nodes = tuple(_node(held, place) for place, _ in alignment.places)
    beside = tuple(_node(true, place) for _, place in alignment.places)
    named = [
        replace(a or b, label=(a.label if a else "") or (b.label if b else ""), idx=idx)  # type: ignore[type-var]
        for idx, (a, b) in enumerate(zip(nodes, beside, strict=True))
    ]
    called = words.names(Graph(tuple(named), alignment.edges, alignment.root, held.graph.scalar))  # type: ignore[arg-type]
    search = _Search(held, true, alignment, called, contributions(reference, true))
    found: dict[int, Difference] = {}
    for each in search.found():
        found.setdefault(each.place, each)
    pairs = [(a, b) for a, b in zip(nodes, beside, strict=True) if a and b and "constant" not in (a.kind, b.kind)]
    both = [(at, m, r) for at, (m, r) in enumerate(alignment.places) if m is not None and r is not None]
    return Compared(
        alignment,
        nodes,
        beside,
        called,
        held.graph.scalar and true.graph.scalar,
        tuple(found.values()),
        len(pairs),
        frozenset(at for at, m, r in both if held.values[m] is not None and true.values[r] is not None),
        frozenset(at for at, m, r in both if held.gradients[m] is not None and true.gradients[r] is not None),
        sum(_is_kept_by_one(held, m, true, r) for _, m, r in both),
        max((rounding(each) for side in (held, true) for each in side.values if each is not None), default=0.0),
    )


def _is_kept_by_one(held: GraphWithArrays, m: int, true: GraphWithArrays, r: int) -> bool:
    mine, reference = held.gradients[m] is not None, true.gradients[r] is not None
    return (mine and not reference and true.wants[r]) or (reference and not mine and held.ours and held.wants[m])


def _node(held: GraphWithArrays, idx: int | None) -> NodeFacts | None:
    """The node as it is to be shown, with the gradient that was compared."""
    if idx is None:
        return None
    node, grad = held.graph.nodes[idx], held.gradients[idx]
    array = None if grad is None else as_numbers(grad)
    return replace(node, grad=None if array is None else read(array), freed=node.freed and array is None)


class _Search:
    """Goes through two aligned graphs in the order in which things happen: values first, on the way forward; then
    gradients, and places where my graph ends too early, on the way back; then what is only built differently.
    """

    def __init__(
        self,
        mine: GraphWithArrays,
        reference: GraphWithArrays,
        alignment: Alignment,
        names: tuple[str, ...],
        parts: Mapping[tuple[int, int], np.ndarray],
    ) -> None:
        self.mine, self.reference, self.alignment, self.names = mine, reference, alignment, names
        self.place_of = {m: place for place, (m, _) in enumerate(alignment.places) if m is not None}
        self.place_there = {r: place for place, (_, r) in enumerate(alignment.places) if r is not None}
        self.parts = parts
        self.operands: dict[int, list[int]] = {}
        for edge in alignment.edges:
            self.operands.setdefault(edge.dst, []).append(edge.src)

    def found(self) -> Iterator[Difference]:
        """Every difference, the first one first."""
        back = self._backward_order()
        pairs = [(place, *self.alignment.places[place]) for place in back]
        both = [(place, m, r) for place, m, r in pairs if m is not None and r is not None]
        for place, m, r in sorted(both):
            yield from self._value(place, m, r)
        for place, m, r in both:
            yield from self._cut(place, m, r)
            for each in self._gradient(place, m, r):
                yield self._blamed(each, m)
        for place in back:
            yield from self._structure(place, *self.alignment.places[place])

    def _blamed(self, found: Difference, m: int) -> Difference:
        """The same difference of a gradient with the operations that made it: all that the node goes into."""
        if found.blame:
            return found
        places = tuple(dict.fromkeys(self.place_of[edge.dst] for edge in self.mine.graph.edges if edge.src == m))
        return replace(found, blamed=places, blame=self._called(places)) if found.kind == "gradient" else found

    def _called(self, places: tuple[int, ...]) -> str:
        """What operations are called, as in "* (v1) and + (v2)"; where the reference has another one, which."""
        said = ""
        for place in places:
            one = self._operation(place)
            said = gettext("{ops} and {op}", ops=said, op=one) if said else one
        return said

    def _operation(self, place: int) -> str:
        m, r = self.alignment.places[place]
        mine = None if m is None else self.mine.graph.nodes[m]
        reference = None if r is None else self.reference.graph.nodes[r]
        node, name = mine or reference, self.names[place]
        if node is None or not node.op:
            return name
        if mine and reference and reference.op and self._otherwise_made(mine, reference):
            return gettext("{op} ({name}; there it is {reference})", op=mine.op, name=name, reference=reference.op)
        return f"{node.op} ({name})"

    def _otherwise_made(self, mine: NodeFacts, reference: NodeFacts) -> bool:
        return op_of(self.mine.graph, mine) != op_of(self.reference.graph, reference)

    def _backward_order(self) -> list[int]:
        """The places in the order in which a backward pass completes their gradients."""
        last = {self.alignment.root: -1}
        by_result: dict[int, list[int]] = {}
        for edge in sorted(self.alignment.edges, key=lambda edge: edge.slot):
            by_result.setdefault(edge.dst, []).append(edge.src)
        moment = 0
        for place in reversed(range(len(self.alignment.places))):
            for operand in by_result.get(place, []):
                last[operand] = moment = moment + 1
        return sorted(last, key=last.__getitem__)

    # -- on the way forward --------------------------------------------------------------------------------------------

    def _value(self, place: int, m: int, r: int) -> Iterator[Difference]:
        mine, reference = self.mine.values[m], self.reference.values[r]
        if mine is None or reference is None:
            return
        name = self.names[place]
        if mine.shape != reference.shape:
            said = gettext(
                "{name} is {mine} here and {reference} there", name=name, mine=mine.shape, reference=reference.shape
            )
            yield Difference(place, "value", said, self._made(place, m, r))
        elif not close(mine, reference):
            said = gettext("{name} is {apart}", name=name, apart=apart(mine, reference))
            node = self.mine.graph.nodes[m]
            cause = (
                self._made(place, m, r) if node.kind == "op" else gettext("the two graphs start from different numbers")
            )
            yield Difference(place, "value", said, cause)

    def _made(self, place: int, m: int, r: int) -> str:
        """How the two operations differ; if they do not, what is built differently on the way to them, or that the
        forward is another, where all that goes into it agrees.
        """
        mine, reference = self.mine.graph.nodes[m], self.reference.graph.nodes[r]
        if mine.kind != "op" or reference.kind != "op":
            return ""
        if self._otherwise_made(mine, reference):
            return gettext("it is made by {mine} here and by {reference} there", mine=mine.op, reference=reference.op)
        way = self._way(place)
        in_order = sorted(way, key=lambda at: (not self.operands.get(at), at))  # operations rather than leaves
        built = [each for at in in_order for each in self._structure(at, *self.alignment.places[at])]
        if built:
            return gettext("on the way to it, {difference}", difference=built[0].said)
        return gettext(
            "this is where the forward of {op} differs"
            if not way
            else "the forward of {op} differs, or one before it, whose numbers are not kept",
            op=mine.op,
        )

    def _way(self, place: int) -> set[int]:
        """The places on the way to a place, back to values that both graphs have and that agree."""
        found: set[int] = set()
        waiting = [*self.operands.get(place, ())]
        while waiting:
            at = waiting.pop()
            if at not in found and not self._agrees(at):
                found.add(at)
                waiting += self.operands.get(at, ())
        return found

    def _agrees(self, place: int) -> bool:
        """Whether both graphs have a value there, the same; constants that nobody keeps are not asked."""
        m, r = self.alignment.places[place]
        if m is None or r is None:
            return False
        mine, reference = self.mine.values[m], self.reference.values[r]
        if mine is None or reference is None:
            return "constant" in (self.mine.graph.nodes[m].kind, self.reference.graph.nodes[r].kind)
        return mine.shape == reference.shape and close(mine, reference)

    # -- on the way back -----------------------------------------------------------------------------------------------

    def _cut(self, place: int, m: int, r: int) -> Iterator[Difference]:
        mine, reference = self.mine.graph.nodes[m], self.reference.graph.nodes[r]
        name = self.names[place]
        if mine.kind != "op" and reference.kind == "op":
            yield Difference(
                place,
                "cut",
                gettext("the graph ends at {name} here, and there {op} made it", name=name, op=reference.op),
                gettext("its parents are lost"),
            )
        elif mine.kind == "constant" and reference.kind == "leaf" and self.reference.gradients[r] is not None:
            yield Difference(
                place,
                "cut",
                gettext("{name} is a constant here and takes a gradient there", name=name),
                gettext("requires_grad is not set or lost"),
            )

    def _gradient(self, place: int, m: int, r: int) -> Iterator[Difference]:
        """What is wrong with mine's gradient at a place: missing, unwanted, its kind, shape, numbers or dtype."""
        mine, reference = self.mine.gradients[m], self.reference.gradients[r]
        name = self.names[place]
        if mine is None:
            if reference is not None and self.mine.wants[m] and not self.mine.ours:  # ours frees on purpose
                yield Difference(place, "gradient", *self._nothing(name, m, as_numbers(reference)))
            return
        if not self.mine.wants[m] and not self.reference.wants[r]:
            said = gettext("{name}.grad is {mine} here and None there", name=name, mine=shape_of(mine))
            yield Difference(place, "gradient", said, gettext("constants take no gradient"))
            return
        found = as_numbers(mine)
        if found is None:
            yield Difference(
                place,
                "gradient",
                gettext("{name}.grad is a {kind} here, which is no array", name=name, kind=type(mine).__name__),
            )
            return
        value = self.mine.values[m]
        true = None if reference is None else as_numbers(reference)
        if true is None:
            return
        if found.shape != true.shape:
            cause = "" if value is None or found.shape == value.shape else shape_said(found, true.shape)
            said = gettext(
                "{name}.grad is {mine} here and {reference} there", name=name, mine=found.shape, reference=true.shape
            )
            yield Difference(place, "gradient", said, cause)
        elif not np.isfinite(found).all() and np.isfinite(true).all():
            yield Difference(
                place,
                "gradient",
                gettext("{name}.grad is not finite here ({count}), and is there", name=name, count=unfinite(found)),
            )
        elif not close(found, true, self._upstream(r)):
            said = gettext("{name}.grad is {apart}", name=name, apart=apart(found, true))
            part = self._part(r, found, true)
            cause = part[1] if part else self._cause(m, found, true)
            blamed = (part[0],) if part else ()
            yield Difference(place, "gradient", said, cause, blamed, self._called(blamed))
        elif not self.mine.graph.scalar and value is not None and found.dtype != value.dtype:
            yield Difference(
                place,
                "gradient",
                gettext(
                    "{name}.grad is {mine} here, and {name} itself is {own}",
                    name=name,
                    mine=found.dtype,
                    own=value.dtype,
                ),
            )

    def _nothing(self, name: str, m: int, reference: np.ndarray | None) -> tuple[str, str]:
        said = gettext("{name} has no gradient here", name=name)
        if reference is not None:
            said = gettext(
                "{name} has no gradient here; there it is {reference}", name=name, reference=brief(reference)
            )
        return said, gettext(
            "the backward pass has not run, or does not seed the result"
            if m == self.mine.graph.root
            else "nothing was handed on to it"
        )

    def _part(self, r: int, mine: np.ndarray, reference: np.ndarray) -> tuple[int, str] | None:
        """The operation whose contribution explains the difference, and how, where there are several of them."""
        parts = [
            (edge.dst, self.parts[edge.dst, edge.slot])
            for edge in self.reference.graph.edges
            if edge.src == r and (edge.dst, edge.slot) in self.parts
        ]
        if len(parts) < 2 or any(part.shape != mine.shape for _, part in parts):
            return None
        for key, whole, times in (  # what mine then is: so much of the reference, so many times the one contribution
            (N_("it is used {count} times, and a contribution of {op} is lost"), 1, -1),
            (N_("it is used {count} times, and a contribution of {op} counts twice"), 1, 1),
            (N_("it is used {count} times, and a contribution of {op} has its sign turned"), 1, -2),
            (N_("it is used {count} times, and only a contribution of {op} is there: = in place of +="), 0, 1),
        ):
            made = {dst: np.asarray(whole * reference + times * part, mine.dtype) for dst, part in parts if part.any()}
            fits = {dst for dst, tried in made.items() if close(mine, tried)}
            if len(fits) == 1:
                place = self.place_there[fits.pop()]
                return place, gettext(key, count=len(parts), op=self._called((place,)))
        return None

    def _cause(self, m: int, mine: np.ndarray, reference: np.ndarray) -> str:
        """What the numbers themselves suggest."""
        uses = sum(edge.src == m for edge in self.mine.graph.edges)
        if not mine.any():
            return gettext("it is 0 everywhere")
        if close(-mine, reference):
            return gettext("the sign is turned")
        if mine.ndim >= 2 and mine.shape == mine.T.shape and close(mine.T, reference):
            return gettext("it is transposed")
        factor = factor_between(mine, reference)
        if uses > 1:
            used = gettext("it is used {count} times: one of its {count} contributions is wrong or lost", count=uses)
            return (
                used
                if factor is None
                else gettext("mine is {factor} times the reference, and {used}", factor=words.number(factor), used=used)
            )
        return "" if factor is None else gettext("mine is {factor} times the reference", factor=words.number(factor))

    def _upstream(self, r: int) -> float:
        """The largest entry of the gradients that this one is made from: its rounding is of that size."""
        graph = self.reference.graph
        arrays = [as_numbers(self.reference.gradients[edge.dst]) for edge in graph.edges if edge.src == r]
        sizes = [float(np.abs(each).max()) for each in arrays if each is not None and each.size]
        return max([size for size in sizes if np.isfinite(size)], default=0.0)

    # -- what is built differently -------------------------------------------------------------------------------------

    def _structure(self, place: int, m: int | None, r: int | None) -> Iterator[Difference]:
        """A node that one graph alone has, or that another operation made."""
        name = self.names[place]
        if m is None or r is None:
            graph, idx, here = (self.reference.graph, r, False) if m is None else (self.mine.graph, m, True)
            assert idx is not None
            node = graph.nodes[idx]
            if node.kind == "constant":
                return
            what = f"{name} ({node.op})" if node.kind == "op" else name
            if here:
                yield Difference(
                    place, "extra", gettext("{node} is extra here: the reference has no such node", node=what)
                )
            else:
                yield Difference(
                    place, "missing", gettext("{node} is missing here: the reference has such a node", node=what)
                )
            return
        mine, reference = self.mine.graph.nodes[m], self.reference.graph.nodes[r]
        if mine.kind == reference.kind == "op" and self._otherwise_made(mine, reference):
            said = gettext(
                "{name} is made by {mine} here and by {reference} there",
                name=name,
                mine=mine.op,
                reference=reference.op,
            )
            yield Difference(place, "operation", said)

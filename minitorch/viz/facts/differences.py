"""Differences between two graphs of one computation: where they first part, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from minitorch.viz.facts import words
from minitorch.viz.facts.alignment import Alignment, aligned_graphs, op_of
from minitorch.viz.facts.closures import as_numbers
from minitorch.viz.facts.faults import shape_cause, unfinite
from minitorch.viz.facts.model import Graph, NodeFacts
from minitorch.viz.facts.reading import read
from minitorch.viz.facts.with_arrays import GraphWithArrays, with_arrays, worked_out

Kind = Literal["value", "cut", "gradient", "operation", "extra", "missing"]


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs at one place. said: a clause that names the node; cause: what may be behind it, or ""."""

    place: int
    kind: Kind
    said: str
    cause: str = ""

    def __str__(self) -> str:
        return f"{self.said}: {self.cause}" if self.cause else self.said


@dataclass(frozen=True)
class Compared:
    """Two graphs beside each other, as facts. Their nodes and names are those of the alignment's places.

    mine, reference: for each place its node, None where that graph has none there. differences: the first one first.
    nodes, values, gradients: how many pairs were compared; ungraded: how many have a gradient on one side alone, where
    the other one does not keep it.
    """

    alignment: Alignment
    mine: tuple[NodeFacts | None, ...]
    reference: tuple[NodeFacts | None, ...]
    names: tuple[str, ...]
    scalar: bool
    differences: tuple[Difference, ...]
    nodes: int
    values: int
    gradients: int
    ungraded: int

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
            rest = "; every value and gradient that both have is the same" if harmless else ""
            return f"first difference: {self.differences[0]}{rest}"
        counted = f"the same, {_counted(self.nodes, 'node')}, {_counted(self.gradients, 'gradient')}"
        if not self.gradients and self.ungraded:
            return f"{counted}: the reference holds no gradients, so only values were compared"
        if self.ungraded:
            return f"{counted} ({self.ungraded} more are kept by one of the two alone)"
        return counted if self.gradients else f"{counted}: no backward pass has run yet"


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
    search = _Search(held, true, alignment, called)
    found: dict[int, Difference] = {}
    for each in search.found():
        found.setdefault(each.place, each)
    pairs = [(a, b) for a, b in zip(nodes, beside, strict=True) if a and b and "constant" not in (a.kind, b.kind)]
    both = [(m, r) for m, r in alignment.places if m is not None and r is not None]
    return Compared(
        alignment,
        nodes,
        beside,
        called,
        held.graph.scalar and true.graph.scalar,
        tuple(found.values()),
        len(pairs),
        sum(held.values[m] is not None and true.values[r] is not None for m, r in both),
        sum(held.gradients[m] is not None and true.gradients[r] is not None for m, r in both),
        sum(_is_kept_by_one(held, m, true, r) for m, r in both),
    )


def _is_kept_by_one(held: GraphWithArrays, m: int, true: GraphWithArrays, r: int) -> bool:
    mine, reference = held.gradients[m] is not None, true.gradients[r] is not None
    return (mine and not reference and true.wants[r]) or (reference and not mine and held.ours and held.wants[m])


def close(mine: np.ndarray, reference: np.ndarray, scale: float = 0.0) -> bool:
    """Equal up to rounding, in the coarser of the two dtypes. scale: how large the terms were that made it up.

    >>> close(np.float32([1.0, 2.0]), np.float32([1.0, 2.00001])), close(np.array([1.0]), np.array([1.00001]))
    (True, False)
    """
    eps = max(float(np.finfo(each.dtype).eps) if each.dtype.kind == "f" else 0.0 for each in (mine, reference))
    a, b = np.asarray(mine, np.float64), np.asarray(reference, np.float64)
    finite = np.abs(b[np.isfinite(b)])
    largest = float(finite.max()) if finite.size else 0.0
    room = 100 * eps * largest + 10 * eps * scale
    return bool(np.allclose(a, b, rtol=max(1000 * eps, 1e-9), atol=room, equal_nan=True))


def _node(held: GraphWithArrays, idx: int | None) -> NodeFacts | None:
    """The node as it is to be shown, with the gradient that was compared."""
    if idx is None:
        return None
    node, grad = held.graph.nodes[idx], held.gradients[idx]
    array = None if grad is None else as_numbers(grad)
    return replace(node, grad=None if array is None else read(array), freed=node.freed and array is None)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


class _Search:
    """Goes through two aligned graphs in the order in which things happen: values first, on the way forward; then
    gradients, and places where my graph ends too early, on the way back; then what is only built differently.
    """

    def __init__(
        self, mine: GraphWithArrays, reference: GraphWithArrays, alignment: Alignment, names: tuple[str, ...]
    ) -> None:
        self.mine, self.reference, self.alignment, self.names = mine, reference, alignment, names
        self.place_of = {m: place for place, (m, _) in enumerate(alignment.places) if m is not None}

    def found(self) -> Iterator[Difference]:
        """Every difference, the first one first."""
        back = self._backward_order()
        pairs = [(place, *self.alignment.places[place]) for place in back]
        both = [(place, m, r) for place, m, r in pairs if m is not None and r is not None]
        for place, m, r in sorted(both):
            yield from self._value(place, m, r)
        for place, m, r in both:
            yield from self._cut(place, m, r)
            yield from self._gradient(place, m, r)
        for place in back:
            yield from self._structure(place, *self.alignment.places[place])

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
            yield Difference(
                place, "value", f"{name} is {mine.shape} here and {reference.shape} there", self._made(m, r)
            )
        elif not close(mine, reference):
            said = f"{name} is {_apart(mine, reference)}"
            node = self.mine.graph.nodes[m]
            cause = self._made(m, r) if node.kind == "op" else "the two graphs start from different numbers"
            yield Difference(place, "value", said, cause)

    def _made(self, m: int, r: int) -> str:
        """How the two operations differ, or that they go by the same name."""
        mine, reference = self.mine.graph.nodes[m], self.reference.graph.nodes[r]
        if mine.kind != "op" or reference.kind != "op":
            return ""
        ops = op_of(self.mine.graph, mine), op_of(self.reference.graph, reference)
        if ops[0] != ops[1]:
            return f"it is made by {mine.op} here and by {reference.op} there"
        return f"this is where the forward of {mine.op} differs"

    # -- on the way back -----------------------------------------------------------------------------------------------

    def _cut(self, place: int, m: int, r: int) -> Iterator[Difference]:
        mine, reference = self.mine.graph.nodes[m], self.reference.graph.nodes[r]
        name = self.names[place]
        if mine.kind != "op" and reference.kind == "op":
            made = f"{reference.op} made it"
            yield Difference(place, "cut", f"the graph ends at {name} here, and there {made}", "its parents are lost")
        elif mine.kind == "constant" and reference.kind == "leaf" and self.reference.gradients[r] is not None:
            yield Difference(
                place,
                "cut",
                f"{name} is a constant here and takes a gradient there",
                "requires_grad is not set or lost",
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
            yield Difference(
                place, "gradient", f"{name}.grad is {_shape_of(mine)} here and None there", "constants take no gradient"
            )
            return
        found = as_numbers(mine)
        if found is None:
            yield Difference(place, "gradient", f"{name}.grad is a {type(mine).__name__} here, which is no array")
            return
        value = self.mine.values[m]
        true = None if reference is None else as_numbers(reference)
        if true is None:
            return
        if found.shape != true.shape:
            cause = "" if value is None or found.shape == value.shape else _shape_said(found, true.shape)
            yield Difference(place, "gradient", f"{name}.grad is {found.shape} here and {true.shape} there", cause)
        elif not np.isfinite(found).all() and np.isfinite(true).all():
            yield Difference(place, "gradient", f"{name}.grad is not finite here ({unfinite(found)}), and is there")
        elif not close(found, true, self._upstream(r)):
            yield Difference(place, "gradient", f"{name}.grad is {_apart(found, true)}", self._cause(m, found, true))
        elif not self.mine.graph.scalar and value is not None and found.dtype != value.dtype:
            yield Difference(
                place, "gradient", f"{name}.grad is {found.dtype} here, and {name} itself is {value.dtype}"
            )

    def _nothing(self, name: str, m: int, reference: np.ndarray | None) -> tuple[str, str]:
        there = "" if reference is None else f"; there it is {_brief(reference)}"
        if m == self.mine.graph.root:
            return f"{name} has no gradient here{there}", "the backward pass has not run, or does not seed the result"
        return f"{name} has no gradient here{there}", "nothing was handed on to it"

    def _cause(self, m: int, mine: np.ndarray, reference: np.ndarray) -> str:
        """What the numbers themselves suggest."""
        uses = sum(edge.src == m for edge in self.mine.graph.edges)
        if not mine.any():
            return "it is 0 everywhere"
        if close(-mine, reference):
            return "the sign is turned"
        if mine.ndim >= 2 and mine.shape == mine.T.shape and close(mine.T, reference):
            return "it is transposed"
        factor = _factor(mine, reference)
        if uses > 1:
            used = f"it is used {uses} times: one of its {uses} contributions is wrong or lost"
            return used if factor is None else f"mine is {words.number(factor)} times the reference, and {used}"
        return "" if factor is None else f"mine is {words.number(factor)} times the reference"

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
                yield Difference(place, "extra", f"{what} is extra here: the reference has no such node")
            else:
                yield Difference(place, "missing", f"{what} is missing here: the reference has such a node")
            return
        mine, reference = self.mine.graph.nodes[m], self.reference.graph.nodes[r]
        ops = op_of(self.mine.graph, mine), op_of(self.reference.graph, reference)
        if mine.kind == reference.kind == "op" and ops[0] != ops[1]:
            yield Difference(place, "operation", f"{name} is made by {mine.op} here and by {reference.op} there")


def _shape_said(mine: np.ndarray, shape: tuple[int, ...]) -> str:
    cause = shape_cause(mine, shape)
    if cause.startswith("not summed"):
        return f"this is where an un-broadcast is missing ({cause})"
    return cause


def _shape_of(grad: Any) -> str:
    array = as_numbers(grad)
    return f"a {type(grad).__name__}" if array is None else _brief(array)


def _brief(array: np.ndarray) -> str:
    return words.reading(read(array)) if array.ndim == 0 else str(array.shape)


def _apart(mine: np.ndarray, reference: np.ndarray) -> str:
    """Two values of the same shape, and where they are furthest apart if that is not to be seen."""
    a, b = words.reading(read(mine)), words.reading(read(reference))
    if mine.ndim == 0 and a != b:
        return f"{a} here and {b} there"
    with np.errstate(all="ignore"):
        gap = np.abs(np.asarray(mine, np.float64) - np.asarray(reference, np.float64))
    worst = int(np.argmax(np.nan_to_num(gap, nan=np.inf)))
    spot = [int(each) for each in np.unravel_index(worst, mine.shape)]
    one, other = f"{float(mine.flat[worst]):.8g}", f"{float(reference.flat[worst]):.8g}"
    short = words.number(float(mine.flat[worst])), words.number(float(reference.flat[worst]))
    if short[0] != short[1]:
        one, other = short
    if mine.ndim == 0:
        return f"{one} here and {other} there"
    whole = f"{a} here and {b} there" if a != b else f"{a} on both sides"
    return f"{whole}, furthest apart at {spot}: {one} and {other}" if read(mine).values is None or a == b else whole


def _factor(mine: np.ndarray, reference: np.ndarray) -> float | None:
    """The one number that the reference must be multiplied with to give mine, if there is one that is plain."""
    some = np.abs(reference) > 1e-3 * np.abs(reference).max(initial=0.0)
    if not some.any() or not np.isfinite(mine).all() or not np.isfinite(reference).all():
        return None
    factor = float(np.median(np.asarray(mine, np.float64)[some] / np.asarray(reference, np.float64)[some]))
    plain = any(
        abs(each - round(each)) < 1e-3 * abs(each) and round(each) for each in (factor, 1 / factor if factor else 0.0)
    )
    return factor if plain and close(mine, np.asarray(factor * reference, mine.dtype)) else None

"""One entry of a small array in a pass that is predicted: which place is asked about, and what slips give there.

A mistake is made on whole arrays, once with the numbers as they are and once as a reader sees them. The place is the
one where most mistakes can be told from what is right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from minitorch.viz.facts import words
from minitorch.viz.facts.formulas import canonical
from minitorch.viz.facts.misconceptions import RIGHT, Use, as_shown
from minitorch.viz.facts.model import Edge, Event, Graph, Reading, Shape, Trace
from minitorch.viz.facts.questions import Kind, Question, question

Numbers = npt.NDArray[np.float64]
Made = dict[str, Numbers]
"""What arrives, right and by mistakes: arrays of the shape of what it arrives at, nan where a mistake gives nothing."""

_shown = np.vectorize(as_shown, otypes=[np.float64])


def arriving(
    trace: Trace,
    event: Event,
    had: Reading | None,
    names: tuple[str, ...],
    step: int,
    fields: Mapping[str, str],
    rule: str,
) -> Question | None:
    """Which number arrives at a place; None where one of the numbers that make it is not known or not finite.

    had: the gradient that is there already.
    """
    if event.edge is None:
        return None
    graph = trace.graph
    edge = graph.edges[event.edge]
    found = _Arrival.of(graph, edge, event)
    if found is None:
        return None
    made = found.made(lambda numbers: numbers)
    right = _array(event.contribution)
    if right is None or RIGHT not in made or not np.allclose(made[RIGHT], right, rtol=1e-4, atol=1e-9):
        return None
    made |= _beyond(trace, edge, right, _array(had))
    called = [names[each.src] for each in graph.operands[edge.dst]]
    told = {**fields, **dict(zip("ab", called, strict=False)), **found.told, "size": str(found.size), "rule": rule}
    return _best("entry", step, {**made, RIGHT: right}, found.made(_shown), rule, told)


def _beyond(trace: Trace, edge: Edge, right: Numbers, had: Numbers | None) -> Made:
    """What is taken in its place where more has arrived, or does at once."""
    graph = trace.graph
    uses = {at for at, each in enumerate(graph.edges) if (each.src, each.dst) == (edge.src, edge.dst)}
    parts = [_array(event.contribution) for event in trace.events if event.edge in uses]
    known = [each for each in parts if each is not None]
    found = {"both_uses": np.sum(known, axis=0)} if len(known) == len(uses) > 1 else {}
    return found if had is None else {**found, "already_added": had + right, "before": had}


def adding(event: Event, before: Reading | None, twice: bool, step: int, fields: Mapping[str, str]) -> Question | None:
    """Which number is at a place once a contribution is added there. twice: one operation has given all of them."""
    part, had, after = _array(event.contribution), _array(before), _array(event.after)
    if part is None or had is None or after is None:
        return None
    told = {"part": _said(part), "before": _said(had)}
    made = {RIGHT: after, **sums(part, had, twice)}
    one, other = _shown(part), _shown(had)
    return _best("total", step, made, {RIGHT: one + other, **sums(one, other, twice)}, "", fields, told)


def sums(part: Any, before: Any, twice: bool) -> dict[str, Any]:
    """What becomes of a contribution and of what was there by mistake, of numbers or of arrays."""
    alone = {"one_use": part} if twice else {"overwritten": part, "kept": before}
    return {**alone, "difference": before - part, "turned_difference": part - before, "multiplied": part * before}


def _best(
    kind: Kind,
    step: int,
    made: Mapping[str, Numbers],
    seen: Mapping[str, Numbers],
    rule: str,
    fields: Mapping[str, str],
    by_place: Mapping[str, list[str]] | None = None,
) -> Question:
    """The question about the place that tells most. by_place: fields that are others at each place."""
    shape = made[RIGHT].shape

    def asked(at: int) -> Question:
        place = ", ".join(str(int(each)) for each in np.unravel_index(at, shape))
        own = {name: those[at] for name, those in (by_place or {}).items()}
        there, as_seen = ({name: float(each.ravel()[at]) for name, each in some.items()} for some in (made, seen))
        return question(kind, step, there, as_seen, rule, {**fields, **own, "place": f"[{place}]" if shape else ""})

    every = [asked(at) for at in range(made[RIGHT].size)]
    worth = [(bool(made[RIGHT].ravel()[at]), len(each.wrong), at) for at, each in enumerate(every)]
    return every[max(worth)[2]]


def _said(array: Numbers) -> list[str]:
    return [words.number(float(each), words.TYPESET) for each in array.ravel()]


def _array(read: Reading | None) -> Numbers | None:
    """The entries that were read; None where they were not, or one of them is not finite."""
    if read is None or read.values is None or not read.is_finite:
        return None
    return np.reshape(np.array(read.values, dtype=np.float64), read.shape)


class _Arrival:
    """What an operation hands on to one of its operands: all that it is made of.

    g: the upstream gradient. values: of the operands, None where not known; out: of the result. own: the shape of the
    one that it arrives at.
    """

    def __init__(self, op: str, slot: int, own: Shape, g: Numbers, values: list[Numbers | None], out: Any) -> None:
        self.op, self.slot, self.own, self.g, self.values, self.out = op, slot, own, g, values, out
        self.size = max(1, g.size // max(1, math.prod(own)))  # of the copies that were made, or of the numbers summed
        self.told: dict[str, str] = {}

    @classmethod
    def of(cls, graph: Graph, edge: Edge, event: Event) -> _Arrival | None:
        """That of an edge; None where the gradient that goes in is not known or not finite, or there is no entry."""
        giver, operands = graph.nodes[edge.dst], graph.operands[edge.dst]
        g, own = _array(event.upstream), graph.nodes[edge.src].shape
        if g is None or own is None or event.contribution.is_empty:
            return None
        values = [_array(graph.nodes[each.src].value) for each in operands]
        op = "" if giver.folded else canonical(giver.op, len(operands))
        return cls(op, operands.index(edge), own, g, values, _array(giver.value))

    def made(self, looked_at: Callable[[Numbers], Numbers]) -> Made:
        """What arrives. looked_at: what becomes of each number that goes in."""
        g = looked_at(self.g)
        values = [None if each is None else looked_at(each) for each in self.values]
        if self.op in ("matmul", "linear") and (self.op, self.slot) != ("linear", 2):
            return self._product(g, *values[:2])
        if self.op in ("sum", "mean") and g.size == 1 != math.prod(self.own):
            return self._reduced(g, values[0])
        return self._elementwise(g, values, None if self.out is None else looked_at(self.out))

    def _reduced(self, g: Numbers, value: Numbers | None) -> Made:
        """Of a sum or a mean of all numbers."""
        self.size = math.prod(self.own)
        whole = np.full(self.own, g.item())
        right, other = (whole, whole / self.size) if self.op == "sum" else (whole / self.size, whole)
        slip = {"averaged" if self.op == "sum" else "not_averaged": other}
        return {RIGHT: right, **slip, **({} if value is None else {"value_taker": value})}

    def _product(self, g: Numbers, a: Numbers | None, b: Numbers | None) -> Made:
        """Of a product of matrices, a @ b, or a @ b.T of a linear layer."""
        first, linear = self.slot == 0, self.op == "linear"
        known = b if first else a
        if known is None or known.ndim != 2 or g.ndim != 2 or len(self.own) != 2:
            return {}
        left, right = (g, known if linear else known.T) if first else (known.T, g)
        if linear and not first:
            left, right = g.T, known
        found: Made = {RIGHT: left @ right}
        self.told["terms"] = str(left.shape[1])
        slips: dict[str, Callable[[], Numbers]] = {
            "not_transposed": lambda: (left @ right.T) if first else (left.T @ right),
            "one_product": lambda: np.outer(left[:, 0], right[0]),
            "elementwise": lambda: g * known,
            "upstream_only": lambda: g,
            "mirrored": lambda: found[RIGHT].T,
        }
        if left.shape[1] == 1:
            del slips["one_product"]
        for name, slip in slips.items():
            try:
                given = slip()
            except ValueError:  # the shapes do not fit, and nobody takes that for an answer
                continue
            if given.shape == self.own:
                found[name] = given
        if not first:
            found["averaged_back"] = found[RIGHT] / left.shape[1]
            self.size = left.shape[1]
        return found

    def _elementwise(self, g: Numbers, values: list[Numbers | None], out: Numbers | None) -> Made:
        """Of an operation on each entry, whose operands may have been stretched."""
        slopes = self._slopes(g.shape, values, out)
        if RIGHT not in slopes or len(self.own) > g.ndim:
            return {}
        axes = tuple(
            axis
            for axis, size in enumerate(g.shape)
            if axis < g.ndim - len(self.own) or self.own[axis - g.ndim + len(self.own)] != size
        )
        self.told["axes"] = words.axes(axes)

        def back(part: Numbers) -> Numbers:
            return np.reshape(part.sum(axis=axes), self.own)

        part = g * slopes[RIGHT]
        found = {name: back(g * slope) for name, slope in slopes.items()}
        if axes:
            one = part[tuple(0 if axis in axes else slice(None) for axis in range(g.ndim))]
            found |= {"unsummed": np.reshape(one, self.own), "averaged_back": back(part) / self.size}
            if g.ndim == 2 and len(axes) == 1:
                found["wrong_axis"] = self._over_the_other(part, axes[0])
        return found | {"upstream_only": back(g), "local_only": back(slopes[RIGHT])}

    def _over_the_other(self, part: Numbers, axis: int) -> Numbers:
        """The sums over the axis that was not stretched, at the places that they have in common with what is right."""
        wrong = part.sum(axis=1 - axis)
        found = np.full(math.prod(self.own), np.nan)
        found[: wrong.size] = wrong[: found.size]
        return found.reshape(self.own)

    def _slopes(self, shape: Shape, values: list[Numbers | None], out: Numbers | None) -> Made:
        """The local gradients at each entry, right and by mistakes; none where one of them is not known."""
        op, slot = ("add", 0) if self.op == "linear" else (self.op, self.slot)
        if self.op == "linear":
            values = [None, None]
        elif op == "relu":
            values = [out if each is None else each for each in values]
        unknown = np.full(shape, np.nan)
        try:
            arrays = [unknown if each is None else np.broadcast_to(each, shape) for each in values]
            result = unknown if out is None else np.broadcast_to(out, shape)
        except ValueError:
            return {}
        names = ("",) * len(arrays)
        found: Made = {}
        for at in np.ndindex(shape):
            use = Use(op, slot, tuple(float(each[at]) for each in arrays), names, float(result[at]))
            for name, slope in use.slopes().items():
                found.setdefault(name, np.full(shape, np.nan))[at] = slope
        right = found.get(RIGHT)
        return {} if right is None or np.isnan(right).any() else found

"""A backward pass to be predicted: what is asked at each step, which answers are right, and what wrong ones come from.

A wrong answer is answered by the mistake that makes exactly that number. So each mistake is carried out, once with the
numbers as they are and once as a reader sees them, and whatever lies between the two counts as its number. One that
cannot be told from the right number is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from minitorch.viz.facts import words
from minitorch.viz.facts.formulas import formula
from minitorch.viz.facts.misconceptions import RIGHT, Slopes, Use, as_shown, single, use_of
from minitorch.viz.facts.model import Edge, Event, Graph, Reading, Shape, Trace
from minitorch.viz.texts.catalogue import say

NEAR = 0.05  # of a number: an answer that is so close lacks digits

# Mistakes that are a second explanation beside another one of the same number; the others only stand first.
_BESIDE = ("both_uses", "before", "upstream_only", "local_only", "overwritten", "kept")
# What says by itself that the gradient came through as it was.
_PASSES_ON = ("let_through", "minus")

Kind = Literal["seed", "part", "sum", "shape", "entry"]


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers that count as one: from the smallest to the largest."""

    low: float
    high: float

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high

    def meets(self, other: Span) -> bool:
        """Whether some number counts as both."""
        return self.low <= other.high and other.low <= self.high


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of one step.

    kind: the seed, what arrives (`part`), what the sum is then, or the shape of what arrives. step: from 1. right: the
    numbers, or the one shape, that are right; near: numbers that only lack digits. wrong: numbers or shapes, each with
    the mistake that makes it, the likelier ones first. rule: the local rule with names in place of numbers, "" where
    it is not known. fields: what its sentences speak of.
    """

    kind: Kind
    step: int
    right: Span | Shape
    wrong: tuple[tuple[Span | Shape, str], ...]
    near: Span | None = None
    rule: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    def judged(self, answer: float | Shape) -> tuple[str, ...]:
        """What there is to say of an answer: "right", "near", or the mistakes that make it, the first two at most."""
        if _is(answer, self.right):
            return (RIGHT,)
        found = tuple(name for made, name in self.wrong if _is(answer, made))
        if found:
            return found[:2]
        return ("near",) if self.near is not None and _is(answer, self.near) else ()


def _is(answer: float | Shape, what: Span | Shape) -> bool:
    if isinstance(what, Span):
        return isinstance(answer, (int, float)) and answer in what
    return answer == what


def questions(trace: Trace) -> tuple[Question, ...]:
    """What can be asked of a pass, step by step: of numbers their value, of arrays their shape.

    Nothing is asked of what a hook does, nor of numbers that are not finite. Raises ValueError where a local gradient
    of the graph is not what the rule of its operation gives: what is right could not be said then.
    """
    names = words.names(trace.graph)
    found: list[Question] = []
    held: dict[int, float] = {}  # the number that each gradient is, as far as the pass has come
    for step, event in enumerate(trace.events, start=1):
        found += _asked(trace, step, event, names, held.get(event.node))
        held[event.node] = _number(event.after) or 0.0
    return tuple(found)


def _asked(trace: Trace, step: int, event: Event, names: tuple[str, ...], before: float | None) -> Iterator[Question]:
    graph = trace.graph
    fields = {"step": str(step), "total": str(len(trace.events)), "taker": names[event.node]}
    if event.kind == "hook":
        return
    if event.edge is None:
        made = {RIGHT: 1.0, "seed_value": single(graph.nodes[event.node]) or 0.0, "seed_zero": 0.0}
        yield _question("seed", step, made, made, "", fields)
        return
    edge = graph.edges[event.edge]
    made_by = words.typeset(words.made_by(graph, graph.nodes[edge.dst], names))
    uses = sum(each.src == edge.src for each in graph.operands[edge.dst])
    fields |= {"giver": names[edge.dst], "made": made_by, "uses": str(uses)}
    part = _number(event.contribution)
    if part is None:
        if (
            not event.contribution.is_empty
            and len(event.contribution.shape)
            and math.prod(event.contribution.shape) > 1
        ):
            yield _shape(graph, edge, event, names, step, fields)
        return
    if not math.isfinite(part):
        return
    yield _part(trace, edge, event, names, step, fields, part, before)
    after = _number(event.after)
    if event.kind == "add" and before is not None and after is not None and math.isfinite(after):
        yield _sum(trace, edge, step, fields, part, before, after)


def _number(read: Reading) -> float | None:
    """The number that was read, where it was one."""
    return read.values[0] if read.values is not None and len(read.values) == 1 else None


# -- numbers -------------------------------------------------------------------------------------------------------


def _part(
    trace: Trace,
    edge: Edge,
    event: Event,
    names: tuple[str, ...],
    step: int,
    fields: Mapping[str, str],
    part: float,
    before: float | None,
) -> Question:
    graph = trace.graph
    use = use_of(graph, edge, names)
    upstream = None if event.upstream is None else _number(event.upstream)
    local = edge.local if edge.local is not None or not upstream else part / upstream
    slopes = _slopes(use, edge, local, fields)
    made: Slopes = {RIGHT: part}
    seen: Slopes = {}
    if upstream is not None and local is not None:
        as_seen = {} if use is None else use.shown().slopes()
        seen[RIGHT] = as_shown(upstream) * as_seen.get(RIGHT, as_shown(local))
        for name, slope in slopes.items():
            made[name], seen[name] = upstream * slope, as_shown(upstream) * as_seen.get(name, slope)
        made[RIGHT] = part
    if int(fields["uses"]) > 1:
        made["both_uses"] = _together(trace, edge)
    if before is not None and event.kind == "add":
        made |= {"already_added": before + part, "before": before}
    if upstream is not None and local is not None:
        made |= {"upstream_only": upstream, "local_only": local, "turned": -part, "added": upstream + local}
        seen["local_only"] = seen[RIGHT] / as_shown(upstream) if upstream else local
        seen["added"] = as_shown(upstream) + seen["local_only"]
    for name, node in (("value_taker", edge.src), ("value_giver", edge.dst)):
        value = single(graph.nodes[node])
        if value is not None:
            made[name] = value
    named = dict(zip("ab", map(words.typeset, () if use is None else use.names), strict=False))
    rule = _rule(graph, edge, names) if use is None else _rule_of_numbers(use, names[edge.dst])
    return _question("part", step, made, seen, rule, {**fields, **named})


def _slopes(use: Use | None, edge: Edge, local: float | None, fields: Mapping[str, str]) -> Slopes:
    """The local gradients that mistakes make. Raises ValueError where the graph's own is one of them."""
    slopes = {} if use is None else use.slopes()
    due = slopes.get(RIGHT)
    if use is None or due is None or local is None or math.isclose(due, local, rel_tol=1e-4, abs_tol=1e-9):
        return {name: slope for name, slope in slopes.items() if name != "own_factor" or local != 1.0}
    at_kink = use.op in ("relu", "abs") and not use.values[0]
    if edge.local is None or at_kink:
        return {}
    raise ValueError(
        f"in {fields['giver']} = {fields['made']} the local gradient of {fields['taker']} is {words.number(local)}, "
        f"and the rule gives {words.number(due)}: nothing can be predicted until that is mended"
    )


def _together(trace: Trace, edge: Edge) -> float:
    """What all uses of an operand in one operation bring it."""
    graph = trace.graph
    same = {place for place, each in enumerate(graph.edges) if (each.src, each.dst) == (edge.src, edge.dst)}
    return sum(_number(event.contribution) or 0.0 for event in trace.events if event.edge in same)


def _sum(
    trace: Trace, edge: Edge, step: int, fields: Mapping[str, str], part: float, before: float, after: float
) -> Question:
    first = [event.edge for event in trace.events[: step - 1] if event.node == edge.src and event.edge is not None]
    twice = all(trace.graph.edges[each].dst == edge.dst for each in first)  # all came from the same operation
    made = {RIGHT: after, **_sums(part, before, twice)}
    shown = as_shown(part), as_shown(before)
    seen = {RIGHT: sum(shown), **_sums(*shown, twice)}
    told = {"part": words.number(part, words.TYPESET), "before": words.number(before, words.TYPESET)}
    return _question("sum", step, made, seen, "", {**fields, **told})


def _sums(part: float, before: float, twice: bool) -> Slopes:
    alone = {"one_use": part} if twice else {"overwritten": part, "kept": before}
    return {**alone, "difference": before - part, "turned_difference": part - before, "multiplied": part * before}


def _question(kind: Kind, step: int, made: Slopes, seen: Slopes, rule: str, fields: Mapping[str, str]) -> Question:
    """made: the right number and those of mistakes; seen: the same worked out with the numbers that a reader sees."""
    right = _span(made[RIGHT], seen.get(RIGHT, made[RIGHT]))
    wrong: list[tuple[Span | Shape, str]] = []
    for name, number in made.items():
        other = seen.get(name, number)
        if name == RIGHT or not math.isfinite(number) or not math.isfinite(other):
            continue
        span = _span(number, other)
        alike = [earlier for there, earlier in wrong if isinstance(there, Span) and span.meets(there)]
        covered = alike and (name not in _BESIDE or any(each in _PASSES_ON for each in alike))
        if not span.meets(right) and not covered:
            wrong.append((span, name))
    number = made[RIGHT]
    near = None if as_shown(number) == number else Span(number - NEAR * abs(number), number + NEAR * abs(number))
    told = {"right": words.number(number, words.TYPESET)}
    return Question(kind, step, right, tuple(wrong), near, rule, {**fields, **told})


def _span(number: float, seen: float) -> Span:
    """A number and what it is where it is worked out with numbers as they are shown; rounded to what is shown.

    >>> _span(0.5, 0.5).high - _span(0.5, 0.5).low < 1e-8, 0.333 in _span(1 / 3, 1 / 3), 0.34 in _span(1 / 3, 1 / 3)
    (True, True, False)
    """
    if not math.isfinite(seen):
        seen = number
    known = number, seen, as_shown(number), as_shown(seen)
    largest = max(map(abs, known))
    exact = math.isclose(min(known), max(known), rel_tol=1e-12, abs_tol=1e-300)
    unit = 0.0 if exact or not largest else 10.0 ** (math.floor(math.log10(largest)) - 2)
    spare = unit + 1e-9 * largest
    return Span(min(known) - spare, max(known) + spare)


def _rule_of_numbers(use: Use, out: str) -> str:
    """The local rule of an operation on numbers, with names."""
    return _known(use.op, formula(use.op, use.slot, use.names, ((),) * len(use.names), out, ()))


def _rule(graph: Graph, edge: Edge, names: tuple[str, ...]) -> str:
    giver, operands = graph.nodes[edge.dst], graph.operands[edge.dst]
    if giver.folded:
        return ""
    shapes = tuple(graph.nodes[each.src].shape for each in operands)
    called = tuple(names[each.src] for each in operands)
    found = formula(giver.op, operands.index(edge), called, shapes, names[edge.dst], giver.shape or ())
    return _known(giver.op, found)


def _known(op: str, found: str) -> str:
    return "" if found in (say("rule_of", op=op), say("rule_of_none")) else words.typeset(found)


# -- shapes --------------------------------------------------------------------------------------------------------


def _shape(
    graph: Graph, edge: Edge, event: Event, names: tuple[str, ...], step: int, fields: Mapping[str, str]
) -> Question:
    right, giver = event.contribution.shape, graph.nodes[edge.dst]
    others = [graph.nodes[each.src].shape for each in graph.operands[edge.dst] if each is not edge]
    made: list[tuple[Shape | None, str]] = []
    if event.reduced_axes and event.reduced_from is not None:
        kept = tuple(1 if axis in event.reduced_axes else size for axis, size in enumerate(event.reduced_from))
        made += [(event.reduced_from, "shape_unsummed"), (kept, "shape_kept")]
    made.append((giver.shape, "shape_result"))
    made += [(other, "shape_other") for other in others]
    made += [(right[::-1], "shape_transposed"), ((), "shape_number")]
    wrong: dict[Shape, str] = {}
    for shape, name in made:
        if shape is not None and shape != right:
            wrong.setdefault(shape, name)
    told = {"right": str(right), "axes": words.axes(event.reduced_axes)}
    found = tuple(wrong.items())
    return Question("shape", step, right, found, None, _rule(graph, edge, names), {**fields, **told})

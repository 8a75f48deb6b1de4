"""A backward pass to be predicted: what is asked at each step, which answers are right, and what wrong ones come from.

Of numbers their value is asked, of arrays their shape and, of a small one, the number at a place, and what it adds to.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from minitorch.language import gettext
from minitorch.viz.facts import entries, words
from minitorch.viz.facts.formulas import formula
from minitorch.viz.facts.misconceptions import RIGHT, Slopes, Use, as_shown, single, use_of
from minitorch.viz.facts.model import Edge, Event, Graph, Reading, Shape, Trace
from minitorch.viz.facts.questions import Question, question


def questions(trace: Trace) -> tuple[Question, ...]:
    """What can be asked of a pass, step by step: of numbers their value, of arrays their shape and one place.

    Nothing is asked of what a hook does, nor of numbers that are not finite. Raises ValueError where a local gradient
    of the graph is not what the rule of its operation gives: what is right could not be said then.
    """
    names = words.names(trace.graph)
    found: list[Question] = []
    held: dict[int, Reading] = {}  # what each gradient is, as far as the pass has come
    for step, event in enumerate(trace.events, start=1):
        found += _asked(trace, step, event, names, held.get(event.node))
        held[event.node] = event.after
    return tuple(found)


def _asked(trace: Trace, step: int, event: Event, names: tuple[str, ...], had: Reading | None) -> Iterator[Question]:
    graph = trace.graph
    fields = {"step": str(step), "total": str(len(trace.events)), "taker": names[event.node]}
    if event.kind == "hook":
        return
    if event.edge is None:
        made = {RIGHT: 1.0, "seed_value": single(graph.nodes[event.node]) or 0.0, "seed_zero": 0.0}
        yield question("seed", step, made, made, "", fields)
        return
    edge = graph.edges[event.edge]
    made_by = _typeset(words.made_by(graph, graph.nodes[edge.dst], names))
    uses = sum(each.src == edge.src for each in graph.operands[edge.dst])
    fields |= {"giver": names[edge.dst], "made": made_by, "uses": str(uses)}
    part, before = _number(event.contribution), None if had is None else _number(had)
    if part is None:
        yield from _of_array(trace, edge, event, names, step, fields, had)
        return
    if not math.isfinite(part):
        return
    whole = event.upstream is not None and math.prod(event.upstream.shape) > 1  # of several numbers one has come
    rule = _rule(graph, edge, names)
    arrives = entries.arriving(trace, event, had, names, step, fields, rule) if whole else None
    yield arrives or _part(trace, edge, event, names, step, fields, part, before)
    after = _number(event.after)
    if event.kind == "add" and before is not None and after is not None and math.isfinite(after):
        yield _sum(trace, edge, step, fields, part, before, after)


def _of_array(
    trace: Trace,
    edge: Edge,
    event: Event,
    names: tuple[str, ...],
    step: int,
    fields: Mapping[str, str],
    had: Reading | None,
) -> Iterator[Question]:
    """Of an array its shape is asked; of a small one which number arrives at a place, and which is there then."""
    if event.contribution.is_empty:
        return
    yield _shape(trace.graph, edge, event, names, step, fields)
    arrives = entries.arriving(trace, event, had, names, step, fields, _rule(trace.graph, edge, names))
    if arrives is not None:
        yield arrives
    adds = entries.adding(event, had, _all_from(trace, edge, step), step, fields) if event.kind == "add" else None
    if adds is not None:
        yield adds


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
    return question("part", step, made, seen, rule, {**fields, **named})


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
    twice = _all_from(trace, edge, step)
    made = {RIGHT: after, **entries.sums(part, before, twice)}
    shown = as_shown(part), as_shown(before)
    seen = {RIGHT: sum(shown), **entries.sums(*shown, twice)}
    told = {"part": words.number(part, words.TYPESET), "before": words.number(before, words.TYPESET)}
    return question("sum", step, made, seen, "", {**fields, **told})


def _all_from(trace: Trace, edge: Edge, step: int) -> bool:
    """Whether all that has come to an operand before a step came from the same operation."""
    first = [event.edge for event in trace.events[: step - 1] if event.node == edge.src and event.edge is not None]
    return all(trace.graph.edges[each].dst == edge.dst for each in first)


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
    return "" if found in (gettext("rule of {op}", op=op), gettext("rule of the operation")) else _typeset(found)


def _typeset(formula: str) -> str:
    return re.sub(r"^-| - ", lambda sign: sign[0].replace("-", "−"), words.typeset(formula))


# -- shapes --------------------------------------------------------------------------------------------------------


def _shape(
    graph: Graph, edge: Edge, event: Event, names: tuple[str, ...], step: int, fields: Mapping[str, str]
) -> Question:
    right, giver = event.contribution.shape, graph.nodes[edge.dst]
    others = [graph.nodes[each.src].shape for each in graph.operands[edge.dst] if each is not edge]
    made: list[tuple[Shape | None, str]] = []
    if event.reduced_axes and event.reduced_from is not None:
        kept = tuple(1 if axis in event.reduced_axes else size for axis, size in enumerate(event.reduced_from))
        left = tuple(size for axis, size in enumerate(event.reduced_from) if axis in event.reduced_axes)
        made += [(event.reduced_from, "shape_unsummed"), (kept, "shape_kept"), (left, "shape_wrong_axis")]
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

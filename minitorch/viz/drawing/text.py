"""The graph as a listing: one line a node, operands above results. All that a terminal shows."""

from __future__ import annotations

from collections.abc import Mapping

from minitorch.language import gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.births import Birth, births, mark
from minitorch.viz.facts.levels import Level
from minitorch.viz.facts.model import Graph, NodeFacts, Reading, Trace

LONGEST_OPERATION = 44  # letters, then "…"


def listing(
    graph: Graph,
    gradients: Mapping[int, Reading] | None = None,
    limit: int | None = None,
    born: Mapping[int, Birth] | None = None,
    names: tuple[str, ...] | None = None,
) -> str:
    """The nodes as a table: name, how it was made, shape, value, gradient, notes.

    gradients: those to show instead of what the nodes hold. limit: how many lines at most, the middle is left out.
    born: where a nan or an inf comes from, for the notes; worked out from the graph if None. names: of the nodes,
    where these are not `words.names`.
    """
    born = births(graph) if born is None else born
    names = words.names(graph) if names is None else names
    value, gradient = gettext("value"), gettext("gradient")
    shape = [] if graph.scalar else [gettext("shape")]
    rows = [[gettext("node"), gettext("made by"), *shape, value, gradient, gettext("note")]]
    shown = [node for node in graph.nodes if node.kind != "constant" or node.label or node.idx == graph.root]
    rows += [_row(graph, node, names, gradients, born.get(node.idx)) for node in shown]
    if not any(row[-1] for row in rows[1:]):
        rows = [row[:-1] for row in rows]
    lines = aligned(rows, numbers=(value, gradient) if graph.scalar else ())
    return "\n".join(shortened(lines, limit))


def folded(
    level: Level, whole: Graph, gradients: Mapping[int, Reading] | None, limit: int | None, born: Mapping[int, Birth]
) -> str:
    """The nodes of one level of a folded graph as a table, and that it is folded. born: in the whole graph."""
    table = listing(level.graph, gradients, limit, level.located(born), level.names)
    said = gettext(
        "folded: {shown} boxes stand for {count} nodes; .text() lists each of them",
        shown=len(level.graph.nodes),
        count=len(whole.nodes),
    )
    return f"{table}\n{said}"


def passing(
    trace: Trace, step: int | None = None, limit: int | None = None, names: tuple[str, ...] | None = None
) -> str:
    """The steps of a backward pass, one a line, and what each of them did to which gradient. names: as in `listing`."""
    names = words.names(trace.graph) if names is None else names
    done = len(trace.events) if step is None else step
    rows = []
    for number, event in enumerate(trace.events[:done], start=1):
        source = words.giver(trace, event, names)
        total = gettext("now {value}", value=words.reading(event.after)) if event.kind == "add" else ""
        if event.reduced_axes:
            before = "" if event.reduced_from is None else f" <- {event.reduced_from}"
            shape = f"{event.contribution.shape}{before}"
            summed = gettext("{shape} summed over {axes}", shape=shape, axes=words.axes(event.reduced_axes))
            total = f"{total}; {summed}" if total else summed
        arithmetic = words.arithmetic(trace.graph, event)
        rows.append([str(number), names[event.node], source, words.equals(event).rjust(2), arithmetic, total])
    head = gettext(
        "backward pass from {root}: {done} of {total} steps",
        root=names[trace.graph.root],
        done=done,
        total=len(trace.events),
    )
    return "\n".join([head, *(f"  {line}" for line in shortened(aligned(rows, ()), limit))])


def _row(
    graph: Graph, node: NodeFacts, names: tuple[str, ...], gradients: Mapping[int, Reading] | None, born: Birth | None
) -> list[str]:
    """The cells of one node's line."""
    name = names[node.idx]
    made = words.made_by(graph, node, names)
    if len(made) > LONGEST_OPERATION:
        made = f"{made[: LONGEST_OPERATION - 1]}…"
    grad = node.grad if gradients is None else gradients.get(node.idx)
    state = words.gradient(node, grad) if grad or gradients is None else words.ungraded(node)
    value = "" if node.value is None else words.reading(node.value)
    shape = [] if graph.scalar else ["" if node.shape is None else str(node.shape)]
    notes = [
        gettext("{name} stretched along {axes}", name=names[edge.src], axes=words.axes(edge.broadcast_axes))
        for edge in graph.operands[node.idx]
        if edge.broadcast_axes
    ]
    notes += [gettext("result")] if node.idx in graph.results else []
    notes += [] if born is None else [f"! {mark(born)}"]
    return [name, made, *shape, value, state.removeprefix("grad "), "; ".join(notes)]


def aligned(rows: list[list[str]], numbers: tuple[str, ...]) -> list[str]:
    """Columns under one another, two spaces apart; those named in the first row by `numbers` to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    right = [head in numbers for head in rows[0]] if rows else []
    return [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    ]


def shortened(lines: list[str], limit: int | None) -> list[str]:
    """At most `limit` lines: the first and the last, and between them how many are left out."""
    if limit is None or len(lines) <= limit:
        return lines
    first = limit // 2
    last = limit - first - 1
    return [
        *lines[:first],
        gettext("… {count} more lines …", count=len(lines) - first - last),
        *lines[len(lines) - last :],
    ]

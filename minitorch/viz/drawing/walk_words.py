"""Backward walks in words: what happens at a step, how a walk ends, and all of it as a listing."""

from __future__ import annotations

import math

from minitorch.language import N_, gettext, ngettext
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import births, words
from minitorch.viz.facts.counting import counted, grouped
from minitorch.viz.facts.fan_out import Walks
from minitorch.viz.facts.walks import Move, Walk, large

TOLD_MOVES = 24  # of each walk, in the text of all of them


def sentence(facts: Walks, walk: Walk, step: int) -> str:
    """What happens at a step of a walk; at step 0 that nothing has, after the last one the verdict."""
    if step == 0:
        return gettext(
            "{name}: {title}. Nothing has moved yet: no gradient anywhere.", name=walk.name, title=walk.title
        )
    if step > len(walk.moves):
        more = walk.total - len(walk.moves)
        rest = f"{gettext('… and {count} more steps', count=grouped(more))}. " if more else ""
        return f"{rest}{_verdict(facts, walk)}"
    move = walk.moves[step - 1]
    said = gettext(
        "Step {step} of {total}. {happening}", step=step, total=grouped(walk.total), happening=_happening(facts, move)
    )
    if walk.first_wrong is None or step < walk.first_wrong:
        return said
    if step == walk.first_wrong:
        return f"{said} {gettext('✗ Here it goes wrong: {fault}.', fault=walk.fault)}"
    return f"{said} {gettext('Wrong since step {step}.', step=walk.first_wrong)}"


def count(walk: Walk, step: int) -> str:
    """Where a walk stands, in figures; after its last move it has a result."""
    return gettext("result") if step > len(walk.moves) else f"{step} / {grouped(walk.total)}"


def _happening(facts: Walks, move: Move) -> str:
    taker = facts.names[move.node]
    if move.kind == "seed":
        return gettext(
            "Start at {target}: grad = {value}, the seed.", target=taker, value=words.number(move.contribution)
        )
    if move.kind == "clear":
        return gettext("{node} is set back to None.", node=taker)
    if move.edge is None:
        return gettext("{node} is set to {value}.", node=taker, value=words.number(move.after or 0.0))
    giver = facts.names[facts.graph.edges[move.edge].dst]
    visit = gettext("visit {visit}", visit=move.visit)
    if move.arrived < move.expected:
        visit += ngettext(
            ", only 1 of {expected} contributions is here",
            ", only {count} of {expected} contributions are here",
            move.arrived,
            expected=move.expected,
        )
    return gettext(
        "{giver} ({visit}) hands on to {taker}: grad {arrives}{now}.",
        giver=giver,
        visit=visit,
        taker=taker,
        arrives=_arithmetic(facts, move),
        now=_now(move),
    )


def _arithmetic(facts: Walks, move: Move) -> str:
    sign = "+=" if move.kind == "add" else "="
    if move.edge is None:
        return f"{sign} {words.number(move.contribution)}"
    slope = facts.graph.edges[move.edge].local
    assert slope is not None
    product = f"{words.number(move.upstream)} * {words.number(slope)}"
    if math.isclose(move.upstream * slope, move.contribution, rel_tol=1e-9, abs_tol=1e-12):
        return f"{sign} {product} = {words.number(move.contribution)}"
    return f"{sign} {words.number(move.contribution)} {gettext('(not {product})', product=product)}"


def _verdict(facts: Walks, walk: Walk) -> str:
    """How a walk ends: stopped, right, or wrong about which nodes and since when."""
    visits = _visits(sum(walk.visits))
    first = (
        gettext(" First wrong in step {step}: {fault}.", step=walk.first_wrong, fault=walk.fault)
        if walk.first_wrong
        else ""
    )
    if walk.stopped:
        return f"{gettext('{name} ✗ {why}.', name=walk.name, why=walk.stopped)}{first}"
    if walk.is_right:
        enough = sum(map(bool, walk.visits))
        extra = (
            gettext(", one for each path where {enough} would do", enough=enough) if enough < sum(walk.visits) else ""
        )
        return gettext("{name} ✓ right, after {visits}{extra}.", name=walk.name, visits=visits, extra=extra)
    wrong = [idx for idx in range(len(facts.graph.nodes)) if walk.is_wrong(idx)]
    results = [
        gettext(
            "{node} {value}, should be {due}",
            node=facts.names[idx],
            value=_value(walk.gradients[idx]),
            due=_value(walk.right[idx]),
        )
        for idx in wrong
    ]
    some = "; ".join(results[:3]) + (gettext("; and {count} more", count=len(wrong) - 3) if len(wrong) > 3 else "")
    return gettext(
        "{name} ✗ wrong, after {visits}: {results}.{first}", name=walk.name, visits=visits, results=some, first=first
    )


def ends(facts: Walks) -> str:
    """Which walks are right, wrong, or have no end, by name."""
    found = {
        N_("Right: {names}."): [walk.name for walk in facts.walks if walk.is_right],
        N_("Wrong: {names}."): [walk.name for walk in facts.walks if not walk.is_right and not walk.stopped],
        N_("Broken off: {names}."): [walk.name for walk in facts.walks if walk.stopped],
    }
    return " ".join(
        [
            gettext("All walks at their end, side by side."),
            *(gettext(key, names=", ".join(names)) for key, names in found.items() if names),
        ]
    )


def verdicts(facts: Walks) -> list[str]:
    """How each walk ends: right or wrong, after how many visits, and where it first went wrong."""
    return [_verdict(facts, walk) for walk in facts.walks]


def born(facts: Walks) -> list[str]:
    """Where a nan or an inf comes from: no walk can be right about what is behind it."""
    return births.told(births.births_of_numbers(facts.graph), facts.graph, facts.names)


def results(facts: Walks) -> list[str]:
    """The right gradient of each node that is looked at, and how many paths lead there."""
    return [
        gettext(
            "{node}: {paths}, gradient {value}.",
            node=facts.names[idx],
            paths=paths(facts.paths[idx]),
            value=_value(facts.walks[0].right[idx]),
        )
        for idx in facts.shown
    ]


def notes(facts: Walks) -> dict[int, list[str]]:
    """For each node how many paths lead there, and what the walks that are wrong about it arrive at."""
    found = {node.idx: [paths(facts.paths[node.idx])] for node in facts.graph.nodes}
    for walk in facts.walks:
        for idx, said in found.items():
            if walk.is_wrong(idx):
                key = N_("{name}: {value} (stopped)") if walk.stopped else N_("{name}: {value} (wrong)")
                said.append(gettext(key, name=walk.name, value=_value(walk.gradients[idx])))
    return found


def listing(facts: Walks, limit: int | None) -> str:
    """The nodes as a table with a column for each walk, the verdicts, then the moves of each walk."""
    keys = (N_("value"), N_("paths"), N_("gradient"))
    numbers = tuple(map(gettext, keys))
    rows = [[gettext("node"), gettext("made by"), *numbers, *(walk.name for walk in facts.walks)]]
    for node in facts.graph.nodes:
        right = _value(facts.walks[0].right[node.idx])
        cells = [_cell(walk, node.idx) for walk in facts.walks]
        value = "" if node.value is None else words.reading(node.value)
        made = words.made_by(facts.graph, node, facts.names)
        rows.append([facts.names[node.idx], made, value, large(facts.paths[node.idx]), right, *cells])
    table = shortened(aligned(rows, numbers), limit)
    parts = ["\n".join(table), "\n".join([*born(facts), *verdicts(facts)])]
    parts += ["\n".join(moves_of(facts, walk, len(walk.moves) + 1, TOLD_MOVES)) for walk in facts.walks]
    return "\n\n".join(parts)


def _cell(walk: Walk, idx: int) -> str:
    key = (
        N_("{value} (stopped)")
        if walk.stopped
        else N_("{value} (wrong)")
        if walk.is_wrong(idx)
        else N_("{value} (right)")
    )
    return gettext(key, value=_value(walk.gradients[idx]))


def moves_of(facts: Walks, walk: Walk, step: int, limit: int | None) -> list[str]:
    """The moves of one walk up to `step`, one a line; the verdict where that is its end."""
    rows = []
    for number, move in enumerate(walk.moves[:step], start=1):
        source = gettext("seed") if move.kind == "seed" else gettext("by hand")
        if move.edge is not None:
            giver = facts.names[facts.graph.edges[move.edge].dst]
            source = gettext("from {giver} (visit {visit})", giver=giver, visit=move.visit)
        sign, _, rest = _arithmetic(facts, move).partition(" ")
        note = _now(move).removeprefix(", ")
        if number == walk.first_wrong:
            note = f"{note}{'; ' if note else ''}{gettext('WRONG: {fault}', fault=walk.fault)}"
        rows.append([str(number), facts.names[move.node], source, sign.rjust(2), rest, note])
    lines = aligned(rows, ())
    hidden = 0
    if limit is not None and len(lines) > limit:
        keep = max(limit, walk.first_wrong or 0) if (walk.first_wrong or 0) <= 2 * limit else limit
        hidden, lines = len(lines) - keep, lines[:keep]
    if step > len(walk.moves):
        hidden += walk.total - len(walk.moves)
    told = [f"  {line}" for line in lines]
    if hidden:
        told.append(f"  {gettext('… and {count} more steps', count=grouped(hidden))}")
    end = [f"  {_verdict(facts, walk)}"] if step > len(walk.moves) else []
    return [f"{walk.name}: {walk.title}", *told, *end]


def _now(move: Move) -> str:
    if move.kind == "add":
        return gettext(", now {value}", value=_value(move.after))
    return (
        gettext(", {value} is lost", value=words.number(move.before or 0.0))
        if move.kind in ("replace", "clear")
        else ""
    )


def _value(value: float | None) -> str:
    return gettext("none") if value is None else words.number(value)


def paths(count: int) -> str:
    """As in "3 paths"."""
    return counted("1 path", "{count} paths", count, large(count))


def _visits(count: int) -> str:
    return counted("1 visit", "{count} visits", count, large(count))

"""Backward walks in words: what happens at a step, how a walk ends, and all of it as a listing."""

from __future__ import annotations

import math

from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import births, words
from minitorch.viz.facts.fan_out import Walks
from minitorch.viz.facts.walks import Move, Walk, large
from minitorch.viz.texts.catalogue import counted, grouped, say

TOLD_MOVES = 24  # of each walk, in the text of all of them


def sentence(facts: Walks, walk: Walk, step: int) -> str:
    """What happens at a step of a walk; at step 0 that nothing has, after the last one the verdict."""
    if step == 0:
        return say("walk_before", name=walk.name, title=walk.title)
    if step > len(walk.moves):
        more = walk.total - len(walk.moves)
        rest = f"{say('walk_more_steps', count=grouped(more))}. " if more else ""
        return f"{rest}{_verdict(facts, walk)}"
    move = walk.moves[step - 1]
    said = say("walk_step", step=step, total=grouped(walk.total), happening=_happening(facts, move))
    if walk.first_wrong is None or step < walk.first_wrong:
        return said
    if step == walk.first_wrong:
        return f"{said} {say('walk_wrong_here', fault=walk.fault)}"
    return f"{said} {say('walk_wrong_since', step=walk.first_wrong)}"


def count(walk: Walk, step: int) -> str:
    """Where a walk stands, in figures; after its last move it has a result."""
    return say("list_note_result") if step > len(walk.moves) else f"{step} / {grouped(walk.total)}"


def _happening(facts: Walks, move: Move) -> str:
    taker = facts.names[move.node]
    if move.kind == "seed":
        return say("pass_seed", target=taker, value=words.number(move.contribution))
    if move.kind == "clear":
        return say("walk_cleared", node=taker)
    if move.edge is None:
        return say("walk_set", node=taker, value=words.number(move.after or 0.0))
    giver = facts.names[facts.graph.edges[move.edge].dst]
    visit = say("walk_visit", visit=move.visit)
    if move.arrived < move.expected:
        key = "walk_only_one" if move.arrived == 1 else "walk_only"
        visit += say(key, arrived=move.arrived, expected=move.expected)
    return say("walk_hands", giver=giver, visit=visit, taker=taker, arrives=_arithmetic(facts, move), now=_now(move))


def _arithmetic(facts: Walks, move: Move) -> str:
    sign = "+=" if move.kind == "add" else "="
    if move.edge is None:
        return f"{sign} {words.number(move.contribution)}"
    slope = facts.graph.edges[move.edge].local
    assert slope is not None
    product = f"{words.number(move.upstream)} * {words.number(slope)}"
    if math.isclose(move.upstream * slope, move.contribution, rel_tol=1e-9, abs_tol=1e-12):
        return f"{sign} {product} = {words.number(move.contribution)}"
    return f"{sign} {words.number(move.contribution)} {say('walk_not', product=product)}"


def _verdict(facts: Walks, walk: Walk) -> str:
    """How a walk ends: stopped, right, or wrong about which nodes and since when."""
    visits = _visits(sum(walk.visits))
    first = say("walk_first_wrong", step=walk.first_wrong, fault=walk.fault) if walk.first_wrong else ""
    if walk.stopped:
        return f"{say('walk_stopped_at', name=walk.name, why=walk.stopped)}{first}"
    if walk.is_right:
        enough = sum(map(bool, walk.visits))
        extra = say("walk_extra", enough=enough) if enough < sum(walk.visits) else ""
        return say("walk_right", name=walk.name, visits=visits, extra=extra)
    wrong = [idx for idx in range(len(facts.graph.nodes)) if walk.is_wrong(idx)]
    results = [
        say("walk_should_be", node=facts.names[idx], value=_value(walk.gradients[idx]), due=_value(walk.right[idx]))
        for idx in wrong
    ]
    some = "; ".join(results[:3]) + (say("grade_more", count=len(wrong) - 3) if len(wrong) > 3 else "")
    return say("walk_wrong", name=walk.name, visits=visits, results=some, first=first)


def ends(facts: Walks) -> str:
    """Which walks are right, wrong, or have no end, by name."""
    found = {
        "walks_right": [walk.name for walk in facts.walks if walk.is_right],
        "walks_wrong": [walk.name for walk in facts.walks if not walk.is_right and not walk.stopped],
        "walks_stopped": [walk.name for walk in facts.walks if walk.stopped],
    }
    return " ".join([say("walks_all"), *(say(key, names=", ".join(names)) for key, names in found.items() if names)])


def verdicts(facts: Walks) -> list[str]:
    """How each walk ends: right or wrong, after how many visits, and where it first went wrong."""
    return [_verdict(facts, walk) for walk in facts.walks]


def born(facts: Walks) -> list[str]:
    """Where a nan or an inf comes from: no walk can be right about what is behind it."""
    return births.told(births.births_of_numbers(facts.graph), facts.graph, facts.names)


def results(facts: Walks) -> list[str]:
    """The right gradient of each node that is looked at, and how many paths lead there."""
    return [
        say("walk_node", node=facts.names[idx], paths=paths(facts.paths[idx]), value=_value(facts.walks[0].right[idx]))
        for idx in facts.shown
    ]


def notes(facts: Walks) -> dict[int, list[str]]:
    """For each node how many paths lead there, and what the walks that are wrong about it arrive at."""
    found = {node.idx: [paths(facts.paths[node.idx])] for node in facts.graph.nodes}
    for walk in facts.walks:
        for idx, said in found.items():
            if walk.is_wrong(idx):
                key = "note_stopped" if walk.stopped else "note_wrong"
                said.append(say(key, name=walk.name, value=_value(walk.gradients[idx])))
    return found


def listing(facts: Walks, limit: int | None) -> str:
    """The nodes as a table with a column for each walk, the verdicts, then the moves of each walk."""
    keys = ("list_value", "column_paths", "list_gradient")
    numbers = tuple(map(say, keys))
    rows = [[say("list_node"), say("compare_made_by"), *numbers, *(walk.name for walk in facts.walks)]]
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
    key = "cell_stopped" if walk.stopped else "cell_wrong" if walk.is_wrong(idx) else "cell_right"
    return say(key, value=_value(walk.gradients[idx]))


def moves_of(facts: Walks, walk: Walk, step: int, limit: int | None) -> list[str]:
    """The moves of one walk up to `step`, one a line; the verdict where that is its end."""
    rows = []
    for number, move in enumerate(walk.moves[:step], start=1):
        source = say("graph_seed") if move.kind == "seed" else say("moves_by_hand")
        if move.edge is not None:
            giver = facts.names[facts.graph.edges[move.edge].dst]
            source = say("moves_from", giver=giver, visit=move.visit)
        sign, _, rest = _arithmetic(facts, move).partition(" ")
        note = _now(move).removeprefix(", ")
        if number == walk.first_wrong:
            note = f"{note}{'; ' if note else ''}{say('moves_wrong', fault=walk.fault)}"
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
        told.append(f"  {say('walk_more_steps', count=grouped(hidden))}")
    end = [f"  {_verdict(facts, walk)}"] if step > len(walk.moves) else []
    return [f"{walk.name}: {walk.title}", *told, *end]


def _now(move: Move) -> str:
    if move.kind == "add":
        return say("walk_now", value=_value(move.after))
    return say("walk_is_lost", value=words.number(move.before or 0.0)) if move.kind in ("replace", "clear") else ""


def _value(value: float | None) -> str:
    return say("none") if value is None else words.number(value)


def paths(count: int) -> str:
    """As in "3 paths"."""
    return counted("paths_one", "paths", count, large(count))


def _visits(count: int) -> str:
    return counted("visits_one", "visits", count, large(count))

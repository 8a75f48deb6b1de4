"""Backward walks in words: what happens at a step, how a walk ends, and all of it as a listing."""

from __future__ import annotations

import math

from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import words
from minitorch.viz.facts.fan_out import Walks
from minitorch.viz.facts.walks import Move, Walk, large

TOLD_MOVES = 24  # of each walk, in the text of all of them


def sentence(facts: Walks, walk: Walk, step: int) -> str:
    """What happens at a step of a walk; at step 0 that nothing has, after the last one the verdict."""
    if step == 0:
        return f"{walk.name}: {walk.title}. Nothing has moved yet: no gradient anywhere."
    if step > len(walk.moves):
        more = walk.total - len(walk.moves)
        rest = f"… and {more:,} more steps. " if more else ""
        return f"{rest}{_verdict(facts, walk)}"
    move = walk.moves[step - 1]
    said = f"Step {step} of {walk.total:,}. {_happening(facts, move)}"
    if walk.first_wrong is None or step < walk.first_wrong:
        return said
    since = f"Wrong since step {walk.first_wrong}."
    return f"{said} {since if step > walk.first_wrong else f'✗ Here it goes wrong: {walk.fault}.'}"


def _happening(facts: Walks, move: Move) -> str:
    taker = facts.names[move.node]
    if move.kind == "seed":
        return f"Start at {taker}: grad = {words.number(move.contribution)}, the seed."
    if move.kind == "clear":
        return f"{taker} is set back to None."
    if move.edge is None:
        return f"{taker} is set to {words.number(move.after or 0.0)}."
    giver = facts.names[facts.graph.edges[move.edge].dst]
    visit = f"visit {move.visit}"
    if move.arrived < move.expected:
        visit += f", only {move.arrived} of {move.expected} contributions {'is' if move.arrived == 1 else 'are'} here"
    return f"{giver} ({visit}) hands on to {taker}: grad {_arithmetic(facts, move)}{_now(move)}."


def _arithmetic(facts: Walks, move: Move) -> str:
    sign = "+=" if move.kind == "add" else "="
    if move.edge is None:
        return f"{sign} {words.number(move.contribution)}"
    slope = facts.graph.edges[move.edge].local
    assert slope is not None
    product = f"{words.number(move.upstream)} * {words.number(slope)}"
    if math.isclose(move.upstream * slope, move.contribution, rel_tol=1e-9, abs_tol=1e-12):
        return f"{sign} {product} = {words.number(move.contribution)}"
    return f"{sign} {words.number(move.contribution)} (not {product})"


def _verdict(facts: Walks, walk: Walk) -> str:
    """How a walk ends: stopped, right, or wrong about which nodes and since when."""
    visits = _plural(sum(walk.visits), "visit")
    if walk.stopped:
        told = f"{walk.name} ✗ {walk.stopped}."
        return f"{told} First wrong in step {walk.first_wrong}: {walk.fault}." if walk.first_wrong else told
    if walk.is_right:
        many = sum(map(bool, walk.visits)) < sum(walk.visits)
        extra = f", one for each path where {sum(map(bool, walk.visits))} would do" if many else ""
        return f"{walk.name} ✓ right, after {visits}{extra}."
    wrong = [idx for idx in range(len(facts.graph.nodes)) if walk.is_wrong(idx)]
    results = [
        f"{facts.names[idx]} {_value(walk.gradients[idx])}, should be {_value(walk.right[idx])}" for idx in wrong
    ]
    some = "; ".join(results[:3]) + (f"; and {len(wrong) - 3} more" if len(wrong) > 3 else "")
    at = f" First wrong in step {walk.first_wrong}: {walk.fault}." if walk.first_wrong else ""
    return f"{walk.name} ✗ wrong, after {visits}: {some}.{at}"


def verdicts(facts: Walks) -> list[str]:
    """How each walk ends: right or wrong, after how many visits, and where it first went wrong."""
    return [_verdict(facts, walk) for walk in facts.walks]


def results(facts: Walks) -> list[str]:
    """The right gradient of each node that is looked at, and how many paths lead there."""
    return [
        f"{facts.names[idx]}: {_plural(facts.paths[idx], 'path')}, gradient {_value(facts.walks[0].right[idx])}."
        for idx in facts.shown
    ]


def notes(facts: Walks) -> dict[int, list[str]]:
    """For each node how many paths lead there, and what the walks that are wrong about it arrive at."""
    found = {node.idx: [_plural(facts.paths[node.idx], "path")] for node in facts.graph.nodes}
    for walk in facts.walks:
        for idx, said in found.items():
            if walk.is_wrong(idx):
                said.append(f"{walk.name}: {_value(walk.gradients[idx])} {'(stopped)' if walk.stopped else '(wrong)'}")
    return found


def listing(facts: Walks, limit: int | None) -> str:
    """The nodes as a table with a column for each walk, the verdicts, then the moves of each walk."""
    rows = [["node", "made by", "value", "paths", "gradient", *(walk.name for walk in facts.walks)]]
    for node in facts.graph.nodes:
        right = _value(facts.walks[0].right[node.idx])
        cells = [_cell(walk, node.idx) for walk in facts.walks]
        value = "" if node.value is None else words.reading(node.value)
        made = words.made_by(facts.graph, node, facts.names)
        rows.append([facts.names[node.idx], made, value, large(facts.paths[node.idx]), right, *cells])
    table = shortened(aligned(rows, ("value", "paths", "gradient")), limit)
    parts = ["\n".join(table), "\n".join(verdicts(facts))]
    parts += ["\n".join(moves_of(facts, walk, len(walk.moves) + 1, TOLD_MOVES)) for walk in facts.walks]
    return "\n\n".join(parts)


def _cell(walk: Walk, idx: int) -> str:
    if walk.stopped:
        return f"{_value(walk.gradients[idx])} (stopped)"
    return f"{_value(walk.gradients[idx])} {'(wrong)' if walk.is_wrong(idx) else '(right)'}"


def moves_of(facts: Walks, walk: Walk, step: int, limit: int | None) -> list[str]:
    """The moves of one walk up to `step`, one a line; the verdict where that is its end."""
    rows = []
    for number, move in enumerate(walk.moves[:step], start=1):
        source = "seed" if move.kind == "seed" else "by hand"
        if move.edge is not None:
            source = f"from {facts.names[facts.graph.edges[move.edge].dst]} (visit {move.visit})"
        sign, _, rest = _arithmetic(facts, move).partition(" ")
        note = _now(move).removeprefix(", ")
        if number == walk.first_wrong:
            note = f"{note}{'; ' if note else ''}WRONG: {walk.fault}"
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
        told.append(f"  … and {hidden:,} more steps")
    end = [f"  {_verdict(facts, walk)}"] if step > len(walk.moves) else []
    return [f"{walk.name}: {walk.title}", *told, *end]


def _now(move: Move) -> str:
    if move.kind == "add":
        return f", now {_value(move.after)}"
    return f", {words.number(move.before or 0.0)} is lost" if move.kind in ("replace", "clear") else ""


def _value(value: float | None) -> str:
    return "none" if value is None else words.number(value)


def _plural(count: int, what: str) -> str:
    return f"{large(count)} {what}{'' if count == 1 else 's'}"

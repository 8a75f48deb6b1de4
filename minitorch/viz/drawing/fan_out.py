"""The reels of a fan-out picture: each walk move by move, and all of them at their ends."""

from __future__ import annotations

import math

from minitorch.viz.drawing import bars
from minitorch.viz.drawing.layout import MARGIN
from minitorch.viz.drawing.reel import Frame, Reel, place
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.svg import LETTER, broken
from minitorch.viz.drawing.walk_boxes import WalkBoxes
from minitorch.viz.drawing.walk_words import born, count, results, sentence, verdicts
from minitorch.viz.facts import words
from minitorch.viz.facts.fan_out import Walks
from minitorch.viz.facts.walks import Walk
from minitorch.viz.texts.catalogue import say

TOP = 34  # pixels above the bars


def title(facts: Walks) -> str:
    """What the picture is called."""
    return say("walks_title", root=facts.names[facts.graph.root])


def reel(facts: Walks, drawing: WalkBoxes, walk: Walk) -> Reel:
    """One walk: the graph on the left, the contributions to some of its nodes as bars on the right."""
    lane = _lane(facts)
    blocks: dict[str, str] = {}
    head = say("walk_head")
    frames, width = [], max(340.0, text_width(head, 12))
    for step, places in enumerate(drawing.film(walk)):
        changed = walk.moves[step - 1].node if 0 < step <= len(walk.moves) else None
        for row, idx in enumerate(facts.shown):
            if changed is None or changed == idx:
                found = bars.parts(walk, idx, step)
                said = bars.summary(walk, idx, found, step)
                width = max(width, text_width(said[0], 12) * 1.05)
                block = bars.block(facts.names[idx], walk, idx, found, lane, said)
                blocks[f"b{idx}"] = f'<g transform="translate(0 {row * bars.BLOCK})">{block}</g>'
        wrong = walk.first_wrong is not None and step >= walk.first_wrong
        said_now = words.typeset(sentence(facts, walk, step))
        frames.append(Frame({**places, **blocks}, said_now, wrong, count=count(walk, step)))
    shell = (
        f'{drawing.shell()}<g transform="translate({drawing.width} {TOP})">'
        f'<text class="f h" y="-8">{head}</text>'
        f"{''.join(place(name) for name in blocks)}</g>"
    )
    height = max(drawing.height, TOP + bars.BLOCK * len(facts.shown) + 10)
    whole = drawing.width + math.ceil(width) + MARGIN
    return Reel(walk.name, f"{title(facts)}: {walk.title}", whole, height, shell, tuple(frames))


def together(facts: Walks, drawing: WalkBoxes) -> Reel:
    """All walks at their ends: node by node a bar for each of them, and below them the verdicts."""
    head, lane = say("walks_head"), _lane(facts)
    parts = [drawing.shell(), f'<g transform="translate({drawing.width} {TOP})">{bars.line(head, -8)}']
    y, width = 0, 560
    for idx in facts.shown:
        block, wide = bars.rows(facts.names[idx], facts.paths[idx], facts.walks, idx, lane)
        parts.append(f'<g transform="translate(0 {y})">{block}</g>')
        y += bars.rows_height(len(facts.walks))
        width = max(width, wide)
    hidden = facts.hidden
    for line in [*([say("walk_more_nodes", count=hidden)] if hidden else []), "", *born(facts), *verdicts(facts)]:
        for piece in broken(words.typeset(line), int(width / LETTER), "    ") or [""]:
            y += 17 if piece else 6
            parts.append(bars.line(piece, y))
    said = words.typeset(" ".join([*results(facts), *born(facts), *verdicts(facts)]))
    frame = Frame(drawing.places(), say("walks_all"), alternative=said)
    height = max(drawing.height, TOP + y + 16)
    shell = "".join([*parts, "</g>"])
    name = say("walks_together")
    return Reel(name, f"{title(facts)}, {name}", drawing.width + width + MARGIN, height, shell, (frame,))


def _lane(facts: Walks) -> bars.Span:
    """What a bar's length stands for: the same for every node in every walk."""
    ends = [bars.parts(walk, idx, len(walk.moves) + 1) for walk in facts.walks for idx in facts.shown]
    return bars.span(ends, [facts.walks[0].right[idx] for idx in facts.shown])

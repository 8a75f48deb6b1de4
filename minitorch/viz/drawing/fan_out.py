"""The reels of a fan-out picture: each walk move by move, and all of them at their ends."""

from __future__ import annotations

import math
import textwrap

from minitorch.viz.drawing import bars
from minitorch.viz.drawing.layout import MARGIN
from minitorch.viz.drawing.reel import Frame, Reel, place
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.svg import LETTER
from minitorch.viz.drawing.walk_boxes import WalkBoxes
from minitorch.viz.drawing.walk_words import results, sentence, verdicts
from minitorch.viz.facts import words
from minitorch.viz.facts.fan_out import Walks
from minitorch.viz.facts.walks import Walk

TOP = 34  # pixels above the bars
TOGETHER = "side by side"


def title(facts: Walks) -> str:
    """What the picture is called."""
    return f"Backward walks from {facts.names[facts.graph.root]}"


def reel(facts: Walks, drawing: WalkBoxes, walk: Walk) -> Reel:
    """One walk: the graph on the left, the contributions to some of its nodes as bars on the right."""
    lanes = [_lane(facts, idx) for idx in facts.shown]
    blocks: dict[str, str] = {}
    frames, width = [], 340.0
    for step, places in enumerate(drawing.film(walk)):
        changed = walk.moves[step - 1].node if 0 < step <= len(walk.moves) else None
        for row, idx in enumerate(facts.shown):
            if changed is None or changed == idx:
                found = bars.parts(walk, idx, step)
                said = bars.summary(walk, idx, found, step)
                width = max(width, text_width(said[0], 12) * 1.05)
                block = bars.block(facts.names[idx], walk, idx, found, lanes[row], said)
                blocks[f"b{idx}"] = f'<g transform="translate(0 {row * bars.BLOCK})">{block}</g>'
        wrong = walk.first_wrong is not None and step >= walk.first_wrong
        frames.append(Frame({**places, **blocks}, words.typeset(sentence(facts, walk, step)), wrong))
    shell = (
        f'{drawing.shell()}<g transform="translate({drawing.width} {TOP})">'
        f'<text class="f h" y="-8">contributions; dashed line: what their sum should be</text>'
        f"{''.join(place(name) for name in blocks)}</g>"
    )
    height = max(drawing.height, TOP + bars.BLOCK * len(facts.shown) + 10)
    whole = drawing.width + math.ceil(width) + MARGIN
    return Reel(walk.name, f"{title(facts)}: {walk.title}", whole, height, shell, tuple(frames))


def together(facts: Walks, drawing: WalkBoxes) -> Reel:
    """All walks at their ends: node by node a bar for each of them, and below them the verdicts."""
    head = "each gradient is the sum of its contributions; dashed line: what it should be"
    parts = [drawing.shell(), f'<g transform="translate({drawing.width} {TOP})">{bars.line(head, -8)}']
    y, width = 0, 560
    for idx in facts.shown:
        block, wide = bars.rows(facts.names[idx], facts.paths[idx], facts.walks, idx, _lane(facts, idx))
        parts.append(f'<g transform="translate(0 {y})">{block}</g>')
        y += bars.rows_height(len(facts.walks))
        width = max(width, wide)
    hidden = facts.hidden
    for line in [*([f"… and {hidden} more nodes"] if hidden else []), "", *verdicts(facts)]:
        for piece in textwrap.wrap(words.typeset(line), int(width / LETTER), subsequent_indent="    ") or [""]:
            y += 17 if piece else 6
            parts.append(bars.line(piece, y))
    said = words.typeset(" ".join([*results(facts), *verdicts(facts)]))
    frame = Frame(drawing.places(), f"All walks at their end, {TOGETHER}.", alternative=said)
    height = max(drawing.height, TOP + y + 16)
    shell = "".join([*parts, "</g>"])
    return Reel(TOGETHER, f"{title(facts)}, {TOGETHER}", drawing.width + width + MARGIN, height, shell, (frame,))


def _lane(facts: Walks, idx: int) -> bars.Span:
    """What a bar's length stands for: the same in every walk."""
    return bars.span([bars.parts(walk, idx, len(walk.moves) + 1) for walk in facts.walks], facts.walks[0].right[idx])

"""The reels of a fan-out picture: each walk move by move, and all of them at their ends."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from minitorch.language import gettext
from minitorch.viz.drawing import bars, svg
from minitorch.viz.drawing.layout import MARGIN
from minitorch.viz.drawing.reel import Frame, Reel, place
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.svg import LETTER, broken
from minitorch.viz.drawing.walk_boxes import WalkBoxes
from minitorch.viz.drawing.walk_words import born, count, ends, results, sentence, verdicts
from minitorch.viz.facts import words
from minitorch.viz.facts.fan_out import Walks
from minitorch.viz.facts.walks import Walk

TOP = 34  # pixels above the bars
ASIDE = 12  # of paper on the left of the bars
WIDEST = 1000  # pixels of a graph; beside a wider one the bars would be too small to be read
NARROW = 500  # of a part of a graph; beside a wider one so many bars would be too small
WALL = 690, 270  # pixels of a drawing that a small wall shows in letters of 24


def boxes(facts: Walks) -> WalkBoxes:
    """The graph; of one that is too wide the ways to the nodes that are looked at, or to some of them."""
    given = facts.graph, facts.walks, facts.names, facts.paths
    drawn = whole = WalkBoxes(*given)
    for some in range(len(facts.shown), 0, -1):
        if drawn.width <= WIDEST:
            return drawn
        drawn = WalkBoxes(*given, facts.towards(facts.shown[:some]))
    return min((drawn, whole), key=lambda each: each.width)


def title(facts: Walks) -> str:
    """What the picture is called."""
    return gettext("Backward walks from {root}", root=facts.names[facts.graph.root])


def reel(facts: Walks, drawing: WalkBoxes, walk: Walk, slide: bool = False) -> Reel:
    """One walk: the graph on the left, the contributions to some of its nodes as bars on the right.

    slide: it is drawn narrower; and where the bars cannot stay in sight, one that grows is marked as what happens, too.
    """
    lane = _lane(facts)
    blocks: dict[str, str] = {}
    head = (
        broken(gettext("contributions, all on one scale; dashed line: what their sum should be"), bars.LANE // 6)
        if slide
        else [gettext("contributions, all on one scale; dashed line: what their sum should be")]
    )
    top = TOP + svg.CAPTION * (len(head) - 1)
    steps: list[tuple[dict[str, str], dict[str, str], list[str]]] = []
    width = max(340.0, *(text_width(each, 12) for each in head))
    for step, places in enumerate(drawing.film(walk)):
        changed = walk.moves[step - 1].node if 0 < step <= len(walk.moves) else None
        grown = []
        for row, idx in enumerate(facts.shown):
            if changed is None or changed == idx:
                grown.append(f"b{idx}")
                found = bars.parts(walk, idx, step)
                said = bars.summary(walk, idx, found, step)
                width = max(width, text_width(said[0], 12) * 1.05)
                block = bars.block(facts.names[idx], walk, idx, found, lane, said)
                blocks[f"b{idx}"] = f'<g transform="translate(0 {row * bars.BLOCK})">{block}</g>'
        steps.append((places, dict(blocks), grown if step else []))
    low = bars.BLOCK * len(facts.shown)
    about = [line for said in _undrawn(facts, drawing) for line in broken(said, int(width / LETTER))]
    below = "".join(bars.line(line, low + 17 * number + 8) for number, line in enumerate(about))
    room, tall = math.ceil(width) + MARGIN, top + low + 17 * len(about) + (18 if about else 10)
    height, whole = max(drawing.height, tall), drawing.width + room
    stays = not slide or (whole <= WALL[0] and tall <= WALL[1])
    frames = []
    for step, (places, drawn, grown) in enumerate(steps):
        lit = {} if stays else {name: f'<g data-active="1">{drawn[name]}</g>' for name in grown}
        wrong = walk.first_wrong is not None and step >= walk.first_wrong
        said_now = words.typeset(sentence(facts, walk, step))
        frames.append(Frame({**places, **drawn, **lit}, said_now, wrong, count=count(walk, step)))
    places_of_bars = "".join(place(f"b{idx}") for idx in facts.shown)
    beside = f'<g transform="translate({drawing.width} {top})">{_heads(head, "f h")}{places_of_bars}{below}</g>'
    shell = f"{drawing.shell()}{_pinned(beside, drawing.width, room, tall) if stays else beside}"
    return Reel(walk.name, f"{title(facts)}: {walk.title}", whole, height, shell, tuple(frames))


def _heads(lines: list[str], style: str = "f") -> str:
    """What stands above the bars, the last line nearest to them."""
    last = len(lines) - 1
    return "".join(
        f'<text class="{style}" y="{-8 - svg.CAPTION * (last - number)}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )


def together(facts: Walks, drawing: WalkBoxes, slide: bool = False) -> Reel:
    """All walks at their ends: node by node a bar for each of them, and below them the verdicts.

    slide: without the graph, which stood on the wall all the time.
    """
    lane = _lane(facts)
    part = _undrawn(facts, drawing)
    narrow = drawing.width <= (NARROW if part else WIDEST)
    fits = narrow and not slide
    left = drawing.width if fits else MARGIN
    parts: list[str] = []
    y, width = 0, 560
    for idx in facts.shown:
        block, wide = bars.rows(facts.names[idx], facts.paths[idx], facts.walks, idx, lane)
        parts.append(f'<g transform="translate(0 {y})">{block}</g>')
        y += bars.rows_height(len(facts.walks))
        width = max(width, wide)
    hidden = facts.hidden
    about = (
        part
        if narrow
        else [
            gettext(
                "The graph of {count} nodes is too wide to stand here: each walk has the ways to these nodes beside "
                "its own bars, and fewer inputs or a smaller layer make it readable.",
                count=len(facts.graph.nodes),
            )
        ]
    )
    for line in [
        *([gettext("… and {count} more nodes", count=hidden)] if hidden else []),
        *([] if slide else about),
        "",
        *born(facts),
        *verdicts(facts),
    ]:
        for piece in broken(words.typeset(line), int(width / LETTER), "    ") or [""]:
            y += 17 if piece else 6
            parts.append(bars.line(piece, y))
    said = words.typeset(" ".join([*results(facts), *born(facts), *verdicts(facts)]))
    frame = Frame(drawing.places() if fits else {}, ends(facts), alternative=said)
    heads = broken(
        gettext("each gradient is the sum of its contributions, all on one scale; dashed line: what it should be"),
        int((width + MARGIN) / LETTER),
    )
    top = TOP + svg.CAPTION * (len(heads) - 1)
    height = max(drawing.height if fits else 0, top + y + 16)
    beside = f'<g transform="translate({left} {top})">{_heads(heads)}{"".join(parts)}</g>'
    shell = f"{drawing.shell()}{_pinned(beside, left, width + MARGIN, height)}" if fits else beside
    name = gettext("side by side")
    return Reel(name, f"{title(facts)}, {name}", left + width + MARGIN, height, shell, (frame,))


def _undrawn(facts: Walks, drawing: WalkBoxes) -> list[str]:
    """How much of the graph is drawn, where that is not all."""
    shown, count = len(drawing.nodes), len(facts.graph.nodes)
    return (
        [
            gettext(
                "Drawn: {shown} of {count} nodes, on the ways to those whose bars stand here. The "
                "sentences and the text name all of them.",
                shown=shown,
                count=count,
            )
        ]
        if shown < count
        else []
    )


def _pinned(drawn: str, left: int, wide: int, tall: int) -> str:
    """What stands beside a graph, on paper, so that a player can keep it in sight while the graph is scrolled."""
    paper = f'<rect class="p" x="{left - ASIDE}" width="{wide + ASIDE}" height="{tall}"/>'
    return f'<g data-pinned="1">{paper}{drawn}</g>'


def _lane(facts: Walks) -> bars.Span:
    """What a bar's length stands for: the same for every node in every walk."""
    ends = [bars.parts(walk, idx, len(walk.moves) + 1) for walk in facts.walks for idx in facts.shown]
    return bars.span(ends, [facts.walks[0].right[idx] for idx in facts.shown])

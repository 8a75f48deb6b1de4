"""Where gradients meet: the same graph walked backward by several algorithms, side by side and move by move.

At every step the picture says which node hands on what, for the how-manieth time, and out of which contributions each
gradient is made up so far. The right gradient stands beside it, and the first wrong move is marked.
"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from minitorch.viz.drawing import bars
from minitorch.viz.drawing.layout import MARGIN
from minitorch.viz.drawing.reel import LETTER, Frame, Reel, place
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.drawing.walk_boxes import FORM, PAINT, WalkBoxes
from minitorch.viz.facts import words
from minitorch.viz.facts.single_numbers import graph_of_numbers
from minitorch.viz.facts.walks import TITLES, Move, Walk, large, paths, walked
from minitorch.viz.facts.watched_walk import recorded
from minitorch.viz.views.film import Film

MOST_NODES = 300
BLOCKS = 5  # nodes whose contributions are drawn as bars
TOP = 34  # pixels above the bars
TOGETHER = "side by side"
TOLD_MOVES = 24  # of each walk, in the text of all of them

Chosen = str | Callable[[Any], Any]


class FanOut(Film):
    """Several backward passes over one graph. walks: their facts. paths: the ways from the result to each node.

    Holds no tensors and no nodes: it shows the graph as it was when the picture was made.
    """

    _form, _paint = FORM, PAINT
    _choice = "which algorithm walks"

    def __init__(self, root: Any, walk: Chosen | Sequence[Chosen] | None, names: Mapping[str, Any] | None) -> None:
        self.graph = graph_of_numbers(root, names)
        if len(self.graph.nodes) > MOST_NODES:
            raise ValueError(
                f"this picture holds {MOST_NODES} nodes, and the graph has {len(self.graph.nodes):,}: use fewer"
            )
        self.paths = paths(self.graph)
        self.names = words.names(self.graph)
        chosen: Sequence[Chosen]
        if walk is None:
            chosen = tuple(TITLES)
        else:
            chosen = [walk] if isinstance(walk, str) or callable(walk) else list(walk)
        if not chosen:
            raise ValueError(f"there is no walk to show: use {', '.join(map(repr, TITLES))}, or a function")
        self.walks = tuple(_told_apart(self._walked(each) for each in chosen))
        self.title = f"Backward walks from {self.names[self.graph.root]}"

    def _walked(self, which: Chosen) -> Walk:
        return walked(self.graph, which) if isinstance(which, str) else recorded(self.graph, which)

    # -- what is chosen --------------------------------------------------------------------------------------------

    def svg(self, walk: str | None = None, step: int | None = None) -> str:
        """The walks side by side, or one of them after `step` steps (at its end if None).

        Raises ValueError for a walk that is not shown, IndexError beyond its last step.
        """
        if walk is None:
            return super().svg()
        shown = self.walks[self._found(walk)]
        return self._document(self._reel(shown), self._checked(shown, step), caption=True)

    def text(self, walk: str | None = None, step: int | None = None) -> str:
        """What all walks arrive at, then their moves; or those of one of them, up to `step`. Raises as `svg`."""
        if walk is None:
            return self._words(None)
        shown = self.walks[self._found(walk)]
        return "\n".join(self._moves(shown, self._checked(shown, step), None))

    def _found(self, name: str) -> int:
        names = [walk.name for walk in self.walks]
        if name not in names:
            raise ValueError(f"this picture has no walk {name!r}: it has {', '.join(map(repr, names))}")
        return names.index(name)

    def _checked(self, walk: Walk, step: int | None) -> int:
        last = len(walk.moves) + 1
        if step is not None and not 0 <= step <= last:
            raise IndexError(
                f"there is no step {step}: this walk has the steps 0 to {last}, the last one is its verdict"
            )
        return last if step is None else step

    @cached_property
    def _shown(self) -> tuple[int, ...]:
        """The nodes with bars: used more than once, or leaves; those that most paths lead to."""
        uses = Counter(edge.src for edge in self.graph.edges)
        worth = [node.idx for node in self.graph.nodes if uses[node.idx] > 1 or (node.is_leaf and uses[node.idx])]
        worth.sort(key=lambda idx: (-(uses[idx] > 1), -self.paths[idx], idx))
        return tuple(sorted(worth[:BLOCKS]))

    # -- drawing ---------------------------------------------------------------------------------------------------

    @cached_property
    def _drawing(self) -> WalkBoxes:
        return WalkBoxes(self.graph, self.walks, self.names, self.paths)

    @cached_property
    def _reels(self) -> tuple[Reel, ...]:
        return (*(self._reel(walk) for walk in self.walks), self._together)

    def _still(self) -> tuple[Reel, int]:
        return self._together, 0

    def _reel(self, walk: Walk) -> Reel:
        drawing = self._drawing
        lanes = [self._lane(idx) for idx in self._shown]
        blocks: dict[str, str] = {}
        frames, width = [], 340.0
        for step, places in enumerate(drawing.film(walk)):
            changed = walk.moves[step - 1].node if 0 < step <= len(walk.moves) else None
            for row, idx in enumerate(self._shown):
                if changed is None or changed == idx:
                    found = bars.parts(walk, idx, step)
                    said = bars.summary(walk, idx, found, step)
                    width = max(width, text_width(said[0], 12) * 1.05)
                    block = bars.block(self.names[idx], walk, idx, found, lanes[row], said)
                    blocks[f"b{idx}"] = f'<g transform="translate(0 {row * bars.BLOCK})">{block}</g>'
            wrong = walk.first_wrong is not None and step >= walk.first_wrong
            frames.append(Frame({**places, **blocks}, words.typeset(self._sentence(walk, step)), wrong))
        shell = (
            f'{drawing.shell()}<g transform="translate({drawing.width} {TOP})">'
            f'<text class="f h" y="-8">contributions; dashed line: what their sum should be</text>'
            f"{''.join(place(name) for name in blocks)}</g>"
        )
        height = max(drawing.height, TOP + bars.BLOCK * len(self._shown) + 10)
        whole = drawing.width + math.ceil(width) + MARGIN
        return Reel(walk.name, f"{self.title}: {walk.title}", whole, height, shell, tuple(frames))

    @cached_property
    def _together(self) -> Reel:
        drawing = self._drawing
        head = "each gradient is the sum of its contributions; dashed line: what it should be"
        parts = [drawing.shell(), f'<g transform="translate({drawing.width} {TOP})">{bars.line(head, -8)}']
        y, width = 0, 560
        for idx in self._shown:
            block, wide = bars.rows(self.names[idx], self.paths[idx], self.walks, idx, self._lane(idx))
            parts.append(f'<g transform="translate(0 {y})">{block}</g>')
            y += bars.rows_height(len(self.walks))
            width = max(width, wide)
        hidden = self._hidden()
        for line in [*([f"… and {hidden} more nodes"] if hidden else []), "", *self._verdicts()]:
            for piece in textwrap.wrap(words.typeset(line), int(width / LETTER), subsequent_indent="    ") or [""]:
                y += 17 if piece else 6
                parts.append(bars.line(piece, y))
        said = words.typeset(" ".join([*self._results(), *self._verdicts()]))
        frame = Frame(drawing.places(), f"All walks at their end, {TOGETHER}.", alternative=said)
        height = max(drawing.height, TOP + y + 16)
        shell = "".join([*parts, "</g>"])
        return Reel(TOGETHER, f"{self.title}, {TOGETHER}", drawing.width + width + MARGIN, height, shell, (frame,))

    def _hidden(self) -> int:
        """How many more nodes get several contributions, or are leaves."""
        uses = Counter(edge.src for edge in self.graph.edges)
        worth = {idx for idx, count in uses.items() if count > 1 or self.graph.nodes[idx].is_leaf}
        return len(worth - set(self._shown))

    def _lane(self, idx: int) -> bars.Span:
        """What a bar's length stands for: the same in every walk."""
        return bars.span([bars.parts(walk, idx, len(walk.moves) + 1) for walk in self.walks], self.walks[0].right[idx])

    # -- words -----------------------------------------------------------------------------------------------------

    def _sentence(self, walk: Walk, step: int) -> str:
        if step == 0:
            return f"{walk.name}: {walk.title}. Nothing has moved yet: no gradient anywhere."
        if step > len(walk.moves):
            more = walk.total - len(walk.moves)
            rest = f"… and {more:,} more steps. " if more else ""
            return f"{rest}{self._verdict(walk)}"
        move = walk.moves[step - 1]
        said = f"Step {step} of {walk.total:,}. {self._happening(move)}"
        if walk.first_wrong is None or step < walk.first_wrong:
            return said
        since = f"Wrong since step {walk.first_wrong}."
        return f"{said} {since if step > walk.first_wrong else f'✗ Here it goes wrong: {walk.fault}.'}"

    def _happening(self, move: Move) -> str:
        taker = self.names[move.node]
        if move.kind == "seed":
            return f"Start at {taker}: grad = {words.number(move.contribution)}, the seed."
        if move.kind == "clear":
            return f"{taker} is set back to None."
        if move.edge is None:
            return f"{taker} is set to {words.number(move.after or 0.0)}."
        giver = self.names[self.graph.edges[move.edge].dst]
        visit = f"visit {move.visit}"
        if move.arrived < move.expected:
            visit += (
                f", only {move.arrived} of {move.expected} contributions {'is' if move.arrived == 1 else 'are'} here"
            )
        return f"{giver} ({visit}) hands on to {taker}: grad {self._arithmetic(move)}{_now(move)}."

    def _arithmetic(self, move: Move) -> str:
        sign = "+=" if move.kind == "add" else "="
        if move.edge is None:
            return f"{sign} {words.number(move.contribution)}"
        slope = self.graph.edges[move.edge].local
        assert slope is not None
        product = f"{words.number(move.upstream)} * {words.number(slope)}"
        if math.isclose(move.upstream * slope, move.contribution, rel_tol=1e-9, abs_tol=1e-12):
            return f"{sign} {product} = {words.number(move.contribution)}"
        return f"{sign} {words.number(move.contribution)} (not {product})"

    def _verdict(self, walk: Walk) -> str:
        visits = _plural(sum(walk.visits), "visit")
        if walk.stopped:
            told = f"{walk.name} ✗ {walk.stopped}."
            return f"{told} First wrong in step {walk.first_wrong}: {walk.fault}." if walk.first_wrong else told
        if walk.is_right:
            many = sum(map(bool, walk.visits)) < sum(walk.visits)
            extra = f", one for each path where {sum(map(bool, walk.visits))} would do" if many else ""
            return f"{walk.name} ✓ right, after {visits}{extra}."
        wrong = [idx for idx in range(len(self.graph.nodes)) if walk.is_wrong(idx)]
        results = [
            f"{self.names[idx]} {_value(walk.gradients[idx])}, should be {_value(walk.right[idx])}" for idx in wrong
        ]
        some = "; ".join(results[:3]) + (f"; and {len(wrong) - 3} more" if len(wrong) > 3 else "")
        at = f" First wrong in step {walk.first_wrong}: {walk.fault}." if walk.first_wrong else ""
        return f"{walk.name} ✗ wrong, after {visits}: {some}.{at}"

    def _verdicts(self) -> list[str]:
        return [self._verdict(walk) for walk in self.walks]

    def _results(self) -> list[str]:
        return [
            f"{self.names[idx]}: {_plural(self.paths[idx], 'path')}, gradient {_value(self.walks[0].right[idx])}."
            for idx in self._shown
        ]

    def _words(self, limit: int | None) -> str:
        rows = [["node", "made by", "value", "paths", "gradient", *(walk.name for walk in self.walks)]]
        for node in self.graph.nodes:
            right = _value(self.walks[0].right[node.idx])
            cells = [self._cell(walk, node.idx) for walk in self.walks]
            value = "" if node.value is None else words.reading(node.value)
            made = words.made_by(self.graph, node, self.names)
            rows.append([self.names[node.idx], made, value, large(self.paths[node.idx]), right, *cells])
        table = shortened(aligned(rows, ("value", "paths", "gradient")), limit)
        parts = ["\n".join(table), "\n".join(self._verdicts())]
        parts += ["\n".join(self._moves(walk, len(walk.moves) + 1, TOLD_MOVES)) for walk in self.walks]
        return "\n\n".join(parts)

    @staticmethod
    def _cell(walk: Walk, idx: int) -> str:
        if walk.stopped:
            return f"{_value(walk.gradients[idx])} (stopped)"
        return f"{_value(walk.gradients[idx])} {'(wrong)' if walk.is_wrong(idx) else '(right)'}"

    def _moves(self, walk: Walk, step: int, limit: int | None) -> list[str]:
        rows = []
        for number, move in enumerate(walk.moves[:step], start=1):
            source = "seed" if move.kind == "seed" else "by hand"
            if move.edge is not None:
                source = f"from {self.names[self.graph.edges[move.edge].dst]} (visit {move.visit})"
            sign, _, rest = self._arithmetic(move).partition(" ")
            note = _now(move).removeprefix(", ")
            if number == walk.first_wrong:
                note = f"{note}{'; ' if note else ''}WRONG: {walk.fault}"
            rows.append([str(number), self.names[move.node], source, sign.rjust(2), rest, note])
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
        end = [f"  {self._verdict(walk)}"] if step > len(walk.moves) else []
        return [f"{walk.name}: {walk.title}", *told, *end]


def _told_apart(walks: Iterator[Walk]) -> Iterator[Walk]:
    """Two functions of one name get a number."""
    seen: Counter[str] = Counter()
    for walk in walks:
        seen[walk.name] += 1
        yield walk if seen[walk.name] == 1 else replace(walk, name=f"{walk.name} ({seen[walk.name]})")


def _now(move: Move) -> str:
    if move.kind == "add":
        return f", now {_value(move.after)}"
    return f", {words.number(move.before or 0.0)} is lost" if move.kind in ("replace", "clear") else ""


def _value(value: float | None) -> str:
    return "none" if value is None else words.number(value)


def _plural(count: int, what: str) -> str:
    return f"{large(count)} {what}{'' if count == 1 else 's'}"

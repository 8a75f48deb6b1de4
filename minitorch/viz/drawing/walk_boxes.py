"""The graph of a fan-out picture: boxes with path counts and visits, arrows with what came along them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from minitorch.language import gettext
from minitorch.viz.drawing import marks, svg
from minitorch.viz.drawing.layout import MARGIN, layout
from minitorch.viz.drawing.reel import place
from minitorch.viz.drawing.scene import BESIDE, CHIP, end_of, shortened, text_width
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.drawing.walk_words import paths
from minitorch.viz.facts import births, words
from minitorch.viz.facts.model import Graph
from minitorch.viz.facts.walks import Walk

THEME = (
    Theme(
        form="""\
@ text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:middle}
@ tspan{font-weight:700}
@ .o>rect,@ .c>rect{stroke-width:1.5}@ .l>rect{stroke-width:2}@ .v>rect{stroke-width:3.5}
@ .u{font-weight:700}@ .bb{stroke-width:20;stroke-linecap:round}@ .g{stroke-width:17;stroke-linecap:round}
@ .t,@ .w{font-size:12px}@ .w{font-style:italic}
@ .e{fill:none;stroke-width:1.5}@ .e.c{stroke-width:2.5}@ .e.k{stroke-width:5}
@ .e.y{stroke-width:5;stroke-dasharray:10 5}
@ .m{font-size:12px;stroke-width:5;paint-order:stroke;text-anchor:start}@ .m.q{text-anchor:end}@ .m.c{font-weight:700}
@ .f{font-size:12px;text-anchor:start}@ .f.r{text-anchor:end}@ .h{font-style:italic}@ .f.x{font-weight:700}
@ .a,@ .b{stroke-width:1.5}@ .n{stroke-width:1.5;stroke-dasharray:4 3}@ .i{font-size:12px}
@ .ln,@ .z{stroke-width:1}@ .s{stroke-width:2.5;stroke-dasharray:4 3}
""",
        paint=(
            *PAPER,
            ("@ .w,@ .m,@ .h", "fill", "soft"),
            ("@ .m", "stroke", "paper"),
            ("@ .o>rect", "fill", "card"),
            ("@ .o>rect,@ .bb", "stroke", "op"),
            ("@ .u", "fill", "on-op"),
            ("@ .l>rect", "fill", "leaf-card"),
            ("@ .l>rect", "stroke", "leaf"),
            ("@ .g", "stroke", "some"),
            ("@ .g+text", "fill", "on-some"),
            ("@ .v>rect", "stroke", "back"),
            ("@ .e", "stroke", "line"),
            ("@ .tip", "fill", "line"),
            ("@ .e.c,@ .e.k,@ .e.y", "stroke", "back"),
            ("@ .tip.c", "fill", "back"),
            ("@ .m.c", "fill", "on-back"),
            ("@ .f.x", "fill", "on-back"),
            ("@ .a", "fill", "some"),
            ("@ .b", "fill", "zero"),
            ("@ .a,@ .b", "stroke", "back"),
            ("@ .n", "fill", "paper"),
            ("@ .n", "stroke", "line"),
            ("@ .ln,@ .z", "stroke", "line"),
            ("@ .s", "stroke", "op"),
        ),
    )
    + marks.THEME
)


class WalkBoxes:
    """The graph, or some of its nodes, laid out so that nothing moves from step to step and from walk to walk.

    nodes: those that are drawn. edges: those between them.
    """

    def __init__(
        self,
        graph: Graph,
        walks: Sequence[Walk],
        names: tuple[str, ...],
        ways: tuple[int, ...],
        nodes: Sequence[int] | None = None,
    ) -> None:
        self.graph, self.names, self.paths = graph, names, ways
        self.nodes = range(len(graph.nodes)) if nodes is None else nodes
        at = {idx: place for place, idx in enumerate(self.nodes)}
        self.edges = [number for number, edge in enumerate(graph.edges) if edge.src in at and edge.dst in at]
        self._births = births.births_of_numbers(graph)
        grads: list[set[float | None]] = [{None, *(walk.gradients[n.idx] for walk in walks)} for n in graph.nodes]
        for walk in walks:
            for move in walk.moves:
                grads[move.node].add(move.after)
        visits = [max(walk.visits[node.idx] for walk in walks) for node in graph.nodes]
        sizes = [self._size(node.idx, grads[node.idx], visits[node.idx]) for node in graph.nodes]
        self._ports = [self._port(edge) for edge in range(len(graph.edges))]
        self._labels = self._widest(walks)
        found = layout(
            [sizes[idx] for idx in self.nodes],
            [graph.nodes[idx].kind != "op" for idx in self.nodes],
            [(at[graph.edges[number].src], at[graph.edges[number].dst]) for number in self.edges],
            [self._ports[number] for number in self.edges],
            [self._labels[number] and self._labels[number] + BESIDE for number in self.edges],
        )
        self._boxes = [box._replace(node=self.nodes[box.node]) for box in found.boxes]
        self._routes = dict(zip(self.edges, found.routes, strict=True))
        self._boxes_of: list[list[int]] = [[] for _ in graph.nodes]
        for number, box in enumerate(self._boxes):
            self._boxes_of[box.node].append(number)
        left, right = 0, found.width
        for edge in self.edges:
            width, (x, _, to_left) = self._labels[edge], self._spot(edge)
            left, right = (min(left, x - width - MARGIN), right) if to_left else (left, max(right, x + width + MARGIN))
        self._left = left
        self.width = right - left + 6
        self.height = found.height

    # -- sizes -----------------------------------------------------------------------------------------------------

    def _title(self, idx: int) -> tuple[str, str]:
        node = self.graph.nodes[idx]
        value = "" if node.value is None else words.reading(node.value, words.TYPESET)
        return shortened(self.names[idx]), f" = {value}" if value else ""

    def _badge(self, idx: int) -> str:
        node = self.graph.nodes[idx]
        return shortened(words.badge(node)) if node.kind == "op" else ""

    def _note(self, idx: int, times: int) -> str:
        ways = paths(self.paths[idx])
        return gettext("{paths}, visited {times}×", paths=ways, times=times) if times else ways

    def _size(self, idx: int, grads: set[float | None], visits: int) -> tuple[int, int]:
        """Wide enough for every step of every walk."""
        title, value = self._title(idx)
        small = max(text_width(said, 12) for said in [*map(self._state, grads), self._note(idx, visits)])
        born = self._births.get(idx)
        small = small if born is None else max(small, text_width(births.mark(born), 12) * 1.05)
        wide = max(text_width(title) * 1.1 + text_width(value), small, text_width(self._badge(idx)) + 26) + 22
        return 4 * math.ceil(wide / 4), 74 if self._badge(idx) else 68

    @staticmethod
    def _state(grad: float | None) -> str:
        return gettext("no gradient yet") if grad is None else f"grad {words.number(grad, words.TYPESET)}"

    def _port(self, number: int) -> int:
        edge = self.graph.edges[number]
        operands = self.graph.operands[edge.dst]
        middle = next(k for k, each in enumerate(operands) if each is edge) - (len(operands) - 1) / 2
        return round(middle * min(22, 70 / max(len(operands) - 1, 1)))

    def _widest(self, walks: Sequence[Walk]) -> list[int]:
        """For each edge the room that its label takes, whatever comes along."""
        found = [text_width(self._forward(number), 12) for number in range(len(self.graph.edges))]
        for walk in walks:
            for step, move in enumerate(walk.moves, start=1):
                if move.edge is not None:
                    found[move.edge] = max(found[move.edge], text_width(self._came(walk, step), 12))
        return [math.ceil(width * 1.05) for width in found]

    def _forward(self, number: int) -> str:
        slope = self.graph.edges[number].local
        return "" if slope is None else words.number(slope, words.TYPESET)

    @staticmethod
    def _came(walk: Walk, step: int) -> str:
        move = walk.moves[step - 1]
        times = f", {move.visit}×" if move.visit > 1 else ""
        wrong = "✗ " if step == walk.first_wrong else ""
        return f"{wrong}{'+=' if move.kind == 'add' else '='} {words.number(move.contribution, words.TYPESET)}{times}"

    def _spot(self, number: int) -> tuple[int, int, bool]:
        x, y = end_of(self._routes[number])
        to_left = self._ports[number] < 0
        return (x - BESIDE if to_left else x + BESIDE), y - 8, to_left

    # -- drawing ---------------------------------------------------------------------------------------------------

    def shell(self) -> str:
        """All that stays, with a place for each edge and each node."""
        edges = "".join(place(f"e{number}") for number in self.edges)
        boxes = []
        for number, box in enumerate(self._boxes):
            title, value = self._title(box.node)
            badge, half = self._badge(box.node), box.width // 2
            kind = ("o" if badge else "l") + (" d" if box.copy else "")
            parts = [place(f"n{number}"), *self._missing(box.node)]
            parts.append(f'<text y="{26 if badge else 20}"><tspan>{escape(title)}</tspan>{escape(value)}</text>')
            if badge:
                inset = round(max(4, text_width(badge) / 2 - 1))
                parts.append(
                    f'<path class="bb" d="M{-inset} 0h{2 * inset}"/><text class="u" y="5">{escape(badge)}</text>'
                )
            rect = f'<rect x="{-half}" width="{box.width}" height="{box.height}" rx="8"/>'
            drawn = f'<g class="{kind}" transform="translate({box.x} {box.y})">{rect}{"".join(parts)}</g>'
            born = None if box.copy else self._births.get(box.node)
            boxes.append(drawn if born is None else marks.marked(box, drawn, births.mark(born)))
        return f'<g transform="translate({-self._left} 0)">{edges}{"".join(boxes)}</g>'

    def _missing(self, idx: int) -> Iterator[str]:
        """A sign for each operand that is not drawn, where its arrow would end."""
        for number in self.graph.incoming[idx]:
            if number not in self._routes:
                yield f'<text class="t" x="{self._ports[number]}" y="-14">…</text>'

    def places(self) -> dict[str, str]:
        """What stands in the places before any walk: the numbers of paths, and the local gradients."""
        found = {f"e{number}": self._edge(number, "", "") for number in self.edges}
        for number, box in enumerate(self._boxes):
            top = self._top(box.node)
            found[f"n{number}"] = f'<text class="t" y="{top + 4}">{escape(self._note(box.node, 0))}</text>'
        return found

    def film(self, walk: Walk) -> Iterator[dict[str, str]]:
        """What stands in the places after 0, 1, 2, … moves, and then at the walk's end."""
        places = {f"e{number}": self._edge(number, "", "") for number in self.edges}
        grads: list[float | None] = [None] * len(self.graph.nodes)
        visits = [0] * len(self.graph.nodes)
        self._fill(places, range(len(grads)), grads, visits)
        yield dict(places)
        lit: list[int] = []
        edge: int | None = None
        for step, move in enumerate(walk.moves, start=1):
            if edge is not None:
                places[f"e{edge}"] = self._edge(edge, "c", self._came(walk, step - 1))
            self._fill(places, lit, grads, visits)
            grads[move.node], edge, lit = move.after, move.edge, [move.node]
            if edge is not None:
                lit.append(self.graph.edges[edge].dst)
                visits[lit[1]] = max(visits[lit[1]], move.visit)
            if edge not in self._routes:
                edge = None
            if edge is not None:
                kind = "y" if step == walk.first_wrong else "k"
                places[f"e{edge}"] = self._edge(edge, kind, self._came(walk, step))
            self._fill(places, lit, grads, visits, lit)
            yield dict(places)
        if edge is not None:
            places[f"e{edge}"] = self._edge(edge, "c", self._came(walk, len(walk.moves)))
        self._fill(places, range(len(grads)), walk.gradients, walk.visits)
        yield places

    def _fill(
        self,
        places: dict[str, str],
        nodes: Sequence[int],
        grads: Sequence[float | None],
        visits: Sequence[int],
        lit: Sequence[int] = (),
    ) -> None:
        """The state of some nodes. lit: first the one whose gradient changes, then the one that hands on."""
        for idx in nodes:
            for number in self._boxes_of[idx]:
                box = self._boxes[number]
                said, top, inset = escape(self._state(grads[idx])), self._top(idx), box.width // 2 - CHIP
                parts = []
                if idx in lit:
                    mark = ' data-active="1"' if idx == lit[0] else ""
                    form = f'x="{-box.width // 2}" width="{box.width}" height="{box.height}" rx="8" fill="none"'
                    parts.append(f'<g class="{"v" if mark else "vg"}"><rect{mark} {form}/></g>')
                if grads[idx] is None:
                    parts.append(f'<text class="w" y="{top + 4}">{said}</text>')
                else:
                    chip = f'<path class="g" d="M{-inset} {top}h{2 * inset}"/>'
                    parts.append(f'{chip}<text class="t" y="{top + 4}">{said}</text>')
                parts.append(f'<text class="t" y="{top + 22}">{escape(self._note(idx, visits[idx]))}</text>')
                places[f"n{number}"] = "".join(parts)

    def _top(self, idx: int) -> int:
        return 44 if self.graph.nodes[idx].kind == "op" else 38

    def _edge(self, number: int, kind: str, came: str) -> str:
        """kind: "" before anything came along it, "c" afterwards, "k" while it does, "y" where that is wrong."""
        said = came if kind else self._forward(number)
        x, y, to_left = self._spot(number)
        label = f'<text class="m{" q" if to_left else ""}{" c" if kind else ""}" x="{x}" y="{y}">{escape(said)}</text>'
        look = f"e {kind}".strip()
        line = f'<path class="{look}" d="{svg.path(self._routes[number])}"/>'
        return f"{line}{self._tip(number, bool(kind))}{label if said else ''}"

    def _tip(self, number: int, back: bool) -> str:
        """The head of an arrow: at the result on the way forward, at the operand on the way back."""
        route = self._routes[number]
        if back:
            x, y = route.points[0]
            return f'<path class="tip c" d="M{x} {y + 1}l-6 10h12z"/>'
        x, y = end_of(route)
        return f'<path class="tip" d="M{x} {y + 2}l-5 -9h10z"/>'

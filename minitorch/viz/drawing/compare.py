"""Two aligned graphs: every node at the same spot in both, so that the eye can go across."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from xml.sax.saxutils import escape

from minitorch.language import N_, gettext
from minitorch.viz.drawing import graph, marks, svg
from minitorch.viz.drawing.compare_rest import draw_rest, draw_totals, rest_card
from minitorch.viz.drawing.compare_words import births_of, caption, description, note, one_side, sure_births
from minitorch.viz.drawing.layout import Box, Layout, layout
from minitorch.viz.drawing.scene import Card, Reach, Scene, card, ports_of, shortened, text_width
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts import births, words
from minitorch.viz.facts.differences import Compared
from minitorch.viz.facts.model import Edge, Graph, NodeFacts
from minitorch.viz.facts.surroundings import LARGE, Part, Rest, around, everything

HEADS = (N_("mine"), N_("reference"))
HEAD = 34  # room above each graph for its name
FOOT = 8  # more room below each graph where something is written on the edges of its boxes
GAP = 14  # between the two graphs
WIDEST = 1060  # wider together, they stand one above the other: in a notebook of 908 pixels a letter would be too small
WALLS = (980, 430), (720, 520)  # on a slide with letters that can be read: below the words, or beside them
FEWER = (18, 12, 8, 5, 3)  # places that are drawn one by one, as many as have room
ELSE = "≠"
GHOSTS = (N_("not here"), N_("not there"))
MOST_BIRTHS = 3  # of a side, that are looked at in a large comparison

# What this picture has beyond others. `@` stands for its own id.
_OWN = Theme(
    form="""\
@ .h{font-size:15px;font-weight:700;text-anchor:start}
@ .s{fill:none;stroke-width:1}
@ .q0>rect{fill:none;stroke-width:1.5;stroke-dasharray:2 5}@ .q0>text{font-size:12px;font-style:italic}
@ .f0{font-size:13px;font-weight:700;text-anchor:start}
""",
    paint=(
        ("@ .s", "stroke", "line"),
        ("@ .q0>rect", "stroke", "line"),
        ("@ .q0>text", "fill", "soft"),
        ("@ .f0", "fill", "ink"),
    ),
)


@dataclass(frozen=True)
class Sides:
    """Both graphs, laid out together. cards: for each item of the part one a side, of the same size."""

    facts: Compared
    part: Part
    layout: Layout
    graphs: tuple[Graph, Graph]
    cards: tuple[tuple[Card, ...], tuple[Card, ...]]
    pills: tuple[dict[int, str], dict[int, str]]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of one side below its name."""
        written = any(place in self.part.items for pills in self.pills for place in pills)
        return self.layout.width, self.layout.height + HEAD + (FOOT if written else 0)

    @property
    def beside(self) -> tuple[int, int]:
        """The same of both sides beside each other."""
        return 2 * self.size[0] + GAP, self.size[1]


def fitting(facts: Compared, whole: bool) -> Sides | None:
    """What a notebook has room for: everything of a small comparison, of a large or wide one what matters; None where
    nothing does.
    """
    if whole:
        return sides(facts, everything(facts))
    return _first_fit(facts, lambda shown: shown.layout.width <= WIDEST)


def on_slide(facts: Compared) -> list[str]:
    """The same on a wall, where the words stand beside it: both graphs at once if they have room, else mine and then
    the reference, every node where it was.
    """
    shown = _first_fit(facts, lambda shown: _has_room(shown.size) or _has_room(shown.beside))
    if shown is None:
        return [draw_totals(facts)]
    if _has_room(shown.beside):
        return [_document(shown, _both(shown, 0), shown.beside)]
    return [_document(shown, _side(shown, side, 0, 0), shown.size) for side in (0, 1)]


def _has_room(size: tuple[int, int]) -> bool:
    return any(size[0] <= wide and size[1] <= high for wide, high in WALLS)


def _first_fit(facts: Compared, fits: Callable[[Sides], bool]) -> Sides | None:
    """Less and less of a comparison until it fits: all of it if it is not large, then less and less around what
    matters; None where nothing does.

    That is the first difference, the first place that is built in another way (values that nobody keeps differ unseen
    from there on), and where a nan or an inf is born; where all that has no room, the first difference alone.
    """
    if len(facts.names) <= LARGE and fits(shown := sides(facts, everything(facts))):
        return shown
    built = [each.place for each in facts.differences if each.kind not in ("value", "gradient")]
    born = [place for side in (0, 1) for place in sure_births(facts, side)[:MOST_BIRTHS]]
    seen = [*births_of(facts, 0), *births_of(facts, 1)]
    looked_at = [*_first(facts), *(each.place for each in facts.differences[:1]), *built[:1], *(born or seen[:1])]
    found = None
    for focus, most in product((looked_at, looked_at[:1]), FEWER if looked_at else ()):
        found = sides(facts, around(facts, focus, most))
        if fits(found):
            break
    return found


def sides(facts: Compared, part: Part) -> Sides:
    """Lays out the two graphs. Every box is as large as the larger of the two that stand for one node."""
    united = facts.united
    own = facts.mine, facts.reference
    graphs = one_side(united, own[0]), one_side(united, own[1])
    pills = _pills(facts, 0), _pills(facts, 1)
    cards = [
        tuple(
            rest_card(facts, item, side)
            if isinstance(item, Rest)
            else _card(graphs[side], graphs[side].nodes[item], facts.names[item], pills[side].get(item, ""))
            for item in part.items
        )
        for side in (0, 1)
    ]
    pairs = [_same_size(a, b) for a, b in zip(*cards, strict=True)]
    mine, reference = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    nodes = [united.nodes[_place(item)] for item in part.items]
    drawn = Graph(
        tuple(replace(node, idx=idx) for idx, node in enumerate(nodes)),
        tuple(Edge(arrow.source, arrow.target, arrow.slot) for arrow in part.arrows),
        len(nodes) - 1,
        united.scalar,
    )
    found = layout(
        [(each.width, each.height) for each in mine],
        [not isinstance(item, Rest) and united.nodes[item].kind != "op" for item in part.items],
        [(arrow.source, arrow.target) for arrow in part.arrows],
        ports_of(drawn, mine),
        [0] * len(part.arrows),
    )
    return Sides(facts, part, found, graphs, (mine, reference), pills)


def _place(item: int | Rest) -> int:
    """A place of an item."""
    return item.places[0] if isinstance(item, Rest) else item


def draw(shown: Sides) -> str:
    """The two graphs as an SVG document, the same bytes for the same graphs."""
    facts = shown.facts
    (width, height), stacked = shown.size, shown.beside[0] > WIDEST
    whole_width = max(width if stacked else shown.beside[0], 420)
    lines = svg.broken(caption(facts), max(int((whole_width - 36) / 7.4), 30))
    top = 20 * len(lines) + 18
    below = svg.wrapped(note(facts, shown.part), whole_width)
    foot = top + height * (1 + stacked)
    parts = [
        f'<text class="f0" x="18" y="{28 + 20 * number}">{escape(each)}</text>' for number, each in enumerate(lines)
    ]
    parts += [*_both(shown, top, stacked), *svg.captions(below, foot + 14)]
    return _document(shown, parts, (whole_width, foot + (svg.CAPTION * len(below) + 10 if below else 0)))


def _document(shown: Sides, parts: list[str], size: tuple[int, int]) -> str:
    name = f"mtc{shown.facts.united.topology}"
    told = gettext("My graph against the reference"), description(shown.facts, shown.part)
    return svg.document(name, *told, size, (graph.THEME + _OWN).sheet(name), parts, svg.markers(name))


def _both(shown: Sides, top: int, stacked: bool = False) -> list[str]:
    """Both graphs with a line between them, beside each other, or mine above the reference."""
    width, height = shown.size
    line = f"M18 {top + height}H{width - 18}" if stacked else f"M{width + GAP // 2} {top + 8}V{top + height - 14}"
    other = (0, top + height) if stacked else (width + GAP, top)
    return [*_side(shown, 0, 0, top), *_side(shown, 1, *other), f'<path class="s" d="{line}"/>']


def _side(shown: Sides, side: int, x: int, y: int) -> list[str]:
    """One of the graphs below its name."""
    head = f'<g transform="translate({x} {y})"><text class="h" x="18" y="24">{gettext(HEADS[side])}</text>'
    return [head, f'<g transform="translate(0 {HEAD})">', *_panel(shown, side), "</g></g>"]


def _card(graph: Graph, node: NodeFacts, name: str, pill: str) -> Card:
    """The card of a node, with room for its gradient and for what is written on its lower edge."""
    gradient = text_width(words.gradient(node, node.grad, words.TYPESET), 12)
    return card(graph, node, shortened(name), max(gradient, text_width(pill, 12) * 1.05))


def _first(facts: Compared) -> tuple[int, ...]:
    """The places of the first difference: of what made it, where that is known."""
    return facts.differences[0].blamed or (facts.differences[0].place,) if facts.differences else ()


def _pills(facts: Compared, side: int) -> dict[int, str]:
    """What is written on the lower edges of boxes: what the ring around each means. By place, differences first."""
    first, born = _first(facts), births_of(facts, side)
    found: dict[int, str] = {}
    for place in dict.fromkeys([*first, *(each.place for each in facts.differences)]):
        birth = f"; {births.mark(born[place])}" if place in born else ""
        found[place] = f"{gettext('≠ first difference') if place in first else ELSE}{birth}"
    return {**found, **{place: births.mark(birth) for place, birth in born.items() if place not in found}}


def _same_size(one: Card, other: Card) -> tuple[Card, Card]:
    width, height = max(one.width, other.width), max(one.height, other.height)
    return one._replace(width=width, height=height), other._replace(width=width, height=height)


def _panel(shown: Sides, side: int) -> list[str]:
    """One side: its arrows, the rings behind its boxes, the boxes, ghosts where it has none, what the rings mean."""
    facts, own_graph = shown.facts, shown.graphs[side]
    own = (facts.mine, facts.reference)[side]
    here = [node is not None for node in own]
    names = facts.names
    nothing = Reach([], {}, {})
    items, place, whole = shown.part.items, shown.layout, own_graph
    cards = _by_place(shown, side)
    scene = Scene(own_graph, None, names, cards, (), (), place, None, whole, names, nothing, {}, layout)
    edges = [
        f'<path d="{svg.path(route)}"/>'
        for arrow, route in zip(shown.part.arrows, shown.layout.routes, strict=True)
        if arrow.owners[side]
    ]
    parts = ['<g class="e">', *edges, "</g>"]
    first = _first(facts)
    where = {_place(items[box.node]): box for box in shown.layout.boxes if not box.copy}
    pills = {place: said for place, said in shown.pills[side].items() if place in items}
    differing = {*first, *(each.place for each in facts.differences)}
    # Behind the boxes: badges stay whole.
    parts += [marks.ring(where[place], first=place in first or place not in differing) for place in pills]
    for box in shown.layout.boxes:
        item = items[box.node]
        if isinstance(item, Rest):
            parts.append(draw_rest(facts, item, side, box, shown.cards[side][box.node]))
        elif here[item]:
            drawn = box._replace(node=item)
            parts.append(graph.draw_box(scene, drawn, own_graph.nodes[item].grad, active=False))
        else:
            parts.append(_ghost(box, gettext(GHOSTS[side])))
    parts += [marks.pill(where[place], said) for place, said in pills.items()]
    return parts


def _by_place(shown: Sides, side: int) -> tuple[Card, ...]:
    """The cards by place; where a place is not drawn by itself, any."""
    found = [shown.cards[side][0]] * len(shown.facts.names)
    for item, made in zip(shown.part.items, shown.cards[side], strict=True):
        if not isinstance(item, Rest):
            found[item] = made
    return tuple(found)


def _ghost(box: Box, said: str) -> str:
    half = box.width // 2
    return (
        f'<g class="q0" transform="translate({box.x} {box.y})">'
        f'<rect x="{-half}" width="{box.width}" height="{box.height}" rx="8"/>'
        f'<text y="{box.height // 2 + 4}">{said}</text></g>'
    )

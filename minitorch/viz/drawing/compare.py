"""Two aligned graphs: every node at the same spot in both, so that the eye can go across."""

from __future__ import annotations

from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from minitorch.viz.drawing import graph, marks, svg
from minitorch.viz.drawing.compare_rest import draw_rest, rest_card
from minitorch.viz.drawing.compare_words import births_of, caption, description, note, one_side, sure_births
from minitorch.viz.drawing.layout import Box, Layout, layout
from minitorch.viz.drawing.scene import Card, Reach, Scene, card, ports_of, shortened, text_width
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts import births, words
from minitorch.viz.facts.differences import Compared
from minitorch.viz.facts.model import Edge, Graph, NodeFacts
from minitorch.viz.facts.surroundings import LARGE, Part, Rest, around, everything
from minitorch.viz.texts.catalogue import say

HEADS = ("compare_mine", "compare_reference")
HEAD = 34  # room above each graph for its name
FOOT = 8  # more room below each graph where something is written on the edges of its boxes
GAP = 14  # between the two graphs
WIDEST = 1060  # wider together, they stand one above the other: in a notebook of 908 pixels a letter would be too small
ELSE = "≠"
GHOSTS = ("compare_not_here", "compare_not_there")
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
    def stacked(self) -> bool:
        """Whether mine stands above the reference, not beside it."""
        return 2 * self.layout.width + GAP > WIDEST


def part_of(facts: Compared, whole: bool) -> Part | None:
    """What is to be drawn: everything of a small comparison, of a large one what matters; None where nothing does.

    That is the first difference, the first place that is built in another way (values that nobody keeps differ unseen
    from there on), and where a nan or an inf is born.
    """
    if whole or len(facts.names) <= LARGE:
        return everything(facts)
    built = [each.place for each in facts.differences if each.kind not in ("value", "gradient")]
    born = [place for side in (0, 1) for place in sure_births(facts, side)[:MOST_BIRTHS]]
    seen = [*births_of(facts, 0), *births_of(facts, 1)]
    looked_at = [*_first(facts), *(each.place for each in facts.differences[:1]), *built[:1], *(born or seen[:1])]
    return around(facts, looked_at) if looked_at else None


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
    facts, name = shown.facts, f"mtc{shown.facts.united.topology}"
    room = FOOT if any(place in shown.part.items for pills in shown.pills for place in pills) else 0
    width, height = shown.layout.width, shown.layout.height + HEAD + room
    across, down = (0, height) if shown.stacked else (width + GAP, 0)
    whole_width = max(width + across, 420)
    lines = svg.broken(caption(facts), max(int((whole_width - 36) / 7.4), 30))
    top = 20 * len(lines) + 18
    below = svg.wrapped(note(facts, shown.part), whole_width)
    foot = top + height + down
    parts = [
        f'<text class="f0" x="18" y="{28 + 20 * number}">{escape(each)}</text>' for number, each in enumerate(lines)
    ]
    for side, head in enumerate(HEADS):
        x, y = side * across, top + side * down
        parts.append(f'<g transform="translate({x} {y})"><text class="h" x="18" y="24">{say(head)}</text>')
        parts += [f'<g transform="translate(0 {HEAD})">', *_panel(shown, side), "</g></g>"]
    line = f"M18 {top + height}H{width - 18}" if shown.stacked else f"M{width + GAP // 2} {top + 8}V{top + height - 14}"
    parts += [f'<path class="s" d="{line}"/>', *svg.captions(below, foot + 14)]
    sheet = (graph.THEME + _OWN).sheet(name)
    told = say("compare_title"), description(facts, shown.part)
    size = whole_width, foot + (svg.CAPTION * len(below) + 10 if below else 0)
    return svg.document(name, *told, size, sheet, parts, svg.markers(name))


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
        found[place] = f"{say('compare_first') if place in first else ELSE}{birth}"
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
            parts.append(_ghost(box, say(GHOSTS[side])))
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

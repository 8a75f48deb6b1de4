"""Two aligned graphs: every node at the same spot in both, so that the eye can go across; and as a listing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from minitorch.viz.drawing import graph, marks, svg
from minitorch.viz.drawing.layout import Box, Layout, layout
from minitorch.viz.drawing.scene import Card, Reach, Scene, card, ports_of, text_width
from minitorch.viz.drawing.scene import shortened as shortened_name
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts import births, words
from minitorch.viz.facts.differences import Compared
from minitorch.viz.facts.model import Graph, NodeFacts
from minitorch.viz.texts.catalogue import counted, say

HEADS = ("compare_mine", "compare_reference")
HEAD = 34  # room above each graph for its name
FOOT = 8  # more room below each graph where something is written on the edges of its boxes
GAP = 14  # between the two graphs
WIDEST = 1060  # wider together, they stand one above the other: in a notebook of 908 pixels a letter would be too small
ELSE = "≠"
GHOSTS = ("compare_not_here", "compare_not_there")
TOLD_NODES = 12  # a comparison of more nodes is described as a whole only

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
    """Both graphs, laid out together. cards: for each place one a side, of the same size."""

    facts: Compared
    layout: Layout
    graphs: tuple[Graph, Graph]
    cards: tuple[tuple[Card, ...], tuple[Card, ...]]

    @property
    def stacked(self) -> bool:
        """Whether mine stands above the reference, not beside it."""
        return 2 * self.layout.width + GAP > WIDEST


def sides(facts: Compared) -> Sides:
    """Lays out the two graphs. Every box is as large as the larger of the two that stand for one node."""
    united = facts.united
    graphs = tuple(_one_side(united, own) for own in (facts.mine, facts.reference))
    pills = [_pills(facts, side) for side in (0, 1)]
    cards = [
        tuple(_card(each, node, facts.names[node.idx], said.get(node.idx, "")) for node in each.nodes)
        for each, said in zip(graphs, pills, strict=True)
    ]
    pairs = [_same_size(a, b) for a, b in zip(*cards, strict=True)]
    mine, reference = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    found = layout(
        [(each.width, each.height) for each in mine],
        [node.kind != "op" for node in united.nodes],
        [(edge.src, edge.dst) for edge in united.edges],
        ports_of(united, mine),
        [0] * len(united.edges),
    )
    return Sides(facts, found, (graphs[0], graphs[1]), (mine, reference))


def draw(shown: Sides) -> str:
    """The two graphs as an SVG document, the same bytes for the same graphs."""
    facts, name = shown.facts, f"mtc{shown.facts.united.topology}"
    room = FOOT if _pills(facts, 0) or _pills(facts, 1) else 0
    width, height = shown.layout.width, shown.layout.height + HEAD + room
    across, down = (0, height) if shown.stacked else (width + GAP, 0)
    whole_width = max(width + across, 420)
    lines = svg.broken(caption(facts), max(int((whole_width - 36) / 7.4), 30))
    top = 20 * len(lines) + 18
    whole_height = top + height + down
    parts = [
        f'<text class="f0" x="18" y="{28 + 20 * number}">{escape(each)}</text>' for number, each in enumerate(lines)
    ]
    for side, head in enumerate(HEADS):
        x, y = side * across, top + side * down
        parts.append(f'<g transform="translate({x} {y})"><text class="h" x="18" y="24">{say(head)}</text>')
        parts += [f'<g transform="translate(0 {HEAD})">', *_panel(shown, side), "</g></g>"]
    line = f"M18 {top + height}H{width - 18}" if shown.stacked else f"M{width + GAP // 2} {top + 8}V{top + height - 14}"
    parts.append(f'<path class="s" d="{line}"/>')
    sheet = (graph.THEME + _OWN).sheet(name)
    told = say("compare_title"), description(facts)
    return svg.document(name, *told, (whole_width, whole_height), sheet, parts, svg.markers(name))


def description(facts: Compared) -> str:
    """The picture for those who do not see it: the verdict, every difference after the first, where a nan comes from,
    and in a small graph every node.
    """
    found = [sentence(facts), *(say("compare_also", difference=each) for each in facts.differences[1:])]
    for side in (0, 1):
        found += births.told(_births(facts, side), facts.united, facts.names)
    shown = [place for place in range(len(facts.names)) if _is_shown(facts, place)]
    if len(shown) <= TOLD_NODES:
        nodes = [_told_node(facts, place) for place in shown]
        found.append(f"{'; '.join(nodes)}.")
    return " ".join(found)


def _told_node(facts: Compared, place: int) -> str:
    """A node with what either side holds of it."""
    mine = ", ".join(_told(facts.mine[place], say("compare_not_here")))
    reference = ", ".join(_told(facts.reference[place], say("compare_not_there")))
    return say("compare_told", name=facts.names[place], mine=mine, reference=reference)


def _births(facts: Compared, side: int) -> dict[int, births.Birth]:
    """Where a nan or an inf comes from in one of the two graphs, by place."""
    own = (facts.mine, facts.reference)[side]
    edges = zip(facts.alignment.edges, facts.alignment.owners, strict=True)
    graph = replace(_one_side(facts.united, own), edges=tuple(edge for edge, owners in edges if owners[side]))
    return {place: birth for place, birth in births.births(graph).items() if own[place] is not None}


def sentence(facts: Compared) -> str:
    """The verdict as a sentence."""
    return f"{facts.verdict[0].upper()}{facts.verdict[1:]}."


def caption(facts: Compared) -> str:
    """What stands above the two graphs."""
    more = len(facts.differences) - 1
    rest = "" if more < 1 else counted("compare_more_one", "compare_more", more)
    return words.typeset(sentence(facts) + rest)


def _one_side(united: Graph, own: tuple[NodeFacts | None, ...]) -> Graph:
    """The graph of all places with the nodes of one side; a place that it has not keeps the other side's node."""
    nodes = tuple(
        replace(other if node is None else node, idx=other.idx, label=(node.label if node else "") or other.label)
        for node, other in zip(own, united.nodes, strict=True)
    )
    return Graph(nodes, united.edges, united.root, united.scalar)


def _card(graph: Graph, node: NodeFacts, name: str, pill: str) -> Card:
    """The card of a node, with room for its gradient and for what is written on its lower edge."""
    gradient = text_width(words.gradient(node, node.grad, words.TYPESET), 12)
    return card(graph, node, shortened_name(name), max(gradient, text_width(pill, 12) * 1.05))


def _first(facts: Compared) -> tuple[int, ...]:
    """The places of the first difference: of what made it, where that is known."""
    return facts.differences[0].blamed or (facts.differences[0].place,) if facts.differences else ()


def _pills(facts: Compared, side: int) -> dict[int, str]:
    """What is written on the lower edges of boxes: what the ring around each means. By place, differences first."""
    first, born = _first(facts), _births(facts, side)
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
    place, whole = shown.layout, own_graph
    scene = Scene(own_graph, None, names, shown.cards[side], (), (), place, None, whole, names, nothing, {}, layout)
    edges = [
        f'<path d="{svg.path(route)}"/>'
        for owners, route in zip(facts.alignment.owners, shown.layout.routes, strict=True)
        if owners[side]
    ]
    parts = ['<g class="e">', *edges, "</g>"]
    first, pills = _first(facts), _pills(facts, side)
    differing = {*first, *(each.place for each in facts.differences)}
    where = {box.node: box for box in shown.layout.boxes if not box.copy}
    # Behind the boxes: badges stay whole.
    parts += [marks.ring(where[place], first=place in first or place not in differing) for place in pills]
    for box in shown.layout.boxes:
        if here[box.node]:
            parts.append(graph.draw_box(scene, box, own_graph.nodes[box.node].grad, active=False))
        else:
            parts.append(_ghost(box, say(GHOSTS[side])))
    parts += [marks.pill(where[place], said) for place, said in pills.items()]
    return parts


def _ghost(box: Box, said: str) -> str:
    half = box.width // 2
    return (
        f'<g class="q0" transform="translate({box.x} {box.y})">'
        f'<rect x="{-half}" width="{box.width}" height="{box.height}" rx="8"/>'
        f'<text y="{box.height // 2 + 4}">{said}</text></g>'
    )


# -- the listing -----------------------------------------------------------------------------------------------------


def listing(facts: Compared, limit: int | None) -> str:
    """The verdict, then one line a node, newest first, then what else differs."""
    gradient = say("compare_gradient")
    heads = (
        say("compare_node"),
        say("compare_made_by"),
        say("compare_mine"),
        gradient,
        say("compare_reference"),
        gradient,
    )
    rows = [["", *heads]]
    rows += [_row(facts, place) for place in reversed(range(len(facts.names))) if _is_shown(facts, place)]
    later = [
        say("compare_also_line", difference=each)
        for each in shortened([str(each) for each in facts.differences[1:]], limit)
    ]
    return "\n".join([facts.verdict, *shortened(aligned(rows, ()), limit), *later])


def _is_shown(facts: Compared, place: int) -> bool:
    nodes = [node for node in (facts.mine[place], facts.reference[place]) if node is not None]
    return any(node.kind != "constant" or node.label for node in nodes)


def _row(facts: Compared, place: int) -> list[str]:
    """The cells of one node: a mark where it differs, its name, how it was made, and what either side holds."""
    differing = [each.place for each in facts.differences]
    mark = "" if place not in differing else "!=>" if place == differing[0] else "!="
    mine, reference = facts.mine[place], facts.reference[place]
    made = _made(mine, reference)
    told = _told(mine, say("compare_not_here")), _told(reference, say("compare_not_there"))
    return [mark, facts.names[place], made, *told[0], *told[1]]


def _made(mine: NodeFacts | None, reference: NodeFacts | None) -> str:
    """The operation, with both spellings if they differ."""
    said = [node.op or words.kind(node) for node in (mine, reference) if node is not None]
    return " | ".join(dict.fromkeys(said))


def _told(node: NodeFacts | None, absent: str) -> list[str]:
    if node is None:
        return [absent, "-"]
    shape = "" if node.shape in ((), None) else f"{node.shape} "
    value = say("compare_not_kept") if node.value is None else words.reading(node.value)
    return [f"{shape}{value}", words.gradient(node, node.grad).removeprefix("grad ")]

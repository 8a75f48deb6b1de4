"""The picture before it is drawn: what each box and each edge says, how large it is, and where it goes.

The static SVG and the widget draw the same scene, so they look alike and say the same.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from minitorch.language import gettext
from minitorch.viz.drawing.dot_layout import Graphviz
from minitorch.viz.drawing.layout import MARGIN, Layout, Route, layout
from minitorch.viz.facts import words
from minitorch.viz.facts.births import Birth, births, mark, until
from minitorch.viz.facts.grades import WORST, Grade, Graded, worst
from minitorch.viz.facts.levels import Level
from minitorch.viz.facts.model import Edge, Event, Graph, NodeFacts, Reading, Trace

Arrange = Callable[..., Layout]  # `layout`, or what is called as it is

LONGEST = 22  # letters of a name, then "…"
NARROWEST = 104  # room for "no gradient yet"
LINE = 18
BAND = 24  # the gradient's, at the bottom
CHIP = 16  # from the edge of a box to the round end of the coloured chip behind the gradient
PADDING = 22
BADGE_HEIGHT = 20
SIGN = 14  # of a group, which says that it can be opened
BESIDE = 6  # from an arrow to its label
NEAR = 22  # from one arrow to the next
MOST_LABELLED = 4  # operands whose arrows say what comes along them; of more only the signs
WIDEST_GAP = 142  # between arrows that have such labels: room for "+= norm 0.000123"


class Card(NamedTuple):
    """What a box says. badge: the operation, on the upper edge. title: the name; rest: what follows it in the same
    line; value: a second line, or "". gap: how far apart its arrows arrive, where the badge has room for it.
    """

    badge: str
    title: str
    rest: str
    value: str
    width: int
    height: int
    badge_width: int
    gap: int = NEAR


class Label(NamedTuple):
    """What stands beside an edge: `forward` at first, and from step `arrival` on (None: never) `backward`."""

    forward: str
    backward: str
    arrival: int | None
    width: int


@dataclass(frozen=True)
class Scene:
    """A graph, or a whole backward pass, ready to be drawn. ports: where each edge ends, from the middle of its box.

    births: the boxes where a nan or an inf comes from. grades: what boxes say in place of a gradient, None where they
    say that. trace: the backward pass of the whole graph. level: what is
    drawn of a graph that is folded; picture, whole_names, reach: that graph, or its backward pass, and what it needs.
    arrange: whose layout it is.
    """

    graph: Graph
    trace: Trace | None
    names: tuple[str, ...]
    cards: tuple[Card, ...]
    labels: tuple[Label, ...]
    ports: tuple[int, ...]
    layout: Layout
    level: Level | None
    picture: Graph | Trace
    whole_names: tuple[str, ...]
    reach: Reach
    births: Mapping[int, Birth]
    arrange: Arrange
    grades: Mapping[int, Grade] | None = None

    @property
    def note(self) -> str:
        """What is to be said of where everything stands; "" where there is nothing."""
        return self.arrange.note if isinstance(self.arrange, Graphviz) else ""

    @property
    def whole(self) -> Graph:
        """The graph before it was folded."""
        return self.picture.graph if isinstance(self.picture, Trace) else self.picture

    @property
    def outside(self) -> frozenset[int]:
        """The nodes of a level that come in from outside."""
        return frozenset() if self.level is None else self.level.outside

    def gradients(self, step: int | None) -> dict[int, Reading]:
        """What to show: what the nodes hold, or, in a backward pass, what they have after `step` events."""
        if self.trace is None:
            return {node.idx: node.grad for node in self.graph.nodes if node.grad is not None}
        trace = self.trace if self.level is None else self.level.trace(self.trace)
        return trace.gradients(step)

    def pills(self, step: int | None) -> dict[int, str]:
        """What stands on the lower edge of which ringed box, after `step` events."""
        bad = {idx: grade.word for idx, grade in (self.grades or {}).items() if grade.level == WORST}
        return bad | {idx: mark(each) for idx, each in until(self.births, step).items()}

    def label_spot(self, edge: int) -> tuple[int, int, bool]:
        """Where the label of an edge stands, above its arrow: x, y, and whether it ends there instead of starting."""
        x, y = end_of(self.layout.routes[edge])
        to_left = self.ports[edge] < 0
        return (x - BESIDE if to_left else x + BESIDE), y - 8, to_left

    @cached_property
    def extent(self) -> tuple[int, int]:
        """The left and the right end of everything drawn, labels included."""
        left, right = 0, self.layout.width
        for edge, label in enumerate(self.labels):
            x, _, to_left = self.label_spot(edge)
            if to_left:
                left = min(left, x - label.width - MARGIN)
            else:
                right = max(right, x + label.width + MARGIN)
        return left, right


@dataclass(frozen=True, slots=True)
class Reach:
    """What a picture needs room for: for each node its widest gradient, for each edge the event that comes along it.

    Both are of the whole graph, so that all levels of it can be drawn without looking through the pass again. label:
    the least room of what stands beside an edge, where that will change. graded: what is said in place of gradients,
    None where they are said. told: what is said besides below the picture.
    """

    widths: list[float]
    arrivals: dict[int, tuple[int, Event]]
    born: Mapping[int, Birth]
    label: float = 0.0
    graded: Graded | None = None
    told: str = ""


def reach(
    picture: Graph | Trace, born: Mapping[int, Birth] | None = None, graded: Graded | None = None, told: str = ""
) -> Reach:
    """Looks through a graph, or a backward pass, once. born: what `births` gives, where it is known already; graded:
    what its nodes say in place of gradients. told: what is said below it.
    """
    graph = picture.graph if isinstance(picture, Trace) else picture
    wide = cache(text_width)  # many gradients say the same
    nothing = wide(gettext("no gradient yet"), 12)
    widths = [
        nothing
        if node.kind != "constant" and node.grad is None and not node.freed
        else wide(words.gradient(node, node.grad, words.TYPESET), 12)
        for node in graph.nodes
    ]
    arrivals: dict[int, tuple[int, Event]] = {}
    for step, event in enumerate(picture.events if isinstance(picture, Trace) else (), start=1):
        said = words.gradient(graph.nodes[event.node], event.after, words.TYPESET)
        widths[event.node] = max(widths[event.node], wide(said, 12))
        if event.edge is not None:
            arrivals[event.edge] = (step, event)
    if graded is not None:
        widths = [width * (node.kind == "constant") for width, node in zip(widths, graph.nodes, strict=True)]
    return Reach(widths, arrivals, births(picture) if born is None else born, graded=graded, told=told)


def scene(
    picture: Graph | Trace,
    level: Level | None = None,
    names: tuple[str, ...] | None = None,
    reached: Reach | None = None,
    arrange: Arrange = layout,
) -> Scene:
    """Lays out a graph or a backward pass. Boxes are wide enough for every step, so nothing moves while stepping.

    level: what of it is drawn, where it is folded. names: of all nodes, as `words.names` gives them. reached: what
    `reach` gives, where it is known already. arrange: says where everything stands.
    """
    whole = picture.graph if isinstance(picture, Trace) else picture
    trace = picture if isinstance(picture, Trace) else None
    reached = reach(picture) if reached is None else reached
    whole_names = words.names(whole) if names is None else names
    graph, names, born, widest = whole, whole_names, reached.born, list(reached.widths)
    if level is not None:
        graph, names, born = level.graph, level.names, level.located(reached.born)
        widest = [_widest(reached, level, node, trace is not None) for node in graph.nodes]
    for idx, birth in born.items():  # what is written on a box's lower edge is no wider than the box
        widest[idx] = max(widest[idx], text_width(mark(birth), 12) * 1.05)
    grades = None if reached.graded is None else _grades(reached.graded.at, level)
    for idx, grade in (grades or {}).items():
        widest[idx] = max(widest[idx], text_width(chip_of(grade), 12), text_width(grade.word, 12) * 1.05)
    titles, labels = short_names(names), _labels(graph, level, reached)
    cards = tuple(
        _spread(card(graph, node, title, width), [labels[number] for number in numbers])
        for node, title, width, numbers in zip(graph.nodes, titles, widest, graph.incoming, strict=True)
    )
    ports = ports_of(graph, cards)
    outside = frozenset() if level is None else level.outside
    found = arrange(
        tuple((card.width, card.height) for card in cards),
        tuple(node.kind != "op" or node.idx in outside for node in graph.nodes),
        tuple((edge.src, edge.dst) for edge in graph.edges),
        ports,
        tuple(label.width and label.width + BESIDE for label in labels),
    )
    said = names, cards, labels, ports
    return Scene(graph, trace, *said, found, level, picture, whole_names, reached, born, arrange, grades)


def _grades(at: Mapping[int, Grade], level: Level | None) -> Mapping[int, Grade]:
    """The grade of each box: of one that holds several the worst."""
    if level is None:
        return at
    found: dict[int, list[Grade]] = {}
    outside = {idx: place for place in level.outside for idx in level.shows[place]}
    for idx, grade in at.items():
        place = level.place_of.get(idx, outside.get(idx))
        if place is not None:
            found.setdefault(place, []).append(grade)
    return {place: worst(grades) for place, grades in found.items()}


def chip_of(grade: Grade) -> str:
    """What the chip of a box says: the figure, and its grade where that does not stand on a ring."""
    return grade.said if grade.level == WORST else f"{grade.said}: {grade.word}"


def end_of(route: Route) -> tuple[int, int]:
    """Where the arrow touches the badge of its lower box."""
    x, y = route.points[-1]
    return x, y - BADGE_HEIGHT // 2 - 2


@lru_cache(maxsize=4096)  # the same few words and numbers stand in many boxes
def text_width(text: str, size: float = 13) -> float:
    """An upper bound of the width of a text in common sans-serif fonts, in pixels.

    >>> text_width("iii") < text_width("WWW")
    True
    """
    return sum(map(_letter_width, text)) * size


@cache
def _letter_width(letter: str) -> float:
    if letter == "\N{LEFT-TO-RIGHT MARK}":
        return 0.0
    if letter in "iljtf.,:;'|!()[] ":
        return 0.4
    if unicodedata.east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF:
        return 1.3
    return 0.98 if letter in "mwMW@%" else 0.8 if letter in "+=<>−×" else 0.76 if letter.isupper() else 0.64


def shortened(text: str, most: int = LONGEST) -> str:
    """A name short enough for a box. The end of it stays: of "encoder.layers.0.linear1.weight" that is what differs."""
    return text if len(text) <= most else f"…{text[1 - most :]}"


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each short enough for a box; two that are not alike stay so.

    >>> short_names(["a.layers.0.linear1.weight", "b.layers.0.linear1.weight"])
    ('a.layers.0.linear1.weight', 'b.layers.0.linear1.weight')
    >>> short_names([f"encoder.layers.{number}.self_attention.output_projection.weight" for number in (0, 1)])
    ('…layers.0…ojection.weight', '…layers.1…ojection.weight')
    """
    most, found = LONGEST, dict.fromkeys(names, "")
    alike = list(found)
    while alike:
        if most >= 2 * LONGEST:
            found |= _by_parts(alike)
            break
        taken: dict[str, list[str]] = {}
        for name in alike:
            taken.setdefault(shortened(name, most), []).append(name)
        found |= {those[0]: short for short, those in taken.items()}
        alike = [name for those in taken.values() if len(those) > 1 for name in those]
        most += LONGEST // 2
    return tuple(found[name] for name in names)


def _by_parts(names: Sequence[str]) -> dict[str, str]:
    """Long names whose ends are alike: of each the part in which it differs, and its end; as a whole where that fails.

    A number stands with the part before it, as in "layers.0".
    """
    parts = {name: name.split(".") for name in names}
    found: dict[str, str] = {}
    for count in {len(each) for each in parts.values()}:
        those = {name: each for name, each in parts.items() if len(each) == count}
        differing = [at for at in range(count) if len({each[at] for each in those.values()}) > 1]
        shown = sorted({*differing, *(at - 1 for at in differing if at and next(iter(those.values()))[at].isdigit())})
        for name, each in those.items():
            middle = ".".join(each[at] for at in shown)
            short = f"…{middle}…{name[1 - 3 * LONGEST // 4 :]}"
            found[name] = short if middle and len(short) < len(name) else name
    return found if len({*found.values()}) == len(names) else {name: name for name in names}


# -- boxes ---------------------------------------------------------------------------------------------------------


def _widest(reached: Reach, level: Level, node: NodeFacts, running: bool) -> float:
    """The widest that a node of a level ever says of its gradient, in pixels."""
    shows = level.shows[node.idx]
    if len(shows) == 1 and not (node.holds and running):
        return reached.widths[shows[0]]
    together = text_width(f"grad {gettext('norm {size}', size='−1.23e−10')}", 12) if node.holds else 0.0
    return max([together, *(reached.widths[each] for each in shows)])


def card(graph: Graph, node: NodeFacts, title: str, gradient_width: float) -> Card:
    """What the box of a node says. title: its name, cut. gradient_width: the room of its widest gradient, in pixels."""
    badge, title, rest, value = writing(graph, node, title)
    wide = badge_width(badge)
    signs = 2 * SIGN if node.holds and badge else 0
    line = text_width(title) * 1.1 + text_width(f" {rest}") + signs
    text = max(line, text_width(value), gradient_width, wide + 8)
    width = 4 * math.ceil(max(text + PADDING, 0 if node.kind == "constant" else NARROWEST) / 4)
    lines = bool(title or rest) + bool(value)
    height = BAND + lines * LINE + (6 if lines else 0) + (6 if badge else 0)
    return Card(badge, title, rest, value, width, height, wide)


def writing(graph: Graph, node: NodeFacts, title: str) -> tuple[str, str, str, str]:
    """What a card has as its badge, title, rest and value. title: the node's name, cut."""
    badge = shortened(words.badge(node), 2 * LONGEST) if node.kind == "op" else ""
    value = "" if node.value is None else words.reading(node.value, words.TYPESET)
    if node.holds:
        several = gettext("{count} results", count=node.results) if node.results > 1 and node.kind == "op" else ""
        rest = f"· {several}" if several else "" if node.shape in (None, ()) else str(node.shape)
        value = gettext("{count} nodes", count=node.holds) if node.kind == "op" else ""
    elif graph.scalar and (node.kind != "constant" or node.label):
        rest, value = f"= {value}", ""
    else:
        rest = "" if node.shape is None else str(node.shape)
        value = value if node.kind == "constant" or (node.value and words.is_written(node.value)) else ""
    if node.kind == "constant" and not node.label and not node.holds:  # all there is to say is the number, if it is one
        title, rest, value = (value, "", "") if node.shape == () else ("", rest, value)
    return badge, title, rest, value


def badge_width(badge: str) -> int:
    """How wide a badge is, 0 where there is none."""
    return round(max(30, text_width(badge) + 18)) // 2 * 2 if badge else 0


def _spread(made: Card, labels: list[Label]) -> Card:
    """A card whose badge is so wide that the labels between its arrows have room, where more than two come in."""
    if not 2 < len(labels) <= MOST_LABELLED:
        return made
    gap = min(max([NEAR, *(label.width + 2 * BESIDE for label in labels[1:-1])]), WIDEST_GAP)
    badge = max(made.badge_width, (gap * (len(labels) - 1) + 16) // 2 * 2)
    return made._replace(badge_width=badge, gap=gap, width=max(made.width, 4 * math.ceil((badge + 8) / 4)))


# -- edges ---------------------------------------------------------------------------------------------------------


def _labels(graph: Graph, level: Level | None, reached: Reach) -> tuple[Label, ...]:
    """What stands beside each edge, before and after the pass has come along it."""
    found: dict[int, Label] = {}
    arrivals, least = reached.arrivals, math.ceil(reached.label)
    for operands in graph.incoming:
        for place, at in enumerate(operands):
            edge = graph.edges[at]
            carried = (at,) if level is None else level.carried[at]
            came = [arrivals[each] for each in carried if each in arrivals]
            if len(operands) > MOST_LABELLED:
                found[at] = _label(edge, len(carried), came, _SIGNS)
                continue
            found[at] = _label(edge, len(carried), came, _WHOLE)
            if 0 < place < len(operands) - 1:  # between two others
                forms = (_label(edge, len(carried), came, size) for size in (_WHOLE, _NORMS, _SIGNS))
                found[at] = next(each for each in forms if each.width + 2 * BESIDE <= WIDEST_GAP)
    labels = [found[at] for at in range(len(graph.edges))]
    return tuple(each._replace(width=least) if each.forward and each.width < least else each for each in labels)


_WHOLE, _NORMS, _SIGNS = range(3)  # how much a label says


def _label(edge: Edge, carried: int, came: Sequence[tuple[int, Event]], size: int) -> Label:
    """What stands beside an edge. carried: how many of the whole graph it stands for; came: what came along them."""
    forward, backward, arrival = _forward(edge, size), "", None
    if carried > 1 and came:
        arrival = max(step for step, _ in came)
        backward = gettext("{count} contributions", count=len(came)) if size == _WHOLE else ""
    elif came:
        arrival, event = came[0]
        backward = words.equals(event)
        if size != _SIGNS:
            given = event.contribution if size == _WHOLE else replace(event.contribution, values=None)
            backward += f" {words.reading(given, words.TYPESET)}"
        if size == _WHOLE and event.reduced_axes:
            backward += f" (Σ {words.axes(event.reduced_axes)})"
    width = math.ceil(max(text_width(forward, 12), text_width(backward, 12) * 1.05))
    return Label(forward, backward, arrival, width)


def _forward(edge: Edge, size: int) -> str:
    """Before anything flows back: the stretched axes, or the local gradient."""
    if edge.broadcast_axes:
        along = gettext("stretched along {axes}", axes=words.axes(edge.broadcast_axes))
        return along if size == _WHOLE else gettext("stretched")
    return "" if edge.local is None else words.number(edge.local, words.TYPESET)


def ports_of(graph: Graph, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """How far from the middle of its lower box each edge ends: side by side, in the order of the operands."""
    found = [0] * len(graph.edges)
    for card, operands in zip(cards, graph.incoming, strict=True):
        room = max(card.badge_width - 14, 20)
        gap = min(card.gap, room / max(len(operands) - 1, 1))
        for place, number in enumerate(operands):
            found[number] = round((place - (len(operands) - 1) / 2) * gap)
    return tuple(found)

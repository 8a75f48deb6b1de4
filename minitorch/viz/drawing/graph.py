"""Graphs as SVG: boxes and arrows with their gradients, before, within or after a backward pass."""

from __future__ import annotations

from xml.sax.saxutils import escape

from minitorch.language import gettext, ngettext
from minitorch.viz.drawing import marks, svg
from minitorch.viz.drawing.layout import Box
from minitorch.viz.drawing.scene import BADGE_HEIGHT, CHIP, LINE, Card, Scene, chip_of
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts import births, words
from minitorch.viz.facts.counting import counted
from minitorch.viz.facts.grades import Grade
from minitorch.viz.facts.model import NodeFacts, Reading

CHIPS = {"freed": "y", "zero": "z", "odd": "a"}  # the class of a chip by its look, as the player calls that
LOOKS = ("freed", "zero", "odd")  # of a grade, by its level
STACK = 8  # pixels: how far the boxes that stand behind a group's reach below it
TOLD_NODES = 12  # a graph of more nodes is described as a whole only

# Classes are one letter each: a large graph has thousands of them.
#   boxes    o an operation, l a leaf, k a constant; r the result, d a further drawing of a leaf, v what changes now
#   in them  b and u the badge and its text; g, z, y, a the chip of a gradient that is some, zero, freed, not finite,
#            t the text on it; w words in place of a chip; s the two boxes that stand behind that of a group
#   arrows   e all of them; x stretched on the way, c a contribution came along, h it comes now
#   labels   m all of them; q ends at its arrow instead of starting there, x and c as their arrow
#   else     p the paper, f a caption; of marks.py nn and n2 a ring, np and nt what stands on it
# Marker ids end in a (an arrow's head), b (its head on the way back) and x (a stretched one's).
THEME = (
    Theme(
        form="""\
@ text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:middle}
@ tspan{font-weight:700}
@ .o>rect,@ .k>rect{stroke-width:1.5}@ .l>rect{stroke-width:2}@ .k>rect{stroke-dasharray:2 3}
@ .r>rect,@ .v>rect{stroke-width:3.5}@ g>.s{stroke-width:1.2}@ .d>rect{stroke-dasharray:7 4}@ .u{font-weight:700}
@ .b,@ .g,@ .z,@ .y,@ .a{stroke-width:17;stroke-linecap:round}@ .b{stroke-width:20}
@ .t,@ .w{font-size:12px}@ .w{font-style:italic}
@ .e{fill:none;stroke-width:1.5}@ .e>path{marker-end:url(@a)}
@ .e>.x{stroke-width:3;stroke-dasharray:9 3;marker-end:url(@x)}
@ .e>.c,@ .e>.h{stroke-width:2.5;marker-end:none;marker-start:url(@b)}@ .e>.h{stroke-width:5}
@ .m text{font-size:12px;stroke-width:5;paint-order:stroke;text-anchor:start}
@ .m>.q{text-anchor:end}@ .m>.c{font-weight:700}
@ .f{font-size:12px;text-anchor:start}
""",
        paint=(
            *PAPER,
            ("@ .w,@ .m text,@ .f", "fill", "soft"),
            ("@ .m text", "stroke", "paper"),
            ("@ .o>rect,@ .k>rect", "fill", "card"),
            ("@ .o>rect,@ .b", "stroke", "op"),
            ("@ .o>.u", "fill", "on-op"),
            ("@ .l>rect", "fill", "leaf-card"),
            ("@ .l>rect", "stroke", "leaf"),
            ("@ .k>rect", "stroke", "soft"),
            ("@ .g", "stroke", "some"),
            ("@ .g+text", "fill", "on-some"),
            ("@ .z", "stroke", "zero"),
            ("@ .z+text", "fill", "on-zero"),
            ("@ .y", "stroke", "freed"),
            ("@ .a", "stroke", "on-back"),
            ("@ .a+text", "fill", "paper"),
            ("@ .v>rect", "stroke", "back"),
            ("@ .e", "stroke", "line"),
            ("@a", "fill", "line"),
            ("@ .e>.x", "stroke", "wide"),
            ("@x", "fill", "wide"),
            ("@ .m>.x", "fill", "on-wide"),
            ("@ .e>.c,@ .e>.h", "stroke", "back"),
            ("@b", "fill", "back"),
            ("@ .m>.c", "fill", "on-back"),
        ),
    )
    + marks.THEME
)


def draw(scene: Scene, step: int | None = None, captioned: bool = True, more: str = "") -> str:
    """The scene as an SVG document. In a backward pass: after `step` events, all of them if None.

    captioned: whether what happens stands below it; more: what stands there after that.
    """
    name = f"mt{scene.graph.topology}"
    caption = f"{caption_of(scene, step)} {more}".strip() if captioned else ""
    left, right = scene.extent
    width = max(right - left, 260 if caption else 0)
    lines = svg.wrapped(caption, width)
    shift = (width - (right - left)) // 2 - left
    paths, labels = _edges(scene, step)
    parts = [f'<g transform="translate({shift} 0)">' if shift else "<g>"]
    parts += ['<g class="e">', *paths, '</g><g class="m">', *labels, "</g>"]
    gradients = scene.gradients(step)
    active = scene.trace.events[step - 1].node if scene.trace is not None and step else -1
    if scene.level is not None:
        active = scene.level.place_of.get(active, -1)
    said_on = scene.pills(step)
    for box in scene.layout.boxes:
        drawn = draw_box(scene, box, gradients.get(box.node), box.node == active)
        is_marked = box.node in said_on and not box.copy
        parts.append(marks.marked(box, drawn, said_on[box.node]) if is_marked else drawn)
    pills = [box.y + box.height + marks.TALL + 14 for box in scene.layout.boxes if box.node in said_on]
    low = max([scene.layout.height, *pills])
    parts += ["</g>", *svg.captions(lines, low + 4)]
    size = width, low + svg.CAPTION * len(lines)
    told = title(scene, step), _description(scene, step)
    return svg.document(name, *told, size, THEME.sheet(name), parts, svg.markers(name))


def alternative(scene: Scene, step: int | None = None) -> str:
    """The picture in words, for the `alt` of an image: what it shows and, in a small graph, every node."""
    whole = f"{title(scene, step)}. {_description(scene, step)}"
    if len(scene.graph.nodes) > TOLD_NODES:
        return whole
    if scene.level is not None:
        boxes = zip(scene.graph.nodes, scene.names, strict=True)
        return f"{whole} {'; '.join(f'{name} {node.op}'.strip() for node, name in boxes if node.kind == 'op')}."
    gradients = scene.gradients(step)
    told = [_told(scene, node, gradients.get(node.idx)) for node in scene.graph.nodes if node.kind != "constant"]
    return f"{whole} {'; '.join(told)}."


def _told(scene: Scene, node: NodeFacts, grad: Reading | None) -> str:
    made = [scene.names[node.idx]]
    if node.kind == "op":
        made.append(words.made_by(scene.graph, node, scene.names))
    if node.value is not None:
        made.append(words.reading(node.value, words.TYPESET))
    told = " = ".join(made)
    if scene.grades is not None:
        grade = scene.grades.get(node.idx)
        return told if grade is None else f"{told}, {grade.said}: {grade.word}"
    return told if grad is None else f"{told}, {words.gradient(node, grad, words.TYPESET)}"


def title(scene: Scene, step: int | None = None) -> str:
    """What the picture is called, after `step` events of a backward pass."""
    root = words.results(scene.whole, scene.whole_names)
    if scene.trace is None:
        return gettext("Computation graph of {root}", root=root)
    if step is None:
        return gettext("Backward pass from {root}", root=root)
    return gettext(
        "Backward pass from {root}, step {step} of {total}", root=root, step=step, total=len(scene.trace.events)
    )


def _description(scene: Scene, step: int | None) -> str:
    """The picture for those who do not see it."""
    graph, names = scene.whole, scene.whole_names
    leaves = words.listed([names[node.idx] for node in graph.nodes if node.is_leaf]) or gettext("constants")
    operations = sum(node.kind == "op" for node in graph.nodes)
    values = [graph.nodes[end].value for end in graph.ends]
    said = ["" if value is None else f" = {words.reading(value, words.TYPESET)}" for value in values]
    result = words.listed([f"{names[end]}{value}" for end, value in zip(graph.ends, said, strict=True)])
    count = ngettext("1 operation", "{count} operations", operations)
    made = gettext("{result}: {count} on {leaves}.", result=result, count=count, leaves=leaves)
    return f"{made} {caption_of(scene, step)}".strip()


def caption_of(scene: Scene, step: int | None) -> str:
    """What stands below the picture: what the numbers mean or what happens, where a nan comes from, what is folded."""
    said = [_happening(scene, step)]
    said += births.told(births.until(scene.reach.born, step), scene.whole, scene.whole_names)
    if scene.level is not None:
        said.append(
            gettext(
                "Folded: {shown} boxes stand for {count} nodes.",
                shown=len(scene.graph.nodes),
                count=len(scene.whole.nodes),
            )
        )
    said.append(scene.reach.told)
    said.append(scene.note)
    return " ".join(said).strip()


def _happening(scene: Scene, step: int | None) -> str:
    trace = scene.trace
    if trace is not None:
        if step is not None:
            return words.sentence(trace, step, scene.whole_names, words.TYPESET)
        return counted(
            "After the one step of the backward pass: =\xa0sets a gradient.",
            "After all {count} steps of the backward pass. =\xa0sets a gradient, +=\xa0adds to it.",
            len(trace.events),
        )
    if any(edge.local is not None for edge in scene.graph.edges):
        return gettext("Numbers on the arrows: local gradients.")
    return ""


def _edges(scene: Scene, step: int | None) -> tuple[list[str], list[str]]:
    """The arrows and what stands beside them."""
    paths, labels = [], []
    nodes = scene.graph.nodes
    last = (0 if scene.trace is None else len(scene.trace.events)) if step is None else step
    everything = zip(scene.graph.edges, scene.layout.routes, scene.labels, strict=True)
    for number, (edge, route, label) in enumerate(everything):
        if label.arrival is not None and label.arrival <= last:
            kind, said = ("h" if label.arrival == step else "c"), label.backward
        else:
            kind, said = ("x" if edge.broadcast_axes else ""), label.forward
        below = STACK if nodes[edge.src].holds else 0
        paths.append(f'<path{_class(kind)} d="{svg.path(route, kind in ("c", "h"), below)}"/>')
        if said:
            x, y, to_left = scene.label_spot(number)
            style = _class("q" if to_left else "", "c" if kind == "h" else kind)
            labels.append(f'<text{style} x="{x}" y="{y}">{escape(said)}</text>')
    return paths, labels


def draw_box(scene: Scene, box: Box, grad: Reading | None, active: bool) -> str:
    """A node: its box, its operation on the upper edge, its gradient at the bottom."""
    node, card = scene.graph.nodes[box.node], scene.cards[box.node]
    kind = {"op": "o", "leaf": "l", "constant": "k"}[node.kind]
    copy = box.copy or node.idx in scene.outside
    marks = ("r" if node.idx in scene.graph.ends else "", "d" if copy else "", "v" if active else "")
    half = card.width // 2
    parts = [
        f'<g{_class(kind, *marks)} transform="translate({box.x} {box.y})">',
        f"<title>{escape(pointed_at(scene, node))}</title>",
        *(_behind(card) if node.holds else ()),
        f'<rect x="{-half}" width="{card.width}" height="{card.height}" rx="8"/>',
        *_writing(card, bold=bool(node.label)),
        _gradient(node, card, grad, running=scene.trace is not None)
        if scene.grades is None or node.kind == "constant"
        else _grade(card, scene.grades.get(node.idx)),
    ]
    if card.badge:
        inset = (card.badge_width - BADGE_HEIGHT) // 2
        parts.append(f'<path class="b" d="M{-inset} 0h{2 * inset}"/><text class="u" y="5">{escape(card.badge)}</text>')
    return "".join([*parts, "</g>"])


def _behind(card: Card) -> list[str]:
    """Two boxes, of which only an edge is seen behind that of a group."""
    half = card.width // 2
    return [
        f'<rect class="s" x="{off - half}" y="{off}" width="{card.width}" height="{card.height}" rx="8"/>'
        for off in (STACK, STACK // 2)
    ]


def pointed_at(scene: Scene, node: NodeFacts) -> str:
    """What a box says when it is pointed at: the whole name, how it was made, its shape, what is in it."""
    made = words.made_by(scene.graph, node, scene.names) if node.kind == "op" and not node.holds else ""
    facts = [
        f"{scene.names[node.idx]} = {made}" if made else scene.names[node.idx],
        node.op if node.holds else "",
        "" if node.shape in (None, ()) else str(node.shape),
        gettext("{count} nodes", count=node.holds) if node.holds and node.kind == "op" else "",
    ]
    return ", ".join(filter(None, facts))


def _writing(card: Card, bold: bool) -> list[str]:
    y = 26 if card.badge else 20
    found = []
    if card.title or card.rest:
        title = f"<tspan>{escape(card.title)}</tspan>" if bold else escape(card.title)
        found.append(f'<text y="{y}">{" ".join(filter(None, [title, escape(card.rest)]))}</text>')
        y += LINE
    if card.value:
        found.append(f'<text y="{y}">{escape(card.value)}</text>')
    return found


def _gradient(node: NodeFacts, card: Card, grad: Reading | None, running: bool) -> str:
    """The chip at the bottom of a box. What has no gradient has no chip: words in italics."""
    freed = node.freed and not running
    said = escape(words.ungraded(node) if running and grad is None else words.gradient(node, grad, words.TYPESET))
    text = f'y="{card.height - 8}">{said}</text>'
    if node.kind == "constant" or (grad is None and not freed):
        return f'<text class="w" {text}'
    chip = "y" if grad is None else "z" if grad.is_zero else "g" if grad.is_finite else "a"
    inset = card.width // 2 - CHIP
    return f'<path class="{chip}" d="M{-inset} {card.height - 12}h{2 * inset}"/><text class="t" {text}'


def _grade(card: Card, grade: Grade | None) -> str:
    """The same of a figure that stands there in place of a gradient; nothing where there is none."""
    if grade is None:
        return ""
    inset, said = card.width // 2 - CHIP, escape(chip_of(grade))
    chip = CHIPS[LOOKS[grade.level]]
    path = f'<path class="{chip}" d="M{-inset} {card.height - 12}h{2 * inset}"/>'
    return f'{path}<text class="t" y="{card.height - 8}">{said}</text>'


def _class(*names: str) -> str:
    joined = " ".join(filter(None, names))
    return f' class="{joined}"' if joined else ""

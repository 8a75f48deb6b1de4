"""The static SVG: the same bytes for the same graph, readable in light and dark, on its own or in a page."""

from __future__ import annotations

import textwrap
from xml.sax.saxutils import escape

from minitorch.viz.drawing.layout import Box, Route
from minitorch.viz.drawing.palette import style
from minitorch.viz.drawing.scene import BADGE_HEIGHT, CHIP, LINE, Card, Scene, end_of
from minitorch.viz.facts import words
from minitorch.viz.facts.model import NodeFacts, Reading

LETTER = 6.4  # mean width of a caption's letter, in pixels
NAMED_LEAVES = 8  # in the description; further ones are counted
TOLD_NODES = 12  # a graph of more nodes is described as a whole only


def draw(scene: Scene, step: int | None = None) -> str:
    """The scene as an SVG document. In a backward pass: after `step` events, all of them if None."""
    name = f"mt{scene.graph.topology}"
    caption = _caption(scene, step)
    left, right = scene.extent
    width = max(right - left, 260 if caption else 0)
    lines = textwrap.wrap(caption, int((width - 36) / LETTER))
    height = scene.layout.height + 18 * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" role="img" aria-labelledby="{name}t {name}d"',
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f'<title id="{name}t">{escape(_title(scene, step))}</title>',
        f'<desc id="{name}d">{escape(_description(scene, step))}</desc>',
        f"<style>{style(name)}</style>{markers(name)}",
        f'<rect class="p" width="{width}" height="{height}" rx="10"/>',
    ]
    shift = (width - (right - left)) // 2 - left
    parts.append(f'<g transform="translate({shift} 0)">' if shift else "<g>")
    paths, labels = _edges(scene, step)
    parts += ['<g class="e">', *paths, '</g><g class="m">', *labels, "</g>"]
    gradients = scene.gradients(step)
    active = scene.trace.events[step - 1].node if scene.trace is not None and step else None
    for box in scene.layout.boxes:
        parts.append(draw_box(scene, box, gradients.get(box.node), box.node == active))
    parts.append("</g>")
    for number, line in enumerate(lines):
        y = scene.layout.height + 18 * number + 4
        parts.append(f'<text class="f" x="18" y="{y}">{escape(line)}</text>')
    return "".join([*parts, "</svg>\n"])


def alternative(scene: Scene, step: int | None = None) -> str:
    """The picture in words, for the `alt` of an image: what it shows and, in a small graph, every node."""
    whole = f"{_title(scene, step)}. {_description(scene, step)}"
    if len(scene.graph.nodes) > TOLD_NODES:
        return whole
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
    return told if grad is None else f"{told}, {words.gradient(node, grad, words.TYPESET)}"


def _title(scene: Scene, step: int | None) -> str:
    root = scene.names[scene.graph.root]
    if scene.trace is None:
        return f"Computation graph of {root}"
    total = len(scene.trace.events)
    return f"Backward pass from {root}" + ("" if step is None else f", step {step} of {total}")


def _description(scene: Scene, step: int | None) -> str:
    """The picture for those who do not see it."""
    leaves = [scene.names[node.idx] for node in scene.graph.nodes if node.is_leaf]
    operations = sum(node.kind == "op" for node in scene.graph.nodes)
    named = ", ".join(leaves[:NAMED_LEAVES])
    if len(leaves) > NAMED_LEAVES:
        named += f" and {len(leaves) - NAMED_LEAVES} more"
    node = scene.graph.nodes[scene.graph.root]
    value = "" if node.value is None else f" = {words.reading(node.value, words.TYPESET)}"
    count = "1 operation" if operations == 1 else f"{operations} operations"
    made = f"{scene.names[node.idx]}{value}: {count} on {named or 'constants'}."
    return f"{made} {_caption(scene, step)}".strip()


def _caption(scene: Scene, step: int | None) -> str:
    if scene.trace is not None:
        if step is not None:
            return words.sentence(scene.trace, step, scene.names, words.TYPESET)
        return f"After all {len(scene.trace.events)} steps of the backward pass. = sets a gradient, += adds to it."
    if any(edge.local is not None for edge in scene.graph.edges):
        return "Numbers on the arrows: local gradients."
    return ""


def markers(name: str) -> str:
    """The heads of the arrows of the picture whose id is `name`."""
    form = (
        'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" '
        'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker>'
    )
    markers = [f'<marker id="{name}{letter}" {form}' for letter in "abx"]
    return f"<defs>{''.join(markers)}</defs>"


def _edges(scene: Scene, step: int | None) -> tuple[list[str], list[str]]:
    """The arrows and what stands beside them."""
    paths, labels = [], []
    last = (0 if scene.trace is None else len(scene.trace.events)) if step is None else step
    everything = zip(scene.graph.edges, scene.layout.routes, scene.labels, strict=True)
    for number, (edge, route, label) in enumerate(everything):
        if label.arrival is not None and label.arrival <= last:
            kind, said = ("h" if label.arrival == step else "c"), label.backward
        else:
            kind, said = ("x" if edge.broadcast_axes else ""), label.forward
        paths.append(f'<path{_class(kind)} d="{path(route)}"/>')
        if said:
            x, y, to_left = scene.label_spot(number)
            style = _class("q" if to_left else "", "c" if kind == "h" else kind)
            labels.append(f'<text{style} x="{x}" y="{y}">{escape(said)}</text>')
    return paths, labels


def path(route: Route) -> str:
    """A smooth way down through the points of a route: aside in its lane, then upright, with room for a label."""
    (x0, y0), *through = [*route.points[:-1], end_of(route)]
    found = [f"M{x0} {y0 + 2}"]
    for number, (x1, y1) in enumerate(through):
        if x0 == x1:
            found.append(f"V{y1}")
        else:  # only in a gap, and every second pair of points is one
            turn = min(30, (y1 - y0) * 2 // 3)
            level = y0 + 3 + round(route.lanes[number // 2] * (turn - 6))
            found.append(f"C{x0} {level} {x1} {level} {x1} {y0 + turn}V{y1}")
        x0, y0 = x1, y1
    return "".join(found)


def draw_box(scene: Scene, box: Box, grad: Reading | None, active: bool) -> str:
    """A node: its box, its operation on the upper edge, its gradient at the bottom."""
    node, card = scene.graph.nodes[box.node], scene.cards[box.node]
    kind = {"op": "o", "leaf": "l", "constant": "k"}[node.kind]
    marks = ("r" if node.idx == scene.graph.root else "", "d" if box.copy else "", "v" if active else "")
    half = card.width // 2
    parts = [
        f'<g{_class(kind, *marks)} transform="translate({box.x} {box.y})">',
        f'<rect x="{-half}" width="{card.width}" height="{card.height}" rx="8"/>',
        *_writing(card, bold=bool(node.label)),
        _gradient(node, card, grad, running=scene.trace is not None),
    ]
    if card.badge:
        inset = (card.badge_width - BADGE_HEIGHT) // 2
        parts.append(f'<path class="b" d="M{-inset} 0h{2 * inset}"/><text class="u" y="5">{escape(card.badge)}</text>')
    return "".join([*parts, "</g>"])


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
    chip = "y" if grad is None else "z" if grad.is_zero else "g"
    inset = card.width // 2 - CHIP
    return f'<path class="{chip}" d="M{-inset} {card.height - 12}h{2 * inset}"/><text class="t" {text}'


def _class(*names: str) -> str:
    joined = " ".join(filter(None, names))
    return f' class="{joined}"' if joined else ""

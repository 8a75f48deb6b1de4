"""The stepper's facts: the scene is sent once, and everything else happens in static/graph.js."""

from __future__ import annotations

from typing import Any

from minitorch.viz.drawing import controls, marks, palette, svg
from minitorch.viz.drawing.scene import Scene, end_of, shortened
from minitorch.viz.facts import births, words
from minitorch.viz.facts.model import Event, NodeFacts
from minitorch.viz.texts.catalogue import say

CONTROLS = 130  # pixels: the bar above the stage, the sentence and the keys
LEAST, MOST = 160, 560  # of the stage


def height(scene: Scene) -> int:
    """Pixels that the player needs to show all of the graph, or a good part of a tall one."""
    return CONTROLS + min(max(scene.layout.height + 8, LEAST), MOST)


def as_traits(scene: Scene) -> dict[str, Any]:
    """The scene as the browser needs it: texts that are ready, numbers for the places. Nothing is computed there."""
    assert scene.trace is not None
    left, right = scene.extent
    return {
        "name": f"mt{scene.graph.topology}",
        "title": say("graph_pass_title", root=scene.names[scene.graph.root]),
        "keys": say("player_pass_keys"),
        "controls": controls.of_graph(),
        "palette": {"light": palette.LIGHT, "dark": palette.DARK},
        "left": left,
        "right": right,
        "bottom": scene.layout.height,
        "root": scene.graph.root,
        "before": words.sentence(scene.trace, 0, scene.names, words.TYPESET),
        "nodes": [_node(scene, node) for node in scene.graph.nodes],
        "boxes": [
            {"node": box.node, "x": box.x, "y": box.y, "w": box.width, "h": box.height, "copy": box.copy}
            for box in scene.layout.boxes
        ],
        "edges": [_edge(scene, number) for number in range(len(scene.graph.edges))],
        "events": [_event(scene, step) for step in range(1, len(scene.trace.events) + 1)],
    }


def _node(scene: Scene, node: NodeFacts) -> dict[str, Any]:
    """All that the script says about a node, in its box and beside the picture."""
    card = scene.cards[node.idx]
    made = words.made_by(scene.graph, node, scene.names)
    value = "" if node.value is None else words.entries(node.value, words.TYPESET)
    facts = [(say("player_made"), made), (say("player_value"), value)]
    if not scene.graph.scalar:
        facts += [(say("player_shape"), "" if node.shape is None else str(node.shape)), ("dtype", node.dtype)]
    return {
        "kind": node.kind,
        "title": scene.names[node.idx],
        "made": made,
        "value": "" if node.value is None else words.reading(node.value, words.TYPESET),
        "name": card.title,
        "bold": bool(node.label),
        "rest": card.rest,
        "line": card.value,
        "badge": card.badge,
        "badgeWidth": card.badge_width,
        "nothing": words.ungraded(node),
        "born": _born(scene, node),
        "facts": [fact for fact in facts if fact[1]],
    }


def _born(scene: Scene, node: NodeFacts) -> dict[str, Any] | None:
    """What stands on a box in which a nan or an inf begins, and from which step on."""
    birth = scene.births.get(node.idx)
    if birth is None:
        return None
    said = births.mark(birth)
    return {"said": said, "width": marks.pill_width(said), "step": birth.step}


def _edge(scene: Scene, number: int) -> dict[str, Any]:
    """An edge: its way, its labels, and the rectangle that it needs to be seen in."""
    edge, route, label = scene.graph.edges[number], scene.layout.routes[number], scene.labels[number]
    x, y, to_left = scene.label_spot(number)
    columns = [column for column, _ in route.points]
    return {
        "src": edge.src,
        "dst": edge.dst,
        "from": route.source,
        "to": route.target,
        "path": svg.path(route),
        "x": x,
        "y": y,
        "toLeft": to_left,
        "wide": bool(edge.broadcast_axes),
        "forward": label.forward,
        "backward": label.backward,
        "x0": min(columns) - label.width * to_left,
        "x1": max(columns) + label.width * (not to_left),
        "y0": route.points[0][1],
        "y1": end_of(route)[1],
    }


def _event(scene: Scene, step: int) -> dict[str, Any]:
    assert scene.trace is not None
    event: Event = scene.trace.events[step - 1]
    giver = words.giver(scene.trace, event, scene.names)
    arrives = f"{words.equals(event)} {words.arithmetic(scene.graph, event, words.TYPESET)}"
    return {
        "node": event.node,
        "edge": event.edge,
        "sentence": words.sentence(scene.trace, step, scene.names, words.TYPESET),
        "state": words.gradient(scene.graph.nodes[event.node], event.after, words.TYPESET),
        "entries": words.entries(event.after, words.TYPESET),
        "look": "zero" if event.after.is_zero else "some" if event.after.is_finite else "odd",
        "arrives": f"{arrives}, {shortened(giver)}",
    }

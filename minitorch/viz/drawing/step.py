"""The facts of static/graph.js: the scene is sent once, and everything else happens there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minitorch.language import N_, gettext, language
from minitorch.viz.drawing import controls, marks, palette
from minitorch.viz.drawing.graph import LOOKS, pointed_at, title
from minitorch.viz.drawing.levels import MOST_BOXES, Levels
from minitorch.viz.drawing.player import WIDEST
from minitorch.viz.drawing.scene import Scene, badge_width, chip_of, shortened, writing
from minitorch.viz.facts import words
from minitorch.viz.facts.counting import grouped
from minitorch.viz.facts.folding import Folding
from minitorch.viz.facts.model import NodeFacts, Reading, Trace

CONTROLS = 130  # pixels: the bar above the stage, the sentence and the keys
LEAST, MOST = 160, 560  # of the stage
BESIDE = 60  # pixels beside the drawing

# What the script says itself; it fills in the fields.
_WORDS = {
    "reached": N_("{done} of {total} gradients"),
    "inside": N_("Steps {first} to {last} of {total} happen inside {group}: {count} contributions."),
    "during": N_("Inside {group}: {sentence}"),
    "search": N_("search: a name, an operation, a shape"),
    "found": N_("{place} of {count}"),
    "lost": N_("not found"),
    "overview": N_("overview"),
    "arrows": N_("{count} contributions"),
    "leaf": N_("leaf"),
    "made": N_("made by"),
    "value": N_("value"),
    "nothing": N_("no gradient yet"),
    "from": N_("from {giver}"),
}
# What is said of every node, and so asked for once.
_SAID = {"made": N_("made by"), "value": N_("value"), "shape": N_("shape"), "closed": N_("stays closed")}


def height(scene: Scene) -> int:
    """Pixels that the player needs to show all of the graph, or a good part of a tall one."""
    return CONTROLS + min(max(scene.layout.height + 8, LEAST), MOST)


def width(traits: Mapping[str, Any]) -> int:
    """Pixels that the player can use: those of its widest level, where these are more than what any player has."""
    levels: list[dict[str, int]] = traits["levels"]
    return max(WIDEST, *(level["right"] - level["left"] + BESIDE for level in levels))


def as_traits(scene: Scene, folding: Folding | None = None) -> dict[str, Any]:
    """The scene as the browser needs it: texts that are ready, numbers for the places.

    folding: where the scene is its first level, the others are sent, too.
    """
    levels = Levels(scene, folding)
    trace, names = scene.trace, scene.whole_names
    said = {name: gettext(key) for name, key in _SAID.items()}
    said["closed_why"] = gettext(
        "This group does not open: the picture has {most} boxes already. Draw a Tensor of it by itself.",
        most=grouped(MOST_BOXES),
    )
    return {
        "name": f"mt{scene.whole.topology}",
        "title": title(scene),
        "keys": gettext(
            "↑ ↓ go to a box; there the arrows walk. Enter or a click: details. Drag moves; "
            "click, then the wheel zooms."
            if trace is None
            else "= sets a gradient, += adds to it. ← → one step, Home, End; space plays, s: speed. ↑ "
            "↓ go to a box; there the arrows walk, and comma and full stop step. Enter or a "
            "click: details. Drag moves; click, then the wheel zooms."
        )
        + (gettext(" A click on + opens a group, Escape closes it.") if folding is not None else "")
        + (gettext(" A pass steps over what is closed.") if folding is not None and trace is not None else "")
        + (f" {scene.note}" if scene.note else "")
        + (f" {scene.reach.told}" if scene.reach.told else ""),
        "controls": controls.of_graph(),
        "lang": language(),
        "palette": {"light": palette.LIGHT, "dark": palette.DARK},
        "words": {
            **{name: gettext(id) for name, id in _WORDS.items()},
            **{
                name: gettext(
                    "Step {step} of {total}. {happening}",
                    step="{step}",
                    total="{total}",
                    happening=gettext(happening),
                )
                for name, happening in (("set", words.SETS), ("add", words.ADDS))
            },
        },
        "root": scene.whole.root,
        **({"results": list(scene.whole.results)} if scene.whole.results else {}),
        "before": "" if trace is None else words.sentence(trace, 0, names, words.TYPESET),
        "nodes": [
            _inside(scene, number, up) if drawn is None else _node(*drawn, up, said)
            for number, (drawn, up) in enumerate(zip(levels.drawn, levels.ups, strict=True))
        ],
        "levels": levels.traits(),
        "ends": [[edge.src, edge.dst] for edge in scene.whole.edges],
        "events": [] if trace is None else [_event(trace, step, names) for step in range(1, len(trace.events) + 1)],
    }


def _node(
    scene: Scene, node: NodeFacts, shows: tuple[int, ...], level: int, up: int, said: Mapping[str, str]
) -> dict[str, Any]:
    """All that the script says about a node, in its box and beside the picture.

    level: the one that it opens, 0 for none; up: the group that it is in, -1 for none. said: `_SAID`, and why a group
    stays closed.
    """
    shown = scene.cards[node.idx]
    made = words.made_by(scene.graph, node, scene.names)
    value = short = "" if node.value is None else words.entries(node.value, words.TYPESET)
    if node.value is not None and node.value.shape:
        short = words.reading(node.value, words.TYPESET)
    facts = [(said["made"], made), (said["value"], value)]
    if not scene.graph.scalar:
        facts += [(said["shape"], "" if node.shape is None else str(node.shape)), ("dtype", node.dtype)]
    stays_closed = scene.level is not None and node.idx in scene.level.groups and not level
    why = said["closed_why"] if stays_closed else ""
    told = pointed_at(scene, node)
    facts.append((said["closed"], why))
    found: dict[str, Any] = {
        "kind": node.kind,
        "title": scene.names[node.idx],
        "made": made,
        "value": short,
        "name": shown.title,
        "bold": bool(node.label),
        "rest": shown.rest,
        "line": shown.value,
        "badge": shown.badge,
        "badgeWidth": shown.badge_width,
        **_state(scene, node),
        "born": _born(scene, node),
        "facts": [fact for fact in facts if fact[1]],
        "told": f"{told}. {why}" if why else told,
    }
    if up >= 0:
        found["up"] = up
    if level:
        found["level"] = level
    if node.holds:
        found["shows"] = list(shows)
    return found


def _inside(scene: Scene, number: int, up: int) -> dict[str, Any]:
    """The same of a node that is in a group which stays closed: what is said of it where it goes in elsewhere."""
    node, title = scene.whole.nodes[number], scene.whole_names[number]
    badge, name, rest, line = writing(scene.whole, node, shortened(title))
    return {
        "kind": node.kind,
        "title": title,
        "made": words.made_by(scene.whole, node, scene.whole_names),
        "value": "",
        "name": name,
        "bold": bool(node.label),
        "rest": rest,
        "line": line,
        "badge": badge,
        "badgeWidth": badge_width(badge),
        **_state(scene, node),
        "born": None,
        "facts": [],
        "told": title,
        "up": up,
    }


def _state(scene: Scene, node: NodeFacts) -> dict[str, str]:
    """What is said of a gradient before the pass, or where there is none."""
    if scene.grades is not None and node.kind != "constant":
        grade = scene.grades.get(node.idx)
        return {"nothing": chip_of(grade), "look": LOOKS[grade.level]} if grade else {"nothing": "", "look": "none"}
    if scene.trace is not None:
        return {"nothing": words.ungraded(node), "look": "none"}
    look = "none" if node.kind == "constant" else _look(node.grad, node.freed)
    return {"nothing": words.gradient(node, node.grad, words.TYPESET), "look": look}


def _look(grad: Reading | None, freed: bool = False) -> str:
    """The look of a gradient; the words say it too."""
    if grad is None:
        return "freed" if freed else "none"
    return "zero" if grad.is_zero else "some" if grad.is_finite else "odd"


def _born(scene: Scene, node: NodeFacts) -> dict[str, Any] | None:
    """What stands on a box in which a nan or an inf begins, and from which step on."""
    if not scene.births and not scene.grades:
        return None
    said, birth = scene.pills(None).get(node.idx), scene.births.get(node.idx)
    if said is None:
        return None
    return {"said": said, "width": marks.pill_width(said), "step": birth.step if birth else 0}


def _event(trace: Trace, step: int, names: tuple[str, ...]) -> dict[str, Any]:
    event = trace.events[step - 1]
    giver = words.giver(trace, event, names)
    arrives = f"{words.equals(event)} {words.arithmetic(trace.graph, event, words.TYPESET)}"
    return {
        "node": event.node,
        "edge": event.edge,
        "sentence": words.sentence(trace, step, names, words.TYPESET),
        "state": words.gradient(trace.graph.nodes[event.node], event.after, words.TYPESET),
        "entries": words.entries(event.after, words.TYPESET),
        "look": _look(event.after),
        "arrives": f"{arrives}, {shortened(giver)}",
        "came": words.reading(event.contribution, words.TYPESET),
        "value": words.reading(event.after, words.TYPESET),
    }

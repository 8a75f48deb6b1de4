"""The facts of static/nudge.js: a graph of single numbers, drawn with room for other ones, and how to compute it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from minitorch.viz.drawing import step
from minitorch.viz.drawing.scene import Reach, Scene, scene, short_names, text_width
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import words
from minitorch.viz.facts.births import births
from minitorch.viz.facts.folding import Folding
from minitorch.viz.facts.levels import Level
from minitorch.viz.facts.nudging import Calculation, Constant, exact
from minitorch.viz.texts.catalogue import say

BAR = 40  # pixels: the second row of controls
LEAST = 350  # of the stage: what stands beside the graph
BELOW = 360  # more where that stands below it
WIDEST = "−1.23e−10"  # of the numbers that will stand in a box
MOST = 6  # numbers whose finite differences are said below the picture

# What the script says, with the places that it fills in.
_WORDS = {
    "nudge_leaf": (),
    "norm": ("size",),
    "nudge_number": ("name",),
    "nudge_constant": ("name",),
    "nudge_ungraded": (),
    "nudge_ungraded_why": ("root", "found"),
    "nudge_changed_constant": ("name", "step", "root", "change"),
    "nudge_plot_constant": ("root", "name", "low", "high", "found"),
    "nudge_slider": ("name",),
    "nudge_back": (),
    "nudge_back_key": (),
    "nudge_h": (),
    "nudge_panel": (),
    "nudge_before": ("name", "root"),
    "nudge_changed": ("name", "step", "root", "change", "said"),
    "nudge_reset": (),
    "nudge_was": ("value",),
    "nudge_gradient": ("root", "name"),
    "nudge_difference": (),
    "nudge_your_gradient": (),
    "nudge_rose": ("change",),
    "nudge_fell": ("change",),
    "nudge_equal": (),
    "nudge_agree": ("digits",),
    "nudge_coarse": ("off", "root"),
    "nudge_fine": ("off",),
    "nudge_still": (),
    "nudge_differ": ("off",),
    "nudge_kink": ("name", "made", "root", "left", "right"),
    "nudge_rule_relu": (),
    "nudge_rule_leaky_relu": (),
    "nudge_rule_abs": (),
    "nudge_rule_tie": (),
    "nudge_plot": ("root", "name", "low", "high", "gradient", "found"),
    "nudge_crossed_kink": ("name", "made"),
    "nudge_crossed_pole": ("name", "made"),
    "nudge_pole": ("name", "made"),
    "nudge_here": ("what",),
    "nudge_above": ("what",),
    "nudge_below": ("what",),
    "nudge_log": ("name", "made", "value", "op", "operand"),
    "nudge_sqrt": ("name", "made", "value", "operand"),
    "nudge_div": ("name", "made", "value"),
    "nudge_pow": ("name", "made", "value", "operand"),
    "nudge_zero": ("name", "made", "value"),
    "nudge_large": ("name", "made", "value"),
    "nudge_undefined": ("name", "made", "value", "op"),
    "nudge_steep": ("name", "made", "value"),
}


def roomy(calculation: Calculation, level: Level | None, names: tuple[str, ...]) -> Scene:
    """The scene of a calculation: boxes and labels have room for numbers that come later."""
    graph = calculation.graph
    grad = text_width(f"grad {WIDEST}", 12)
    widths = [max(grad, text_width(title) * 1.1 + text_width(f" = {WIDEST} ↑")) for title in short_names(names)]
    return scene(graph, level, names, Reach(widths, {}, births(graph), text_width(WIDEST, 12)))


def height(shown: Scene) -> int:
    """Pixels that the player needs."""
    return BAR + max(step.height(shown), step.CONTROLS + LEAST)


def as_traits(shown: Scene, folding: Folding | None, calculation: Calculation, h: float, title: str) -> dict[str, Any]:
    """What `step.as_traits` gives of the scene, and the calculation."""
    traits = step.as_traits(shown, folding)
    for node in traits["nodes"]:
        node["born"] = None  # where a nan begins may change: the script says it
    said = {
        key.removeprefix("nudge_"): say(key, **{each: f"{{{each}}}" for each in fields})
        for key, fields in _WORDS.items()
    }
    said["tangent"] = say("list_gradient")
    return {
        **traits,
        "title": title,
        "keys": say("nudge_keys"),
        "nudge": {
            "rules": [None if rule is None else [rule.op, list(rule.operands)] for rule in calculation.rules],
            "root": calculation.graph.root,
            "start": [_plain(value) for value in calculation.start],
            "leaves": list(calculation.leaves),
            "constants": list(_constants(calculation, shown.whole_names)),
            "h": h,
            "own": {str(idx): exact(grad) for idx, grad in calculation.own.items()},
            "notes": list(calculation.notes),
            "words": {**said, "made": say("list_made"), "value": say("list_value")},
        },
    }


def _constants(calculation: Calculation, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The constants: what they are called, in a list and in a formula, and how the node that takes them writes them.

    A number without a name is called by the node that takes it.
    """
    nodes = calculation.graph.nodes
    takers = Counter(each.taker for each in calculation.constants if not _named(calculation, each))
    seen: Counter[int] = Counter()
    for each in calculation.constants:
        is_node = each.place < len(nodes)
        found = {"place": each.place, "at": each.place if is_node else each.taker, "taker": each.taker}
        if _named(calculation, each):
            yield {**found, "title": names[each.place], "short": names[each.place], "written": ""}
            continue
        node = nodes[each.taker]
        seen[each.taker] += 1
        count = f" {seen[each.taker]}" if takers[each.taker] > 1 else ""
        slope = node.op == "leaky_relu"
        fields = {"name": names[node.idx]} if slope else {"name": names[node.idx], "count": count}
        title = say("nudge_slope_of" if slope else "nudge_plain_of", **fields)
        written = names[each.place] if is_node else "".join(word for word in node.folded.split() if word != node.op)
        yield {**found, "title": title, "short": "c", "written": written}


def _named(calculation: Calculation, constant: Constant) -> bool:
    nodes = calculation.graph.nodes
    return constant.place < len(nodes) and bool(nodes[constant.place].label)


def _plain(value: float) -> float | str:
    """A number as JSON has it; JavaScript's name of one that it has not."""
    return value if math.isfinite(value) else "NaN" if math.isnan(value) else f"{'-' * (value < 0)}Infinity"


def _numbers(calculation: Calculation, h: float, names: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    """All that can be nudged: what it is called, what is said of its gradient, and its finite difference."""
    for leaf in calculation.leaves:
        node = calculation.graph.nodes[leaf]
        assert node.grad is not None  # of a calculation every leaf has one
        yield names[leaf], words.reading(node.grad), calculation.difference(leaf, h)
    for each in _constants(calculation, names):
        called = say("nudge_constant", name=each["title"])
        yield called, say("nudge_ungraded"), calculation.difference(each["place"], h)


def caption(calculation: Calculation, h: float, names: Sequence[str]) -> str:
    """What stands below the picture where nothing moves."""
    found = islice(_numbers(calculation, h, names), MOST)
    listed = ", ".join(f"{name} {words.number(slope, words.TYPESET)}" for name, _, slope in found)
    more = len(calculation.leaves) + len(calculation.constants) - MOST
    if more > 0:
        listed = say("graph_more", named=listed, count=more)
    said = say("nudge_caption", root=names[calculation.graph.root], h=f"{h:g}", found=listed)
    return " ".join([said, *calculation.notes])


def table(calculation: Calculation, h: float, names: Sequence[str], limit: int | None) -> str:
    """The gradients and the finite differences of all that can be nudged as lines, and what does not agree."""
    first = "nudge_leaf" if calculation.constants else "graph_leaf"
    heads = say(first), say("list_gradient"), say("nudge_difference")
    found = islice(_numbers(calculation, h, names), limit)
    rows = [list(heads), *([name, gradient, words.number(slope)] for name, gradient, slope in found)]
    lines = [*aligned(rows, numbers=heads[1:]), *(["", *calculation.notes] if calculation.notes else [])]
    return "\n".join(["", "", say("nudge_table", h=f"{h:g}"), *shortened(lines, limit)])

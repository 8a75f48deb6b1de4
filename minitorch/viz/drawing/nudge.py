"""The facts of static/nudge.js: a graph of single numbers, drawn with room for other ones, and how to compute it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from minitorch.language import N_, gettext
from minitorch.viz.drawing import step
from minitorch.viz.drawing.scene import Reach, Scene, scene, short_names, text_width
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import words
from minitorch.viz.facts.births import births
from minitorch.viz.facts.folding import Folding
from minitorch.viz.facts.levels import Level
from minitorch.viz.facts.nudging import Calculation, Constant, exact

BAR = 40  # pixels: the second row of controls
LEAST = 350  # of the stage: what stands beside the graph
BELOW = 360  # more where that stands below it
WIDEST = "−1.23e−10"  # of the numbers that will stand in a box
MOST = 6  # numbers whose finite differences are said below the picture

# What the script says; it fills in the fields.
_WORDS = {
    "leaf": N_("number to nudge"),
    "norm": N_("norm {size}"),
    "number": N_("value of {name}"),
    "constant": N_("{name} (constant)"),
    "ungraded": N_("needs none"),
    "ungraded_why": N_(
        "A constant needs no gradient, so backward computes none for it. {root} would change with it all "
        "the same: by {found} for each unit, says the finite difference."
    ),
    "changed_constant": N_("{name} {step} → {root} {change} (a constant has no gradient that could say so)."),
    "plot_constant": N_(
        "{root} against {name}, from {low} to {high}: the line through the points at x − h and x + h has "
        "the slope {found}."
    ),
    "slider": N_("slider for the value of {name}"),
    "back": N_("reset"),
    "back_key": N_("put all numbers back as they were"),
    "h": N_("h of the finite difference"),
    "panel": N_("gradient and finite difference"),
    "before": N_(
        "Change {name}: drag its box to the side, type its number, or use the slider. {root} and all gradients follow."
    ),
    "changed": N_("{name} {step} → {root} {change} (the gradient said {said})."),
    "reset": N_("All numbers are as they were."),
    "was": N_("was {value}"),
    "gradient": N_("gradient d{root}/d{name}"),
    "difference": N_("finite difference"),
    "your_gradient": N_("your backward pass"),
    "rose": N_("rose by {change}"),
    "fell": N_("fell by {change}"),
    "equal": N_("The two are equal."),
    "agree": N_("The two agree in {digits} digits."),
    "coarse": N_("The two differ by {off}: {root} bends between x − h and x + h. A smaller h comes nearer."),
    "fine": N_(
        "The two differ by {off}, from rounding: f(x + h) and f(x − h) have too few digits that are not "
        "alike. A larger h comes nearer."
    ),
    "still": N_("h is so small that x + h is x, rounded: nothing moves."),
    "differ": N_("The two differ by {off}."),
    "kink": N_(
        "{name} = {made} has a kink between x − h and x + h: the slope of {root} is {left} on its left and "
        "{right} on its right, and the finite difference mixes the two."
    ),
    "rule_relu": N_("At the kink itself backward has a rule: relu passes nothing on at 0."),
    "rule_leaky_relu": N_(
        "At the kink itself backward has a rule: leaky_relu has the slope there that it has below 0."
    ),
    "rule_abs": N_("At the kink itself backward has a rule: abs has the slope 0 at 0."),
    "rule_tie": N_("At the kink itself backward has a rule: of two that are equal each gets half."),
    "plot": N_(
        "{root} against {name}, from {low} to {high}: the tangent at {name} has the slope {gradient}, the "
        "line through the points at x − h and x + h the slope {found}."
    ),
    "crossed_kink": N_("On the way {name} = {made} met its kink."),
    "crossed_pole": N_("On the way {name} = {made} met a division by 0."),
    "pole": N_(
        "{name} = {made} divides by 0 between x − h and x + h, so f(x + h) and f(x − h) lie on different branches."
    ),
    "here": N_("At x, {what}"),
    "above": N_("At x + h, {what}"),
    "below": N_("At x − h, {what}"),
    "log": N_("{name} = {made} is {value}: {op} needs a number above 0 and gets {operand}."),
    "sqrt": N_("{name} = {made} is {value}: a negative number, {operand}, has no square root."),
    "div": N_("{name} = {made} is {value}: a division by 0."),
    "pow": N_("{name} = {made} is {value}: {operand} to a power that is not whole is no real number."),
    "zero": N_("{name} = {made} is {value}: 0 to a negative power is a division by 0."),
    "large": N_("{name} = {made} is {value}: it is too large for a float64."),
    "undefined": N_("{name} = {made} is {value}: {op} is not defined for what it gets."),
    "steep": N_("the slope of {name} = {made} is {value} there."),
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
    said = {name: gettext(id) for name, id in _WORDS.items()}
    said["tangent"] = gettext("gradient")
    return {
        **traits,
        "title": title,
        "keys": gettext(
            "Drag a leaf, a green box, or a constant to the side, or give it the keyboard and press ↑ ↓; Shift: ten "
            "times as far. Escape while dragging: back. ← → another box, Enter: its details. + − 0 zoom."
        ),
        "nudge": {
            "rules": [None if rule is None else [rule.op, list(rule.operands)] for rule in calculation.rules],
            "root": calculation.graph.root,
            "start": [_plain(value) for value in calculation.start],
            "leaves": list(calculation.leaves),
            "constants": list(_constants(calculation, shown.whole_names)),
            "h": h,
            "own": {str(idx): exact(grad) for idx, grad in calculation.own.items()},
            "notes": list(calculation.notes),
            "words": {**said, "made": gettext("made by"), "value": gettext("value")},
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
        title = gettext("slope below 0 in {name}" if slope else "number{count} in {name}", **fields)
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
        called = gettext("{name} (constant)", name=each["title"])
        yield called, gettext("needs none"), calculation.difference(each["place"], h)


def caption(calculation: Calculation, h: float, names: Sequence[str]) -> str:
    """What stands below the picture where nothing moves."""
    found = islice(_numbers(calculation, h, names), MOST)
    listed = ", ".join(f"{name} {words.number(slope, words.TYPESET)}" for name, _, slope in found)
    more = len(calculation.leaves) + len(calculation.constants) - MOST
    if more > 0:
        listed = gettext("{named} and {count} more", named=listed, count=more)
    said = gettext(
        "Finite differences of {root}, with h = {h}: {found}.",
        root=names[calculation.graph.root],
        h=f"{h:g}",
        found=listed,
    )
    return " ".join([said, *calculation.notes])


def table(calculation: Calculation, h: float, names: Sequence[str], limit: int | None) -> str:
    """The gradients and the finite differences of all that can be nudged as lines, and what does not agree."""
    first = N_("number to nudge") if calculation.constants else N_("leaf")
    heads = gettext(first), gettext("gradient"), gettext("finite difference")
    found = islice(_numbers(calculation, h, names), limit)
    rows = [list(heads), *([name, gradient, words.number(slope)] for name, gradient, slope in found)]
    lines = [*aligned(rows, numbers=heads[1:]), *(["", *calculation.notes] if calculation.notes else [])]
    return "\n".join(
        ["", "", gettext("(f(x + h) - f(x - h)) / 2h, with h = {h}", h=f"{h:g}"), *shortened(lines, limit)]
    )

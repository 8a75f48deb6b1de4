"""The questions of a pass that is predicted, as static/predict.js needs them: sentences that are ready, and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.scene import Scene
from minitorch.viz.facts.questions import Question, Span
from minitorch.viz.texts.catalogue import say

PANEL = 106  # pixels that the question, its field and the reply need

# Every mistake, and under which heading it is counted at the end.
HEADINGS: Mapping[str, str] = {
    mistake: heading
    for heading, mistakes in {
        "came_operand": "own_operand own_factor own",
        "came_derivative": "as_product not_divided no_square no_numerator as_numerator as_denominator power_no_factor "
        "power_same power_factor_only function_itself no_log power_rule of_operand of_result not_inverted "
        "tanh_no_square tanh_no_one tanh_rule sigmoid_rule sigmoid_one_factor sqrt_no_half blocked not_averaged "
        "averaged",
        "came_sign": "minus quotient_sign turned",
        "came_upstream": "local_only",
        "came_local": "upstream_only let_through",
        "came_added": "added",
        "came_overwritten": "overwritten",
        "came_left_out": "kept one_use",
        "came_sum": "difference turned_difference multiplied",
        "came_value": "seed_value value_taker value_giver",
        "came_start": "seed_zero",
        "came_uses": "both_uses already_added before",
        "came_summed": "unsummed averaged_back shape_unsummed shape_kept",
        "came_axis": "wrong_axis shape_wrong_axis",
        "came_matrix": "not_transposed one_product elementwise mirrored",
        "came_shape": "shape_result shape_other shape_transposed shape_number",
    }.items()
    for mistake in mistakes.split()
}

# What the script fills in.
_WORDS = {
    "right": ("predict_right", ("typed",)),
    "given": ("predict_given", ("answer",)),
    "why": ("predict_why", ("typed", "why")),
    "or": ("predict_or", ("one", "other")),
    "near": ("predict_near", ("typed",)),
    "not": ("predict_not", ("typed", "hint")),
    "unread": ("predict_unread", ("typed",)),
    "unreadShape": ("predict_unread_shape", ("typed",)),
    "answer": ("predict_answer", ()),
    "check": ("predict_check", ()),
    "checkKey": ("predict_check_key", ()),
    "show": ("predict_show", ()),
    "toggle": ("predict_toggle", ()),
    "toggleKey": ("predict_toggle_key", ()),
    "before": ("predict_before", ("step",)),
    "go": ("predict_go", ()),
    "score": ("predict_score", ("first", "count", "time")),
    "shown": ("predict_shown", ("count",)),
    "minutes": ("predict_minutes", ("minutes", "seconds")),
    "seconds": ("predict_seconds", ("seconds",)),
    "came": ("predict_came", ("those",)),
    "count": ("came_count", ("what", "count")),
    "again": ("predict_again", ()),
}

_NAMES = ("taker", "giver", "made", "a", "b", "uses", "size", "axes", "terms", "rule")  # of which sentences speak


def without_locals(drawn: Scene) -> Scene:
    """A scene whose arrows do not say the local gradients, which are half of each answer."""
    if not drawn.graph.scalar:
        return drawn
    return replace(drawn, labels=tuple(each._replace(forward="") for each in drawn.labels))


def asking_player(player: Player, questions: tuple[Question, ...]) -> Player:
    """A stepper's player as one that asks; no level of its scene says local gradients."""
    traits = player.state["scene"]
    bare = [
        {**level, "edges": [{**edge, "forward": ""} if _is_number(edge) else edge for edge in level["edges"]]}
        for level in traits["levels"]
    ]
    scene = {**traits, "levels": bare, "keys": traits["keys"] + say("predict_keys"), "predict": as_traits(questions)}
    return replace(player, script="predict.js", state={**player.state, "scene": scene}, height=player.height + PANEL)


def _is_number(edge: Mapping[str, Any]) -> bool:
    """Whether what stands beside an arrow is its local gradient, and not that it is stretched."""
    return "forward" in edge and not edge.get("wide")


def as_traits(questions: tuple[Question, ...]) -> dict[str, Any]:
    """All that the script asks, and all that it answers."""
    mistakes = dict.fromkeys(name for each in questions for _, name in each.wrong)
    return {
        "questions": [_question(each) for each in questions],
        "why": {name: [_why(name), say(HEADINGS[name])] for name in mistakes},
        "words": {name: say(key, **{each: f"{{{each}}}" for each in fields}) for name, (key, fields) in _WORDS.items()},
    }


def _why(mistake: str) -> str:
    return say(f"why_{mistake}", **{each: f"{{{each}}}" for each in _NAMES})


def _question(asked: Question) -> dict[str, Any]:
    fields = dict(asked.fields)
    told = {name: fields[name] for name in (*_NAMES, "part", "right") if name in fields}
    found = {
        "step": asked.step,
        "kind": asked.kind,
        "ask": say("predict_step", question=asking(asked), **fields),
        "hint": hint(asked),
        "right": _numbers(asked.right),
        "wrong": [[_numbers(made), mistake] for made, mistake in asked.wrong],
        "fields": told,
    }
    if asked.near is not None:
        found["near"] = _numbers(asked.near)
    return found


def _numbers(what: Span | tuple[int, ...]) -> list[float] | float | str:
    """One number as it is, several with the digits that count: they are most of what a document stores."""
    if not isinstance(what, Span):
        return str(what)
    middle = (what.low + what.high) / 2
    if what.high - what.low <= 1e-6 * abs(middle):
        return float(f"{middle:.9g}")
    return [float(f"{each:.5g}") for each in (what.low, what.high)]


def asking(asked: Question) -> str:
    """What is asked, as a sentence."""
    match asked.kind:
        case "seed":
            return say("predict_seed", **asked.fields)
        case "sum":
            return say("predict_sum", **asked.fields)
        case "shape":
            return say("predict_shape", **asked.fields)
        case "entry":
            return say("predict_entry" if asked.fields["uses"] == "1" else "predict_entry_of", **asked.fields)
        case "total":
            return say("predict_total", **asked.fields)
    return say("predict_part" if asked.fields["uses"] == "1" else "predict_part_of", **asked.fields)


def hint(asked: Question) -> str:
    """How the answer is worked out, without numbers."""
    match asked.kind:
        case "seed":
            return say("predict_hint_seed", **asked.fields)
        case "sum" | "total":
            return say("predict_hint_sum")
        case "shape":
            return say("predict_hint_shape", **asked.fields)
    if asked.rule == "g":
        return say("predict_hint_same", **asked.fields)
    if asked.rule:
        return say("predict_hint_rule", **{**asked.fields, "rule": asked.rule})
    return say("predict_hint_part", **asked.fields)

"""The questions of a pass that is predicted, as static/predict.js needs them: sentences that are ready, and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from minitorch.language import N_, gettext
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.scene import Scene
from minitorch.viz.facts.questions import Question, Span

PANEL = 106  # pixels that the question, its field and the reply need

# Every mistake, and under which heading it is counted at the end.
HEADINGS: Mapping[str, str] = {
    mistake: heading
    for heading, mistakes in {
        N_("the operand itself as its local gradient"): "own_operand own_factor own",
        N_(
            "a slip in a derivative"
        ): "as_product not_divided no_square no_numerator as_numerator as_denominator power_no_factor "
        "power_same power_factor_only function_itself no_log power_rule of_operand of_result not_inverted "
        "tanh_no_square tanh_no_one tanh_rule sigmoid_rule sigmoid_one_factor sqrt_no_half blocked not_averaged "
        "averaged",
        N_("a sign"): "minus quotient_sign turned",
        N_("without the gradient that is handed on"): "local_only",
        N_("without the local gradient"): "upstream_only let_through",
        N_("added where it is multiplied"): "added",
        N_("a sum overwritten"): "overwritten",
        N_("a contribution left out"): "kept one_use",
        N_("contributions not added"): "difference turned_difference multiplied",
        N_("a forward value for a gradient"): "seed_value value_taker value_giver",
        N_("a pass that nothing starts"): "seed_zero",
        N_("several contributions at once"): "both_uses already_added before",
        N_("not summed where it was stretched"): "unsummed averaged_back shape_unsummed shape_kept",
        N_("summed over another axis"): "wrong_axis shape_wrong_axis",
        N_("a slip in a product of matrices"): "not_transposed one_product elementwise mirrored",
        N_("another shape"): "shape_result shape_other shape_transposed shape_number",
    }.items()
    for mistake in mistakes.split()
}

# What the script fills in.
_WORDS = {
    "right": N_("{typed} is right."),
    "given": N_("It is {answer}."),
    "why": N_("{typed} comes out when {why}."),
    "or": N_("{one}, or when {other}"),
    "near": N_("{typed} is close: three significant digits are asked for."),
    "not": N_("{typed} is not it. {hint}"),
    "unread": N_("{typed} cannot be read as a number: 0.5, −2, 1/3 and 1e-3 can."),
    "unreadShape": N_("{typed} cannot be read as a shape: (3, 4) and 3,4 can."),
    "answer": N_("your answer"),
    "check": N_("check"),
    "checkKey": N_("check (Enter)"),
    "show": N_("show me"),
    "toggle": N_("predict"),
    "toggleKey": N_("predict each number before it is shown (p)"),
    "before": N_("The next question is about step {step}."),
    "go": N_("go there"),
    "score": N_("{first} of {count} at the first try, in {time}."),
    "shown": N_("{count} shown."),
    "minutes": N_("{minutes} min {seconds} s"),
    "seconds": N_("{seconds} s"),
    "came": N_("The wrong answers are those of: {those}."),
    "count": N_("{what} ({count}×)"),
    "again": N_("again from the start"),
}

# Why each mistake gives its number; the script fills in what the question is about.
_WHY = {
    "seed_value": N_("the forward value of {taker} is taken; the pass starts with how fast {taker} grows with itself"),
    "seed_zero": N_("nothing starts the pass; with 0 every gradient would stay 0"),
    "own_operand": N_("{taker} itself is taken as its local gradient; in {made} it is the other operand"),
    "own_factor": N_("{taker} itself is taken as its local gradient; that is the factor it is multiplied by"),
    "own": N_("{taker} itself is taken as its local gradient"),
    "as_product": N_("the other operand is taken as the local gradient, as in a product; {made} is none"),
    "minus": N_("the minus sign in front of {taker} in {made} is forgotten"),
    "quotient_sign": N_("the minus sign in the derivative of 1 / {b} is forgotten"),
    "not_divided": N_("it is multiplied by {b} and not divided by it"),
    "no_square": N_("the {b} below the line is not squared"),
    "no_numerator": N_("the {a} above the line is left out"),
    "as_numerator": N_("{taker} is treated as if it stood above the line"),
    "as_denominator": N_("{taker} is treated as if it stood below the line"),
    "power_no_factor": N_("the exponent falls by 1 but does not come down as a factor"),
    "power_same": N_("the exponent comes down as a factor but does not fall by 1"),
    "power_factor_only": N_("only the exponent is taken as the local gradient"),
    "function_itself": N_("the result {giver} is taken as the local gradient of {made}"),
    "no_log": N_("the logarithm of {a} is left out"),
    "power_rule": N_("the rule of powers of {taker} is used; here {taker} is in the exponent"),
    "of_operand": N_("the derivative is worked out with {taker}; it needs the result, {giver}"),
    "of_result": N_("the derivative is worked out with the result, {giver}; it needs {taker}"),
    "not_inverted": N_("{taker} is taken as the local gradient; for log it is 1 / {taker}"),
    "tanh_no_square": N_("the tanh in 1 − tanh² is not squared"),
    "tanh_no_one": N_("of 1 − tanh² only the square is taken"),
    "tanh_rule": N_("the rule of tanh is used for {made}"),
    "sigmoid_rule": N_("the rule of sigmoid is used for {made}"),
    "sigmoid_one_factor": N_("of σ · (1 − σ) only 1 − σ is taken"),
    "sqrt_no_half": N_("the 2 in 1 / (2 · √) is left out"),
    "let_through": N_("relu lets the gradient through; {taker} is not above 0"),
    "blocked": N_("relu blocks the gradient; {taker} is above 0"),
    "both_uses": N_("all {uses} uses of {taker} in {made} are counted at once"),
    "already_added": N_("what {taker} has already is added; asked is only what arrives"),
    "before": N_("the gradient that {taker} has already is taken"),
    "upstream_only": N_("the gradient of {giver} is passed on as it is, without the local gradient"),
    "local_only": N_("only the local gradient is taken, without the gradient of {giver}"),
    "turned": N_("the sign is turned round"),
    "added": N_("the local gradient and the gradient of {giver} are added; along a path they are multiplied"),
    "value_taker": N_("the forward value of {taker} is taken for a gradient"),
    "value_giver": N_("the forward value of {giver} is taken for a gradient"),
    "overwritten": N_("what arrives replaces what was there, in place of being added to it"),
    "kept": N_("what was there stays as it is, and what arrives is not added to it"),
    "one_use": N_("only one of the uses of {taker} in {made} is counted"),
    "difference": N_("what arrives is subtracted"),
    "turned_difference": N_("what was there is subtracted"),
    "multiplied": N_("the two are multiplied; where paths meet they are added"),
    "not_averaged": N_("the 1 / {size} of the mean is left out"),
    "averaged": N_("it is divided by {size}, as in a mean; {made} is a sum"),
    "unsummed": N_("one number alone is taken; {taker} was stretched over {axes}, and what comes back is summed"),
    "averaged_back": N_("it is divided by {size}, as in a mean; what comes back is summed"),
    "wrong_axis": N_("it is summed over the other axis; {taker} was stretched over {axes}"),
    "not_transposed": N_("{rule} is worked out with a matrix the wrong way round: transposed, or not"),
    "one_product": N_("one product alone is taken; {terms} of them are summed"),
    "elementwise": N_("numbers at the same place are multiplied; {made} multiplies rows by columns and sums"),
    "mirrored": N_("rows and columns are swapped: this number stands at the mirrored place"),
    "shape_unsummed": N_("it is not summed over {axes}, along which {taker} was stretched"),
    "shape_kept": N_("it is summed over {axes} but keeps a length of 1 there"),
    "shape_wrong_axis": N_("it is summed over the other axis; {taker} was stretched along {axes}"),
    "shape_result": N_("the shape of {giver} is taken; {taker} has one of its own"),
    "shape_other": N_("the shape of another operand of {made} is taken"),
    "shape_transposed": N_("the axes are turned round"),
    "shape_number": N_("one number is taken for all of {taker}"),
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
    scene = {
        **traits,
        "levels": bare,
        "keys": traits["keys"]
        + gettext(" Each number is asked before it is shown: Enter checks it, p ends or begins that."),
        "predict": as_traits(questions),
    }
    return replace(player, script="predict.js", state={**player.state, "scene": scene}, height=player.height + PANEL)


def _is_number(edge: Mapping[str, Any]) -> bool:
    """Whether what stands beside an arrow is its local gradient, and not that it is stretched."""
    return "forward" in edge and not edge.get("wide")


def as_traits(questions: tuple[Question, ...]) -> dict[str, Any]:
    """All that the script asks, and all that it answers."""
    mistakes = dict.fromkeys(name for each in questions for _, name in each.wrong)
    return {
        "questions": [_question(each) for each in questions],
        "why": {name: [gettext(_WHY[name]), gettext(HEADINGS[name])] for name in mistakes},
        "words": {name: gettext(id) for name, id in _WORDS.items()},
    }


def _question(asked: Question) -> dict[str, Any]:
    fields = dict(asked.fields)
    told = {name: fields[name] for name in (*_NAMES, "part", "right") if name in fields}
    found = {
        "step": asked.step,
        "kind": asked.kind,
        "ask": gettext("Step {step} of {total}: {question}", question=asking(asked), **fields),
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
            return gettext("The pass starts at {taker}. What is its gradient?", **asked.fields)
        case "sum":
            return gettext("{part} arrives at {taker}, which has {before}. What is its gradient now?", **asked.fields)
        case "shape":
            return gettext("{giver} = {made} hands something on to {taker}. Which shape arrives?", **asked.fields)
        case "entry":
            return gettext(
                "What arrives at {taker}{place}?"
                if asked.fields["uses"] == "1"
                else "What arrives at {taker}{place} along the marked arrow alone?",
                **asked.fields,
            )
        case "total":
            return gettext(
                "{part} arrives at {taker}{place}, where {before} is. Which number is there now?", **asked.fields
            )
    return gettext(
        "{giver} = {made} hands something on to {taker}. What arrives?"
        if asked.fields["uses"] == "1"
        else "{giver} = {made} uses {taker} {uses} times. What arrives along the marked arrow alone?",
        **asked.fields,
    )


def hint(asked: Question) -> str:
    """How the answer is worked out, without numbers."""
    match asked.kind:
        case "seed":
            return gettext("It says how fast {taker} grows with itself.", **asked.fields)
        case "sum" | "total":
            return gettext("Contributions are added: the one that arrives to what is there.")
        case "shape":
            return gettext("There is one number for each number of {taker}.", **asked.fields)
    if asked.rule == "g":
        return gettext("What arrives is the gradient of {giver} as it is.", **asked.fields)
    if asked.rule:
        return gettext(
            "What arrives is {rule}, where g is the gradient of {giver}.", **{**asked.fields, "rule": asked.rule}
        )
    return gettext("What arrives is the gradient of {giver} times how fast {giver} grows with {taker}.", **asked.fields)

"""How the answers of lesson 04 are judged: the loss. What is expected is worked out by closed formulas."""

import math

from minitorch.course.judging.checks import Message, Wrong, exercise, same_number, same_numbers, with_hint
from minitorch.course.lessons.lesson_04_a_neuron_learns.checks_nodes import observe_nodes

ENGINE = 'from minitorch.course import engine; e = engine("mine", upto="02"); '  # a line's own Value and backward

# --------------------------------------------------------------------------------------------------------- hinge_loss


def mixed_points(rng):
    """Scores and labels: of both labels one far on its side, one near the line, one on the wrong side."""
    points = []
    for label in (1, -1):
        for low, high in ((1.2, 3.0), (0.1, 0.9), (-2.0, -0.1)):
            points.append((round(float(rng.uniform(low, high)) * label, 3), label))
    chosen = [points[place] for place in rng.permutation(len(points))]
    return {"scores": [score for score, _ in chosen], "labels": [label for _, label in chosen]}


@exercise("hinge_loss")
class HingeLoss:
    """The number and the gradient of every score, away from the kink: near, far and wrong points of both labels."""

    in_order = True

    def inputs(self, rng):
        return [
            {"scores": [0.25], "labels": [1]},
            {"scores": [0.25], "labels": [-1]},
            {"scores": [2.5], "labels": [1]},
            {"scores": [-2.5], "labels": [-1]},
            {"scores": [-2.5], "labels": [1]},
            {"scores": [2.5, 0.25], "labels": [1, 1]},
            {"scores": [0.5, -2.0], "labels": [-1, -1]},
            {"scores": [3.0, -1.5, 2.0], "labels": [1.0, -1.0, 1.0]},
            {"scores": [0.25, -0.5, 2.0, -3.0], "labels": [1, 1, -1, -1]},
            mixed_points(rng),
        ]

    observe = observe_nodes

    def line(self, x):
        return (
            f"{ENGINE}scores = [e.Value(s) for s in {x['scores']}]; loss = m.hinge_loss(scores, {x['labels']}); "
            "e.backward(loss); loss.data, [score.grad for score in scores]"
        )

    def judge(self, x, got):
        if "no node" in got:
            return self.no_node(got["no node"])
        same_scores = got["list"] == list(range(len(x["scores"]))) and got["scores"] == x["scores"]
        if not same_scores or got["labels"] != x["labels"]:
            return Wrong("hinge_loss changed the scores or the labels that it was given")
        margins = [label * score for score, label in zip(x["scores"], x["labels"], strict=True)]
        count = len(margins)
        loss = math.fsum(max(0.0, 1.0 - margin) for margin in margins) / count
        grads = [-label / count if margin < 1.0 else 0.0 for margin, label in zip(margins, x["labels"], strict=True)]
        wrong_loss = same_number(got["loss"], loss, Message("the loss"), rtol=1e-9)
        if wrong_loss is not None:
            return self.wrong_loss(wrong_loss, margins)
        if any(want and not there for want, there in zip(grads, got["reached"], strict=True)):
            return Wrong(
                "the number is right, but the loss was not made from the scores: no gradient can reach them",
                expected=grads,
                got=got["grads"],
                hint=3,
            )
        label = Message("the loss is right, but the gradient of scores")
        return with_hint(same_numbers(got["grads"], grads, label, rtol=1e-9), 3)

    def no_node(self, got):
        if got == "NoneType":
            return Wrong("hinge_loss returned None: is a `return` missing?", expected="Value", got="None")
        if got in ("list", "tuple", "dict"):
            return Wrong(
                Message("hinge_loss returned a {got}: the loss is one node, made of all points", got=got),
                expected="Value",
                got=got,
                hint=4,
            )
        return Wrong("hinge_loss must return a node: backward starts from it", expected="Value", got=got, hint=3)

    def wrong_loss(self, wrong, margins):
        if len(margins) > 1:
            return with_hint(wrong, 4)  # the smaller inputs, of one point, are right where this one is shown
        (margin,) = margins
        if margin < 1:
            return with_hint(wrong, 1)
        return Wrong(
            "this point is right by far (label * score is {margin}): it costs nothing",
            margin=f"{margin:g}",
            expected=wrong.expected,
            got=wrong.got,
            hint=2,
        )

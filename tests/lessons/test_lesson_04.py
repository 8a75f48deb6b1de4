"""Lesson 04: its network learns, its text says what is so, and learners' answers are judged rightly."""

from __future__ import annotations

import random
import re
import textwrap
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

from minitorch import data
from minitorch.course import manifest
from minitorch.course.activities.planted import load_deal
from minitorch.course.files import source_code
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.mine.assembled import assemble

COURSE = manifest.load()
LESSON = COURSE.lesson("04")


@pytest.fixture(scope="module")
def reference():
    def no_session():
        raise AssertionError("the reference needs no folder")

    return assemble("reference", "04", COURSE, no_session, "en")


def shown() -> str:
    path = Path(__file__).resolve().parents[2] / "notebooks" / LESSON.notebook_name
    outputs = [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", [])]
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)


# ------------------------------------------------------------------------------------------------ the engine


def moons() -> tuple[list[list[float]], list[int]]:
    X, y = data.moons(100, noise=0.1, seed=0)
    return [[round(each, 3) for each in point] for point in X.tolist()], [2 * int(label) - 1 for label in y.tolist()]


def test_the_network_of_the_lesson_learns_the_moons_in_80_steps(reference):
    points, labels = moons()
    model, chance = reference.MLP(reference.Value, (2, 8, 8, 1), random.Random(0)), random.Random(1)
    for _ in range(80):
        batch = chance.sample(range(100), 32)

        def loss_of(batch=batch):
            return reference.hinge_loss([model(points[i]) for i in batch], [labels[i] for i in batch])

        reference.train_step(model.parameters(), loss_of, reference.backward, lr=1.0)
    assert all(model(point).data * label > 0 for point, label in zip(points, labels, strict=True))


def test_the_gradients_of_the_network_are_those_of_a_nudge(reference):
    points, labels = moons()
    model = reference.MLP(reference.Value, (2, 3, 1), random.Random(3))
    parameters = model.parameters()

    def loss():
        return reference.hinge_loss([model(point) for point in points[:7]], labels[:7])

    reference.backward(loss())
    for parameter in parameters:
        number, step = parameter.data, 1e-6
        parameter.data = number + step
        ahead = loss().data
        parameter.data = number - step
        behind = loss().data
        parameter.data = number
        assert (ahead - behind) / (2 * step) == pytest.approx(parameter.grad, abs=1e-7)


def test_parameters_are_all_leaves_once(reference):
    model = reference.MLP(reference.Value, (2, 8, 8, 1), random.Random(0))
    assert len(model.parameters()) == len(set(model.parameters())) == (2 + 1) * 8 + (8 + 1) * 8 + 8 + 1
    assert {parameter._prev for parameter in model.parameters()} == {()}


def test_the_number_of_nodes_that_the_text_states_is_right(reference):
    points, labels = moons()
    model = reference.MLP(reference.Value, (2, 8, 8, 1), random.Random(0))
    loss = reference.hinge_loss([model(point) for point in points[:32]], labels[:32])
    text = "\n".join(
        cell.source
        for cell in nbformat.read(
            Path(__file__).resolve().parents[2] / "notebooks" / LESSON.notebook_name, as_version=4
        ).cells
    )
    (stated,) = re.findall(r"your `Value` makes some ([\d,]+) nodes", text)
    assert int(stated.replace(",", "")) == pytest.approx(len(reference.toposort(loss)), rel=0.02)


def test_what_the_text_says_of_the_trainings_is_what_the_cells_show():
    text = shown()
    assert "100 of 100 points lie in the region of their class." in text  # the boundary has bent around both moons
    assert "50 of 100 points lie in the region of their class.\n" in text  # without zero_grad: no better than a coin
    assert text.count("weights 0.1779 -0.5585   bias 0.1095") == 3  # triplets


def test_equal_weights_can_only_draw_lines_side_by_side(reference):
    points, labels = moons()
    model = reference.MLP(reference.Value, (2, 8, 8, 1), random.Random(0), init=lambda n, _: [0.3] * n)
    for _ in range(10):
        reference.train_step(
            model.parameters(),
            lambda: reference.hinge_loss([model(point) for point in points[::3]], labels[::3]),
            reference.backward,
            lr=0.5,
        )
    (first, second), _ = model.layers[0][0]
    along = [(second.data * t, -first.data * t) for t in (-2.0, -0.5, 0.0, 1.0, 3.0)]  # first * x1 + second * x2 = 0
    assert {round(model(place).data, 9) for place in along} == {round(model((0.0, 0.0)).data, 9)}


def test_with_zeros_for_weights_only_the_last_bias_has_a_gradient(reference):
    points, labels = moons()
    model = reference.MLP(reference.Value, (2, 8, 8, 1), random.Random(0), init=lambda n, _: [0.0] * n)
    reference.backward(reference.hinge_loss([model(point) for point in points[:31]], labels[:31]))
    *others, last = [parameter.grad for parameter in model.parameters()]
    assert not any(others)
    assert last != 0


@pytest.mark.parametrize(("lr", "arrives"), [(0.05, True), (0.5, True), (0.99, True), (1.0, False), (1.1, False)])
def test_the_pencil_says_which_rates_arrive(reference, lr, arrives):
    p = reference.Value(3.0)
    for _ in range(2000):
        if abs(p.data) < 1e9:
            reference.train_step([p], lambda: p * p, reference.backward, lr)
    assert (abs(p.data) < 1e-9) is arrives


@pytest.mark.parametrize("bug", load_deal(COURSE, LESSON).bugs, ids=lambda bug: bug.exercise.name)
def test_the_first_try_of_the_hunt_comes_out_well_with_every_bug(reference, bug):
    dealt = ModuleType("dealt")
    exec(compile(bug.source(), "dealt", "exec"), vars(dealt))
    leaf, p = reference.Value(1.0), reference.Value(3.0)
    leaf.grad = 2.0
    dealt.sgd_step([leaf], lr=0.1)
    assert (leaf.data, leaf.grad) == (0.8, 2.0)
    dealt.zero_grad([leaf])
    assert leaf.grad is None
    assert dealt.hinge_loss([reference.Value(0.25)], [1]).data == 0.75
    assert dealt.train_step([p], lambda: p * p, reference.backward, 0.1) == 9.0
    assert p.data == pytest.approx(2.4)
    assert [round(weight, 3) for weight in dealt.init_weights(3, random.Random(0))] == [0.689, 0.516, -0.159]


# ------------------------------------------------------------------------------------------------- answers


def judged(exercise: str, body: str) -> Verdict:
    head = {
        "hinge_loss": "hinge_loss(scores, labels)",
        "sgd_step": "sgd_step(parameters, lr)",
        "zero_grad": "zero_grad(parameters)",
        "train_step": "train_step(parameters, loss_of, backward, lr)",
        "init_weights": "init_weights(n_inputs, rng)",
    }[exercise]
    answer = f"def {head}:\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"
    return judge_source(LESSON, source_code.replace(LESSON.solution_source(), exercise, answer))[exercise]


@pytest.mark.parametrize(
    ("exercise", "body", "diagnosis"),
    [
        (
            "hinge_loss",
            "return sum(relu(1 - s * abs(y)) for s, y in zip(scores, labels)) * (1 / len(scores))",
            "label-ignored",
        ),
        (
            "hinge_loss",
            "return sum(s.data * y < 0 for s, y in zip(scores, labels)) / len(scores)",
            "loss-of-plain-numbers",
        ),
        ("sgd_step", "for p in parameters:\n    if p.grad is not None:\n        p -= lr * p.grad", "update-recorded"),
        (
            "sgd_step",
            "for p in parameters:\n    if p.grad is not None:\n        data = p.data\n        data -= lr * p.grad",
            "update-recorded",
        ),
        ("zero_grad", "for p in parameters:\n    p = None", "only-a-name"),
        ("zero_grad", "for p in parameters:\n    p.grad = 0", "zero-not-none"),
        (
            "train_step",
            "zero_grad(parameters)\nloss = loss_of()\nbackward(loss)\nreturn loss.data",
            "step-before-backward",
        ),
        (
            "train_step",
            "zero_grad(parameters)\nbackward(loss_of())\nsgd_step(parameters, lr)\nreturn loss_of().data",
            "loss-after-the-step",
        ),
        ("init_weights", "return [1.0] * n_inputs", "all-zero-init"),
        ("init_weights", "w = rng.uniform(-0.01, 0.01)\nreturn [w for _ in range(n_inputs)]", "all-equal-init"),
        ("init_weights", "random.seed(0)\nreturn [random.random() for _ in range(n_inputs)]", "same-for-every-neuron"),
    ],
)
def test_a_mistake_is_named(exercise, body, diagnosis):
    verdict = judged(exercise, body)
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, diagnosis)


@pytest.mark.parametrize(
    ("exercise", "body", "said"),
    [
        ("hinge_loss", "sum(scores)", "is a `return` missing?"),
        (
            "hinge_loss",
            "out = sum(relu(1 - s * y) for s, y in zip(scores, labels)) * (1 / len(scores))\nscores.pop()\nreturn out",
            "changed the scores or the labels",
        ),
        ("zero_grad", "for p in parameters[::2]:\n    p.grad = None", "grad of parameters[1] must be None"),
        ("init_weights", "return tuple(rng.random() for _ in range(n_inputs))", "must return a list"),
    ],
)
def test_a_mistake_without_a_name_gets_a_true_sentence(exercise, body, said):
    verdict = judged(exercise, body)
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, None)
    assert said in verdict.reason.to("en")

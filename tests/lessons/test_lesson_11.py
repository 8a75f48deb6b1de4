"""Lesson 11: its operations agree with minitorch, its network learns, and learners'
answers are judged rightly.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from written_answers import judged

import minitorch
from minitorch.course import manifest
from minitorch.course.mine.assembled import assemble
from minitorch.nn import functional

COURSE = manifest.load()
LESSON = COURSE.lesson("11")
NOTEBOOK = nbformat.read(
    Path(__file__).resolve().parents[2] / "notebooks" / LESSON.notebook_name,
    as_version=4,
)


@pytest.fixture(scope="module")
def reference():
    def no_session():
        raise AssertionError("the reference needs no folder")

    return assemble("reference", "11", COURSE, no_session, "en")


def shown() -> str:
    outputs = [output for cell in NOTEBOOK.cells for output in cell.get("outputs", [])]
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)


# ------------------------------------------------------------------------------------------- on Tensors


@pytest.mark.parametrize("name", ["relu", "exp", "log"])
def test_the_given_functions_have_the_gradients_that_minitorch_finds(reference, name):
    array = np.random.default_rng(1).uniform(0.5, 2.0, (3, 4)) * (-1.0 if name == "exp" else 1.0)
    array[0, 0] = -0.5 if name == "relu" else array[0, 0]
    own, theirs = (kind(array, requires_grad=True) for kind in (reference.Tensor, minitorch.Tensor))
    for x in (own, theirs):
        out = getattr(x, name)()
        (out * out).sum().backward()
    np.testing.assert_allclose(own.grad, theirs.grad, rtol=1e-12)


def test_the_loss_and_its_gradient_are_minitorchs(reference):
    rng = np.random.default_rng(2)
    scores, targets = rng.normal(size=(5, 3)) * 400, np.array([2, 0, 1, 1, 2])
    own, theirs = (kind(scores, requires_grad=True) for kind in (reference.Tensor, minitorch.Tensor))
    for x, loss in ((own, reference.cross_entropy_loss), (theirs, functional.cross_entropy)):
        (loss(x, targets) * 3.0).backward()
    np.testing.assert_allclose(own.grad, theirs.grad, rtol=1e-12, atol=1e-15)
    assert float(reference.cross_entropy_loss(own, targets).data) == pytest.approx(
        functional.cross_entropy(theirs, targets).item()
    )


def test_float32_stays_float32(reference):
    x = reference.Tensor(np.ones((2, 3), np.float32), requires_grad=True)
    loss = reference.cross_entropy_loss(x @ np.ones((3, 2), np.float32), [0, 1])
    loss.backward()
    assert x.grad.dtype == np.float32


@pytest.mark.parametrize(
    ("scores", "targets", "said"),
    [
        ((2, 3), [0, 3], "with 3 classes they go from 0 to 2"),
        ((2, 3), [0, -1], "targets from -1 to 0"),
        ((2, 3), [0.0, 1.0], "it takes scores (N, C) and N whole numbers"),
        ((2, 3), [0, 1, 2], "targets of shape (3,)"),
        ((3,), [0], "scores of shape (3,)"),
        ((0, 3), [], "scores of shape (0, 3)"),
    ],
)
def test_targets_that_do_not_fit_are_refused_in_one_sentence(reference, scores, targets, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        reference.cross_entropy_loss(reference.Tensor(np.zeros(scores)), targets)


# ---------------------------------------------------------------------------------------- what is shown


def test_the_network_learns_the_spiral_and_a_single_layer_does_not():
    pattern = r"loss: first ([\d.]+), last ([\d.]+); right: (\d+)%"
    (_, its_loss, straight), (first, loss, network) = re.findall(pattern, shown())
    assert int(straight) < 60
    assert float(its_loss) > 0.6
    assert float(first) == pytest.approx(np.log(3), abs=2e-3)
    assert int(network) == 100
    assert float(loss) < 0.02
    assert float(re.search(r"new points: ([\d.]+)% right", shown())[1]) >= 98


# ------------------------------------------------------------------------------------- learners' answers


def test_a_loss_that_stops_growing_is_told_so_whatever_keeps_the_probability_from_0():
    verdict = judged(
        "cross_entropy",
        """
        def cross_entropy(scores, targets):
            p = np.maximum(softmax(scores, 1), 1e-300)
            return -np.log(p[np.arange(len(targets)), targets]).mean()
        """,
    )
    assert verdict.reason.to("en").startswith("the loss stops growing")


def test_what_a_row_of_the_gradient_adds_up_to_stands_beside_its_first_wrong_entry():
    verdict = judged(
        "cross_entropy_vjp",
        """
        def cross_entropy_vjp(g, scores, targets):
            p = softmax(scores, 1) * 1.5
            p[np.arange(len(targets)), targets] -= 1
            return g * p / len(targets)
        """,
    )
    assert verdict.reason.to("en").startswith("row 0 of the gradient adds up to 0.5. It must add up to 0")
    assert verdict.expected.to("en").startswith("-0.7310586 in [[-0.731059, 0.731059]]")

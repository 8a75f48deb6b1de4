"""Lesson 08: its operations agree with minitorch, its network learns, its planted bug is the only one, and learners'
answers are judged rightly.
"""

from __future__ import annotations

import contextlib
import io
import re
import textwrap
from pathlib import Path

import nbformat
import numpy as np
import pytest

import minitorch
from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Verdict
from minitorch.course.mine.assembled import assemble
from minitorch.nn import functional

COURSE = manifest.load()
LESSON = COURSE.lesson("08")
NOTEBOOK = nbformat.read(
    Path(__file__).resolve().parents[2] / "notebooks" / LESSON.notebook_name,
    as_version=4,
)


@pytest.fixture(scope="module")
def reference():
    def no_session():
        raise AssertionError("the reference needs no folder")

    return assemble("reference", "08", COURSE, no_session, "en")


def cells() -> list[str]:
    return [cell.source for cell in NOTEBOOK.cells if cell.cell_type == "code"]


def shown() -> str:
    outputs = [output for cell in NOTEBOOK.cells for output in cell.get("outputs", [])]
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)


# ------------------------------------------------------------------------------------------- on Tensors


@pytest.mark.parametrize(
    ("a_shape", "b_shape"),
    [((2, 3), (3, 4)), ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((1, 3, 4), (5, 4, 2)), ((3, 1, 2, 4), (5, 4, 6))],
)
def test_matmul_has_the_gradients_that_minitorch_finds(reference, a_shape, b_shape):
    rng = np.random.default_rng(0)
    arrays = rng.normal(size=a_shape), rng.normal(size=b_shape)
    own, theirs = (
        [kind(array, requires_grad=True) for array in arrays] for kind in (reference.Tensor, minitorch.Tensor)
    )
    for a, b in (own, theirs):
        out = a @ b
        (out * out).sum().backward()
    for mine, its in zip(own, theirs, strict=True):
        np.testing.assert_allclose(mine.grad, its.grad, rtol=1e-12)


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


def test_a_vector_is_refused_by_matmul(reference):
    with pytest.raises(ValueError, match="two axes or more"):
        reference.matmul(reference.Tensor([1.0, 2.0]), np.ones((2, 2)))
    with pytest.raises(TypeError, match="one of the operands must be a Tensor, not list and int"):
        reference.matmul([1.0], 2)


# ---------------------------------------------------------------------------------------- what is shown


def test_the_network_learns_the_spiral_and_a_single_layer_does_not():
    first, second = re.findall(r"step +500 +loss +([\d.]+) +accuracy ([\d.]+)", shown())
    assert float(first[0]) > 0.6
    assert float(first[1]) < 0.6
    assert float(second[0]) < 0.02
    assert float(second[1]) == 1.0
    assert float(re.search(r"new points: ([\d.]+)% right", shown())[1]) >= 98


def test_minitorch_agrees_node_by_node():
    assert "the same, 10 nodes, 5 gradients" in shown()
    assert shown().count("measured and computed agree: True") == 4


# ------------------------------------------------------------------------------------------ planted bug


def test_one_line_lies_and_what_lies_behind_it_agrees():
    (source,) = [cell for cell in cells() if "def planted_backward" in cell]
    names: dict = {"np": np}
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        exec(compile(source, "planted", "exec"), names)
        heard.truncate(0)
        for name in ("scores", "b2", "W2", "h", "z", "b1", "W1"):
            names["compare"](name)
    found = dict(re.findall(r"(\w+): the largest difference is ([\d.]+)", heard.getvalue()))
    assert [name for name, difference in found.items() if float(difference) < 1e-3] == ["scores", "b2", "W2"]
    assert len(found) == 7


# ------------------------------------------------------------------------------------- learners' answers


def judged(name: str, source: str) -> Verdict:
    """Judge a whole file in which one exercise is answered like this and the others as the solution does."""
    text = source_code.replace(LESSON.solution_source(), name, textwrap.dedent(source).lstrip())
    with FileJudge(LESSON, LearnerFile.of(text, LESSON.file_name)) as judge:
        return judge.verdict(name)


RIGHT = {
    "matmul_vjp by einsum": """
        def matmul_vjp(g, a, b):
            a_grad = np.einsum("...ij,...kj->...ik", g, b)
            b_grad = np.einsum("...ik,...ij->...kj", a, g)
            return [unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)]
        """,
    "matmul_vjp matrix by matrix": """
        def matmul_vjp(g, a, b):
            batch = g.shape[:-2]
            wide_a, wide_b = (np.broadcast_to(each, batch + each.shape[-2:]) for each in (a, b))
            a_grad, b_grad = np.zeros(wide_a.shape), np.zeros(wide_b.shape)
            for place in np.ndindex(*batch):
                a_grad[place] = g[place] @ wide_b[place].T
                b_grad[place] = wide_a[place].T @ g[place]
            return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)
        """,
    "softmax out of logsumexp": """
        def softmax(x, axis):
            return np.exp(x - np.expand_dims(logsumexp(x, axis), axis))
        """,
    "softmax with the axis in front": """
        def softmax(x, axis):
            x = np.moveaxis(x, axis, 0)
            powers = np.exp(x - x.max(axis=0))
            return np.moveaxis(powers / powers.sum(axis=0), 0, axis)
        """,
    "logsumexp by logaddexp": """
        def logsumexp(x, axis):
            return np.logaddexp.reduce(x, axis=axis)
        """,
    "logsumexp squeezed at the end": """
        def logsumexp(x, axis):
            m = np.amax(x, axis=axis, keepdims=True)
            return (m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))).squeeze(axis=axis)
        """,
    "cross_entropy row by row": """
        def cross_entropy(scores, targets):
            total = 0.0
            for row, target in zip(scores, targets):
                total += logsumexp(row, 0) - row[target]
            return total / len(targets)
        """,
    "cross_entropy by its own log-softmax": """
        def cross_entropy(scores, targets):
            m = scores.max(1, keepdims=True)
            logs = scores - m - np.log(np.exp(scores - m).sum(1, keepdims=True))
            return float(-np.take_along_axis(logs, targets[:, None], 1).mean())
        """,
    "cross_entropy_vjp with a one-hot array": """
        def cross_entropy_vjp(g, scores, targets):
            return g * (softmax(scores, 1) - np.eye(scores.shape[1])[targets]) / len(targets)
        """,
    "cross_entropy_vjp row by row": """
        def cross_entropy_vjp(g, scores, targets):
            out = np.zeros_like(scores)
            for row, target in enumerate(targets):
                out[row] = softmax(scores[row], 0)
                out[row, target] -= 1
                out[row] *= g / len(targets)
            return out
        """,
}


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_right_answer_in_another_style_passes(source):
    name = re.search(r"def (\w+)", source)[1]
    verdict = judged(name, source)
    assert verdict.passed, verdict.reason.en


WRONG = {
    "softmax, a little in the sum": (
        """
        def softmax(x, axis):
            powers = np.exp(x - x.max(axis=axis, keepdims=True))
            return powers / (powers.sum(axis=axis, keepdims=True) + 1e-6)
        """,
        "along axis 0 the numbers do not add up to 1",
    ),
    "logsumexp of clipped numbers": (
        """
        def logsumexp(x, axis):
            return np.log(np.exp(np.clip(x, -700, 700)).sum(axis=axis))
        """,
        "a result is smaller than the largest number along axis",
    ),
    "logsumexp with log1p": (
        """
        def logsumexp(x, axis):
            m = x.max(axis=axis, keepdims=True)
            return np.log1p(np.exp(x - m).sum(axis=axis)) + m.squeeze(axis)
        """,
        "a result is too large",
    ),
    "logsumexp in a wider float": (
        """
        def logsumexp(x, axis):
            return np.log(np.exp(x.astype(np.longdouble)).sum(axis=axis)).astype(np.float64)
        """,
        "not finite",
    ),
    "cross_entropy with a floor below p": (
        """
        def cross_entropy(scores, targets):
            p = np.maximum(softmax(scores, 1), 1e-300)
            return -np.log(p[np.arange(len(targets)), targets]).mean()
        """,
        "the loss stops growing",
    ),
    "cross_entropy_vjp, g in the wrong place": (
        """
        def cross_entropy_vjp(g, scores, targets):
            p = softmax(scores, 1)
            p[np.arange(len(targets)), targets] -= g
            return p / len(targets)
        """,
        "the rows of the gradient do not add up to 0",
    ),
    "matmul_vjp that doubles g in place": (
        """
        def matmul_vjp(g, a, b):
            g *= 2
            a_grad, b_grad = g @ np.swapaxes(b, -1, -2), np.swapaxes(a, -1, -2) @ g
            return unbroadcast(a_grad, a.shape) / 2, unbroadcast(b_grad, b.shape) / 2
        """,
        "your function changed the array g that it was given",
    ),
}


@pytest.mark.parametrize(("source", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_answer_that_has_no_name_is_told_what_is_broken(source, said):
    verdict = judged(re.search(r"def (\w+)", source)[1], source)
    assert not verdict.passed
    assert said in verdict.reason.en

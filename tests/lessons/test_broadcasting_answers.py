"""Lesson 06: answers that learners plausibly write, the oracle of its checks, and its planted bug."""

from __future__ import annotations

import contextlib
import io
import textwrap

import nbformat
import numpy as np
import pytest

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.judging.checks import load_lesson_module
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind, Verdict

LESSON = manifest.load().lesson("06")
checks = load_lesson_module(LESSON, "checks")

ONE_BY_ONE = """
while gradient.ndim > len(shape):
    gradient = gradient.sum(axis=0)
for axis, size in enumerate(shape):
    if size == 1:
        gradient = gradient.sum(axis=axis, keepdims=True)
return np.asarray(gradient)
"""
ENTRY_BY_ENTRY = """
total = np.zeros(shape)
for place in np.ndindex(gradient.shape):
    inner = place[gradient.ndim - len(shape):]
    total[tuple(0 if size == 1 else index for index, size in zip(inner, shape))] += gradient[place]
return total
"""
PADDED = """
padded = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
axes = tuple(axis for axis, size in enumerate(padded) if size != gradient.shape[axis])
return gradient.sum(axis=axes, keepdims=True).reshape(shape)
"""


def judged(exercise: str, body: str, unbroadcast: str = "") -> Verdict:
    """Judge one answer; the rest of the file is the solution, but for another `unbroadcast`."""
    source = LESSON.solution_source()
    for name, text in {"unbroadcast": unbroadcast, exercise: body}.items():
        words = "gradient, shape" if name == "unbroadcast" else "g, a, b"
        if text:
            answer = f"def {name}({words}):\n{textwrap.indent(text.strip(), '    ')}\n"
            source = source_code.replace(source, name, answer)
    return judge_source(LESSON, source)[exercise]


@pytest.mark.parametrize("body", [ONE_BY_ONE, ENTRY_BY_ENTRY, PADDED])
def test_unbroadcast_passes_however_it_is_written(body):
    assert judged("unbroadcast", body).kind is Kind.PASSED


@pytest.mark.parametrize(
    ("exercise", "body"),
    [
        ("add_vjp", "return [unbroadcast(g, each.shape) for each in (a, b)]"),
        (
            "mul_vjp",
            "x, y = np.broadcast_arrays(a, b)\nreturn unbroadcast(g * y, a.shape), unbroadcast(g * x, b.shape)",
        ),
        (
            "mul_vjp",
            "g = g.copy()\nb_grad = unbroadcast(g * a, b.shape)\ng *= b\nreturn unbroadcast(g, a.shape), b_grad",
        ),
        ("div_vjp", "part = g / b\nreturn unbroadcast(part, a.shape), unbroadcast(-part * a / b, b.shape)"),
        ("div_vjp", "return unbroadcast(g / b, a.shape), -unbroadcast(g * a, b.shape) / b**2"),
    ],
)
def test_a_rule_passes_however_it_is_written(exercise, body):
    assert judged(exercise, body, ONE_BY_ONE).kind is Kind.PASSED


@pytest.mark.parametrize(
    ("exercise", "body", "diagnosis"),
    [
        ("unbroadcast", ONE_BY_ONE.replace("np.asarray(gradient)", "gradient"), "numpy-number"),
        (
            "unbroadcast",
            ONE_BY_ONE.replace(".sum(", ".mean(").replace("np.asarray(gradient)", "gradient"),
            "mean-for-sum-one-by-one",
        ),
        ("add_vjp", "return unbroadcast(g, b.shape), unbroadcast(g, a.shape)", "add-pair-swapped"),
        (
            "mul_vjp",
            "g *= b\nreturn unbroadcast(g, a.shape), unbroadcast(g * a / b, b.shape)",
            "mul-g-overwritten-at-the-end",
        ),
        (
            "div_vjp",
            "return unbroadcast(g / b, a.shape), unbroadcast(g * (a / b) / b, b.shape)",
            "div-sign-of-denominator",
        ),
    ],
)
def test_a_mistake_is_named(exercise, body, diagnosis):
    verdict = judged(exercise, body)
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, diagnosis)


@pytest.mark.parametrize(
    ("exercise", "body", "said"),
    [
        ("unbroadcast", "return gradient.sum(axis=0, keepdims=True)", "the result has shape (1, 2) instead of (2,)"),
        ("unbroadcast", "print(gradient.sum(axis=0))", "the result is None"),
        ("add_vjp", "unbroadcast(g, a.shape), unbroadcast(g, b.shape)", "add_vjp returned None"),
        (
            "add_vjp",
            "a += g\nreturn unbroadcast(g, a.shape), unbroadcast(g, b.shape)",
            "changed an array that it was given: a",
        ),
        ("mul_vjp", "return {}", "mul_vjp must return two arrays"),
        ("div_vjp", "return unbroadcast(g / b, a.shape), unbroadcast(-g * a / b**3, b.shape)", "b_grad is wrong"),
    ],
)
def test_a_mistake_without_a_name_gets_a_true_sentence(exercise, body, said):
    verdict = judged(exercise, body)
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, None)
    assert said in verdict.reason.en


def test_sizes_alone_do_not_tell_whether_something_was_stretched():
    """a of shape (4,) and b of shape (1, 1) make (1, 4): as many numbers as a, but another shape."""
    body = "return (g if a.size == g.size else unbroadcast(g, a.shape)), unbroadcast(g, b.shape)"
    assert judged("add_vjp", body).kind is Kind.WRONG


# ------------------------------------------------------------------------------------------- the checks' oracle


@pytest.mark.parametrize("sign", ["+", "*", "/"])
def test_the_complex_step_agrees_with_central_differences(sign):
    rng = np.random.default_rng(0)
    x = {"a": checks.drawn(rng, 2, 1), "b": checks.drawn(rng, 3), "g": checks.drawn(rng, 2, 3)}
    found = checks.slopes(checks.SIGNS[sign], x)
    for name in "ab":
        for place in np.ndindex(x[name].shape):
            sums = []
            for step in (1e-5, -1e-5):
                moved = {each: x[each].copy() for each in "ab"}
                moved[name][place] += step
                sums.append(np.sum(x["g"] * checks.SIGNS[sign](moved["a"], moved["b"])))
            assert found[name][place] == pytest.approx((sums[0] - sums[1]) / 2e-5, rel=1e-6)


def test_summed_back_by_hand():
    gradient = checks.counting((2, 3))
    assert checks.summed_back(gradient, (3,)).tolist() == [5.0, 7.0, 9.0]
    assert checks.summed_back(gradient, (2, 1)).tolist() == [[6.0], [15.0]]
    assert checks.summed_back(gradient, ()).tolist() == 21.0


# --------------------------------------------------------------------------------------------- the planted bug


def test_one_rule_lies_and_only_where_its_operand_is_stretched():
    path = manifest.material() / "notebooks" / LESSON.notebook_name
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    names: dict = {"g": np.zeros((2, 3))}
    with contextlib.redirect_stdout(io.StringIO()):
        for word in ("import numpy as np", "def measured", "def try_out"):
            source = next(source for source in sources if word in source)
            exec(compile(source, "06", "exec"), names)
    shapes = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 3), ()), ((3,), (2, 3))]
    wrong = set()
    for name in names["rules"]:
        for a, b in shapes:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                names["try_out"](name, a, b)
            wrong |= {(name, a, b) for line in said.getvalue().splitlines() if "DIFFERS" in line}
    assert wrong == {("a / b", (2, 3), b) for b in [(3,), (2, 1), ()]}

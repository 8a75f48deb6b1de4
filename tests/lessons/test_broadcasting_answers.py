"""Lesson 08: two answers that need a case of their own, the oracle of its checks, and its planted bugs."""

from __future__ import annotations

import contextlib
import io
import itertools
from types import ModuleType

import nbformat
import numpy as np
import pytest
from written_answers import judged

from minitorch.course import engine, manifest
from minitorch.course.activities.planted import load_deal
from minitorch.course.judging.checks import load_lesson_module
from minitorch.course.judging.verdict import Kind

LESSON = manifest.load().lesson("08")
checks = load_lesson_module(LESSON, "checks")


def test_sizes_alone_do_not_tell_whether_something_was_stretched():
    """a of shape (4,) and b of shape (1, 1) make (1, 4): as many numbers as a, but another shape."""
    body = "return (g if a.size == g.size else unbroadcast(g, a.shape)), unbroadcast(g, b.shape)"
    assert judged("add_vjp", f"def add_vjp(g, a, b):\n    {body}\n").kind is Kind.WRONG


def test_a_gradient_that_was_written_into_is_shown_as_it_is_after_the_call():
    verdict = judged("add_vjp", "def add_vjp(g, a, b):\n    a += g\n    return g, g\n")
    assert verdict.reason.to("en").startswith("after the call a is another array than before")
    assert (verdict.expected, verdict.got) == ("[2., 3.] shape (2,) float64", "[ 3., 13.] shape (2,) float64")


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


# -------------------------------------------------------------------------------------------- the planted bugs


def said_of(bug) -> dict:
    """What the notebook's cell `agrees` says of the functions with this bug: (rule, shapes) -> agrees on both sides."""
    path = manifest.material() / "notebooks" / LESSON.notebook_name
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    rules = ModuleType("dealt")
    exec(compile(bug.source(), "dealt", "exec"), vars(rules))
    names: dict = {"np": np, "rules": rules, "mine": engine("reference", upto="08")}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(next(source for source in sources if "def agrees" in source), "08", "exec"), names)
        first = said.getvalue()
        for name, shapes in itertools.product(names["SIGNS"], SHAPES):
            names["agrees"](name, *shapes)
    assert "False" not in first, "the first tests betray it"
    lines = [line for line in said.getvalue().splitlines() if line not in first.splitlines()]
    return {
        each: "False" not in line for each, line in zip(itertools.product(names["SIGNS"], SHAPES), lines, strict=True)
    }


BUGS = load_deal(manifest.load(), LESSON).bugs
SHAPES = [((2, 3), (3,)), ((3,), (2, 3)), ((2, 3), (2, 1)), ((2, 3), ()), ((2, 1), (3,)), ((4, 2, 3), (2, 1))]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.version.id)
def test_a_planted_bug_hides_in_equal_shapes_and_shows_in_others(bug):
    agrees = said_of(bug)
    failing = {f"{name}_vjp" for (name, _), right in agrees.items() if not right}
    three = {"add_vjp", "mul_vjp", "div_vjp"}
    assert failing == (three if bug.exercise.name == "unbroadcast" else {bug.exercise.name})

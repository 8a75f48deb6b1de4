"""Lesson 06: two answers that need a case of their own, the oracle of its checks, and its planted bug."""

from __future__ import annotations

import contextlib
import io

import nbformat
import numpy as np
import pytest
from written_answers import judged

from minitorch.course import manifest
from minitorch.course.judging.checks import load_lesson_module
from minitorch.course.judging.verdict import Kind

LESSON = manifest.load().lesson("06")
checks = load_lesson_module(LESSON, "checks")


def test_sizes_alone_do_not_tell_whether_something_was_stretched():
    """a of shape (4,) and b of shape (1, 1) make (1, 4): as many numbers as a, but another shape."""
    body = "return (g if a.size == g.size else unbroadcast(g, a.shape)), unbroadcast(g, b.shape)"
    assert judged("add_vjp", f"def add_vjp(g, a, b):\n    {body}\n").kind is Kind.WRONG


def test_a_gradient_that_was_written_into_is_shown_as_it_is_after_the_call():
    verdict = judged("add_vjp", "def add_vjp(g, a, b):\n    a += g\n    return g, g\n")
    assert verdict.reason.en.startswith("after the call a is another array than before")
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

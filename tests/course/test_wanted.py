"""A case that must be refused, and a case that can be copied and run."""

from __future__ import annotations

import pytest

from minitorch.course.cards.report import blocks
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind

WITH_A_LINE = """
from minitorch.course.judging.checks import exercise, same_number


@exercise("double", limit_s=0.5)
class Double:
    def inputs(self, rng):
        return [{"x": 3.0}, {"x": [1.0]}, {"x": -20.0}]

    def observe(learner, x):
        return learner.double(x["x"])

    def wanted(self, x):
        return "TypeError" if isinstance(x["x"], list) else None

    def line(self, x):
        return f"m.double({x['x']!r})"

    def judge(self, x, got):
        if self.wanted(x):
            return "a list has no double, and it was not refused"
        return same_number(got, 2 * x["x"])
"""
LESSON = """
number = "01"
order = 10
slug = "tiny"
minutes = 5
prerequisites = []
title = { en = "Tiny", es = "Diminuta" }
summary = { en = "One function.", es = "Una función." }

[[exercise]]
name = "double"
target = "double"
checks = 3
asks = { en = "Return twice x.", es = "Devuelve el doble de x." }
hint = [{ en = "What is x + x?", es = "¿Cuánto es x + x?" }]
"""


@pytest.fixture
def strict(make_course):
    """Judge `double` where a list must be refused and every case has a line."""
    course = make_course(lesson=LESSON, checks=WITH_A_LINE)
    (course.lessons[0].folder / "mistakes" / "total.toml").unlink()
    (course.lessons[0].folder / "mistakes" / "double.toml").unlink()
    return lambda double: judge_source(course.lessons[0], double)["double"]


def test_the_wanted_exception_is_right_wherever_it_comes_from(strict):
    assert strict("def double(x):\n    return x * 2 if x is not list else None\n").kind is Kind.WRONG
    assert strict("def double(x):\n    return 2.0 * x\n").kind is Kind.PASSED  # Python itself raises the TypeError


def test_another_exception_than_the_wanted_one_is_told_with_the_wanted_one_and_the_line(strict):
    verdict = strict("def double(x):\n    assert type(x) is float, 'no number'\n    return 2 * x\n")
    assert verdict.kind is Kind.WRONG
    assert verdict.reason.to("en") == (
        "this input must be refused with `TypeError`, but `double` raised AssertionError: no number"
    )
    assert verdict.place.line == 2


def test_a_case_with_a_line_is_shown_as_one_that_can_be_copied_and_run(strict):
    verdict = strict("def double(x):\n    return 2.5 * x\n")
    assert verdict.line == 'from minitorch.course import yours; m = yours("01"); m.double(3.0)'
    shown = blocks([verdict], "en")[0]
    assert [line.label for line in shown.lines] == ["asked", "try", "expected", "got"]
    assert shown.lines[1].text == verdict.line


def test_no_hint_is_given_where_the_judge_names_none(strict):
    assert strict("def double(x):\n    return 2.5 * x\n").hint is None


@pytest.mark.parametrize(("order", "shown"), [("", "m.double(2.0)"), ("    in_order = True\n\n", "m.double(3.0)")])
def test_the_first_failing_case_is_shown_where_a_check_has_put_its_cases_in_order(make_course, order, shown):
    checks = WITH_A_LINE.replace(
        '[{"x": 3.0}, {"x": [1.0]}, {"x": -20.0}]', '[{"x": 3.0, "y": 1}, {"x": 2.0}, {"x": 1.0}]'
    )
    course = make_course(lesson=LESSON, checks=checks.replace("    def inputs", f"{order}    def inputs"))
    for name in ("total", "double"):
        (course.lessons[0].folder / "mistakes" / f"{name}.toml").unlink()
    assert judge_source(course.lessons[0], "def double(x):\n    return 2.5 * x\n")["double"].line.endswith(shown)

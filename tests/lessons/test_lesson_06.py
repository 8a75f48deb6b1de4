"""Lesson 06: what a forgotten `.data` is told, an engine's own signs, and that a constant's part is not computed."""

from __future__ import annotations

import numpy as np
import pytest

from minitorch.course import manifest
from minitorch.course.activities import planted
from minitorch.course.files import source_code
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind
from minitorch.course.mine import loading

LESSON = manifest.load().lesson("06")
WASTEFUL = """
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out
"""


def judged(source, name, answer):
    return judge_source(LESSON, source_code.replace(source, name, answer.strip() + "\n"))[name]


def test_the_large_numbers_of_a_check_do_not_warn_whoever_is_right():
    careful = WASTEFUL.replace("        a.acc", "        if a.requires_grad: a.acc").replace(
        "        b.acc", "        if b.requires_grad: b.acc"
    )
    verdict = judged(stub_source(LESSON), "multiply", careful)
    assert (verdict.kind, verdict.printed) == (Kind.PASSED, "")


@pytest.mark.parametrize("data", ["a * b", "a.data * b"])
def test_a_forgotten_data_does_not_send_the_learner_on_to_the_operators(data):
    verdict = judged(stub_source(LESSON), "multiply", WASTEFUL.replace("a.data * b.data", data))
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en").endswith("is a `.data` missing?")


def test_the_part_of_a_constant_is_a_named_mistake():
    verdict = judged(LESSON.solution_source(), "multiply", WASTEFUL)
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, "part-of-a-constant")
    assert "RuntimeWarning" not in verdict.reason.to("en")


@pytest.mark.parametrize("left", [2.0, 3, np.array([2.0, 5.0])])
def test_numbers_and_arrays_may_stand_on_the_left(left):
    module = loading.run(LESSON, compile(LESSON.solution_source(), "six", "exec"), "six.py", {})
    x = module.Tensor([3.0, 4.0], requires_grad=True)
    out = left * x + left
    module.backward_from(out, np.array([1.0, -1.0]))
    assert type(out) is module.Tensor
    assert np.array_equal(out.data, left * x.data + left)
    assert np.array_equal(x.grad, np.array([1.0, -1.0]) * left)


def test_the_first_tests_of_the_bug_hunt_pass_with_every_bug():
    deal = planted.load_deal(manifest.load(), LESSON)
    assert len(deal.bugs) >= 4
    for bug in deal.bugs:
        dealt = loading.run(LESSON, compile(bug.source(), "dealt", "exec"), "dealt.py", {})
        x, y = (dealt.Tensor(numbers, requires_grad=True) for numbers in ([1.0, 2.0], [3.0, 4.0]))
        dealt.backward_from(dealt.multiply(x, y) + x, np.ones(2))
        assert np.array_equal(x.grad, [4.0, 5.0]), bug.version.id
        assert np.array_equal(y.grad, [1.0, 2.0]), bug.version.id
        with dealt.no_grad():
            assert (x * y)._prev == ()
        assert len((x * y)._prev) == 2

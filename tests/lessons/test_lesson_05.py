"""Lessons 05 and 06: an accumulate that adds in place is right, and no other exercise fails beside it."""

from __future__ import annotations

import pytest

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.judging.judge import judge_source

IN_PLACE = """
def accumulate(self, gradient):
    if not self.requires_grad:
        return
    if np.shape(gradient) != self.data.shape:
        raise ValueError("another shape")
    if self.grad is None:
        self.grad = np.zeros_like(self.data)
    self.grad += gradient
"""


@pytest.mark.parametrize("number", ["05", "06"])
def test_an_accumulate_that_adds_in_place_fails_no_other_exercise(number):
    lesson = manifest.load().lesson(number)
    source = source_code.replace(lesson.solution_source(), "Tensor.accumulate", IN_PLACE.strip() + "\n")
    verdicts = judge_source(lesson, source)
    assert [name for name, verdict in verdicts.items() if not verdict.passed] == []

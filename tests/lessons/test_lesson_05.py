"""Lesson 05: pieces of one learner's file that are right together pass together."""

from __future__ import annotations

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.judging.judge import judge_source

LESSON = manifest.load().lesson("05")
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


def test_an_accumulate_that_adds_in_place_fails_no_other_exercise():
    source = source_code.replace(LESSON.solution_source(), "Tensor.accumulate", IN_PLACE.strip() + "\n")
    verdicts = judge_source(LESSON, source)
    assert [name for name, verdict in verdicts.items() if not verdict.passed] == []

"""Right answers in other styles than the solution's: none is refused.

They lie in `right_answers/EXERCISE.toml`:

    [[answer]]
    style = "in place"
    code = '''...'''       # the whole definition of the exercise's target
    before = '''...'''     # if it has any: helpers at module level, right above it
    but = "recursion"      # if it passes with a remark: a word of it
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from written_answers import COURSE, judged, tables

from minitorch.course.judging.verdict import Kind

FILES = sorted(Path(__file__).with_name("right_answers").glob("*.toml"))
AT_LEAST = 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_exercise_has_right_answers_in_styles_of_their_own(path):
    answers = tables(path, "answer")
    assert COURSE.exercise(path.stem)
    assert all({"style", "code"} <= set(one) <= {"style", "code", "before", "but"} for one in answers)
    assert len({one["style"] for one in answers}) == len(answers) >= AT_LEAST


@pytest.mark.gate
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_right_answer_is_never_refused(path, monkeypatch):
    monkeypatch.setenv("MINITORCH_PATIENCE", "8")  # on a busy machine a right answer may run out of time
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:  # Python 3.11 cannot parse in two threads at once
        assert [found for found in pool.map(partial(fault, path.stem), tables(path, "answer")) if found] == []


def fault(exercise, one):
    """Why a right answer to an exercise was refused; None if it was not."""
    verdict = judged(exercise, one["code"], one.get("before", ""))
    kind = Kind.PASSED_BUT if "but" in one else Kind.PASSED
    if verdict.kind is kind and one.get("but", "") in verdict.reason.to("en"):
        return None
    return f"{one['style']}: {verdict.kind}. {verdict.reason.to('en')} (at {verdict.line or verdict.input})"

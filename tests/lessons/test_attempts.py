"""Wrong answers that learners have written: what is said of each is true, and helps.

They lie in `attempts/EXERCISE.toml`:

    [[attempt]]
    code = '''...'''             # the whole definition of the exercise's target
    before = '''...'''           # if it has any: helpers at module level, right above it
    says = ["no-comma", "(self,)"]   # each is the diagnosis, or stands in what is shown
    never = ["a stranger"]       # if anything must not be said: none of this is shown

`make gates` judges the first ones of each exercise that are told different things; `-m exhaustive` judges all.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from written_answers import COURSE, judged, tables

from minitorch.course.cards.report import blocks

OF_EACH_EXERCISE = 4
FILES = sorted(Path(__file__).with_name("attempts").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_attempt_says_what_its_verdict_must_have(path):
    assert COURSE.exercise(path.stem)
    for one in tables(path, "attempt"):
        assert {"code", "says"} <= set(one) <= {"code", "before", "says", "never"}
        assert all(isinstance(one[name], list) and one[name] for name in ("says", "never") if name in one)


@pytest.mark.gate
@pytest.mark.parametrize("which", ["sample", pytest.param("all", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_said_of_an_attempt_is_true(path, which, monkeypatch):
    monkeypatch.setenv("MINITORCH_PATIENCE", "3")  # for a busy machine, on which a name comes too late
    attempts = tables(path, "attempt")
    attempts = attempts if which == "all" else sample(attempts)
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:  # Python 3.11 cannot parse in two threads at once
        found = [fault for fault in pool.map(partial(faults, path.stem), attempts) if fault]
    assert found == [], "\n\n".join(found)


def sample(attempts):
    """Return the first attempts that are told different things."""
    told = {}
    for one in attempts:
        told.setdefault(one["says"][0], one)
    return list(told.values())[:OF_EACH_EXERCISE]


def faults(exercise, one):
    """What is wrong with what is said of an attempt at an exercise; None if nothing is."""
    verdict = judged(exercise, one["code"], one.get("before", ""))
    shown = "\n".join(blocks([verdict], "en")[0].text_lines())
    missing = [word for word in one["says"] if word != verdict.diagnosis and word not in shown]
    untrue = [word for word in one.get("never", []) if word in shown]
    wrong = verdict.passed or missing or untrue
    return f"missing {missing}, untrue {untrue}, diagnosis {verdict.diagnosis}:\n{shown}" if wrong else None

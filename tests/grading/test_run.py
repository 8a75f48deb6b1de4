"""Grading a class: everything once, resumed after any end, one more try for whose worker died."""

from __future__ import annotations

import ast
import functools
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import pytest
from grading_class import SOLUTION, SQUARED, Here, pretend

from minitorch.course.course_error import CourseError
from minitorch.course.grading import crew, judged, run
from minitorch.course.judging.verdict import Kind


def graded(plan, store, who, intake):
    return list(run.grade(plan, store, who, run.to_do(plan, store, intake.hand_ins)))


def table(store) -> dict[tuple[str, str], bool]:
    return {
        (each.student, name): result.verdict.passed for each in store.graded() for name, result in each.results.items()
    }


def test_a_class_is_judged_once(plan, store, take, here):
    intake = take(ana=SOLUTION, ben=SQUARED, eva=SOLUTION)
    assert len(graded(plan, store, here, intake)) == 3
    assert table(store) == {
        ("ana", "twice_of"): True,
        ("ana", "half_of"): True,
        ("ben", "twice_of"): False,
        ("ben", "half_of"): True,
        ("eva", "twice_of"): True,
        ("eva", "half_of"): True,
    }
    assert graded(plan, store, here, intake) == []
    assert len(here.jobs) == 3
    assert len({job.seed for job in here.jobs}) == 3


def test_a_run_that_is_left_goes_on_where_it_was(plan, store, take, here):
    intake = take(**{f"s{number}": SOLUTION for number in range(9)})
    steps = run.grade(plan, store, here, run.to_do(plan, store, intake.hand_ins))
    for _ in range(4):
        next(steps)
    steps.close()
    kept = len(table(store))
    assert kept == 8
    again = Here(here.judge)
    graded(plan, store, again, intake)
    assert len(again.jobs) == 5
    assert len(table(store)) == 18


def test_what_could_not_be_read_is_a_row_and_is_not_run(plan, store, take, here, tmp_path):
    from grading_class import NAME

    (tmp_path / "class" / "mal").mkdir(parents=True)
    (tmp_path / "class" / "mal" / NAME).symlink_to("/etc/passwd")
    intake = take(ana=SOLUTION)
    graded(plan, store, here, intake)
    assert [job.student for job in here.jobs] == ["ana"]
    rows = {each.student: each.results["twice_of"].verdict for each in store.graded()}
    assert "a link, a pipe or a device is not read" in rows["mal"].reason.to("en")
    assert not rows["mal"].passed


def dies_at(name: str, times: int, own, error=BrokenProcessPool):
    left = [times]

    def judge(job):
        if job.student == name and left[0]:
            left[0] -= 1
            raise error("a worker died")
        return pretend(job, own)

    return judge


@pytest.mark.parametrize("error", [BrokenProcessPool, ValueError, MemoryError])
def test_a_worker_that_dies_costs_one_more_try(plan, store, take, own, error):
    who = Here(dies_at("ben", 1, own, error))
    steps = graded(plan, store, who, take(ana=SOLUTION, ben=SOLUTION, eva=SOLUTION))
    assert [step.failure for step in steps] == [None] * 3
    assert len(table(store)) == 6


@pytest.mark.parametrize(("times", "passed"), [(1, True), (99, False)])
def test_what_runs_out_of_time_is_judged_again_alone(plan, store, take, own, times, passed):
    left = [times]

    def judge(job):
        results = pretend(job, own)
        if job.student != "ben" or not left[0]:
            return results
        left[0] -= 1
        return [replace(each, verdict=replace(each.verdict, kind=Kind.TIMEOUT, input="x = 3.0")) for each in results]

    who = Here(judge)
    steps = graded(plan, store, who, take(ana=SOLUTION, ben=SOLUTION, eva=SOLUTION))
    assert [job.student for job in who.jobs] == ["ana", "ben", "eva", "ben"]
    assert [job.patience for job in who.jobs] == [1.0, 1.0, 1.0, 4.0]
    assert [step.hand_in.student for step in steps] == ["ana", "eva", "ben"]
    assert table(store)["ben", "twice_of"] is passed


def test_a_file_that_never_comes_to_its_end_is_judged_once(plan, store, take, own):
    """Nothing in it was called: its verdicts have no input."""

    def judge(job):
        results = pretend(job, own)
        return [replace(each, verdict=replace(each.verdict, kind=Kind.TIMEOUT, input=None)) for each in results]

    who = Here(judge)
    graded(plan, store, who, take(ana=SOLUTION))
    assert len(who.jobs) == 1


def test_one_whose_worker_dies_again_is_a_row_that_says_so_and_the_next_run_tries_it(plan, store, take, own, here):
    intake = take(ana=SOLUTION, ben=SOLUTION, eva=SOLUTION)
    steps = graded(plan, store, Here(dies_at("ben", 99, own)), intake)
    assert sorted(step.hand_in.student for step in steps) == ["ana", "ben", "eva"]
    assert {each.student: each.failure for each in store.graded()} == {
        "ana": None,
        "ben": "BrokenProcessPool: a worker died",
        "eva": None,
    }
    assert len(table(store)) == 4
    assert [step.hand_in.student for step in graded(plan, store, here, intake)] == ["ben"]
    assert {each.failure for each in store.graded()} == {None}


def test_only_some_exercises_and_again(plan, store, take, own, here):
    intake = take(ana=SQUARED)
    some = run.Plan(plan.lessons, plan.key, plan.tier, own=own, only=frozenset({"half_of"}))
    graded(some, store, here, intake)
    assert table(store) == {("ana", "half_of"): True}
    again = run.Plan(plan.lessons, plan.key, plan.tier, own=own, only=frozenset({"half_of"}), again=True)
    assert len(graded(again, store, Here(functools.partial(pretend, own=own)), intake)) == 1


@pytest.mark.parametrize(
    ("source", "flags"),
    [
        ("import socket", ("network",)),
        ("from urllib import request", ("network",)),
        ("import os, ctypes", ("system",)),
        ("from minitorch import Tensor", ("reference",)),
        ("import minitorch.nn as nn", ("reference",)),
        ("import numpy as np", ()),
        ("def broken(:", ()),
        ("(" * 100_000, ()),
    ],
)
def test_imports_are_flagged_and_nothing_is_imported(lesson, source, flags):
    assert judged.imports(source, lesson) == flags


def test_what_a_lesson_gives_is_no_flag():
    from minitorch.course import manifest

    for lesson in manifest.load().lessons:
        source = lesson.solution_source()
        assert "reference" not in judged.imports(source, lesson), lesson.number
        ast.parse(source)


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("tcp://127.0.0.1:8786", True),
        ("localhost:8786", True),
        ("tcp://[::1]:8786", True),
        ("tls://cluster.example:8786", True),
        ("tcp://[2001:db8::7]:8786", False),
        ("cluster.example:8786", False),
        ("tcp://localhost.evil.example:8786", False),
        ("ws://cluster.example", False),
    ],
)
def test_an_open_address_is_refused(address, safe):
    assert crew.is_safe(address) is safe
    if not safe:
        with pytest.raises(CourseError, match="--insecure"):
            crew.Cluster(address)

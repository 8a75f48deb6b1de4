"""Limits on a busy machine: an answer has its time, however many other processes want the processor."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox import waiting as waiting_module
from minitorch.course.sandbox.limits import Limits
from minitorch.course.sandbox.runner import Runner
from minitorch.course.sandbox.tiers import Sandbox
from minitorch.course.sandbox.waiting import Waiting

pytestmark = pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="this system does not count for how long processes wait"
)
OTHERS = 3
WORKS = """
import time

import numpy as np


def work(seconds):
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass


def double(x):
    work({s})
    return 2 * x


def grid(n):
    return np.ones((n, 2))


class Box:
    def __init__(self, things):
        self.things = things

    def total(self):
        return sum(self.things)
"""


@pytest.fixture
def busy():
    """One processor for this process and all that it starts, and three others that never rest on it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(OTHERS)]
    yield
    for each in others:
        each.kill()
        each.wait()
    os.sched_setaffinity(0, before)


@pytest.fixture
def judge_within(tiny):
    """Judge a file within limits of its own; return the verdicts by exercise."""

    def run(source: str, limits: Limits, tier: str = ""):
        lesson = tiny.lessons[0]
        with Sandbox(tier or "none") as sandbox:
            runner = sandbox.runner(source, lesson.file_name, limits) if tier else Runner(source, "x.py", limits)
            file = LearnerFile.of(source, lesson.file_name)
            with runner, FileJudge(lesson, file, runs=runner) as judge:
                return {exercise.name: judge.verdict(exercise.name) for exercise in lesson.exercises}

    return run


def test_an_answer_has_its_own_time_and_the_exercise_its_own(busy, judge_within):
    """Each call takes 0.4 s of the 1 s that it has, and all of them 1.2 s of 3 s; by the clock four times that."""
    verdicts = judge_within(WORKS.format(s=0.4), Limits(exercise_s=3.0, patience=2.0), "none")
    assert {each.kind for each in verdicts.values()} == {Kind.PASSED}, verdicts["double"].reason.to("en")


def test_a_file_has_its_own_time_to_load(busy, judge_within):
    verdicts = judge_within(WORKS.format(s=0) + "\n\nwork(0.4)\n", Limits(load_s=1.0))
    assert {each.kind for each in verdicts.values()} == {Kind.PASSED}, verdicts["double"].reason.to("en")


def test_what_does_not_end_is_ended_all_the_same_and_told_with_its_line(busy, judge_within):
    verdict = judge_within(WORKS.format(s=1000), Limits())["double"]
    assert verdict.kind is Kind.TIMEOUT
    assert verdict.reason.to("en").startswith("`double` was still running after 0.5 s, at line ")


def test_threads_that_wait_for_one_another_are_no_busy_machine():
    """Forty threads of one process took 9 s of 10 s; its first one waited for nearly all of that."""
    waiting = Waiting(os.getpid())
    waiting.first, waiting.last = {1: (0.0, 0.0)}, {1: (9.0, 9.7)}
    assert 0.9 < waiting.within(10.0) <= 1.0
    waiting.last = {1: (0.3, 9.7)}
    assert 9.6 < waiting.within(10.0) <= 9.7


def test_a_process_that_ends_while_its_threads_are_listed_is_left_out(tmp_path, monkeypatch):
    """Linux lists no thread of a process that ends between opening its folder and reading it."""
    (tmp_path / "17" / "task").mkdir(parents=True)
    monkeypatch.setattr(waiting_module, "PROCESSES", tmp_path)
    monkeypatch.setattr(waiting_module.family, "descendants", lambda root: [17])
    waiting = Waiting(os.getpid())
    waiting.look()
    assert waiting.within(1.0) == 0.0

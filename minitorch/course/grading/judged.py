"""One hand-in, judged in a sandbox by the remote driver: its hidden cases decide, and what is told is told of cases
that a learner can repeat at home.

This runs in a process of its own (`crew.py`), or on another machine. What goes in and out is plain data.
"""

from __future__ import annotations

import ast
import functools
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.stubs import stub_source
from minitorch.course.grading.courses import course_with, versions
from minitorch.course.grading.store import Result
from minitorch.course.judging.checks import Check
from minitorch.course.judging.diagnosis import Diagnosis
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.manifest import Lesson
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.runner import Runner
from minitorch.course.sandbox.tiers import Sandbox

# What a human should look at. None of them costs a point.
FLAGS = {
    "hidden": "right on the published cases alone, wrong on the hidden ones",
    "protocol": "said something to the judge that it was not asked",
    "patched": "changed a module that does not belong to it",
    "network": "imports what opens network connections",
    "system": "imports what starts programs or reaches around Python",
    "reference": "imports a part of minitorch that the lesson does not give",
    "same": "the same code as another student's",
}
NETWORK = {"socket", "ssl", "urllib", "http", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "socketserver"}
SYSTEM = {"subprocess", "ctypes", "multiprocessing", "pty", "signal", "mmap", "importlib", "gc", "inspect"}
TOLD = (Kind.WRONG, Kind.ERROR)


@dataclass(frozen=True, slots=True)
class Job:
    """One hand-in to be judged, as it is sent to whoever does it."""

    student: str
    lesson: str
    source: str
    sha256: str
    seed: int
    exercises: tuple[str, ...]
    tier: str
    own: str | None = None  # an instructor's folder of lessons
    cache: str | None = None  # where what known-wrong versions do may be remembered


def judge(job: Job) -> list[Result]:
    """Judge the exercises of a hand-in. Raises CourseError when no sandbox can be made."""
    lesson = course_with(Path(job.own) if job.own else None).lesson(job.lesson)
    file = LearnerFile(lesson.file_name, job.source, job.sha256, cache=Path(job.cache) if job.cache else None)
    flags = imports(job.source, lesson)
    with runner(job.tier, job.source, lesson.file_name) as made:
        return list(_judged(job, lesson, file, _Watched(made), flags))


def unread(file: LearnerFile, lesson: Lesson, names: tuple[str, ...], tier: str) -> list[Result]:
    """What is said of a hand-in whose text could not be read: nothing runs."""
    with FileJudge(lesson, file) as known:
        return [Result(name, versions(lesson)[name], known.verdict(name), 0.0, tier=tier) for name in names]


def runner(tier: str, source: str, file_name: str) -> Runner:
    """What runs a hand-in, shut in as the tier says."""
    return _sandbox(tier, threading.get_ident()).runner(source, file_name)


@functools.cache
def _sandbox(tier: str, _: int) -> Sandbox:
    """One for each thread: a sandbox has one runner at work at a time."""
    return Sandbox(tier)


def imports(source: str, lesson: Lesson) -> tuple[str, ...]:
    """The flags that a text earns by what it imports."""
    own = {name.partition(".")[0] for name in _imported(source)}
    given = set(_imported(stub_source(lesson)))
    flags = [flag for flag, names in (("network", NETWORK), ("system", SYSTEM)) if own & names]
    more = {name for name in _imported(source) if name.partition(".")[0] == "minitorch"} - given
    return (*flags, *(("reference",) if more else ()))


def _imported(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}" for alias in node.names)


def _judged(job: Job, lesson: Lesson, file: LearnerFile, runs: _Watched, flags: tuple[str, ...]) -> Iterator[Result]:
    hidden, public = _Undiagnosed(lesson, file, seed=job.seed, runs=runs), FileJudge(lesson, file, runs=runs)
    for name in job.exercises:
        runs.flags.clear()
        verdict = hidden.verdict(name)
        if verdict.kind in TOLD:
            verdict = _told(verdict, public.verdict(name), runs)
        seconds = runs.made.clock.of_exercise.get(name, 0.0)
        yield Result(name, versions(lesson)[name], verdict, seconds, (*sorted(runs.flags), *flags), job.tier)


def _told(hidden: Verdict, public: Verdict, runs: _Watched) -> Verdict:
    """What is said of a wrong answer: what a learner sees at home, where that is wrong, too."""
    if public.passed:
        runs.flags.add("hidden")
    return public if public.kind in TOLD else hidden


class _Undiagnosed(FileJudge):
    """Judges by hidden cases; what known-wrong versions do in these is known to nobody, and is not looked for."""

    def _diagnosis(self, *_: object) -> Diagnosis | None:
        return None


class _Watched:
    """What calls the learner's code, and notes what a human should see."""

    def __init__(self, made: Runner) -> None:
        self.made = made
        self.flags: set[str] = set()

    def call(self, check: Check, x: Any) -> Outcome:
        return self._noted(self.made.call(check, x))

    def renew(self) -> bool:
        return self.made.renew()

    def settle(self) -> Outcome | None:
        outcome = self.made.settle()
        return None if outcome is None else self._noted(outcome)

    def _noted(self, outcome: Outcome) -> Outcome:
        if outcome.kind == "protocol":
            self.flags.add("protocol")
        if outcome.patched:
            self.flags.add("patched")
        return outcome

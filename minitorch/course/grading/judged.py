"""One hand-in, judged in a sandbox by the remote driver: its hidden cases decide, and what is told is told of cases
that a learner can repeat at home.

This runs in a process of its own (`crew.py`), or on another machine. What goes in and out is plain data.
"""

from __future__ import annotations

import ast
import functools
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.source_code import statements, tree_of
from minitorch.course.files.stubs import stub_source
from minitorch.course.grading.courses import course_with, versions
from minitorch.course.grading.store import Result
from minitorch.course.judging import reasons
from minitorch.course.judging.behaviour import for_versions
from minitorch.course.judging.checks import Check
from minitorch.course.judging.diagnosis import Diagnosis
from minitorch.course.judging.judge import FileJudge, may_be_anothers_fault
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.sandbox.limits import Limits
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.runner import Runner
from minitorch.course.sandbox.tiers import Sandbox

# What a human should look at: `FLAGS` of class_page.py says what each means. None of them costs a point.
FLAGS = ("hidden", "protocol", "patched", "network", "system", "reference", "same")
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
    patience: float = 1.0  # what a call's limit is multiplied by; the exercise's and the file's stay


def judge(job: Job) -> list[Result]:
    """Judge the exercises of a hand-in. Raises CourseError when no sandbox can be made."""
    lesson = course_with(Path(job.own) if job.own else None).lesson(job.lesson)
    file = LearnerFile(lesson.file_name, job.source, job.sha256, cache=Path(job.cache) if job.cache else None)
    flags = imports(job.source, lesson)
    limits = Limits.of_this_machine()
    limits = replace(limits, patience=limits.patience * job.patience)
    with runner(job.tier, job.source, lesson.file_name, limits) as made:
        return list(_judged(job, lesson, file, _Watched(made), flags))


def unread(file: LearnerFile, lesson: Lesson, names: tuple[str, ...], tier: str) -> list[Result]:
    """What is said of a hand-in whose text could not be read: nothing runs."""
    with FileJudge(lesson, file) as known:
        return [Result(name, versions(lesson)[name], known.verdict(name), 0.0, tier=tier) for name in names]


def runner(tier: str, source: str, file_name: str, limits: Limits | None = None) -> Runner:
    """What runs a hand-in, shut in as the tier says."""
    return _sandbox(tier, threading.get_ident()).runner(source, file_name, limits)


@functools.cache
def _sandbox(tier: str, _: int) -> Sandbox:
    """One for each thread: a sandbox has one runner at work at a time."""
    return Sandbox(tier)


@functools.cache
def _versions(_: int) -> Runner:
    """What runs known-wrong versions, one for each thread: to start one costs as much as to judge a hand-in."""
    return for_versions()


def imports(source: str, lesson: Lesson) -> tuple[str, ...]:
    """The flags that a text earns by what it imports."""
    names = set(_imported(source))
    own = {name.partition(".")[0] for name in names}
    flags = [flag for flag, suspects in (("network", NETWORK), ("system", SYSTEM)) if own & suspects]
    more = {name for name in names if name.partition(".")[0] == "minitorch"} - _given(lesson)
    return (*flags, *(("reference",) if more else ()))


@functools.lru_cache(maxsize=64)
def _given(lesson: Lesson) -> frozenset[str]:
    """What a lesson's stub imports."""
    return frozenset(_imported(stub_source(lesson)))


def _imported(source: str) -> Iterator[str]:
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}" for alias in node.names)


def _judged(job: Job, lesson: Lesson, file: LearnerFile, runs: _Watched, flags: tuple[str, ...]) -> Iterator[Result]:
    hidden = _Hidden(lesson, file, seed=job.seed, runs=runs)
    public = _Public(lesson, file, hidden, runs)
    for name in job.exercises:
        runs.flags.clear()
        verdict = hidden.settled(name) or _told(name, hidden, public, runs)
        seconds = runs.made.clock.of_exercise.get(name, 0.0)
        yield Result(name, versions(lesson)[name], verdict, seconds, (*sorted(runs.flags), *flags), job.tier)


def _told(name: str, hidden: _Hidden, public: _Public, runs: _Watched) -> Verdict:
    """What is said of an answer of which a case is wrong: what a learner sees at home, where that is wrong, too."""
    seen = public.verdict(name)
    if seen.kind in TOLD:
        return seen
    verdict = hidden.verdict(name)
    if seen.passed and verdict.kind in TOLD:
        runs.flags.add("hidden")
    return verdict


class _Hidden(FileJudge):
    """Judges by hidden cases; what known-wrong versions do in these is known to nobody, and is not looked for."""

    def settled(self, name: str) -> Verdict | None:
        """The verdict on an answer that is right, not begun or hangs. None where a case is wrong: the rest are not run.

        What is told of such an answer is found out with public cases, in a process that has served no other exercise.
        """
        if self.file.problem is None:
            check = self.checks[name]
            findings = self.findings(check, to_the_first=True)
            last, again = findings[-1], may_be_anothers_fault(findings, check)
            not_begun = reasons.not_started(last.outcome, check.exercise.target)
            if not (last.right or not_begun or (last.outcome.kind == "timeout" and not again)):
                if again:
                    self._runs.renew()
                return None
            self._found[name] = findings
        return self.verdict(name)

    def known(self, exercise: Exercise) -> bool | None:
        """Whether an exercise is begun and does not pass; None where that is told of its public cases."""
        return self.is_wrong(exercise) if exercise.name in self._found else None

    def _diagnosis(self, *_: object) -> Diagnosis | None:
        return None


class _Public(FileJudge):
    """Judges by the cases that a learner has at home, and asks nothing twice that the hidden ones have shown."""

    def __init__(self, lesson: Lesson, file: LearnerFile, hidden: _Hidden, runs: _Watched) -> None:
        super().__init__(lesson, file, runs=runs, versions=_versions(threading.get_ident()))
        self.hidden = hidden

    def is_wrong(self, exercise: Exercise) -> bool:
        """Whether an exercise is begun, and does not pass."""
        known = self.hidden.known(exercise)
        return super().is_wrong(exercise) if known is None else known


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

"""The hostile corpus: what may be handed in by somebody who wants points without an answer, put through a tier.

    with Sandbox("landlock") as sandbox:
        rows = [trial(sandbox, file) for file in files()]

A file is paid if the exercise that it cheats at passes. It must not be; and whatever it does, the judge must go on
within a minute, and no process and no file of it may be left.
"""

from __future__ import annotations

import os
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.judge import FileJudge
from minitorch.course.sandbox import family
from minitorch.course.sandbox.tiers import Sandbox

DATA = Path(__file__).with_name("corpus.toml")
LONGEST_S = 60.0
MARK = "*minitorch-corpus*"  # the names of what the corpus writes; a semaphore begins with "sem."
PLACES = (tempfile.gettempdir(), "/dev/shm", str(Path.home()), str(Path.cwd()))  # noqa: S108 - looked at, not used
BROKEN_LESSON = "01"


@dataclass(frozen=True, slots=True)
class File:
    """One file of the corpus."""

    name: str
    family: str
    lesson: str
    exercise: str  # the one that it wants to be paid for
    content: bytes


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one file in a tier."""

    file: File
    paid: bool
    seconds: float  # without those for which a busy machine kept it waiting
    left: tuple[str, ...]  # processes and files that were still there afterwards
    fault: str = ""  # what stopped the judge, if anything did

    @property
    def fine(self) -> bool:
        """Whether it gained nothing and cost nobody anything."""
        return not (self.paid or self.left or self.fault) and self.seconds <= LONGEST_S


@dataclass(frozen=True, slots=True)
class Row:
    """The trials of one family, counted."""

    family: str
    files: int
    paid: int
    longest_s: float
    left: int
    faults: int


def files() -> Iterator[File]:
    """Every file of the corpus: each attack on an exercise of each lesson that is named, then the broken ones.

    >>> sum(1 for _ in files()) >= 250
    True
    """
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    course = manifest.load()
    for number, (exercise, answer) in data["targets"].items():
        stub = stub_source(course.lesson(number))
        for attack in data["attack"]:
            text = f"{stub}\n\n{attack['code']}\n{answer}\n"
            yield File(attack["name"], attack["family"], number, exercise, text.encode())
    exercise = data["targets"][BROKEN_LESSON][0]
    for broken in data["broken"]:
        yield File(broken["name"], "broken", BROKEN_LESSON, exercise, _content(broken))


def trial(sandbox: Sandbox, file: File) -> Trial:
    """Have one file judged in a tier, as a submission is, and look at what is left."""
    lesson = manifest.load().lesson(file.lesson)
    known = set(family.descendants(os.getpid()))
    start, waited, paid, fault = time.monotonic(), 0.0, False, ""
    try:
        learner = _read(file.content, lesson.file_name)
        with (
            sandbox.runner(learner.source, lesson.file_name) as runner,
            FileJudge(lesson, learner, runs=runner) as judge,
        ):
            paid = judge.verdict(file.exercise).passed
            waited = runner.clock.waited
    except CourseError as error:
        fault = str(error)
    seconds = time.monotonic() - start - waited
    return Trial(file, paid, seconds, (*_processes(known, sandbox), *_written()), fault)


def table(trials: Iterable[Trial]) -> list[Row]:
    """The trials by family, in the order of the corpus."""
    by_family: dict[str, list[Trial]] = {}
    for each in trials:
        by_family.setdefault(each.file.family, []).append(each)
    return [
        Row(
            name,
            len(group),
            sum(each.paid for each in group),
            max(each.seconds for each in group),
            sum(bool(each.left) for each in group),
            sum(bool(each.fault) for each in group),
        )
        for name, group in by_family.items()
    ]


def _read(content: bytes, name: str) -> LearnerFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return LearnerFile.read(path)


def _content(broken: dict[str, Any]) -> bytes:
    if "hex" in broken:
        return bytes.fromhex(str(broken["hex"]))
    if "repeat" in broken:
        part, count = broken["repeat"]
        return bytes((part * count).encode())
    return str(broken["text"]).encode()


def _processes(known: set[int], sandbox: Sandbox) -> list[str]:
    """The processes that a file has left, the sandbox's own set aside."""
    now = family.descendants(os.getpid())
    return [f"process {pid}" for pid in now if pid not in known and pid not in sandbox.processes]


def _written() -> list[str]:
    """The files that the corpus has left outside of its folder; they are removed."""
    found = [path for place in PLACES for path in Path(place).glob(MARK)]
    for path in found:
        path.unlink(missing_ok=True)
    return [str(path) for path in found]

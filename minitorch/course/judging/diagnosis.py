"""Diagnosis by behaviour: what the learner's code did is looked up among what the known-wrong versions do.

No source is analysed. A known-wrong version runs in a child on the same cases; what comes back (types, shapes, rounded
values, or the exception, its message and the function it was raised in) is its fingerprint. An installed course carries
the fingerprints (`known_mistakes.py`). In a checkout they are made, and remembered under a hash of all they depend on.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from minitorch.course.judging import known_mistakes, mistakes
from minitorch.course.judging.checks import Check, load_checks
from minitorch.course.judging.mistakes import Mistake, WrongVersion
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.runner import Runner
from minitorch.serialization.atomic import write_atomically

COMPARABLE = frozenset({"value", "raised", "memory", "timeout", "crashed", "exited"})


def fingerprint(outcomes: Sequence[Outcome], check: Check, lesson: Lesson, *, prints: bool = True) -> str:
    """A text that is equal for equal behaviour over all cases; `prints` tells printing from silence.

    An exception in the function of another exercise of the lesson is told from one in the function itself.
    """
    others = [each.target for each in lesson.exercises if each.name != check.exercise.name]
    marks = [f"{outcome.mark(others)} {'prints' if prints and outcome.printed else ''}" for outcome in outcomes]
    return hashlib.sha256("\n".join(marks).encode("utf-8", "surrogatepass")).hexdigest()


def find(lesson: Lesson, check: Check, outcomes: Sequence[Outcome], cache: Path | None = None) -> Mistake | None:
    """The mistake of the known-wrong version that behaves as these outcomes do, if there is one.

    Printing instead of returning is a mistake of its own; but a print left in for a look changes no diagnosis.
    """
    table = fingerprints(lesson, check, cache)
    name = table.get(fingerprint(outcomes, check, lesson))
    name = name or table.get(fingerprint(outcomes, check, lesson, prints=False))
    return None if name is None else mistakes_of(lesson, check.exercise)[name]


def mistakes_of(lesson: Lesson, exercise: Exercise) -> Mapping[str, Mistake]:
    """The known mistakes of one exercise by id: the shipped ones, or those of the lesson's own files."""
    table = known_mistakes.read(lesson)
    if table is not None:
        return table.mistakes[exercise.name]
    return {one.id: one for one in mistakes.of_exercise(lesson, exercise)} if _can_be_made(lesson) else {}


def fingerprints(lesson: Lesson, check: Check, cache: Path | None = None) -> Mapping[str, str]:
    """The ids of the exercise's known-wrong versions by fingerprint.

    They are the shipped ones, where such lie with the lesson and fit it. Else the versions run, if the solution that
    they are made of is there; `cache` is a folder to remember the result in.
    """
    table = known_mistakes.read(lesson)
    if table is not None:
        return table.fingerprints[check.exercise.name]
    if not _can_be_made(lesson):
        return {}
    solution = hashlib.sha256(lesson.solution.read_bytes()).hexdigest()[:16]
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    version = f"{check.version} solution {solution} python {python} numpy {np.__version__}"
    return _remembered(lesson, check, version, cache)


@functools.lru_cache(maxsize=256)
def _remembered(lesson: Lesson, check: Check, version: str, cache: Path | None) -> Mapping[str, str]:
    """The fingerprints of this version: remembered by this process, or in the folder, or else made."""
    path = cache / f"{check.exercise.name}.json" if cache else None
    found = _read(path, version) if path else None
    if found is None:
        found = made(lesson, check)
        if path:
            _write(path, version, found)
    return found


def _can_be_made(lesson: Lesson) -> bool:
    return lesson.solution.is_file()


def made(lesson: Lesson, check: Check) -> dict[str, str]:
    """Let every known-wrong version run, as many at once as there are processors; return their ids by fingerprint."""
    ones = mistakes.of_exercise(lesson, check.exercise)[::-1]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        seen = pool.map(lambda one: fingerprint(observe(lesson, check, one), check, lesson), ones)
        return {mark: one.id for mark, one in zip(seen, ones, strict=True)}


def shipped(lesson: Lesson) -> bytes:
    """Let every known-wrong version of a lesson run; return its table of known mistakes, as a wheel carries it."""
    return known_mistakes.table_of(lesson, {name: made(lesson, check) for name, check in load_checks(lesson).items()})


def observe(lesson: Lesson, check: Check, version: WrongVersion) -> list[Outcome]:
    """Run one known-wrong version on the check's public cases, in a child of its own."""
    outcomes = []
    with Runner(mistakes.full_source(lesson, version), lesson.file_name) as runner:
        for x in check.cases():
            outcomes.append(runner.call(check, x))
            if outcomes[-1].ended_the_child or outcomes[-1].loading:
                break
    return outcomes


def _read(path: Path, version: str) -> dict[str, str] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return dict(data["fingerprints"]) if data["version"] == version else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None  # not there, or not readable: it is made again


def _write(path: Path, version: str, table: dict[str, str]) -> None:
    try:
        write_atomically(path, json.dumps({"version": version, "fingerprints": table}, indent=1).encode())
    except OSError:
        return  # a folder that cannot be written to: the next process works it out again

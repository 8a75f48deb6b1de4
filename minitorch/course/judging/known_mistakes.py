"""The table of known mistakes that a wheel or a hand-out carries: a diagnosis needs no solution and runs nothing.

A lesson's table lies beside its `checks.py`. It holds what the solution and each known-wrong version did when the table
was made; what is said of each mistake; and hashes of what would change either: of the checks with their machinery, and
of the files `mistakes/*.toml`. A table that does not fit what lies there counts as none.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from minitorch.course.judging import checks, mistakes
from minitorch.course.judging.facts import Facts
from minitorch.course.judging.mistakes import Mistake
from minitorch.course.manifest import Lesson
from minitorch.language import Message

FORMAT = 2
Seen = Mapping[str, Mapping[int, Facts]]  # version -> case -> what it did there


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of a lesson's mistakes, by exercise."""

    mistakes: Mapping[str, Mapping[str, Mistake]]  # exercise -> id -> what is said
    seen: Mapping[str, Seen]  # exercise -> what each version does


@functools.lru_cache(maxsize=64)
def read(lesson: Lesson) -> Table | None:
    """The lesson's table; None where there is none, where it cannot be read, or where it does not fit."""
    try:
        data = json.loads(lesson.known_mistakes.read_bytes())
        fits = data["format"] == FORMAT and data["judged_by"] == checks.judged_by(lesson)
        if mistakes.files_of(lesson):  # a hand-out for students has none: they quote the solution
            fits = fits and data["mistakes"] == _version(lesson)
        return _table(lesson, data["exercises"]) if fits else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _table(lesson: Lesson, data: dict[str, Any]) -> Table:
    said, seen = {}, {}
    for name in (exercise.name for exercise in lesson.exercises):
        ones = data[name]["mistakes"].items()
        said[name] = {id: Mistake(name, id, one["hint"], Message.from_dict(one["text"])) for id, one in ones}
        seen[name] = unpacked(data[name]["seen"])
    return Table(said, seen)


def packed(seen: Seen) -> dict[str, Any]:
    """What versions do, ready for JSON."""
    return {
        name: {str(case): [each.exact, each.silent, each.parts] for case, each in cases.items()}
        for name, cases in seen.items()
    }


def unpacked(data: dict[str, Any]) -> dict[str, dict[int, Facts]]:
    """What `packed` made of what versions do. Raises ValueError, TypeError or AttributeError for anything else."""
    return {
        name: {int(case): Facts(exact, silent, dict(parts)) for case, (exact, silent, parts) in cases.items()}
        for name, cases in data.items()
    }


def table_of(lesson: Lesson, seen: Mapping[str, Seen]) -> bytes:
    """A lesson's table, ready to be shipped. seen: for each exercise, what its versions do."""
    exercises = {}
    for exercise in lesson.exercises:
        said = {
            one.id: {"hint": one.hint, "text": one.text.as_dict()} for one in mistakes.of_exercise(lesson, exercise)
        }
        exercises[exercise.name] = {"mistakes": said, "seen": packed(seen[exercise.name])}
    data = {
        "format": FORMAT,
        "judged_by": checks.judged_by(lesson),
        "mistakes": _version(lesson),
        "exercises": exercises,
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _version(lesson: Lesson) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in mistakes.files_of(lesson))).hexdigest()[:16]

"""Bug hunts: `planted("07")` deals a lesson's functions, one of them wrong, and shows nobody its source.

A lesson's `planted.toml` names the bugs that may be dealt, each a known-wrong version of one of its exercises:

    [[bug]]
    exercise = "mean_vjp"
    mistake = "divided-by-the-results"
    en = "..."      # what is wrong with it, said once it is found
    es = "..."

Which one a learner gets depends on the course folder and the lesson, and stays the same.
"""

from __future__ import annotations

import functools
import hashlib
import html
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from minitorch.course.cards.report import Card, bar_html, frame_html
from minitorch.course.files.learner import learner_id
from minitorch.course.judging import mistakes
from minitorch.course.judging.mistakes import WrongVersion
from minitorch.course.manifest import Course, Exercise, Lesson
from minitorch.course.mine import loading
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.messages import say
from minitorch.language import Text

COLOUR = "var(--jp-info-color1,#3b6ea5)"


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug that may be dealt."""

    lesson: Lesson
    exercise: Exercise  # whose function is the wrong one
    version: WrongVersion
    text: Text  # what is wrong with it

    def source(self) -> str:
        """The lesson's solution with the one function that is wrong."""
        return mistakes.full_source(self.lesson, self.version)


class Planted:
    """A lesson's functions, one of them wrong. Every name that the lesson's file defines is an attribute."""

    def __init__(self, lesson: Lesson, module: ModuleType, lang: str) -> None:
        self._lesson = lesson
        self._module = module
        self._lang = lang

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in vars(self._module):
            return vars(self._module)[name]
        raise AttributeError(say("planted_no_name", name=repr(name), names=names_of(self._lesson)).to(self._lang))

    def __dir__(self) -> list[str]:
        return sorted(name for name in vars(self._module) if not name.startswith("_"))

    def __repr__(self) -> str:
        return self._card().text

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return self._card()._repr_mimebundle_()

    def _card(self) -> Card:
        number, names = self._lesson.number, names_of(self._lesson)
        command = f'found("{number}", "?")'
        head = say("planted_head", lesson=number, count=len(self._lesson.exercises)).to(self._lang)
        return told(head, [names, say("planted_how", command=command).to(self._lang)], COLOUR)


def told(head: str, lines: Sequence[str], colour: str) -> Card:
    """A card with a headline and some lines below it."""
    body = f"<strong>{html.escape(head)}</strong>" + "".join(f"<div>{html.escape(line)}</div>" for line in lines)
    return Card(frame_html(bar_html(colour, body)), "\n".join([head, *(f"    {line}" for line in lines)]))


def names_of(lesson: Lesson) -> str:
    """The functions of which one may be the wrong one."""
    return ", ".join(exercise.name for exercise in lesson.exercises)


def planted(course: Course, folder: Path, word: str, lang: str) -> Planted:
    """The functions that this learner is dealt. Raises CourseError where there is no such lesson, or no bug in it."""
    bug = dealt(course, folder, word)
    code = compile(bug.source(), f"<planted: {bug.lesson.number}>", "exec", dont_inherit=True)
    return Planted(bug.lesson, loading.run(bug.lesson, code, bug.lesson.file_name), lang)


def dealt(course: Course, folder: Path, word: str) -> Bug:
    """The bug that this learner is dealt in a lesson. Raises CourseError."""
    lesson = course.lesson(word)
    bugs = load_bugs(lesson)
    if not bugs:
        others = ", ".join(each.number for each in course.lessons if (each.folder / "planted.toml").is_file())
        raise CourseError(say("planted_none", lesson=lesson.number, others=others or "-"))
    drawn = hashlib.sha256(f"{learner_id(folder)} planted {lesson.number}".encode()).digest()
    return bugs[int.from_bytes(drawn[:8], "big") % len(bugs)]


@functools.lru_cache(maxsize=64)
def load_bugs(lesson: Lesson) -> tuple[Bug, ...]:
    """Read a lesson's `planted.toml`; none where there is none, or where the material holds no solution.

    Raises CourseError when a bug is not declared in full, or is no known-wrong version.
    """
    path = lesson.folder / "planted.toml"
    if not path.is_file() or not lesson.solution.is_file():
        return ()
    known = {(one.exercise, one.id): one for one in mistakes.load_mistakes(lesson)}
    exercises = {exercise.name: exercise for exercise in lesson.exercises}
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
        return tuple(
            Bug(lesson, exercises[row["exercise"]], known[row["exercise"], row["mistake"]], Text.of(row))
            for row in rows
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{lesson.stem}/planted.toml: {type(error).__name__}: {error}") from error

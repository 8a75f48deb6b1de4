"""Bug hunts: `planted("09")` deals a lesson's functions, one of them wrong, and shows nobody its source.

A lesson's `planted.toml` names the bugs that may be dealt, each a known-wrong version of one of its exercises:

    [[bug]]
    exercise = "mean_vjp"
    mistake = "divided-by-the-results"
    en = "..."      # what is wrong with it, said once it is found
    es = "..."

The bug is in one of the lesson's own functions. A checkpoint looks further back: `deals = ["mul", "toposort", …]` at
the top of its file names the exercises of earlier lessons whose functions it deals.

Which one a learner gets depends on the course folder and the lesson, and stays the same.
"""

from __future__ import annotations

import functools
import hashlib
import html
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from minitorch.course.cards.report import Card, bar_html, frame_html
from minitorch.course.course_error import CourseError
from minitorch.course.files.learner import learner_id
from minitorch.course.judging import mistakes
from minitorch.course.judging.mistakes import WrongVersion
from minitorch.course.manifest import Course, Exercise, Lesson
from minitorch.course.mine import loading
from minitorch.language import Message, languages

COLOUR = "var(--jp-info-color1,#3b6ea5)"


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug that may be dealt."""

    lesson: Lesson  # whose exercise it is in
    exercise: Exercise  # whose function is the wrong one
    version: WrongVersion
    text: Message  # what is wrong with it

    def source(self) -> str:
        """The lesson's solution with the one function that is wrong."""
        return mistakes.full_source(self.lesson, self.version)


@dataclass(frozen=True, slots=True)
class Deal:
    """What a lesson deals: some functions, one of them with one of these bugs."""

    lesson: Lesson
    exercises: tuple[Exercise, ...]
    bugs: tuple[Bug, ...]

    @property
    def names(self) -> str:
        """The functions of which one may be the wrong one."""
        return ", ".join(exercise.name for exercise in self.exercises)

    @property
    def homes(self) -> tuple[str, ...]:
        """The lessons that the functions are of, by number."""
        return tuple(dict.fromkeys(exercise.lesson for exercise in self.exercises))


class Planted:
    """A deal's functions, one of them wrong. Every name that the lessons' files define is an attribute."""

    def __init__(self, deal: Deal, modules: Sequence[ModuleType], lang: str) -> None:
        self._deal = deal
        self._names = {name: thing for module in reversed(modules) for name, thing in vars(module).items()}
        self._lang = lang

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._names:
            return self._names[name]
        raise AttributeError(
            Message(
                "what was dealt defines no {name}; one of these is the wrong one: {names}",
                name=repr(name),
                names=self._deal.names,
            ).to(self._lang)
        )

    def __dir__(self) -> list[str]:
        return sorted(name for name in self._names if not name.startswith("_"))

    def __repr__(self) -> str:
        return self._card().text

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return self._card()._repr_mimebundle_()

    def _card(self) -> Card:
        deal, command = self._deal, f'found("{self._deal.lesson.number}", "?")'
        if deal.homes == (deal.lesson.number,):
            head = Message(
                "{count} functions of lesson {lesson}, and one of them is wrong:",
                lesson=deal.lesson.number,
                count=len(deal.exercises),
            )
        else:
            head = Message(
                "{count} functions of the lessons {lessons}, and one of them is wrong:",
                lessons=", ".join(deal.homes),
                count=len(deal.exercises),
            )
        return told(
            head.to(self._lang),
            [
                deal.names,
                Message(
                    "try them on inputs of your own; when you know which, put its name in {command}", command=command
                ).to(self._lang),
            ],
            COLOUR,
        )


def told(head: str, lines: Sequence[str], colour: str) -> Card:
    """A card with a headline and some lines below it."""
    body = f"<strong>{html.escape(head)}</strong>" + "".join(f"<div>{html.escape(line)}</div>" for line in lines)
    return Card(frame_html(bar_html(colour, body)), "\n".join([head, *(f"    {line}" for line in lines)]))


def planted(course: Course, folder: Path, word: str, lang: str) -> Planted:
    """The functions that this learner is dealt. Raises CourseError where there is no such lesson, or no bug in it."""
    deal, bug = dealt(course, folder, word)
    modules = []
    for number in deal.homes:
        lesson = course.lesson(number)
        code = compile(source_of(bug, lesson), f"<planted: {lesson.number}>", "exec", dont_inherit=True)
        modules.append(loading.run(lesson, code, lesson.file_name))
    return Planted(deal, modules, lang)


def source_of(bug: Bug, lesson: Lesson) -> str:
    """A lesson's file as it is dealt: the solution, with the bug where it is in this lesson."""
    return bug.source() if lesson.number == bug.lesson.number else lesson.solution_source()


def dealt(course: Course, folder: Path, word: str) -> tuple[Deal, Bug]:
    """What a lesson deals, and the bug that this learner gets. Raises CourseError."""
    lesson = course.lesson(word)
    deal = load_deal(course, lesson)
    if not deal.bugs:
        others = ", ".join(each.number for each in course.lessons if (each.folder / "planted.toml").is_file())
        raise CourseError(
            "lesson {lesson} deals no bug; lessons that do: {others}", lesson=lesson.number, others=others or "-"
        )
    drawn = hashlib.sha256(f"{learner_id(folder)} planted {lesson.number}".encode()).digest()
    return deal, deal.bugs[int.from_bytes(drawn[:8], "big") % len(deal.bugs)]


@functools.lru_cache(maxsize=64)
def load_deal(course: Course, lesson: Lesson) -> Deal:
    """Read a lesson's `planted.toml`; no bugs where there is none, or where the material holds no solution.

    Raises CourseError when a bug is not declared in full, is no known-wrong version, or is in a function that is not
    dealt; or when a function is dealt that is taught later.
    """
    path = lesson.folder / "planted.toml"
    if not path.is_file():
        return Deal(lesson, lesson.exercises, ())
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        own = [exercise.name for exercise in lesson.exercises]
        exercises = tuple(course.exercise(name) for name in table.get("deals", own))
        homes = {exercise.name: course.lesson_of(exercise) for exercise in exercises}
        if later := [name for name, home in homes.items() if home.order > lesson.order]:
            raise ValueError(f"{later[0]} is taught later than lesson {lesson.number}")
        if not all(home.solution.is_file() for home in homes.values()):
            return Deal(lesson, exercises, ())
        return Deal(lesson, exercises, tuple(_bug(course, homes, row) for row in table["bug"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{lesson.stem}/planted.toml: {type(error).__name__}: {error}") from error


def _bug(course: Course, homes: Mapping[str, Lesson], row: Mapping[str, str]) -> Bug:
    exercise = course.exercise(row["exercise"])
    home = homes[exercise.name]
    known = {one.id: one for one in mistakes.of_exercise(home, exercise)}
    said = Message.of({lang: row[lang] for lang in languages() if lang in row})
    return Bug(home, exercise, known[row["mistake"]], said)

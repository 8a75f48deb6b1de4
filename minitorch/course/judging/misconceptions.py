"""Known-wrong versions of the exercises: the mistakes that a learner's behaviour is compared with.

    @known_wrong("mul", id="own-operand", hint=1, en="You used ...", es="Usaste ...")
    def __mul__(self, other):
        ...

Each is real code that takes the place of the exercise's definition in the solution. It is read here as text and runs
in a child, like a learner's file; importing such a file defines the functions and calls none of them. A lesson keeps
them in `misconceptions.py` or, where they are many, in one `misconceptions_NAME.py` for each exercise.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from minitorch.course.files import source_code
from minitorch.course.manifest import Course, Exercise, Lesson, load
from minitorch.course.texts.text import CourseError, Text

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Misconception:
    """One known-wrong version of an exercise."""

    exercise: str
    id: str
    hint: int  # which hint to give first, counted from 1
    text: Text
    source: str  # the definition that replaces the exercise's own


def known_wrong(exercise: str, *, id: str, hint: int = 1, en: str, es: str) -> Callable[[F], F]:
    """Mark a definition as the known-wrong version `id` of `exercise`; `en` and `es` name the mistake.

    hint: which of the exercise's hints helps against it, counted from 1. Raises ValueError when a word is missing.
    """
    if not (exercise and id and en and es and hint >= 1):
        raise ValueError(f"the known-wrong version {id!r} of {exercise!r} must be named in both languages")

    def mark(definition: F) -> F:
        return definition

    return mark


@functools.lru_cache(maxsize=64)
def load_misconceptions(lesson: Lesson) -> tuple[Misconception, ...]:
    """Return the lesson's known-wrong versions, read from the text of its files `misconceptions*.py`.

    Raises CourseError when one is for an exercise that the lesson does not have, or an id is used twice for one.
    """
    found = [one for path in files_of(lesson) for one in _declared_in(path.read_text(encoding="utf-8"))]
    names = {exercise.name for exercise in lesson.exercises}
    for index, one in enumerate(found):
        if one.exercise not in names:
            raise CourseError(f"{one.id}: lesson {lesson.number} has no exercise {one.exercise!r}")
        if any(one.exercise == other.exercise and one.id == other.id for other in found[:index]):
            raise CourseError(f"{one.exercise} has two known-wrong versions called {one.id}")
    return tuple(found)


def files_of(lesson: Lesson) -> list[Path]:
    """Return the files that hold the lesson's known-wrong versions."""
    return sorted(lesson.folder.glob("misconceptions*.py"))


def _declared_in(source: str) -> list[Misconception]:
    lines = source_code.lines_of(source)
    return [
        _misconception(node, decorator, lines)
        for node in ast.parse(source).body
        if isinstance(node, source_code.Definition)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "known_wrong"
    ]


def _misconception(node: source_code.Definition, decorator: ast.Call, lines: list[str]) -> Misconception:
    try:
        exercise = ast.literal_eval(decorator.args[0])
        said = {word.arg: ast.literal_eval(word.value) for word in decorator.keywords}
        text = Text(said["en"], said["es"])
        return Misconception(
            exercise, said["id"], said.get("hint", 1), text, "".join(lines[node.lineno - 1 : node.end_lineno])
        )
    except (IndexError, KeyError, ValueError) as error:
        raise CourseError(f"the known-wrong version at line {node.lineno} is not declared in full: {error}") from error


def of_exercise(lesson: Lesson, exercise: Exercise) -> tuple[Misconception, ...]:
    """Return the known-wrong versions of one exercise."""
    return tuple(one for one in load_misconceptions(lesson) if one.exercise == exercise.name)


def full_source(lesson: Lesson, misconception: Misconception) -> str:
    """Return the whole solution with one definition replaced by a known-wrong version."""
    exercise = next(each for each in lesson.exercises if each.name == misconception.exercise)
    return source_code.replace(lesson.solution_source(), exercise.target, misconception.source)


def wrong_source(exercise: str, id: str, course: Course | None = None) -> str:
    """Return the text of a full file that makes the mistake `id` in `exercise`.

    Raises CourseError when there is no such exercise or no such known-wrong version of it.
    """
    course = course or load()
    found = course.exercise(exercise)
    lesson = course.lesson_of(found)
    for one in of_exercise(lesson, found):
        if one.id == id:
            return full_source(lesson, one)
    raise CourseError(f"{exercise} has no known-wrong version called {id!r}")

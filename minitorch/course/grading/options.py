"""What every command of `minitorch grade` has: its options, its folders, its course, and how it speaks."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minitorch.course.cards.report import clean
from minitorch.course.command_line import echo, language_typed
from minitorch.course.course_error import CourseError
from minitorch.language import N_, Message, language

if TYPE_CHECKING:
    from minitorch.course.grading.settings import Settings
    from minitorch.course.grading.store import Store
    from minitorch.course.manifest import Lesson

STORE = "grades.sqlite"
KEY = "key"
COURSE = Path("course.toml")
PATH = click.Path(path_type=Path)

grades_option = click.option(
    "--grades", type=PATH, default=Path("grades"), metavar="PATH", help="Folder of the results; grades if not named."
)
course_option = click.option(
    "--course", type=PATH, metavar="PATH", help="What counts and how much; course.toml if there is one."
)
lessons_option = click.option(
    "--lessons", multiple=True, metavar="LESSON", help="Lessons to grade, such as 01-04,08; may be repeated."
)


def settings_of(course: Path | None) -> Settings:
    """What the course's file says; what is usual where there is none."""
    from minitorch.course.grading.settings import Settings, read

    return read(course or COURSE) if course or COURSE.is_file() else Settings()


def made(folder: Path) -> Path:
    """The folder, made where there is none; nobody else looks into it. Raises CourseError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=folder, why=error.strerror) from None
    return folder


def store_in(grades: Path, *, writes: bool = True) -> Store:
    """The results in a folder. Raises CourseError where there are none and nothing is to be written."""
    from minitorch.course.grading.store import Store

    return Store(grades / STORE, writes=writes)


def lessons_in(store: Store, settings: Settings, words: tuple[str, ...]) -> tuple[Lesson, ...]:
    """The lessons that `words` or the course's file name; else those of which something was handed in."""
    if words or settings.lessons:
        return settings.graded_lessons(words)
    handed_in = {each.lesson for each in store.hand_ins()}
    return tuple(each for each in settings.course.lessons if each.number in handed_in) or settings.graded_lessons()


def language_of(settings: Settings, course: Path | None) -> str:
    """What is written for others: in the language that was typed, else in the course's, else in the one spoken."""
    if typed := language_typed():
        return typed
    return settings.language if course or COURSE.is_file() else language()


def tell_strangers(settings: Settings, course: Path | None, students: Sequence[str]) -> None:
    """Say whom the course's file gives more days, and no student is called that. It may be one who comes later."""
    file = (course or COURSE).name
    for name in sorted(settings.extra_days.keys() - set(students)):
        near = difflib.get_close_matches(name, students, n=1)
        key = (
            N_("{file}: extra_days names {name}, and no student is called that; the closest name is {near}")
            if near
            else N_("{file}: extra_days names {name}, and no student is called that")
        )
        tell(key, err=True, file=file, name=name, near=", ".join(near))


def tell(key: str, *, err: bool = False, **fields: object) -> None:
    """Print a sentence."""
    told: Message = Message(key, **fields)
    echo(clean(told.to(language())), err=err)

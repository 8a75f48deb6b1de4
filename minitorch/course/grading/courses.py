"""The lessons that are graded: the course's own, and those of an instructor's folder beside them."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.judging.checks import load_checks
from minitorch.course.manifest import Course, Lesson

RANGE = re.compile(r"(\w+)-(\w+)")


@functools.cache
def course_with(own: Path | None) -> Course:
    """The course; with a folder of an instructor's (`lessons/`, `solutions/`), its lessons stand at the end.

    They may build on lessons of the course, and on one another.
    Raises CourseError where the folder holds no lesson, or one whose number or exercise is taken.
    """
    course = manifest.load()
    if own is None:
        return course
    more = manifest.load(own / "lessons", own / "solutions", tuple(lesson.number for lesson in course.lessons))
    if not more.lessons:
        raise CourseError(
            "{folder} holds no lessons: they belong into lessons/lesson_NN_name/, solutions into solutions/", folder=own
        )
    taken = {lesson.number for lesson in course.lessons} | {each.name for each in course.exercises}
    for lesson in more.lessons:
        for name in (lesson.number, *(each.name for each in lesson.exercises)):
            if name in taken:
                raise CourseError(
                    "{folder}: the name {name} is taken by the course; give the lesson or the exercise another one",
                    folder=own,
                    name=name,
                )
    return Course((*course.lessons, *more.lessons))


def chosen(course: Course, words: Iterable[str]) -> tuple[Lesson, ...]:
    """The lessons that words name: numbers, slugs, and stretches such as 01-08. All of them without words.

    Raises CourseError where a word names none.
    """
    numbers = [lesson.number for lesson in course.lessons]
    wanted: set[str] = set()
    for word in (part.strip() for several in words for part in several.split(",")):
        stretch = RANGE.fullmatch(word)
        if stretch is None:
            wanted.add(course.lesson(word).number)
            continue
        first, last = (numbers.index(course.lesson(each).number) for each in stretch.groups())
        if first > last:
            raise CourseError("{word} ends before it begins", word=word)
        wanted |= set(numbers[first : last + 1])
    return tuple(lesson for lesson in course.lessons if not wanted or lesson.number in wanted)


@functools.cache
def versions(lesson: Lesson) -> dict[str, str]:
    """What each exercise's verdicts depend on besides the answer, as a hash: its check, and the remote driver."""
    remote = manifest.PACKAGE / "sandbox" / "remote"
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(remote.glob("*.py")))).hexdigest()
    return {
        name: hashlib.sha256(f"{check.version} {digest}".encode()).hexdigest()[:16]
        for name, check in load_checks(lesson).items()
    }

"""`minitorch grade report`: the page on a class, and one for each student, written from what is in the store."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from minitorch.course.course_error import CourseError
from minitorch.course.grading.class_page import ClassPage, class_page
from minitorch.course.grading.insight import insight
from minitorch.course.grading.points import book
from minitorch.course.grading.settings import Settings
from minitorch.course.grading.sheet import MADE_BY
from minitorch.course.grading.store import Graded, Store
from minitorch.course.grading.student_page import file_name, student_page
from minitorch.course.grading.submissions import Note
from minitorch.course.manifest import Lesson
from minitorch.serialization.atomic import write_atomically

CLASS_PAGE = "class.html"
STUDENTS = "students"


@dataclass(frozen=True, slots=True)
class Pages:
    """What was written."""

    file: Path  # the page on the class
    students: int


def write_pages(store: Store, settings: Settings, lessons: Sequence[Lesson], folder: Path, lang: str) -> Pages:
    """Write the pages into a folder; pages of an earlier report there are replaced.

    Raises CourseError where something stands in the way that is no such page, and where nothing was graded.
    """
    numbers = [lesson.number for lesson in lessons]
    graded, students = list(store.graded(numbers)), store.students()
    if not students:
        raise CourseError("{file} holds no student yet: `minitorch grade run` first", file=store.path)
    scores = book(settings, lessons, store).students
    shares = {each.student: each.total / 100 for each in scores}
    alike = {each.student: tuple(sorted({name for one in each.lessons for name in one.same_as})) for each in scores}
    found = insight(graded, settings.course, numbers, students, shares, alike)
    own: dict[str, dict[str, Graded]] = {each.student: {} for each in found.standings}
    for hand_in in graded:
        own[hand_in.student][hand_in.lesson] = hand_in
    names = {each.student: file_name(each.student, at) for at, each in enumerate(found.standings, start=1)}
    tiers = {result.tier for hand_in in graded for result in hand_in.results.values()}
    about = ClassPage(
        settings.title,
        dt.datetime.now(tz=dt.UTC).astimezone().date().isoformat(),
        tuple(numbers),
        len(graded),
        tuple(sorted(tiers)),
        sum(not hand_in.results and hand_in.problem is None for hand_in in graded),
        (*store.notes(), *_unread(graded)),
        {student: f"{STUDENTS}/{name}" for student, name in names.items()},
    )
    texts = {folder / CLASS_PAGE: class_page(found, about, lang)}
    notes: dict[str, list[Note]] = {}
    for note in store.notes():
        if note.place:  # a note on a file; one without a place may name another student
            notes.setdefault(note.student, []).append(note)
    for each in found.standings:
        page = student_page(each, own[each.student], settings.course, numbers, lang, notes.get(each.student, ()))
        texts[folder / STUDENTS / names[each.student]] = page
    _write(texts, folder)
    return Pages(folder / CLASS_PAGE, len(names))


def _unread(graded: Sequence[Graded]) -> list[Note]:
    """What is said of the files that count and could not be read."""
    return [Note(each.student, "", each.problem) for each in graded if each.problem is not None]


def _write(texts: Mapping[Path, str], folder: Path) -> None:
    """Write all pages, each whole or not at all, and remove those of an earlier report that are none any more."""
    earlier = [folder / CLASS_PAGE, *(folder / STUDENTS).glob("*.html")]
    for file in earlier:
        if file.exists() and not _is_page(file):
            raise CourseError(
                "{file} is there already and no report, so it is left as it is: name another file", file=file
            )
    try:
        (folder / STUDENTS).mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            write_atomically(file, text.encode())
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=folder, why=error.strerror or error) from error
    for file in earlier:
        if file not in texts:
            with contextlib.suppress(OSError):
                file.unlink()


def _is_page(file: Path) -> bool:
    return file.is_file() and MADE_BY.encode() in file.read_bytes()

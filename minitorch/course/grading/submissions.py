"""Intake: what a class handed in, read once and in memory, with a reason for everything that was not read.

Nothing is dropped without a word but by-products of systems and editors, and files of lessons that are not graded now.

It is a folder, or one zip or tar of it. In it lies a folder or an archive for each student, or files whose names end
with a lesson's file name, the student's name before it, as Moodle and Canvas export them. A notebook of a lesson is a
hand-in, too, where exercises are written in it. Of several hand-ins of one lesson the newest that can be read counts,
a file before a notebook and a notebook before an untouched stub; and that is said.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from minitorch.course.course_error import CourseError
from minitorch.course.files.learner_file import MAX_BYTES, LearnerFile
from minitorch.course.grading import archives, hand_in_names, misnamed, notebooks
from minitorch.course.grading.archives import Member
from minitorch.course.manifest import Lesson
from minitorch.language import N_, Message

LONGEST_STUDENT = 80
MOST_TEXT = 1 << 29  # bytes of lesson files of a whole class
MOST_NOTES = 40  # for one student
INNER = {"exercises", "notebooks", "work", "src"}  # folders that a student has, and no student is called
ONLY_TOLD = (
    N_("does not count: {newest} is newer"),
    N_("does not count: {newest} counts before it"),
    N_("{other} is called nearly the same: if they are one student, give both folders one name"),
)  # notes that tell of nothing unread
MOST_LOOKS = 20  # into files of one student that bear no lesson's name


@dataclass(frozen=True, slots=True)
class HandIn:
    """One student's file of one lesson: the one that counts."""

    student: str
    lesson: str
    place: str
    time: datetime | None
    file: LearnerFile


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was not read, or does not count, and why."""

    student: str  # empty where nobody's name is known
    place: str
    reason: Message

    @property
    def unread(self) -> bool:
        """Whether something lies there that was not judged, and not only something older or a name like another."""
        return self.reason.id not in ONLY_TOLD


@dataclass(frozen=True, slots=True)
class Intake:
    """What was handed in."""

    hand_ins: tuple[HandIn, ...]
    notes: tuple[Note, ...]
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A file of a lesson, or something that could not be read."""

    parts: tuple[str, ...]
    time: datetime | None = None
    data: bytes | None = None
    fault: Message | None = None
    stray: bool = False  # a file that is no lesson's


@dataclass(slots=True)
class _Heap:
    """What was found, before it is known whose it is."""

    lessons: Sequence[Lesson]
    others: Sequence[Lesson] = ()  # of which files may lie there, and are not graded now
    found: list[_Found] = field(default_factory=list)
    bytes_left: int = MOST_TEXT
    looks: Counter[str] = field(default_factory=Counter)  # by student

    def put(self, member: Member, *, inside: tuple[str, ...] = ()) -> None:
        """Look at one entry; `inside` is the archive that it lies in, where that is a student's."""
        parts = (*inside, *member.parts)
        hidden = next((at for at, part in enumerate(member.parts[:-1], 1) if part.startswith(".")), None)
        if hand_in_names.is_by_product(member.parts):
            if hand_in_names.is_receipt(member.parts):
                self.found.append(_Found((*parts[:-1], hand_in_names.without_upload(parts[-1]), "")))
            elif len(parts) > 1 and not hand_in_names.is_by_product(parts[:1]):
                self.found.append(_Found((parts[0], "")))
        elif hidden is not None:
            folder = _Found(
                (*inside, *member.parts[:hidden]), fault=Message("a hidden folder is not looked into"), stray=True
            )
            if folder not in self.found[-1:]:
                self.found.append(folder)
        elif member.fault is not None:
            self.found.append(_Found(parts, fault=member.fault))
        elif member.read is None:
            self.found.append(_Found(parts))
        elif archives.stem_of(parts[-1]) is not None:
            self._open(member, parts, inside)
        elif any(hand_in_names.of_lesson(parts[-1], lesson) for lesson in self.lessons):
            if hand_in_names.SOLUTIONS in parts[1:-1]:  # of a clone that was handed in whole
                self.found.append(
                    _Found(
                        parts,
                        fault=Message(
                            "it lies in a folder called solutions, where a clone has the course's own answers, "
                            "and does not count; if it is the student's, move it out of that folder"
                        ),
                        stray=True,
                    )
                )
            else:
                self._read(member, parts)
        elif any(hand_in_names.of_lesson(parts[-1], lesson) for lesson in self.others):
            self.found.append(_Found((*parts[:-1], "")))
        else:
            self.found.append(_Found(parts, fault=self._misnamed(member, parts), stray=True))

    def _misnamed(self, member: Member, parts: tuple[str, ...]) -> Message:
        """The reason why a file that bears no lesson's name was not judged."""
        data, name = None, parts[-1].lower()
        self.looks[parts[0]] += 1
        if member.read is not None and name.endswith(misnamed.WORTH_A_LOOK) and self.looks[parts[0]] <= MOST_LOOKS:
            with contextlib.suppress(Exception):  # of a broken archive anything can come
                data = member.read(misnamed.MOST_BYTES)
        known = {lesson.number: lesson for lesson in (*self.lessons, *self.others)}
        return misnamed.reason(parts[-1], data, self.lessons[0], known.values())

    def _read(self, member: Member, parts: tuple[str, ...]) -> None:
        assert member.read is not None
        data, fault = b"", None
        if self.bytes_left <= 0:
            fault = Message("the class's files are more than {most} MB; this one was not read", most=MOST_TEXT >> 20)
        else:
            try:
                data = member.read((notebooks.MOST_BYTES if hand_in_names.is_notebook(parts[-1]) else MAX_BYTES) + 1)
            except Exception as error:  # noqa: BLE001 - of a broken archive anything can come
                fault = Message("it could not be read ({why})", why=_why(error))
        self.bytes_left -= len(data)
        self.found.append(_Found(parts, member.time, None if fault else data, fault))

    def _open(self, member: Member, parts: tuple[str, ...], inside: tuple[str, ...]) -> None:
        """Look into a student's archive."""
        assert member.read is not None
        if inside:
            self.found.append(_Found(parts, fault=Message("an archive in an archive is not opened")))
            return
        if member.size > archives.MOST_BYTES_OF_ONE:
            self.found.append(
                _Found(
                    parts,
                    fault=Message(
                        "it is larger than {most} MB; it was not read", most=archives.MOST_BYTES_OF_ONE >> 20
                    ),
                )
            )
            return
        try:
            data = member.read(archives.MOST_BYTES_OF_ONE + 1)
        except Exception as error:  # noqa: BLE001 - of a broken archive anything can come
            self.found.append(_Found(parts, fault=Message("it could not be read ({why})", why=_why(error))))
            return
        if len(data) > archives.MOST_BYTES_OF_ONE:
            self.found.append(
                _Found(
                    parts,
                    fault=Message(
                        "it is larger than {most} MB; it was not read", most=archives.MOST_BYTES_OF_ONE >> 20
                    ),
                )
            )
        elif data.count(b"PK\1\2") > archives.MOST_OF_ONE:
            self.found.append(
                _Found(
                    parts,
                    fault=Message("it holds more than {most} files; the rest was not read", most=archives.MOST_OF_ONE),
                )
            )
        else:
            where = (*parts[:-1], hand_in_names.without_upload(archives.stem_of(parts[-1]) or parts[-1]))
            self.found.append(_Found((*where, "")))
            for each in archives.members(io.BytesIO(data), parts[-1], archives.STUDENT):
                self.put(each, inside=where)


def read_class(path: Path, lessons: Sequence[Lesson], others: Sequence[Lesson] = ()) -> Intake:
    """Read what a class handed in. Raises CourseError where `path` is neither a folder nor an archive.

    others: lessons that are not graded now; their files are left where they are without a word.
    """
    heap = _heap(path, lessons, others)
    found = heap.found if path.is_dir() else _unwrapped(heap.found, lessons)
    names = _Names()
    whose: dict[str, list[_Found]] = {}
    nobodys: list[Note] = []
    for each in found:
        raw = hand_in_names.student_of(each.parts, lessons)
        if raw:
            whose.setdefault(names.of(raw), []).append(each)
        elif each.parts and (each.data is not None or each.fault is not None):
            nobodys.append(
                Note(
                    "",
                    _shown(each.parts),
                    each.fault
                    or Message("no student's name stands before the file's, and it lies in no student's folder"),
                )
            )
        elif each.fault is not None:
            nobodys.append(Note("", clean_name(path.name), each.fault))
    return _sorted_out(whose, nobodys, lessons)


def read_student(path: Path, student: str, lessons: Sequence[Lesson]) -> Intake:
    """Read a folder or an archive that holds one student's files."""
    return _sorted_out({clean_name(student): _heap(path, lessons).found}, [], lessons)


def clean_name(name: str) -> str:
    """A name without anything that is not seen or that turns the writing round, and not too long."""
    seen = (" " if unicodedata.category(each)[0] in "CZ" else each for each in unicodedata.normalize("NFC", name))
    return " ".join("".join(seen).split())[:LONGEST_STUDENT] or "?"


class _Names:
    """Students' names, cleaned; two that only then are the same stay two."""

    def __init__(self) -> None:
        self.raw: dict[str, str] = {}

    def of(self, raw: str) -> str:
        name = clean_name(raw)
        if self.raw.setdefault(name, raw) != raw:
            name = f"{name}~{hashlib.sha256(raw.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
            self.raw[name] = raw
        return name


def _heap(path: Path, lessons: Sequence[Lesson], others: Sequence[Lesson] = ()) -> _Heap:
    heap = _Heap(lessons, others)
    if path.is_dir():
        for member in _walk(path, ()):
            heap.put(member)
        return heap
    if archives.stem_of(path.name) is None:
        raise CourseError(
            "{path} is no folder and no archive: name the folder of submissions, or a file that ends in {endings}",
            path=path,
            endings=", ".join(archives.ENDINGS),
        )
    try:
        with _opened(path) as file:
            for member in archives.members(file, path.name, archives.CLASS):
                heap.put(member)
    except OSError as error:
        raise CourseError(
            "{file} cannot be read ({why}); it must be a regular file", file=path, why=error.strerror
        ) from None
    return heap


def _sorted_out(whose: dict[str, list[_Found]], nobodys: list[Note], lessons: Sequence[Lesson]) -> Intake:
    hand_ins: list[HandIn] = []
    notes = list(nobodys)
    alike: dict[str, str] = {}
    for student in sorted(whose):
        other = alike.setdefault(" ".join(re.findall(r"[^\W_]+", student.casefold())) or student, student)
        if other != student:
            notes.append(
                Note(
                    student,
                    "",
                    Message(
                        "{other} is called nearly the same: if they are one student, give both folders one name",
                        other=other,
                    ),
                )
            )
        own, told = _of_student(student, whose[student], lessons)
        hand_ins += own
        notes += told[:MOST_NOTES]
        if len(told) > MOST_NOTES:
            notes.append(
                Note(
                    student,
                    "…",
                    Message(
                        "and {notes} more", notes=Message.counted("1 note", "{count} notes", len(told) - MOST_NOTES)
                    ),
                )
            )
    return Intake(tuple(hand_ins), tuple(notes), tuple(sorted(whose)))


def _of_student(student: str, found: Iterable[_Found], lessons: Sequence[Lesson]) -> tuple[list[HandIn], list[Note]]:
    files: dict[str, list[_Candidate]] = {}
    notes, unwritten = [], []
    for each in found:
        name = "" if each.stray or not each.parts else each.parts[-1]
        lesson = next((one for one in lessons if hand_in_names.of_lesson(name, one)), None)
        shown = _shown(each.parts)
        if lesson is not None and each.data is not None:
            if (file := _file_of(each.data, lesson, each.parts[-1], shown)) is None:
                unwritten.append((lesson, shown))
            else:
                files.setdefault(lesson.number, []).append(_Candidate(each, file, _worth(each, file, lesson)))
        elif lesson is not None and each.fault is not None:
            problem = Message("{file} cannot be read ({why}); it must be a regular file", file=shown, why=each.fault)
            file = LearnerFile(lesson.file_name, "", "", problem)
            files.setdefault(lesson.number, []).append(_Candidate(each, file, -1))
        elif each.fault is not None:
            notes.append(Note(student, shown, each.fault))
    hand_ins = []
    for lesson in lessons:
        several = sorted(files.get(lesson.number, []), key=_age)
        if several:
            newest = several[-1]
            file = newest.file
            if file.problem is not None:  # told apart by what is wrong with it
                file = replace(file, sha256=hashlib.sha256(file.problem.to("en").encode()).hexdigest())
            hand_ins.append(HandIn(student, lesson.number, _shown(newest.found.parts), newest.found.time, file))
        for older in several[:-1]:
            key = (
                N_("does not count: {newest} is newer")
                if older.worth == newest.worth
                else N_("does not count: {newest} counts before it")
            )
            why = Message(key, newest=_shown(newest.found.parts))
            notes.append(Note(student, _shown(older.found.parts), older.file.problem or why))
    for lesson, shown in unwritten:
        if lesson.number not in files:
            notes.append(
                Note(student, shown, Message("no exercise of lesson {lesson} is written in it", lesson=lesson.number))
            )
    if not files and not notes:
        notes.append(Note(student, "", Message("nothing to grade was found")))
    return hand_ins, notes


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One of several hand-ins of a lesson."""

    found: _Found
    file: LearnerFile
    worth: int  # the largest one counts; of two alike the newer one


def _file_of(data: bytes, lesson: Lesson, name: str, shown: str) -> LearnerFile | None:
    """The lesson's file in these bytes; None where they are a notebook without one of its exercises."""
    if hand_in_names.is_notebook(name):
        return notebooks.file_of(data, lesson, shown)
    return LearnerFile.of_bytes(data, lesson.file_name, shown)


def _worth(found: _Found, file: LearnerFile, lesson: Lesson) -> int:
    if file.problem is not None:
        return -1
    if hand_in_names.is_notebook(found.parts[-1]):
        return 1
    return 0 if file.source in notebooks.stubs(lesson) else 2


def _age(one: _Candidate) -> tuple[int, datetime, int, str]:
    """What sorts hand-ins of one lesson: what it is worth, then the newer one, then the later copy."""
    number = hand_in_names.copy_number(one.found.parts[-1])
    return one.worth, one.found.time or datetime.min.replace(tzinfo=UTC), number, "/".join(one.found.parts)


def _unwrapped(found: list[_Found], lessons: Sequence[Lesson]) -> list[_Found]:
    """Without the one folder that everything in an archive lies in, if there is one that is no student's."""
    files = [each.parts for each in found if each.parts and each.parts[-1] and not each.stray]
    if not files or len({parts[0] for parts in files}) != 1:
        return found
    folders = all(len(parts) > 2 and parts[1] not in INNER for parts in files)
    named = all(len(parts) == 2 and hand_in_names.student_of(parts[1:], lessons) for parts in files)
    if not folders and not named:
        return found
    around = files[0][0]
    inside = [replace(each, parts=each.parts[1:]) if each.parts[:1] == (around,) else each for each in found]
    return [each for each in inside if any(each.parts) or each.fault is not None]


def _shown(parts: tuple[str, ...]) -> str:
    return "/".join(clean_name(part) for part in parts if part)


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__


def _walk(folder: Path, parts: tuple[str, ...]) -> Iterator[Member]:
    """The files below a folder. No link is followed, and nothing is opened that is no file."""
    if len(parts) >= archives.DEEPEST:
        yield Member(parts, fault=Message("folders more than {most} deep are not looked into", most=archives.DEEPEST))
        return
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)[: archives.MOST_MEMBERS]
    except OSError as error:
        yield Member(parts, fault=Message("it could not be read ({why})", why=_why(error)))
        return
    for entry in listed:
        here = (*parts, entry.name)
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            yield Member(here, fault=Message("it could not be read ({why})", why=_why(error)))
            continue
        if stat.S_ISDIR(status.st_mode):
            yield Member((*here, ""))
            if not entry.name.startswith("."):
                yield from _walk(Path(entry.path), here)
        elif not stat.S_ISREG(status.st_mode):
            yield Member(here, fault=Message("a link, a pipe or a device is not read"))
        else:
            time = datetime.fromtimestamp(status.st_mtime, UTC)
            yield Member(here, time, status.st_size, _FileReader(Path(entry.path)))


@dataclass(frozen=True, slots=True)
class _FileReader:
    path: Path

    def __call__(self, most: int) -> bytes:
        with _opened(self.path) as file:
            return file.read(most)


def _opened(path: Path) -> IO[bytes]:
    """Open a regular file that is no link; what was opened is what is looked at. Raises OSError."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC"):
        flags |= getattr(os, name, 0)
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a file")
    return os.fdopen(descriptor, "rb")

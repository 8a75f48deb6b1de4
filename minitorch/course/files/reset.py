"""Taking an exercise, or a whole file, back to its stub. What was there is kept in a dated backup first."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from pathlib import Path

from minitorch.course.course_error import CourseError, busy
from minitorch.course.files import source_code
from minitorch.course.files.course_folder import exercise_path, private_folder
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.stubs import FIRST_LANGUAGE, stub_source
from minitorch.course.manifest import Exercise, Lesson
from minitorch.language import Message
from minitorch.serialization.atomic import write_atomically


@dataclass(frozen=True, slots=True)
class Reset:
    """What a reset did."""

    what: str  # the exercise or the file
    file: str  # its name
    backup: Path | None  # None when there was nothing to keep
    was_missing: bool = False
    written: Path | None = None  # where, if the learner's file is a link

    def told(self, folder: Path) -> Message:
        """Say what was done in a course folder."""
        if self.backup is not None:
            kept = self.backup.relative_to(folder)
            return Message(
                "{what} is back to its stub; your version is kept in {backup} (copy it back to undo this)",
                what=self.what,
                backup=kept,
            )
        if self.was_missing:
            return Message("{what} was missing and is written anew", what=self.what)
        return Message("{what} is untouched: nothing to reset", what=self.what)


def reset_lesson(folder: Path, lesson: Lesson, lang: str = FIRST_LANGUAGE) -> Reset:
    """Write a lesson's whole stub anew. Raises CourseError when the folder cannot be written to."""
    return _replace(folder, lesson, lesson.file_name, stub_source(lesson, lang))


def reset_exercise(folder: Path, lesson: Lesson, exercise: Exercise, lang: str = FIRST_LANGUAGE) -> Reset:
    """Put one exercise's stub back and leave the rest of the file as it is, byte for byte.

    Raises CourseError when the exercise cannot be found in the file, or the folder cannot be written to.
    """
    path = exercise_path(folder, lesson)
    if not path.exists():
        return reset_lesson(folder, lesson, lang)
    file = LearnerFile.read(path)
    if file.problem is not None:
        raise CourseError(file.problem)
    stub = source_code.text_of(stub_source(lesson, lang), exercise.target)
    return _replace(folder, lesson, exercise.name, _with_stub(file, lesson, exercise, stub))


def _with_stub(file: LearnerFile, lesson: Lesson, exercise: Exercise, stub: str) -> str:
    fields = {"file": file.name, "target": exercise.target, "lesson": lesson.number}
    try:
        span = source_code.find(file.source, exercise.target)
    except (SyntaxError, ValueError):
        span = source_code.guess_span(file.source, exercise.target)
        if span is not None and not source_code.parses(source_code.replace_span(file.source, span, stub)):
            span = None
        if span is None:
            raise CourseError(
                "{file} does not parse, so {target} cannot be taken out by itself; `minitorch reset "
                "{lesson}` resets the whole file",
                **fields,
            ) from None
    if span is None:
        raise CourseError(
            "{file} does not define {target} any more; `minitorch reset {lesson}` resets the whole file", **fields
        )
    return source_code.replace_span(file.source, span, stub)


def _replace(folder: Path, lesson: Lesson, what: str, source: str) -> Reset:
    path = exercise_path(folder, lesson)
    try:
        before = path.read_bytes() if path.exists() else None
        data = source.encode("utf-8")
        if before == data:
            return Reset(what, path.name, None)
        backup = put_in_place(folder, lesson, before, data)
    except OSError as error:
        raise CourseError(f"{path.name}: {error.strerror}") from error
    written = path.resolve() if path.is_symlink() else None
    return Reset(what, path.name, backup, was_missing=before is None, written=written)


def put_in_place(folder: Path, lesson: Lesson, before: bytes | None, data: bytes) -> Path | None:
    """Write `data` in the place of the learner's file, which held `before`; return where that is kept.

    Raises CourseError when an editor saved the file in between: it is then what the editor made it. OSError. What was
    saved at the very last moment is kept beside the other, and it is what is returned.
    """
    path = exercise_path(folder, lesson)
    backup: Path | None = None

    def keep() -> None:
        nonlocal backup
        backup = None if before is None else back_up(folder, lesson)
        if (backup.read_bytes() if backup else path.read_bytes() if path.exists() else None) != before:
            if backup:
                backup.unlink()
            raise busy(path)

    def keep_what_came_between(old: Path) -> None:
        nonlocal backup
        if old.read_bytes() != before:
            backup = _beside_the_others(folder, lesson, old)

    write_atomically(path, data, before_replacing=keep, look_at_the_old=keep_what_came_between)
    return backup


def back_up(folder: Path, lesson: Lesson) -> Path:
    """Keep a learner's file in a dated one below `.minitorch/backups`; return where. Raises OSError or CourseError.

    Where the disk has hard links it is the very file, so that it also gets what an editor is just writing into it.
    """
    return _beside_the_others(folder, lesson, exercise_path(folder, lesson).resolve())


def _beside_the_others(folder: Path, lesson: Lesson, source: Path) -> Path:
    now = dt.datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")
    backups = private_folder(folder) / "backups"
    for number in range(1, 1000):
        again = f"-{number}" if number > 1 else ""
        path = backups / f"{lesson.stem}.{now}{again}.py"
        if path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, path)
        except OSError:
            write_atomically(path, source.read_bytes())
        return path
    raise CourseError("{folder} holds a thousand backups of this second", folder=backups.name)

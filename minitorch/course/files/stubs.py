"""Stubs: the solutions with the bodies of the exercises taken out. They are kept nowhere, so none grows old."""

from __future__ import annotations

import functools
from pathlib import Path

from minitorch.course.course_error import busy
from minitorch.course.files.source_code import empty_targets
from minitorch.course.files.statements import in_language
from minitorch.course.manifest import Course, Lesson, load
from minitorch.language import languages
from minitorch.serialization.atomic import write_atomically

FIRST_LANGUAGE = "en"  # the one that the solutions are written in


def stub_source(lesson: Lesson, lang: str = FIRST_LANGUAGE) -> str:
    """The lesson's untouched stub: its solution with the body of every exercise replaced.

    Its docstrings and comments are in the language `lang`, as far as somebody has translated them.
    """
    stub = empty_targets(lesson.solution_source(), [exercise.target for exercise in lesson.exercises])
    return stub if lang == FIRST_LANGUAGE else in_language(stub, lesson, lang)


def write_stubs(folder: Path, course: Course | None = None, lang: str = FIRST_LANGUAGE) -> list[Path]:
    """Write every lesson's stub into `folder` where no file of that name lies yet; return the files written.

    A stub of another language that nobody has touched is no learner's file, and follows. Raises CourseError when it was
    saved in the meantime: then it stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for lesson in (course or load()).lessons:
        path = folder / lesson.file_name
        before = path.read_bytes() if path.is_file() and not path.is_symlink() else None
        if before is None and (path.exists() or path.is_symlink()):
            continue
        data = stub_source(lesson, lang).encode()
        if before is not None and (before == data or before not in _in_other_languages(lesson, lang)):
            continue
        write_atomically(path, data, before_replacing=functools.partial(_look_again, path, before))
        written.append(path)
    return written


def _in_other_languages(lesson: Lesson, lang: str) -> set[bytes]:
    return {stub_source(lesson, each).encode() for each in languages() if each != lang}


def _look_again(path: Path, before: bytes | None) -> None:
    if (path.read_bytes() if path.exists() else None) != before:
        raise busy(path)

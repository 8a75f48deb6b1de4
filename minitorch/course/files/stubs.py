"""Stubs: the solutions with the bodies of the exercises taken out. They are kept nowhere, so none grows old."""

from __future__ import annotations

from pathlib import Path

from minitorch.course.files.source_code import empty_targets
from minitorch.course.manifest import Course, Lesson, load
from minitorch.serialization.atomic import write_atomically


def stub_source(lesson: Lesson) -> str:
    """The lesson's untouched stub: its solution with the body of every exercise replaced."""
    return empty_targets(lesson.solution_source(), [exercise.target for exercise in lesson.exercises])


def write_stubs(folder: Path, course: Course | None = None) -> list[Path]:
    """Write every lesson's stub into `folder` where no file of that name lies yet; return the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for lesson in (course or load()).lessons:
        path = folder / lesson.file_name
        if not path.exists():
            write_atomically(path, stub_source(lesson).encode())
            written.append(path)
    return written

"""Where the learner works: the folder that holds `exercises/`, found from anywhere below it."""

from __future__ import annotations

import os
from pathlib import Path

from minitorch.course.course_error import CourseError
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.manifest import Lesson
from minitorch.serialization.atomic import sweep_folder

KILLED_S = 60.0  # a file of ours that is still temporary after a minute has no writer any more


def find_course_folder(start: Path | None = None) -> Path:
    """The nearest folder at or above `start` (the current one) whose `exercises/` holds a lesson.

    A folder that the course has already been used in counts, too, should its `exercises/` have got lost.
    `MINITORCH_COURSE` names it outright. Raises CourseError when there is none.
    """
    named = os.environ.get("MINITORCH_COURSE")
    if named and start is None:
        folder = Path(named).expanduser().resolve()
        if not folder.is_dir():
            raise CourseError("MINITORCH_COURSE names {folder}, which is not a folder", folder=folder)
        return folder
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if any((folder / "exercises").glob("lesson_*.py")) or private_folder(folder).is_dir():
            return folder
    raise CourseError(
        "no course folder here: no `exercises/` with lessons in {folder} or above it; go into "
        "your course folder (cd), or make one with `minitorch init DIR`",
        folder=here,
    )


def exercise_path(folder: Path, lesson: Lesson) -> Path:
    """Where the learner's answers to a lesson lie."""
    return folder / "exercises" / lesson.file_name


def read_exercises(folder: Path, lesson: Lesson) -> LearnerFile:
    """Read the learner's file of a lesson."""
    return LearnerFile.read(exercise_path(folder, lesson), private_folder(folder) / "diagnosis")


def first_time(folder: Path, word: str) -> bool:
    """Whether this is the first time that `word` is to be said in a course folder; it is remembered."""
    try:
        private_folder(folder).mkdir(exist_ok=True)
        (private_folder(folder) / f"said-{word}").touch(exist_ok=False)
    except OSError:
        return not (private_folder(folder) / f"said-{word}").exists()
    return True


def sweep(folder: Path) -> None:
    """Remove the temporary files that killed commands left in a course folder: all that is written here is small."""
    private = private_folder(folder)
    for each in (folder, folder / "exercises", private, *(below for below in _entries(private) if below.is_dir())):
        sweep_folder(each, older_s=KILLED_S)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def private_folder(folder: Path) -> Path:
    """The folder for what the course remembers: progress, backups, fingerprints."""
    return folder / ".minitorch"

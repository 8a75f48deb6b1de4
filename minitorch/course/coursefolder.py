"""Where the learner works: the folder that holds `exercises/`, found from anywhere below it."""

from __future__ import annotations

import os
from pathlib import Path

from minitorch.course.learnerfile import LearnerFile
from minitorch.course.manifest import Lesson
from minitorch.course.messages import say
from minitorch.course.text import CourseError, language


def find_course_folder(start: Path | None = None) -> Path:
    """Return the nearest folder at or above `start` (the current one) whose `exercises/` holds a lesson.

    `MINITORCH_COURSE` names it outright. Raises CourseError when there is none.
    """
    named = os.environ.get("MINITORCH_COURSE")
    if named and start is None:
        return Path(named).expanduser().resolve()
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        exercises = folder / "exercises"
        if any(exercises.glob("lesson_*.py")) or (exercises.is_dir() and private_folder(folder).is_dir()):
            return folder
    raise CourseError(say("no_course", folder=here).to(language()))


def exercise_path(folder: Path, lesson: Lesson) -> Path:
    """Return where the learner's answers to a lesson lie."""
    return folder / "exercises" / lesson.file_name


def read_exercises(folder: Path, lesson: Lesson) -> LearnerFile:
    """Read the learner's file of a lesson."""
    return LearnerFile.read(exercise_path(folder, lesson), private_folder(folder) / "diagnosis")


def private_folder(folder: Path) -> Path:
    """Return the folder for what the course remembers: progress, backups, fingerprints."""
    return folder / ".minitorch"

"""What must not run in the process that judges: a learner's `conftest.py`, pytest's settings, plugins, other tests.

pytest runs all of these in its own process, where they could change any verdict, by accident or not. So a run that
meets one of them stops before anything is judged. What pytest runs before it asks any plugin is out of reach here: a
plugin that `addopts = -p NAME` names is seen afterwards. `minitorch check` reads none of these files.
"""

from __future__ import annotations

import configparser
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from minitorch.language import Message

if TYPE_CHECKING:
    from types import ModuleType

LESSON_FILE = re.compile(r"lesson_[0-9A-Z]+_\w+\.py")
SECTIONS = {"tox.ini": "pytest", "setup.cfg": "tool:pytest"}


def is_exercises(path: Path) -> bool:
    """Whether a folder holds the exercises of a course, or once did."""
    if path.name != "exercises" or not path.is_dir():
        return False
    lessons = [each.name for each in path.iterdir() if LESSON_FILE.fullmatch(each.name)]
    if not lessons:
        return (path.parent / ".minitorch").is_dir()
    from minitorch.course import manifest

    return not {lesson.file_name for lesson in manifest.load().lessons}.isdisjoint(lessons)


def courses(paths: Iterable[Path]) -> list[Path]:
    """The course folders whose exercises these paths lie in, hold, or are."""
    found = []
    for path in paths:
        for exercises in (path / "exercises", path, *path.parents):
            if is_exercises(exercises):
                found.append(exercises.parent)
                break
    return list(dict.fromkeys(found))


def stop_at_settings(course: Path, settings: Path | None) -> None:
    """Raise UsageError when pytest would run or obey what lies in a course folder."""
    for folder in (course, course / "exercises"):
        stop_at_conftest(folder)
    if settings is not None and course in settings.resolve().parents and _sets_something(settings):
        from minitorch.course import manifest

        if settings.resolve() != manifest.PACKAGE.parent.parent / "pyproject.toml":  # a checkout's own
            raise _stopped(settings)


def stop_at_conftest(folder: Path) -> None:
    """Raise UsageError when there is a `conftest.py` in a folder: pytest would run it."""
    conftest = folder / "conftest.py"
    if conftest.exists() or conftest.is_symlink():
        raise _stopped(conftest)


def stop_at_code(course: Path) -> None:
    """Raise UsageError when code from a course folder has been run in this process."""
    for file in _loaded_from(course):
        raise _stopped(file)


def _loaded_from(course: Path) -> Iterator[Path]:
    from minitorch.course import manifest

    checkout = manifest.PACKAGE.parent.parent  # what lies in it is the course's own, but for the exercises
    theirs = course / "exercises" if course == checkout else course
    trusted = [manifest.PACKAGE.parent, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()]
    for module in list(sys.modules.values()):
        path = _file_of(module)
        if path is not None and theirs in path.parents and not any(each in path.parents for each in trusted):
            yield path


def _file_of(module: ModuleType) -> Path | None:
    name = getattr(module, "__file__", None)
    try:
        return Path(name).resolve() if isinstance(name, str) else None
    except (OSError, ValueError):
        return None


def _sets_something(settings: Path) -> bool:
    """Whether a file that pytest calls its settings holds any: `pyproject.toml` is named without, too."""
    try:
        if settings.name == "pyproject.toml":
            return "pytest" in tomllib.loads(settings.read_text(encoding="utf-8")).get("tool", {})
        if settings.name in SECTIONS:
            parser = configparser.ConfigParser(interpolation=None)
            parser.read(settings, encoding="utf-8")
            return parser.has_section(SECTIONS[settings.name])
    except (OSError, ValueError, configparser.Error):
        return True
    return True


def _stopped(file: Path) -> pytest.UsageError:
    from minitorch.language import language

    shown = f"{file.parent.name}/{file.name}"
    return pytest.UsageError(
        Message(
            "nothing was judged: pytest would run or obey {file} in the process that judges. Move "
            "it out of the course folder, or say `minitorch check --all`, which judges without it",
            file=shown,
        ).to(language())
    )

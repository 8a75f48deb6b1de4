"""Running a lesson's code in a module of its own, which nobody else sees; `yours("08")` is the learner's file so."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType, ModuleType

from minitorch.course.cards.report import one_line
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import exercise_path, read_exercises
from minitorch.course.files.syntax_errors import explained
from minitorch.course.manifest import Course, Lesson
from minitorch.course.mine import merging
from minitorch.language import Message, remarked


def own_module(course: Course, folder: Path, word: str) -> ModuleType:
    """The learner's file as it is now, as a module. word: a lesson, or an exercise of it.

    Nothing is judged, replaced or remembered. Raises CourseError when there is no such lesson, or when the file is
    missing or cannot be loaded; it says at which line.
    """
    lesson = course.lesson_of(course.select([word])[0])
    file, path = read_exercises(folder, lesson), exercise_path(folder, lesson)
    if file.problem is not None:
        raise CourseError(file.problem)
    try:
        return run(lesson, compile(file.source, str(path), "exec", dont_inherit=True), path)
    except (Exception, SystemExit) as error:
        shown = f"{path.parent.name}/{path.name}"
        raise CourseError(
            "{file} cannot be loaded: {error}", file=shown, error=told(error, path, file.source)
        ) from error


def run(lesson: Lesson, code: CodeType, path: Path | str, given: Mapping[str, object] | None = None) -> ModuleType:
    """Run a lesson's code in a fresh module, in which the names in `given` mean something already."""
    module = ModuleType(lesson.stem)
    module.__dict__.update(given or {}, __file__=str(path))
    with _findable(module):
        exec(code, module.__dict__)  # noqa: S102 - putting the learner's code together is what this is for
    return module


@contextlib.contextmanager
def _findable(module: ModuleType) -> Iterator[None]:
    """While its code runs a module can be found by its name, as `dataclasses` asks; afterwards it cannot."""
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        if before is None:
            sys.modules.pop(module.__name__, None)
        else:
            sys.modules[module.__name__] = before


def told(error: BaseException, path: Path, source: str = "") -> Message:
    """Say what was raised, and at which line of the learner's file. source: its text, where that may be no Python."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return at(explained(source, error.msg, error.lineno), error.lineno or 1, path.name)
    what = _same(f"{type(error).__name__}: {error}")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    own = [line for line in lines if line is not None and line <= merging.SHIFT]
    return at(what, own[-1], path.name) if own else what


def at(what: Message, line: int, file: str) -> Message:
    """`what` with the line and the file behind it."""
    return remarked(what, Message("line {line} of {file}", line=line, file=file))


def _same(words: str) -> Message:
    return Message.of(one_line(words))

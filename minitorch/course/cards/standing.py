"""How far the learner is: every number on the progress card, computed from the verdicts as the files are now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from minitorch.course.cards.hint_log import HintLog
from minitorch.course.files import source_code
from minitorch.course.files.course_folder import exercise_path, read_exercises
from minitorch.course.judging.verdict import Verdict
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.session import Session

MINUTES_STEP = 5  # what is left is an estimate, and is told in steps of five minutes


@dataclass(frozen=True, slots=True)
class Row:
    """One exercise: its verdict, and the steps of its hints that were shown."""

    exercise: Exercise
    verdict: Verdict
    hints: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LessonStanding:
    """One lesson with its exercises in order."""

    lesson: Lesson
    rows: tuple[Row, ...]

    @property
    def passed(self) -> int:
        """How many exercises have passed."""
        return sum(row.verdict.passed for row in self.rows)

    @property
    def minutes_left(self) -> float:
        """The lesson's minutes, shared evenly among its exercises, for those that have not passed."""
        return self.lesson.minutes * (len(self.rows) - self.passed) / max(1, len(self.rows))


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to write next, and where."""

    row: Row
    file: str  # as it is named from the course folder: "exercises/lesson_01_scalar_nodes.py"
    line: int | None  # where the definition begins; None where the file does not tell
    link: str | None  # the file's address as seen from the notebook, where it lies one folder below the course


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the learner is in some lessons of the course."""

    lessons: tuple[LessonStanding, ...]
    next: NextStep | None  # None when everything here has passed
    lesson_after: Lesson | None = None  # the one after the last of these

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every exercise, in order."""
        return tuple(row for lesson in self.lessons for row in lesson.rows)

    @property
    def passed(self) -> int:
        """How many exercises have passed."""
        return sum(lesson.passed for lesson in self.lessons)

    @property
    def points(self) -> int:
        """The points of the exercises that have passed."""
        return sum(row.exercise.points for row in self.rows if row.verdict.passed)

    @property
    def all_points(self) -> int:
        """The points of all exercises."""
        return sum(row.exercise.points for row in self.rows)

    @property
    def minutes_left(self) -> int:
        """The minutes left, about."""
        return about(sum(lesson.minutes_left for lesson in self.lessons))


def about(minutes: float) -> int:
    """Minutes rounded up to full steps of five: what is not finished never counts as 0."""
    return -int(-minutes // MINUTES_STEP) * MINUTES_STEP


def standing(session: Session, lessons: Sequence[Lesson] | None = None) -> Standing:
    """Look at some lessons, or at the whole course: saved verdicts where nothing has changed, new ones elsewhere."""
    chosen = session.course.lessons if lessons is None else tuple(lessons)
    log = HintLog(session.folder)
    verdicts = {verdict.exercise: verdict for verdict in session.status(chosen)}
    found = tuple(
        LessonStanding(
            lesson,
            tuple(Row(each, verdicts[each.name], log.shown(each.name)) for each in lesson.exercises),
        )
        for lesson in chosen
    )
    following = [lesson for lesson in session.course.lessons if chosen and lesson.order > chosen[-1].order]
    return Standing(found, _next(session.folder, found), following[0] if following else None)


def _next(folder: Path, lessons: Sequence[LessonStanding]) -> NextStep | None:
    for each in lessons:
        for row in each.rows:
            if not row.verdict.passed:
                file = f"exercises/{each.lesson.file_name}"
                return NextStep(row, file, _line(folder, each.lesson, row.exercise), _link(folder, each.lesson))
    return None


def _line(folder: Path, lesson: Lesson, exercise: Exercise) -> int | None:
    source = read_exercises(folder, lesson).source
    try:
        span = source_code.find(source, exercise.target)
    except (SyntaxError, ValueError, RecursionError):
        span = source_code.guess_span(source, exercise.target)
    return span.first if span else None


def _link(folder: Path, lesson: Lesson) -> str | None:
    """A notebook in `work/` reaches the file by a relative address, which JupyterLab opens beside it."""
    beside = Path.cwd().resolve().parent == folder.resolve() and exercise_path(folder, lesson).is_file()
    return f"../exercises/{lesson.file_name}" if beside else None

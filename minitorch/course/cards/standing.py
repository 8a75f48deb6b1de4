"""How far the learner is: every number on the progress card, computed from the verdicts as the files are now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minitorch.course.cards.following import Following, to_write
from minitorch.course.cards.hint_log import HintLog
from minitorch.course.cards.links import Links
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
class Standing:
    """How far the learner is in some lessons of the course."""

    lessons: tuple[LessonStanding, ...]
    following: Following  # what to write next, or the lesson after the last of these

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
    return Standing(found, _following(session, found))


def _following(session: Session, lessons: Sequence[LessonStanding]) -> Following:
    for each in lessons:
        for row in each.rows:
            if not row.verdict.passed:
                return to_write(session.folder, each.lesson, row.verdict, row.exercise)
    later = [lesson for lesson in session.course.lessons if lessons and lesson.order > lessons[-1].lesson.order]
    return Following(Links(session.folder), lesson=later[0] if later else None)

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
    def required(self) -> tuple[Row, ...]:
        """The exercises of the core path."""
        return tuple(row for row in self.rows if row.exercise.required)

    @property
    def more(self) -> tuple[Row, ...]:
        """The others."""
        return tuple(row for row in self.rows if not row.exercise.required)

    @property
    def passed(self) -> int:
        """How many required exercises have passed."""
        return passed(self.required)

    @property
    def minutes_left(self) -> float:
        """The lesson's minutes, shared evenly among its required exercises, for those that have not passed."""
        return self.lesson.minutes * (len(self.required) - self.passed) / max(1, len(self.required))

    @property
    def more_left(self) -> float:
        """The minutes of everything else, shared in the same way among the other exercises."""
        return self.lesson.more * (len(self.more) - passed(self.more)) / max(1, len(self.more))


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
    def required(self) -> tuple[Row, ...]:
        """The exercises of the core paths, in order."""
        return tuple(row for lesson in self.lessons for row in lesson.required)

    @property
    def passed(self) -> int:
        """How many required exercises have passed."""
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
        """The minutes left on the core path, about."""
        return about(sum(lesson.minutes_left for lesson in self.lessons))

    @property
    def more_left(self) -> int:
        """The minutes left of everything else, about."""
        return about(sum(lesson.more_left for lesson in self.lessons))


def passed(rows: Sequence[Row]) -> int:
    """How many of these have passed."""
    return sum(row.verdict.passed for row in rows)


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
    """What is required, then the lesson after these, then what is left besides."""
    left = [(each, row) for each in lessons for row in each.rows if not row.verdict.passed]
    later = [lesson for lesson in session.course.lessons if lessons and lesson.order > lessons[-1].lesson.order]
    for each, row in sorted(left, key=lambda pair: not pair[1].exercise.required):
        if row.exercise.required or not later:
            return to_write(session.folder, each.lesson, row.verdict, row.exercise)
    return Following(Links(session.folder), lesson=later[0] if later else None)

"""From verdicts to points: what an exercise, a lesson and a student reached, late days and dropped lessons included."""

from __future__ import annotations

import hashlib
import math
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from minitorch.course.files.source_code import bare
from minitorch.course.files.stubs import stub_source
from minitorch.course.grading.settings import Settings
from minitorch.course.grading.store import Graded, Result, Store
from minitorch.course.grading.submissions import Note
from minitorch.course.manifest import Exercise, Lesson
from minitorch.language import languages

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ExerciseScore:
    """What one exercise is worth, and what was reached."""

    exercise: Exercise
    points: float
    earned: float
    result: Result | None  # None where nothing was handed in, or where it could not be judged
    bonus: bool = False  # it comes on top of the whole

    @property
    def passed(self) -> bool:
        """Whether it was solved."""
        return self.result is not None and self.result.verdict.passed


@dataclass(frozen=True, slots=True)
class LessonScore:
    """What one student reached in a lesson."""

    lesson: Lesson
    graded: Graded | None  # None where nothing was handed in
    exercises: tuple[ExerciseScore, ...]
    points: float  # of the exercises that make up the whole
    earned: float  # before anything is taken off
    weight: float
    days_late: int = 0  # after the days that this student has more than others
    free_days: int = 0  # of these, the ones that cost nothing
    kept: float = 1.0  # what being late leaves of it
    dropped: bool = False
    same_as: tuple[str, ...] = ()  # students whose file is the same but for comments

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return min(1.0, self.earned / self.points) * self.kept if self.points else 0.0

    @property
    def score(self) -> float:
        """The points that count."""
        return self.share * self.points

    @property
    def flags(self) -> tuple[str, ...]:
        """What a human should look at."""
        found = {flag for each in self.exercises if each.result for flag in each.result.flags}
        return tuple(sorted(found | ({"same"} if self.same_as else set())))


@dataclass(frozen=True, slots=True)
class StudentScore:
    """What one student reached."""

    student: str
    lessons: tuple[LessonScore, ...]

    @property
    def total(self) -> float:
        """From 0 to 100."""
        counted = [each for each in self.lessons if not each.dropped and each.points]
        weight = sum(each.weight for each in counted)
        return 100 * sum(each.weight * each.share for each in counted) / weight if weight else 0.0


@dataclass(frozen=True, slots=True)
class Book:
    """The class."""

    title: str
    lessons: tuple[Lesson, ...]
    students: tuple[StudentScore, ...]
    notes: tuple[Note, ...]


def book(settings: Settings, lessons: Sequence[Lesson], store: Store) -> Book:
    """Work out what everybody reached."""
    graded = {(each.student, each.lesson): each for each in store.graded(lesson.number for lesson in lessons)}
    same = _same(graded.values(), lessons)
    students = []
    for student in store.students():
        scores = [_lesson_score(settings, lesson, graded.get((student, lesson.number))) for lesson in lessons]
        scores = [replace(each, same_as=same.get((student, each.lesson.number), ())) for each in scores]
        students.append(StudentScore(student, _dropped(settings, _late(settings, student, scores))))
    return Book(settings.title, tuple(lessons), tuple(students), store.notes())


def points_of(settings: Settings, exercise: Exercise) -> float:
    """What an exercise is worth."""
    return float(settings.points.get(exercise.name, exercise.points))


def days_late(time: datetime | None, due: datetime | None) -> int:
    """Whole days, each begun one counted; 0 where there is no time to go by."""
    if time is None or due is None or time <= due:
        return 0
    return math.ceil((time - due) / DAY)


def _lesson_score(settings: Settings, lesson: Lesson, graded: Graded | None) -> LessonScore:
    counted = [each for each in lesson.exercises if each.required or settings.more != "ignore"]
    scores = []
    for exercise in counted:
        result = graded.results.get(exercise.name) if graded else None
        points = points_of(settings, exercise)
        passed = result is not None and result.verdict.passed
        bonus = not exercise.required and settings.more == "bonus"
        scores.append(ExerciseScore(exercise, points, points if passed else 0.0, result, bonus))
    whole = sum(each.points for each in scores if not each.bonus)
    earned = sum(each.earned for each in scores)
    weight = float(settings.weights.get(lesson.number, 1.0))
    return LessonScore(lesson, graded, tuple(scores), whole, earned, weight)


def _late(settings: Settings, student: str, scores: Sequence[LessonScore]) -> list[LessonScore]:
    """Take off what being late costs. Free days are used up in the order in which lessons are due."""
    free, found = settings.late.free_days, {}
    for each in sorted(scores, key=lambda score: (_due(settings, score), score.lesson.order)):
        time = each.graded.time if each.graded else None
        days = days_late(time, settings.due.get(each.lesson.number))
        days = max(0, days - settings.extra_days.get(student, 0))
        used = min(free, days)
        free -= used
        left = days - used
        kept = 0.0 if left > settings.late.most_days else max(0.0, 1 - left * settings.late.penalty / 100)
        found[each.lesson.number] = replace(each, days_late=days, free_days=used, kept=kept)
    return [found[each.lesson.number] for each in scores]


def _due(settings: Settings, score: LessonScore) -> float:
    due = settings.due.get(score.lesson.number)
    return due.timestamp() if due else math.inf


def _dropped(settings: Settings, scores: Sequence[LessonScore]) -> tuple[LessonScore, ...]:
    """Drop the lowest, but never the last one that is left."""
    counted = [each for each in scores if each.points and each.weight]
    may_go = [each for each in counted if each.lesson.number not in settings.keep]
    may_go.sort(key=lambda score: (score.share, score.lesson.order))
    gone = {each.lesson.number for each in may_go[: max(0, min(settings.drop, len(counted) - 1))]}
    return tuple(replace(each, dropped=each.lesson.number in gone) for each in scores)


def _same(graded: Iterable[Graded], lessons: Sequence[Lesson]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Who handed in the same file, but for comments and docstrings; an untouched stub is nobody's."""
    stubs = {lesson.number: {_essence(stub_source(lesson, lang)) for lang in languages()} for lesson in lessons}
    alike: dict[tuple[str, str], list[str]] = {}
    for each in graded:
        essence = _essence(each.source)
        if each.problem is None and essence not in stubs[each.lesson]:
            alike.setdefault((each.lesson, essence), []).append(each.student)
    return {
        (student, lesson): tuple(other for other in students if other != student)
        for (lesson, _), students in alike.items()
        for student in students
        if len(students) > 1
    }


def _essence(source: str) -> str:
    try:
        text = "\n".join(line.rstrip() for line in bare(source).splitlines() if line.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError, tokenize.TokenError):
        text = source
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

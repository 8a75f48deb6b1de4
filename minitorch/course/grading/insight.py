"""What a class has understood and what it has not: counted from the results of its hand-ins, nobody's name in it.

A misconception is what the checks recognised: a known mistake that behaves as the answer does. Where nothing was
recognised, an exercise is counted as wrong and nothing is claimed about the reason.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from minitorch.course.grading.anonymous import without_names
from minitorch.course.grading.store import Graded
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.manifest import Course, Exercise
from minitorch.language import Message, remarked

EXAMPLES = 2  # of code for each misconception
BINS = 10  # of the distribution
BEHIND = 0.5  # who has less than this share of what others hand in, needs somebody


@dataclass(frozen=True, slots=True)
class Missed:
    """An idea that some of a class miss."""

    exercise: Exercise
    mistake: str  # its id
    text: Message
    students: tuple[str, ...]
    of: int  # how many handed this lesson in
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """What a class made of one exercise."""

    exercise: Exercise
    passed: int
    wrong: int  # with a value that is not right
    stopped: int  # an error, no time, no memory
    not_started: int
    median_s: float
    longest_s: float

    @property
    def count(self) -> int:
        """How many there are."""
        return self.passed + self.wrong + self.stopped + self.not_started


@dataclass(frozen=True, slots=True)
class Standing:
    """One student, as the class page lists them."""

    student: str
    passed: int
    of: int  # required exercises of the lessons that are graded
    share: float  # of the points
    missing: tuple[str, ...]  # lessons that were not handed in
    stopped: tuple[tuple[str, Message], ...]  # lessons of which no answer got as far as a value, and why
    flags: tuple[str, ...]
    alike: tuple[str, ...] = ()  # students with the same code

    @property
    def needs_help(self) -> bool:
        """Whether somebody should ask how it goes."""
        return self.share < BEHIND


@dataclass(frozen=True, slots=True)
class Insight:
    """A class."""

    missed: tuple[Missed, ...]
    answers: tuple[Answers, ...]
    standings: tuple[Standing, ...]

    @property
    def distribution(self) -> tuple[int, ...]:
        """How many students have 0 to 10 % of the points, 10 to 20 % and so on; all of the points is in the last."""
        found = Counter(min(int(BINS * each.share), BINS - 1) for each in self.standings)
        return tuple(found[number] for number in range(BINS))

    @property
    def helped(self) -> tuple[Standing, ...]:
        """Who needs help, those with the least first."""
        return tuple(sorted((each for each in self.standings if each.needs_help), key=lambda each: each.share))

    @property
    def slowest(self) -> Answers | None:
        """The exercise whose answers take longest to be judged, half of them longer."""
        return max(self.answers, key=lambda each: each.median_s, default=None)

    @property
    def hardest(self) -> Answers | None:
        """The exercise that the smallest share of those who began it has passed."""
        begun = [each for each in self.answers if each.count > each.not_started]
        return min(begun, key=lambda each: each.passed / (each.count - each.not_started), default=None)


def insight(
    graded: Sequence[Graded],
    course: Course,
    lessons: Sequence[str],
    students: Sequence[str],
    shares: Mapping[str, float] | None = None,
    alike: Mapping[str, tuple[str, ...]] | None = None,
) -> Insight:
    """Count what there is of these lessons and students.

    shares: each student's share of the points; where they are not given, the share of required exercises that passed.
    alike: for each student those who handed in the same code.
    """
    chosen = [course.lesson(number) for number in lessons]
    exercises = [exercise for lesson in chosen for exercise in lesson.exercises]
    by_lesson = {lesson.number: [each for each in graded if each.lesson == lesson.number] for lesson in chosen}
    answers = [_answers(exercise, by_lesson[exercise.lesson]) for exercise in exercises]
    ours = {lesson.number: lesson.solution_source() for lesson in chosen}
    missed = [
        row for exercise in exercises for row in _missed(exercise, by_lesson[exercise.lesson], ours[exercise.lesson])
    ]
    missed.sort(key=lambda row: -len(row.students))
    required = [exercise for exercise in exercises if exercise.required]
    own: dict[str, dict[str, Graded]] = {student: {} for student in students}
    for each in graded:
        own.setdefault(each.student, {})[each.lesson] = each
    standings = [_standing(student, own[student], required, lessons, shares) for student in sorted(own)]
    standings = [replace(each, alike=(alike or {}).get(each.student, ())) for each in standings]
    return Insight(tuple(missed), tuple(each for each in answers if each.count), tuple(standings))


def _answers(exercise: Exercise, graded: Iterable[Graded]) -> Answers:
    results = [each.results[exercise.name] for each in graded if exercise.name in each.results]
    kinds = Counter(result.verdict.kind for result in results)
    passed = kinds[Kind.PASSED] + kinds[Kind.PASSED_BUT]
    begun = [result.seconds for result in results if result.verdict.kind is not Kind.NOT_STARTED] or [0.0]
    return Answers(
        exercise,
        passed,
        kinds[Kind.WRONG],
        len(results) - passed - kinds[Kind.WRONG] - kinds[Kind.NOT_STARTED],
        kinds[Kind.NOT_STARTED],
        statistics.median(begun),
        max(begun),
    )


def _missed(exercise: Exercise, graded: Sequence[Graded], ours: str) -> list[Missed]:
    """The known mistakes that were recognised in the answers to one exercise."""
    found: dict[str, list[tuple[Graded, Verdict]]] = {}
    for each in graded:
        result = each.results.get(exercise.name)
        for mistake in () if result is None else (result.verdict.diagnosis, result.verdict.also):
            if result is not None and mistake is not None:
                found.setdefault(mistake, []).append((each, result.verdict))
    return [
        Missed(
            exercise,
            mistake,
            _told(mistake, [verdict for _, verdict in rows]),
            tuple(sorted(each.student for each, _ in rows)),
            len(graded),
            _examples(exercise, [each for each, verdict in rows if verdict.also is None] or [rows[0][0]], ours),
        )
        for mistake, rows in found.items()
    ]


def _told(mistake: str, verdicts: Iterable[Verdict]) -> Message:
    """The sentence on a mistake: of a verdict that names it alone, where there is one."""
    ranked = sorted(
        verdicts,
        key=lambda verdict: (verdict.diagnosis != mistake, verdict.also is not None, len(verdict.reason.to("en"))),
    )
    return ranked[0].reason


def _examples(exercise: Exercise, graded: Iterable[Graded], ours: str) -> tuple[str, ...]:
    """The code of some who made a mistake, short ones first, no two alike."""
    codes = (each.function(exercise.target) for each in graded)
    shown = (without_names(code, exercise.target, ours) for code in codes if code is not None)
    return tuple(sorted({code for code in shown if code is not None}, key=lambda code: (len(code), code))[:EXAMPLES])


def _standing(
    student: str,
    own: Mapping[str, Graded],
    required: Sequence[Exercise],
    lessons: Sequence[str],
    shares: Mapping[str, float] | None,
) -> Standing:
    results = {name: result for each in own.values() for name, result in each.results.items()}
    passed = sum(each.name in results and results[each.name].verdict.passed for each in required)
    share = passed / max(len(required), 1) if shares is None else shares.get(student, 0.0)
    missing = [number for number in lessons if number not in own]
    reasons = {number: _stopped(own[number]) for number in lessons if number in own}
    stopped = [(number, why) for number, why in reasons.items() if why is not None]
    flags = sorted({flag for result in results.values() for flag in result.flags})
    return Standing(student, passed, len(required), share, tuple(missing), tuple(stopped), tuple(flags))


def _stopped(graded: Graded) -> Message | None:
    """Why no answer of a hand-in got as far as a value: what stopped the first one. None where one did."""
    if graded.problem is not None:
        return graded.problem
    verdicts = [result.verdict for result in graded.results.values()]
    if not verdicts:
        return Message("could not be judged ({why})", why=graded.failure) if graded.failure else None
    if any(each.passed or each.kind is Kind.WRONG for each in verdicts):
        return None
    first = next((each for each in verdicts if each.kind is not Kind.NOT_STARTED), None)
    if first is None:
        return Message("nothing is begun")
    if first.place is None or first.kind is Kind.TIMEOUT:  # whose sentence names its line
        return first.reason
    return remarked(first.reason, Message("line {line}", line=first.place.line))

"""The list of lessons: read from the `lesson.toml` files, and from nowhere else.

    >>> course = load()
    >>> [lesson.number for lesson in course.lessons][:4]
    ['00', '01', '02', '03']

A lesson's number is a label: "08", or "C1" for a checkpoint. Where it stands in the course its `order` says.

A course is a folder of lesson data (toml, checks, mistakes, quizzes) plus a folder of solutions. Stubs are not
kept anywhere: they are the solutions with the bodies of the exercises taken out.
"""

from __future__ import annotations

import difflib
import functools
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from minitorch.course.course_error import CourseError
from minitorch.language import N_, Message, either

PACKAGE = Path(__file__).parent
MOST_REQUIRED = 4  # exercises of a lesson, from the second edition on
EXERCISE_MINUTES = (8, 10, 12)  # the least, what it is where nothing is said, the most
NEAR = 0.7  # how alike two words are when one may be a slip for the other
LABEL = re.compile(r"[0-9]{2}|[A-Z][0-9]+")


@dataclass(frozen=True, slots=True)
class Exercise:
    """One function, class or method that the learner writes."""

    name: str
    lesson: str  # the lesson's number, "01"
    target: str  # qualified name in the learner's file, "Value.__add__"
    checks: int  # how many cases are judged: not one more, not one less
    points: int
    asks: Message
    hints: tuple[Message, ...]
    needs: tuple[str, ...] = ()  # the exercises of the lesson that a right answer calls
    required: bool = True  # on the core path; the others are "more"
    transfer: bool = False  # the one that no example of the lesson shows
    minutes: int = EXERCISE_MINUTES[1]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson, as its `lesson.toml` describes it."""

    number: str  # a label: "08", "C1"
    order: int  # where it stands in the course: before every lesson with a larger one
    slug: str
    folder: Path = field(repr=False)
    solution: Path = field(repr=False)
    title: Message
    summary: Message
    minutes: int  # of the core path
    prerequisites: tuple[str, ...]
    exercises: tuple[Exercise, ...]
    more: int = 0  # the minutes of everything else
    edition: int = 1  # 2: it follows all that docs/writing-a-lesson.md says of the second edition
    checkpoint: bool = False  # a test of what is known by now: no hints
    engine: bool = True  # whether pieces of an engine are written in it

    @property
    def required(self) -> tuple[Exercise, ...]:
        """The exercises of the core path, in order."""
        return tuple(exercise for exercise in self.exercises if exercise.required)

    @property
    def stem(self) -> str:
        """The name of the lesson's files without suffix: `lesson_01_scalar_nodes`."""
        return f"lesson_{self.number}_{self.slug}"

    @property
    def file_name(self) -> str:
        """The name of the learner's file: `lesson_01_scalar_nodes.py`."""
        return f"{self.stem}.py"

    @property
    def notebook_name(self) -> str:
        """The name of the lesson's notebook: `01_scalar_nodes.ipynb`."""
        return f"{self.number}_{self.slug}.ipynb"

    @property
    def known_mistakes(self) -> Path:
        """The table that a wheel or a hand-out carries, so that a diagnosis needs no solution; a checkout has none."""
        return self.folder / "known_mistakes.json"

    def solution_source(self) -> str:
        """The text of the solution. Raises CourseError when the material holds none."""
        try:
            return self.solution.read_text(encoding="utf-8")
        except OSError as error:
            raise CourseError(f"the solution of lesson {self.number} is missing: {self.solution.name}") from error


@dataclass(frozen=True)
class Course:
    """All lessons in order."""

    lessons: tuple[Lesson, ...]

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Every exercise of the course, in order."""
        return tuple(exercise for lesson in self.lessons for exercise in lesson.exercises)

    @property
    def more_names(self) -> frozenset[str]:
        """The names of the exercises that are not required."""
        return frozenset(exercise.name for exercise in self.exercises if not exercise.required)

    @property
    def minutes(self) -> int:
        """The minutes of all core paths together."""
        return sum(lesson.minutes for lesson in self.lessons)

    @property
    def more(self) -> int:
        """The minutes of everything else together."""
        return sum(lesson.more for lesson in self.lessons)

    def lesson(self, key: str) -> Lesson:
        """The lesson with this number, slug or file name. Raises CourseError with the nearest names."""
        lesson = self._find_lesson(key)
        if lesson is None:
            raise CourseError(self._unknown(N_("there is no lesson {word}; {more}"), key))
        return lesson

    def exercise(self, name: str) -> Exercise:
        """The exercise called `name`. Raises CourseError with the nearest names."""
        for exercise in self.exercises:
            if exercise.name == name:
                return exercise
        raise CourseError(self._unknown(N_("there is no exercise {word}; {more}"), name))

    def named_lessons(self, words: Iterable[str]) -> tuple[Lesson, ...]:
        """The lessons that `words` name, each once and in course order; all of them where there are no words.

        Raises CourseError when a word names none.
        """
        chosen = {self.lesson(word).number for word in words}
        return tuple(lesson for lesson in self.lessons if not chosen or lesson.number in chosen)

    def lesson_of(self, exercise: Exercise) -> Lesson:
        """The lesson that holds `exercise`."""
        return self.lesson(exercise.lesson)

    def select(self, words: Iterable[str]) -> tuple[Exercise, ...]:
        """The exercises named by `words`: names of exercises or lessons, each exercise once, in course order.

        Raises CourseError when a word names neither; the message offers the nearest names.
        """
        chosen: set[str] = set()
        names = {exercise.name for exercise in self.exercises}
        for word in words:
            lesson = self._find_lesson(word) if word not in names else None  # "backward" is a lesson's slug as well
            if lesson is not None:
                chosen.update(exercise.name for exercise in lesson.exercises)
                continue
            try:
                chosen.add(self.exercise(word).name)
            except CourseError:
                raise CourseError(self._unknown(N_("there is no exercise or lesson {word}; {more}"), word)) from None
        return tuple(exercise for exercise in self.exercises if exercise.name in chosen)

    def _find_lesson(self, key: str) -> Lesson | None:
        stem = Path(key).stem if "/" in key or "\\" in key or key.endswith((".py", ".ipynb")) else key
        word = as_label(stem[7:] if stem[:7].casefold() == "lesson_" else stem).casefold()
        for lesson in self.lessons:
            names = {lesson.number, lesson.slug, f"{lesson.number}_{lesson.slug}"}
            if word in {name.casefold() for name in names}:
                return lesson
        return None

    def _unknown(self, key: str, word: str) -> Message:
        """The sentence `key` about a word that names nothing, with the nearest names or all of them."""
        names = [exercise.name for exercise in self.exercises]
        names += [key for lesson in self.lessons for key in (lesson.number, lesson.slug)]
        if LABEL.fullmatch(as_label(word)):
            return Message(
                key,
                word=repr(word),
                more=Message("the lessons are: {names}", names=", ".join(each.number for each in self.lessons)),
            )
        near = difflib.get_close_matches(word.lower(), dict.fromkeys(names), n=3, cutoff=NEAR)
        near = near or [name for name in dict.fromkeys(names) if word.lower() in name.split("_")][:3]
        more = (
            Message("did you mean {names}?", names=either(near))
            if near
            else Message("`minitorch status` lists the lessons, and `minitorch status 01` the exercises of one")
        )
        return Message(key, word=repr(word), more=more)


def as_label(word: str) -> str:
    """A lesson's number as it is written in the course: "6" is "08", "c1" is "C1"; another word as it is."""
    label = word.zfill(2) if word.isdigit() else word.upper()
    return label if LABEL.fullmatch(label) else word


def material() -> Path:
    """The folder that holds `notebooks/` and `solutions/`: the checkout's root, or the wheel's own copy."""
    shipped = PACKAGE / "material"
    return shipped if shipped.is_dir() else PACKAGE.parent.parent


def lessons_root() -> Path:
    """The folder of the lessons' data."""
    return PACKAGE / "lessons"


def load(lessons: Path | None = None, solutions: Path | None = None, elsewhere: tuple[str, ...] = ()) -> Course:
    """Read the course. Another course than the shipped one is read by naming its two folders.

    elsewhere: the numbers of lessons of another course that these may build on.
    Raises CourseError when a `lesson.toml` is missing something or says something impossible.
    """
    return _load(lessons or lessons_root(), solutions or material() / "solutions", elsewhere)


@functools.cache
def _load(lessons: Path, solutions: Path, elsewhere: tuple[str, ...]) -> Course:
    found = [_lesson(path, solutions) for path in sorted(lessons.glob("lesson_*/lesson.toml"))]
    found.sort(key=lambda lesson: lesson.order)
    for before, after in pairwise(found):
        if before.order == after.order:
            raise CourseError(f"lessons {before.number} and {after.number} have the same order, {after.order}")
    names = [exercise.name for lesson in found for exercise in lesson.exercises]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise CourseError(f"an exercise's name is used twice in the course: {', '.join(twice)}")
    for lesson in found:
        earlier: set[str] = set()
        for exercise in lesson.exercises:
            if not earlier.issuperset(exercise.needs):
                raise CourseError(f"{exercise.name} needs an exercise that does not come before it in its lesson")
            earlier.add(exercise.name)
    before_it = set(elsewhere)
    for lesson in found:
        unknown = [number for number in lesson.prerequisites if number not in before_it]
        if unknown:
            raise CourseError(f"lesson {lesson.number} builds on lesson {unknown[0]}, which does not come before it")
        before_it.add(lesson.number)
    return Course(tuple(found))


def _lesson(path: Path, solutions: Path) -> Lesson:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        lesson = Lesson(
            number=table["number"],
            order=table["order"],
            slug=table["slug"],
            folder=path.parent,
            solution=solutions / f"lesson_{table['number']}_{table['slug']}.py",
            title=Message.of(table["title"]),
            summary=Message.of(table["summary"]),
            minutes=table["minutes"],
            prerequisites=tuple(table["prerequisites"]),
            exercises=tuple(_exercise(row, table["number"]) for row in table["exercise"]),
            checkpoint=table.get("checkpoint", False),
            engine=table.get("engine", not table.get("checkpoint", False)),
            more=table.get("more", 0),
            edition=table.get("edition", 1),
        )
        _must_fit(lesson)
    except (KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{path.parent.name}/lesson.toml: {type(error).__name__}: {error}") from error
    if lesson.stem != path.parent.name:
        raise CourseError(f"{path.parent.name}/lesson.toml describes {lesson.stem}: folder and file must agree")
    return lesson


def _must_fit(lesson: Lesson) -> None:
    """Raise ValueError when what the file says of the lesson cannot be."""
    if not LABEL.fullmatch(lesson.number):
        raise ValueError(f"the number {lesson.number!r} must be two digits, or a capital letter and digits")
    if type(lesson.order) is not int:
        raise ValueError(f"the order must be a whole number, not {lesson.order!r}")
    if lesson.checkpoint and any(exercise.hints for exercise in lesson.exercises):
        raise ValueError("a checkpoint has no hints")
    if lesson.edition not in (1, 2):
        raise ValueError(f"the edition must be 1 or 2, not {lesson.edition!r}")
    not_required = {exercise.name for exercise in lesson.exercises if not exercise.required}
    for exercise in lesson.required:
        if exercise.transfer:
            raise ValueError(f"{exercise.name}: a transfer exercise is not required")
        if found := not_required.intersection(exercise.needs):
            raise ValueError(f"{exercise.name} is required and needs one that is not: {', '.join(sorted(found))}")
    if lesson.edition == 2:
        if len(lesson.required) > MOST_REQUIRED:
            raise ValueError(f"{len(lesson.required)} exercises are required, and {MOST_REQUIRED} are the most")
        if not lesson.checkpoint and sum(exercise.transfer for exercise in lesson.exercises) != 1:
            raise ValueError("exactly one exercise has transfer = true")


def _exercise(row: dict[str, Any], number: str) -> Exercise:
    exercise = Exercise(
        name=row["name"],
        lesson=number,
        target=row["target"],
        checks=row["checks"],
        points=row.get("points", 1),
        asks=Message.of(row["asks"]),
        hints=tuple(Message.of(hint) for hint in row.get("hint", ())),
        needs=tuple(row.get("needs", ())),
        required=row.get("required", True),
        transfer=row.get("transfer", False),
        minutes=row.get("minutes", EXERCISE_MINUTES[1]),
    )
    if not re.fullmatch(r"[a-z][a-z0-9_]*", exercise.name):
        raise ValueError(f"the exercise's name {exercise.name!r} must be lower case letters, digits and _")
    if exercise.checks < 1:
        raise ValueError(f"{exercise.name}: an exercise without checks would always pass")
    if not EXERCISE_MINUTES[0] <= exercise.minutes <= EXERCISE_MINUTES[-1]:
        raise ValueError(f"{exercise.name}: an exercise takes 8 to 12 minutes, not {exercise.minutes}")
    return exercise

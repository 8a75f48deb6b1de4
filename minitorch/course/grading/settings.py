"""`course.toml`: what is graded and how it counts. Every key may be left out; a wrong one is told in one sentence."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from minitorch.course.course_error import CourseError
from minitorch.course.grading.courses import chosen, course_with
from minitorch.course.manifest import Course, Lesson
from minitorch.language import Message, languages

MORE = ("bonus", "count", "ignore")
PLACE = re.compile(r"\(at (?:line (?P<line>\d+)|end of document)")  # where TOML's reader stopped
DUE = re.compile(r"\[\s*due\s*\]")


@dataclass(frozen=True, slots=True)
class Late:
    """What a late hand-in costs."""

    free_days: int = 0  # of all lessons together, for each student
    penalty: float = 10.0  # percent of what was reached, for each day more
    most_days: int = 7  # after so many days nothing counts


@dataclass(frozen=True, slots=True)
class Settings:
    """What an instructor decided."""

    title: str = "minitorch"
    language: str = "en"
    lessons: tuple[str, ...] = ()  # numbers; all of them where empty
    own: Path | None = None
    more: str = MORE[0]  # exercises that are not required: on top, like the others, or not at all
    points: Mapping[str, float] = field(default_factory=dict)  # by exercise
    weights: Mapping[str, float] = field(default_factory=dict)  # by lesson
    due: Mapping[str, datetime] = field(default_factory=dict)
    late: Late = Late()
    extra_days: Mapping[str, int] = field(default_factory=dict)  # by student
    drop: int = 0  # so many of the lowest lessons do not count
    keep: frozenset[str] = frozenset()  # lessons that are never dropped

    @property
    def course(self) -> Course:
        """All lessons there are, the instructor's own among them."""
        return course_with(self.own)

    def graded_lessons(self, words: Iterable[str] = ()) -> tuple[Lesson, ...]:
        """The lessons that are graded: those that `words` name, or else the file's."""
        return chosen(self.course, tuple(words) or self.lessons)


def read(path: Path, own: Path | None = None) -> Settings:
    """Read the file. Raises CourseError with a sentence that names the key and says what is allowed.

    own: where the instructor's own lessons are by now, if they are elsewhere.
    """
    try:
        return parsed(path.read_text(encoding="utf-8"), path, own)
    except OSError as error:
        raise CourseError(
            "{file} cannot be read ({why}); it must be a regular file", file=path, why=error.strerror
        ) from None
    except UnicodeDecodeError:
        raise CourseError("{file} is not UTF-8 text: save it with the encoding UTF-8", file=path) from None


def without_times(settings: Settings) -> Settings:
    """The same for a place that has due dates of its own, and judges each hand-in by itself."""
    return replace(settings, due={}, late=Late(), extra_days={}, drop=0)


def parsed(text: str, path: Path, own: Path | None = None) -> Settings:
    """Read a text as the file `path`; folders in it are looked for beside it."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CourseError(_broken(text, path.name, str(error))) from None
    return _Reader(path, table, own).settings()


def _broken(text: str, file: str, why: str) -> Message:
    """What is said of a text that is no TOML. In [due] it is most often a date, which has to be written in one way."""
    place = PLACE.search(why)
    lines = [line.strip() for line in text.splitlines()]
    number = int(place["line"] or len(lines)) if place else 0
    *before, broken = lines[:number] or [""]
    sections = [line for line in before if line.startswith("[")]
    if sections and DUE.match(sections[-1]) and not broken.startswith("["):
        return Message(
            '{file}, line {line}: a line of [due] is a lesson and a date, such as "02" = '
            '2026-10-01, or a time, such as "02" = 2026-10-01T20:00:00 ({why})',
            file=file,
            line=number,
            why=why,
        )
    return Message("{file} is not written as TOML: {why}", file=file, why=why)


class _Reader:
    """One file, key by key."""

    def __init__(self, path: Path, table: dict[str, Any], own: Path | None) -> None:
        self.path, self.table, self.own = path, table, own

    def settings(self) -> Settings:
        known = "title language timezone lessons own_lessons more points weights due late extra_days drop"
        self._only(self.table, "", known.split())
        own = self._own()
        course = course_with(own)
        zone = self._zone()
        lessons = self._value(
            "", self.table, "lessons", [], _words, Message('a list of texts, such as ["01", "02-04"]')
        )
        late, drop = self._section("late"), self._section("drop")
        self._only(late, "late", ["free_days", "penalty", "most_days"])
        self._only(drop, "drop", ["lowest", "keep"])
        usual = Late()
        days, percent = Message("a whole number from 0 to 1000"), Message("a number from 0 to 100")
        try:
            numbers = tuple(each.number for each in chosen(course, lessons)) if lessons else ()
        except CourseError as error:
            raise self._wrong("lessons", Message.of(str(error))) from None
        return Settings(
            title=self._value("", self.table, "title", "minitorch", _text, Message("a text")),
            language=self._value("", self.table, "language", "en", _one_of(languages()), _choice(languages())),
            lessons=numbers,
            own=own,
            more=self._value("", self.table, "more", MORE[0], _one_of(MORE), _choice(MORE)),
            points=self._each(
                "points", [one.name for one in course.exercises], _amount, Message("a number from 0 to 1,000,000")
            ),
            weights=self._each("weights", self._numbers(course), _amount, Message("a number from 0 to 1,000,000")),
            due=self._each(
                "due",
                self._numbers(course),
                lambda value: _moment(value, zone),
                Message("a date such as 2026-10-01, or a time such as 2026-10-01T20:00:00, without quotation marks"),
            ),
            late=Late(
                self._value("late", late, "free_days", usual.free_days, _days, days),
                self._value("late", late, "penalty", usual.penalty, _percent, percent),
                self._value("late", late, "most_days", usual.most_days, _days, days),
            ),
            extra_days=self._each("extra_days", None, _days, days),
            drop=self._value("drop", drop, "lowest", 0, _days, days),
            keep=frozenset(self._kept(course, drop)),
        )

    def _own(self) -> Path | None:
        name: str | None = self._value("", self.table, "own_lessons", None, _text, Message("a text"))
        if name is None or self.own is not None:
            return self.own
        folder = self.path.parent.resolve() / name
        if not folder.is_dir():
            raise self._wrong("own_lessons", Message("a folder beside this file, and {folder} is none", folder=name))
        return folder

    def _zone(self) -> tzinfo:
        name = self._value("", self.table, "timezone", None, _text, Message("a text"))
        if name is None:
            return datetime.now(UTC).astimezone().tzinfo or UTC
        try:
            return ZoneInfo(name)
        except (OSError, ValueError, KeyError):
            raise self._wrong(
                "timezone",
                Message("a time zone such as Europe/Madrid, and {name} is none that is known here", name=name),
            ) from None

    def _kept(self, course: Course, drop: dict[str, Any]) -> list[str]:
        words = self._value("drop", drop, "keep", [], _words, Message('a list of texts, such as ["01", "02-04"]'))
        try:
            return [course.lesson(word).number for word in words]
        except CourseError as error:
            raise self._wrong("drop.keep", Message.of(str(error))) from None

    def _section(self, name: str) -> dict[str, Any]:
        table = self.table.get(name, {})
        if not isinstance(table, dict):
            raise self._wrong(name, Message("a section of its own, [name]"))
        return table

    def _each(
        self, section: str, names: list[str] | None, read: Callable[[Any], Any], allowed: Message
    ) -> dict[str, Any]:
        table = self._section(section)
        if names is not None:
            self._only(table, section, names)
        return {name: self._value(section, table, name, None, read, allowed) for name in table}

    def _value(
        self, section: str, table: dict[str, Any], name: str, usual: Any, read: Callable[[Any], Any], allowed: Message
    ) -> Any:
        if name not in table:
            return usual
        try:
            return read(table[name])
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(f"{section}.{name}" if section else name, allowed) from None

    def _only(self, table: dict[str, Any], section: str, names: list[str]) -> None:
        for name in table:
            if name not in names:
                near = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names
                key = f"{section}.{name}" if section else name
                raise CourseError(
                    "{file}: there is no key {name}; near it are: {names}",
                    file=self.path.name,
                    name=key,
                    names=", ".join(near),
                )

    @staticmethod
    def _numbers(course: Course) -> list[str]:
        return [lesson.number for lesson in course.lessons]

    def _wrong(self, key: str, allowed: Message) -> CourseError:
        return CourseError("{file}: {name} must be {allowed}", file=self.path.name, name=key, allowed=allowed)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value


def _words(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return [_text(each) for each in value]


def _one_of(names: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in names:
            raise ValueError
        return str(value)

    return read


def _choice(names: tuple[str, ...]) -> Message:
    return Message("one of {names}", names=", ".join(f'"{name}"' for name in names))


def _amount(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError
    if not math.isfinite(value) or not 0 <= value <= 1e6:
        raise ValueError
    return float(value)


def _percent(value: Any) -> float:
    if _amount(value) > 100:
        raise ValueError
    return _amount(value)


def _days(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    if not 0 <= value <= 1000:
        raise ValueError
    return value


def _moment(value: Any, zone: tzinfo) -> datetime:
    """A date is due when its day ends."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=zone)
    if isinstance(value, date):
        return datetime.combine(value, time(23, 59, 59), zone)
    raise TypeError

"""The verdict on one exercise: seven kinds, one record, the same words wherever it is shown."""

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass, fields
from typing import Any, Self, TypeVar, get_type_hints

from minitorch.language import Message

R = TypeVar("R")


class Kind(enum.StrEnum):
    """What a verdict says."""

    NOT_STARTED = "not started"
    WRONG = "wrong"
    ERROR = "error"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"
    PASSED = "passed"
    PASSED_BUT = "passed, but"

    @property
    def passed(self) -> bool:
        """Whether the exercise counts as solved."""
        return self in (Kind.PASSED, Kind.PASSED_BUT)

    def to(self, lang: str) -> str:
        """The kind's name in `lang`."""
        return NAMES[self].to(lang)


NAMES = {
    Kind.NOT_STARTED: Message("not started"),
    Kind.WRONG: Message("wrong"),
    Kind.ERROR: Message("error"),
    Kind.TIMEOUT: Message("timeout"),
    Kind.OUT_OF_MEMORY: Message("out of memory"),
    Kind.PASSED: Message("passed"),
    Kind.PASSED_BUT: Message("passed, but"),
}
SIGNS = {
    Kind.NOT_STARTED: "○",
    Kind.WRONG: "✗",
    Kind.ERROR: "!",
    Kind.TIMEOUT: "◷",
    Kind.OUT_OF_MEMORY: "!",
    Kind.PASSED: "✓",
    Kind.PASSED_BUT: "✓",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the learner's file."""

    file: str
    line: int
    function: str
    source: str  # the line's own text
    column: int | None = None  # counted from 1, where a syntax error points at one


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about one exercise."""

    exercise: str
    lesson: str
    kind: Kind
    reason: Message  # one sentence; empty for "passed"
    asks: Message
    input: str | None = None  # the smallest failing case
    line: str | None = None  # the same as a line of Python that can be copied and run
    expected: str | Message | None = None  # a Message where words stand in it
    got: str | Message | None = None
    finding: Message | None = None  # what the judge saw, where the reason is a diagnosis
    diagnosis: str | None = None  # the id of the known-wrong version that behaves the same
    also: str | None = None  # the id of a second one, where two mistakes were made
    hint: Message | None = None
    place: Place | None = None
    printed: str = ""
    checks_run: int = 0
    checks: int = 0

    @property
    def passed(self) -> bool:
        """Whether the exercise counts as solved."""
        return self.kind.passed

    def as_dict(self) -> dict[str, Any]:
        """The verdict as plain data, ready for JSON."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        plain = {name: each.as_dict() if isinstance(each, Message) else each for name, each in said.items()}
        return plain | {"kind": self.kind.value, "place": None if self.place is None else asdict(self.place)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read what `as_dict` made. Raises KeyError, TypeError or ValueError when it is something else."""
        known = {field.name: data[field.name] for field in fields(cls)}
        known["kind"] = Kind(data["kind"])
        for name in ("reason", "asks", "hint", "finding"):
            known[name] = None if data[name] is None else Message.from_dict(data[name])
        for name in ("expected", "got"):
            known[name] = Message.from_dict(data[name]) if isinstance(data[name], dict) else data[name]
        known["place"] = None if data["place"] is None else well_typed(Place(**data["place"]))
        return well_typed(cls(**known))


def well_typed(record: R) -> R:
    """The record itself, if each field holds what its annotation says: a file may hold anything. Raises TypeError."""
    for name, kind in get_type_hints(type(record)).items():
        value = getattr(record, name)
        if not isinstance(value, kind):
            raise TypeError(f"{type(record).__name__}: {name} cannot be {value!r}")
    return record

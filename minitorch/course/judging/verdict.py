"""The verdict on one exercise: seven kinds, one record, the same words wherever it is shown."""

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass, fields
from typing import Any, Self, TypeVar, get_type_hints

from minitorch.language import Text, sentence

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
    Kind.NOT_STARTED: sentence("not started", "sin empezar"),
    Kind.WRONG: sentence("wrong", "mal"),
    Kind.ERROR: sentence("error", "error"),
    Kind.TIMEOUT: sentence("timeout", "tiempo agotado"),
    Kind.OUT_OF_MEMORY: sentence("out of memory", "sin memoria"),
    Kind.PASSED: sentence("passed", "superado"),
    Kind.PASSED_BUT: sentence("passed, but", "superado, pero"),
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
    reason: Text  # one sentence; empty for "passed"
    asks: Text
    input: str | None = None  # the smallest failing case
    line: str | None = None  # the same as a line of Python that can be copied and run
    expected: str | Text | None = None  # a Text where words stand in it
    got: str | Text | None = None
    finding: Text | None = None  # what the judge saw, where the reason is a diagnosis
    diagnosis: str | None = None  # the id of the known-wrong version that behaves the same
    also: str | None = None  # the id of a second one, where two mistakes were made
    hint: Text | None = None
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
        plain = {name: each.as_dict() if isinstance(each, Text) else each for name, each in said.items()}
        return plain | {"kind": self.kind.value, "place": None if self.place is None else asdict(self.place)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read what `as_dict` made. Raises KeyError, TypeError or ValueError when it is something else."""
        known = {field.name: data[field.name] for field in fields(cls)}
        known["kind"] = Kind(data["kind"])
        for name in ("reason", "asks", "hint", "finding"):
            known[name] = None if data[name] is None else Text.from_dict(data[name])
        for name in ("expected", "got"):
            known[name] = Text.from_dict(data[name]) if isinstance(data[name], dict) else data[name]
        known["place"] = None if data["place"] is None else well_typed(Place(**data["place"]))
        return well_typed(cls(**known))


def well_typed(record: R) -> R:
    """The record itself, if each field holds what its annotation says: a file may hold anything. Raises TypeError."""
    for name, kind in get_type_hints(type(record)).items():
        value = getattr(record, name)
        if not isinstance(value, kind):
            raise TypeError(f"{type(record).__name__}: {name} cannot be {value!r}")
    return record

"""What happened when the learner's code was called once: a plain value, or the reason why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from minitorch.course import wire
from minitorch.course.values import mark

DUMPED = re.compile(r'File "([^"]+)", line (\d+) in (\S+)')
ANSWERS = frozenset(
    {"loaded", "value", "raised", "memory", "missing", "not callable", "syntax", "unsendable", "settled"}
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in the learner's file."""

    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call's outcome.

    kind: "value", or why there is none: "raised", "memory", "missing", "not callable", "syntax", "unsendable",
    "timeout", "crashed" (a fault inside the interpreter), "killed", "exited", "protocol".
    """

    kind: str
    value: Any = None
    error: str = ""  # the exception's type
    text: str = ""
    frames: tuple[Frame, ...] = ()  # the learner's own, the innermost last
    column: int | None = None  # of a syntax error
    printed: str = ""
    patched: tuple[str, ...] = ()
    loading: bool = False  # it happened while the file was loaded, not in a call
    limit_s: float = 0.0
    code: int | None = None  # the exit code of a child that ended itself

    @property
    def ended_the_child(self) -> bool:
        """Whether the process is gone: the function that did this is not called again."""
        return self.kind in {"timeout", "crashed", "killed", "exited", "protocol"}

    @property
    def place(self) -> Frame | None:
        """The innermost place in the learner's file, where one is known."""
        return self.frames[-1] if self.frames else None

    @property
    def mark(self) -> str:
        """A text that is equal for outcomes that are the same behaviour, prints aside."""
        if self.kind == "value":
            return mark(self.value)
        return f"!{self.kind} {self.error} {'' if self.frames else 'outside'}"


def from_answer(header: dict[str, Any], body: bytes) -> Outcome:
    """Return the outcome that a child's answer describes. Raises WireError for an answer no child would give."""
    kind = header.get("is")
    if kind not in ANSWERS:
        raise wire.WireError("an answer of an unknown kind")
    line = header.get("line")
    frames = header.get("frames", [])
    if kind == "syntax":
        frames = [[line, ""]] if type(line) is int else []
    patched = header.get("patched", [])
    if type(frames) is not list or type(patched) is not list:
        raise wire.WireError("an answer that is not what it should be")
    column = header.get("column")
    return Outcome(
        kind=kind,
        value=wire.decode(header.get("value"), body) if kind == "value" else None,
        error=_text(header.get("type", "")),
        text=_text(header.get("text", "")),
        frames=tuple(_frame(each) for each in frames[:8]),
        column=column if type(column) is int else None,
        patched=tuple(_text(name) for name in patched[:8]),
    )


def from_dump(dump: str, file_name: str) -> tuple[Frame, ...]:
    """Return the learner's innermost place in what `faulthandler` wrote when the child hung or crashed."""
    for name, line, function in DUMPED.findall(dump):
        if name == file_name:
            return (Frame(int(line), function),)
    return ()


def _frame(pair: Any) -> Frame:
    if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int:
        raise wire.WireError("a place that is none")
    return Frame(pair[0], _text(pair[1]))


def _text(text: Any) -> str:
    if type(text) is not str:
        raise wire.WireError("a text that is none")
    return text[:500]

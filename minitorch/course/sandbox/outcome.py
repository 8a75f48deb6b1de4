"""What happened when the learner's code was called once: a plain value, or the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from minitorch.course.sandbox import wire
from minitorch.course.sandbox.values import mark

DUMPED = re.compile(r'File "([^"]+)", line (\d{1,9}) in (\S+)')
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
OPERANDS = re.compile(r"unsupported operand type\(s\) for (\*\*|\S)(?:=| or pow\(\))?: (.+) and (.+)")
VARIES = (  # what Python 3.13 adds, and what NumPy reads from memory that nobody filled in
    (re.compile(r" and no __dict__ for setting new attributes$"), ""),
    (re.compile(r"(cannot reshape array of size \d+) into shape .*"), r"\1"),
)
ANSWERS = {  # what the child may say to each request
    "load": frozenset({"loaded", "raised", "memory", "syntax", "protocol", "unconfined"}),
    "call": frozenset({"value", "raised", "memory", "missing", "not callable", "unsendable", "protocol"}),
    "settle": frozenset({"settled", "protocol"}),  # a driver's process says so of the child behind it
    "many": frozenset({"many"}),  # several calls of code of our own
}
PRINTS_KEPT = 64 << 10  # bytes
PRINTS_SHOWN = 4000  # characters
LONGEST = 1 << 20  # no file has more lines, or a line more columns


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in the learner's file."""

    line: int
    function: str

    def is_inside(self, target: str) -> bool:
        """Whether it lies in the function, class or method `target`, or in something defined in there."""
        return self.function == target or self.function.startswith(target + ".")


@dataclass(frozen=True, slots=True)
class RanOut:
    """Time that was shared, and is gone: an exercise's or the file's."""

    whose: str  # "exercise" or "file"
    calls: int  # how many calls of the exercise were answered before
    longest: str  # the exercise that took most of it
    longest_s: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call's outcome.

    kind: "value", or why there is none: "raised", "memory", "missing", "not callable", "syntax", "unsendable",
    "timeout", "crashed" (a fault inside the interpreter), "killed", "exited", "full" (its folder), "protocol".
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
    copies: bool = False  # whether the process that loaded the file can be copied
    ran_out: RanOut | None = None  # of a timeout: it was not this call's own time that ended

    @property
    def ended_the_child(self) -> bool:
        """Whether the process is gone: the function that did this is not called again."""
        return self.kind in {"timeout", "crashed", "killed", "exited", "full", "protocol"}

    @property
    def place(self) -> Frame | None:
        """The innermost place in the learner's file, where one is known."""
        return self.frames[-1] if self.frames else None

    def mark(self, targets: Collection[str] = ()) -> str:
        """A text that is equal for outcomes that are the same behaviour, prints aside.

        Two exceptions are the same when their messages agree, and the `targets` in which they were raised. Which of
        two functions that call each other hits the limit of recursion first is chance, and tells nothing.
        """
        if self.kind == "value":
            return mark(self.value)
        place = self.place
        where = "" if place else "outside"
        if place and self.kind == "raised" and self.error != "RecursionError":
            where = next((target for target in targets if place.is_inside(target)), "")
        return f"!{self.kind} {self.error} {_message(self.error, self.text)} {where}"


def many_from_answer(header: dict[str, Any], body: bytes) -> list[Outcome]:
    """The outcomes of several calls at once. Raises WireError for what no child would answer."""
    outcomes, start = [], 0
    for answer in header["answers"]:
        part = body[start : start + answer["size"]]
        start += answer["size"]
        loading = answer["is"] not in ANSWERS["call"]
        outcomes.append(replace(from_answer(answer, part, to="load" if loading else "call"), loading=loading))
    return outcomes


def from_answer(header: dict[str, Any], body: bytes, *, to: str) -> Outcome:
    """The outcome that a child's answer to the request `to` describes.

    Raises WireError for an answer that no child would give to it.
    """
    kind = header.get("is")
    if type(kind) is not str or kind not in ANSWERS[to]:
        raise wire.WireError("an answer of an unknown kind")
    if kind == "many":
        return Outcome("many", value=many_from_answer(header, body))
    frames, column = header.get("frames", []), None
    if kind == "syntax":  # Python knows the place of most of these, not of all
        frames = [[header.get("line"), ""]] if _is_position(header.get("line")) else []
        column = header.get("column") if _is_position(header.get("column")) else None
    patched = header.get("patched", [])
    if type(frames) is not list or type(patched) is not list:
        raise wire.WireError("an answer that is not what it should be")
    return Outcome(
        kind=kind,
        value=wire.decode(header.get("value"), body) if kind == "value" else None,
        error=_text(header.get("type", "")),
        text=_text(header.get("text", "")),
        frames=tuple(_frame(each) for each in frames[:8]),
        column=column,
        patched=tuple(_text(name) for name in patched[:8]),
        copies=header.get("copies") is True,
    )


def from_dump(dump: str, file_name: str) -> tuple[Frame, ...]:
    """The learner's innermost place in what `faulthandler` wrote when the child hung or crashed."""
    for name, line, function in DUMPED.findall(dump):
        if name == file_name:
            return (Frame(int(line), function),)
    return ()


def _message(error: str, text: str) -> str:
    """What is said alike by all exceptions with the same cause: no address, `a + b` as `b + a` and `a += b`.

    It is the same on every Python and NumPy that the course runs on, as far as that is known.
    """
    if error == "RecursionError":
        return ""  # it depends on the very call at which the stack was full
    operands = OPERANDS.fullmatch(text)
    if operands:
        sign, *types = operands.groups()
        return f"{sign} {' '.join(sorted(types))}"
    for pattern, same in VARIES:
        text = pattern.sub(same, text)
    return ADDRESS.sub("0x", text)


def _frame(pair: Any) -> Frame:
    if type(pair) is not list or len(pair) != 2 or not _is_position(pair[0]):
        raise wire.WireError("a place that is none")
    return Frame(pair[0], _text(pair[1]))


def _is_position(number: Any) -> bool:
    return type(number) is int and 0 < number <= LONGEST


def _text(text: Any) -> str:
    if type(text) is not str:
        raise wire.WireError("a text that is none")
    return text[:500]

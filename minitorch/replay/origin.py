"""Origin: which lines of the engine made a call. What they say of it in a comment `#:` stands on the page, too, and
the variable that they put the result into gives it its name.
"""

from __future__ import annotations

import linecache
import re
import sys
from typing import Any, NamedTuple

Line = tuple[str, int]
"""(file, number)."""

_ENGINE = ("minitorch.ops.", "minitorch.nn.", "minitorch.compat.ops.", "minitorch.compat.nn.")
_FUNCTIONS = ("minitorch.nn.functional.", "minitorch.compat.nn.functional.")
_INSIDE = "minitorch.autograd."
_OURS = ("minitorch.", "numpy")
_BETWEEN = ("minitorch.replay.", "minitorch.backend", "numpy")
_SAID = re.compile(r"#: (.+)$")
_ASSIGNED = re.compile(r"\s*([A-Za-z]\w\w+)(?:: [^=]+)? = ")
_HANDED_ON = re.compile(r"\s*return\b")


class Origin(NamedTuple):
    """Where a call comes from.

    lines: those of operations that lead to it, the nearest first. function: of a call outside of operations, the
    function of `nn.functional` that makes it; "" for none. place: the line of the user's that leads to it.
    """

    lines: tuple[Line, ...] = ()
    function: str = ""
    place: Line = ("", 0)


NOWHERE = Origin()


def origin() -> Origin:
    """Where the call that is being written down comes from."""
    found: list[Line] = []
    function = ""
    frame: Any = sys._getframe(1)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith(_ENGINE):
            found.append((frame.f_code.co_filename, frame.f_lineno))
            if module.startswith(_FUNCTIONS) and not frame.f_code.co_name.startswith(("_", "<")):
                function = frame.f_code.co_name
        elif not module.startswith(_BETWEEN):
            break
        frame = frame.f_back
    inside = frame is not None and module.startswith(_INSIDE)
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(_OURS):
        frame = frame.f_back
    place = ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
    return Origin(tuple(found), "" if inside else function, place)


def said_of(lines: tuple[Line, ...]) -> str:
    """What the nearest line that says something says; "" if none does."""
    for line in lines:
        said = _SAID.search(linecache.getline(*line))
        if said:
            return said[1]
    return ""


def variable_of(lines: tuple[Line, ...]) -> str:
    """The variable that the result is put into, where it is made or where it is handed on to; "" for none."""
    for line in lines:
        text = linecache.getline(*line)
        assigned = _ASSIGNED.match(text)
        if assigned:
            return assigned[1]
        if not _HANDED_ON.match(text):
            break
    return ""


def numbered(operation: str, number: int) -> str:
    """linear2 for the second call of linear, log2_1 for the first of log2."""
    return f"{operation}{'_' if operation[-1:].isdigit() else ''}{number}" if number else operation

"""The child's work done in this very process, where no other can be started: in a browser.

Time is bounded by a deadline that Python code meets, and depth by a lower limit of recursion; what is printed is kept
and shown. One long call into C, memory, and what the learner's code does to this process are not bounded.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from minitorch.course.sandbox import wire
from minitorch.course.sandbox.deadline import Deadline
from minitorch.course.sandbox.outcome import PRINTS_KEPT, PRINTS_SHOWN, Outcome, from_answer
from minitorch.course.sandbox.runner import Runner, Serves
from minitorch.course.sandbox.worker import Learner, call_many

ROOM = 150  # calls in each other that the learner's code may have: of 300 through operators a browser's stack dies
QUIET = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)  # as where a child starts


class InsideRunner(Runner):
    """A `Runner` that starts no process. A hang costs the file's state: it is loaded anew for the next call."""

    def start(self) -> Serves:
        """Begin with nothing loaded."""
        return Inside(self.file_name)

    def packages(self) -> dict[str, Any]:
        """Name nothing: what this process can import, the learner's code can."""
        return {}


class Inside:
    """Answers a `Runner`'s requests as a child does."""

    makes_copies = False
    waited_s = 0.0  # nothing is known of it here

    def __init__(self, file_name: str) -> None:
        self.learner = Learner(file_name)

    def ask(self, request: dict[str, Any], body: bytes, limit_s: float) -> Outcome:
        """Do what is asked, no longer than its limit."""
        if request["do"] == "settle":
            return Outcome("settled")
        prints = _Prints()
        with _apart(prints), Deadline(request.get("file", self.learner.file_name), limit_s) as deadline:
            if request["do"] == "many":
                return _many(request, body, prints, deadline)
            if request["do"] == "load":
                answer = self.learner.load(body.decode("utf-8", "surrogatepass"))
            else:
                driver, given = ((request[key], request[f"{key}_name"]) for key in ("observe", "given"))
                answer = self.learner.call(request["target"], driver, given, wire.decode(request["x"], body))
        if deadline.passed:
            return Outcome("timeout", frames=deadline.frames, printed=prints.text(), limit_s=limit_s)
        outcome = from_answer(answer, answer.pop("body", b""), to=request["do"])
        return replace(outcome, printed=prints.text(), limit_s=limit_s)

    def kill(self) -> None:
        """Do nothing: there is no process to kill."""

    def end(self) -> None:
        """Do nothing: what was loaded goes with this object."""


def _many(request: dict[str, Any], body: bytes, prints: _Prints, deadline: Deadline) -> Outcome:
    """Several definitions in a row, each within its own time; one that hangs costs the others nothing."""
    ended: list[Outcome | None] = []  # what each of them came to, if its time was up

    def between() -> None:
        ended.append(Outcome("timeout", frames=deadline.frames, limit_s=request["each"]) if deadline.passed else None)
        prints.write(wire.BETWEEN)
        deadline.again(request["each"])

    answer = call_many(request, body, between)
    outcome = from_answer(answer, answer.pop("body", b""), to="many")
    told = [hung or each for hung, each in zip(ended[1:], outcome.value, strict=True)]
    return replace(outcome, value=told, printed=prints.text())


class _Prints(io.BytesIO):
    """What was printed; more than is kept is thrown away."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = bytearray()

    def write(self, part: Any) -> int:
        self.kept += bytes(part)[: max(0, PRINTS_KEPT - len(self.kept))]
        return len(part)

    def text(self) -> str:
        return bytes(self.kept).decode("utf-8", "replace")[:PRINTS_SHOWN]


@contextlib.contextmanager
def _apart(prints: _Prints) -> Iterator[None]:
    """Let the learner's code print to `prints`, read nothing, and find what a fresh process has; then put it back."""
    stream = io.TextIOWrapper(prints, "utf-8", "backslashreplace", write_through=True)
    limit, stdin = sys.getrecursionlimit(), sys.stdin
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    with (
        contextlib.redirect_stdout(stream),
        contextlib.redirect_stderr(stream),
        warnings.catch_warnings(),
        np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
    ):
        warnings.resetwarnings()
        for kind in QUIET:
            warnings.simplefilter("ignore", kind)
        sys.stdin = io.StringIO()
        sys.setrecursionlimit(depth + ROOM)
        try:
            yield
        finally:
            sys.setrecursionlimit(limit)
            sys.stdin = stdin

"""The parent's side of the child: start it, ask it one thing at a time with a deadline, end it, start it again.

One child per learner's file. A child that dies, hangs or says something that it was not asked is ended together with
everything it started; the next call gets a fresh one. So does an exercise that failed in a child that had served others
before: what they left behind must not be laid to its charge. The same on Linux, macOS and Windows: pipes and threads
only.
"""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from minitorch.course.sandbox import surroundings, wire
from minitorch.course.sandbox.child import Child
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.texts.messages import say
from minitorch.course.texts.text import CourseError

if TYPE_CHECKING:
    from minitorch.course.judging.checks import Check

LOAD_LIMIT_S = 10.0
SETTLE_LIMIT_S = 2.0


class Runner:
    """Runs one learner's file in a child process.

        with Runner(source, "lesson_01_scalar_nodes.py") as runner:
            outcome = runner.call(check, {"a": 2.0, "b": -3.0})

    A file that cannot be loaded gives every call the same outcome, and is not loaded again.
    Raises CourseError when no process can be started.
    """

    def __init__(self, source: str, file_name: str) -> None:
        self.source = source
        self.file_name = file_name
        self._child: Child | None = None
        self._broken: Outcome | None = None
        self._served: set[str] = set()  # the exercises that this child, or the one that just ended, was asked for

    def call(self, check: Check, x: Any) -> Outcome:
        """Let the child observe the learner's code on the case `x`, within the check's time limit."""
        if self._child is None and self._broken is None:
            self._start()
        if self._broken is not None or self._child is None:
            return self._broken or Outcome("protocol")
        self._served.add(check.exercise.name)
        tree, body = wire.encode(x)
        request = {
            "do": "call",
            "target": check.exercise.target,
            "observe": check.observe,
            "observe_name": check.observe_name,
            "given": check.given,
            "given_name": check.given_name,
            "x": tree,
        }
        return self._ask(self._child, request, body, check.limit_s)

    def change(self, source: str) -> None:
        """Go on with another text, in the same process if one runs: for code of our own, not a learner's."""
        self.source, self._broken = source, None
        if self._child is not None:
            self._load(self._child)

    def settle(self) -> Outcome | None:
        """Make sure that the child has said nothing more than it was asked; return what it did if it has.

        Called when one exercise is done, so that what one function does is not laid to the next one's charge.
        """
        if self._child is None:
            return None
        outcome = self._ask(self._child, {"do": "settle"}, b"", SETTLE_LIMIT_S)
        return outcome if outcome.ended_the_child else None

    def renew(self) -> bool:
        """End the child if it has served another exercise than the last one; return whether it has.

        What one function leaves behind (a patched module, a signal handler) can make another one fail.
        """
        if len(self._served) < 2:
            return False
        self.close()
        self._served.clear()
        return True

    def interrupt(self) -> None:
        """End what runs now, from another thread: the call in progress returns at once, with nothing to rely on."""
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the child and everything it started."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> None:
        try:
            child = Child(self.file_name)
        except OSError as error:
            raise CourseError(say("doctor_child_fault", why=error.strerror or error)) from error
        self._child = child
        self._served.clear()
        self._load(child)

    def _load(self, child: Child) -> None:
        request = {
            "do": "load",
            "file": self.file_name,
            "limits": surroundings.limits(),
            **surroundings.packages(),
        }
        outcome = self._ask(child, request, self.source.encode("utf-8", "surrogatepass"), LOAD_LIMIT_S)
        if outcome.kind != "loaded" or outcome.patched:
            self._broken = replace(outcome, loading=True)
            self.close()

    def _ask(self, child: Child, request: dict[str, Any], body: bytes, limit_s: float) -> Outcome:
        outcome = child.ask(request, body, limit_s)
        if outcome.ended_the_child:
            self.close()
        return outcome

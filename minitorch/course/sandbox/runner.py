"""The parent's side of the child: start it, ask it one thing at a time with a deadline, end it, start it again.

One process loads a learner's file; a copy of it serves, where the system can copy processes (Linux). A copy that dies,
hangs or says something that it was not asked is ended together with everything it started, and the next call gets a
fresh one: nothing is loaded twice. So does an exercise that failed in a process that had served others before: what
they left behind must not be laid to its charge. Elsewhere, and for a file that leaves threads running, a process that
has ended is replaced by one that loads the file again. No check of a file takes longer than `limits.py` says.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from minitorch.course.course_error import CourseError
from minitorch.course.sandbox import surroundings, wire
from minitorch.course.sandbox.limits import Clock, Limits
from minitorch.course.sandbox.outcome import PRINTS_SHOWN, Outcome, RanOut

if TYPE_CHECKING:
    from minitorch.course.sandbox.child import Child

TRIES = 3  # of a request that a busy machine kept waiting
SERVED = 0.9  # the share of its limit that a request must have been served, or it is made again
MORE = 1.5  # what it is given then, as a multiple of the time that it would have needed
LONGEST = 8.0  # times its limit that one try may take on the clock
DEAR_S = 1.0  # a file that takes longer to load is not loaded again for a second look


class Named(Protocol):
    """What a runner needs to know of an exercise."""

    @property
    def name(self) -> str:
        """Its name in the course."""
        ...

    @property
    def target(self) -> str:
        """Its name in the learner's file."""
        ...


class Asked(Protocol):
    """What a runner needs to know of a check: never what is expected."""

    @property
    def exercise(self) -> Named:
        """The exercise that is checked."""
        ...

    @property
    def limit_s(self) -> float:
        """How long a call may take."""
        ...

    @property
    def observe(self) -> str:
        """The text of the driver."""
        ...

    @property
    def observe_name(self) -> str:
        """The driver's name in it."""
        ...

    @property
    def given(self) -> str:
        """The text of what is handed to the driver, if anything is."""
        ...

    @property
    def given_name(self) -> str:
        """Its name in that text."""
        ...


class Serves(Protocol):
    """What answers a runner's requests: a process, or this one."""

    waited_s: float  # of the last request: how long a busy machine kept it waiting

    def ask(self, request: dict[str, Any], body: bytes, limit_s: float) -> Outcome:
        """Do what is asked, no longer than its limit."""
        ...

    def kill(self) -> None:
        """End what runs now."""
        ...

    def end(self) -> None:
        """End it for good."""
        ...


class Runner:
    """Runs one learner's file in a child process.

        with Runner(source, "lesson_01_scalar_nodes.py") as runner:
            outcome = runner.call(check, {"a": 2.0, "b": -3.0})

    A file that cannot be loaded gives every call the same outcome, and is not loaded again.
    Raises CourseError when no process can be started.
    """

    one_at_a_time = False  # whether a process must have ended before the next one can be started

    def __init__(self, source: str, file_name: str, limits: Limits | None = None) -> None:
        self.source = source
        self.file_name = file_name
        self.clock = Clock(limits or Limits.of_this_machine())
        self._origin: Child | None = None  # the process that loaded the file
        self._child: Serves | None = None  # what serves: that process, or a copy of it
        self._broken: Outcome | None = None
        self._copies = True
        self._original = source  # the text that the origin loaded
        self._load_s = 0.0
        self._spent_s = 0.0  # for which the machine served the last request
        self._served: set[str] = set()  # the exercises that this child, or the one that just ended, was asked for
        self._answered: dict[str, int] = {}

    def call(self, check: Asked, x: Any) -> Outcome:
        """Let the child observe the learner's code on the case `x`, within the check's time limit.

        A call that ran out of time while the machine had others to serve is made again, in a fresh process, with so
        much more of it as the machine kept it waiting.
        """
        stretch = 1.0
        for _ in range(TRIES):
            left_s, _ = self.clock.left(check.exercise.name)
            outcome = self._call(check, x, stretch)
            if outcome.kind != "timeout" or outcome.loading:
                break
            longer = self._stretched(stretch, min(check.limit_s * self.clock.limits.patience, left_s))
            if longer <= stretch:
                break
            stretch = longer
            self.clock.spend(-self._spent_s, check.exercise.name)  # a try that is made again costs nothing
        return outcome

    def _stretched(self, stretch: float, limit_s: float) -> float:
        """By how much the limit of the request that has just run out of time is stretched next.

        limit_s: what it was to be served. It stays as it is where that was given.
        """
        if self._spent_s >= SERVED * limit_s:
            return stretch
        return min(LONGEST, MORE * limit_s / max(self._spent_s, limit_s / LONGEST))

    def _call(self, check: Asked, x: Any, stretch: float) -> Outcome:
        if self._child is None and self._broken is None:
            self._start()
        self._spent_s = 0.0
        if self._broken is not None or self._child is None:
            return self._broken or Outcome("protocol")
        name = check.exercise.name
        limit_s = check.limit_s * self.clock.limits.patience
        left_s, _ = self.clock.left(name)
        if left_s <= 0:
            return self._ran_out(name)
        self._served.add(name)
        tree, body = wire.encode(x)
        request = {"do": "call", "x": tree, **_asked(check)}
        outcome = self._ask(self._child, request, body, min(limit_s, left_s) * stretch, name)
        if outcome.kind == "timeout" and left_s < limit_s:
            return replace(self._ran_out(name), frames=outcome.frames, printed=outcome.printed)
        self._answered[name] = self._answered.get(name, 0) + (outcome.kind != "timeout")
        return replace(outcome, limit_s=limit_s)

    def many(
        self,
        check: Asked,
        x: Any,
        definitions: Sequence[str],
        each_s: float,
        *,
        whole: bool = False,
        within: tuple[str, str] | None = None,
    ) -> dict[int, Outcome]:
        """What the case `x` shows of each definition of our own, by its place among them.

        Where one of them ended the child, what the others did is lost: the one that hung is told alone, and none where
        it is not certain which it was. each_s: how long one of them may take. whole: each is the text of a whole file.
        within: the text and the name of the file that they belong to; without it the runner's own.
        """
        if self._child is None and self._broken is None:
            self._start()
        if self._child is None:
            return dict.fromkeys(range(len(definitions)), self._broken or Outcome("protocol"))
        tree, body = wire.encode(x)
        source, file_name = within or (self.source, self.file_name)
        request = {"do": "many", "file": file_name, "source": source, "each": each_s, "x": tree}
        request |= {"definitions": list(definitions), "whole": whole, **_asked(check)}
        outcome = self._ask(self._child, request, body, each_s * len(definitions) + self.clock.limits.settle_s)
        printed = outcome.printed.split(wire.BETWEEN.decode())[1:]
        if outcome.kind != "many":
            if len(definitions) == 1:
                return {0: replace(outcome, printed="".join(printed))}
            # Before each of them a mark is printed. That of one that hung has had its time to arrive, if all is shown.
            certain = outcome.kind == "timeout" and printed and len(outcome.printed) < PRINTS_SHOWN
            return {len(printed) - 1: replace(outcome, printed=printed[-1])} if certain else {}
        printed = [*printed, *[""] * len(definitions)][: len(definitions)]
        return {at: replace(each, printed=printed[at]) for at, each in enumerate(outcome.value)}

    def settle(self) -> Outcome | None:
        """Make sure that the child has said nothing more than it was asked; return what it did if it has.

        Called when one exercise is done, so that what one function does is not laid to the next one's charge.
        """
        if self._child is None:
            return None
        outcome = self._ask(self._child, {"do": "settle"}, b"", self.clock.limits.settle_s)
        return outcome if outcome.ended_the_child else None

    def renew(self) -> bool:
        """Go on in a fresh process if this one has served another exercise than the last one; return whether it does.

        What one function leaves behind (a patched module, a signal handler) can make another one fail. A file that
        would have to be loaded again, and takes long for it or does it only once, stays where it is.
        """
        if len(self._served) < 2:
            return False
        if self._origin is None:
            return self._reload()
        self._end_serving()
        self._served.clear()
        return True

    def rest(self) -> None:
        """End what serves. Whatever it is asked next, a fresh process answers."""
        self._end_serving()

    def interrupt(self) -> None:
        """End what runs now, from another thread: the call in progress returns at once, with nothing to rely on."""
        child = self._child
        if child is not None:
            child.kill()

    def start(self) -> Serves:
        """Start a process that can load the file. Raises OSError."""
        from minitorch.course.sandbox.child import Child

        return Child(self.file_name)

    def packages(self) -> dict[str, Any]:
        """What the learner's code may import besides the standard library."""
        return surroundings.packages()

    def close(self) -> None:
        """End the child and everything it started."""
        self._end_serving()
        if self._origin is not None:
            self._origin.end()
            self._origin = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> None:
        """Have something that serves: a copy of the process that loaded the file, or a process that loads it."""
        self._served.clear()
        if self._origin is not None and self._copied(self._origin):
            if self._child is not None and self._original != self.source:
                self._load(self._child)
            return
        child, outcome = self._loaded()
        if child is None:
            self._broken = replace(outcome, loading=True)
            return
        origin = self._may_be_copied(child) if outcome.copies and self._copies else None
        if origin is None:
            self._child = child
        elif not self._copied(origin):
            self._start()

    def _may_be_copied(self, child: Serves) -> Child | None:
        from minitorch.course.sandbox.child import Child

        return child if isinstance(child, Child) else None

    def _copied(self, origin: Child) -> bool:
        """Let a copy serve; where none can be made, there will be no copies any more."""
        from minitorch.course.sandbox.child import Copy

        try:
            self._child = Copy(origin)
        except OSError:
            self._copies = False
            origin.end()
            self._origin = None
            return False
        self._origin = origin
        return True

    def _reload(self) -> bool:
        """Go on in a process that loads the file anew, if it is quick to load and does load."""
        if self._load_s > DEAR_S:
            return False
        if self.one_at_a_time:
            self._end_serving()
        child, outcome = self._loaded()
        if child is None:
            if self.one_at_a_time:
                self._broken = replace(outcome, loading=True)
            return False
        self._end_serving()
        self._child = child
        self._served.clear()
        return True

    def _loaded(self) -> tuple[Serves | None, Outcome]:
        """A process that has loaded the file, and the outcome; no process where the file cannot be loaded."""
        self._original = self.source
        stretch = 1.0
        for _ in range(TRIES):
            try:
                child = self.start()
            except OSError as error:
                raise CourseError(
                    "a check cannot run in a process of its own: {why}", why=error.strerror or error
                ) from error
            before = self.clock.total
            outcome = self._ask_to_load(child, stretch)
            self._load_s = self.clock.total - before
            if _is_loaded(outcome):
                return child, outcome
            child.end()
            if outcome.kind != "timeout":
                break
            longer = self._stretched(stretch, self.clock.limits.load_s)
            if longer <= stretch:
                break
            stretch = longer
        if outcome.kind == "unconfined":
            raise CourseError("a check cannot run in a process of its own: {why}", why=outcome.text)
        return None, outcome

    def _load(self, serving: Serves) -> None:
        """Load the text in the process that serves."""
        outcome = self._ask_to_load(serving)
        if not _is_loaded(outcome):
            self._broken = replace(outcome, loading=True)
            self._end_serving()

    def _ask_to_load(self, child: Serves, stretch: float = 1.0) -> Outcome:
        request = {"do": "load", "file": self.file_name, "limits": surroundings.limits(), **self.packages()}
        source = self.source.encode("utf-8", "surrogatepass")
        load_s = self.clock.limits.load_s
        return replace(self._ask(child, request, source, load_s * stretch), limit_s=load_s)

    def _ask(
        self, child: Serves, request: dict[str, Any], body: bytes, limit_s: float, exercise: str | None = None
    ) -> Outcome:
        start = time.monotonic()
        outcome = child.ask(request, body, limit_s)
        seconds = time.monotonic() - start
        waited_s = min(child.waited_s, seconds)
        self._spent_s = seconds - waited_s
        self.clock.spend(self._spent_s, exercise)
        self.clock.waited += waited_s
        if outcome.ended_the_child:
            self._end_serving()
        return outcome

    def _end_serving(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None

    def _ran_out(self, exercise: str) -> Outcome:
        """What is said of a call that had no time left to begin with, or was cut short by that."""
        _, whose = self.clock.left(exercise)
        limits = self.clock.limits
        ran_out = RanOut(whose, self._answered.get(exercise, 0), *self.clock.longest())
        limit_s = limits.exercise_s if whose == "exercise" else limits.file_s
        return Outcome("timeout", limit_s=limit_s, ran_out=ran_out)


def _asked(check: Asked) -> dict[str, str]:
    """What a child needs to know of a check: never what is expected."""
    return {
        "target": check.exercise.target,
        "observe": check.observe,
        "observe_name": check.observe_name,
        "given": check.given,
        "given_name": check.given_name,
    }


def _is_loaded(outcome: Outcome) -> bool:
    return outcome.kind == "loaded" and not outcome.patched

"""A deadline for Python code in this very process, without a thread, a signal or a child.

Once the time is up, the next call or jump in the learner's code, or in what it has called, raises `TimeIsUp`; and so
does every one after it, until nothing of that code runs any more. No endless Python code is without either, a generator
that another one drives aside: going on with it counts as a call. What the deadline cannot end is one long call into C.

Python 3.12 and later tell of calls and jumps by `sys.monitoring`; before, every step is traced, and code that catches
the exception with a bare `except` may go on, since Python ends tracing with the first exception of a tracer.
"""

from __future__ import annotations

import sys
import time
from _thread import get_ident
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

from minitorch.course.sandbox.outcome import Frame

OURS = "<check>"  # the drivers' file: what they wait for is the learner's, too
TOOLS = (4, 3)  # those of `sys.monitoring` that no debugger, profiler or coverage tool is given


class TimeIsUp(BaseException):
    """Raised in the learner's code; no `except Exception` catches it."""


class Deadline:
    """Ends what runs too long inside a `with`, and keeps the line at which it did.

    with Deadline("lesson_01_scalar_nodes.py", 2.0) as deadline:
        learner.call(...)
    deadline.passed, deadline.frames
    """

    def __init__(self, file_name: str, limit_s: float) -> None:
        self._files = (file_name, OURS)
        self._thread = get_ident()
        self._begin(limit_s)

    def again(self, limit_s: float) -> None:
        """Begin anew, for the next call."""
        self._begin(limit_s)

    def _begin(self, limit_s: float) -> None:
        self.passed = False
        self.frames: tuple[Frame, ...] = ()
        self._ends = time.monotonic() + limit_s

    def __enter__(self) -> Self:
        self._stop = _monitored(self._look) or _traced(self._look)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _look(self, frame: FrameType | None) -> None:
        """Raise TimeIsUp if the time is up and this is the learner's code, or was called by it."""
        if time.monotonic() < self._ends or get_ident() != self._thread:
            return
        inside = False
        while frame is not None:
            name = frame.f_code.co_filename
            if name in self._files:
                inside = True
                if name != OURS:
                    break
            frame = frame.f_back
        if inside:
            if not self.passed:
                self.passed = True
                self.frames = (Frame(frame.f_lineno, frame.f_code.co_qualname),) if frame else ()
            raise TimeIsUp


if sys.version_info >= (3, 12):

    def _monitored(look: Callable[[FrameType | None], None]) -> Callable[[], None] | None:
        """Look at every call, jump and return to a generator; return what ends that, or None where no tool is free."""
        monitoring = sys.monitoring
        events = (monitoring.events.PY_START, monitoring.events.PY_RESUME, monitoring.events.JUMP)
        tool = next((each for each in TOOLS if monitoring.get_tool(each) is None), None)
        if tool is None:
            return None

        def seen(*_: object) -> None:
            look(sys._getframe(1))

        def stop() -> None:
            monitoring.set_events(tool, 0)
            for event in events:
                monitoring.register_callback(tool, event, None)
            monitoring.free_tool_id(tool)

        monitoring.use_tool_id(tool, "minitorch")
        for event in events:
            monitoring.register_callback(tool, event, seen)
        monitoring.set_events(tool, sum(events))
        return stop

else:

    def _monitored(_: Callable[[FrameType | None], None]) -> Callable[[], None] | None:
        """Look at nothing: this Python tells of no calls."""
        return None


def _traced(look: Callable[[FrameType | None], None]) -> Callable[[], None]:
    """Look at every step, for a loop may stand on one line; return what ends that."""

    def seen(frame: FrameType, *_: object) -> Any:
        frame.f_trace_opcodes = True
        look(frame)
        return seen

    before = sys.gettrace()
    sys.settrace(seen)
    return lambda: sys.settrace(before)

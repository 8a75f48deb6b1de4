"""What something costs without a clock: the lines of Python that it runs, as many on a busy machine as on a quiet."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

HANG_S = 60
"""What takes longer on a busy machine too hangs: this is a limit of patience and no measure of speed."""


def within_processor_time(seconds: int) -> dict[str, Any]:
    """How `subprocess.run` ends what computes without end: by the time that it ran, not by the clock."""
    if sys.platform == "win32":
        return {}
    import resource

    return {"preexec_fn": functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds))}


def lines_run(call: Callable[[], object]) -> int:
    """How many lines of Python a call runs, in every function that it calls."""
    lines = 0

    def count(frame, event, arg):
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines

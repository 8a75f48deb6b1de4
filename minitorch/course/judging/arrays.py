"""What checks of rules over arrays share: arrays for a case, the line that repeats it, arrays that were written into.

rewritten(x, got["after"], "g", "a", "b")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minitorch.course.judging.compare import Wrong
from minitorch.course.sandbox.values import as_python
from minitorch.language import Message

Arrays = Mapping[str, Any]


def between(rng: np.random.Generator, *shape: int, away: float = 0.0) -> np.ndarray[Any, Any]:
    """Numbers between -2 and 2, or as far around `away`, rounded so that they can be read."""
    return np.asarray(np.round(rng.uniform(-2.0, 2.0, shape), 2) + away)


def called(name: str, x: Arrays, *arguments: str) -> str:
    """The line that makes the arrays of a case, and the call."""
    made = [f"{each} = {as_python(x[each])}" for each in arguments]
    return "; ".join([*made, f"m.{name}({', '.join(arguments)})"])


def rewritten(before: Arrays, after: Arrays, *names: str, hint: Message | None = None) -> Wrong | None:
    """Say which of the arrays is another one after the call than before. hint: where the common one does not fit."""
    for name in names:
        if not isinstance(after[name], np.ndarray) or not np.array_equal(after[name], before[name]):
            return Wrong(
                "after the call {name} is another array than before: your function wrote into it",
                name=name,
                expected=before[name],
                got=after[name],
                hint=hint
                or Message("`+=`, `-=`, `*=` and `/=` write into the array itself. `x = x + y` makes a new one."),
            )
    return None

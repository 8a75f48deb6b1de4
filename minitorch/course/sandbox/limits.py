"""How long things may take: a call, an exercise, a file. The one place where that is decided.

A second for which a busy machine kept the processes waiting is none of theirs, where the system counts it
(`waiting.py`). `MINITORCH_PATIENCE=3` makes everything wait three times as long, for a machine that is slow.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import Self

LONGEST = 100.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds in which the machine served the file. What one call may take stands with its check (`limit_s=2`)."""

    load_s: float = 10.0  # running the file, once
    exercise_s: float = 20.0  # all calls of one exercise together, however often it is looked at
    file_s: float = 60.0  # loading the file and all calls of all its exercises
    settle_s: float = 2.0  # saying that nothing is left to say
    patience: float = 1.0  # what a call's own limit is multiplied by

    @classmethod
    def of_this_machine(cls) -> Self:
        """The limits, multiplied by what `MINITORCH_PATIENCE` says, if it is a number from 1 to 100."""
        try:
            patience = float(os.environ.get("MINITORCH_PATIENCE", "1"))
        except ValueError:
            patience = 1.0
        patience = min(max(patience, 1.0), LONGEST) if math.isfinite(patience) else 1.0
        base = cls()
        return cls(
            base.load_s * patience,
            base.exercise_s * patience,
            base.file_s * patience,
            base.settle_s * patience,
            patience,
        )


@dataclass(slots=True)
class Clock:
    """What one file's check has taken so far."""

    limits: Limits
    total: float = 0.0
    waited: float = 0.0  # besides that: while the machine had others to serve
    of_exercise: dict[str, float] = field(default_factory=dict)

    def left(self, exercise: str) -> tuple[float, str]:
        """The seconds that the next call of an exercise has at most, and whose they are: "exercise" or "file"."""
        own = self.limits.exercise_s - self.of_exercise.get(exercise, 0.0)
        return min((own, "exercise"), (self.limits.file_s - self.total, "file"))

    def spend(self, seconds: float, exercise: str | None = None) -> None:
        """Note what something took: one exercise, or the file as a whole."""
        self.total += seconds
        if exercise is not None:
            self.of_exercise[exercise] = self.of_exercise.get(exercise, 0.0) + seconds

    def longest(self) -> tuple[str, float]:
        """The exercise that took most so far, and what it took; the name is empty where none was called."""
        return max(self.of_exercise.items(), key=lambda item: item[1], default=("", 0.0))

"""The misconceptions that a learner has met: which mistakes were named in which exercise, the last one first.

One small file for a course folder. It decides nothing: losing it costs a question in a review.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

from minitorch.course.files.course_folder import private_folder
from minitorch.course.judging.verdict import Verdict
from minitorch.serialization.atomic import write_atomically

FORMAT = 1
KEPT = 200

Pair = tuple[str, str]  # an exercise, and the id of a mistake in it


@dataclass(frozen=True, slots=True)
class Met:
    """What was met in one course folder."""

    folder: Path

    def pairs(self) -> tuple[Pair, ...]:
        """Exercises with the mistakes that were named in them, the last one first; none when the file is spoilt."""
        try:
            data = json.loads(self._path.read_bytes())
            rows = data["met"] if data["format"] == FORMAT else []
            return tuple((str(exercise), str(mistake)) for exercise, mistake in rows)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return ()

    def note(self, verdict: Verdict) -> None:
        """Keep the mistake that a verdict names. Where that cannot be written, it counts as never met."""
        if verdict.diagnosis is None:
            return
        pair, before = (verdict.exercise, verdict.diagnosis), self.pairs()
        if before[:1] != (pair,):
            rows = [pair, *(each for each in before if each != pair)][:KEPT]
            with contextlib.suppress(OSError):
                write_atomically(self._path, json.dumps({"format": FORMAT, "met": rows}, indent=1).encode("ascii"))

    @property
    def _path(self) -> Path:
        return private_folder(self.folder) / "met.json"

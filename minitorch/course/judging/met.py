"""The misconceptions that a learner has met, the last one first: mistakes that a verdict named, ideas behind an answer.

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

Pair = tuple[str, str]  # an exercise, or a question; and the id of a mistake


@dataclass(frozen=True, slots=True)
class Met:
    """What was met in one course folder."""

    folder: Path

    def pairs(self) -> tuple[Pair, ...]:
        """Exercises and questions with the mistakes met in them, the last one first; none where the file is spoilt."""
        try:
            data = json.loads(self._path.read_bytes())
            rows = data["met"] if data["format"] == FORMAT else []
            return tuple((str(where), str(mistake)) for where, mistake in rows)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return ()

    def note(self, verdict: Verdict) -> None:
        """Keep the mistake that a verdict names."""
        if verdict.diagnosis is not None:
            self.note_pair(verdict.exercise, verdict.diagnosis)

    def note_pair(self, where: str, mistake: str) -> None:
        """Keep a mistake that was met. Where that cannot be written, it counts as never met."""
        pair, before = (where, mistake), self.pairs()
        if before[:1] != (pair,):
            rows = [pair, *(each for each in before if each != pair)][:KEPT]
            with contextlib.suppress(OSError):
                write_atomically(self._path, json.dumps({"format": FORMAT, "met": rows}, indent=1).encode("ascii"))

    @property
    def _path(self) -> Path:
        return private_folder(self.folder) / "met.json"

"""Which steps of an exercise's hints have been shown: one small file per exercise, beside its progress."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

from minitorch.course.cards import hints
from minitorch.course.cards.hints import Hint
from minitorch.course.files.course_folder import private_folder
from minitorch.course.manifest import Exercise
from minitorch.course.texts.messages import say
from minitorch.serialization.atomic import write_atomically

FORMAT = 1


@dataclass(frozen=True, slots=True)
class HintLog:
    """The steps shown in one course folder. It decides nothing: losing it costs a line on the progress card."""

    folder: Path

    def shown(self, name: str) -> tuple[int, ...]:
        """The steps of an exercise that were shown, in order; none when the file is missing or spoilt."""
        try:
            record = json.loads((self._folder / f"{name}.json").read_bytes())
            steps = {step for step in record["steps"] if type(step) is int} if record["format"] == FORMAT else set()
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return ()
        return tuple(sorted(steps))

    def add(self, name: str, step: int) -> None:
        """Note that a step was shown. Where that cannot be written, the hint counts as never shown."""
        before = self.shown(name)
        if step not in before:
            record = {"format": FORMAT, "steps": sorted({*before, step})}
            with contextlib.suppress(OSError):
                write_atomically(self._folder / f"{name}.json", json.dumps(record).encode("ascii"))

    def note(self, exercise: Exercise, step: int, given: Hint) -> None:
        """Note a step that was given; a solution that was only offered counts as not shown."""
        if given.is_code or step < hints.steps(exercise):
            self.add(exercise.name, step)

    @property
    def _folder(self) -> Path:
        return private_folder(self.folder) / "hints"


def step_name(exercise: Exercise, step: int, lang: str) -> str:
    """What a step is: a question, a pointer, pseudo-code or the solution, with its number."""
    last = hints.steps(exercise)
    if step == last:
        return say("step_solution").to(lang)
    kind = "step_question" if step == 1 else "step_pseudo_code" if step == last - 1 else "step_pointer"
    return f"{step} {say(kind).to(lang)}"

"""Where a learner is in an exercise's hints: one small file per exercise, beside its progress.

Each request gives the next step, wherever it is made: in the terminal, in a notebook, by the button. A verdict whose
hint is one of the steps sets the count: where that hint stood on the card, the next request gives the one after it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from minitorch.course.cards import hints
from minitorch.course.cards.hints import Hint
from minitorch.course.files.course_folder import private_folder
from minitorch.course.judging.verdict import Verdict
from minitorch.course.manifest import Course, Exercise
from minitorch.course.session import Session
from minitorch.language import N_, Message
from minitorch.serialization.atomic import write_atomically

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown of one exercise's hints."""

    steps: tuple[int, ...] = ()  # those that were asked for, in order
    last: int = 0  # the step that was shown last, on request or on a verdict's card
    about: str = ""  # the verdict that the count began at


@dataclass(frozen=True, slots=True)
class HintLog:
    """The steps shown in one course folder. What cannot be written there is remembered as long as this lives."""

    folder: Path
    _kept: dict[str, Shown] = field(default_factory=dict, init=False, repr=False)

    def shown(self, name: str) -> tuple[int, ...]:
        """The steps of an exercise that were asked for, in order; none when the file is missing or spoilt."""
        return self._read(name).steps

    def next_step(self, exercise: Exercise, verdict: Verdict | None) -> int:
        """The step to give now: where a new verdict points, else the one after the last; at the end, the last again."""
        shown, about = self._read(exercise.name), _about(exercise, verdict)
        if verdict is not None and about not in {"", shown.about}:
            return hints.pointed(exercise, verdict) or 1
        return min(shown.last + 1, hints.steps(exercise))

    def saw(self, course: Course, verdicts: Iterable[Verdict]) -> None:
        """Note which steps stood on the cards of these verdicts. They do not count as asked for."""
        for verdict in verdicts:
            exercise = course.exercise(verdict.exercise)
            shown, about = self._read(exercise.name), _about(exercise, verdict)
            if about not in {"", shown.about}:
                last = hints.pointed(exercise, verdict) or 1
                self._write(exercise.name, replace(shown, last=last, about=about))

    def add(self, exercise: Exercise, step: int, verdict: Verdict | None = None) -> None:
        """Note that a step was shown on request, while `verdict` was the last one."""
        shown = self._read(exercise.name)
        steps = tuple(sorted({*shown.steps, step}))
        self._write(exercise.name, Shown(steps, step, _about(exercise, verdict) or shown.about))

    def note(self, exercise: Exercise, step: int, given: Hint, verdict: Verdict | None = None) -> None:
        """Note a step that was given; a solution that was only offered counts as not shown."""
        if given.is_code or step < hints.steps(exercise):
            self.add(exercise, step, verdict)

    def _read(self, name: str) -> Shown:
        if name in self._kept:
            return self._kept[name]
        try:
            record = json.loads((self._folder / f"{name}.json").read_bytes())
            if record["format"] != FORMAT:
                return Shown()
            steps = tuple(sorted({step for step in record["steps"] if type(step) is int}))
            last, about = record.get("last", max(steps, default=0)), record.get("about", "")
            return Shown(steps, last, about) if type(last) is int and isinstance(about, str) else Shown(steps)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return Shown()

    def _write(self, name: str, shown: Shown) -> None:
        if shown == self._read(name):
            return
        self._kept[name] = shown
        with contextlib.suppress(OSError):
            data = json.dumps({"format": FORMAT, **asdict(shown)}).encode("ascii")
            write_atomically(self._folder / f"{name}.json", data)
            del self._kept[name]

    @property
    def _folder(self) -> Path:
        return private_folder(self.folder) / "hints"


def ask(
    session: Session,
    exercise: Exercise,
    step: int | None,
    lang: str,
    *,
    more: str,
    confirm: str,
    confirmed: bool = False,
    log: HintLog | None = None,
) -> Hint:
    """Give a step of an exercise's hints, the next one where none is named, and note it.

    more, confirm: how to ask for the next one, and for a solution that has not been earned; `confirmed` gives that.
    log: the one to go on with, where there is one already. Raises CourseError for a step that does not exist.
    """
    log = log or HintLog(session.folder)
    record = session.progress.read(exercise.name)
    verdict = record.verdict if record else None
    step = log.next_step(exercise, verdict) if step is None else step
    may_solve = confirmed or (record is not None and record.passed_first is not None)
    given = hints.give(session.course, exercise, step, lang, may_solve=may_solve, more=more, confirm=confirm)
    log.note(exercise, step, given, verdict)
    return given


def step_name(exercise: Exercise, step: int, lang: str) -> str:
    """What a step is: a question, a pointer, pseudo-code or the solution, with its number."""
    last = hints.steps(exercise)
    if step == last:
        return Message("solution").to(lang)
    kind = N_("question") if step == 1 else N_("pseudo-code") if step == last - 1 else N_("pointer")
    return f"{step} {Message(kind).to(lang)}"


def _about(exercise: Exercise, verdict: Verdict | None) -> str:
    """What tells one verdict that points at a step from another; empty for one that points at none."""
    step = hints.pointed(exercise, verdict)
    return "" if verdict is None or step is None else f"{verdict.diagnosis or '-'} {step}"

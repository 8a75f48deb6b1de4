"""Running the learner's code in this very process, for a debugger: no time limit and no protection holds."""

from __future__ import annotations

import pdb  # noqa: T100 - for --pdb
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.manifest import Lesson
from minitorch.course.sandbox import wire
from minitorch.course.sandbox.outcome import Outcome, from_answer
from minitorch.course.sandbox.worker import Learner

if TYPE_CHECKING:
    from minitorch.course.judging.checks import Check


class InProcess:
    """Does what a `Runner` does, without a child. With `debug`, an exception opens the debugger where it was raised."""

    def __init__(self, lesson: Lesson, file: LearnerFile, *, debug: bool = False) -> None:
        self._learner = Learner(lesson.file_name, _debug if debug else None)
        loaded = from_answer(self._learner.load(file.source), b"", to="load")
        self._broken = None if loaded.kind == "loaded" and not loaded.patched else replace(loaded, loading=True)

    def call(self, check: Check, x: Any) -> Outcome:
        """Observe the learner's code on one case."""
        if self._broken is not None:
            return self._broken
        case = wire.decode(*wire.encode(x))  # a copy, as in a child
        driver, given = (check.observe, check.observe_name), (check.given, check.given_name)
        answer = self._learner.call(check.exercise.target, driver, given, case)
        return replace(from_answer(answer, answer.get("body", b""), to="call"), limit_s=check.limit_s)

    def renew(self) -> bool:
        """Do nothing: there is one process."""
        return False

    def settle(self) -> None:
        """Do nothing: there is no channel that could have been written to."""


def _debug(error: BaseException) -> None:
    if error.__traceback__ is not None and not isinstance(error, NotImplementedError):
        pdb.post_mortem(error.__traceback__)

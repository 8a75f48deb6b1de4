"""The checks of `minitorch watch`: one thread that judges, and can be told at any time to judge something else."""

from __future__ import annotations

import datetime as dt
import itertools
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minitorch.course.cards.following import line_in
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import read_exercises
from minitorch.course.judging.checks import Check as CheckOf
from minitorch.course.judging.judge import FileJudge
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.runner import Runner
from minitorch.course.session import Session
from minitorch.course.watching.state import Check, Checked, Event, Failed

END_S = 3.0  # a thread that was interrupted is waited for no longer


class _SupersededError(Exception):
    """The verdict that was being made is not wanted any more."""


@dataclass
class _Stoppable:
    """A `Runner` that answers no more once its job was superseded: what a killed process answers is no evidence."""

    runner: Runner
    wanted: Callable[[], bool]

    def call(self, check: CheckOf, x: Any) -> Outcome:
        self._go_on()
        outcome = self.runner.call(check, x)
        self._go_on()
        return outcome

    def settle(self) -> Outcome | None:
        self._go_on()
        outcome = self.runner.settle()
        self._go_on()
        return outcome

    def renew(self) -> bool:
        return self.runner.renew()

    def _go_on(self) -> None:
        if not self.wanted():
            raise _SupersededError


@dataclass
class Checker:
    """Judges in a thread of its own. `post` is called from there with each verdict as it comes.

    A new job ends the one before at once, however long the learner's code would still have run.
    """

    session: Session
    post: Callable[[Event], None]
    _jobs: queue.SimpleQueue[Check | None] = field(default_factory=queue.SimpleQueue)
    _latest: int = 0
    _closed: bool = False
    _runner: Runner | None = None

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._work, name="minitorch-checks", daemon=True)
        self._thread.start()

    def check(self, job: Check) -> None:
        """Judge this now, and nothing that was asked for before."""
        self._latest = job.job
        self._jobs.put(job)
        self._interrupt()

    def close(self) -> None:
        """End what is running. Nothing is posted any more."""
        self._closed = True
        self._jobs.put(None)
        self._interrupt()
        self._thread.join(END_S)

    def _interrupt(self) -> None:
        runner = self._runner
        if runner is not None:
            runner.interrupt()

    def _wanted(self, job: Check) -> bool:
        return not self._closed and job.job == self._latest

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._judge(job)
            except _SupersededError:
                continue
            except CourseError as error:
                self._post(job, Failed(job.job, str(error)))
            except Exception as error:  # noqa: BLE001 - whatever it is: it is told, and the next save is checked again
                self._post(job, Failed(job.job, f"{type(error).__name__}: {error}"))

    def _post(self, job: Check, event: Event) -> None:
        if self._wanted(job):
            self.post(event)

    def _judge(self, job: Check) -> None:
        course = self.session.course
        exercises = [course.exercise(name) for name in job.names]
        for number, group in itertools.groupby(exercises, key=lambda exercise: exercise.lesson):
            if not self._wanted(job):
                return
            lesson = course.lesson(number)
            file = read_exercises(self.session.folder, lesson)
            with Runner(file.source, lesson.file_name) as runner:
                self._runner = runner
                stoppable = _Stoppable(runner, lambda: self._wanted(job))
                with FileJudge(lesson, file, runs=stoppable) as judge:
                    for exercise in group:
                        verdict = self.session.judge_and_save(judge, exercise)
                        now = dt.datetime.now().astimezone().strftime("%H:%M:%S")
                        self._post(job, Checked(job.job, verdict, line_in(file.source, exercise.target), now))

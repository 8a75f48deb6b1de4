"""How well a class's submissions are shut in: the tiers, what each needs of the machine, and the tests that choose one.

- `fork`: both processes are copies of one that has NumPy loaded; Landlock and seccomp confine them; the quickest
- `landlock`: two new processes a submission, confined in the same way
- `bwrap`: two new processes; bubblewrap takes away the files and the network, seccomp the system calls
- `none`: two new processes, and nothing that keeps the learner's code from the files and the network of its user

A tier is used where every act that it must stop was stopped here and now, and every act of honest code went through.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import minitorch
from minitorch.course.course_error import CourseError
from minitorch.course.sandbox.limits import Limits
from minitorch.course.sandbox.remote.runner import BoxedRunner, ConfinedRunner, ForkedRunner, RemoteRunner, Server
from minitorch.course.sandbox.runner import Named, Runner

TIERS = ("fork", "landlock", "bwrap", "none")  # the best first
ACTS = Path(__file__).with_name("acts.py.txt")
ACT_S = 20.0
PACKAGE = Path(minitorch.__file__).parent
HONEST = ("compute", "run_a_thread", "work_in_its_folder", "raise_a_signal")
HOSTILE = (
    "read_the_checks",
    "import_the_reference",
    "read_the_users_files",
    "read_the_system",
    "write_elsewhere",
    "open_a_socket",
    "start_a_program",
    "start_a_process",
    "signal_the_judge",
    "trace_the_judge",
)


@dataclass(frozen=True, slots=True)
class Act:
    """What became of one thing that a submission may try."""

    name: str
    honest: bool
    went_through: bool
    why: str = ""  # it did not

    @property
    def fine(self) -> bool:
        """Whether it is as it should be."""
        return self.honest == self.went_through


class _Trial:
    """The check of one act, as a runner takes it."""

    limit_s = ACT_S
    observe_name = "observe"
    given = given_name = ""

    def __init__(self, name: str) -> None:
        self.name = self.target = name
        self.observe = f"def observe(learner, x):\n    return learner.{name}(*x)\n"

    @property
    def exercise(self) -> Named:
        """Itself: it has a name and a target."""
        return self


class Sandbox:
    """Makes the runners of one tier; close it when the last one is done.

    with Sandbox("landlock") as sandbox, sandbox.runner(source, file_name) as runner:
        outcome = runner.call(check, x)

    Raises CourseError for a tier that is none.
    """

    def __init__(self, tier: str) -> None:
        if tier not in TIERS:
            raise CourseError("there is no tier {tier}: the tiers are {tiers}", tier=repr(tier), tiers=", ".join(TIERS))
        self.tier = tier
        self._server = Server()

    def runner(self, source: str, file_name: str, limits: Limits | None = None) -> Runner:
        """A runner for one submission. Only one of a `fork` tier's runners is at work at a time."""
        if self.tier == "fork":
            return ForkedRunner(source, file_name, self._server, limits)
        if self.tier == "landlock":
            return ConfinedRunner(source, file_name, limits)
        if self.tier == "bwrap":
            return BoxedRunner(source, file_name, shutil.which("bwrap") or "bwrap", limits)
        return RemoteRunner(source, file_name, limits)

    @property
    def processes(self) -> frozenset[int]:
        """The processes that this sandbox keeps for itself."""
        return self._server.processes

    def acts(self) -> list[Act]:
        """Try everything in this tier. Raises CourseError when no process can be started or confined."""
        with tempfile.TemporaryDirectory() as folder, self.runner(ACTS.read_text("utf-8"), "acts.py") as runner:
            letter = Path(folder) / "letter"
            letter.write_text("not for them", encoding="utf-8")
            checks = next(PACKAGE.glob("course/lessons/lesson_*/lesson.toml"))
            facts = [os.getpid(), str(checks), str(letter)]  # a submission would have to find them out first
            return [_tried(runner, name, facts) for name in (*HONEST, *HOSTILE)]

    def fault(self) -> str | None:
        """Why this tier must not be relied on here; None where all of it holds. Of `none` only honest code is asked."""
        if sys.platform != "linux" and self.tier != "none":
            return "Linux only"
        if self.tier == "bwrap" and shutil.which("bwrap") is None:
            return "there is no program bwrap here"
        try:
            acts = self.acts()
        except CourseError as error:
            return str(error)
        told = [
            f"{act.name} failed: {act.why}" if act.honest else f"{act.name} went through"
            for act in acts
            if not act.fine and (act.honest or self.tier != "none")
        ]
        return "; ".join(told) or None

    def close(self) -> None:
        """End what makes copies, if it runs."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def faults(tiers: Iterable[str] = TIERS) -> dict[str, str | None]:
    """Each tier, and why it must not be relied on here; None where it holds."""
    found = {}
    for tier in tiers:
        with Sandbox(tier) as sandbox:
            found[tier] = sandbox.fault()
    return found


def best() -> str:
    """The best tier that holds here."""
    for tier in TIERS[:-1]:
        with Sandbox(tier) as sandbox:
            if sandbox.fault() is None:
                return tier
    return TIERS[-1]


def _tried(runner: Runner, name: str, facts: list[Any]) -> Act:
    """Have a process try one thing. One that was ended for it did not get through with it."""
    outcome = runner.call(_Trial(name), facts)
    why = f"{outcome.kind} {outcome.error} {outcome.text}".strip()
    return Act(name, name in HONEST, outcome.kind == "value" and outcome.value is True, why)

"""The judge's side of a remote driver: what `sandbox/runner.py` does, with a driver's process in front of the child.

    with RemoteRunner(source, file_name) as runner, FileJudge(lesson, file, runs=runner) as judge:
        verdict = judge.verdict("add")

The outcomes are those of a `Runner`. What differs is who can touch what: here the learner's code shares its process
with nothing that decides. A `ConfinedRunner` takes files, network and system calls from that process besides, and a
`ForkedRunner` makes both processes by copying one that has NumPy loaded: `tiers.py` says which of them can be had.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from minitorch.course.sandbox import family, surroundings
from minitorch.course.sandbox.child import Child, Copy, Ways
from minitorch.course.sandbox.limits import Limits
from minitorch.course.sandbox.remote import box
from minitorch.course.sandbox.runner import Runner
from minitorch.course.sandbox.scratch import Scratch


class DriverChild(Child):
    """The driver's process, and behind it the child with the learner's file."""

    script = Path(__file__).with_name("driver.py")
    makes_copies = False


class RemoteRunner(Runner):
    """Runs one learner's file in a child, and the driver of its checks in a process between that child and the judge.

    The driver's process is ended a moment after a call's limit, whatever it does then.
    """

    def start(self) -> Ways:
        """Start the driver's process; it starts the child. Raises OSError."""
        return DriverChild(self.file_name)

    def packages(self) -> dict[str, Any]:
        """What the driver may import, and what the learner's code may: NumPy, and nothing of ours."""
        return {"paths": [], "packages": surroundings.numpy_alone(), "theirs": surroundings.numpy_alone(), "plan": None}


class ConfinedRunner(RemoteRunner):
    """The same, and both processes are confined before they meet the learner's code."""

    work: Path

    def start(self) -> Ways:
        """Start the driver's process; it starts the child. Raises OSError."""
        child = DriverChild(self.file_name)
        self.work = child.folder.path
        return child

    def packages(self) -> dict[str, Any]:
        """What may be imported, read and written to."""
        plan = {"look": surroundings.numpy_folders(), "work": str(self.work)}
        return {**super().packages(), "plan": plan}


class BoxedRunner(ConfinedRunner):
    """The same, and the child sits in a box that bubblewrap made: no other file is there, and no network."""

    def __init__(self, source: str, file_name: str, bwrap: str, limits: Limits | None = None) -> None:
        super().__init__(source, file_name, limits)
        self.bwrap = bwrap

    def packages(self) -> dict[str, Any]:
        """What may be imported, read and written to, and the command that makes the box."""
        packages = super().packages()
        return {**packages, "plan": {**packages["plan"], "box": box.command(self.bwrap, self.work)}}


class Server:
    """A fork server, started when it is first asked for and again when it has gone. It serves one runner at a time."""

    def __init__(self) -> None:
        self._origin: _Server | None = None

    def copy(self, file_name: str) -> ForkedChild:
        """A driver's process, which makes its child by copying, too. Raises OSError."""
        try:
            return ForkedChild(self._started(), file_name)
        except OSError:
            self.close()
        return ForkedChild(self._started(), file_name)

    @property
    def processes(self) -> frozenset[int]:
        """The server's process, where it runs."""
        return frozenset([self._origin.process.pid]) if self._origin is not None else frozenset()

    def close(self) -> None:
        """End the server."""
        if self._origin is not None:
            self._origin.end()
            self._origin = None

    def _started(self) -> _Server:
        if self._origin is None:
            self._origin = _Server()
            loaded = self._origin.ask({"do": "load", "paths": [], "packages": surroundings.numpy_alone()}, b"", START_S)
            if loaded.kind != "loaded":
                self.close()
                raise OSError(f"the fork server did not start: {loaded.kind} {loaded.text}")
        return self._origin


class ForkedRunner(ConfinedRunner):
    """The same, by copying."""

    one_at_a_time = True

    def __init__(self, source: str, file_name: str, server: Server, limits: Limits | None = None) -> None:
        super().__init__(source, file_name, limits)
        self.server = server

    def start(self) -> Ways:
        """Have a driver's process made; it makes the child. Raises OSError."""
        child = self.server.copy(self.file_name)
        self.work = child.folder.path
        return child


START_S = 30.0  # for a server to load NumPy, on a busy machine


class _Server(Child):
    """The process that copies are made of."""

    script = Path(__file__).with_name("server.py")

    def __init__(self) -> None:
        super().__init__("")

    def clear(self) -> bool:
        """End all that was made by copying."""
        return family.end_below(self.process.pid)


class ForkedChild(Copy):
    """A driver's process that was made by copying, with a folder for the child behind it."""

    def __init__(self, origin: _Server, file_name: str) -> None:
        folder = Scratch()
        try:
            super().__init__(origin, folder)
        except OSError:
            folder.end()
            raise
        self.file_name = file_name

    def end(self) -> None:
        """End both processes, and remove the folder."""
        super().end()
        self.folder.end()

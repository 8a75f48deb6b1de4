"""The judge's side of a remote driver: what `sandbox/runner.py` does, with a driver's process in front of the child.

    with RemoteRunner(source, file_name) as runner, FileJudge(lesson, file, runs=runner) as judge:
        verdict = judge.verdict("add")

The outcomes are those of a `Runner`. What differs is who can touch what: here the learner's code shares its process
with nothing that decides.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from minitorch.course.sandbox import surroundings
from minitorch.course.sandbox.child import Child
from minitorch.course.sandbox.runner import Runner


class DriverChild(Child):
    """The driver's process, and behind it the child with the learner's file."""

    script = Path(__file__).with_name("driver.py")
    makes_copies = False


class RemoteRunner(Runner):
    """Runs one learner's file in a child, and the driver of its checks in a process between that child and the judge.

    The driver's process is ended a moment after a call's limit, whatever it does then.
    """

    def start(self) -> Child:
        """Start the driver's process; it starts the child. Raises OSError."""
        return DriverChild(self.file_name)

    def packages(self) -> dict[str, Any]:
        """What the driver may import, and what the learner's code may: NumPy, and nothing of ours."""
        return {"paths": [], "packages": surroundings.numpy_alone(), "theirs": surroundings.numpy_alone()}

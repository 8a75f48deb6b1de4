"""Seconds for which a busy machine kept processes waiting, so that a limit ends slow answers and not slow machines.

Linux counts for each thread how long it ran, and how long it was ready to run while no processor was free
(`/proc/PID/task/TID/schedstat`). Where there is no such count, every second is taken for one of the answer's own.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from minitorch.course.sandbox import family

PROCESSES = Path("/proc")
NANO = 1e-9


class Waiting:
    """The waiting of all processes below one of ours, from the first look at each of them on."""

    def __init__(self, root: int) -> None:
        self.root = root
        self.own = time.process_time()  # what this process does meanwhile, it does for them: it reads what they print
        self.looks = 0
        self.first: dict[int, tuple[float, float]] = {}
        self.last: dict[int, tuple[float, float]] = {}

    def look(self) -> None:
        """Read the counts as they are now; those of a process that has ended stay as they were."""
        if not family.HERE:
            return
        self.looks += 1
        pids = list(self.last)
        if self.looks & (self.looks - 1) == 0:  # in looks 1, 2, 4, 8 …: to go through all processes takes milliseconds
            pids = family.descendants(self.root)
        for pid in pids:
            try:
                now = _counts(pid)
            except (OSError, ValueError, LookupError):  # a process that just ended may list no thread of its own
                continue  # it has ended, or this kernel counts nothing
            self.first.setdefault(pid, now)
            self.last[pid] = now

    def within(self, seconds: float) -> float:
        """Return how many of these seconds the processes waited; none in which they or this one ran.

        A process that starts many threads waits for these: that is its own affair.
        """
        ran, waited = (sum(self.last[pid][at] - self.first[pid][at] for pid in self.last) for at in (0, 1))
        return max(0.0, min(waited, seconds - ran - (time.process_time() - self.own)))


def _counts(pid: int) -> tuple[float, float]:
    """The seconds that all threads of a process ran, and those that its first one waited."""
    tasks = PROCESSES / str(pid) / "task"
    counts = {name: (tasks / name / "schedstat").read_text("ascii").split() for name in os.listdir(tasks)}  # noqa: PTH208
    return NANO * sum(int(each[0]) for each in counts.values()), NANO * int(counts[str(pid)][1])

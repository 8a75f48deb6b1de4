"""Every process that a child started, whichever session it went off to: found by its parents, and ended.

Linux only, from `/proc`. The keeper loads this file by itself, so it imports the standard library alone.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

HERE = sys.platform == "linux"
ENDS_S = 5.0  # so long is a family asked to end: a fork bomb has many rounds, and a busy machine is slow to bury
STAT = 4096  # bytes: no process's line is as long
ROUND_S = 0.02  # so long those that were killed have to end, before others that they started are looked for
GONE = frozenset({"Z", "X"})  # the states of a process that runs no more


def descendants(root: int) -> list[int]:
    """The living processes below `root`, the nearest first; `root` is none of them."""
    children: dict[int, list[int]] = {}
    living = set()
    for pid, (state, parent, _) in _all().items():
        children.setdefault(parent, []).append(pid)
        if state not in GONE:
            living.add(pid)
    found = []
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(0), [])
        waiting += below
        found += [pid for pid in below if pid in living]
    return found


def end_below(root: int, spare: Collection[int] = ()) -> bool:
    """Kill all that lives below `root`, but for those to spare; return whether nothing of it is left."""
    until = time.monotonic() + ENDS_S
    while left := [pid for pid in descendants(root) if pid not in spare]:
        for pid in left:
            kill(pid)
        if time.monotonic() > until:
            return False
        _wait_for(left)
    return True


def _wait_for(pids: Collection[int]) -> None:
    """Wait a moment, and no longer than until all of these have ended: to look at every process takes longer."""
    held = []
    for pid in pids:
        try:
            held.append(os.pidfd_open(pid))
        except (OSError, AttributeError):
            continue  # it has ended; or the system is an old one
    until = time.monotonic() + ROUND_S
    ended = select.poll()
    for each in held:
        ended.register(each, select.POLLIN)
    waiting = set(held)
    while waiting and (left := until - time.monotonic()) > 0:
        for each, _ in ended.poll(1000 * left):
            ended.unregister(each)
            waiting.discard(each)
    for each in held:
        os.close(each)
    if waiting or not held:
        time.sleep(0.001)


def end_marked(mark: str) -> None:
    """Kill the processes whose environment holds `mark`: those that nobody's parent leads to any more."""
    for pid in _all():
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123 - pathlib is slow to import
                marked = mark.encode() in file.read()
        except OSError:
            continue  # it has ended, or is somebody else's
        if marked and pid != os.getpid():
            kill(pid)


def first_child(pid: int) -> int | None:
    """The oldest child of a process."""
    born = sorted((start, each) for each, (_, parent, start) in _all().items() if parent == pid)
    return born[0][1] if born else None


def is_first_of_its_own(pid: int) -> bool:
    """Whether a process is number 1 of a space of process ids that was made below ours."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            line = next(each for each in file if each.startswith("NSpid:"))
    except (OSError, StopIteration):
        return False
    numbers = line.split()[1:]
    return len(numbers) > 1 and numbers[-1] == "1"


def kill(pid: int) -> None:
    """Kill one process, if it still is there and ours."""
    try:  # noqa: SIM105 - contextlib is slow to import
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def _all() -> dict[int, tuple[str, int, int]]:
    """Every process: its state, its parent, its start."""
    found = {}
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            try:
                file = os.open(f"/proc/{name}/stat", os.O_RDONLY)  # a third of the time that a file object takes
                try:
                    fields = os.read(file, STAT).rpartition(b")")[2].split(maxsplit=20)
                finally:
                    os.close(file)
                found[int(name)] = fields[0].decode("ascii"), int(fields[1]), int(fields[19])
            except (OSError, IndexError, ValueError):
                continue  # it ended while it was looked at
    return found

"""The fork server: a process that has Python, NumPy and our loops loaded, and makes a driver and its child by copying.

Started as `python -I -S -B server.py CONTROL`. To the judge it is like a child that has loaded its file, and is asked
for copies in the same way: one at a time, with pipes of its own. A copy answers as a driver's process does, and the
child behind it is a copy, too. What the server holds is the same for every submission, and nothing of any of them.
"""

from __future__ import annotations

import functools
import gc
import importlib
import os
import subprocess
import sys
import time

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

    from minitorch.course.sandbox import confinement, wire, worker
    from minitorch.course.sandbox.remote import driver, loop
elif not __package__:
    sys.path += [os.path.dirname(__file__), os.path.dirname(os.path.dirname(__file__))]  # noqa: PTH120
    import confinement
    import driver
    import loop
    import wire
    import worker

    del sys.path[-2:]
else:
    from minitorch.course.sandbox import confinement, wire, worker
    from minitorch.course.sandbox.remote import driver, loop

DEPTH = sys.getrecursionlimit()  # as deep as Python lets a process go that nobody told otherwise
SUBREAPER = 36  # <linux/prctl.h>
LOOK_S = 0.001
# What answers, checks and sandboxes import sooner or later: each copy would do it again, NumPy's masked arrays alone
# (`np.unique` loads them) in as much time as ten calls take.
OFTEN = (
    *("numpy.linalg", "numpy.random", "numpy.ma", "numpy.fft", "numpy.polynomial"),
    *("ctypes", "resource", "inspect", "random", "dataclasses", "typing", "contextvars", "itertools", "weakref"),
)


class Forked:
    """A child that is a copy of this process: two pipes, and its end."""

    def __init__(self) -> None:
        requests, answers = os.pipe(), os.pipe()
        self.code: int | None = None
        self.pid = os.fork()
        if not self.pid:
            _begin([requests[0], answers[1], 2], loop.main)
        os.close(requests[0])
        os.close(answers[1])
        self.stdin: IO[bytes] | None = os.fdopen(requests[1], "wb")
        self.stdout: IO[bytes] | None = os.fdopen(answers[0], "rb")

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return its exit code, a signal as its negative number. Raises TimeoutExpired."""
        until = time.monotonic() + (timeout or 0.0)
        while self.code is None:
            pid, status = os.waitpid(self.pid, 0 if timeout is None else os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > until:
                raise subprocess.TimeoutExpired("loop", timeout or 0.0)
            else:
                time.sleep(LOOK_S)
        return self.code


class ForkedDriver(driver.Driver):
    """A driver whose child was made by copying, before it was asked for anything: no frame of it is in that child."""

    def __init__(self, child: Forked, answers: int) -> None:
        super().__init__(answers)
        self.made = child

    def start(self, _plan: dict[str, Any]) -> Forked:
        """The child."""
        return self.made


def _begin(pipes: list[int], main: Callable[[], None]) -> None:
    """Go on in a copy, with pipes for requests, answers and prints and nothing else that was open; end with `main`."""
    try:
        held = [os.dup(pipe) for pipe in pipes]  # none of them is 0, 1 or 2
        for at, pipe in enumerate(held):
            os.dup2(pipe, at)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.setrecursionlimit(DEPTH + _calls())
        importlib.import_module("numpy.random").seed()  # the copies' draws are their own
        main()
    except BaseException:  # noqa: BLE001 - nobody is above us here, and a traceback would look like a print
        os._exit(1)
    os._exit(0)


def _calls() -> int:
    """How deep the calls are here: no answer is to pay for them."""
    frame, count = sys._getframe(), 0
    while (back := frame.f_back) is not None:
        frame, count = back, count + 1
    return count


def _drive() -> None:
    os.setsid()
    driver.serve(functools.partial(ForkedDriver, Forked()))


def serve(control: int) -> None:
    """Make copies until the judge closes the pipe."""
    requests, answers, _ = worker.move_pipes()
    while (request := wire.read_frame(requests)) is not None:
        header, _ = request
        if header["do"] == "load":
            worker.set_path(header)
            _get_ready()
            worker.write(2, wire.end_of_prints(header["id"]))  # else the judge waits a second for it
            _answer(answers, header, {"is": "loaded"})
            continue
        pipes = worker.received(control)
        pid = os.fork()
        if not pid:
            _begin(pipes, _drive)
        for each in pipes:
            os.close(each)
        _answer(answers, header, {"is": "copied"})
        status = os.waitpid(pid, 0)[1]
        _bury()
        _answer(answers, header, {"is": "ended", "code": os.waitstatus_to_exitcode(status)})


def _get_ready() -> None:
    """Load and find out what every copy would have to; what is there then is no garbage, and is not looked at again."""
    for name in OFTEN:
        importlib.import_module(name)
    confinement.prepare()
    gc.collect()
    gc.freeze()


def _answer(answers: int, header: dict[str, Any], answer: dict[str, Any]) -> None:
    worker.write(answers, wire.frame({**answer, "id": header["id"]}))


def _bury() -> None:
    """Let go of the orphans that came back here and have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def main() -> None:
    """Keep whoever loses its parent, and serve."""
    import ctypes

    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    serve(int(sys.argv[1]))


if __name__ == "__main__":
    main()

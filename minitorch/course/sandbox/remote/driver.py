"""The driver's process: it stands between the judge and the child, and runs a check's driver on proxies.

Started as `python -I -S -B driver.py`. To the judge it is a child like `worker.py`, with the same requests and the same
answers. It starts the child that holds the learner's file, and what becomes of that child becomes of this process: the
same last words, the same exit code. The judge ends both.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import subprocess
import sys

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any, Protocol

    from minitorch.course.sandbox import confinement, wire, worker
    from minitorch.course.sandbox.remote import link
elif not __package__:
    sys.path += [os.path.dirname(__file__), os.path.dirname(os.path.dirname(__file__))]  # noqa: PTH120
    import confinement
    import link
    import wire
    import worker

    del sys.path[-2:]
else:
    from minitorch.course.sandbox import confinement, wire, worker
    from minitorch.course.sandbox.remote import link

DEPTH = 5000  # the child's own depth ends every recursion first
GRACE_S = 1.0
A_SIGNAL = 128
GARBAGE = 50_000  # so many things more than there were are looked through for garbage: a deep graph is none
LOADED = ("is", "text", "line", "column", "type", "frames", "patched")

if TYPE_CHECKING:

    class Process(Protocol):
        """The child, to the driver: a process with two pipes."""

        stdin: IO[bytes] | None
        stdout: IO[bytes] | None

        def wait(self, timeout: float | None = None) -> int:
            """Wait for its end; return its exit code, a signal as its negative number."""
            ...


class Driver:
    """Answers the judge's requests with the help of a child."""

    def __init__(self, answers: int) -> None:
        self.answers = answers
        self.child: Process | None = None
        self.boxed = False
        self.link: link.Link | None = None
        self.learner: worker.Learner | None = None  # here it holds no learner's code: it describes exceptions

    def answer(self, header: dict[str, Any], body: bytes) -> dict[str, Any]:
        """The answer to one request."""
        if header["do"] == "load":
            return self._load(header, body)
        assert self.link is not None
        if header["do"] == "settle":
            self.link.begin("", ("", ""), header["limit"])
            self.link.end()
            return {"is": "settled"}
        return self._call(header, body)

    def start(self, plan: dict[str, Any]) -> Process:
        """Start the child, behind the words of a command that puts it into a box, if the plan has one."""
        loop = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loop.py")  # noqa: PTH100, PTH118, PTH120
        command = [*plan.get("box", ()), os.path.realpath(sys.executable), "-I", "-S", "-B", loop]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - our own file

    def _load(self, header: dict[str, Any], source: bytes) -> dict[str, Any]:
        self.child = self.start(header["plan"] or {})
        self.boxed = "box" in (header["plan"] or {})
        stdin, stdout = self.child.stdin, self.child.stdout
        assert stdin is not None
        assert stdout is not None
        self.link = link.Link(stdin, stdout, header["file"])
        self.learner = worker.Learner(header["file"])
        worker.set_limits(header["limits"])
        worker.set_path({"paths": header["paths"], "packages": header["packages"]})
        theirs = {name: header[name] for name in ("file", "limit", "limits", "plan")}
        self.link.load({**theirs, "paths": [], "packages": header["theirs"]}, source)
        if b"numpy" in source:
            importlib.import_module("numpy")  # while the child does the same
        if header["plan"] and (why := confinement.enter({**header["plan"], "work": None})):
            return {"is": "unconfined", "text": why}
        answer = self.link.loaded()
        return {name: answer[name] for name in LOADED if name in answer}

    def _call(self, header: dict[str, Any], body: bytes) -> dict[str, Any]:
        assert self.link is not None
        assert self.learner is not None
        driver, given = ((header[key], header[f"{key}_name"]) for key in ("observe", "given"))
        observe, case = self.learner.shipped(*driver), wire.decode(header["x"], body)
        arrays = b""
        try:
            module, code, missing = self.link.begin(header["target"], given, header["limit"])
            if missing is not None:
                answer = {name: missing[name] for name in LOADED if name in missing}
            else:
                tree, arrays = wire.encode(observe(module, case, *([code] if given[0] else [])))
                answer = {"is": "value", "value": tree}
        except link.Over:
            raise
        except (wire.WireError, link.Unsendable) as error:
            answer = {"is": "unsendable", "text": str(error)}
        except BaseException as error:  # noqa: BLE001 - whatever the learner raises is an answer
            answer = self.learner.describe(error)
        return {**answer, "body": arrays, "patched": self.link.end()}

    def last_words(self, over: link.Over) -> bytes:
        """What stands in the pipe where the child's answer should be: what `faulthandler` wrote, if it did."""
        assert self.child is not None
        assert self.child.stdout is not None
        seen = over.seen or b""
        return seen + self.child.stdout.read(1 << 16) if seen else b""

    def leave(self) -> None:
        """End as the child has ended."""
        assert self.child is not None
        try:
            code = self.child.wait(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            os._exit(1)
        if self.boxed and code > A_SIGNAL:
            code = A_SIGNAL - code  # a box tells of a signal as a shell does
        if code < 0 and sys.platform != "win32":
            if -code != signal.SIGKILL:
                signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        os._exit(code & 0xFF)


def serve(kind: Callable[[int], Driver] = Driver) -> None:
    """Answer the judge's requests until it closes the pipe."""
    requests, answers, prints = worker.move_pipes()
    sys.setrecursionlimit(DEPTH)
    gc.set_threshold(GARBAGE)
    driver = kind(answers)
    while (request := wire.read_frame(requests)) is not None:
        header, body = request
        try:
            answer = driver.answer(header, body)
        except link.Over as over:
            if over.seen is None:
                worker.write(answers, wire.frame({"is": "protocol", "text": over.why, "id": header["id"]}))
            else:
                worker.write(answers, driver.last_words(over))
                driver.leave()
            return
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        arrays = answer.pop("body", b"")
        try:
            framed = wire.frame({**answer, "id": header["id"]}, arrays)
        except wire.WireError as error:
            framed = wire.frame({"is": "unsendable", "text": str(error), "id": header["id"]})
        worker.write(prints, wire.end_of_prints(header["id"]))
        worker.write(answers, framed)


if __name__ == "__main__":
    serve()

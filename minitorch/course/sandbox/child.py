"""One child process: its pipes, its deadline, its end."""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from minitorch.course.sandbox import scratch, surroundings, wire
from minitorch.course.sandbox.outcome import Outcome, from_answer, from_dump

GRACE_S = 1.0  # for the child to end itself, and to name the line, before the parent does
PRINTS_KEPT = 64 << 10
PRINTS_SHOWN = 4000  # characters
DUMP_KEPT = 64 << 10
DUMPS = (b"Timeout (", b"Fatal Python")  # how faulthandler begins


@dataclass(frozen=True, slots=True)
class _Broken:
    """The end of the child's answers: the pipe was closed, or something came that is no frame."""

    why: str
    dump: str


class Child:
    """One process, and the three threads that keep its pipes moving."""

    def __init__(self, file_name: str) -> None:
        self.file_name = file_name
        self.folder = scratch.new()
        try:
            self.process = self._start()
        except OSError:
            self.folder.cleanup()
            raise
        pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        self.pipes = [pipe for pipe in pipes if pipe is not None]
        stdin, stdout, stderr = self.pipes
        self.answers: queue.SimpleQueue[tuple[dict[str, Any], bytes] | _Broken] = queue.SimpleQueue()
        self.requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.prints = _Prints()
        self.threads: list[threading.Thread] = []
        works = ((self._write, stdin), (self._read, stdout), (self.prints.drain, stderr))
        try:
            for work, pipe in works:
                self.threads.append(_thread(work, pipe))
        except RuntimeError as error:  # no memory for another thread
            self.end()
            raise OSError(errno.EAGAIN, str(error)) from error

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - our own file, run by our own interpreter
            [sys.executable, "-I", "-S", "-B", str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder.name,
            env=surroundings.environment(),
            bufsize=0,
            **surroundings.own_group(),
        )

    def ask(self, request: dict[str, Any], body: bytes, limit_s: float) -> Outcome:
        """Send one request and wait for its answer, no longer than its limit and a moment."""
        if not self.answers.empty():
            return replace(self._ended(self.answers.get()), limit_s=limit_s)
        request_id = secrets.token_hex(8)
        self.prints.begin(wire.end_of_prints(request_id))
        self.requests.put(wire.frame({**request, "id": request_id, "limit": limit_s}, body))
        try:
            answer = self.answers.get(timeout=limit_s + GRACE_S)
        except queue.Empty:
            return Outcome("timeout", printed=self.prints.text(), limit_s=limit_s)
        if isinstance(answer, _Broken) or answer[0].get("id") != request_id:
            return replace(self._ended(answer), limit_s=limit_s)
        printed = self.prints.to_the_end()
        try:
            outcome = from_answer(*answer, to=request["do"])
        except wire.WireError as error:
            return Outcome("protocol", text=str(error), printed=printed)
        return replace(outcome, printed=printed, limit_s=limit_s)

    def kill(self) -> None:
        """Kill the process and its group. Whoever waits for an answer learns of it through the pipe."""
        if sys.platform == "win32":
            self.process.kill()
        else:
            # The group keeps its number for as long as anything in it lives, the child itself or what it started.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()

    def end(self) -> None:
        """Kill the process and its group, and let go of the pipes."""
        self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5 * GRACE_S)
        self.requests.put(None)
        for thread in self.threads:
            thread.join(timeout=1.0)
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.close()
        scratch.remove(Path(self.folder.name))
        self.folder.cleanup()

    def _ended(self, answer: tuple[dict[str, Any], bytes] | _Broken) -> Outcome:
        """Say how the child came to its end, or what it said that it was not asked."""
        if not isinstance(answer, _Broken):
            return Outcome("protocol", text="an answer that nobody asked for", printed=self.prints.text())
        frames = from_dump(answer.dump, self.file_name)
        if answer.dump.startswith("Timeout ("):
            return Outcome("timeout", frames=frames, printed=self.prints.text())
        if answer.dump and not answer.dump.startswith("Fatal Python"):
            return Outcome("protocol", text=answer.why, printed=self.prints.text())
        code = self._exit_code()
        if code is None:
            return Outcome("protocol", text=answer.why, printed=self.prints.text())
        if answer.dump or code not in range(256):
            killed = sys.platform != "win32" and code == -signal.SIGKILL
            kind, text = "killed" if killed else "crashed", surroundings.signal_name(code)
            return Outcome(kind, text=text, frames=frames, code=code, printed=self.prints.text())
        return Outcome("exited", code=code, printed=self.prints.text())

    def _exit_code(self) -> int | None:
        try:
            return self.process.wait(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            return None  # it closed the pipe and lives on

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (data := self.requests.get()) is not None:
                while data:
                    data = data[pipe.write(data) :]

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            while (answer := wire.read_frame(pipe)) is not None:
                self.answers.put(answer)
                if self.answers.qsize() > 1:
                    return  # one answer to one request: a flood of them is not collected
            self.answers.put(_Broken("the end", ""))
        except wire.WireError as error:
            seen = error.args[1] if len(error.args) > 1 else b""
            self.answers.put(_Broken(str(error.args[0]), _rest(pipe, seen)))
        except (OSError, ValueError):
            self.answers.put(_Broken("the end", ""))


class _Prints:
    """What the learner's code printed, as it comes; more than is kept is thrown away."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self.tail = self.end = b""
        self.ended = False
        self.news = threading.Condition()

    def drain(self, pipe: IO[bytes]) -> None:
        """Read to the end, so that the child never waits for a reader."""
        with contextlib.suppress(OSError, ValueError):
            while part := pipe.read(1 << 16):
                with self.news:
                    self.kept += part[: max(0, PRINTS_KEPT - len(self.kept))]
                    seen = self.tail + part
                    self.tail = seen[-len(self.end) :]
                    self.ended = self.ended or self.end in seen
                    self.news.notify()

    def begin(self, end: bytes) -> None:
        """Forget what came before a new request; `end` is what stands where the prints of this one end."""
        with self.news:
            self.kept.clear()
            self.tail, self.end, self.ended = b"", end, False

    def to_the_end(self) -> str:
        """What was printed for the request, once its end has come through the pipe."""
        with self.news:
            self.news.wait_for(lambda: self.ended, timeout=GRACE_S)
            return _shown(bytes(self.kept).partition(self.end)[0])

    def text(self) -> str:
        """What has come so far."""
        with self.news:
            return _shown(bytes(self.kept))


def _shown(prints: bytes) -> str:
    return prints.decode("utf-8", "replace")[:PRINTS_SHOWN]


def _thread(work: Callable[[IO[bytes]], None], pipe: IO[bytes]) -> threading.Thread:
    thread = threading.Thread(target=work, args=(pipe,), daemon=True)
    thread.start()
    return thread


def _rest(pipe: IO[bytes], seen: bytes) -> str:
    """What stands in the pipe where a frame should be: what `faulthandler` wrote, if it did."""
    if not seen.startswith(DUMPS):
        return "something else"
    data = bytearray(seen)
    with contextlib.suppress(OSError, ValueError):
        while len(data) < DUMP_KEPT and (part := pipe.read(1 << 12)):
            data += part
    return data.decode("ascii", "replace")

"""One child process, or a copy that it makes of itself: its pipes, its deadline, its end."""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from minitorch.course.sandbox import family, scratch, surroundings, wire
from minitorch.course.sandbox.outcome import PRINTS_KEPT, PRINTS_SHOWN, Outcome, from_answer, from_dump
from minitorch.course.sandbox.waiting import Waiting

GRACE_S = 1.0  # for the child to end itself, and to name the line, before the parent does
ORIGIN_S = 10.0  # for the process that loaded the file to make a copy or to tell of its end; it has nothing else to do
LOOK_S = 0.25  # how often it is looked what a child that works for long has written, and how long it has waited
LOOKS = 16  # within a shorter limit: the last one must not be long before its end
QUICK_S = 0.05  # what answers within this has not written much
DUMP_KEPT = 64 << 10
DUMPS = (b"Timeout (", b"Fatal Python")  # how faulthandler begins


@dataclass(frozen=True, slots=True)
class _Broken:
    """The end of the child's answers: the pipe was closed, or something came that is no frame."""

    why: str
    dump: str


class Ways:
    """A process's pipes, and the three threads that keep them moving."""

    folder: scratch.Scratch  # where it works
    waited_s = 0.0  # of the last request: how long a busy machine kept the processes waiting

    def __init__(self, file_name: str, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.file_name = file_name
        self.pipes = [stdin, stdout, stderr]
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

    def ask(self, request: dict[str, Any], body: bytes, limit_s: float) -> Outcome:
        """Send one request and wait for its answer, no longer than its limit and a moment."""
        if not self.answers.empty():
            return replace(self._ended(self.answers.get()), limit_s=limit_s)
        request_id = secrets.token_hex(8)
        self.file_name = request.get("file", self.file_name)  # whose lines are told, should this be the end
        self.prints.begin(wire.end_of_prints(request_id))
        self.requests.put(wire.frame({**request, "id": request_id, "limit": limit_s}, body))
        answer = self._answer(limit_s + GRACE_S)
        if isinstance(answer, Outcome):
            return replace(answer, printed=self.prints.text(), limit_s=limit_s)
        if isinstance(answer, _Broken) or answer[0].get("id") != request_id:
            return replace(self._ended(answer), limit_s=limit_s)
        printed = self.prints.to_the_end()
        try:
            outcome = from_answer(*answer, to=request["do"])
        except wire.WireError as error:
            return Outcome("protocol", text=str(error), printed=printed)
        return replace(outcome, printed=printed, limit_s=limit_s)

    def _answer(self, limit_s: float) -> tuple[dict[str, Any], bytes] | _Broken | Outcome:
        """The next answer; the outcome, where none comes in time or the child has filled its folder."""
        start = time.monotonic()
        waiting, look_s = Waiting(self.root()), QUICK_S
        self.waited_s = 0.0
        while (left := start + limit_s - time.monotonic()) > 0:
            try:
                answer = self.answers.get(timeout=min(left, look_s))
            except queue.Empty:
                look_s = min(LOOK_S, limit_s / LOOKS)
                waiting.look()
                if self.folder.is_full():
                    break
            else:
                if (seconds := time.monotonic() - start) <= QUICK_S:
                    return answer
                waiting.look()
                self.waited_s = waiting.within(seconds)
                return Outcome("full") if self.folder.is_full() else answer
        self.waited_s = waiting.within(time.monotonic() - start)
        return Outcome("full" if left > 0 else "timeout")

    def root(self) -> int:
        """The process of ours that all of this one's are below."""
        raise NotImplementedError

    def send(self, request: dict[str, Any]) -> str:
        """Send a request that is not waited for; return its name."""
        request_id = secrets.token_hex(8)
        self.requests.put(wire.frame({**request, "id": request_id}))
        return request_id

    def answer_to(self, request_id: str) -> dict[str, Any] | None:
        """What the process says next, if it is about this request and comes within a moment."""
        try:
            answer = self.answers.get(timeout=ORIGIN_S)
        except queue.Empty:
            return None
        return None if isinstance(answer, _Broken) or answer[0].get("id") != request_id else answer[0]

    def kill(self) -> None:
        """Kill the process. Whoever waits for an answer learns of it through the pipe."""
        raise NotImplementedError

    def end(self) -> None:
        """Kill the process and all that it started, and let go of the pipes."""
        self.kill()
        self.requests.put(None)
        for thread in self.threads:
            thread.join(timeout=1.0)
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.close()

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
        """How the process ended, a signal as its negative number; None when it closed the pipe and lives on."""
        raise NotImplementedError

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
            self.answers.put(_Broken("it was closed", ""))
        except wire.WireError as error:
            seen = error.args[1] if len(error.args) > 1 else b""
            self.answers.put(_Broken(str(error.args[0]), _rest(pipe, seen)))
        except (OSError, ValueError):
            self.answers.put(_Broken("it was closed", ""))


class Child(Ways):
    """A process of its own with all that it starts."""

    script = Path(__file__).with_name("worker.py")
    makes_copies = family.HERE

    def __init__(self, file_name: str) -> None:
        self.folder = scratch.Scratch()
        self.mark = f"MINITORCH_CHILD={secrets.token_hex(8)}"
        self.control: socket.socket | None = None
        try:
            self.process = self._start()
        except OSError:
            self.folder.end()
            raise
        stdin, stdout, stderr = self.process.stdin, self.process.stdout, self.process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        super().__init__(file_name, stdin, stdout, stderr)

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", "-B", str(self.script)]
        theirs: list[socket.socket] = []
        if self.makes_copies:
            self.control, other = socket.socketpair()
            theirs.append(other)
        try:
            return subprocess.Popen(  # noqa: S603 - our own file, run by our own interpreter
                [*command, *(str(each.fileno()) for each in theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder.path,
                env=surroundings.environment() | dict([self.mark.split("=")]),
                bufsize=0,
                pass_fds=[each.fileno() for each in theirs],
                **surroundings.own_group(),
            )
        except OSError:
            if self.control is not None:
                self.control.close()
            raise
        finally:
            for each in theirs:
                each.close()

    def kill(self) -> None:
        """Kill the process and its group."""
        if sys.platform == "win32":
            self.process.kill()
        else:
            # The group keeps its number for as long as anything in it lives, the child itself or what it started.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()

    def end(self) -> None:
        """End the process and everything it started, and let go of the pipes and the folder."""
        if family.HERE:
            first = self._first_below()
            alone = first is not None and family.is_first_of_its_own(first)
            family.end_below(self.process.pid)
            if not alone:
                family.end_marked(self.mark)
        self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5 * GRACE_S)
        super().end()
        if self.control is not None:
            self.control.close()
        self.folder.end()

    def root(self) -> int:
        """The process that was started."""
        return self.process.pid

    def clear(self) -> bool:
        """End all that the file's process started, and keep that process; return whether nothing else is left."""
        first = self._first_below()
        if first is None:
            return False
        keepers = {first, family.first_child(first) if family.is_first_of_its_own(first) else None}
        return family.end_below(self.process.pid, spare={pid for pid in keepers if pid is not None})

    def _first_below(self) -> int | None:
        return family.first_child(self.process.pid)

    def _exit_code(self) -> int | None:
        try:
            return self.process.wait(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            return None


class Copy(Ways):
    """A copy of a child that has loaded its file; it serves in the child's place. Raises OSError where none is made."""

    def __init__(self, origin: Child, folder: scratch.Scratch | None = None) -> None:
        self.origin = origin
        self.folder = folder or origin.folder
        self._end: dict[str, Any] | None = None  # what the origin says once the copy has ended
        self._waited = False
        stdin, stdout, stderr = self._asked_for(origin)
        super().__init__(origin.file_name, stdin, stdout, stderr)
        said = origin.answer_to(self.name)
        if said is None or said.get("is") != "copied":
            self._waited = True
            self.end()
            raise OSError(errno.ECHILD, "no copy was made")

    def _asked_for(self, origin: Child) -> list[IO[bytes]]:
        """Send the copy's ends of three pipes to the origin; return the other ends."""
        pairs = [os.pipe(), os.pipe(), os.pipe()]
        theirs = [pairs[0][0], pairs[1][1], pairs[2][1]]  # requests go there, answers and prints come back
        ours: list[IO[bytes]] = [os.fdopen(pairs[0][1], "wb", 0), *(os.fdopen(pair[0], "rb", 0) for pair in pairs[1:])]
        try:
            if origin.control is None:
                raise OSError(errno.ENOTSUP, "no copies here")
            self.name = origin.send({"do": "copy"})
            socket.send_fds(origin.control, [b"c"], theirs)
        except OSError:
            for each in ours:
                each.close()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        return ours

    def kill(self) -> None:
        """Kill the copy and what it started."""
        self.origin.clear()

    def root(self) -> int:
        """The process that the copy's origin is."""
        return self.origin.root()

    def end(self) -> None:
        """End the copy and what it started; its origin is then ready to make another one."""
        super().end()
        self._said()

    def _exit_code(self) -> int | None:
        said = self._said()
        if said is None:  # the origin ended along with its copy
            return self.origin._exit_code()
        code = said.get("code")
        return code if type(code) is int else None

    def _said(self) -> dict[str, Any] | None:
        if not self._waited:
            self._end, self._waited = self.origin.answer_to(self.name), True
        return self._end


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
            return _shown(bytes(self.kept).partition(self.end)[0] if self.end else bytes(self.kept))


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

"""The child: it runs the learner's code and sends back plain values. It knows no expectation and judges nothing.

Started as `python -I -S -B worker.py`. Before any of the learner's code runs, the two pipes to the parent have moved
away from descriptors 0, 1 and 2: standard input is empty, and what the learner prints goes down a pipe of its own.
`faulthandler` writes to the parent's pipe, so the line that hangs or crashes is named even inside a C call.

Once the file is loaded, the process can be asked for a copy of itself with pipes of its own. The copy serves in its
place: what ends it, or what it breaks, costs no second load. Before all that, `keeper.py` sees to it that no process
outlives the check.

The file stands alone: besides `wire.py` and `keeper.py`, which it loads by path, it imports the standard library only.
"""

from __future__ import annotations
import __future__

import builtins
import faulthandler
import os
import sys
import time

TYPE_CHECKING = False  # as in wire.py: what the child does not import, it does not wait for
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType, TracebackType
    from typing import Any

    from minitorch.course.sandbox import wire
elif __name__ == "__main__":
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    import keeper

    keeper.keep()
    import wire

    sys.path.pop()
elif not __package__:  # beside a script of ours that has seen to the path
    import wire
else:
    from minitorch.course.sandbox import wire

ModuleKind = type(sys)
SHOWN_FRAMES = 4
SHOWN_TEXT = 500
BROKEN = 70  # the exit code of a child in which our own lines failed: the learner's code broke what they use
FORK = getattr(os, "fork", None)  # not everywhere
SLEEP = time.sleep
LOOKS, LOOK_S = 50, 0.001  # at the threads of a process that has loaded a file
PIPES = 3  # what a copy is given: its requests, its answers, its prints


class Learner:
    """The learner's file, loaded, and the calls into it. Used by the child, and by `--in-process` in the parent.

    Every answer is a dict whose "is" says what happened; it holds plain values only.
    """

    def __init__(self, file_name: str, on_error: Callable[[BaseException], None] | None = None) -> None:
        self.file_name = file_name
        self.on_error = on_error
        self.module: ModuleType = ModuleKind(file_name.removesuffix(".py"))
        self.ours: dict[tuple[str, str], Any] = {}  # the functions that were shipped, by text and name
        self.builtins = builtins.__dict__.copy()

    def load(self, source: str) -> dict[str, Any]:
        """Compile and run the learner's file."""
        try:
            code: CodeType = compile(source, self.file_name, "exec", dont_inherit=True)
        except SyntaxError as error:
            return {"is": "syntax", "text": str(error.msg), "line": error.lineno, "column": error.offset}
        except ValueError as error:  # a NUL character
            return {"is": "syntax", "text": str(error), "line": None, "column": None}
        except (RecursionError, MemoryError):  # brackets without end; each Python says it in other words, or in none
            return {"is": "syntax", "text": "too deeply nested", "line": None, "column": None}
        return self.run(code)

    def run(self, code: CodeType) -> dict[str, Any]:
        """Run the learner's file, which has been compiled."""
        sys.modules[self.module.__name__] = self.module
        self.module.__dict__["__file__"] = self.file_name
        try:
            exec(code, self.module.__dict__)  # noqa: S102 - running the learner's file is what the child is for
        except BaseException as error:  # noqa: BLE001 - SystemExit is the learner's, too
            return {"patched": self.restore_builtins(), **self.describe(error)}
        return {"is": "loaded", "patched": self.restore_builtins()}

    def put(self, target: str, definition: str) -> dict[str, Any]:
        """Let a definition take the place of `target` in the loaded file."""
        *owner, name = target.split(".")
        made: dict[str, Any] = {}
        flags = __future__.annotations.compiler_flag
        try:
            exec(compile(definition, self.file_name, "exec", flags, dont_inherit=True), self.module.__dict__, made)  # noqa: S102
        except SyntaxError as error:
            return {"is": "syntax", "text": str(error.msg), "line": error.lineno, "column": error.offset}
        setattr(self.module.__dict__[owner[0]] if owner else self.module, name, made[name])
        return {"is": "loaded"}

    def shipped(self, text: str, name: str) -> Any:
        """The function `name` of a text of our own."""
        if (text, name) not in self.ours:
            space: dict[str, Any] = {"__name__": "check"}
            flags = __future__.annotations.compiler_flag  # the text may come from a file with annotations
            exec(compile(text, "<check>", "exec", flags, dont_inherit=True), space)  # noqa: S102 - our own text
            self.ours[text, name] = space[name]
        return self.ours[text, name]

    def call(self, target: str, driver: tuple[str, str], given: tuple[str, str], x: Any) -> dict[str, Any]:
        """Let the shipped driver exercise the learner's module with the case `x`; `given` is handed to it, if any."""
        observe = self.shipped(*driver)
        beside = (self.shipped(*given),) if given[0] else ()
        try:
            missing = self.missing(target)
            if missing is not None:
                return missing
            value = observe(self.module, x, *beside)
            patched = self.restore_builtins()
            tree, body = wire.encode(value)
        except wire.WireError as error:
            return {"is": "unsendable", "text": str(error)}
        except BaseException as error:  # noqa: BLE001 - whatever the learner raises is an answer
            return {"patched": self.restore_builtins(), **self.describe(error)}
        return {"is": "value", "value": tree, "body": body, "patched": patched}

    def missing(self, target: str) -> dict[str, Any] | None:
        """An answer when the learner's file does not define `target`."""
        scope: Any = self.module.__dict__
        found: Any = None
        for name in target.split("."):
            if name not in scope:
                return {"is": "missing", "text": target}
            found = scope[name]
            if isinstance(found, type):  # inherited methods count, those of `object` do not
                scope = {key: each for base in reversed(found.__mro__[:-1]) for key, each in base.__dict__.items()}
            else:
                scope = {}
        if not (callable(found) or isinstance(found, (staticmethod, classmethod, property))):
            return {"is": "not callable", "text": target, "type": type(found).__name__}
        return None

    def restore_builtins(self) -> list[str]:
        """Put back what the learner's code replaced among Python's builtins, and return the names."""
        current = builtins.__dict__  # from here on nothing may be called that could have been replaced
        patched = []
        for name in self.builtins:
            if name != "_" and (name not in current or current[name] is not self.builtins[name]):
                current[name] = self.builtins[name]
                patched += [name]
        return patched

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Say what was raised, and where in the learner's file; frames of other files are left out."""
        if self.on_error is not None:
            self.on_error(error)
        kind = type(error)  # the learner's own: its attributes may be anything, so they are read past it
        trace = BaseException.__dict__["__traceback__"].__get__(error)
        if issubclass(kind, MemoryError):
            _let_go(trace)
            return {"is": "memory", "frames": self.frames(trace)}
        try:
            text = str.__getitem__(str(error), slice(SHOWN_TEXT))
        except BaseException:  # noqa: BLE001 - the learner's own __str__ may raise anything
            text = ""
        name = type.__dict__["__name__"].__get__(kind)
        return {"is": "raised", "type": name, "text": text, "frames": self.frames(trace)}

    def frames(self, trace: TracebackType | None) -> list[list[Any]]:
        """`[line, function]` of the learner's own frames, the innermost last."""
        found = []
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename == self.file_name:
                found.append([trace.tb_lineno or code.co_firstlineno, code.co_qualname])
            trace = trace.tb_next
        return found[-SHOWN_FRAMES:]


def call_many(header: dict[str, Any], body: bytes, between: Callable[[], None]) -> dict[str, Any]:
    """Observe several definitions on one case, each in its place in the file, loaded anew. For code of our own only.

    Where the definitions are "whole", each is the text of a file: a class that others are made from cannot be put in.
    """
    ours: dict[tuple[str, str], Any] = {}
    driver, given = ((header[key], header[f"{key}_name"]) for key in ("observe", "given"))
    around = None if header["whole"] else compile(header["source"], header["file"], "exec", dont_inherit=True)
    answers, bodies = [], []
    for definition in header["definitions"]:
        between()
        learner = Learner(header["file"])
        learner.ours = ours
        answer = learner.load(definition) if around is None else learner.run(around)
        if answer["is"] == "loaded" and around is not None:
            answer = learner.put(header["target"], definition)
        if answer["is"] == "loaded":
            answer = learner.call(header["target"], driver, given, wire.decode(header["x"], body))
        bodies.append(answer.pop("body", b""))
        answers.append({**answer, "size": len(bodies[-1])})
    between()
    return {"is": "many", "answers": answers, "body": b"".join(bodies)}


def _let_go(trace: TracebackType | None) -> None:
    """Free what the raising frames still hold, or there may be no memory left to answer with."""
    while trace is not None:
        try:  # noqa: SIM105 - contextlib is slow to import
            trace.tb_frame.clear()
        except RuntimeError:  # the frame still runs: it is one of ours
            pass
        trace = trace.tb_next


class _OnePackage:
    """Finds one package by its folder, without opening the folder around it to imports."""

    def __init__(self, name: str, folder: str) -> None:
        self.name, self.folder = name, folder

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        if name != self.name:
            return None
        from importlib.util import spec_from_file_location

        start = os.path.join(self.folder, "__init__.py")  # noqa: PTH118 - pathlib is slow to import
        return spec_from_file_location(name, start, submodule_search_locations=[self.folder])


def move_pipes() -> tuple[Any, int, int]:
    """Take the pipes away from descriptors 0, 1, 2; return the requests, the answers and the copy for prints."""
    requests, answers, prints = os.dup(0), os.dup(1), os.dup(2)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (requests, answers, prints):
            msvcrt.setmode(descriptor, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - these three stay open
    sys.stdout = open(1, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    return open(requests, "rb"), answers, prints  # noqa: PTH123 - a descriptor


def set_limits(limits: dict[str, int]) -> None:
    """Bound what the process may take, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    for name, limit in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        _, hard = resource.getrlimit(kind)
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        try:
            resource.setrlimit(kind, (soft, soft))
        except (ValueError, OSError):
            continue  # macOS knows the name of a limit that it does not keep


def set_path(request: dict[str, Any]) -> None:
    """Let some folders and packages be found by imports."""
    sys.path.extend(request["paths"])
    sys.meta_path.extend(_OnePackage(name, folder) for name, folder in request["packages"])


def write(descriptor: int, data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[os.write(descriptor, data) :]


def received(control: int) -> list[int]:
    """The pipes for a copy, as they come through a socket."""
    import _socket

    end = _socket.socket(fileno=control)
    try:
        _, parts, _, _ = end.recvmsg(1, _socket.CMSG_SPACE(4 * PIPES))
    finally:
        end.detach()
    data = parts[0][2]
    return [int.from_bytes(data[at : at + 4], sys.byteorder) for at in range(0, 4 * PIPES, 4)]


class _Room:
    """A process's ways in and out: requests, answers, prints, and the socket that pipes for a copy come through."""

    def __init__(self, control: int | None) -> None:
        self.requests, self.answers, self.prints = move_pipes()
        self.control = control

    def can_be_copied(self) -> bool:
        """Whether a copy would be whole: a process with more than one thread is copied without the others.

        The watchdog's thread, called off a moment ago, may still be on its way out.
        """
        if self.control is None:
            return False
        try:
            for _ in range(LOOKS):
                if len(os.listdir("/proc/self/task")) == 1:  # noqa: PTH208
                    return True
                SLEEP(LOOK_S)
        except OSError:
            pass
        return False

    def copy(self, request_id: str, fork: Any = FORK, wait: Callable[..., Any] = os.waitpid) -> dict[str, Any] | None:
        """Answer in the copy with None, and here, once the copy has ended, with how it did."""
        assert self.control is not None
        pipes = received(self.control)
        pid = fork()  # Python's own: the learner's file was loaded by now
        if not pid:
            self._move_to(*pipes)
            return None
        for each in pipes:
            os.close(each)
        write(self.answers, wire.frame({"is": "copied", "id": request_id}))
        try:
            code = os.waitstatus_to_exitcode(wait(pid, 0)[1])
        except ChildProcessError:  # the file asked the system to bury its children for it
            code = 0
        return {"is": "ended", "code": code}

    def _move_to(self, requests: int, answers: int, prints: int) -> None:
        for new, *old in ((answers, self.answers), (prints, self.prints, 1, 2)):
            for each in old:
                os.dup2(new, each)
            os.close(new)
        self.requests.close()
        self.requests = open(requests, "rb")  # noqa: SIM115 - a descriptor, and it stays open
        self.control = None


def serve(control: int | None = None) -> None:
    """Answer the parent's requests until it closes the pipe."""
    room = _Room(control)
    answers, prints = room.answers, room.prints  # a copy's have the same numbers
    own_id = os.getpid()
    streams = (sys.stdout, sys.stderr)
    faulthandler.enable(file=answers, all_threads=False)
    learner: Learner | None = None
    while (request := wire.read_frame(room.requests)) is not None:
        header, body = request
        if learner is None:
            set_limits(header["limits"])
            set_path(header)
        if learner is None or header["do"] == "load":
            learner = Learner(header["file"])
        case = wire.decode(header["x"], body) if header["do"] == "call" else None
        if header["do"] == "copy":
            told = room.copy(header["id"])
            if told is None:
                own_id = os.getpid()
            else:
                write(answers, wire.frame({**told, "id": header["id"]}))
            continue
        faulthandler.dump_traceback_later(header["limit"], exit=True, file=answers)
        if header["do"] == "many":

            def between(limit: float = header["each"]) -> None:
                for stream in streams:
                    stream.flush()
                write(prints, wire.BETWEEN)
                faulthandler.dump_traceback_later(limit, exit=True, file=answers)

            answer = call_many(header, body, between)
        elif header["do"] == "load":
            answer = learner.load(body.decode("utf-8", "surrogatepass"))
        elif header["do"] == "settle":
            answer = {"is": "settled"}
        else:
            driver, given = ((header[key], header[f"{key}_name"]) for key in ("observe", "given"))
            answer = learner.call(header["target"], driver, given, case)
        if os.getpid() != own_id:
            os._exit(0)  # the learner's code forked: one process answers
        for stream in streams:
            try:
                stream.flush()
            except (OSError, ValueError):
                continue  # the learner closed it
        faulthandler.cancel_dump_traceback_later()
        if header["do"] == "load":
            answer["copies"] = room.can_be_copied()
        arrays = answer.pop("body", b"")
        try:
            framed = wire.frame({**answer, "id": header["id"]}, arrays)
        except wire.WireError as error:
            framed = wire.frame({"is": "unsendable", "text": str(error), "id": header["id"]})
        write(prints, wire.end_of_prints(header["id"]))
        write(answers, framed)


def main(leave: Callable[[int], None] = os._exit, broken: int = BROKEN) -> None:
    """Serve to the end, and leave without a word: a traceback of ours would look like something that was printed."""
    try:  # what is needed in the end stands among the arguments, where no other code reaches it
        serve(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    except BaseException:  # noqa: BLE001 - whatever the learner's code broke
        leave(broken)
    leave(0)


if __name__ == "__main__":
    main()

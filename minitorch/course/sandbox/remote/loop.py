"""The child of a driver: it holds the learner's file, NumPy, the lesson's given code, and this loop.

It knows no case and no driver: it gets, sets and calls what it is told to, one thing after the other, and sends back
what comes of it. Started as `python -I -S -B loop.py`, with pipes to the driver's process as its standard input and
output; before the learner's code runs they move away from there, as in `worker.py`.
"""

from __future__ import annotations

import faulthandler
import os
import sys

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

    from minitorch.course.sandbox import confinement, keeper, wire, worker
    from minitorch.course.sandbox.remote import mirrors, plain, specials
    from minitorch.course.sandbox.remote.space import Space
elif not __package__:
    sys.path += [os.path.dirname(__file__), os.path.dirname(os.path.dirname(__file__))]  # noqa: PTH120
    import confinement
    import keeper
    import mirrors
    import plain
    import specials
    import wire
    import worker
    from space import Space

    del sys.path[-2:]
else:
    from minitorch.course.sandbox import confinement, keeper, wire, worker
    from minitorch.course.sandbox.remote import mirrors, plain, specials
    from minitorch.course.sandbox.remote.space import Space

ROOM = 400  # calls that the loop may go deeper than the learner's code
DEEPEST = (1 << 31) - 1 - ROOM
WORK = {**specials.WORK, **specials.ASKED}
BIG = ("int", "int of more than 256 bits", "builtins")


class Loop(Space):
    """The child's table of what it shares with the driver, and the turns of the talk."""

    own = 1

    def __init__(self, requests: IO[bytes], answers: int) -> None:
        super().__init__()
        self.requests, self.answers = requests, answers
        self.process = os.getpid()
        self.learner: worker.Learner | None = None
        self.current: Any = None  # the message that is answered next
        self.depth = sys.getrecursionlimit()  # how deep the learner's code may call
        self.patched: list[str] = []  # names of builtins that had to be put back within a case
        self.raised: tuple[BaseException | None, str] = (None, "")  # what is raised to the driver, and its text
        self.classes: dict[tuple[Any, ...], Any] = {}  # descriptions of classes of things that are no plain data

    # --------------------------------------------------------------------------------------------- the turns

    def serve(self) -> None:
        """Answer until the driver closes the pipe."""
        sys.setrecursionlimit(self.depth + ROOM)
        while (message := wire.read_frame(self.requests)) is not None:
            header, body = message
            self.current = header["id"]
            if header["m"] == "load":
                self._write(wire.frame({**self._loaded(header, body), "id": self.current}))
            elif header["m"] == "begin":
                self._begin(header)
            elif header["m"] == "end":
                self._end()
            else:
                self._do(header, body)

    def _loaded(self, header: dict[str, Any], source: bytes) -> dict[str, Any]:
        worker.set_limits(header["limits"])
        worker.set_path(header)
        if header["plan"] and (why := confinement.enter(header["plan"])):
            return {"is": "unconfined", "text": why}
        self.learner = worker.Learner(header["file"])
        faulthandler.dump_traceback_later(header["limit"], exit=True, file=self.answers)
        answer: dict[str, Any] = self._learners(self.learner.load, source.decode("utf-8", "surrogatepass"))
        self._stop()
        return answer

    def _begin(self, header: dict[str, Any]) -> None:
        assert self.learner is not None
        self.clear()
        faulthandler.dump_traceback_later(header["limit"], exit=True, file=self.answers)
        missing = self.learner.missing(header["target"])
        given = self.learner.shipped(header["given"], header["given_name"]) if header["given"] else None
        module, name = self.learner.module, header["target"].partition(".")[0]
        there = type(module) is worker.ModuleKind and missing is None and name != ""
        found = (module.__dict__[name],) if there else ()  # a driver asks for it first: one question less
        self._say("return", v=(module, given, missing, found))

    def _end(self) -> None:
        assert self.learner is not None
        self._stop()
        patched, self.patched = [*self.patched, *self.learner.restore_builtins()], []
        self._say("return", v=patched)
        self.clear()

    def _stop(self) -> None:
        """What was printed goes out, and the clock is stopped."""
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                continue  # the learner closed it, or put something else in its place
        faulthandler.cancel_dump_traceback_later()

    def _do(self, header: dict[str, Any], body: bytes) -> None:
        """Do what the driver asks for, and say what came of it."""
        assert self.learner is not None
        value: Any = None
        try:
            self.learn(header, body)
            args = [self.unpack(each) for each in header["a"]]
            named = {name: self.unpack(each) for name, each in header["k"].items()}
            value = self._learners(WORK[header["op"]], *args, **named)
        except BaseException as error:  # noqa: BLE001 - whatever the learner raises is an answer
            if os.getpid() != self.process:
                os._exit(0)  # the learner's code forked: one process answers
            self._raise(error)
            return
        if os.getpid() != self.process:
            os._exit(0)
        self._return(value)

    def _return(self, value: Any) -> None:
        try:
            self._say("return", v=value)
        except wire.WireError as error:
            self._unsendable(str(error))
        except Exception:  # noqa: BLE001 - a builtin that this loop uses may have been replaced
            assert self.learner is not None
            self.patched += self.learner.restore_builtins()
            self._say("return", v=value)

    def _raise(self, error: BaseException) -> None:
        assert self.learner is not None
        places = self.learner.describe(error)["frames"]
        self.raised = error, _text(error)  # a text may ask the driver for one of its things: not while all is packed
        try:
            self._say("raise", at=places, v=error)
        except wire.WireError as problem:
            self._unsendable(str(problem))

    def _unsendable(self, why: str) -> None:
        self._write(wire.frame({"m": "unsendable", "text": why[:200], "id": self.current}))

    def _learners(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Call something of the learner's, with the depth that it has by itself."""
        sys.setrecursionlimit(self.depth)
        try:
            return function(*args, **named)
        finally:
            self.depth = min(sys.getrecursionlimit(), DEEPEST)
            sys.setrecursionlimit(self.depth + ROOM)

    def call(self, ref: int, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a function of the driver's; what it asks for meanwhile is done."""
        self.depth = min(sys.getrecursionlimit(), DEEPEST)
        sys.setrecursionlimit(self.depth + ROOM)
        try:
            self._say("call", f=ref, n=name, a=args, k=named)
            while (message := wire.read_frame(self.requests)) is not None:
                header, body = message
                self.current = header["id"]
                if header["m"] == "do":
                    self._do(header, body)
                    continue
                self.learn(header, body)
                value = self.unpack(header["v"])
                if header["m"] == "raise":
                    raise value
                return value
            os._exit(0)
        finally:
            self._back()

    def _back(self) -> None:
        try:  # noqa: SIM105 - contextlib is slow to import
            sys.setrecursionlimit(self.depth)
        except RecursionError:
            pass  # at the very limit: it is set again before the learner's code is called next

    def _say(self, kind: str, at: Any = None, f: int = 0, n: str = "", **values: Any) -> None:
        header: dict[str, Any] = {"m": kind, "id": self.current}
        if at:
            header["at"] = at
        if kind == "call":
            header.update(f=f, n=n)
        self._write(self.message(header, **values))

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.answers, data) :]

    # -------------------------------------------------------------------------------------- what the child hands over

    def describe(self, ref: int, thing: Any) -> list[Any]:
        """What the driver is told of a thing of the learner's."""
        kind = type(thing)
        if kind is int:
            return [ref, "h", self._class_of_its_own(BIG, int)]
        if issubclass(kind, type):
            return self._class(ref, thing, _names(thing))
        if issubclass(kind, BaseException):
            args = BaseException.__dict__["args"].__get__(thing) if not issubclass(kind, MemoryError) else ()
            text = self.raised[1] if thing is self.raised[0] else _text(thing)
            return [ref, "x", self.pack(kind), self.pack(args), text]
        if type(kind) is mirrors.MirrorType and id(kind) in self.refs:
            its_class = self.pack(kind)
            return [ref, "r", its_class, *self.tell(ref, "r", thing)[2:]]
        numpy = sys.modules.get("numpy")
        if numpy is not None and kind is getattr(numpy, "ndarray", None):
            return [ref, "h", self._class_of_its_own(("ndarray", f"array of {thing.dtype}", "builtins"), kind)]
        return [ref, "h", self.pack(kind)]

    def _class_of_its_own(self, names: tuple[str, str, str], kind: type) -> Any:
        """A description of a class under another name: of ints and arrays that do not cross."""
        if names not in self.classes:
            self.classes[names] = type(names[0], (), {})
        stand = self.classes[names]
        ref = self.refs.get(id(stand))
        if ref is None:
            ref = self.enter(self._new_ref(), stand)
            self.defined.append((self._class(ref, kind, names), b""))
        return ["#", ref]

    def _class(self, ref: int, cls: type, names: tuple[str, str, str]) -> list[Any]:
        bases = type.__dict__["__mro__"].__get__(cls)
        spaces = [type.__dict__["__dict__"].__get__(base) for base in bases if base is not object]
        found = {name: space[name] for space in reversed(spaces) for name in specials.NAMES if name in space}
        methods = [name for name, value in found.items() if value is not None]
        if "__hash__" in found and found["__hash__"] is None:
            methods.append("-hash")
        if issubclass(cls, BaseException):
            its_bases = [self.pack(base) for base in type.__dict__["__bases__"].__get__(cls)]
        else:
            its_bases = [tree for base in bases if (tree := plain.pack(base, type, self.pack)) is not None]
        return [ref, "K", *names, methods, its_bases]

    # ------------------------------------------------------------------------------------ what the driver hands over

    def make(self, ref: int, definition: list[Any]) -> Any:
        """What stands here for a thing of the driver's."""
        kind, parts = definition[1], definition[2:]
        if kind in ("k", "f"):
            self.lasting.add(ref)
        if kind == "k":
            name, full, methods, plains, bases = parts
            its_plains = {key: self.unpack(value) for key, value in plains}
            return mirrors.made_class(
                self.call, ref, (name, full), methods, its_plains, [self.unpack(b) for b in bases]
            )
        if kind == "f":
            return mirrors.function(self.call, ref, parts[0])
        if kind == "n":
            return int(parts[0], 16)
        cls = self.unpack(parts[0])
        if kind in ("r", "i"):
            return mirrors.made(cls)
        args = self.unpack(parts[1])
        try:
            return cls(*args)
        except Exception:  # noqa: BLE001 - some want arguments of their own kind
            error = cls.__new__(cls)
            error.args = args
            return error

    def attributes(self, thing: Any) -> dict[str, Any]:
        """What a record of the driver's holds."""
        inside: dict[str, Any] = object.__getattribute__(thing, "__dict__")
        return inside

    def set_attributes(self, thing: Any, attributes: dict[str, Any]) -> None:
        """Give a record of the driver's what it holds there."""
        inside = object.__getattribute__(thing, "__dict__")
        inside.clear()
        inside.update(attributes)


def _text(error: BaseException) -> str:
    try:
        return str.__getitem__(str(error), slice(worker.SHOWN_TEXT))
    except BaseException:  # noqa: BLE001 - the learner's own __str__ may raise anything
        return ""


def _names(cls: type) -> tuple[str, str, str]:
    """A class's name, qualified name and module, without running any code of that class."""
    found = []
    for name in ("__name__", "__qualname__", "__module__"):
        try:
            value = type.__dict__[name].__get__(cls)
        except AttributeError:
            value = "object"
        found.append(value[:100] if type(value) is str else "object")
    return found[0], found[1], found[2]


def main() -> None:
    """Move the pipes away, and serve to the end."""
    keeper.keep()
    requests, answers, _ = worker.move_pipes()
    faulthandler.enable(file=answers, all_threads=False)
    Loop(requests, answers).serve()


if __name__ == "__main__":
    main()

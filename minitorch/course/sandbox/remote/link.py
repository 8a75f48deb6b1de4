"""The driver's side of the talk with the child: it asks, and the child answers or calls what was handed to it.

In lock-step: to `begin`, `do`, `return`, `raise` and `end` the child says `return`, `raise`, `call` or `unsendable`,
and which message that answers. A `call` reaches functions that were handed over, and the listed methods of classes that
were. Anything else ends the child.
"""

from __future__ import annotations

import functools
import types

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

    from minitorch.course.sandbox import wire
    from minitorch.course.sandbox.remote import plain, proxies, specials
    from minitorch.course.sandbox.remote.space import REF, Space
elif not __package__:
    import plain
    import proxies
    import specials
    import wire
    from space import REF, Space
else:
    from minitorch.course.sandbox import wire
    from minitorch.course.sandbox.remote import plain, proxies, specials
    from minitorch.course.sandbox.remote.space import REF, Space

CHECK = "check"  # the module of the driver's own classes
LONGEST_NAME = 200
DEEPEST = 8  # of the places that an exception comes with
MAX_LINE = 1 << 20
LISTED = (staticmethod, classmethod, property)
HOW = {staticmethod: "static", classmethod: "class", property: "property"}
NEVER = frozenset({"__dict__", "__weakref__", "__slots__", "__class__", "__new__"})


class Over(BaseException):
    """The child is gone, or said what it was not asked: no driver catches this."""

    def __init__(self, why: str, seen: bytes | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.seen = seen  # what stands in the pipe instead of an answer; None for an answer that is none


class Unsendable(BaseException):
    """The child answered with more than can be sent."""


class Link(Space):
    """The driver's table of what it shares with the child, and the talk itself."""

    shares_chance = True

    def __init__(self, requests: IO[bytes], answers: IO[bytes], file_name: str) -> None:
        super().__init__()
        self.requests, self.answers, self.file_name = requests, answers, file_name
        self.sent = 0
        self.over: Over | None = None
        self.reached: dict[int, dict[str, Callable[..., Any]]] = {}  # by ref: what a call can reach; "" is the thing
        self.foreseen: tuple[int, Any, str, tuple[Any, ...]] = (
            0,
            None,
            "",
            (),
        )  # what the child said before it was asked
        self.records: dict[int, type] = {}  # by ref: the classes whose instances cross with their attributes
        self.slots: dict[type, list[str]] = {}  # of those classes

    # ------------------------------------------------------------------------------------------------ asking

    def begin(self, target: str, given: tuple[str, str], limit_s: float) -> tuple[Any, Any, dict[str, Any] | None]:
        """Begin a case: the learner's module, the given code if there is any, and what is missing, if anything is."""
        self.clear()
        module, code, missing, found = self._turn(
            {"m": "begin", "target": target, "given": given[0], "given_name": given[1], "limit": limit_s}
        )
        if type(found) is not tuple:
            raise self._broken("nothing that was found")
        self.foreseen = (self.sent, module, target.partition(".")[0], found)
        return module, code, missing

    def end(self) -> list[str]:
        """End the case; return the names of Python's builtins that were replaced."""
        patched = self._turn({"m": "end"})
        self.clear()
        if type(patched) is not list or any(type(name) is not str for name in patched):
            raise self._broken("names that are none")
        return patched

    def ask(self, what: str, *args: Any, **named: Any) -> Any:
        """Have the child do something with its things, and return what comes of it, or raise it."""
        sent, module, name, found = self.foreseen
        if sent == self.sent and what == "get" and found and args[0] is module and args[1] == name:
            return found[0]  # nothing has been asked since the child said so
        return self._turn({"m": "do", "op": what}, a=args, k=named)

    def load(self, request: dict[str, Any], source: bytes) -> None:
        """Have the child load the learner's file."""
        self.sent += 1
        self._write(wire.frame({**request, "m": "load", "id": self.sent}, source))

    def loaded(self) -> dict[str, Any]:
        """What the child says of that."""
        return self._hear()[0]

    def _turn(self, header: dict[str, Any], **values: Any) -> Any:
        self._tell(header, **values)
        while True:
            said, body = self._hear()
            try:
                self.learn(said, body)
                kind = said["m"]
                value = self.unpack(said.get("v"))
                places = _places(said.get("at", [])) if kind == "raise" else []
                call = self._called(said) if kind == "call" else None
            except Exception as error:  # noqa: BLE001 - whatever is wrong with an answer
                raise self._broken(str(error)) from None
            if kind == "return":
                return value
            if kind == "raise" and isinstance(value, BaseException):
                trace = proxies.traceback(places, self.file_name)
                raise BaseException.with_traceback(value, trace)
            if kind == "unsendable":
                raise Unsendable(str(said.get("text", ""))[:LONGEST_NAME])
            if call is None:
                raise self._broken("an answer of an unknown kind")
            self._answer(*call)

    def _answer(self, function: Callable[..., Any], args: list[Any], named: dict[str, Any]) -> None:
        try:
            value = function(*args, **named)
        except (Over, Unsendable):
            raise
        except BaseException as error:  # noqa: BLE001 - the learner's code has to see it
            self._tell({"m": "raise"}, v=error)
        else:
            self._tell({"m": "return"}, v=value)

    def _called(self, said: dict[str, Any]) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
        function = self.reached[said["f"]][said.get("n", "")]
        return function, [self.unpack(each) for each in said["a"]], {k: self.unpack(v) for k, v in said["k"].items()}

    def _tell(self, header: dict[str, Any], **values: Any) -> None:
        if self.over is not None:
            raise self.over
        self.sent += 1
        self._write(self.message({**header, "id": self.sent}, **values))

    def _write(self, data: bytes) -> None:
        try:
            self.requests.write(data)
            self.requests.flush()
        except (OSError, ValueError):
            pass  # the child is gone: what is read next says so

    def _hear(self) -> tuple[dict[str, Any], bytes]:
        try:
            answer = wire.read_frame(self.answers)
        except wire.WireError as error:
            seen = error.args[1] if len(error.args) > 1 else b""
            self.over = Over(str(error.args[0]), seen)
            raise self.over from None
        except (OSError, ValueError):
            answer = None
        if answer is None:
            self.over = Over("the end", b"")
            raise self.over
        if answer[0].get("id") != self.sent:
            raise self._broken("an answer that nobody asked for")
        return answer

    def _broken(self, why: str) -> Over:
        self.over = Over(why)
        return self.over

    # --------------------------------------------------------------------------------- what the driver hands over

    def describe(self, ref: int, thing: Any) -> list[Any]:
        """What the child is told of a thing of the driver's."""
        kind = type(thing)
        if proxies.RemoteType in (kind, type(kind)):
            raise wire.WireError("a thing of a case that has ended")
        if isinstance(thing, BaseException):
            cls = next(base for base in kind.__mro__ if base in plain.NAMES)
            return [ref, "x", self.pack(cls), self.pack(thing.args), ""]
        if isinstance(thing, type):
            return self._class(ref, thing)
        if isinstance(thing, types.ModuleType):
            raise wire.WireError(f"the module {thing.__name__}")
        if kind.__module__ == CHECK:
            its_class = self.pack(kind)
            return [ref, "r", its_class, *self.tell(ref, "r", thing)[2:]]
        if callable(thing):
            self.reached[ref] = {"": thing}
            self.lasting.add(ref)
            return [ref, "f", str(getattr(thing, "__name__", "function"))]
        if kind is int:  # of more than 256 bits
            return [ref, "n", hex(thing)]
        its_class = self.pack(kind)  # of a class that is not the driver's, a `random.Random`: its methods cross
        if its_class[0] != REF:
            raise wire.WireError(f"a {kind.__name__} of this kind")
        return [ref, "i", its_class]

    def _class(self, ref: int, cls: type) -> list[Any]:
        """A class of the driver's: its methods by name and kind, and those of its attributes that are plain."""
        own = cls.__module__ == CHECK
        reached: dict[str, Callable[..., Any]] = {"": cls}
        methods, plains = [], []
        for name, value in (_own_attributes(cls) if own else _public_methods(cls)).items():
            if callable(value) or isinstance(value, LISTED):
                how = HOW.get(type(value), "method")
                methods.append([name, how])
                reached[name] = functools.partial(_property, name) if how == "property" else getattr(cls, name)
            elif type(value) in (bool, int, float, str) and not name.startswith("__"):
                plains.append([name, self.pack(value)])
        self.reached[ref] = reached
        self.lasting.add(ref)
        if own:
            self.records[ref] = cls
        bases = [self.pack(base) for base in cls.__bases__ if base.__module__ == CHECK]
        return [ref, "k", cls.__name__, cls.__qualname__, methods, plains, bases]

    # ------------------------------------------------------------------------------- what the child hands over

    def make(self, _: int, definition: list[Any]) -> Any:
        """What stands here for a thing of the learner's."""
        kind, parts = definition[1], definition[2:]
        if kind == "K" and len(parts) == 5:
            names, methods = _texts(parts[:3]), _texts(parts[3])
            bases = [self.unpack(base) for base in parts[4]]
            if not all(isinstance(base, type) for base in bases):
                raise wire.WireError("a base that is no class")
            return proxies.made_class(self, (names[0], names[1], names[2]), methods, bases)
        cls = self.unpack(parts[0])
        if not isinstance(cls, type):
            raise wire.WireError("a class that is none")
        if kind == "h" and type(cls) is proxies.RemoteType:
            return proxies.made(cls)
        if kind == "r" and cls in self.records.values():
            return object.__new__(cls)
        if kind == "x" and len(parts) == 3 and type.__subclasscheck__(BaseException, cls) and type(parts[2]) is str:
            args = self.unpack(parts[1])
            if type(args) is tuple:
                return proxies.made_error(cls, args, parts[2])
        raise wire.WireError("a thing of an unknown kind")

    def attributes(self, thing: Any) -> dict[str, Any]:
        """What a record of the driver's holds, its slots included."""
        kind = type(thing)
        slots = self.slots[kind] if kind in self.slots else self._slots(kind)
        if not slots:
            return _dict(thing)
        return {**_dict(thing), **{name: getattr(thing, name) for name in slots if hasattr(thing, name)}}

    def set_attributes(self, thing: Any, attributes: dict[str, Any]) -> None:
        """Give a record of the driver's what the learner's code left in it."""
        slots, inside = self._slots(type(thing)), _dict(thing)
        inside.clear()
        for name, value in attributes.items():
            if name in slots:
                object.__setattr__(thing, name, value)
            else:
                inside[name] = value
        for name in slots:
            if name not in attributes and hasattr(thing, name):
                object.__delattr__(thing, name)

    def _slots(self, cls: type) -> list[str]:
        if cls not in self.slots:
            found = [vars(base).get("__slots__", ()) for base in cls.__mro__]
            names = [name for slots in found for name in ([slots] if isinstance(slots, str) else slots)]
            self.slots[cls] = [name for name in names if name not in NEVER]
        return self.slots[cls]


def _own_attributes(cls: type) -> dict[str, Any]:
    spaces = [vars(base) for base in reversed(cls.__mro__) if base.__module__ == CHECK]
    return {name: value for space in spaces for name, value in space.items() if name not in NEVER}


def _public_methods(cls: type) -> dict[str, Any]:
    names = [name for name in dir(cls) if name in specials.NAMES or not name.startswith("_")]
    found = {name: getattr(cls, name) for name in names}
    return {
        name: value for name, value in found.items() if callable(value) and value is not getattr(object, name, None)
    }


def _property(name: str, thing: Any, *value: Any) -> Any:
    """Read a property, or write a value to it."""
    return setattr(thing, name, *value) if value else getattr(thing, name)


def _dict(thing: Any) -> dict[str, Any]:
    inside: dict[str, Any] = getattr(thing, "__dict__", {})
    return inside


def _texts(parts: Any) -> list[str]:
    if type(parts) is not list or any(type(part) is not str or len(part) > LONGEST_NAME for part in parts):
        raise wire.WireError("names that are none")
    return parts


def _places(parts: Any) -> list[tuple[int, str]]:
    """The places in the learner's file that an exception comes with."""
    if type(parts) is not list or len(parts) > DEEPEST:
        raise wire.WireError("places that are none")
    for part in parts:
        if type(part) is not list or len(part) != 2 or type(part[0]) is not int or not 0 < part[0] <= MAX_LINE:
            raise wire.WireError("a place that is none")
    return list(zip((part[0] for part in parts), _texts([part[1] for part in parts])))

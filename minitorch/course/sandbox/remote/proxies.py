"""What stands in the driver's process for the learner's things: each use of one is a question to the child.

A class of the learner's is a class here, and its instances are instances of that; so `type(x)`, `isinstance` and the
name of a type say what they say in the learner's process. A proxy has the special methods that the learner's class has,
and no others.
"""

from __future__ import annotations

import types

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from minitorch.course.sandbox.remote import specials
    from minitorch.course.sandbox.remote.link import Link
elif not __package__:
    import specials
else:
    from minitorch.course.sandbox.remote import specials

OWN = "_link"  # in a class's own namespace: where its questions go; no question about it is ever sent


def link_of(cls: type) -> Link | None:
    """Where questions to the instances of a class go; None for the classes of this file."""
    link: Link | None = type.__getattribute__(cls, OWN)
    return link


class RemoteType(type):
    """The class of a class of the learner's."""

    _link: Link | None = None

    def __getattribute__(cls, name: str) -> Any:
        link = link_of(cls)
        return type.__getattribute__(cls, name) if link is None else link.ask("get", cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        link = link_of(cls)
        if link is None:
            type.__setattr__(cls, name, value)
        else:
            link.ask("set", cls, name, value)

    def __delattr__(cls, name: str) -> None:
        link = link_of(cls)
        if link is None:
            type.__delattr__(cls, name)
        else:
            link.ask("del", cls, name)

    def __call__(cls, *args: Any, **named: Any) -> Any:
        """Make an instance, as calling the learner's class does."""
        link = link_of(cls)
        return type.__call__(cls, *args, **named) if link is None else link.ask("__call__", cls, *args, **named)

    def __instancecheck__(cls, thing: Any) -> bool:
        link = link_of(cls)
        if link is None or type(thing) is cls:
            return type.__instancecheck__(cls, thing)
        return bool(link.ask("isinstance", thing, cls))

    def __subclasscheck__(cls, other: type) -> bool:
        link = link_of(cls)
        return type.__subclasscheck__(cls, other) if link is None else bool(link.ask("issubclass", other, cls))

    def __dir__(cls) -> list[str]:
        link = link_of(cls)
        return list(type.__dir__(cls) if link is None else link.ask("dir", cls))

    def __repr__(cls) -> str:
        link = link_of(cls)
        return type.__repr__(cls) if link is None else link.ask("repr", cls)


class Remote(metaclass=RemoteType):
    """A thing of the learner's."""

    __slots__ = ()
    _link: Link | None = None
    _plain: type | None = None  # the plain class that its class inherits from, as `class Length(float)` does

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return type.__getattribute__(type(self), "_plain") or type(self)
        return _ask(self, "get", name)

    def __setattr__(self, name: str, value: Any) -> None:
        _ask(self, "set", name, value)

    def __delattr__(self, name: str) -> None:
        _ask(self, "del", name)

    def __dir__(self) -> list[str]:
        names: list[str] = _ask(self, "dir")
        return names

    def __repr__(self) -> str:
        text: str = _ask(self, "repr")
        return text

    def __str__(self) -> str:
        text: str = _ask(self, "str")
        return text

    def __format__(self, how: str) -> str:
        text: str = _ask(self, "format", how)
        return text


def _ask(thing: Any, what: str, *args: Any, **named: Any) -> Any:
    link = link_of(type(thing))
    assert link is not None
    return link.ask(what, thing, *args, **named)


def _special(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **named: Any) -> Any:
        return _ask(self, name, *args, **named)

    method.__name__ = name
    return method


METHODS = {name: _special(name) for name in specials.NAMES}


def made_class(link: Link, names: tuple[str, str, str], methods: list[str], bases: list[type]) -> type:
    """The class that stands for one of the learner's.

    names: its name, its qualified name, its module. bases: of an exception all its bases, else its plain ones.
    """
    name, full, module = names
    space: dict[str, Any] = {each: METHODS[each] for each in methods if each in METHODS}
    space |= {"__module__": module, "__qualname__": full, OWN: link}
    if "-hash" in methods:
        space["__hash__"] = None
    elif "__eq__" in space and "__hash__" not in space:
        space["__hash__"] = METHODS["__hash__"]
    if bases and all(issubclass(base, BaseException) for base in bases):
        space = {"__module__": module, "__qualname__": full, OWN: link, "__str__": _said}
        return _class(name, [_alone(base) for base in bases], space)
    plain = next((base for base in bases if base is not object), None)
    return _class(name, [Remote], {"__slots__": (), "_plain": plain, **space})


def _class(name: str, bases: list[type], space: dict[str, Any]) -> type:
    """A class of these bases; of the first of them that can be, where they do not go together."""
    for some in (tuple(bases), *((base,) for base in bases)):
        try:
            return RemoteType.__new__(RemoteType, name, some, space)
        except TypeError:
            continue
    return RemoteType.__new__(RemoteType, name, (Exception,), space)


def made(cls: type) -> Any:
    """A proxy of a class that `made_class` made."""
    return object.__new__(cls)


def _alone(cls: type) -> type:
    """An exception's class; for a group's one that holds no others, which may not have arrived yet."""
    if not issubclass(cls, BaseExceptionGroup):
        return cls
    return RemoteType.__new__(RemoteType, cls.__name__, (Exception,), {"__module__": "builtins", "__str__": _said})


SAID = "_said"


def _said(error: BaseException) -> str:
    """What the learner's exception says of itself."""
    return str(BaseException.__getattribute__(error, "__dict__").get(SAID, ""))


def made_error(cls: type[BaseException], args: tuple[Any, ...], text: str) -> BaseException:
    """The exception that stands for one that was raised in the child."""
    cls = _alone(cls)
    if type(cls) is not RemoteType:
        try:
            return cls(*args)
        except Exception:  # noqa: BLE001 - some want arguments of their own kind
            bare = cls.__new__(cls)
            bare.args = args
            return bare
    kind: Any = next(base for base in type.__getattribute__(cls, "__mro__") if type(base) is type)
    error: BaseException = kind.__new__(cls, *args)
    BaseException.__getattribute__(error, "__dict__")[SAID] = text
    BaseException.__setattr__(error, "args", args)
    return error


def traceback(places: list[tuple[int, str]], file_name: str) -> types.TracebackType | None:
    """A traceback through places of the learner's file, the innermost last."""
    trace = None
    for line, function in reversed(places):
        code = _here.__code__.replace(co_name=function.rpartition(".")[2], co_qualname=function, co_filename=file_name)
        trace = types.TracebackType(trace, types.FunctionType(code, {"_frame": _frame})(), 0, line)
    return trace


def _here() -> types.FrameType:
    return _frame(0)


def _frame(_: int) -> types.FrameType:
    import sys

    return sys._getframe(1)

"""What stands in the child for the driver's own things: a function or a method of theirs is a call back.

An instance of a class of the driver's has its attributes here as they are there: reading and writing them asks nobody.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Call = Callable[[int, str, tuple[Any, ...], dict[str, Any]], Any]


class MirrorType(type):
    """The class of a class of the driver's: to call it makes an instance there."""

    def __call__(cls, *args: Any, **named: Any) -> Any:
        """Make an instance."""
        make = vars(cls).get("_made")
        return type.__call__(cls, *args, **named) if make is None else make(*args, **named)


class Mirror(metaclass=MirrorType):
    """A thing of the driver's."""


def made_class(
    call: Call, ref: int, names: tuple[str, str], methods: list[list[str]], plains: dict[str, Any], bases: list[type]
) -> type:
    """The class that stands for one of the driver's. names: its name and its qualified name."""
    space: dict[str, Any] = {**plains, "__qualname__": names[1], "__module__": "check"}
    for name, how in methods:
        if name != "__init__":
            space[name] = _method(call, ref, name, how)
    cls = MirrorType(names[0], tuple(bases) or (Mirror,), space)
    cls._made = staticmethod(function(call, ref, names[0]))  # type: ignore[attr-defined]
    for name, how in methods:
        if name == "__init__":
            cls.__init__ = _method(call, ref, name, how)  # type: ignore[misc]
    return cls


def _method(call: Call, ref: int, name: str, how: str) -> Any:
    def method(*args: Any, **named: Any) -> Any:
        return call(ref, name, args, named)

    method.__name__ = method.__qualname__ = name
    if how == "property":
        return property(method, method)  # with a value it writes
    return staticmethod(method) if how in ("static", "class") else method


def function(call: Call, ref: int, name: str) -> Callable[..., Any]:
    """A function that stands for one of the driver's."""

    def back(*args: Any, **named: Any) -> Any:
        return call(ref, "", args, named)

    back.__name__ = back.__qualname__ = name
    return back


def made(cls: type) -> Any:
    """An instance of a class that `made_class` made, still without attributes."""
    return object.__new__(cls)

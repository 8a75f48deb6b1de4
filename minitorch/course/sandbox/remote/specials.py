"""What can be done with a thing from afar: each special method with what the child does for it."""

from __future__ import annotations

import math
import operator

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BINARY = {
    f"__{name}__": getattr(operator, f"__{name}__")
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
} | {"__lshift__": operator.lshift, "__rshift__": operator.rshift, "__divmod__": divmod}


def _swapped(of: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda thing, other: of(other, thing)


def _method(name: str) -> Callable[..., Any]:
    return lambda thing, *args, **named: getattr(type(thing), name)(thing, *args, **named)


WORK: dict[str, Callable[..., Any]] = {
    **BINARY,
    **{f"__r{name[2:]}": _swapped(of) for name, of in BINARY.items()},
    **{f"__i{name[2:]}": getattr(operator, f"__i{name[2:]}") for name in BINARY if name != "__divmod__"},
    **{name: getattr(operator, name) for name in ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")},
    **{name: getattr(operator, name) for name in ("__neg__", "__pos__", "__abs__", "__invert__", "__index__")},
    **{name: getattr(operator, name) for name in ("__getitem__", "__setitem__", "__delitem__", "__contains__")},
    "__len__": len,
    "__bool__": bool,
    "__hash__": hash,
    "__iter__": iter,
    "__next__": next,
    "__reversed__": reversed,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    "__round__": round,
    "__floor__": math.floor,
    "__ceil__": math.ceil,
    "__trunc__": math.trunc,
    "__call__": lambda thing, *args, **named: thing(*args, **named),
    "__array__": lambda thing, *args, **named: thing.__array__(*args, **named),
    **{name: _method(name) for name in ("__enter__", "__exit__")},
}
NAMES = frozenset(WORK)
ASKED: dict[str, Callable[..., Any]] = {  # what else the driver may ask of a thing
    "get": getattr,
    "set": setattr,
    "del": delattr,
    "dir": dir,
    "repr": repr,
    "str": str,
    "format": format,
    "isinstance": isinstance,
    "issubclass": issubclass,
}

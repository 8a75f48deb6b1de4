"""Objects: whose they are, where they have their attributes from, and what can be seen of them."""

from __future__ import annotations

import functools
import sys
import types
import weakref
from array import array
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator
from threading import Lock, RLock
from typing import Any

import numpy as np

_NOT_A_USERS = {"minitorch", "numpy", *sys.stdlib_module_names} - {"__main__"}
NOTHING: dict[str, Any] = {}
VIEWS = (type(NOTHING.keys()), type(NOTHING.values()), type(NOTHING.items()))
WEAK = (
    weakref.ref, weakref.ProxyType, weakref.CallableProxyType, weakref.WeakSet, weakref.WeakValueDictionary,
    weakref.WeakKeyDictionary,
)  # fmt: skip
CACHED = type(functools.cache(len))
_IN_C = 1 << 8  # a flag of classes that are written in C
_SEEN_WHOLE = (
    object, bool, int, float, complex, str, bytes, bytearray, tuple, frozenset, list, dict, set, deque, array,
    OrderedDict, defaultdict, functools.partial, np.ndarray, types.SimpleNamespace,
)  # fmt: skip


def kinds_of(owner: Any) -> list[type]:
    """A user's classes among those that an object has its attributes from."""
    mro = [*owner.__mro__] if isinstance(owner, type) else []
    mro += type(owner).__mro__
    return [each for each in mro if is_a_users(each.__module__)]


def has_a_hidden_part(kind: type) -> bool:
    """Whether its instances have a part that is written in C, and that only its methods know."""
    return any(each.__flags__ & _IN_C and each not in _SEEN_WHOLE for each in kind.__mro__)


def own_names(owner: Any) -> Any:
    """What an object has of its own, by name; nothing for one that has slots alone."""
    try:
        return object.__getattribute__(owner, "__dict__") if not isinstance(owner, type) else vars(owner)
    except AttributeError:
        return NOTHING


def named_kind(value: Any) -> str:
    """The class of an object, as a sentence names it: a list, an Out."""
    name = type(value).__name__
    return f"an {name}" if name[:1] in "AEIOaeio" or name == "ndarray" else f"a {name}"


def is_a_users(module: str | None) -> bool:
    """Whether a module is neither Python's own, nor NumPy's, nor this package's."""
    return (module or "").partition(".")[0] not in _NOT_A_USERS


def is_harmless(value: Any) -> bool:
    """What has no state that a step's numbers depend on: what is a value, a lock, a sentinel, NumPy's dtypes."""
    kind = type(value)
    if any(each.__module__ == "_ctypes" for each in kind.__mro__):
        return False
    hashed: Any = kind.__hash__
    if hashed is not None and hashed is not object.__hash__:
        return not isinstance(value, np.void)
    return kind in (object, slice, type(...), type(NotImplemented), type(Lock()), type(RLock())) or kind.__module__ in (
        "_collections",
        "collections",
        "numpy",
        "types",
        "typing",
    )


def from_cache(function: Any, key: Any) -> Any:
    """What a cache of limited size, whose results nothing leads to, gives for a key: its function is called anew.

    The key is the argument, if that is one integer or text, else the tuple of arguments, behind which names and types
    may stand: these are left, and with them the result.
    """
    if type(key) is int or type(key) is str:
        return function(key)
    has_more = function.cache_parameters()["typed"] or any(type(each) is object for each in key)
    return None if has_more else function(*key)


def attributes_of(kinds: list[type]) -> Iterator[Any]:
    """What classes have of their own."""
    return (value for kind in kinds for value in vars(kind).values())


def is_written_in_python(value: Any) -> bool:
    """Whether it is an object of one of NumPy's classes that has attributes of its own, such as a polynomial."""
    kind: Any = type(value)
    return kind.__module__.partition(".")[0] == "numpy" and isinstance(kind.__init__, types.FunctionType)

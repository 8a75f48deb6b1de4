"""Objects: whose they are, where they have their attributes from, and what can be seen of them."""

from __future__ import annotations

import functools
import sys
import types
import weakref
from array import array
from collections import OrderedDict, defaultdict, deque
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

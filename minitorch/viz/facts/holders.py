"""Holders: which names of a program lead to a Tensor, as far as that can be seen.

Seen are the variables of the functions that are running, the variables of their modules, and what holds a Tensor
through a few lists, dicts, sets or objects. What else holds one cannot be named.
"""

from __future__ import annotations

import gc
import inspect
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import owner
from minitorch.backend import is_array

DEEPEST = 5
SCANS, TOGETHER = 3, 20  # of all objects at each depth, and for how many values at once
_PACKAGE = sys.modules["minitorch"].__path__[0] + os.sep
_CONTAINERS = (list, tuple, dict, set, frozenset)


@dataclass(frozen=True, slots=True)
class Held:
    """By what something is held: "losses". container: it is in there, with others perhaps; else it is that itself."""

    name: str
    container: bool


class Names:
    """The names of a program: of the variables that can be seen from a frame, the nearest first.

    more: values that have a name of another kind. Only identities are kept: ask while the values live.
    """

    def __init__(self, frame: FrameType | None, more: Sequence[tuple[Any, str]] = ()) -> None:
        self._names = {id(value): name for value, name in more}
        self._arrays: dict[int, str] = {}
        self.spaces: set[int] = set()  # in which variables are: to be in one of them is to have its name
        while frame is not None:
            if not is_ours(frame):
                self._take(frame)
            frame = frame.f_back

    def _take(self, frame: FrameType) -> None:
        local = frame.f_locals
        self.spaces |= {id(local), id(frame.f_globals)}
        for found in (local, frame.f_globals):
            for name, value in list(found.items()):
                if not name.startswith("_") and not isinstance(value, ModuleType):
                    self._names.setdefault(id(value), name)
                    array = value._data if isinstance(value, TensorBase) else value
                    if is_array(array):
                        self._arrays.setdefault(id(owner(array)), name)
        if frame.f_code.co_flags & inspect.CO_OPTIMIZED and type(local) is dict:
            local.clear()  # a copy that Python before 3.13 keeps, and with it all that is in it

    def of(self, value: Any) -> str | None:
        """What it is called; None where no variable leads straight to it."""
        return self._names.get(id(value))

    def of_array(self, array: Any) -> str | None:
        """What the array is called, or the Tensor around it; array: one that owns its memory."""
        return self._arrays.get(id(array))


def is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of the package."""
    return frame.f_code.co_filename.startswith(_PACKAGE)


def holders(values: Sequence[Any], names: Names) -> list[tuple[Held, ...]]:
    """By what each of the values is held: variables first; () where nothing can be named."""
    above: dict[int, list[Any]] = {}  # what refers to a value, by the value's identity
    level = {id(value): value for value in values}
    ours: set[int] = {id(values), id(above), *names.spaces}
    for _ in range(DEEPEST):
        higher: dict[int, Any] = {}
        ours |= {id(level), id(higher)}
        for _ in range(SCANS):  # what holds one of them mostly holds others as well
            below = [each for key, each in level.items() if key not in above][:TOGETHER]
            ours.add(id(below))
            for each in _referring(below, ours) if below else ():
                inside = {id(other) for other in gc.get_referents(each)}
                for key in level.keys() & inside:
                    above.setdefault(key, []).append(each)
                if names.of(each) is None and not (isinstance(each, dict) and "__spec__" in each):
                    higher[id(each)] = each
            for each in below:
                above.setdefault(id(each), [])
        ours |= {id(each) for each in above.values()}
        level = higher
    found = []
    for value in values:
        own = names.of(value)
        held = [] if own is None else [Held(own, False)]
        ways = dict.fromkeys(_ways(value, above, names, DEEPEST))
        found.append((*held, *[Held(way, True) for way in ways if way != own]))
    return found


def _referring(values: list[Any], ours: set[int]) -> list[Any]:
    """What refers to some of the values, of what belongs to the program."""
    found = gc.get_referrers(*values)
    ours.add(id(found))
    kept = [each for each in found if id(each) not in ours and not _is_machinery(each)]
    ours.add(id(kept))
    return kept


def _is_machinery(value: Any) -> bool:
    """What is no list or object of the program: frames, modules, iterators, cells, nodes and the like."""
    if isinstance(value, (FrameType, ModuleType)):
        return True
    return not isinstance(value, (*_CONTAINERS, TensorBase)) and not type(value).__dictoffset__


def _ways(value: Any, above: Mapping[int, list[Any]], names: Names, deepest: int) -> Iterator[str]:
    """The names of what leads to a value: "losses", "history['loss']", "trainer.last"."""
    for each in above.get(id(value), ()):
        name = names.of(each)
        if name is not None:
            yield name + _step(each, value)
        elif isinstance(each, dict) and "__spec__" in each:  # the variables of some other module
            yield f"{each['__name__']}.{_key(each, value)}"
        elif deepest > 1:
            is_attribute = any(getattr(other, "__dict__", None) is each for other in above.get(id(each), ()))
            for way in _ways(each, above, names, deepest - 1):
                yield f"{way}.{_key(each, value)}" if is_attribute else way + _step(each, value)


def _step(container: Any, value: Any) -> str:
    """How one gets on from a container: by a key or an attribute; "" in a list, which has many alike."""
    if isinstance(container, dict):
        key = _key(container, value)
        return f"[{key!r}]" if isinstance(key, (str, int)) else ""
    if isinstance(container, (*_CONTAINERS, TensorBase)) or value is vars(container):
        return ""
    key = _key(vars(container), value)
    return f".{key}" if key is not None else ""


def _key(container: Mapping[Any, Any], value: Any) -> Any:
    return next((key for key, each in container.items() if each is value), None)

"""Surroundings: what a step's function sees around it, and a replay therefore takes for granted.

A walk begins at the function: its closure, its defaults, the globals that its code names, and what these lead to
through lists, dicts, objects and the functions it calls, as far as they are a user's. Of an object, what counts is the
attributes that some of this code names.
"""

from __future__ import annotations

import copy
import functools
import random
import sys
import types
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.nn import Module
from minitorch.optim import Optimizer

PLAIN = (bool, int, float, str, bytes, type(None))
MOST = 2_000  # facts: beyond, asking for them would cost more than a replay saves
_NOT_A_USERS = {"minitorch", "numpy", *sys.stdlib_module_names} - {"__main__"}
_NUMBERS = {"minitorch", "numpy"}  # objects of Python's own library may hold a user's settings, as SimpleNamespace does
_OF_MODULES = frozenset(vars(Module()))
_END = object()


class Fact(NamedTuple):
    """In `holder` stands `value` under `key`.

    kind: "item" (of a list), "entry" (of a dict), "absent" (no entry, for a class has it), "attribute", or "data" (of a
    Tensor).
    """

    kind: str
    holder: Any
    key: Any
    value: Any
    name: str

    def now(self) -> Any:
        """What stands there now."""
        if self.kind in ("entry", "absent"):
            return self.holder.get(self.key, _END)
        if self.kind == "item":
            return self.holder[self.key] if self.key < len(self.holder) else _END
        try:
            return getattr(self.holder, self.key)
        except (AttributeError, ValueError):  # ValueError: a variable of a closure that is empty again
            return _END

    def holds(self) -> bool:
        """The same still stands there; an equal number will do."""
        now = self.now()
        return now is self.value or (type(now) is type(self.value) and isinstance(now, PLAIN) and now == self.value)


class Surroundings:
    """What a function and the models see around them, and how it was.

    facts: of each place that was found, what stands in it. sizes: each container that may grow, and its length.
    against: why a step with such surroundings cannot be replayed; "" if it can.
    """

    def __init__(self, function: Callable[..., Any], models: Sequence[Module]) -> None:
        self.facts: list[Fact] = []
        self.sizes: list[tuple[Any, int, str]] = []
        self.against = ""
        self._names: set[str] = set()
        self._met: dict[Any, Any] = {}  # by identity; held, so that no other takes its number
        self._objects: dict[int, tuple[Any, str]] = {}
        self._copies: list[tuple[Any, Any]] = []
        self._draws: list[tuple[Callable[[], Any], Callable[[Any], Any], Any]] = []
        for generator in (random, np.random):
            self._drawing(generator)
        self._root(function)
        for number, model in enumerate(models):
            self._go(model, "the model" if not number else f"model {number + 1}")
        known = (-1, -1)
        # A name that is met late counts for the objects that were met before, and an object has others of its own.
        while known != (len(self._names), len(self._objects)):
            known = len(self._names), len(self._objects)
            for owner, name in list(self._objects.values()):
                self._attributes(owner, name)

    def changed(self) -> str:
        """What is not as it was, by its name; "" if all is."""
        for holder, size, name in self.sizes:
            if len(holder) != size:
                return f"`{name}`"
        for fact in self.facts:
            if not fact.holds():
                return f"`{fact.name}`"
        for state, _, before in self._draws:
            if repr(state()) != repr(before):
                return "the state of a random generator other than manual_seed's"
        return ""

    def restore(self) -> None:
        """Puts back what stood in every place."""
        for holder, before in self._copies:
            if isinstance(holder, (list, array, bytearray)):
                holder[:] = before
            elif isinstance(holder, deque):
                holder.clear()
                holder.extend(before)
            else:
                holder.clear()
                holder.update(before)
        for fact in self.facts:
            if fact.kind == "attribute" and not fact.holds():
                setattr(fact.holder, fact.key, fact.value)
            elif fact.kind == "entry" and not fact.holds():
                fact.holder[fact.key] = fact.value
            elif fact.kind == "absent":
                fact.holder.pop(fact.key, None)
        for _, put_back, before in self._draws:
            put_back(before)

    # -- the walk ------------------------------------------------------------------------------------------------------

    def _root(self, function: Any) -> None:
        """The step itself is followed whoever wrote it."""
        function = getattr(function, "__wrapped__", function)
        if isinstance(function, functools.partial):
            self._go([*function.args, *function.keywords.values()], "what is given beforehand")
            self._root(function.func)
        elif isinstance(function, types.MethodType):
            self._objects[id(function.__self__)] = function.__self__, "self"
            self._root(function.__func__)
        elif isinstance(function, types.FunctionType):
            self._code(function)
        else:
            self._objects[id(function)] = function, type(function).__name__
            self._root(type(function).__call__)

    def _go(self, value: Any, name: str) -> None:
        """What a value leads to."""
        if isinstance(value, (*PLAIN, types.ModuleType, Optimizer)) or id(value) in self._met:
            return
        self._met[id(value)] = value
        if isinstance(value, Tensor):
            self._note("data", value, "_data", value._data, name)
        elif isinstance(value, (list, tuple, array, deque)):
            self._parts("item", value, enumerate(value), name)
        elif isinstance(value, dict):
            self._parts("entry", value, value.items(), name)
        elif isinstance(value, (set, bytearray)):
            self._parts("entry", value, (), name)
        elif isinstance(value, (random.Random, np.random.Generator, np.random.RandomState)):
            self._drawing(value)
        elif isinstance(value, Module):
            self._module(value, name)
        elif isinstance(value, types.FunctionType):
            if _is_a_users(value.__module__):
                self._code(value)
        elif isinstance(value, types.MethodType):
            self._go(value.__self__, name)
            self._go(value.__func__, name)
        elif isinstance(value, functools.partial):
            self._go([value.func, *value.args, *value.keywords.values()], name)
        elif hasattr(type(value), "__next__"):
            self.against = self.against or (
                f"it takes what comes next from `{name}`, which a replay would not: take it outside, and give it as an "
                "argument"
            )
        elif _may_be_set(value):
            self._objects[id(value)] = value, name

    def _parts(self, kind: str, holder: Any, parts: Any, name: str) -> None:
        if len(holder) > MOST:
            self._too_many(name)
            return
        if not isinstance(holder, tuple):
            self.sizes.append((holder, len(holder), name))
            self._copies.append((holder, copy.copy(holder)))
        for key, value in parts:
            self._note(kind, holder, key, value, f"{name}[{key!r}]")

    def _note(self, kind: str, holder: Any, key: Any, value: Any, name: str) -> None:
        if len(self.facts) >= MOST:
            self._too_many(name)
            return
        self.facts.append(Fact(kind, holder, key, value, name))
        self._go(value, name)

    def _too_many(self, name: str) -> None:
        self.against = self.against or (
            f"it sees more than {MOST:,} numbers around it, up to `{name}`: give them as an argument, in a Tensor"
        )

    def _code(self, function: types.FunctionType) -> None:
        """A function: what stands in its closure and defaults, and what the globals hold that its code names."""
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:  # a variable that has no value yet
                continue
            self._note("attribute", cell, "cell_contents", value, name)
        if function.__defaults__ or function.__kwdefaults__:
            self._go([*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()], function.__name__)
        for name in _names_in(function.__code__):
            self._names.add(name)
            if name in function.__globals__:
                self._note("entry", function.__globals__, name, function.__globals__[name], name)

    def _module(self, module: Module, name: str) -> None:
        for key, value in vars(module).items():
            if key in _OF_MODULES and key != "training":
                continue
            self._note("entry", vars(module), key, value, f"{name}.{key}")
        if _is_a_users(type(module).__module__):
            self._objects[id(module)] = module, name

    def _attributes(self, owner: Any, name: str) -> None:
        """Those attributes of an object that some of the code names, and the methods among them."""
        own = {} if isinstance(owner, Module) else getattr(owner, "__dict__", {})
        kind = owner if isinstance(owner, type) else type(owner)
        for key in sorted(self._names):
            place = (id(owner), key)
            if place in self._met:
                continue
            if key in own and not isinstance(owner, type):
                self._met[place] = owner
                self._note("attribute", owner, key, own[key], f"{name}.{key}")
                continue
            holder = next((each for each in kind.__mro__ if key in vars(each) and _is_a_users(each.__module__)), None)
            if holder is None:
                continue
            self._met[place] = owner
            if own and not isinstance(owner, type):
                self.facts.append(Fact("absent", own, key, _END, f"{name}.{key}"))
            found = vars(holder)[key]
            if isinstance(found, types.MemberDescriptorType):
                if hasattr(owner, key):
                    self._note("attribute", owner, key, getattr(owner, key), f"{name}.{key}")
            elif isinstance(found, (property, functools.cached_property, staticmethod, classmethod)):
                inner = getattr(found, "fget", None) or getattr(found, "func", None) or getattr(found, "__func__", None)
                self._go(inner, f"{name}.{key}")
            else:
                self._note("attribute", holder, key, found, f"{name}.{key}")

    def _drawing(self, generator: Any) -> None:
        """A generator of random numbers other than the one that manual_seed sets."""
        if isinstance(generator, np.random.Generator):
            bits = generator.bit_generator
            self._draws.append((lambda: bits.state, functools.partial(setattr, bits, "state"), bits.state))
        elif hasattr(generator, "getstate"):
            self._draws.append((generator.getstate, generator.setstate, generator.getstate()))
        else:
            self._draws.append((_legacy(generator), generator.set_state, _legacy(generator)()))


def _legacy(generator: Any) -> Callable[[], Any]:
    """The state of NumPy's older generator, its array as a list, so that two of them can be told apart."""

    def state() -> Any:
        name, keys, *rest = generator.get_state()
        return (name, keys.tolist(), *rest)

    return state


def _may_be_set(value: Any) -> bool:
    """Whether an object, or a class, is one whose attributes a user sets."""
    if isinstance(value, type):
        return _is_a_users(value.__module__)
    return _package(type(value).__module__) not in _NUMBERS


def _is_a_users(module: str | None) -> bool:
    return _package(module) not in _NOT_A_USERS


def _package(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _names_in(code: types.CodeType) -> Iterator[str]:
    """The names of globals and attributes in some code, and in the functions that it makes; texts, for getattr."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _names_in(each)
        elif isinstance(each, str) and each.isidentifier():
            yield each

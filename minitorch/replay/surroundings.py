"""Surroundings: what a step's function sees around it, and a replay therefore takes for granted.

A walk begins at the function and its arguments: its closure, its defaults, the globals that its code names, and what
these lead to through lists, dicts, objects and the functions it calls. Of a user's object, what counts is the
attributes that some of this code names; of another, all. Arrays and Tensors are no facts: a trace follows them.
"""

from __future__ import annotations

import builtins
import copy
import enum
import functools
import operator
import random
import sys
import types
import weakref
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.nn import Module
from minitorch.optim import Optimizer
from minitorch.optim.lr_scheduler import LRScheduler
from minitorch.replay.facts import PLAIN, Fact, bits_of, is_number_array

MOST = 2_000  # facts: beyond, asking for them would cost more than a replay saves
LARGEST = 4_096  # bytes of an array that is compared in each replay
_NOT_A_USERS = {"minitorch", "numpy", *sys.stdlib_module_names} - {"__main__"}
_OF_MODULES = frozenset(vars(Module()))
_CALLED = ("forward", "backward", "setup_context")  # by the engine, whoever names them
_BY_ANY_NAME = {"getattr", "hasattr", "vars", "__dict__", "asdict", "astuple", "fields", "__getattribute__"}
_WHEN_MADE = {"__init__", "__new__", "__post_init__"}
_NOT_CALLED = {"__repr__", "__str__", "__init_subclass__", "__set_name__", "__reduce__", "__getstate__", "__setstate__"}
_NOTHING: dict[str, Any] = {}
_GENERATORS = (random.Random, np.random.Generator, np.random.RandomState)


class Surroundings:
    """What a function, its arguments and the models see around them, and how it was.

    facts: of each place that was found, what stands in it. tensors: each Tensor, and its name. arrays: the places of
    arrays. modules: those that were met. codes: of the functions that were followed. against: why a step with such
    surroundings cannot be replayed; "" if it can.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        models: Sequence[Module],
        optimizers: Sequence[Any] = (),
        arguments: Sequence[Any] = (),
    ) -> None:
        self.facts: list[Fact] = []
        self.arrays: list[Fact] = []
        self.tensors: dict[Tensor, str] = {}
        self.modules: list[Module] = []
        self.codes: set[types.CodeType] = set()
        self.against = ""
        self._optimizers = optimizers
        self._names: set[str] = set(_CALLED)
        self._met: dict[Any, Any] = {}  # by identity; held, so that no other takes its number
        self._objects: dict[int, tuple[Any, str]] = {}
        self._schedulers: list[tuple[Any, str]] = []
        self._copies: list[tuple[Any, Any]] = []
        self._draws: list[tuple[Callable[[], Any], Callable[[Any], Any], Any]] = []
        for generator in (random, np.random):
            self._drawing(generator)
        self._root(function)
        for each in optimizers:
            self._go(each, "the optimiser")
        for number, model in enumerate(models):
            self._go(model, "the model" if not number else f"model {number + 1}")
        for each in arguments:
            self._go(each, "an argument")
        known = (-1, -1)
        # A name that is met late counts for the objects that were met before, and an object has others of its own.
        while known != (len(self._names), len(self._objects)):
            known = len(self._names), len(self._objects)
            for owner, name in list(self._objects.values()):
                self._attributes(owner, name)
        if "get_last_lr" in self._names:
            for scheduler, name in self._schedulers:
                self._note("entry", vars(scheduler), "_last_lr", vars(scheduler)["_last_lr"], f"{name}.get_last_lr()")

    def changed(self) -> str:
        """What is not as it was, by its name; "" if all is."""
        for fact in (*self.facts, *self.arrays):
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
            elif list(holder) != list(before):
                holder.clear()
                getattr(holder, "extend" if isinstance(holder, deque) else "update")(before)
        for fact in (*self.facts, *self.arrays):
            fact.restore()
        for _, put_back, before in self._draws:
            put_back(before)

    # -- the walk ------------------------------------------------------------------------------------------------------

    def _root(self, function: Any) -> None:
        """The step itself is followed whoever wrote it."""
        if isinstance(function, functools.partial):
            self._partial(function, "what is given beforehand")
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
        if type(value) in PLAIN or id(value) in self._met:
            return
        self._met[id(value)] = value
        if isinstance(value, Tensor):
            self.tensors.setdefault(value, name)
        elif isinstance(value, Optimizer):
            self._optimizer(value, name)
        elif isinstance(value, np.ndarray):
            self._bits(value, name)
        elif isinstance(value, (array, bytearray)):
            self._bits(value, name)
            self._copies.append((value, copy.copy(value)))
        elif isinstance(value, (set, frozenset)):
            self._all(value, "members", frozenset(value), value, name)
        elif isinstance(value, (list, tuple, deque)):
            self._all(value, "size", len(value), value, name, enumerate(value))
        elif isinstance(value, (dict, types.MappingProxyType)):
            self._all(value, "keys", list(value), value.values(), name, value.items())
        elif isinstance(value, _GENERATORS):
            self._drawing(value)
        elif isinstance(value, Module):
            self._module(value, name)
        elif isinstance(value, types.FunctionType):
            if is_a_users(value.__module__):
                self._code(value)
        elif isinstance(value, functools.partial):
            self._partial(value, name)
        elif hasattr(type(value), "__next__"):
            self._refuse(
                f"it takes what comes next from `{name}`, which a replay would not: take it outside, and give it as an "
                "argument"
            )
        elif isinstance(value, types.ModuleType):
            self._objects[id(value)] = value, name
        elif isinstance(value, type):
            if is_a_users(value.__module__):
                self._objects[id(value)] = value, name
        elif isinstance(value, LRScheduler):
            self._schedulers.append((value, name))
        else:
            self._object(value, name)

    def _object(self, value: Any, name: str) -> None:
        """Something that is no container: a user's object, or one of Python's, NumPy's or another package's."""
        if not is_a_users(type(value).__module__):
            for inner in ("__self__", "__func__", "__wrapped__"):  # a method, a function with a cache
                self._go(getattr(value, inner, None), name)
        if isinstance(value, (operator.attrgetter, operator.methodcaller)):
            self._names |= {part for each in value.__reduce__()[1] if type(each) is str for part in each.split(".")}
        elif isinstance(value, weakref.ref):
            self._go(value(), name)
        elif isinstance(value, (memoryview, weakref.ProxyTypes)):
            self._refuse(f"it sees `{name}`, a {type(value).__name__}, which a replay cannot look into")
        elif is_a_users(type(value).__module__) or type(value).__name__ in ("SimpleNamespace", "Namespace"):
            self._objects[id(value)] = value, name
            self.facts.append(Fact("attribute", value, "__class__", type(value), name))
        elif hasattr(value, "__dict__") and not callable(value) and not isinstance(value, enum.Enum):
            self._go(vars(value), name)
        elif not callable(value) and not _is_harmless(value):
            self._refuse(
                f"it sees `{name}`, a {type(value).__name__}, which a replay cannot look into: take what the step "
                "needs of it before, and give it as an argument"
            )

    def _partial(self, value: functools.partial[Any], name: str) -> None:
        self._go(value.func, name)
        self._go(value.args, name)
        self._go(value.keywords, name)

    def _optimizer(self, value: Any, name: str) -> None:
        if not any(value is each for each in self._optimizers):
            self._refuse(f"the optimiser `{name}` is not among those that capture was given")
        for kind in type(value).__mro__:
            if is_a_users(kind.__module__):  # its step is made in a replay, too
                self.codes |= {each.__code__ for each in vars(kind).values() if isinstance(each, types.FunctionType)}
        self._objects[id(value)] = value, name

    def _bits(self, value: Any, name: str) -> None:
        """An array that cannot be followed, and so is compared."""
        if value.nbytes > LARGEST if hasattr(value, "nbytes") else len(value) > LARGEST:
            self._refuse(f"it sees a large array, `{name}`, in a place where no trace can follow it: use a Tensor")
        elif getattr(value, "dtype", np.dtype("f")).hasobject:
            self._refuse(f"it sees an array of objects, `{name}`, which a replay cannot look into")
        else:
            self.facts.append(Fact("bits", value, None, bits_of(value), name))

    def _all(self, holder: Any, whole: str, known: Any, values: Any, name: str, parts: Any = ()) -> None:
        """All that is in a container."""
        if len(holder) > MOST:
            self._too_many(name)
            return
        if not isinstance(holder, (tuple, frozenset)):
            self.facts.append(Fact(whole, holder, None, known, name))
            if not isinstance(holder, types.MappingProxyType):
                self._copies.append((holder, copy.copy(holder)))
        if whole == "members":
            for value in values:
                self._go(value, name)
        for key, value in parts:
            self._note("entry" if whole == "keys" else "item", holder, key, value, f"{name}[{key!r}]")

    def _note(self, kind: str, holder: Any, key: Any, value: Any, name: str) -> None:
        if len(self.facts) >= MOST:
            self._too_many(name)
            return
        fact = Fact(kind, holder, key, value, name)
        if is_number_array(value) and not isinstance(holder, tuple) and fact.can_be_put():
            self.arrays.append(fact)
            return
        self.facts.append(fact)
        self._go(value, name)

    def _too_many(self, name: str) -> None:
        self._refuse(f"it sees more than {MOST:,} numbers around it, up to `{name}`: give them as a Tensor")

    def _refuse(self, why: str) -> None:
        self.against = self.against or why

    def _code(self, function: types.FunctionType) -> None:
        """A function: its code, what stands in its closure and defaults, and what the globals hold that it names."""
        self._met[id(function)] = function
        own = function.__name__
        self.facts.append(Fact("attribute", function, "__code__", function.__code__, own))
        for place in ("__defaults__", "__kwdefaults__"):
            if getattr(function, place):
                self._note("attribute", function, place, getattr(function, place), own)
        self._go(vars(function), own) if vars(function) else None
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:  # a variable that has no value yet
                continue
            self._note("attribute", cell, "cell_contents", value, name)
        self.codes |= set(_codes_in(function.__code__))
        for name in _names_in(function.__code__):
            self._names.add(name)
            if name in function.__globals__:
                self._note("entry", function.__globals__, name, function.__globals__[name], name)
                continue
            if name in vars(builtins):
                self.facts.append(Fact("absent", function.__globals__, name, None, name))
            if name in sys.modules:  # what an import in the function gives
                self._go(sys.modules[name], name)

    def _module(self, module: Module, name: str) -> None:
        self.modules.append(module)
        for key, value in vars(module).items():
            if key in _OF_MODULES and key != "training":
                continue
            self._note("entry", vars(module), key, value, f"{name}.{key}")
        if is_a_users(type(module).__module__):
            self._objects[id(module)] = module, name

    def _attributes(self, owner: Any, name: str) -> None:
        """Those attributes of an object that some of the code names, and the methods among them."""
        own = {} if isinstance(owner, Module) else _own(owner)
        mro = type(owner).__mro__
        if isinstance(owner, type):
            mro = (*owner.__mro__, *mro)
        kinds = [each for each in mro if is_a_users(each.__module__)]
        names = set(self._names)
        if names & _BY_ANY_NAME and not isinstance(owner, types.ModuleType):
            names |= {key for key in own if not key.startswith("__")}
            names |= {key for each in kinds for key in vars(each) if not key.startswith("__")}
        if not isinstance(owner, types.ModuleType):
            made = _WHEN_MADE if isinstance(owner, type) else set()
            special = {
                key for each in kinds for key, value in vars(each).items() if key[:2] == "__" and callable(value)
            }
            names |= special - _NOT_CALLED - (_WHEN_MADE - made)
        for key in sorted(names):
            if (id(owner), key) not in self._met:
                self._attribute(owner, key, own, kinds, f"{name}.{key}")

    def _attribute(self, owner: Any, key: str, own: Any, kinds: list[type], name: str) -> None:
        place = (id(owner), key)
        if key in own and not isinstance(owner, type):
            if isinstance(owner, Optimizer) and key not in ("param_groups", "defaults"):
                return
            self._met[place] = owner
            if not isinstance(owner, types.ModuleType) or is_a_users(owner.__name__):
                self._note("entry", own, key, own[key], name)
                return
            self.facts.append(Fact("entry", own, key, own[key], name))  # of a library, in which all is as it was
            if isinstance(own[key], (types.ModuleType, types.FunctionType)):
                self._go(own[key], name)
            return
        where = next((each for each in kinds if key in vars(each)), None)
        if where is None or key == "__dict__":
            return
        self._met[place] = owner
        nearer = kinds[: kinds.index(where)]
        if own is not _NOTHING and not isinstance(owner, (type, Module)):
            nearer = [owner, *nearer]
        self.facts += [Fact("absent", each, key, None, name) for each in nearer]
        found = vars(where)[key]
        if isinstance(found, types.MemberDescriptorType):
            if hasattr(owner, key):
                self._note("attribute", owner, key, getattr(owner, key), name)
        elif isinstance(found, (property, functools.cached_property, staticmethod, classmethod)):
            self.facts.append(Fact("entry", vars(where), key, found, name))
            inner = getattr(found, "fget", None) or getattr(found, "func", None) or getattr(found, "__func__", None)
            self._go(inner, name)
        else:
            self._note("entry", vars(where), key, found, name)

    def _drawing(self, generator: Any) -> None:
        """A generator of random numbers other than the one that manual_seed sets."""
        if isinstance(generator, random.SystemRandom):
            self._refuse("it sees a SystemRandom, whose numbers no replay draws")
        elif isinstance(generator, np.random.Generator):
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


def _own(owner: Any) -> Any:
    """What an object has of its own, by name; nothing for one that has slots alone."""
    try:
        return object.__getattribute__(owner, "__dict__") if not isinstance(owner, type) else vars(owner)
    except AttributeError:
        return _NOTHING


def is_a_users(module: str | None) -> bool:
    """Whether a module is neither Python's own, nor NumPy's, nor this package's."""
    return (module or "").partition(".")[0] not in _NOT_A_USERS


def _is_harmless(value: Any) -> bool:
    """What has no state that a step's numbers depend on: what is a value, a lock, a sentinel, NumPy's dtypes."""
    hashed: Any = type(value).__hash__
    if hashed is not None and hashed is not object.__hash__:
        return True
    return type(value) is object or type(value).__module__ in (
        "_thread",
        "builtins",
        "collections",
        "numpy",
        "types",
        "typing",
    )


def _names_in(code: types.CodeType) -> Iterator[str]:
    """The names of globals and attributes in some code, and in the functions that it makes; texts, for getattr."""
    for each in _codes_in(code):
        yield from each.co_names
        yield from (text for text in each.co_consts if isinstance(text, str) and text.isidentifier())


def _codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code, and that of the functions that it makes."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _codes_in(each)

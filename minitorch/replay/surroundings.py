"""Surroundings: what a step's function sees around it, and a replay therefore takes for granted.

A walk begins at the function and its arguments: its closure, its defaults, the globals that its code names, and what
these lead to through lists, dicts, objects and the functions it calls. Of a user's object, what counts is the
attributes that some of this code names, and which ones there are; of another, all. Arrays and Tensors are no facts: a
trace follows them.
"""

from __future__ import annotations

import abc
import builtins
import enum
import functools
import gc
import io
import operator
import random
import sys
import types
from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.operation import Declaration
from minitorch.nn import Module
from minitorch.optim import Optimizer
from minitorch.optim.lr_scheduler import LRScheduler
from minitorch.replay.codes import codes_in, globals_in, names_in
from minitorch.replay.copies import Copies
from minitorch.replay.facts import ABSENT, PLAIN, Fact, bits_of, is_number_array
from minitorch.replay.generators import GENERATORS, Watch
from minitorch.replay.objects import (
    CACHED,
    NOTHING,
    VIEWS,
    WEAK,
    attributes_of,
    from_cache,
    has_a_hidden_part,
    is_a_users,
    is_harmless,
    is_written_in_python,
    kinds_of,
    named_kind,
    own_names,
)

MOST = 2_000  # facts: beyond, asking for them would cost more than a replay saves
LARGEST = 4_096  # bytes of an array that is compared in each replay
_OF_MODULES = frozenset(vars(Module()))
_CALLED = ("forward", "backward", "setup_context")  # by the engine, whoever names them
_BY_ANY_NAME = frozenset([
    "__dict__", "__getattribute__", "asdict", "astuple", "attrgetter", "fields", "getattr", "hasattr", "methodcaller",
    "vars",
])  # fmt: skip
_PAST_THE_FIRST = {"super", "__mro__", "__bases__", "__base__", "mro", "getmro"}
_OF_THE_CLASS = {"type", "__class__"}  # where an object has something of that name of its own
_OF_SCHEDULERS = {"get_last_lr", "get_lr", "state_dict"}  # methods that tell what they have of their own
_OF_FUNCTIONS = {"__doc__", "__module__", "__name__", "__qualname__"}
_WHEN_MADE = {"__init__", "__new__", "__post_init__"}
_NOT_CALLED = {"__repr__", "__str__", "__init_subclass__", "__set_name__", "__reduce__", "__getstate__", "__setstate__"}


class Surroundings:
    """What a function, its arguments and the models see around them, and how it was.

    facts: of each place that was found, what stands in it. tensors: each Tensor, and its name. arrays: the places of
    arrays. modules, schedulers: those that were met. codes: of the functions that were followed. kept: what functions
    keep of what they returned, which a step may add to. is_abstract: there is an abstract class among them. against:
    why a step with such surroundings cannot be replayed; "" if it can. drew: the step that was written down has drawn
    random numbers.
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
        self.schedulers: list[LRScheduler] = []
        self.codes: set[types.CodeType] = set()
        self.kept: list[Fact] = []
        self.is_abstract, self.drew = False, False
        self.against = ""
        self._optimizers = optimizers
        self._names: set[str] = set(_CALLED)
        self._met: dict[Any, Any] = {}  # by identity; held, so that no other takes its number
        self._objects: dict[int, tuple[Any, str]] = {}
        self._copies = Copies()
        self._draws: list[Watch] = []
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
        for each in list(self._met.values()):
            if isinstance(each, (types.FunctionType, type)):
                called = _OF_FUNCTIONS & self._names
                self.facts += [Fact("attribute", each, key, getattr(each, key), key) for key in sorted(called)]

    def identities(self) -> set[int]:
        """The identities of the arrays that were met, which an argument may be one of."""
        return {id(tensor._data) for tensor in self.tensors} | {id(fact.value) for fact in self.arrays}

    def begin(self) -> None:
        """A step is about to be run, and `changed` to be asked."""
        for each in self._draws:
            each.begin()

    def difference(self) -> str:
        """The name of a place in which something else stands now; "" if there is none."""
        return next((fact.name for fact in self.facts if not fact.holds()), "")

    def changed(self) -> str:
        """What is not as it was before that step, by its name, and what to do; "" if all is."""
        for fact in (*self.facts, *self.arrays):
            if not fact.holds():
                return f"it changes `{fact.name}` around it, which a replay would not: return it instead"
        if any(each.was_used() for each in self._draws):
            return (
                "it draws from a random generator other than manual_seed's, which a replay would not: draw outside, "
                "and give the numbers as an argument"
            )
        for each in self._draws:
            each.restore()
        return ""

    def has_met(self, value: Any) -> bool:
        """Whether the step sees this very object around it."""
        return self._met.get(id(value)) is value

    def gained(self) -> str:
        """The name of a function with a cache that keeps other results than before that step."""
        return self._copies.gained()

    def restore(self) -> None:
        """Puts back what stood in every place."""
        self._copies.restore()
        for fact in (*self.facts, *self.arrays):
            fact.restore()
        for each in self._draws:
            each.restore()

    # -- the walk ------------------------------------------------------------------------------------------------------

    def _root(self, function: Any) -> None:
        """The step itself is followed whoever wrote it."""
        if isinstance(function, functools.partial):
            self._partial(function, "what is given beforehand")
            self._root(function.func)
        elif isinstance(function, types.MethodType):
            self._root_of(function.__self__, "self")
            self._root(function.__func__)
        elif isinstance(function, types.FunctionType):
            self._code(function)
        else:
            self._root_of(function, type(function).__name__)
            self._root(type(function).__call__)

    def _root_of(self, owner: Any, name: str) -> None:
        """Whose method the step is."""
        self._objects[id(owner)] = owner, name
        if is_a_users((owner if isinstance(owner, type) else type(owner)).__module__):
            self._go(owner, name)

    def _go(self, value: Any, name: str) -> None:
        """What a value leads to."""
        if type(value) in PLAIN or id(value) in self._met:
            return
        self._met[id(value)] = value
        if is_a_users(type(value).__module__) or isinstance(value, (LRScheduler, Optimizer)):
            self._own(value, name)  # beside what it is made of
        if isinstance(value, LRScheduler):
            self._functions(value, name)
        if isinstance(value, Tensor):
            self.tensors.setdefault(value, name)
        elif isinstance(value, Optimizer):
            self._optimizer(value, name)
        elif isinstance(value, (np.ndarray, array, bytearray)):
            self._bits(value, name)
        elif isinstance(value, (set, frozenset)):
            self._all(value, "members", frozenset(value), value, name)
        elif isinstance(value, (list, tuple, deque)):
            self._all(value, "size", len(value), value, name, enumerate(value))
        elif isinstance(value, (dict, types.MappingProxyType)):
            self._all(value, "keys", list(value), value.values(), name, value.items())
            for key in value:
                self._go(key, name)
        elif isinstance(value, VIEWS):
            self._go(value.mapping, name)
        elif isinstance(value, GENERATORS):
            self._drawing(value)
        elif isinstance(value, Module):
            self._module(value, name)
        elif isinstance(value, types.FunctionType):
            if isinstance(vars(value).get("declaration"), Declaration):
                self._operation(value.declaration, name)  # type: ignore[attr-defined]
            elif is_a_users(value.__module__):
                self._code(value)
        elif isinstance(value, types.CellType):
            self._cell(value, name)
        elif isinstance(value, functools.partial):
            self._partial(value, name)
            self._objects[id(value)] = value, name
        elif isinstance(value, slice):
            for each in (value.start, value.stop, value.step):
                self._go(each, name)
        elif isinstance(value, memoryview):
            self._refuse(f"it sees `{name}`, a memoryview, whose memory no trace can follow: use the array itself")
        elif isinstance(value, WEAK):
            self._refuse(f"it sees `{name}`, which loses what it refers to when nobody else has it: refer to it itself")
        elif isinstance(value, io.IOBase):
            self._refuse(f"it sees `{name}`, a file, which others may write to: take what the step needs of it before")
        elif hasattr(type(value), "__next__"):
            self._refuse(
                f"it takes what comes next from `{name}`, which a replay would not: take it outside, and give the step "
                "what was taken"
            )
        elif "decimal" in (type(value).__module__, isinstance(value, type) and value.__module__):
            self._refuse(f"it sees `{name}`, whose arithmetic depends on a context that is not seen: use floats")
        elif isinstance(value, (type, types.ModuleType)):
            if isinstance(value, types.ModuleType) or is_a_users(value.__module__):
                self._own(value, name)
        elif isinstance(value, LRScheduler):
            self.schedulers.append(value)
        else:
            self._object(value, name)

    def _own(self, owner: Any, name: str) -> None:
        """Whatever has attributes of its own: which ones there are, and later those that the code names."""
        self._objects[id(owner)] = owner, name
        if isinstance(owner, types.ModuleType) and not is_a_users(owner.__name__):
            return  # a library, in which all is as it was
        own = own_names(owner)
        if not isinstance(owner, type):
            self.facts.append(Fact("attribute", owner, "__class__", type(owner), name))
            if own is not NOTHING:
                self.facts.append(Fact("attribute", owner, "__dict__", own, name))
                self._keys(own, own, name)
        if users := [kind for kind in kinds_of(owner) if is_a_users(kind.__module__)]:
            self.facts.append(Fact("attribute", users[0], "__mro__", users[0].__mro__, name))  # __bases__ can be set
            for each in users:
                self._copies.keep_bases(each)
        for kind in kinds_of(owner):
            self.is_abstract |= isinstance(kind, abc.ABCMeta)
            if id(vars(kind)) not in self._met and ("keys of", id(kind)) not in self._met:
                self._met["keys of", id(kind)] = kind
                self._keys(vars(kind), kind, name)

    def _keys(self, names: Any, holder: Any, name: str) -> None:
        """Which names there are."""
        self.facts.append(Fact("keys", names, None, list(names), name))
        self._copies.keep(holder, dict(names))

    def _object(self, value: Any, name: str) -> None:
        """Something that is no container: a user's object, or one of Python's, NumPy's or another package's."""
        users = is_a_users(type(value).__module__)
        if not users:
            for inner in ("__self__", "__func__", "__wrapped__"):  # a method, a function with a cache
                self._go(getattr(value, inner, None), name)
        if isinstance(value, CACHED):
            self._cache(value, name)
        if isinstance(value, (operator.attrgetter, operator.methodcaller)):
            self._names |= {part for each in value.__reduce__()[1] if type(each) is str for part in each.split(".")}
        elif callable(value) and not users and not is_written_in_python(value):
            if isinstance(value, (functools.partial, CACHED)) or type(value).__name__ == "CapturedStep":
                self._objects[id(value)] = value, name  # which can have attributes of a user's
        elif (users or hasattr(value, "__dict__")) and not has_a_hidden_part(type(value)):
            if type(value).__name__ in ("SimpleNamespace", "Namespace"):
                self._own(value, name)
            elif not users and not isinstance(value, enum.Enum):
                self._go(vars(value), name)
        elif not is_harmless(value):
            self._refuse(
                f"it sees `{name}`, {named_kind(value)}, which a replay cannot look into: take what the step "
                "needs of it before, and give it as an argument"
            )

    def _cache(self, function: Any, name: str) -> None:
        """What a function keeps of what it returned: a dict that only the collector leads to."""
        for table in gc.get_referents(function):
            if isinstance(table, dict) and table is not vars(function):
                self._copies.keep_cache(table, name)
                self.kept.append(Fact("keys", table, None, list(table), name))
                self.kept += [Fact("entry", table, key, result, name) for key, result in table.items()]
                for key, result in table.items():
                    self._go(result if function.cache_info().maxsize is None else from_cache(function, key), name)

    def _partial(self, value: functools.partial[Any], name: str) -> None:
        self._go(value.func, name)
        self._go(value.args, name)
        self._go(value.keywords, name)

    def _functions(self, scheduler: LRScheduler, name: str) -> None:
        """A user's functions that a scheduler calls when it steps."""
        for key, value in vars(scheduler).items():
            for each in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(each, (types.FunctionType, types.MethodType, functools.partial)):
                    self._go(each, f"{name}.{key}")

    def _operation(self, declaration: Declaration, name: str) -> None:
        """An operation: its forward, its rules, and the twin that it is made of."""
        if not is_a_users(getattr(declaration.forward, "__module__", None)):
            return
        for key in ("forward", "composed"):
            self._note("entry", vars(declaration), key, getattr(declaration, key), f"{name}.{key}")
        self.facts.append(Fact("keys", declaration.rules, None, list(declaration.rules), name))
        for argument, declared in declaration.rules.items():
            self.facts.append(Fact("entry", declaration.rules, argument, declared, name))
            self._go(declared[0], f"{name}'s rule for {argument}")

    def _optimizer(self, value: Any, name: str) -> None:
        if not any(value is each for each in self._optimizers):
            self._refuse(f"the optimiser `{name}` is not among those that capture was given")

    def _bits(self, value: Any, name: str) -> None:
        """An array that cannot be followed, and so is compared."""
        if value.nbytes > LARGEST if hasattr(value, "nbytes") else len(value) > LARGEST:
            self._refuse(f"it sees a large array, `{name}`, in a place where no trace can follow it: use a Tensor")
        elif getattr(value, "dtype", np.dtype("f")).hasobject:
            self._refuse(f"it sees an array of objects, `{name}`, which a replay cannot look into")
        else:
            self.facts.append(Fact("bits", value, None, bits_of(value), name))
            self._copies.keep_array(value)

    def _all(self, holder: Any, whole: str, known: Any, values: Any, name: str, parts: Any = ()) -> None:
        """All that is in a container."""
        if len(holder) > MOST:
            self._too_many(name)
            return
        if not isinstance(holder, (tuple, frozenset)):
            self.facts.append(Fact(whole, holder, None, known, name))
            if not isinstance(holder, types.MappingProxyType):
                self._copies.keep(holder, dict(holder) if isinstance(holder, dict) else list(holder))
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
                self._note("attribute", function, place, getattr(function, place), f"the defaults of {own}")
        self._go(vars(function), own)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._cell(cell, name)
        codes = set(codes_in(function.__code__))
        self.codes |= codes
        may_be_caught = any(code.co_exceptiontable for code in codes)
        named = set(names_in(codes))
        self._names |= named
        for name in named & sys.modules.keys():  # what an import in the function gives
            self._note("entry", sys.modules, name, sys.modules[name], name)
        for name in globals_in(codes):
            if name in function.__globals__:
                self._note("entry", function.__globals__, name, function.__globals__[name], name)
            elif name in vars(builtins) or may_be_caught:
                self.facts.append(Fact("absent", function.__globals__, name, None, name))
                if name in vars(builtins):
                    self._note("entry", vars(builtins), name, vars(builtins)[name], name)

    def _cell(self, cell: types.CellType, name: str) -> None:
        """A variable of a closure, which may have no value yet."""
        try:
            value = cell.cell_contents
        except ValueError:
            self.facts.append(Fact("attribute", cell, "cell_contents", ABSENT, name))
        else:
            self._note("attribute", cell, "cell_contents", value, name)

    def _module(self, module: Module, name: str) -> None:
        self.modules.append(module)
        for key, value in vars(module).items():
            if key in _OF_MODULES and key != "training":
                continue
            self._note("entry", vars(module), key, value, f"{name}.{key}")

    def _attributes(self, owner: Any, name: str) -> None:
        """Those attributes of an object that some of the code names, and the methods among them."""
        own = {} if isinstance(owner, Module) else own_names(owner)
        kinds = kinds_of(owner)
        names = set(self._names)
        if isinstance(owner, LRScheduler):
            names |= set(own) if names & _OF_SCHEDULERS else set()
        elif names & _BY_ANY_NAME and not (isinstance(owner, types.ModuleType) and not is_a_users(owner.__name__)):
            names |= {key for key in own if not key.startswith("__")}
            names |= {key for each in kinds for key in vars(each) if not key.startswith("__")}
        names.update(*[vars(each).get("__match_args__", ()) for each in kinds])
        if not isinstance(owner, types.ModuleType):
            made = _WHEN_MADE if isinstance(owner, type) else set()
            special = {
                key for each in kinds for key, value in vars(each).items() if key[:2] == "__" and callable(value)
            }
            names |= special - _NOT_CALLED - (_WHEN_MADE - made)
        for key in sorted(names):
            if (id(owner), key, self._goes_on()) not in self._met:
                self._attribute(owner, key, own, kinds, f"{name}.{key}")

    def _attribute(self, owner: Any, key: str, own: Any, kinds: list[type], name: str) -> None:
        place = (id(owner), key, self._goes_on())
        if key in own and not isinstance(owner, type):
            if isinstance(owner, Optimizer) and key == "state":
                if key in self._names:
                    self._refuse(f"it sees `{name}`, which each step of the optimiser changes")
                return
            if key[0] == "_" and type(owner).__module__.startswith("minitorch."):  # the library's own business
                return
            self._met[place] = owner
            if not isinstance(owner, types.ModuleType) or is_a_users(owner.__name__):
                self._note("entry", own, key, own[key], name)
                if self._names & _OF_THE_CLASS or any(isinstance(each, classmethod) for each in attributes_of(kinds)):
                    self._of_classes(owner, key, kinds, name)
                return
            self.facts.append(Fact("entry", own, key, own[key], name))  # of a library, in which all is as it was
            if isinstance(own[key], (types.ModuleType, types.FunctionType, type)):
                self._go(own[key], name)
            elif isinstance(own[key], (Sequence, Set, Mapping)) and not isinstance(own[key], (str, bytes)):
                self._refuse(f"it sees `{name}`, which others may change: take what the step needs of it before")
            elif not callable(own[key]) and not isinstance(own[key], io.IOBase):
                self._go(own[key], name)
            return
        self._of_classes(owner, key, kinds, name)

    def _goes_on(self) -> bool:
        """Whether some code asks classes behind the first that has a name; it may be met after the objects were."""
        return not self._names.isdisjoint(_PAST_THE_FIRST)

    def _of_classes(self, owner: Any, key: str, kinds: list[type], name: str) -> None:
        """What the classes of an object have under that name: the first of them, or all that the code may ask."""
        places = [each for each in kinds if key in vars(each)]
        if places and key != "__dict__":
            self._met[id(owner), key, self._goes_on()] = owner
            for where in places if self._goes_on() else places[:1]:
                self._of_a_class(owner, key, where, name)

    def _of_a_class(self, owner: Any, key: str, where: type, name: str) -> None:
        """What one of an object's classes has under that name."""
        found = vars(where)[key]
        if isinstance(found, types.MemberDescriptorType):
            self._note("attribute", owner, key, getattr(owner, key, ABSENT), name)
        elif isinstance(found, (property, functools.cached_property, staticmethod, classmethod)):
            self.facts.append(Fact("entry", vars(where), key, found, name))
            inner = getattr(found, "fget", None) or getattr(found, "func", None) or getattr(found, "__func__", None)
            self._go(inner, name)
        else:
            self._note("entry", vars(where), key, found, name)

    def _drawing(self, generator: Any) -> None:
        if isinstance(generator, random.SystemRandom):
            self._refuse("it sees a SystemRandom, whose numbers no replay draws")
        else:
            self._draws.append(Watch(generator))

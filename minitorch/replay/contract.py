"""Contract: what a captured step takes for granted, checked before each replay."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from operator import attrgetter, call, is_, itemgetter
from types import CellType, CodeType
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.version import STALE
from minitorch.backend import on_gpu
from minitorch.nn import Module

_DATA, _NODE, _GRAD, _META = map(attrgetter, ("_data", "_node", "grad", "meta"))
_CELL = attrgetter("cell_contents")
_PLAIN = (bool, int, float, str, bytes)
_EMPTY = CellType()  # of a variable that has no value yet
_END = object()  # behind all values, so that one more or less is noticed


class Contract:
    """The arrays, settings and numbers that must be what they were when the step was captured.

    Compared by identity, in one pass in C: the attributes of modules and optimisers, the arrays and nodes of `tensors`,
    the parameters of the groups, which of the options are zero (the others are read in each step), the default dtype
    and the random generator, and what the function's own code reads by name: variables of its closure, globals, and
    attributes of the object whose method it is. Numbers and texts that are equal are the same.

    tensors: the parameters and buffers, also of modules that it reads by name, Tensors that it reads by name, and what
    the optimisers move: arrays that a replay reads and writes as the step does; each with its name.
    obstacle: why the step cannot be captured now; "" if it can.
    """

    def __init__(self, function: Callable[..., Any], models: Sequence[Module], optimizers: Sequence[Any]) -> None:
        read = _read_by_name(function)
        self._reads = [*read.values()]
        named = [(name, value()) for name, value in read.items()]
        models = [*models, *[each for _, each in named if isinstance(each, Module)]]
        modules = {each: name or "the model" for model in reversed(models) for name, each in model.named_modules()}
        groups = [group for each in optimizers for group in each.param_groups]
        self.tensors = {each: name for name, each in named if isinstance(each, Tensor)} | _tensors_of(models, groups)
        self._nodes = [node for node in map(_NODE, self.tensors) if node is not None]
        owners = [(name, vars(each), _settings_of(each)) for each, name in modules.items()]
        owners += [(type(each).__name__, vars(each), ["state", "param_groups"]) for each in optimizers]
        self._attributes = [own for _, own, _ in owners]
        self._getters = [itemgetter(*keys, keys[0]) for _, _, keys in owners]  # twice, so that it gives a tuple
        self._lists = [*[each.param_groups for each in optimizers], *[group["params"] for group in groups]]
        options = [(group, key) for group in groups for key in group]
        self._options = [group for group, _ in options], [key for _, key in options]
        hooks = [(type(each).__name__, found) for each in (*modules, *optimizers) for found in _hooks_of(each)]
        metas = [node.meta for node in self._nodes if node.meta is not None]
        hooks += [("parameter", found) for meta in metas for found in (meta.hooks, meta.post_accumulate_hooks)]
        self._hook_owners, self._hooks = [owner for owner, _ in hooks], [found for _, found in hooks]
        self._names = [
            *[f"{owner}.{key}" for owner, _, keys in owners for key in (*keys, keys[0])],
            *[f"the attributes of {owner}" for owner, _, _ in owners],
            *[f"{name}.{what}" for what in ("data", "requires_grad") for name in self.tensors.values()],
            *["a hook" for _ in self._nodes],
            *["param_groups" for _ in chain.from_iterable(self._lists)],
            *[key for _, key in options],
            *read,
            *("the default dtype", "the random generator"),
        ]
        self._values = [*self._now()]
        self._own: list[int] = []  # the places of what the step itself changes
        self.obstacle = self._found_against()

    def holds(self) -> bool:
        """Return whether all is as it was. The quick way; `difference` tells what is not."""
        try:
            return not STALE and not any(self._hooks) and all(map(is_, self._now(), self._values))
        except (KeyError, ValueError):  # an attribute that is gone, or a variable of the closure without a value
            return False

    def difference(self) -> str:
        """Return the name of what is no longer as it was; "" if all is, and then equal numbers are taken over."""
        try:
            now = [*self._now()]
        except (KeyError, ValueError):
            return "an attribute that is gone, or a variable"
        if STALE or any(self._hooks):
            return "a hook"
        if len(now) != len(self._values):
            return "what a module or an optimiser has"
        for name, value, other in zip(self._names, self._values, now, strict=False):
            if value is not other and not (
                type(value) is type(other) and isinstance(value, _PLAIN) and repr(value) == repr(other)
            ):
                return str(name)
        self._values = now
        return ""

    def settle(self) -> None:
        """Note what the step itself has changed while it was traced, of which a replay changes nothing."""
        now = [*self._now()]
        if len(now) == len(self._values):
            self._own = [place for place, value in enumerate(now) if value is not self._values[place]]
        self._values = now

    def renew(self, *, own: bool = False) -> None:
        """Take over all that there is now; or what the step itself has changed, for it ran eagerly."""
        if self._own or not own:
            now = [*self._now()]
            self._values = [now[i] if i in self._own else value for i, value in enumerate(self._values)] if own else now

    def gradients(self) -> tuple[bool, ...]:
        """Return which of the leaves have no gradient now: a step may add to those that are there."""
        return tuple(map(is_, map(_GRAD, self._nodes), repeat(None)))

    def _now(self) -> Iterator[Any]:
        scope = current_scope()
        return chain(
            chain.from_iterable(map(call, self._getters, self._attributes)),
            map(len, self._attributes),
            map(_DATA, self.tensors),
            map(_NODE, self.tensors),
            map(_META, self._nodes),
            chain.from_iterable(self._lists),
            map(bool, map(dict.get, *self._options)),
            map(call, self._reads),
            (scope.default_dtype, scope.random, _END),
        )

    def _found_against(self) -> str:
        if STALE:
            return "a Tensor's memory was left by a change in place"
        for owner, hooks in zip(self._hook_owners, self._hooks, strict=True):
            if hooks:
                return f"a {owner} has hooks, which Python runs"
        for tensor, name in self.tensors.items():
            if on_gpu(tensor._data):
                return "its parameters are on a GPU, where a replay would not be quicker"
            if tensor._node is not None and tensor._node.rule is not None:
                return f"`{name}` is the result of an operation, with all that it was made from: keep it detached"
        return ""


def _settings_of(module: Module) -> list[str]:
    """Return the names of a module's attributes, but for those that hold its names and hooks."""
    return [key for key, value in vars(module).items() if not isinstance(value, (dict, set))]


def _hooks_of(owner: Any) -> list[dict[Any, Any]]:
    """Return the dicts of a module's or an optimiser's hooks."""
    names = ("hooks", "_before_step", "_after_step")
    return [value for key, value in vars(owner).items() if isinstance(value, dict) and key.endswith(names)]


def is_recorded_as_usual() -> bool:
    """Return whether gradients are on and nobody watches or inspects the operations."""
    scope = current_scope()
    return scope.grad_enabled and scope.watchers is None and not scope.anomaly


def _tensors_of(models: Iterable[Module], groups: Iterable[dict[str, Any]]) -> dict[Tensor, str]:
    found: dict[Tensor, str] = {}
    for model in models:
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            found.setdefault(tensor, name)
    for tensor in (param for group in groups for param in group["params"]):
        found.setdefault(tensor, f"parameter_{len(found)}")
    return found


def _read_by_name(function: Any) -> dict[str, Callable[[], Any]]:
    """Return what a function's own code reads by name, each as a function that reads it.

    That are the variables of its closure, the globals, and the attributes of the object whose method it is.
    """
    while isinstance(function, partial):
        function = function.func
    if not hasattr(function, "__code__") and not hasattr(function, "__func__"):
        function = getattr(function, "__call__", function)  # noqa: B004 (the method of an object that is called)
    own, function = getattr(function, "__self__", None), getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is None:
        return {}
    codes = [*_codes_in(code)]
    named = {each.argval for each in chain(*map(dis.get_instructions, codes)) if each.opname == "LOAD_GLOBAL"}
    attributes = {name for each in codes for name in each.co_names} & getattr(own, "__dict__", {}).keys()
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    return {
        **{name: partial(dict.get, vars(own), name) for name in attributes},
        **{name: partial(dict.get, function.__globals__, name) for name in named & function.__globals__.keys()},
        **{name: partial(_CELL, cell) for name, cell in cells.items() if cell != _EMPTY},
    }


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code, and that of the functions that it makes."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes_in(each)

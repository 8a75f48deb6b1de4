"""Contract: what a captured step takes for granted, checked before each replay."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from operator import attrgetter, call, is_
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


class Contract:
    """The arrays, settings and numbers that must be what they were when the step was captured.

    Compared in C: the attributes of modules and optimisers, the arrays and nodes of `tensors`, the parameters of the
    groups, which of the options are zero (the others are read in each step), the default dtype, the random generator,
    and what the function's own code reads by name: variables of its closure, globals, and attributes of the object
    whose method it is. Numbers that are equal are the same.

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
        self._single = [each for each in self.tensors if each._data.size < 2]  # whose arrays may be equal: by identity
        owners = [*modules, *optimizers]
        self._attributes = [vars(each) for each in owners]
        self._owners = [*modules.values(), *[type(each).__name__ for each in optimizers]]
        self._lists = [*[each.param_groups for each in optimizers], *[group["params"] for group in groups]]
        options = [(group, key) for group in groups for key in group if key != "lr"]  # on which no state depends
        self._options = [group for group, _ in options], [key for _, key in options]
        hooks = [(type(each).__name__, found) for each in owners for found in _hooks_of(each)]
        metas = [node.meta for node in self._nodes if node.meta is not None]
        hooks += [("parameter", found) for meta in metas for found in (meta.hooks, meta.post_accumulate_hooks)]
        self._hook_owners, self._hooks = [owner for owner, _ in hooks], [found for _, found in hooks]
        self._names = [
            *[f"{name}.data" for name in self.tensors.values()],
            *[f"{name}.requires_grad" for name in self.tensors.values()],
            *["a hook" for _ in self._nodes],
            *["param_groups" for _ in chain.from_iterable(self._lists)],
            *[key for _, key in options],
            *read,
            *("the default dtype", "the random generator", *["data" for _ in self._single]),
        ]
        self.renew()
        self.obstacle = self._found_against()

    def holds(self) -> bool:
        """Return whether all is as it was. The quick way; `difference` tells what is not."""
        try:
            return (
                not STALE
                and not any(self._hooks)
                and self._attributes == self._settings
                and self._now() == self._values
            )
        except Exception:  # noqa: BLE001 (of a variable without a value; of an array that is another; of a user's ==)
            return False

    def difference(self, *, plain: bool = False) -> str:
        """Return the name of what is no longer as it was; "" if all is, and then equal numbers are taken over.

        plain: look at numbers and texts alone.
        """
        if STALE or any(self._hooks):
            return "a hook"
        for owner, now, then in zip(self._owners, self._attributes, self._settings, strict=True):
            for key in now.keys() | then.keys():
                if _is_other(now.get(key), then.get(key), plain):
                    return f"{owner}.{key}"
        try:
            values = self._now()
        except ValueError:
            return "a variable of the closure"
        if len(values) != len(self._values):
            return "param_groups"
        found = zip(self._names, values, self._values, strict=True)
        changed = next((name for name, now, then in found if _is_other(now, then, plain)), "")
        if not changed:
            self.renew()
        return str(changed)

    def renew(self) -> None:
        """Take over all that there is now."""
        self._settings, self._values = [dict(own) for own in self._attributes], self._now()

    def gradients(self) -> tuple[bool, ...]:
        """Return which of the leaves have no gradient now: a step may add to those that are there."""
        return tuple(map(is_, map(_GRAD, self._nodes), repeat(None)))

    def _now(self) -> list[Any]:
        scope = current_scope()
        return [
            *map(_DATA, self.tensors),
            *map(_NODE, self.tensors),
            *map(_META, self._nodes),
            *chain.from_iterable(self._lists),
            *map(bool, map(dict.get, *self._options)),
            *map(call, self._reads),
            scope.default_dtype,
            scope.random,
            *map(id, map(_DATA, self._single)),
        ]

    def _found_against(self) -> str:
        if STALE:
            return "a Tensor's memory was left by a change in place"
        for owner, hooks in zip(self._hook_owners, self._hooks, strict=True):
            if hooks:
                return f"there are hooks of a {owner}, which Python runs; remove them, and it is captured"
        for tensor, name in self.tensors.items():
            if on_gpu(tensor._data):
                return "its parameters are on a GPU, where a replay would not be quicker"
            if tensor._node is not None and tensor._node.rule is not None:
                return f"`{name}` is the result of an operation, with all that it was made from: keep it detached"
        return ""


def _hooks_of(owner: Any) -> list[dict[Any, Any]]:
    """Return the dicts of a module's or an optimiser's hooks."""
    names = ("hooks", "_before_step", "_after_step")
    return [value for key, value in vars(owner).items() if isinstance(value, dict) and key.endswith(names)]


def _is_other(one: Any, other: Any, plain: bool) -> bool:
    """Return whether two values are not the same, nor numbers or texts that are equal. plain: of others, False."""
    if type(one) in _PLAIN and type(one) is type(other):
        return repr(one) != repr(other)
    return one is not other and not plain


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
        **{f"self.{name}": partial(dict.get, vars(own), name) for name in attributes},
        **{name: partial(dict.get, function.__globals__, name) for name in named & function.__globals__.keys()},
        **{name: partial(_CELL, cell) for name, cell in cells.items() if cell != _EMPTY},
    }


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code, and that of the functions that it makes."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes_in(each)

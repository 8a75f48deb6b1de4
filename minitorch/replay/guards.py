"""Guards: what a replay takes for granted, asked before each one writes anything."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.version import STALE
from minitorch.backend import on_gpu
from minitorch.nn import Module
from minitorch.replay.facts import QUESTIONS, entry, numpy_raises, numpy_settings
from minitorch.replay.objects import named_kind
from minitorch.replay.surroundings import Surroundings

Entry = tuple[dict[Any, Any], Any, Any]
"""(dict, key, value): under that key stands that value."""


def held_tensors(models: Iterable[Module], optimizers: Iterable[Any], around: Surroundings) -> dict[Tensor, str]:
    """The Tensors that live on between steps, each with its name: parameters, buffers, what an optimiser moves, and
    those that the step sees around it.
    """
    found: dict[Tensor, str] = {}
    for model in models:
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            found.setdefault(tensor, name)
    for tensor in (param for each in optimizers for group in each.param_groups for param in group["params"]):
        found.setdefault(tensor, f"parameter_{len(found)}")
    for tensor, name in around.tensors.items():
        found.setdefault(tensor, name)
    return found


def came_with(held: Iterable[Tensor]) -> list[bool]:
    """Which of these have a gradient now."""
    return [tensor.grad is not None for tensor in held]


def is_scope_against() -> bool:
    """Whether gradients are switched off around the step, it is watched or inspected, or NumPy's errors are raised."""
    scope = current_scope()
    return not scope.grad_enabled or scope.anomaly is not None or scope.watchers is not None or numpy_raises()


def reasons_against(
    models: Iterable[Module], optimizers: Iterable[Any], held: dict[Tensor, str], around: Surroundings
) -> str:
    """Why a step cannot be captured now; "" if it can."""
    if STALE:
        return "a Tensor's memory was left by a change in place"
    for module in (*_inside(models), *around.modules):
        if any(_hooks(module)):
            return f"{named_kind(module)} has hooks, which Python runs"
    for optimizer in optimizers:
        if optimizer._before_step or optimizer._after_step:
            return f"its optimiser, {type(optimizer).__name__}, has hooks, which Python runs"
    for tensor, name in held.items():
        if on_gpu(tensor._data):
            return "its parameters are on a GPU, where a replay would not be quicker"
        node = tensor._node
        if node is not None and node.rule is not None:
            return f"`{name}` is the result of an operation, with all that it was made from: keep it detached"
        if node is not None and node.meta is not None and node.meta.has_hooks():
            return f"`{name}` has hooks, which Python runs"
    return ""


def _inside(models: Iterable[Module]) -> Iterator[Module]:
    return (module for model in models for module in model.modules())


def _hooks(module: Module) -> Iterator[dict[Any, Any]]:
    return (value for key, value in vars(module).items() if key.endswith("hooks") and isinstance(value, dict))


class Guards:
    """What must be as it was: the arrays and places of all Tensors that live on, every setting of the modules, the
    numbers that the step's function sees around it, and the scope.

    holds: a function that says whether all of it is.
    """

    def __init__(
        self,
        around: Surroundings,
        models: Sequence[Module],
        held: Sequence[Tensor],
        came_with: Sequence[bool],
        optimizers: Sequence[Any] = (),
        more: Iterable[Entry] = (),
    ) -> None:
        scope = current_scope()
        self._names: dict[str, Any] = {
            "__name__": __name__,
            "STALE": STALE,
            "current_scope": current_scope,
            **QUESTIONS,
        }
        self._names |= {"numpy_raises": numpy_raises, "get_cache_token": abc.get_cache_token}
        settings_of_numpy = numpy_settings()
        asked = ["not STALE", "not numpy_raises()"]
        if settings_of_numpy is not None:
            known = self._named(settings_of_numpy.get(None))
            asked[1] = f"({self._named(settings_of_numpy)}.get(None) is {known} or not numpy_raises())"
        if around.is_abstract:  # a class may be registered with one of these later
            asked.append(f"get_cache_token() == {abc.get_cache_token()}")
        settings = ("grad_enabled", "watchers", "anomaly", "default_dtype", "random")
        asked += [f"scope.{name} is {self._named(getattr(scope, name))}" for name in settings]
        for tensor, has_gradient in zip(held, came_with, strict=True):
            where, node = self._named(tensor), tensor._node
            asked.append(f"{where}._data is {self._named(tensor._data)} and {where}._node is {self._named(node)}")
            if node is not None:
                meta = self._named(node.meta)  # None for nearly all
                asked.append(f"{self._named(node)}.meta is {meta}")
                asked += [] if node.meta is None else [f"not {meta}.has_hooks()"]
                asked.append(f"{self._named(node)}.grad is {'not ' * has_gradient}None")
        for owner, key, value in more:
            asked.append(f"{entry(self._named(owner), self._key(key), owner)} is {self._named(value)}")
        modules = list({id(each): each for each in (*around.modules, *_inside(models))}.values())
        asked.append(f"[{self._all_keys(modules)}] == {self._named([key for each in modules for key in vars(each)])}")
        asked += [f"not {self._named(hooks)}" for module in modules for hooks in _hooks(module)]
        asked += [f"not {self._named(h)}" for each in optimizers for h in (each._before_step, each._after_step)]
        asked += [f"len({self._named(each.state)}) == {len(each.state)}" for each in optimizers]
        asked += [f"type({self._named(each)}) is {self._named(type(each))}" for each in modules]
        asked += self._methods([type(each) for each in modules], "forward", "__call__")
        asked += self._methods([type(each) for each in optimizers], "step", "zero_grad")
        asked += self._methods([Tensor], "backward")
        for group in [group for each in optimizers for group in each.param_groups]:
            asked += self._switches(group)
        for groups in [each.param_groups for each in optimizers]:
            for parts in (groups, *[group["params"] for group in groups]):
                here = self._named(parts)
                asked.append(f"len({here}) == {len(parts)}")
                asked += [f"{here}[{place}] is {self._named(part)}" for place, part in enumerate(parts)]
        asked += [fact.question(self._named) for fact in (*around.facts, *around.arrays, *around.kept)]
        source = (
            "def holds():\n    scope = current_scope()\n    try:\n        return (\n            "
            + "\n            and ".join(asked)
            + "\n        )\n    except (AttributeError, LookupError, ValueError):  # gone\n        return False\n"
        )
        exec(compile(source, "<guards>", "exec"), self._names)  # noqa: S102 (the text is our own)
        self.holds: Callable[[], bool] = self._names["holds"]

    def _all_keys(self, modules: Iterable[Module]) -> str:
        """What the modules have, in its order: a container goes through its layers in the order in which they came."""
        return ", ".join(f"*{self._named(vars(module))}" for module in modules)

    def _methods(self, kinds: Iterable[type], *names: str) -> Iterator[str]:
        """The classes have the same methods: nobody has put others in their place."""
        for kind in dict.fromkeys(kinds):
            yield from (f"{self._named(kind)}.{name} is {self._named(getattr(kind, name))}" for name in names)

    def _switches(self, group: dict[str, Any]) -> Iterator[str]:
        """Those options that decide which states there are; numbers are read in each step."""
        where = self._named(group)
        for name, value in group.items():
            if type(value) is bool:
                yield f"{entry(where, repr(name), group)} is {value}"
            elif name == "momentum":
                yield f"{'' if value else 'not '}{entry(where, repr(name), group)}"

    def _key(self, key: Any) -> str:
        return repr(key) if type(key) in (str, int) else self._named(key)

    def _named(self, value: Any) -> str:
        """A name for a value in the text of `holds`."""
        if value is None or value is True or value is False:
            return str(value)
        name = f"v{id(value)}"
        self._names[name] = value
        return name

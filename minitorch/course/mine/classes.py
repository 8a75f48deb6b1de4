"""A class that several lessons write is one class in all of them, and a Tensor has its signs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import ModuleType
from typing import Any

from minitorch.course.mine import operators

TENSOR = "Tensor"  # the class that the rules of lessons give their signs to


def settle(modules: Mapping[str, ModuleType], names: Collection[str]) -> None:
    """Let each class among `names` be what it is in the end, in every lesson.

    modules: the lessons' code by their numbers, in order. The signs of a Tensor are the rules that the lessons after
    the Tensor's first one define. The class with signs takes the place of the one without, so that `Tensor(...)` in a
    lesson's code makes these, too.
    """
    for name in names:
        made = _last(modules, name)
        if made is not None:
            _put(modules, name, _with_signs(made, list(modules.values())) if name == TENSOR else made)


def _last(modules: Mapping[str, ModuleType], name: str) -> type | None:
    """The class that `name` is in the last lesson that defines it; None where no lesson does."""
    found = [vars(module)[name] for module in modules.values() if isinstance(vars(module).get(name), type)]
    return found[-1] if found else None


def _with_signs(tensor: type, modules: Sequence[ModuleType]) -> type:
    first = next(place for place, module in enumerate(modules) if isinstance(vars(module).get(TENSOR), type))
    functions: dict[str, Any] = {}
    for module in modules[first + 1 :]:
        functions |= {name: vars(module)[name] for name in operators.NAMES if callable(vars(module).get(name))}
    return operators.with_operators(tensor, functions) if functions else tensor


def _put(modules: Mapping[str, ModuleType], name: str, made: type) -> None:
    """Let `name` mean `made` in every lesson where it means a class that `made` goes on from."""
    for module in modules.values():
        before = vars(module).get(name)
        if isinstance(before, type) and issubclass(made, before):
            vars(module)[name] = made

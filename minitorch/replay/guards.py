"""Guards: what a replay takes for granted, asked before each one writes anything."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.version import LEFT
from minitorch.nn import Module

PLAIN = (bool, int, float, str, type(None))


def held_tensors(models: Iterable[Module], optimizers: Iterable[Any]) -> dict[Tensor, str]:
    """The Tensors that live on between steps, each with its name: parameters, buffers, and what an optimiser moves."""
    found: dict[Tensor, str] = {}
    for model in models:
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            found.setdefault(tensor, name)
    for tensor in (param for each in optimizers for group in each.param_groups for param in group["params"]):
        found.setdefault(tensor, f"parameter_{len(found)}")
    return found


def reasons_against(models: Iterable[Module], held: Iterable[Tensor]) -> str:
    """Why a step cannot be captured now; "" if it can."""
    scope = current_scope()
    if not scope.grad_enabled:
        return "gradients are switched off around it"
    if scope.anomaly:
        return "detect_anomaly looks at every operation"
    if scope.watchers is not None:
        return "its operations are being recorded or watched"
    if LEFT:
        return "a Tensor's memory was left by a change in place"
    for model in models:
        for name, module in model.named_modules():
            if _has_hooks(module):
                return f"{name or 'the model'} has hooks, which Python runs"
    for tensor in held:
        if tensor._node is not None and (tensor._node.notes is not None or tensor._node.rule is not None):
            return "a parameter has hooks, or is no leaf"
    return ""


def _has_hooks(module: Module) -> bool:
    return any(value for key, value in vars(module).items() if key.endswith("hooks") and isinstance(value, dict))


class Guards:
    """What must be as it was: the arrays and places of all Tensors that live on, every setting of the modules, the
    numbers that the step's function sees around it, and the scope."""

    def __init__(self, function: Callable[..., Any], models: list[Module], held: list[Tensor], more: list[Any]) -> None:
        scope = current_scope()
        self._dtype, self._random = scope.default_dtype, scope.random
        self._held = [(tensor, tensor._data, tensor._node) for tensor in held]
        self._settings = [*_settings(models), *more]
        self._sizes = [(vars(module), len(vars(module))) for model in models for module in model.modules()]
        self._seen = list(_seen(function))

    def broken(self) -> str:
        """What has changed, in words; "" if nothing has."""
        scope = current_scope()
        if (
            not scope.grad_enabled
            or scope.watchers is not None
            or scope.anomaly
            or scope.default_dtype is not self._dtype
            or scope.random is not self._random
            or LEFT
        ):
            return "the scope around it"
        for tensor, data, node in self._held:
            if tensor._data is not data or tensor._node is not node or (node is not None and node.notes is not None):
                return "a parameter or buffer, which has another array, place or hook"
        for owner, key, value in self._settings:
            if owner.get(key, owner) is not value and not (type(value) in PLAIN and owner.get(key, owner) == value):
                return f"the setting {key} of a module"
        for owner, size in self._sizes:
            if len(owner) != size:
                return "what a module holds"
        for look, name, value in self._seen:
            now = look()
            if now is not value and (type(now) is not type(value) or now != value):
                return f"{name}, which the function reads"
        return ""


def _settings(models: list[Module]) -> Iterator[tuple[dict[str, Any], str, Any]]:
    for model in models:
        for module in model.modules():
            for key, value in vars(module).items():
                if isinstance(value, (*PLAIN, Tensor, Module)) or (
                    isinstance(value, tuple) and all(isinstance(each, PLAIN) for each in value)
                ):
                    yield vars(module), key, value


def _seen(function: Any) -> Iterator[tuple[Callable[[], Any], str, Any]]:
    """(how to look it up, name, value) of the numbers and texts in a function's closure and among its globals."""
    function = getattr(function, "__wrapped__", function)
    if isinstance(function, types.MethodType):
        function = function.__func__
    if not isinstance(function, types.FunctionType):
        return
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if isinstance(cell.cell_contents, PLAIN):
            yield (lambda cell=cell: cell.cell_contents), name, cell.cell_contents
        elif isinstance(cell.cell_contents, Tensor):
            yield (lambda cell=cell: cell.cell_contents._data), name, cell.cell_contents._data
    for name in function.__code__.co_names:
        if isinstance(function.__globals__.get(name, function), PLAIN):
            known = function.__globals__
            yield (lambda known=known, name=name: known.get(name, known)), name, known[name]

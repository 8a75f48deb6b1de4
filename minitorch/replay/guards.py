"""Guards: what a replay takes for granted, asked before each one writes anything."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.version import LEFT
from minitorch.backend import on_gpu
from minitorch.nn import Module

Fact = tuple[dict[Any, Any], Any, Any]
"""(dict, key, value): under that key stands that value, or one that is equal if it is plain."""

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
            if any(_hooks(module)):
                return f"{name or 'the model'} has hooks, which Python runs"
    for tensor in held:
        if on_gpu(tensor._data):
            return "its parameters are on a GPU, where a replay would not be quicker"
        if tensor._node is not None and (tensor._node.notes is not None or tensor._node.rule is not None):
            return "a parameter has hooks, or is no leaf"
    return ""


def _hooks(module: Module) -> Iterator[dict[Any, Any]]:
    return (value for key, value in vars(module).items() if key.endswith("hooks") and isinstance(value, dict))


class Guards:
    """What must be as it was: the arrays and places of all Tensors that live on, every setting of the modules, the
    numbers that the step's function sees around it, and the scope.

    holds: a function that says whether all of it is.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        models: Sequence[Module],
        held: Sequence[Tensor],
        came_with: Sequence[bool],
        more: Iterable[Fact] = (),
    ) -> None:
        scope = current_scope()
        self._names: dict[str, Any] = {"LEFT": LEFT, "current_scope": current_scope, "len": len, "type": type}
        asked = ["not LEFT"]
        settings = ("grad_enabled", "watchers", "anomaly", "default_dtype", "random")
        asked += [f"scope.{name} is {self._named(getattr(scope, name))}" for name in settings]
        for tensor, has_gradient in zip(held, came_with, strict=True):
            where, node = self._named(tensor), tensor._node
            asked.append(f"{where}._data is {self._named(tensor._data)} and {where}._node is {self._named(node)}")
            if node is not None:
                asked.append(f"{self._named(node)}.notes is None")
                asked.append(f"{self._named(node)}.grad is {'not ' * has_gradient}None")
        for owner, key, value in [*_settings(models), *more]:
            here, known = f"{self._named(owner)}.get({key!r})" if isinstance(key, str) else "", self._named(value)
            asked.append(f"{here} is {known}" if type(value) not in PLAIN else _same(here, known))
        for model in models:
            for module in model.modules():
                asked.append(f"len({self._named(vars(module))}) == {len(vars(module))}")
                asked += [f"not {self._named(hooks)}" for hooks in _hooks(module)]
        for look, value in _seen(function):
            asked.append(_same(f"{self._named(look)}()", self._named(value)))
        source = (
            "def holds():\n    scope = current_scope()\n    return (\n        "
            + "\n        and ".join(asked)
            + "\n    )\n"
        )
        exec(compile(source, "<guards>", "exec"), self._names)  # noqa: S102 (the text is our own)
        self.holds: Callable[[], bool] = self._names["holds"]

    def _named(self, value: Any) -> str:
        """A name for a value in the text of `holds`."""
        if value is None or value is True or value is False:
            return str(value)
        name = f"v{id(value)}"
        self._names[name] = value
        return name


def _same(now: str, known: str) -> str:
    """The text of a comparison of plain values, in which 1 is not True and nan is nan."""
    return f"((seen := {now}) is {known} or type(seen) is type({known}) and seen == {known})"


def _settings(models: Iterable[Module]) -> Iterator[Fact]:
    for model in models:
        for module in model.modules():
            for key, value in vars(module).items():
                if isinstance(value, (*PLAIN, Tensor, Module)) or (
                    isinstance(value, tuple) and all(isinstance(each, PLAIN) for each in value)
                ):
                    yield vars(module), key, value


def _seen(function: Any) -> Iterator[tuple[Callable[[], Any], Any]]:
    """(how to look it up, value) of the numbers and texts in a function's closure and among its globals."""
    function = getattr(function, "__wrapped__", function)
    if isinstance(function, types.MethodType):
        function = function.__func__
    if not isinstance(function, types.FunctionType):
        return
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, PLAIN):
            yield functools.partial(getattr, cell, "cell_contents"), cell.cell_contents
        elif isinstance(cell.cell_contents, Tensor):
            yield functools.partial(_data_in, cell), cell.cell_contents._data
    known = function.__globals__
    for name in function.__code__.co_names:
        if isinstance(known.get(name, function), PLAIN):
            yield functools.partial(known.get, name, known), known[name]


def _data_in(cell: Any) -> Any:
    return getattr(cell.cell_contents, "_data", None)

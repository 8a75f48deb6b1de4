"""Guards: what a replay takes for granted, asked before each one writes anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.version import LEFT
from minitorch.backend import on_gpu
from minitorch.nn import Module
from minitorch.replay.surroundings import PLAIN, Fact, Surroundings

Entry = tuple[dict[Any, Any], Any, Any]
"""(dict, key, value): under that key stands that value."""


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
        optimizers: Sequence[Any] = (),
        more: Iterable[Entry] = (),
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
        for owner, key, value in more:
            asked.append(f"{self._named(owner)}.get({self._key(key)}) is {self._named(value)}")
        for model in models:
            for module in model.modules():
                asked.append(f"len({self._named(vars(module))}) == {len(vars(module))}")
                asked += [f"not {self._named(hooks)}" for hooks in _hooks(module)]
        for groups in [each.param_groups for each in optimizers]:
            for parts in (groups, *[group["params"] for group in groups]):
                here = self._named(parts)
                asked.append(f"len({here}) == {len(parts)}")
                asked += [f"{here}[{place}] is {self._named(part)}" for place, part in enumerate(parts)]
        around = Surroundings(function, models)
        asked += [f"len({self._named(holder)}) == {size}" for holder, size, _ in around.sizes]
        for fact in around.facts:
            if fact.kind == "absent":
                asked.append(f"{fact.key!r} not in {self._named(fact.holder)}")
                continue
            here, known = self._place(fact), self._named(fact.value)
            asked.append(_same(here, known) if type(fact.value) in PLAIN else f"{here} is {known}")
        source = (
            "def holds():\n    scope = current_scope()\n    return (\n        "
            + "\n        and ".join(asked)
            + "\n    )\n"
        )
        exec(compile(source, "<guards>", "exec"), self._names)  # noqa: S102 (the text is our own)
        self.holds: Callable[[], bool] = self._names["holds"]

    def _place(self, fact: Fact) -> str:
        """The text that looks where a fact is."""
        holder = self._named(fact.holder)
        if fact.kind == "entry":
            return f"{holder}.get({self._key(fact.key)})"
        return f"{holder}[{fact.key}]" if fact.kind == "item" else f"getattr({holder}, {fact.key!r}, None)"

    def _key(self, key: Any) -> str:
        return repr(key) if type(key) in (str, int) else self._named(key)

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

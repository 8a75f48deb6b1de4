"""Module scopes, which say where an operation happened: hooks on a model's modules, only while a graph records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Recorder(Protocol):
    """What records: it has the scope of what is recorded next, the kinds of modules, and names for parameters."""

    scope: str
    kinds: dict[str, str]

    def label(self, **names: Any) -> Any:
        """Says what to call which tensor."""


class ModuleScopes:
    """Sets `graph.scope` to the path of the module that is running, and names the parameters and kinds of modules.

    model: a module of minitorch or of PyTorch, whose hooks are registered alike. hook_options: what else PyTorch's
    `register_forward_hook` is to be told.
    """

    def __init__(self, graph: Recorder, model: Any, **hook_options: Any) -> None:
        self._graph = graph
        self._model = model
        self._hook_options = hook_options
        self._outside = ""  # the scope of what happens in no module, or in the model itself
        self._handles: list[Any] = []
        self._running: list[tuple[str, str]] = []  # (path of a module that runs, scope to go back to)

    def install(self) -> None:
        """Puts the hooks on, and says what to call the parameters."""
        if self._handles:
            return
        self._running.clear()
        self._outside = self._graph.scope
        for path, module in self._model.named_modules():
            self._graph.kinds[path] = type(module).__name__
            self._handles += [
                module.register_forward_pre_hook(self._entering(path), prepend=True),
                module.register_forward_hook(self._leaving(path), **self._hook_options),
            ]
        self._graph.label(**dict(self._model.named_parameters()))

    def remove(self) -> None:
        """Takes the hooks off."""
        while self._handles:
            self._handles.pop().remove()
        if self._running:  # a forward that an exception has left
            self._graph.scope = self._running[0][1]
            self._running.clear()

    def _entering(self, path: str) -> Callable[..., None]:
        def enter(_module: Any, _args: Any) -> None:
            if not path and self._running:  # an exception has left an earlier call of the whole model
                self._graph.scope = self._running[0][1]
                self._running.clear()
            self._running.append((path, self._graph.scope))
            self._graph.scope = path or self._outside

        return enter

    def _leaving(self, path: str) -> Callable[..., None]:
        def leave(_module: Any, _args: Any, _output: Any) -> None:
            while self._running:  # more than one where an exception has left an inner module
                inner, before = self._running.pop()
                self._graph.scope = before
                if inner == path:
                    return

        return leave

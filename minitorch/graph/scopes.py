"""Which module an operation happened in: hooks that are on the modules of a model only while a graph records."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitorch.graph.store import AutogradGraph
    from minitorch.nn.module import Module, RemovableHandle


class ModuleScopes:
    """Sets `graph.scope` to the path of the module that is running, and names the parameters."""

    def __init__(self, graph: AutogradGraph, model: Module) -> None:
        self._graph = graph
        self._model = model
        self._handles: list[RemovableHandle] = []
        self._running: list[tuple[str, str]] = []  # (path of a module that runs, scope to go back to)

    def install(self) -> None:
        """Puts the hooks on, and says what to call the parameters."""
        if self._handles:
            return
        self._running.clear()
        for path, module in self._model.named_modules():
            self._handles += [
                module.register_forward_pre_hook(self._entering(path), prepend=True),
                module.register_forward_hook(self._leaving(path)),
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
        def enter(_module: Module, _args: Any) -> None:
            if not path and self._running:  # an exception has left an earlier call of the whole model
                self._graph.scope = self._running[0][1]
                self._running.clear()
            self._running.append((path, self._graph.scope))
            self._graph.scope = path

        return enter

    def _leaving(self, path: str) -> Callable[..., None]:
        def leave(_module: Module, _args: Any, _output: Any) -> None:
            while self._running:  # more than one where an exception has left an inner module
                inner, before = self._running.pop()
                self._graph.scope = before
                if inner == path:
                    return

        return leave

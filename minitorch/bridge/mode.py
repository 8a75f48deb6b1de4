"""Recording everything that PyTorch does in a block, with the modules' names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import torch
from torch.overrides import TorchFunctionMode

from minitorch.autograd.scope import current_scope
from minitorch.bridge import compat
from minitorch.bridge.backward import TorchBackward
from minitorch.bridge.calls import CallRecorder
from minitorch.graph.scopes import Here, ModuleScopes
from minitorch.graph.store import AutogradGraph


class record(TorchFunctionMode):  # noqa: N801  (reads as a verb: with record(graph):)
    """`with record(graph, model=model): …` writes every PyTorch operation of this thread or asyncio task into `graph`.

    model: its parameters give the leaves their names, its submodules the operations their scope, as in
    encoder.layers.0.linear1. A subclass of Tensor alone would never see Parameter * Parameter; a mode sees every call.
    Under no_grad, torch.func, torch.compile and torch.jit.trace calls pass through untouched, and what they return is
    a constant.
    Leaving the block by an exception closes the graph. Raises RuntimeError where a closed graph is to record.
    """

    def __init__(self, graph: AutogradGraph, model: torch.nn.Module | None = None) -> None:
        super().__init__()
        if not isinstance(graph, AutogradGraph):
            raise TypeError(f"record(graph) writes into an AutogradGraph, not into a {type(graph).__name__}")
        if model is not None and not isinstance(model, torch.nn.Module):
            raise TypeError(f"record(graph, model=…) takes a torch.nn.Module, not a {type(model).__name__}")
        self._graph = graph
        self._model = model
        self._recording = CallRecorder(graph)
        self._cleanup = ExitStack()
        graph.passes.setdefault("torch", TorchBackward)

    def __enter__(self) -> Self:
        self._graph.require_open()
        begin: Callable[[], Any] = super().__enter__  # PyTorch gives it no types
        with ExitStack() as stack:
            if self._model is not None:
                self._recording = CallRecorder(self._graph, {id(p): name for name, p in self._model.named_parameters()})
                scopes = ModuleScopes(self._model, self._recording.meet, compat.is_compiled, compat.take_off_hook)
                stack.callback(scopes.remove)
                scopes.install(self._graph)
            stack.enter_context(Here(self._graph.running))
            begin()
            self._cleanup = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        compat.take_off(self)
        self._recording = CallRecorder(self._graph)
        self._cleanup.close()
        if kind is not None:
            self._graph.close()

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Called by PyTorch for every function and method of its own."""
        given = kwargs or {}
        # Under torch.compile nothing else may be asked. A task of this thread that does not record has no such key.
        if compat.must_pass_through() or self._graph.running not in current_scope().kept:
            return func(*args, **given)
        return self._recording.call(func, args, given, lambda: func(*args, **given))

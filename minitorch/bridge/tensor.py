"""A tensor that records itself."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import torch

from minitorch.bridge import compat
from minitorch.bridge.backward import TorchBackward
from minitorch.bridge.calls import CallRecorder
from minitorch.bridge.operands import flat
from minitorch.graph.refs import ReferenceManager
from minitorch.graph.store import AutogradGraph


class CustomTensor(torch.Tensor):
    """A torch.Tensor that writes what is done with it into the graph that it was given; its results do the same.

    graph: without one it is an ordinary tensor. ref_mgr: the references of that graph, for those who inject both;
    ValueError when they belong to another graph. The tensor holds its graph weakly: the graph holds its leaves, and
    neither keeps the other alive. One that requires a gradient is a leaf of its graph from the beginning.

    A deep copy writes into the same graph; what was pickled or saved comes back without one.
    """

    _graph: weakref.ref[AutogradGraph] | None = None

    @staticmethod
    def __new__(
        cls: type[Self],
        data: Any,
        graph: AutogradGraph | None = None,
        ref_mgr: ReferenceManager | None = None,
        requires_grad: bool = False,
    ) -> Self:
        """The data of a tensor are shared, not copied; its history is left behind."""
        if ref_mgr is not None and (graph is None or graph.refs is not ref_mgr):
            raise ValueError("ref_mgr must be the graph's own: make the graph with AutogradGraph(refs=ref_mgr)")
        if graph is not None and not isinstance(graph, AutogradGraph):
            raise TypeError(
                f"CustomTensor(data, graph) writes into an AutogradGraph, not into a {type(graph).__name__}"
            )
        tensor: Self = torch.as_tensor(data).detach().as_subclass(cls)
        if graph is not None:
            graph.require_open()
            tensor._graph = weakref.ref(graph)
            graph.passes.setdefault("torch", TorchBackward)
        tensor.requires_grad_(requires_grad)
        if requires_grad and graph is not None:
            with compat.as_plain_tensors():
                CallRecorder(graph).leaf(tensor)
        return tensor

    @property
    def graph(self) -> AutogradGraph | None:
        """The graph that this tensor writes into, while there is one."""
        return None if self._graph is None else self._graph()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A leaf with numbers of its own. Raises RuntimeError for a result, as PyTorch does."""
        if id(self) in memo:
            found: Self = memo[id(self)]
            return found
        if not self.is_leaf:
            raise RuntimeError("deepcopy copies leaves; this is the result of an operation: detach() it first")
        with compat.as_plain_tensors():
            data = self.detach().clone()
            grad = None if self.grad is None else self.grad.clone()
        graph = self.graph
        graph = None if graph is None or graph.closed else graph
        copied = type(self)(data, graph, requires_grad=self.requires_grad)
        memo[id(self)] = copied
        copied.__dict__.update(copy.deepcopy(self.__getstate__(), memo))
        copied.grad = grad
        return copied

    def __getstate__(self) -> dict[str, Any]:
        """What goes with the numbers into a file or a copy: everything but the graph."""
        return {name: each for name, each in self.__dict__.items() if name != "_graph"}

    def __reduce_ex__(self, _protocol: Any) -> tuple[Any, ...]:
        with compat.as_plain_tensors():
            numbers = self.detach().as_subclass(torch.Tensor)
        return _restored, (type(self), numbers, self.requires_grad, self.__getstate__())

    def __format__(self, form: str) -> str:
        """One number is written as a number, as that of an ordinary tensor: f"{loss:.3f}"."""
        with compat.as_plain_tensors():
            return format(self.detach().as_subclass(torch.Tensor), form) if form else str(self)

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Called by PyTorch for every function that has a CustomTensor among its arguments."""
        plain: Callable[..., Any] = super().__torch_function__  # PyTorch gives it no types
        graphs = {id(graph): graph for graph in map(_graph_of, _tensors((args, kwargs))) if graph is not None}
        if not graphs:
            return plain(func, types, args, kwargs or {})
        if len(graphs) > 1:
            raise ValueError(
                f"{func.__name__} got tensors of {len(graphs)} graphs: take all but one graph's out of theirs, as in "
                f"t.detach().as_subclass(torch.Tensor)"
            )
        (graph,) = graphs.values()
        given = kwargs or {}
        if compat.must_pass_through():
            result = plain(func, types, args, given)
        else:
            result = CallRecorder(graph).call(func, args, given, lambda: plain(func, types, args, given))
        for each in _tensors(result):
            if isinstance(each, CustomTensor):
                each._graph = weakref.ref(graph)
        return result


def _restored(
    kind: type[CustomTensor], numbers: torch.Tensor, requires_grad: bool, state: dict[str, Any]
) -> CustomTensor:
    tensor = kind(numbers, requires_grad=requires_grad)
    tensor.__dict__.update(state)
    return tensor


def _graph_of(tensor: torch.Tensor) -> AutogradGraph | None:
    return tensor.graph if isinstance(tensor, CustomTensor) else None


def _tensors(thing: Any) -> list[torch.Tensor]:
    return [each for each in flat(thing) if isinstance(each, torch.Tensor)]

"""The backward pass over a recorded graph: one node a step, for whoever wants to watch, or all at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from minitorch.autograd.tensor_base import TensorBase
from minitorch.graph.node import GraphNode
from minitorch.graph.passes import BackwardPass, EnginePass, PulledPass
from minitorch.graph.store import AutogradGraph


class GraphExecutor:
    """Runs the operations of a graph backwards.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> with AutogradGraph() as graph:
    ...     y = x * x + x
    >>> for step in GraphExecutor(graph).steps(y):
    ...     print(step.node.op or "leaf", float(step.gradient), [float(each.gradient) for each in step.contributions])
    add 1.0 [1.0, 1.0]
    mul 1.0 [3.0, 3.0]
    leaf 7.0 []
    >>> x.grad is None
    True
    >>> GraphExecutor(graph).backward(y)
    >>> x.grad
    array(7., dtype=float32)
    """

    def __init__(self, graph: AutogradGraph) -> None:
        if not isinstance(graph, AutogradGraph):
            raise TypeError(f"GraphExecutor runs an AutogradGraph, not a {type(graph).__name__}")
        self.graph = graph

    def steps(self, root: Any = None, gradient: Any = None) -> Iterator[Any]:
        """The pass from `root`, one node a step, newest first; a `Step` each.

        root: a tensor or its GraphNode; None for the one living scalar that nothing living was made from. No `.grad` is
        read or changed and nothing is freed, whether the generator is exhausted or abandoned; hooks are called.
        Raises as `backward`.
        """
        return self._pass(root, gradient, retain_graph=True).steps()

    def backward(self, root: Any = None, gradient: Any = None, *, retain_graph: bool = False) -> None:
        """The whole pass: sets `.grad` to the very bits that `root.backward(gradient)` would, and frees as it does.

        Every node that a gradient reaches is given its statistics. Raises as `root.backward()` does; RuntimeError that
        names the candidates when `root` is left out and there is not exactly one. On a graph with `find_nan` raises
        NanError after the pass, when a gradient rule has made a nan.
        """
        top = self._tensor(self.root() if root is None else root)
        self._pass(top, gradient, retain_graph=retain_graph).run()
        if self.graph.nan_finder is not None:
            self.graph.nan_finder.look_back(self.graph.reverse_toposort(self.graph.find(top)), self.graph)

    def measure(self, root: Any = None, gradient: Any = None) -> dict[GraphNode, tuple[int, float]]:
        """Bytes kept for the pass from `root`, and seconds of the gradient rule, of each operation; see `costs`.

        As `steps` it sets no `.grad`, frees nothing, and calls hooks. Raises as `backward`.
        """
        return self._pass(root, gradient, retain_graph=True).measure()

    def _pass(self, root: Any, gradient: Any, *, retain_graph: bool) -> BackwardPass:
        tensor = self._tensor(self.root() if root is None else root)
        kind: Callable[..., BackwardPass] = PulledPass
        if isinstance(tensor, TensorBase):
            kind = EnginePass
        elif self.graph.passes:
            kind = self._foreign(tensor)
        elif type(tensor).__module__.partition(".")[0] == "torch":
            raise RuntimeError(
                f"{self.graph!r} has recorded nothing of PyTorch's: write `with minitorch.bridge.record(graph):` "
                f"around what makes the loss, or trace it with minitorch.bridge.TorchBackward(graph, loss).run()"
            )
        return kind(self.graph, tensor, gradient, retain_graph=retain_graph)

    def _foreign(self, tensor: Any) -> Callable[..., BackwardPass]:
        """The pass of the backend that recorded `tensor`; for one that nobody recorded, of a backend that takes it."""
        node = self.graph.find(tensor)
        if node is not None:
            return self.graph.passes.get(node.backend, PulledPass)
        for kind in self.graph.passes.values():
            if kind.takes(tensor):
                return kind
        return PulledPass

    def _tensor(self, root: Any) -> Any:
        if isinstance(root, (bool, int, float, complex)):
            raise RuntimeError(
                f"backward() starts at a tensor that requires grad; {root!r} is a plain number, which does not: "
                f"pass the loss itself, not loss.item()"
            )
        if not isinstance(root, GraphNode):
            return root
        tensor = self.graph.tensor(root)
        if tensor is None:
            raise RuntimeError(f"nobody holds the tensor of {root!r} any more: a backward pass cannot begin there")
        return tensor

    def root(self) -> GraphNode:
        """The one living scalar result that nothing living was made from.

        Raises RuntimeError that names the candidates when there is none, or more than one.
        """
        ends = self.graph.ends()
        scalars = [node for node in ends if math.prod(node.shape) == 1]
        if len(scalars) == 1:
            return scalars[0]
        if scalars:
            raise RuntimeError(
                f"{len(scalars)} scalars could be the root of the backward pass: {_listed(scalars)}; "
                f"pass the one that is meant, or add them up"
            )
        if self.graph.closed:
            raise RuntimeError(f"{self.graph!r} has let go of its tensors: pass the root, or do this before close()")
        others = f"; what is alive is no scalar: {_listed(ends)}" if ends else ""
        raise RuntimeError(
            f"no living scalar could be the root of the backward pass: "
            f"keep the loss in a variable until the end of the block{others}"
        )


def _listed(nodes: list[GraphNode]) -> str:
    named = [f"{node.title} (shape {node.shape}, uid {node.uid})" for node in nodes[:8]]
    return ", ".join(named) + (f" and {len(nodes) - 8} more" if len(nodes) > 8 else "")

"""Which operation made the first nan, in which module: of the numbers, and of the gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minitorch.autograd.tensor_base import TensorBase
from minitorch.graph.node import GraphNode
from minitorch.graph.structure import Structure


class NanError(FloatingPointError):
    """An operation has made a nan; the message names it, its module and what it was given."""


class NanFinder:
    """Looks at every result as it is recorded, and at every gradient after a pass.

    An infinite number is no error, for masks are made of it: it is remembered, and named where a nan comes of it.
    """

    __slots__ = ("_infinite",)

    def __init__(self) -> None:
        self._infinite: set[int] = set()  # uids

    def look(self, graph: Structure, node: GraphNode, tensor: Any) -> None:
        """Raises NanError when the tensor at this new node holds a nan."""
        data = _numbers(tensor)
        if data is None:
            return
        nans = int((data != data).sum())
        if not nans:
            if bool((abs(data) == math.inf).any()):
                self._infinite.add(node.uid)
            return
        count = math.prod(node.shape)
        if node.is_leaf:
            raise NanError(f"{_named(node)} holds nan in {nans} of {count} numbers before anything was computed")
        infinite = dict.fromkeys(_named(each) for each in graph.parents(node) if each.uid in self._infinite)
        cause = f"; {' and '.join(infinite)} had given it infinite numbers" if infinite else ""
        raise NanError(f"{_named(node)} made nan in {nans} of {count} numbers, shape {node.shape}{cause}")

    def look_back(self, nodes: Sequence[GraphNode], graph: Structure) -> None:
        """Raises NanError for the newest of `nodes` that was given a nan by gradients that had none; newest first."""
        for node in nodes:
            if not _has_nan(node):
                continue
            givers = [each for each in graph.children(node) if each.gradient is not None]
            if givers and not any(map(_has_nan, givers)):
                names = " or ".join(dict.fromkeys(map(_named, givers)))
                raise NanError(
                    f"the gradient rule of {names} made nan: the gradient that came in was free of it, the one of "
                    f"{_named(node)}, shape {node.shape}, is not"
                )


def _numbers(tensor: Any) -> Any:
    """The numbers that a tensor stores, in a dtype that can be computed with; None where it is only a shape."""
    if isinstance(tensor, TensorBase):
        return tensor._data
    data = tensor.detach()
    if not hasattr(data, "layout"):  # no tensor of PyTorch's
        return data
    if data.device.type == "meta" or any(kind.__name__ == "FakeTensor" for kind in type(data).__mro__):
        return None
    if data.is_nested or str(data.layout).startswith("torch.sparse"):
        data = (data.coalesce() if data.is_sparse else data).values()
    return data.float() if data.element_size() == 1 and data.is_floating_point() else data


def _has_nan(node: GraphNode) -> bool:
    return node.gradient is not None and math.isnan(node.gradient.max)


def _named(node: GraphNode) -> str:
    if node.is_leaf:
        return f"the leaf {node.name}" if node.name else f"a leaf of shape {node.shape}"
    return f"{node.op} in {node.scope}" if node.scope else node.op

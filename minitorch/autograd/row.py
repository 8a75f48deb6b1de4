"""Several outputs of one call as one place in the graph: their numbers in a row, from which each is a slice."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minitorch.autograd.engine import contribute_copies
from minitorch.autograd.handle import constant
from minitorch.autograd.node import Node, interior
from minitorch.backend import xp
from minitorch.types import Shape

if TYPE_CHECKING:
    from minitorch._tensor import Tensor
    from minitorch.autograd.declaration import Walk


class RowRule:
    """The backward rule of a node that stands for a whole call.

    With one output the node's shape is that output's. With several it is the row of all their numbers, so that one
    backward serves them all and the gradient of an output that nobody used is zeros by itself.
    """

    steps = adders = None

    def __init__(self, name: str, shapes: list[Shape]) -> None:
        self.name = name
        self.shapes = shapes

    def pull(self, node: Node, g: Any) -> list[tuple[int, Any]]:
        """(slot, gradient of that parent), on arrays."""
        raise NotImplementedError

    def pull_recorded(self, node: Node, g: Any, walk: Walk, /) -> list[tuple[int, Any]]:
        """(slot, gradient of that parent), on Tensors."""
        raise NotImplementedError

    def contribute(self, node: Node) -> None:
        """Adds the gradients to the parents' `grad`."""
        if node.grad is not None:
            contribute_copies(node, self.pull(node, node.grad))

    def parts(self, row: Any) -> list[Any]:
        """The row, or a gradient of it, cut into the shapes of the outputs."""
        if len(self.shapes) == 1:
            return [row]
        ends = list(itertools.accumulate(math.prod(shape) for shape in self.shapes))
        pieces = zip([0, *ends], ends, self.shapes, strict=False)
        return [row[begin:end].reshape(shape) for begin, end, shape in pieces]

    def record(self, outputs: Sequence[Tensor], parents: Sequence[Node | None], saved: tuple[Any, ...]) -> list[Tensor]:
        """The outputs as Tensors in the graph."""
        if len(outputs) == 1:
            row = constant(outputs[0]._data)
        else:
            row = constant(xp(outputs[0]).concatenate([out._data.reshape(-1) for out in outputs]))
        row._node = interior(row, self, parents[0], tuple(parents[1:]), saved, row.shape, row.dtype)
        return self.parts(row)

"""A place in the computation graph."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from minitorch.autograd.declaration import Backward
    from minitorch.autograd.engine import HandMade
    from minitorch.tensor import Tensor

# A clock, not a setting: it only ever counts up, so that parents always carry a smaller number than their children.
next_uid: Callable[[], int] = itertools.count(1).__next__


class Node(weakref.ref["Tensor"]):
    """One operation (or one leaf) of the graph; it *is* the weak reference to its Tensor.

    Nodes own their parents and nothing else owns anything, so memory is freed by reference counts alone:

        Tensor ──strong──▶ Node ──strong──▶ parent Nodes
           ▲                │
           └─────weak───────┘

    Being the weak reference, instead of holding one, saves 40 bytes and an object for the garbage collector to visit.

    rule: what to do in the backward pass; None for a leaf.
    first, rest: the parents. `rest` is the second of two, or the tuple of all others; a tuple for each of a million
        nodes would be a million more objects for the garbage collector to visit (it halves what building costs).
    saved: the values that the wanted gradient rules need; None once a backward pass has freed them.
    grad: d(root)/d(this) as an array of `shape`, or None when no gradient has arrived. A backward pass drops it where
        nobody holds the Tensor; a Tensor that is dropped later leaves it behind until the graph goes.
    uid: creation number; it grows along every edge and is never used again.
    """

    __slots__ = ("dtype", "first", "grad", "rest", "rule", "saved", "shape", "uid")

    rule: Backward | HandMade | None
    first: Node | None
    rest: Node | tuple[Node | None, ...] | None
    saved: tuple[Any, ...] | None
    grad: np.ndarray | None
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    uid: int

    # A weak reference compares and hashes by what it points to; a place in a graph is itself, dead Tensor or not.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def parents(self) -> tuple[Node | None, ...]:
        """One entry per differentiable argument, None where that argument is a constant. `x * x` names x twice."""
        rest = self.rest
        if not isinstance(rest, tuple):
            return self.first, rest
        return () if self.rule is None else (self.first, *rest)

    @property
    def op(self) -> str:
        """The operation's name; "" for a leaf."""
        return "" if self.rule is None else self.rule.name

    @property
    def is_leaf(self) -> bool:
        """True for a Tensor that the user made, with nothing before it."""
        return self.rule is None

    @property
    def tensor(self) -> Tensor | None:
        """The Tensor at this place, or None when nobody holds it any more."""
        return self()

    @property
    def _prev(self) -> tuple[Tensor | Node, ...]:
        """The parents, each as its Tensor while somebody holds it, else as its Node."""
        held = [(parent, parent()) for parent in self.parents if parent is not None]
        return tuple(node if tensor is None else tensor for node, tensor in held)

    @property
    def _op(self) -> str:
        return self.op

    def __repr__(self) -> str:
        return f"Node({self.op or 'leaf'}, shape={self.shape}, dtype={self.dtype}, uid={self.uid})"


def leaf(tensor: Tensor, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Node:
    """The Node of a Tensor that the user made with `requires_grad=True`."""
    return interior(tensor, None, None, (), (), shape, dtype)


def interior(
    tensor: Tensor,
    rule: Backward | HandMade | None,
    first: Node | None,
    rest: Node | tuple[Node | None, ...] | None,
    saved: tuple[Any, ...],
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> Node:
    """The Node of an operation's result."""
    node = Node(tensor)
    node.rule = rule
    node.first = first
    node.rest = rest
    node.saved = saved
    node.grad = None
    node.shape = shape
    node.dtype = dtype
    node.uid = next_uid()
    return node

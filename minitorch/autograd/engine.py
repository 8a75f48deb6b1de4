"""The backward pass: an iterative walk over the graph, newest node first.

Parents are always made before children, so sorting the reachable nodes by creation number *is* a topological sort.
Nothing here is recursive: a chain of a million operations is walked like a chain of three.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.node import Node

if TYPE_CHECKING:
    from minitorch.autograd.handle import Handle

_by_creation = attrgetter("uid")


class HandMade:
    """The backward rule of a node whose `_backward` somebody assigned: a function of no arguments."""

    __slots__ = ("function", "name")

    def __init__(self, name: str, function: Callable[[], None]) -> None:
        self.name = name
        self.function = function


def backward(root: Handle, gradient: Any = None, *, retain_graph: bool = False) -> None:
    """Handle.backward says what this does."""
    seed = seed_of(root, gradient)
    top = root._node
    assert top is not None  # seed_of has refused constants
    nodes = reachable(top)
    for node in nodes:
        if node.rule is not None:
            node.grad = None
    top.grad = seed if top.grad is None else np.asarray(top.grad + seed)
    with np.errstate(all="ignore"):  # d√x at 0 is infinite; saying so once a number is the forward's business
        while nodes:  # popped, so that a node that nobody needs dies as soon as it has been passed
            node = nodes.pop()
            if node.rule is None:
                continue
            if node.grad is not None:
                contribute(node)
            if not retain_graph:
                _free(node)
            if node() is None:
                node.grad = None


def contribute(node: Node) -> None:
    """Adds this node's contributions to the gradients of its parents."""
    rule = node.rule
    if isinstance(rule, HandMade):
        rule.function()
        return
    g, saved, parents = node.grad, node.saved, node.parents
    if rule is None or g is None:
        return
    if saved is None:
        raise _freed(node)
    for slot, vjp in rule.steps:
        parent = parents[slot]
        assert parent is not None  # a Backward has steps for wanted slots only
        c = vjp(g, saved)
        if type(c) is not np.ndarray or c.shape != parent.shape or c.dtype != parent.dtype:
            c = fitted(c, parent, node)
        if parent.grad is not None:
            parent.grad = parent.grad + c if c.ndim else np.asarray(parent.grad + c)
        elif (parent.rule is None or parent() is not None) and _may_be_shared(c, g, saved):
            parent.grad = c.copy()
        else:
            parent.grad = c


def fitted(c: Any, parent: Node, node: Node) -> np.ndarray:
    """A contribution as an array of the parent's shape and dtype."""
    array = np.asarray(c)
    if array.shape != parent.shape:
        array = unbroadcast(array, parent.shape, node)
    return array.astype(parent.dtype, copy=False)


def _may_be_shared(c: np.ndarray, g: np.ndarray, saved: tuple[Any, ...]) -> bool:
    """Could somebody else hold this contribution's memory? A gradient that a user can see must be its own."""
    return c is g or c.base is not None or any(c is value for value in saved) or _is_in_a_tuple(c, saved)


def _is_in_a_tuple(c: np.ndarray, saved: tuple[Any, ...]) -> bool:
    """The `*tensors` of an operation are saved as one tuple."""
    return any(c is each for value in saved if type(value) is tuple for each in value)


def seed_of(root: Handle, gradient: Any) -> np.ndarray:
    """The upstream gradient of the root, an array of its own."""
    if root._node is None:
        raise RuntimeError(
            "backward() on a constant: nothing it was made from has requires_grad=True (or it was made under no_grad)"
        )
    shape, dtype = root._node.shape, root._node.dtype
    if gradient is None:
        if root._data.size != 1:
            raise RuntimeError(
                f"backward() starts from one number, not from shape {shape}: "
                f"reduce it first, as in loss.sum().backward(), or pass gradient= of that shape"
            )
        return np.ones(shape, dtype)
    seed = np.array(getattr(gradient, "data", gradient) if not isinstance(gradient, np.ndarray) else gradient, dtype)
    if seed.shape != shape:
        raise ValueError(f"gradient has shape {seed.shape}, but the Tensor has shape {shape}")
    return seed


def reachable(root: Node) -> list[Node]:
    """root and everything it was made from, oldest first. Raises RuntimeError if part of it is freed already."""
    found = {root}
    stack = [root]
    while stack:
        node = stack.pop()
        if node.saved is None:
            raise _freed(node)
        for parent in node.parents:
            if parent is not None and parent not in found:
                found.add(parent)
                stack.append(parent)
    return sorted(found, key=_by_creation)


def _free(node: Node) -> None:
    """Drops what the node saved; a hand-made function too, which usually holds its own result (a cycle)."""
    node.saved = None
    if isinstance(node.rule, HandMade):
        node.rule = HandMade(node.rule.name, _used_up)


def _used_up() -> None:
    raise RuntimeError("this hand-made _backward was freed by a backward pass: keep it with retain_graph=True")


def _freed(node: Node) -> RuntimeError:
    return RuntimeError(
        f"the graph behind this Tensor was freed by an earlier backward() (at {node.op}, shape {node.shape}): "
        f"pass retain_graph=True to that earlier call, or compute the result again"
    )


def unbroadcast(gradient: np.ndarray, shape: tuple[int, ...], node: Node | None = None) -> np.ndarray:
    """Sums over the axes that broadcasting stretched, so that a gradient fits the operand of `shape`.

    y = broadcast(x), so dL/dx = Σ over the copies of dL/dy. Raises RuntimeError if no broadcast leads from one to the
    other: then a gradient rule is wrong.

    >>> unbroadcast(np.ones((4, 3)), (3,))
    array([4., 4., 4.])
    """
    axes = reduced_axes(gradient.shape, shape)
    if axes is None:
        name = "a gradient rule" if node is None else f"the gradient rule of {node.op}"
        raise RuntimeError(f"{name} returned shape {gradient.shape} for an operand of shape {shape}")
    return np.asarray(gradient.sum(axis=axes)).reshape(shape)


def reduced_axes(from_shape: tuple[int, ...], to_shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axes of `from_shape` that a sum must remove to arrive at `to_shape`; None if no broadcast links the two."""
    extra = len(from_shape) - len(to_shape)
    if extra < 0:
        return None
    axes = list(range(extra))
    for axis, (have, want) in enumerate(zip(from_shape[extra:], to_shape, strict=True), start=extra):
        if have == want:
            continue
        if want != 1:
            return None
        axes.append(axis)
    return tuple(axes)

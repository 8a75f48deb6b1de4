"""The backward pass: an iterative walk over the graph, newest node first.

Parents are always made before children, so sorting the reachable nodes by creation number *is* a topological sort.
Nothing here is recursive: a chain of a million operations is walked like a chain of three.

This is the quick walk: arrays, straight into `node.grad`. What it cannot do (gradients of gradients, chosen inputs,
hooks, anomaly detection) the walk in `grad.py` does, which keeps its gradients in a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from sys import getrefcount
from threading import RLock, active_count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.node import Node
from minitorch.backend import as_result, beside, xp

if TYPE_CHECKING:
    from minitorch.autograd.handle import Handle

_by_creation = attrgetter("uid")


def _count_of_one_owner() -> int:
    """What `getrefcount(x.grad)` says, in this version of Python, of an array that nothing but x.grad refers to."""
    owner = SimpleNamespace(grad=np.empty(1))
    return getrefcount(owner.grad)


# A gradient that nobody else can see may be added to in place: half of the memory traffic where paths meet.
_ALONE = _count_of_one_owner()

# Held while a leaf's gradient is added to, and not while a rule computes: threads that share parameters walk graphs of
# their own and meet in the leaves alone, where of two that say `grad = grad + c` at once one would be lost. A pass asks
# once whether there is another thread: taking the lock for each contribution costs a small network 3 %.
LEAVES = RLock()


def quick_walk(root: Node, seed: np.ndarray, nodes: list[Node], *, retain_graph: bool) -> None:
    """Sets `grad` of `nodes`, all that the root was made from, oldest first; frees what they saved on the way."""
    shared = active_count() > 1
    for node in nodes:
        if node.rule is not None:
            node.grad = None
        elif node.grad is not None and type(node.grad) is not np.ndarray:
            with LEAVES:
                node.grad = getattr(node.grad, "_data", node.grad)  # a Tensor, after an earlier create_graph=True
    if root.rule is None:
        add_to_leaf(root, seed)
    else:
        root.grad = seed
    with np.errstate(all="ignore"):  # d√x at 0 is infinite; saying so once a number is the forward's business
        while nodes:  # popped, so that a node that nobody needs dies as soon as it has been passed
            node = nodes.pop()
            rule = node.rule
            if rule is None:
                continue
            if node.grad is not None:
                contribute(node, shared)
            if not retain_graph:
                node.saved = None
                if rule.steps is None:
                    free(node)
            if node() is None:
                node.grad = None


def contribute(node: Node, shared: bool = True) -> None:
    """Adds this node's contributions to the gradients of its parents. shared: other threads may add to leaves too."""
    rule, g, saved = node.rule, node.grad, node.saved
    if rule is None:
        return
    if rule.steps is None:
        rule.contribute(node)
        return
    if g is None:
        return
    if saved is None:
        raise freed(node)
    parents = node.parents
    for slot, vjp in rule.steps:
        parent = parents[slot]
        assert parent is not None  # a Backward has steps for wanted slots only
        if shared and parent.rule is None:
            _contribute_to_leaf(parent, node, slot, vjp)
            continue
        is_own = parent.grad is not None and getrefcount(parent.grad) == _ALONE and parent.grad.base is None
        if is_own and slot in rule.adders:
            rule.adders[slot](parent.grad, g, saved)
            continue
        c = vjp(g, saved)
        if type(c) is not np.ndarray or c.shape != parent.shape or c.dtype != parent.dtype:
            c = fitted(c, parent, node)
        if is_own:
            parent.grad += c
        elif parent.grad is not None:
            parent.grad = as_result(parent.grad + c)
        elif (parent.rule is None or parent() is not None) and _may_be_shared(c, g, saved):
            parent.grad = c.copy()
        else:
            parent.grad = c


def _contribute_to_leaf(leaf: Node, node: Node, slot: int, vjp: Callable[[Any, Any], Any]) -> None:
    """One contribution to a leaf, which other threads may be adding to as well."""
    g, saved = node.grad, node.saved
    assert node.rule is not None
    assert saved is not None
    adders = node.rule.adders
    if adders and slot in adders:
        with LEAVES:
            if leaf.grad is not None and getrefcount(leaf.grad) == _ALONE and leaf.grad.base is None:
                adders[slot](leaf.grad, g, saved)
                return
    c = vjp(g, saved)
    if type(c) is not np.ndarray or c.shape != leaf.shape or c.dtype != leaf.dtype:
        c = fitted(c, leaf, node)
    with LEAVES:
        if leaf.grad is None:
            leaf.grad = c.copy() if _may_be_shared(c, g, saved) else c
        elif getrefcount(leaf.grad) == _ALONE and leaf.grad.base is None:
            leaf.grad += c
        else:
            leaf.grad = as_result(leaf.grad + c)


def add_to_leaf(leaf: Node, own: Any) -> None:
    """Adds an array that nobody else holds to the gradient of a leaf."""
    with LEAVES:
        leaf.grad = own if leaf.grad is None else as_result(leaf.grad + own)


def contribute_copies(node: Node, contributions: Iterable[tuple[int, Any]]) -> None:
    """Adds what a rule that is asked as a whole found, each as an array of its own: nobody knows what it shares."""
    for slot, c in contributions:
        parent = node.parents[slot]
        assert parent is not None  # rules give gradients for wanted slots only
        array = fitted(c, parent, node)
        if parent.rule is None:
            add_to_leaf(parent, array.copy())
        else:
            parent.grad = array.copy() if parent.grad is None else as_result(parent.grad + array)


def fitted(c: Any, parent: Node, node: Node) -> np.ndarray:
    """A contribution as an array of the parent's shape and dtype."""
    array: np.ndarray = as_result(c)
    if array.shape != parent.shape:
        array = unbroadcast(array, parent.shape, node)
    return array if array.dtype == parent.dtype else array.astype(parent.dtype)


def _may_be_shared(c: np.ndarray, g: np.ndarray, saved: tuple[Any, ...]) -> bool:
    """Could somebody else hold this contribution's memory? A gradient that a user can see must be its own."""
    if c is g or c.base is not None:
        return True
    for value in saved:  # noqa: SIM110 (a plain loop: `any` would cost more than all the rest)
        if value is c or (type(value) is tuple and any(c is each for each in value)):  # the `*tensors` of an operation
            return True
    return False


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
        one: np.ndarray = xp(root).empty(shape, dtype)
        one.fill(1)
        return one
    seed: np.ndarray = xp(root).array(beside(root._data, getattr(gradient, "_data", gradient), dtype, "gradient"))
    if seed.shape != shape:
        raise ValueError(f"gradient has shape {seed.shape}, but the Tensor has shape {shape}")
    return seed


def reachable(roots: Iterable[Node], newer_than: int = 0) -> list[Node]:
    """The roots and everything they were made from, oldest first; nodes up to number `newer_than` end the search.

    Raises RuntimeError if part of it is freed already.
    """
    found = set(roots)
    stack = list(found)
    while stack:
        node = stack.pop()
        if node.uid <= newer_than:
            continue
        if node.saved is None:
            raise freed(node)
        parent = node.first
        if parent is not None and parent not in found:
            found.add(parent)
            stack.append(parent)
        rest = node.rest
        for parent in rest if isinstance(rest, tuple) else (rest,):
            if parent is not None and parent not in found:
                found.add(parent)
                stack.append(parent)
    return sorted(found, key=_by_creation)


def free(node: Node) -> None:
    """Drops what the node saved; a hand-made function too, which usually holds its own result (a cycle)."""
    node.saved = None
    if node.notes is not None:
        node.notes.unlock()
    if node.rule is not None:
        node.rule.let_go()


def freed(node: Node) -> RuntimeError:
    """The error of whoever comes to a node whose saved values are gone."""
    return RuntimeError(
        f"the graph behind this Tensor was freed by an earlier backward() (at {node.op}, shape {node.shape}): "
        f"pass retain_graph=True to that earlier call, or compute the result again"
    )


def unbroadcast(gradient: Any, shape: tuple[int, ...], node: Node | None = None) -> Any:
    """Sums over the axes that broadcasting stretched, so that a gradient fits the operand of `shape`.

    y = broadcast(x), so dL/dx = Σ over the copies of dL/dy; of an array or a Tensor. Raises RuntimeError if no
    broadcast leads from one to the other: then a gradient rule is wrong.

    >>> unbroadcast(np.ones((4, 3)), (3,))
    array([4., 4., 4.])
    """
    axes = reduced_axes(gradient.shape, shape)
    if axes is None:
        name = "a gradient rule" if node is None else f"the gradient rule of {node.op}"
        raise RuntimeError(f"{name} returned shape {gradient.shape} for an operand of shape {shape}")
    return as_result(gradient.sum(axis=axes)).reshape(shape)


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

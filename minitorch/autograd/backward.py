"""The quick walk: a backward pass that adds straight into `node.grad`, newest node first.

Parents are always made before children, so sorting what a root was made from by creation number *is* a topological
sort. Nothing here is recursive: a chain of a million operations is walked like a chain of three.

Gradients of gradients, chosen inputs, hooks and anomaly detection are the business of the careful walk in `grad.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from sys import getrefcount
from threading import RLock, active_count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.node import Node
from minitorch.autograd.version import require_unchanged
from minitorch.backend import as_result, beside, is_array, xp
from minitorch.callers import warn
from minitorch.errors import ShapeError

if TYPE_CHECKING:
    from minitorch.autograd.handle import Handle


def _count_of_one_owner() -> int:
    """What `getrefcount(x.grad)` says, in this version of Python, of an array that nothing but x.grad refers to."""
    owner = SimpleNamespace(grad=np.empty(1))
    return getrefcount(owner.grad)


def _holders(array: np.ndarray) -> int:
    """How many hold the array, the caller's own variable and this call among them."""
    return getrefcount(array)


def _count_of_one_variable() -> int:
    """What `_holders(c)` says of an array that nothing but the variable c refers to."""
    c = np.empty(1)
    return _holders(c)


# A gradient that nobody else can see may be added to in place: half of the memory traffic where paths meet.
_ALONE = _count_of_one_owner()
# What a rule has just made, and neither the node, nor the upstream gradient, nor the rule's author holds.
_FRESH = _count_of_one_variable()

# Held while a leaf's gradient is added to, and not while a rule computes: threads that share parameters walk graphs of
# their own and meet in the leaves alone, where of two that say `grad = grad + c` at once one would be lost. A pass asks
# once whether there is another thread: taking the lock for each contribution costs a small network 3 %.
LEAVES = RLock()


def quick_walk(
    root: Node,
    seed: np.ndarray,
    nodes: list[Node],
    *,
    retain_graph: bool,
    after: Callable[[Node, Any], None] | None = None,
) -> None:
    """Sets `grad` of `nodes`, all that the root was made from, oldest first; frees what they saved on the way.

    after: told of each node that the walk comes to, and of its gradient, which is complete by then (or None).
    """
    require_unchanged(nodes)
    shared = active_count() > 1
    dropped = False
    for node in nodes:
        if node.rule is not None:
            if dropped and node is not root and has_replaced_a_leaf(node):
                dropped = False  # one warning is enough
            node.grad = None
        elif node.grad is not None:
            if node() is None:
                dropped = True
            if type(node.grad) is not np.ndarray:
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
            if after is not None:
                after(node, node.grad)
            if rule is None:
                continue
            if node.grad is not None:
                contribute(node, shared)
            if not retain_graph:
                if rule.steps is None:
                    free(node)
                elif rule.frees:
                    node.saved = None
            if node() is None:
                node.grad = None


def has_replaced_a_leaf(node: Node) -> bool:
    """Return whether the node's Tensor has a dropped leaf's name, as in `w = w - lr * w.grad`, and warn of it.

    The leaf's Tensor is gone, with a gradient of an earlier pass; the node's is held, comes from that leaf alone, and
    no pass has been there. In `w = rand(3, requires_grad=True) - 0.5`, which is meant, the result has the next number.
    """
    parents = [parent for parent in node.parents if parent is not None]
    if len(parents) != 1 or node.grad is not None or node() is None:
        return False
    (leaf,) = parents
    if not leaf.is_leaf or leaf.grad is None or leaf() is not None or leaf.shape != node.shape:
        return False
    if node.uid == leaf.uid + 1:
        return False
    warn(
        f"backward() goes on into a leaf of shape {leaf.shape} that no variable holds any more: the result of "
        f"{node.op} has its name, as after w = w - lr * w.grad, and every step walks through all earlier ones. "
        f"Change the leaf itself, as in `with no_grad(): w -= lr * w.grad`, then clear it by `w.grad = None`"
    )
    return True


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
        elif (parent.rule is None or parent() is not None) and (c.base is not None or _holders(c) != _FRESH):
            parent.grad = c.copy()  # somebody else could hold this memory, and a gradient that is seen is its own
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
            leaf.grad = c.copy() if c.base is not None or _holders(c) != _FRESH else c
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
    """A contribution as an array of the parent's shape and dtype. Raises TypeError if the rule gave no array."""
    array: np.ndarray = as_result(c)
    if type(array) is not np.ndarray and not is_array(array):
        raise TypeError(_no_array(c, parent, node))
    if array.shape != parent.shape:
        array = unbroadcast(array, parent.shape, node)
    return array if array.dtype == parent.dtype else array.astype(parent.dtype)


def _no_array(c: Any, parent: Node, node: Node) -> str:
    said = f"the gradient rule of {node.op} returned {'None' if c is None else f'a {type(c).__name__}'}"
    if c is None:
        return (
            f"{said} for an operand of shape {parent.shape}: return an array of that shape (of zeros, if nothing "
            f"flows), or declare no rule for an operand that never gets a gradient"
        )
    if hasattr(c, "_node"):
        return f"{said} where arrays are asked for: compute with the values that the rule is given, which are arrays"
    return f"{said} for an operand of shape {parent.shape}: return an array of that shape"


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
        raise ShapeError(f"gradient has shape {seed.shape}, but the Tensor has shape {shape}")
    return seed


def free(node: Node) -> None:
    """Drops what the node saved. A hand-made function goes too: it usually holds its own result (a cycle).

    A node that saved no values has nothing to lose, and can be passed again.
    """
    rule = node.rule
    if rule is not None and rule.frees:
        node.saved = None
        rule.let_go()
    if node.notes is not None:
        node.notes.unlock()


def freed(node: Node, newer: Iterable[Node] = ()) -> RuntimeError:
    """The error of a pass that comes to a node whose saved values are gone.

    newer: nodes of the pass made after it. What they have saved is there where an earlier step's state was carried on.
    """
    said = (
        f"the graph behind this Tensor was freed by an earlier backward() (at {node.op}, shape {node.shape}): "
        f"pass retain_graph=True to that earlier call, or compute the result again"
    )
    if any(each.rule is not None and each.rule.frees and each.saved is not None for each in newer):
        said += "; a state that is carried over from an earlier step is cut off there, as in h = h.detach()"
    return RuntimeError(said)


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

"""The backward pass: gradients accumulate from the newest node to the oldest.

Parents are always made before children, so sorting what a root was made from by creation number *is* a topological
sort. Nothing here is recursive: a chain of a million operations is traversed like a chain of three.

    traverse        take the newest node, whose gradient is complete by then, and let it contribute to its parents
    contribute      run one node's gradient rules on its gradient
    accumulate      add one contribution to the gradient of a parent
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from sys import getrefcount
from threading import RLock
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from minitorch.autograd.node import Node
from minitorch.autograd.promotion import cast_gradient
from minitorch.backend import as_result, asarray_like, is_array, xp
from minitorch.errors import ShapeError

if TYPE_CHECKING:
    from minitorch.autograd.tensor_base import TensorBase

P = TypeVar("P")
"""A node of a graph: a Node, or a GraphNode of the store."""

R = TypeVar("R")

# Held while a leaf's gradient is added to, and not while a rule computes: threads that share parameters traverse
# graphs of their own and meet in the leaves alone, where of two `grad = grad + c` at once one would be lost.
LEAVES = RLock()


def accumulate(node: Node, c: Any, child: Node | None = None) -> None:
    """Add the contribution c to the gradient of a node: the first one sets it, those that follow add to it.

    child: the node whose rule returned c, which is fitted to `node` first (`unbroadcast_and_cast`); None for a c that
    fits already. In plain form, without what saves time and memory:

        node.grad = c.copy() if node.grad is None else node.grad + c
    """
    if child is not None and (type(c) is not np.ndarray or c.shape != node.shape or c.dtype != node.dtype):
        if type(c) is SparseGradient:
            accumulate_sparse(node, c, child)
            return
        c = unbroadcast_and_cast(c, node, child)
    is_leaf = node.rule is None
    if is_leaf:
        LEAVES.acquire()
    try:
        # Both counts ask CPython who holds an array. Without them, in the plain form above, the step of a large MLP
        # peaks at 1.7 times the memory, and a residual chain takes 1.3 times as long.
        if node.grad is None:
            # A gradient that can be seen has memory of its own. The copy is left out for an array that the rule
            # has just made: no view, and held by nothing but c, so neither by the child nor by the rule's author.
            if (is_leaf or node() is not None) and (getrefcount(c) != _FRESH or getattr(c, "base", None) is not None):
                node.grad = c.copy()
            else:
                node.grad = c
        elif getrefcount(node.grad) == _ALONE and getattr(node.grad, "base", c) is None:  # a Tensor has no base
            node.grad += c  # in place: nobody else can see it
        else:
            node.grad = as_result(node.grad + c)
    finally:
        if is_leaf:
            LEAVES.release()


def _count_of_attribute() -> int:
    """Return what `getrefcount(node.grad)` says of an array that nothing but node.grad refers to."""
    node = SimpleNamespace(grad=np.empty(1))
    return getrefcount(node.grad)


def _count_of_argument(c: Any) -> int:
    """Return what `getrefcount(c)` says of an array that nothing but the argument c refers to."""
    return getrefcount(c)


# Versions of Python count differently, so both are counted here once, in the form in which `accumulate` asks.
_ALONE = _count_of_attribute()
_FRESH = _count_of_argument(np.empty(1))


def accumulate_sparse(node: Node, c: SparseGradient, child: Node) -> None:
    """Add a sparse contribution in place where nothing else holds the gradient, and as an array elsewhere.

    A gradient of None is held by many, so it counts as held. The lock is taken for every node: `add_to` changes an
    array that a leaf may share.
    """
    with LEAVES:
        if getrefcount(node.grad) == _ALONE and node.grad.base is None:
            c.add_to(node.grad)
        else:
            accumulate(node, c.dense(), child)


class SparseGradient(NamedTuple):
    """A contribution that is zero nearly everywhere: added to a gradient in place, it never becomes an array."""

    dense: Callable[[], Any]
    add_to: Callable[[Any], None]


class Entry:
    """One gradient in a ledger, to which `accumulate` adds as to a node's.

    To `accumulate` it looks like a node that is no leaf (`rule` is not None) and whose Tensor is gone (a call gives
    None): a gradient that no program sees, so no contribution to it is copied.
    """

    __slots__ = ("grad",)

    rule = ()

    def __init__(self, grad: Any = None) -> None:
        self.grad = grad

    def __call__(self) -> None:
        """Return no Tensor, as the weak reference that a Node is does when its Tensor is gone."""


Ledger = dict[P, Entry]
"""The gradients of one pass by node, kept here instead of in `node.grad`, so that no gradient that is seen changes."""

_UNREACHED = Entry()


def traverse(
    nodes: list[Any],
    give: Callable[[Any, Any], R | None],
    *,
    ledger: Ledger[Any] | None = None,
    retain_graph: bool = True,
    arrives: Callable[[Any, Any], None] | None = None,
) -> Iterator[R]:
    """Take `nodes` from the newest to the oldest, and let each that a gradient has reached contribute to its parents.

    nodes: all that the roots were made from, oldest first; the list is emptied. give(node, gradient) adds the node's
    contributions to the gradients of its parents; what it returns, if anything, is yielded. ledger: where gradients
    are kept; None for `node.grad`.
    retain_graph: False frees what the nodes saved. arrives(node, gradient) is called for each node, before it gives.
    """
    with np.errstate(all="ignore"):  # d√x at 0 is infinite; saying so once a number is the forward's business
        while nodes:  # popped, so that a node that nobody needs dies as soon as it has been passed
            node = nodes.pop()
            g = node.grad if ledger is None else ledger.pop(node, _UNREACHED).grad
            if arrives is not None:
                arrives(node, g)
            given = None if g is None else give(node, g)
            if not retain_graph and node.saved:
                free(node)
            if ledger is None and node() is None and node.rule is not None:
                node.grad = None
            if given is not None:
                yield given


def contribute(node: Node, g: Any) -> None:
    """Add to the gradients of a node's parents what its rules make of its gradient g."""
    rule, saved = node.rule, node.saved
    if rule is None:
        return
    if rule.steps is None:
        rule.contribute(node)
        return
    if saved is None:
        raise freed(node)
    rest = node.rest
    parents = (node.first, *rest) if isinstance(rest, tuple) else (node.first, rest)  # node.parents; a chain gains 2 %
    for slot, vjp in rule.array_steps:
        # No name for what the rule returns: `accumulate` counts who holds it.
        accumulate(parents[slot], vjp(g, saved), node)


def unbroadcast_and_cast(c: Any, parent: Node, node: Node) -> Any:
    """Return a contribution in the parent's shape and dtype. Raises TypeError if the rule of `node` gave no array."""
    array: Any = as_result(c)
    if type(array) is not np.ndarray and not is_array(array):
        raise TypeError(_no_array(c, parent, node))
    if array.shape != parent.shape:
        array = unbroadcast(array, parent.shape, node)
    return cast_gradient(array, parent.dtype)


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


def seed_of(root: TensorBase, gradient: Any) -> np.ndarray:
    """Return the upstream gradient of the root, an array of its own."""
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
    seed: np.ndarray = xp(root).array(asarray_like(root._data, getattr(gradient, "_data", gradient), dtype, "gradient"))
    if seed.shape != shape:
        raise ShapeError(f"gradient has shape {seed.shape}, but the Tensor has shape {shape}")
    return seed


def free(node: Node) -> None:
    """Drop what the node saved. A node that saved no values has nothing to lose, and can be passed again."""
    rule = node.rule
    if rule is not None and rule.frees:
        node.saved = None
    if node.meta is not None:
        node.meta.unlock()


def freed(node: Node, newer: Iterable[Node] = ()) -> RuntimeError:
    """Return the error of a pass that comes to a node whose saved values are gone.

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
    """Sum over the axes that broadcasting stretched, so that a gradient fits the operand of `shape`.

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
    """Return the axes of `from_shape` to sum over to arrive at `to_shape`; None if no broadcast links the two."""
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

"""Node: one operation or leaf of the computation graph."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from minitorch.types import Shape

if TYPE_CHECKING:
    from minitorch._tensor import Tensor
    from minitorch.autograd.rules import Differentiate
    from minitorch.compat.autograd.anomaly import Lock

# A clock, not a setting: it only ever counts up, so that parents always carry a smaller number than their children.
_clock = itertools.count(1)
next_uid: Callable[[], int] = _clock.__next__
by_creation = attrgetter("uid")


def last_uid() -> int:
    """Return a creation number that no node so far exceeds, and that every later one does."""
    return next_uid()


class NodeRule(Protocol):
    """The rule of a node in the backward pass: `Backward`, `UserBackward` or `MultiOutputRule` (rules.py)."""

    name: str
    steps: Any
    array_steps: Any
    frees: bool

    def contribute(self, node: Node, /) -> None:
        """Add to the parents' `grad`. `backward.contribute` calls it where `steps` is None, `_backward` always."""
        ...

    def pull(self, node: Node, g: Any, /) -> list[tuple[int, Any]]:
        """Return (slot, gradient of that parent) for every parent that wants one, on arrays."""
        ...

    def pull_recorded(self, node: Node, g: Tensor, differentiate: Differentiate, /) -> list[tuple[int, Any]]:
        """Return the same on Tensors, so that the gradient can be differentiated again."""
        ...


class NodeMeta:
    """Hooks of a node; under detect_anomaly the line that made it and its lock on what it saved. Few nodes have any.

    hooks: functions of the gradient, in the order of their registration. post_accumulate_hooks: functions of a leaf,
    called when its `grad` is up to date.
    """

    __slots__ = ("hooks", "line", "lock", "post_accumulate_hooks")

    def __init__(self) -> None:
        self.hooks: dict[int, Callable[[Any], Any]] = {}
        self.post_accumulate_hooks: dict[int, Callable[[Any], Any]] = {}
        self.line = ""
        self.lock: Lock | None = None

    def has_hooks(self) -> bool:
        """Return True if hooks are called with the node's gradient."""
        return bool(self.hooks or self.post_accumulate_hooks)

    def unlock(self) -> None:
        """Release the lock on what the node saved."""
        if self.lock is not None:
            self.lock.release()


class RemovableHandle:
    """A registered hook: `remove()` takes it away, and so does leaving a `with` block."""

    __slots__ = ("_hooks", "_key")

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any], prepend: bool = False) -> None:
        self._hooks, self._key = hooks, next_uid()
        if prepend:
            earlier = dict(hooks)
            hooks.clear()
            hooks.update({self._key: hook} | earlier)
        hooks[self._key] = hook

    def remove(self) -> None:
        """Take the hook away; a second time changes nothing."""
        self._hooks.pop(self._key, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.remove()


def meta_of(node: Node) -> NodeMeta:
    """Return a node's NodeMeta, made if there is none yet."""
    if node.meta is None:
        node.meta = NodeMeta()
    return node.meta


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
    meta: what few nodes have: hooks, and under detect_anomaly the line that made it; None for most.
    """

    __slots__ = ("dtype", "first", "grad", "meta", "rest", "rule", "saved", "shape", "uid")

    rule: NodeRule | None
    first: Node | None
    rest: Node | tuple[Node | None, ...] | None
    saved: tuple[Any, ...] | None
    grad: Any  # an array or None; a Tensor after create_graph=True
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    uid: int
    meta: NodeMeta | None

    # A weak reference compares and hashes by what it points to; a place in a graph is itself, dead Tensor or not.
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    @property
    def parents(self) -> tuple[Node | None, ...]:
        """`first` and `rest` as one tuple: an entry for each operand, None for a constant; x * x names x twice."""
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
        """The Tensor of this node, or None when it is gone or an in-place change moved it to another node."""
        tensor = self()
        return tensor if tensor is not None and tensor._node is self else None

    @property
    def _prev(self) -> tuple[Tensor | Node, ...]:
        """The parents, each as its Tensor while somebody holds it, else as its Node."""
        held = [(parent, parent.tensor) for parent in self.parents if parent is not None]
        return tuple(node if tensor is None else tensor for node, tensor in held)

    @property
    def _op(self) -> str:
        return self.op

    def __repr__(self) -> str:
        return f"Node({self.op or 'leaf'}, shape={self.shape}, dtype={self.dtype}, uid={self.uid})"


def leaf(tensor: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Node:
    """Return the Node of a Tensor that the user made with `requires_grad=True`."""
    return interior(tensor, None, None, (), (), shape, dtype)


def interior(
    tensor: Any, rule: NodeRule | None, first: Node | None, rest: Any, saved: Any, shape: Shape, dtype: np.dtype[Any]
) -> Node:
    """Make the Node of a Tensor: of an operation's result, or of a leaf where `rule` is None."""
    node = Node(tensor)
    node.rule = rule
    node.first = first
    node.rest = rest
    node.saved = saved
    node.grad = None
    node.shape = shape
    node.dtype = dtype
    node.uid = next_uid()
    node.meta = None
    return node


def ancestors(roots: Iterable[Node], ends: Callable[[Node], bool] | None = None) -> list[Node]:
    """Return the roots and everything they were made from, oldest first. ends: nodes at which the search stops."""
    found = set(roots)
    stack = list(found)
    while stack:
        node = stack.pop()
        if ends is not None and ends(node):
            continue
        parent = node.first
        if parent is not None and parent not in found:
            found.add(parent)
            if parent.rule is not None:  # behind a leaf there is nothing
                stack.append(parent)
        rest = node.rest
        for parent in rest if isinstance(rest, tuple) else (rest,):
            if parent is not None and parent not in found:
                found.add(parent)
                if parent.rule is not None:
                    stack.append(parent)
    return sorted(found, key=by_creation)

"""Rules of nodes in the backward pass: declared ones, a function that the user assigned, and those of a whole call."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.backward import LEAVES, SparseGradient, accumulate, contribute, unbroadcast_and_cast
from minitorch.autograd.node import Node, interior
from minitorch.autograd.tensor_base import TensorBase, constant, placed
from minitorch.backend import is_array, xp

if TYPE_CHECKING:
    from minitorch._tensor import Tensor
    from minitorch.autograd.operation import Declaration

Rule = Callable[..., Any]
Step = tuple[int, Callable[[Any, tuple[Any, ...]], Any]]
Differentiate = Callable[[Callable[[], Any], Any], dict[Node, Any]]
"""differentiate(compute, g): run `compute`, recorded, and return d(its result · g)/d(every node that it began from)."""

AXES = frozenset({"dim", "dims", "dim0", "dim1", "dim2", "keepdim"})
"""Parameters that name axes: a node keeps them when it is freed."""

_NO_VALUES: tuple[Any, ...] = ()


class Backward:
    """The backward rule of a declared operation, for the operands that want a gradient.

    name: the operation's tag. steps: (slot, function) pairs; function(g, saved) is the gradient of parent `slot`.
    keep: function(arguments, out) → the tuple of values that those functions need. origins: for each of those values,
    the slot of the argument that it is: OUT for the result, EACH for all the slots of `*tensors`, None for a parameter.
    array_steps: the same for gradients that are arrays, some of them sparse.
    frees: a backward pass drops what the node saved; False where that is shapes and axes, which cost nothing to keep.
    twin: what is differentiated instead of the rules when the backward pass itself is recorded; it takes the first
    `arity` of the saved values.
    """

    __slots__ = ("arity", "array_steps", "frees", "keep", "name", "origins", "steps", "twin")

    def __init__(self, declaration: Declaration, rules: Sequence[tuple[int, Rule, tuple[str, ...]]]) -> None:
        asked = list(dict.fromkeys(itertools.chain.from_iterable(names for _, _, names in rules)))
        self.twin = declaration.composed if "aux" in asked else None
        if self.twin is not None:
            asked = list(dict.fromkeys([*declaration.labels, *asked]))
        self.arity = len(declaration.labels)
        self.frees = any(label not in AXES and not label.endswith("_shape") for label in asked)
        self.name = declaration.name
        self.keep = _keeper([declaration.fetch(label) for label in asked])
        self.origins = tuple([declaration.origin(label) for label in asked])
        places = {slot: [asked.index(label) for label in names] for slot, _, names in rules}
        self.steps: tuple[Step, ...] = tuple(
            [(slot, _caller(rule, places[slot], len(asked))) for slot, rule, _ in rules]
        )
        labels, adders = list(declaration.rules), declaration.adders
        self.array_steps = tuple(
            (slot, _sparse(vjp, adders[labels[slot]], places[slot]) if adders and labels[slot] in adders else vjp)
            for slot, vjp in self.steps
        )

    def contribute(self, node: Node) -> None:
        """Add to the gradients of the parents."""
        if node.grad is not None:
            contribute(node, node.grad)

    def pull(self, node: Node, g: Any) -> list[tuple[int, Any]]:
        """Return the gradient of each wanted slot, on arrays."""
        return [(slot, vjp(g, node.saved)) for slot, vjp in self.steps]  # type: ignore[arg-type]

    def pull_recorded(self, node: Node, g: Tensor, differentiate: Differentiate) -> list[tuple[int, Any]]:
        """Return the gradient of each wanted slot as Tensors, recorded.

        The very same rules run on Tensors: the saved values, with the nodes that they were saved from. What an
        operation saved in `aux` has no node: its twin is computed and differentiated instead.
        """
        saved = tuple(
            [_lifted(value, origin, node) for value, origin in zip(node.saved or (), self.origins, strict=True)]
        )
        if self.twin is None:
            return [(slot, vjp(g, saved)) for slot, vjp in self.steps]
        found = differentiate(lambda: self.twin(*saved[: self.arity]), g)  # type: ignore[misc]
        return [(slot, found.pop(parent)) for slot, parent in enumerate(node.parents) if parent in found]


OUT, EACH = -1, -2


def _lifted(value: Any, origin: int | None, node: Node) -> Any:
    """Return a saved value as a Tensor with the node that it was saved from; parameters as they are."""
    if origin is None:
        return value
    if origin == EACH:
        return tuple([placed(each, parent) for each, parent in zip(value, node.parents, strict=True)])
    return placed(value, node if origin == OUT else node.parents[origin])


def _keeper(
    fetches: list[Callable[[Sequence[Any], Any], Any]],
) -> Callable[[Sequence[Any], Any], tuple[Any, ...]]:
    """Return a function that gathers the values to save. Short cases are written out: it runs once per operation."""
    match fetches:
        case []:
            return lambda arguments, out: _NO_VALUES
        case [one]:
            return lambda arguments, out: (one(arguments, out),)
        case [one, two]:
            return lambda arguments, out: (one(arguments, out), two(arguments, out))
    return lambda arguments, out: tuple([fetch(arguments, out) for fetch in fetches])


def _caller(rule: Rule, places: list[int], saved_count: int) -> Callable[[Any, tuple[Any, ...]], Any]:
    """Return rule(g, *its own values) as a function of (g, everything that the node saved)."""
    if places == list(range(saved_count)):
        return lambda g, saved: rule(g, *saved)
    match places:
        case []:
            return lambda g, saved: rule(g)
        case [one]:
            return lambda g, saved: rule(g, saved[one])
    return lambda g, saved: rule(g, *[saved[place] for place in places])


def _sparse(vjp: Rule, adder: Rule, places: list[int]) -> Callable[[Any, tuple[Any, ...]], SparseGradient]:
    """Return a step whose result is added to a gradient in place, by adder(total, g, *its values), where it can be."""
    return lambda g, saved: SparseGradient(
        lambda: vjp(g, saved), lambda total: adder(total, g, *[saved[place] for place in places])
    )


class UserBackward:
    """The backward rule of a node whose `_backward` was assigned: a function of no arguments, which the node saves."""

    __slots__ = ("name",)

    steps: Any = None  # a declared operation has some; this rule is asked as a whole
    array_steps: Any = None
    frees = True  # the function usually holds its own result (a cycle)

    def __init__(self, name: str) -> None:
        self.name = name

    def contribute(self, node: Node) -> None:
        """Let the function add to its parents' gradients."""
        if node.saved is None:
            raise RuntimeError("this hand-made _backward was freed by a backward pass: keep it with retain_graph=True")
        with LEAVES:
            node.saved[0]()

    def pull(self, node: Node, g: Any) -> list[tuple[int, Any]]:
        """Return what the function adds to each parent: it writes into clean `grad`, which is then put back."""
        parents = {parent: slot for slot, parent in enumerate(node.parents) if parent is not None}
        with LEAVES:
            before = {each: each.grad for each in (node, *parents)}
            try:
                node.grad = g
                for parent in parents:
                    parent.grad = None
                self.contribute(node)
                return [(slot, parent.grad) for parent, slot in parents.items() if parent.grad is not None]
            finally:
                for each, grad in before.items():
                    each.grad = grad

    def pull_recorded(self, _node: Node, _g: Tensor, _differentiate: Any) -> list[tuple[int, Any]]:
        """Refuse: what a hand-made function computes with arrays leaves no graph behind."""
        raise RuntimeError(
            f"create_graph=True cannot record the hand-made _backward of {self.name or 'a Tensor'}: "
            f"write it as an operation (primitive) or as an autograd.Function"
        )


class MultiOutputRule:
    """The backward rule of a node that stands for a whole call.

    With one output the node's shape is that output's. With several it is the row of all their numbers, in the widest
    of their dtypes, so that one backward serves them all and the gradient of an output that nobody used is zeros by
    itself.
    """

    steps: Any = None
    array_steps: Any = None
    frees = True

    def __init__(self, name: str, outputs: Sequence[TensorBase]) -> None:
        self.name = name
        self.shapes = [out._data.shape for out in outputs]
        self.dtypes = [out._data.dtype for out in outputs]

    def pull(self, node: Node, g: Any) -> list[tuple[int, Any]]:
        """Return (slot, gradient of that parent) for each, on arrays."""
        raise NotImplementedError

    def pull_recorded(self, node: Node, g: Any, differentiate: Differentiate, /) -> list[tuple[int, Any]]:
        """Return (slot, gradient of that parent) for each, on Tensors."""
        raise NotImplementedError

    def contribute(self, node: Node) -> None:
        """Add the gradients to the parents' `grad`."""
        if node.grad is not None:
            for slot, c in self.pull(node, node.grad):
                parent = node.parents[slot]
                assert parent is not None  # `pull` gives gradients for wanted slots only
                accumulate(parent, unbroadcast_and_cast(c, parent, node).copy())  # nobody knows what c shares

    def parts(self, row: Any) -> list[Any]:
        """Split the row, or a gradient of it, into the outputs: each of its own shape and dtype."""
        if len(self.shapes) == 1:
            return [row]
        ends = list(itertools.accumulate(math.prod(shape) for shape in self.shapes))
        pieces = [row[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
        return [
            _in_dtype(piece.reshape(shape), dtype)
            for piece, shape, dtype in zip(pieces, self.shapes, self.dtypes, strict=True)
        ]

    def record(self, outputs: Sequence[Tensor], parents: Sequence[Node | None], saved: tuple[Any, ...]) -> list[Tensor]:
        """Return the outputs as Tensors in the graph."""
        if len(outputs) == 1:
            row = constant(outputs[0]._data)
        else:
            row = constant(xp(outputs[0]).concatenate([out._data.reshape(-1) for out in outputs]))
        row._node = interior(row, self, parents[0], tuple(parents[1:]), saved, row.shape, row.dtype)
        return self.parts(row)


def _in_dtype(piece: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array or a Tensor in that dtype; itself if it is already."""
    if piece.dtype == dtype:
        return piece
    return piece.astype(dtype) if is_array(piece) else piece.to(dtype)

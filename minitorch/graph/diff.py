"""What differs between two graphs: two steps of one program, two models, before and after a change."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np

from minitorch.graph.node import Constant, GraphNode
from minitorch.graph.store import AutogradGraph

SHOWN = 40  # lines of a report


class Change(NamedTuple):
    """One difference: a node that only one of the graphs has, or two that correspond and what differs between them."""

    before: GraphNode | None
    after: GraphNode | None
    what: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            node = self.after if self.before is None else self.before
            assert node is not None
            return f"{'+' if self.before is None else '-'} {node.title} {node.shape}"
        return f"~ {self.after.title}: {'; '.join(self.what)}"


class GraphDiff(tuple[Change, ...]):
    """The differences in the order of the graphs; empty, and so false, where there are none."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "no difference"
        rest = len(self) - SHOWN
        return "\n".join([*map(str, self[:SHOWN]), *([f"and {rest} more"] if rest > 0 else [])])


def diff(before: AutogradGraph, after: AutogradGraph, *, rtol: float = 1e-5) -> GraphDiff:
    """What `after` has that `before` has not, the other way round, and what has become of the rest.

    Nodes correspond when they stand in the same order with the same operation, scope and name. Of those that do, shape,
    dtype, operands, constants and, where both graphs know them, kept numbers and the norm of the gradient are compared.
    rtol: how far numbers may be apart, as a share of the larger.

    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> with AutogradGraph() as one:
    ...     y = (x * 2).sum()
    >>> with AutogradGraph() as two:
    ...     z = (x * 3).relu().sum()
    >>> diff(one, one)
    no difference
    >>> diff(one, two)
    ~ mul: constant 2 → 3; numbers [2. 4.] → [3. 6.]
    + relu (2,)
    ~ sum: operands mul → relu; numbers 6.0 → 9.0
    """
    for each in (before, after):
        if not isinstance(each, AutogradGraph):
            raise TypeError(f"diff compares two AutogradGraphs; this is a {type(each).__name__}")
    old, new = before.nodes(), after.nodes()
    twins: dict[GraphNode, GraphNode] = {}
    changes: list[Change] = []
    for kind, a, b, c, d in _blocks([_key(node) for node in old], [_key(node) for node in new]):
        if kind != "equal":
            changes += [Change(node, None) for node in old[a:b]]
            changes += [Change(None, node) for node in new[c:d]]
            continue
        for one, two in zip(old[a:b], new[c:d], strict=True):
            twins[one] = two
            what = (*_facts(one, two), *_operands(before, one, after, two, twins), *_numbers(one, two, rtol))
            if what:
                changes.append(Change(one, two, what))
    return GraphDiff(changes)


def _key(node: GraphNode) -> Hashable:
    return node.op, node.scope, node.name


def _blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[str, int, int, int, int]]:
    """How the one becomes the other, in the words of `SequenceMatcher.get_opcodes`; a common start is found at once."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    if start:
        yield "equal", 0, start, 0, start
    matcher = SequenceMatcher(None, old[start:], new[start:], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        yield kind, a + start, b + start, c + start, d + start


def _facts(one: GraphNode, two: GraphNode) -> Iterator[str]:
    if one.shape != two.shape:
        yield f"shape {one.shape} → {two.shape}"
    if one.dtype != two.dtype:
        yield f"dtype {one.dtype} → {two.dtype}"
    ours, theirs = _told(one.constants), _told(two.constants)
    if ours != theirs:
        yield f"constant {ours or 'none'} → {theirs or 'none'}"


def _told(constants: Sequence[Constant]) -> str:
    return ", ".join(map(_told_one, constants))


def _told_one(constant: Constant) -> str:
    if constant.value is not None:
        return str(constant.value)
    return "unknown" if constant.shape is None else str(constant.shape)


def _operands(
    before: AutogradGraph, one: GraphNode, after: AutogradGraph, two: GraphNode, twins: Mapping[GraphNode, GraphNode]
) -> Iterator[str]:
    """Operands that do not correspond, or stand in other slots."""
    ours, theirs = before.operands(one), after.operands(two)
    if [(slot, twins.get(each)) for slot, each in ours] == theirs:
        return
    if [twins.get(each) for _, each in ours] == [each for _, each in theirs]:
        yield f"operands in slots {_listed(slot for slot, _ in ours)} → {_listed(slot for slot, _ in theirs)}"
    else:
        yield f"operands {_listed(each.title for _, each in ours)} → {_listed(each.title for _, each in theirs)}"


def _listed(words: Iterator[object]) -> str:
    return ", ".join(map(str, words)) or "none"


def _numbers(one: GraphNode, two: GraphNode, rtol: float) -> Iterator[str]:
    if one.value is not None and two.value is not None and one.shape == two.shape:
        close = np.allclose(np.asarray(one.value), np.asarray(two.value), rtol=rtol, atol=0.0, equal_nan=True)
        if not close:
            yield f"numbers {np.asarray(one.value)} → {np.asarray(two.value)}"
    if one.gradient is not None and two.gradient is not None:
        norms = one.gradient.norm, two.gradient.norm
        if not math.isclose(*norms, rel_tol=rtol) and not all(map(math.isnan, norms)):
            yield f"norm of the gradient {norms[0]:.4g} → {norms[1]:.4g}"

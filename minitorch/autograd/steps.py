"""The backward pass in slow motion: one contribution at a time, for whoever wants to watch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.engine import fitted, reachable, reduced_axes, seed_of
from minitorch.autograd.node import Node
from minitorch.backend import as_result

if TYPE_CHECKING:
    from minitorch.autograd.handle import Handle


@dataclass(frozen=True, slots=True)
class Contribution:
    """One edge of the backward pass: what `node` adds to the gradient of `parent`, its argument number `slot`.

    gradient: the contribution, of the parent's shape, after summing over `reduced_axes` of the rule's own result.
    before: the parent's gradient so far, None if this is the first contribution (`first`).
    upstream: the node's own gradient, complete by now.
    """

    node: Node
    parent: Node
    slot: int
    upstream: np.ndarray
    gradient: np.ndarray
    before: np.ndarray | None
    reduced_axes: tuple[int, ...]

    @property
    def first(self) -> bool:
        """True for the contribution that sets (`=`); those that follow add (`+=`)."""
        return self.before is None


def steps(root: Handle, gradient: Any = None) -> Iterator[Contribution]:
    """The backward pass of `root`, one contribution at a time, in a ledger of its own: no `.grad` changes.

    Starts from no gradient anywhere, whatever earlier passes left, and frees nothing. Raises as `backward` does.
    """
    seed = seed_of(root, gradient)
    top = root._node
    assert top is not None
    ledger = {top: seed}
    for node in reversed(reachable([top])):
        upstream = ledger.get(node)
        if upstream is None or node.rule is None:
            continue
        for slot, parent, raw in _raw_contributions(node, upstream):
            c = fitted(raw, parent, node)
            before = ledger.get(parent)
            ledger[parent] = c if before is None else as_result(before + c)
            yield Contribution(node, parent, slot, upstream, c, before, reduced_axes(raw.shape, parent.shape) or ())


def _raw_contributions(node: Node, upstream: np.ndarray) -> list[tuple[int, Node, np.ndarray]]:
    """What the node's rule gives each parent, before it is summed to the parent's shape."""
    assert node.rule is not None
    with np.errstate(all="ignore"):
        found = [(slot, node.parents[slot], as_result(raw)) for slot, raw in node.rule.pull(node, upstream)]
    return [(slot, parent, raw) for slot, parent, raw in found if parent is not None]

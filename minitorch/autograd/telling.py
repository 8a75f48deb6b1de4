"""Telling: what watchers hear of a backward pass, if they ask for it by their methods.

    begun(gradients)             a pass begins; gradients: (node, gradient) of each that it starts from
    passed(uid, op, gradients)   a node has given its contributions; gradients: (node, gradient) of its parents, now
    ended()                      the pass is over, or was broken off

A part that a checkpoint computes again is differentiated inside the pass: its nodes are passed, too. Nothing is held
for the watchers' sake from one node to the next, so that all that dies in a pass dies as if nobody watched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minitorch.autograd.node import Node
from minitorch.autograd.scope import current_scope

After = Callable[[Node, Any], None]
Gradients = Iterable[tuple[Node, Any]]

_NOBODY: AbstractContextManager[None] = nullcontext()


class Telling:
    """Those who want to hear of one backward pass; a context manager around it."""

    __slots__ = ("_last", "_watchers")

    def __init__(self, watchers: Sequence[Any]) -> None:
        self._watchers = watchers
        self._last: tuple[int, str, tuple[Node | None, ...]] | None = None

    def __enter__(self) -> Telling:
        return self

    def __exit__(self, *_: object) -> None:
        self.ended()

    def begun(self, gradients: Gradients) -> Telling:
        """Says that the pass begins."""
        found = list(gradients)
        for watch in self._watchers:
            watch.begun(found)
        return self

    def passed(self, node: Node, gradients: Gradients) -> None:
        """Says that the walk has passed a node."""
        found = list(gradients)
        for watch in self._watchers:
            watch.passed(node.uid, node.op, found)

    def ended(self) -> None:
        """Says that the pass is over."""
        self._settle()
        for watch in self._watchers:
            watch.ended()

    def beside(self, after: After | None) -> After:
        """What the quick walk is to call for each node that it comes to: that it has passed the one before is said."""

        def comes_to(node: Node, gradient: Any) -> None:
            self._settle()
            if after is not None:
                after(node, gradient)
            self._last = node.uid, node.op, node.parents  # which the walk holds until it comes to them

        return comes_to

    def _settle(self) -> None:
        if self._last is None:
            return
        (uid, op, parents), self._last = self._last, None
        found = [(parent, parent.grad) for parent in parents if parent is not None]
        for watch in self._watchers:
            watch.passed(uid, op, found)


def listeners() -> Telling | None:
    """Those among the watchers who want to hear of backward passes; None for nobody."""
    found = [watch for watch in current_scope().watchers or () if hasattr(watch, "passed")]
    return Telling(found) if found else None


def telling(gradients: Gradients) -> AbstractContextManager[Telling | None]:
    """A pass that starts from these gradients, told to whoever listens."""
    listening = None if current_scope().watchers is None else listeners()
    return _NOBODY if listening is None else listening.begun(gradients)

"""BackwardObserver: a watcher hears of a backward pass, if it has these methods.

    on_start(gradients)           a pass begins; gradients: (node, gradient) of each that it starts from
    on_node(uid, op, gradients)   a node has given its contributions; gradients: (node, gradient) of its parents, now
    on_end()                      the pass is over, or was broken off

A part that a checkpoint computes again is differentiated inside the pass: its nodes are observed, too. Nothing is held
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


class BackwardObserver:
    """Hands what happens in one backward pass to the watchers that observe it; a context manager around the pass."""

    __slots__ = ("_last", "_watchers")

    def __init__(self, watchers: Sequence[Any]) -> None:
        self._watchers = watchers
        self._last: tuple[int, str, tuple[Node | None, ...]] | None = None

    def __enter__(self) -> BackwardObserver:
        return self

    def __exit__(self, *_: object) -> None:
        self._pass_on()
        for watch in self._watchers:
            watch.on_end()

    def on_start(self, gradients: Gradients) -> BackwardObserver:
        """Report the gradients that the pass starts from."""
        found = list(gradients)
        for watch in self._watchers:
            watch.on_start(found)
        return self

    def on_node(self, uid: int, op: str, gradients: Gradients) -> None:
        """Report that a node has given its contributions."""
        found = list(gradients)
        for watch in self._watchers:
            watch.on_node(uid, op, found)

    def before_each(self, after: After | None) -> After:
        """Return a function that `traverse` calls as it comes to a node: it reports the node before, which is gone."""

        def arrives(node: Node, gradient: Any) -> None:
            self._pass_on()
            if after is not None:
                after(node, gradient)
            self._last = node.uid, node.op, node.parents  # which the traversal holds until it comes to them

        return arrives

    def _pass_on(self) -> None:
        if self._last is not None:
            (uid, op, parents), self._last = self._last, None
            self.on_node(uid, op, [(parent, parent.grad) for parent in parents if parent is not None])


def observer_of_watchers() -> BackwardObserver | None:
    """Return an observer for the watchers that have its methods; None if no watcher has."""
    found = [watch for watch in current_scope().watchers or () if hasattr(watch, "on_node")]
    return BackwardObserver(found) if found else None


def observed(gradients: Gradients) -> AbstractContextManager[BackwardObserver | None]:
    """Return a context for a pass that starts from these gradients."""
    observer = observer_of_watchers()
    return _NOBODY if observer is None else observer.on_start(gradients)

"""Long chains must not be dropped by recursion.

Once Python has looked at a `grad_fn`, its destructor drops those below it one inside the other, and 100,000 of them
overflow the stack. So every few hundred operations a `Landing` holds what is below: when its own node dies, it hands
them to a list that the outermost landing empties one by one. Nothing lives longer for it.
"""

from __future__ import annotations

import threading
from typing import Any

DEPTH = 300  # nodes that may be dropped one inside the other


class _Pending(threading.local):
    """What this thread has still to drop; destructors run in any thread."""

    def __init__(self) -> None:
        self.emptying = False
        self.waiting: list[Any] = []


_pending = _Pending()


class Landing:
    """Holds the nodes below one node, and lets go of them without recursion."""

    __slots__ = ("_below",)

    def __init__(self, below: list[Any]) -> None:
        self._below = below

    def __del__(self) -> None:
        pending = _pending
        pending.waiting.extend(self._below)
        self._below = []
        if pending.emptying:
            return
        pending.emptying = True
        try:
            while pending.waiting:
                pending.waiting.pop()
        finally:
            pending.emptying = False

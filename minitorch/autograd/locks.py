"""Locks: under detect_anomaly, arrays that recorded operations saved are read-only until none of them needs one.

Several nodes may save the same array, or an array and a view of it, and they are freed in any order. What is locked of
one piece of memory is therefore counted at its version, and opened together, once the last node has let go:

    Lock(arrays)       one node's hold on what it saved; release(), or the end of the node, lets go
    follow(view)       a view that was made meanwhile is born read-only, and is opened with the others
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitorch.autograd.version import VersionCounter, find, owner, version_of


class Locked:
    """How many nodes hold one piece of memory, and which of the arrays that show it were made read-only for them."""

    __slots__ = ("arrays", "holders")

    def __init__(self) -> None:
        self.holders = 0
        self.arrays: list[Any] = []

    def open(self) -> None:
        """Makes the arrays writeable again, their owner first: no view can be writeable before it."""
        for array in sorted(self.arrays, key=lambda each: each.base is not None):
            array.flags.writeable = True
        self.arrays = []


class Lock:
    """One node's hold on the arrays that it saved, which are read-only until nobody holds their memory any more."""

    __slots__ = ("_held",)

    def __init__(self, arrays: Iterable[Any]) -> None:
        self._held: list[VersionCounter] = []
        for array in arrays:
            if not isinstance(array, np.ndarray):
                continue
            version = version_of(array)
            if version.locked is None:
                version.locked = Locked()
            version.locked.holders += 1
            self._held.append(version)
            if array.flags.writeable:
                array.flags.writeable = False
                version.locked.arrays.append(array)

    def release(self) -> None:
        """Lets go, once: what nobody else holds is opened."""
        while self._held:
            version = self._held.pop()
            locked = version.locked
            assert locked is not None  # a holder is counted there
            locked.holders -= 1
            if not locked.holders:
                version.locked = None
                locked.open()

    def __del__(self) -> None:
        self.release()


def follow(view: Any) -> None:
    """Has a view that is read-only because its memory is locked opened with it. An expanded one stays read-only."""
    if not isinstance(view, np.ndarray) or view.base is None or view.flags.writeable:
        return
    if any(step == 0 and size > 1 for step, size in zip(view.strides, view.shape, strict=True)):
        return
    memory = owner(view)
    version = find(id(memory))
    locked = None if version is None else version.locked
    if locked is not None and (memory.flags.writeable or any(each is memory for each in locked.arrays)):
        locked.arrays.append(view)


def is_locked(array: Any) -> bool:
    """True for an array whose memory a node holds."""
    version = find(id(owner(array)))
    return version is not None and version.locked is not None

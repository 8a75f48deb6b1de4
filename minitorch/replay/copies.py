"""Copies: what stood in the containers that a step sees, to be put back when it has changed them."""

from __future__ import annotations

import copy
from array import array
from collections import deque
from typing import Any

import numpy as np

from minitorch.replay.facts import ABSENT, bits_of


class Copies:
    """What stood in lists, dicts, arrays and classes; each is put back as a whole."""

    def __init__(self) -> None:
        self._known: list[tuple[Any, Any]] = []
        self._bases: dict[type, tuple[type, ...]] = {}
        self._caches: list[tuple[dict[Any, Any], list[Any], str]] = []

    def keep(self, holder: Any, before: Any) -> None:
        """Keeps what stood in a container."""
        self._known.append((holder, before))

    def keep_array(self, holder: Any) -> None:
        """Keeps the numbers of an array, of NumPy's or of Python's, and of a bytearray."""
        self._known.append((holder, copy.deepcopy(holder)))

    def keep_bases(self, kind: type) -> None:
        """Keeps what a class is derived from."""
        self._bases[kind] = kind.__bases__

    def keep_cache(self, table: dict[Any, Any], name: str) -> None:
        """Keeps what a function with a cache has kept so far."""
        self._caches.append((table, list(table), name))

    def gained(self) -> str:
        """The name of a function that keeps other results than before; "" if there is none."""
        return next((name for table, before, name in self._caches if [*map(id, table)] != [*map(id, before)]), "")

    def restore(self) -> None:
        """Puts back what stood there. A function with a cache forgets what has come: it may hold a stand-in."""
        for table, before, _ in self._caches:
            known = {*map(id, before)}  # keys may be Tensors, which are equal where their numbers are
            for key in [key for key in table if id(key) not in known]:
                del table[key]
        for kind, bases in self._bases.items():
            if kind.__bases__ is not bases:
                kind.__bases__ = bases
        for holder, before in self._known:
            if isinstance(holder, (list, array, bytearray)):
                holder[:] = before
            elif isinstance(holder, np.ndarray):
                if holder.flags.writeable and bits_of(holder) != bits_of(before):
                    holder[...] = before
            elif isinstance(holder, type):
                for name in vars(holder).keys() - before.keys():
                    delattr(holder, name)
                for name in [each for each in before if vars(holder).get(each, ABSENT) is not before[each]]:
                    setattr(holder, name, before[name])
            elif list(holder) != list(before):
                holder.clear()
                getattr(holder, "extend" if isinstance(holder, deque) else "update")(before)

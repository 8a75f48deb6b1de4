"""Shared things that no code can reach: nobody has to look whether they have changed.

A thing that only the tables hold, or other things that only the tables hold, sleeps until a message names it. It keeps
its ref, and so its identity. What the tables hold of it is counted, as a garbage collector does it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from minitorch.course.sandbox.remote.arrays import Known
    from minitorch.course.sandbox.remote.space import Space

FEW = 32  # so many may be awake before it is worth finding out who need not be
DEAR = 4  # that takes as long as so many looks whether anything has changed


class Sleepers:
    """What of one side's table sleeps."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.asleep: dict[int, tuple[str, Any, Any] | Known] = {}
        self.looked = 0  # at things, since it was found out last
        self.enough = FEW

    def note_a_look(self) -> None:
        """All that is awake was looked at; find out who may sleep when that has taken longer than finding out."""
        awake = len(self.space.told) + len(self.space.arrays.known)
        self.looked += awake
        if awake > self.enough and self.looked > DEAR * awake:
            self.looked = 0
            self.put_to_sleep()

    def put_to_sleep(self) -> None:
        """Find what only the tables hold; it sleeps from here on."""
        told, known = self.space.told, self.space.arrays.known
        within: dict[int, int] = {}  # by id: how often a thing is held by what may sleep
        notes: list[tuple[str, Any, Any] | Known] = [*told.values(), *known.values()]
        for each in notes:
            for inner in _held_by(self.space, each):
                within[id(inner)] = within.get(id(inner), 0) + 1
        things = self.space.things
        awake = [ref for ref in [*told, *known] if _count(things, ref) > UNUSED + within.get(id(things[ref]), 0)]
        reached = set(awake)
        while awake:
            ref = awake.pop()
            for inner in _held_by(self.space, told.get(ref) or known[ref]):
                its_ref = self.space.refs.get(id(inner))
                if its_ref is not None and its_ref not in reached and (its_ref in told or its_ref in known):
                    reached.add(its_ref)
                    awake.append(its_ref)
        self.asleep |= {ref: told.pop(ref) for ref in [*told] if ref not in reached}
        self.asleep |= {ref: known.pop(ref) for ref in [*known] if ref not in reached}
        self.enough = FEW + 2 * (len(told) + len(known))

    def wake(self, ref: int) -> None:
        """Wake a thing and all that can be reached from it: code can get at it again."""
        waiting = [ref]
        while waiting:
            ref = waiting.pop()
            each = self.asleep.pop(ref, None)
            if each is None:
                continue
            if isinstance(each, tuple):
                self.space.told[ref] = each
            else:
                self.space.arrays.known[ref] = each
            for inner in _held_by(self.space, each):
                its_ref = self.space.refs.get(id(inner))
                if its_ref is not None:
                    waiting.append(its_ref)


def _held_by(space: Space, each: tuple[str, Any, Any] | Known) -> Iterable[Any]:
    """What a thing and the notes about it hold, each as often as they hold it."""
    if not isinstance(each, tuple):
        return () if each.array.base is None else (each.array.base,)
    kind, thing, state = each
    if kind == "G":
        return ()
    if kind == "r":
        return (*space.attributes(thing).values(), *state[1])
    if kind == "d":
        return (*thing, *thing.values(), *state[0], *state[1])
    return thing if state is None else (*thing, *state)


def _count_of_an_unused_thing() -> int:
    """What `_count` says of a thing that only the tables hold: Python's versions do not agree."""
    things: dict[int, Any] = {0: object()}
    notes = [things[0]]
    return _count(things, 0) + len(notes) - 1


def _count(things: dict[int, Any], ref: int) -> int:
    return sys.getrefcount(things[ref])


UNUSED = _count_of_an_unused_thing()

"""The things that two processes share, and the messages about them: plain data by value, all else by its ref.

Each list, dict, array, exception or handle has one ref for as long as a case lasts. A message defines what the other
side has not met, and then tells what has changed of what it has: entries, attributes, an array's numbers, its shape,
whether it may be written to, NumPy's errstate. So identity is the same on both sides, and so is what is shared.

Both sides load this file, the child by itself: it imports the standard library only, and NumPy when an array comes.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from operator import is_

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from typing import Any

    from minitorch.course.sandbox import wire
    from minitorch.course.sandbox.remote import arrays, plain, sleep
elif not __package__:
    import arrays
    import plain
    import sleep
    import wire
else:
    from minitorch.course.sandbox import wire
    from minitorch.course.sandbox.remote import arrays, plain, sleep

REF = "#"
REF_BYTES = 5
REFS_AT_ONCE = 200
MAX_REF = 1 << 8 * REF_BYTES
ERRSTATE = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}  # NumPy's own
ERRORS = frozenset({"ignore", "warn", "raise", "print"})
COLLECTS, REST, GO_ON = gc.isenabled, gc.disable, gc.enable


class Space:
    """One side's table of shared things; the two sides differ in what they make of things that are no plain data."""

    own = 0  # the last bit of the refs that this side gives, so that no two are the same
    shares_chance = False  # whether this side's `random.Random`s are known to the other side

    def __init__(self) -> None:
        self.things: dict[int, Any] = {}  # by ref
        self.refs: dict[int, int] = {}  # by the thing's id
        self.lasting: set[int] = set()  # refs that outlive a case: what the learner's code kept of it still works then
        self.told: dict[int, tuple[str, Any, Any]] = {}  # by ref: kind, thing, what the other side knows of it
        self.arrays = arrays.Arrays(self)
        self.sleepers = sleep.Sleepers(self)
        self.asleep = self.sleepers.asleep
        self.no_data: set[type] = set(CONTAINERS)  # kinds of which no value crosses as it is
        self.errors = dict(ERRSTATE)
        self.chances: list[bytes] = []  # drawn for refs, not yet used
        self.fresh: list[tuple[int, Any]] = []  # met in the message that is being written, not yet described
        self.defined: list[tuple[list[Any], bytes]] = []
        self.waiting: dict[int, list[Any]] = {}  # definitions of the message that is being read
        self.to_fill: list[tuple[Any, list[Any]]] = []

    def clear(self) -> None:
        """Forget everything but the driver's functions and classes: a case has ended."""
        lasting = {ref: self.things[ref] for ref in self.lasting}
        for table in (self.things, self.refs, self.told, self.arrays.known, self.asleep, self.waiting):
            table.clear()
        for row in (self.fresh, self.defined, self.to_fill):
            row.clear()
        self.no_data = set(CONTAINERS)
        for ref, thing in lasting.items():
            self.enter(ref, thing)

    # ----------------------------------------------------------------------------------- what a side must add

    def describe(self, ref: int, thing: Any) -> list[Any]:
        """What is said of a thing that is no plain data."""
        raise NotImplementedError

    def make(self, ref: int, definition: list[Any]) -> Any:
        """The thing that stands here for one that the other side described."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------- messages

    def message(self, header: dict[str, Any], **values: Any) -> bytes:
        """A frame about `values`, with all that the other side must know for it.

        Raises WireError when it is too large, or when something in it cannot be sent; nothing is noted then.
        """
        self.fresh.clear()
        self.defined.clear()
        first = len(self.things)
        chunks: list[bytes] = []
        notes: list[tuple[int, str, Any, Any]] = []
        collects = COLLECTS()
        REST()  # what is made here is no garbage before it is sent
        try:
            if self.told or self.arrays.known:
                changes, chunks, notes = self._changes()
                if changes:
                    header["set"] = changes
            pack = self.pack
            for name, value in values.items():
                if name == "a":  # arguments
                    header[name] = [pack(each) for each in value]
                elif name == "k":  # arguments by name
                    header[name] = {key: pack(each) for key, each in value.items()}
                else:
                    header[name] = pack(value)
            if self.fresh:
                self._describe_fresh()
            if self.defined:
                self.defined.sort(key=lambda pair: pair[0][0])  # by ref, which tells nothing
                header["new"] = [definition for definition, _ in self.defined]
                chunks = [*(chunk for _, chunk in self.defined if chunk), *chunks]
            errors = self._errors()
            if errors != self.errors:
                header["errors"] = errors
            framed = wire.frame(header, b"".join(chunks))
        except BaseException:
            for ref in list(self.things)[first:]:
                self.forget(ref)
            raise
        finally:
            if collects:
                GO_ON()
        for ref, kind, thing, state in notes:
            self.told[ref] = (kind, thing, state)
        self.arrays.noted()
        self.errors = errors
        self.sleepers.note_a_look()
        return framed

    def learn(self, header: dict[str, Any], body: bytes) -> None:
        """Take in what a message defines and what it says has changed. Raises WireError for what is out of place."""
        if not body and not ("new" in header or "set" in header or "errors" in header):
            return
        collects = COLLECTS()
        REST()
        try:
            body = self._learn_new(_list(header.get("new", [])), body)
        finally:
            if collects:
                GO_ON()
        for change in _list(header.get("set", [])):
            body = self._change(_list(change, 2), body)
        if body:
            raise wire.WireError("bytes that belong to nothing")
        if "errors" in header:
            self._set_errors(header["errors"])

    def _learn_new(self, new: list[Any], body: bytes) -> bytes:
        """Make what a message defines; return the bytes that are left."""
        body = self.arrays.share_out(new, body)
        things, waiting = self.things, self.waiting
        for definition in new:
            ref = _ref(_list(definition, 2)[0])
            if ref in things or ref in waiting or ref & 1 == self.own:
                raise wire.WireError("a ref that is taken")
            waiting[ref] = definition
        for definition in new:
            if definition[0] in waiting:
                self.at(definition[0])
        filling, self.to_fill = self.to_fill, []
        for hashed in (False, True):  # what is hashed comes last
            for thing, definition in filling:
                if (definition[1] in ("d", "S")) is hashed:
                    self._fill(definition[0], definition[1], thing, definition[2:])
        return body

    # ------------------------------------------------------------------------------------------------ writing

    def pack(self, value: Any) -> Any:
        """A value as it stands in a message."""
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is str:
            if len(value) > wire.MAX_TEXT:
                raise wire.WireError(f"a text of more than {wire.MAX_TEXT} characters")
            return value
        if kind is int and value.bit_length() <= wire.MAX_INT_BITS:
            return value
        ref = self.refs.get(id(value))
        if ref is not None:
            if ref in self.asleep:
                self.sleepers.wake(ref)
            return [REF, ref]
        if kind not in self.no_data:
            tree = plain.pack(value, kind, self.pack)
            if tree is not None:
                return tree
            if plain.is_never(kind):
                self.no_data.add(kind)
        return [REF, self.enter(self._new_ref(), value, fresh=True)]

    def enter(self, ref: int, thing: Any, *, fresh: bool = False) -> int:
        """Note a thing under its ref; a fresh one will be described in the message that is being written."""
        self.things[ref] = thing
        self.refs[id(thing)] = ref
        if fresh:
            self.fresh.append((ref, thing))
        return ref

    def forget(self, ref: int) -> None:
        """Forget a thing that the other side has not been told of after all."""
        del self.refs[id(self.things.pop(ref))]
        self.told.pop(ref, None)
        self.arrays.known.pop(ref, None)
        self.lasting.discard(ref)

    def attributes(self, thing: Any) -> dict[str, Any]:
        """A record's attributes by name."""
        raise NotImplementedError

    def set_attributes(self, thing: Any, attributes: dict[str, Any]) -> None:
        """Give a record these attributes and no others."""
        raise NotImplementedError

    def tell(self, ref: int, kind: str, thing: Any) -> list[Any]:
        """Describe what can change; from here on its changes are told."""
        state = self._state(kind, thing)
        self.told[ref] = (kind, thing, state)
        return [ref, kind, *self._packed(kind, state)]

    def _new_ref(self) -> int:
        while True:
            if not self.chances:
                drawn = os.urandom(REFS_AT_ONCE * REF_BYTES)
                self.chances = [drawn[at : at + REF_BYTES] for at in range(0, len(drawn), REF_BYTES)]
            ref = int.from_bytes(self.chances.pop(), "little") & ~1 | self.own
            if ref not in self.things and ref not in self.waiting:
                return ref

    def _describe_fresh(self) -> None:
        fresh, defined, pack = self.fresh, self.defined, self.pack
        while fresh:
            ref, thing = fresh.pop()
            kind = type(thing)
            if kind is tuple or kind is frozenset:
                letter = "t" if kind is tuple else "F"
                defined.append(([ref, letter, [pack(each) for each in thing]], b""))
                self.told[ref] = (letter, thing, None)
            elif kind in CONTAINERS:
                defined.append((self.tell(ref, CONTAINERS[kind], thing), b""))
            elif arrays.is_array(thing):
                defined.append(self.arrays.describe(ref, thing))
            elif plain.is_random(kind) and self.shares_chance:
                defined.append((self.tell(ref, "G", thing), b""))
            else:
                defined.append((self.describe(ref, thing), b""))

    def _state(self, kind: str, thing: Any) -> Any:
        if kind == "G":
            return plain.state_of(thing)
        if kind == "d":
            return (list(thing), list(thing.values()))
        if kind == "r":
            attributes = self.attributes(thing)
            return (list(attributes), list(attributes.values()))
        return list(thing)

    def _packed(self, kind: str, state: Any) -> list[Any]:
        pack = self.pack
        if kind == "G":
            return [state]
        if kind == "r":
            return [state[0], [pack(value) for value in state[1]]]
        if kind == "d":
            return [[pack(name) for name in state[0]], [pack(value) for value in state[1]]]
        return [[pack(each) for each in state]]

    def _changes(self) -> tuple[list[Any], list[bytes], list[tuple[int, str, Any, Any]]]:
        """What has changed since the last message: definitions, bytes, and notes of it all."""
        changes, notes = [], []
        for ref, (kind, thing, known) in self.told.items():
            if known is None:
                continue
            if kind == "G":
                same = plain.state_of(thing) == known
            elif kind == "l" or kind == "S":
                same = len(thing) == len(known) and all(map(is_, thing, known))
            else:
                now = thing if kind == "d" else self.attributes(thing)
                names, values = known
                same = len(now) == len(names) and all(map(is_, now.values(), values)) and [*now] == names
            if not same:
                state = self._state(kind, thing)
                notes.append((ref, kind, thing, state))
        for ref, kind, _, state in notes:
            changes.append([ref, kind, *self._packed(kind, state)])
        rows, chunks = self.arrays.changes()
        return [*changes, *rows], chunks, notes

    # ------------------------------------------------------------------------------------------------ reading

    def unpack(self, tree: Any) -> Any:
        """The value that stands in a message."""
        kind = type(tree)
        if tree is None or kind is bool or kind is float or kind is str:
            return tree
        if kind is list and len(tree) == 2 and tree[0] == REF:
            return self.at(tree[1])
        if kind is int:
            if tree.bit_length() > wire.MAX_INT_BITS:
                raise wire.WireError("an int that is too large")
            return tree
        if kind is not list or not tree or tree[0] == REF:
            raise wire.WireError("a value without its kind")
        return plain.unpack(tree, self.unpack)

    def at(self, ref: int) -> Any:
        """The thing with a ref, made now if the message that is being read defines it."""
        if type(ref) is not int:
            raise wire.WireError("a ref that is none")
        thing = self.things.get(ref)
        if thing is not None:
            if ref in self.asleep:
                self.sleepers.wake(ref)
            return thing
        definition = self.waiting.pop(ref, None)
        if definition is None:
            raise wire.WireError("a ref that is not known")
        kind = definition[1]
        if kind in MUTABLE:
            thing = MUTABLE[kind]()
            self.to_fill.append((thing, definition))
        elif kind in ("t", "F"):
            entries = [self.unpack(each) for each in _list(_list(definition, 3)[2])]
            thing = tuple(entries) if kind == "t" else frozenset(entries)
            self.told[ref] = (kind, thing, None)
        elif kind in ("a", "v"):
            thing = self.arrays.make(ref, definition)
        elif kind == "G" and not self.shares_chance:
            thing = importlib.import_module("random").Random()
            self.to_fill.append((thing, definition))
        else:
            thing = self.make(ref, definition)
            if kind == "r":
                self.to_fill.append((thing, definition))
        self.enter(ref, thing)
        return thing

    def _fill(self, ref: int, kind: str, thing: Any, parts: list[Any]) -> None:
        """Give a list, a dict, a set or a record what it holds, and note it as known to both sides."""
        if kind == "G":
            plain.set_state(thing, _list(_list(parts, 1)[0]))
        elif kind in ("d", "r"):
            names, values = map(_list, _list(parts, 2)[-2:])
            if len(names) != len(values):
                raise wire.WireError("names without values")
            values = [self.unpack(each) for each in values]
            if kind == "d":
                keys = [self.unpack(each) for each in names]
                thing.clear()
                thing.update(zip(keys, values))
            elif all(type(name) is str for name in names):
                self.set_attributes(thing, dict(zip(names, values)))
            else:
                raise wire.WireError("an attribute without a name")
        else:
            entries = [self.unpack(each) for each in _list(_list(parts, 1)[0])]
            thing.clear()
            (thing.extend if kind == "l" else thing.update)(entries)
        self.told[ref] = (kind, thing, self._state(kind, thing))

    def _change(self, change: list[Any], body: bytes) -> bytes:
        """Carry out one change; return the bytes that are left."""
        ref, kind = _ref(change[0]), change[1]
        if ref in self.asleep:
            self.sleepers.wake(ref)
        if ref in self.arrays.known:
            return self.arrays.change(ref, change, body)
        if ref not in self.told or self.told[ref][0] != kind or self.told[ref][2] is None:
            raise wire.WireError("a change of what cannot change")
        self._fill(ref, kind, self.told[ref][1], change[2:])
        return body

    # --------------------------------------------------------------------------------------------- errstate

    def _errors(self) -> dict[str, str]:
        geterr = getattr(sys.modules.get("numpy"), "geterr", None)
        if geterr is None:
            return self.errors
        errors: dict[str, str] = geterr()
        if errors == self.errors:
            return self.errors
        return {name: errors[name] if errors[name] in ERRORS else "ignore" for name in ERRSTATE}

    def _set_errors(self, errors: Any) -> None:
        if type(errors) is not dict or set(errors) != set(ERRSTATE) or not ERRORS.issuperset(errors.values()):
            raise wire.WireError("an errstate that is none")
        import numpy as np

        np.seterr(**errors)
        self.errors = errors


CONTAINERS: dict[type, str] = {list: "l", dict: "d", set: "S"}
MUTABLE = {"l": list, "d": dict, "S": set}


def _ref(ref: Any) -> int:
    if type(ref) is not int or not 0 <= ref < MAX_REF:
        raise wire.WireError("a ref that is none")
    return ref


def _list(value: Any, least: int = 0) -> list[Any]:
    if type(value) is not list or len(value) < least:
        raise wire.WireError("a list that is none")
    return value

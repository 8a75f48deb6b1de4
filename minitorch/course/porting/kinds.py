"""What a name in a program may hold, as far as a reader can tell: a Tensor, an array, a number, a row of Tensors.

A Kind says what an expression gives. `either` is what may hold after two ways: what nothing is known of counts for
nothing, and a Tensor on one way and a number on the other is LIKELY, which `torch.eq` compares rightly whatever it is.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A word, the kinds of what is inside (a row's one, a tuple's each), and the name of a class or a function."""

    word: str
    of: tuple[Kind, ...] = ()
    name: str = ""


UNKNOWN = Kind("unknown")
NOTHING = Kind("None")
TENSOR = Kind("tensor")
LIKELY = Kind("likely")  # a Tensor, or a number
ARRAY = Kind("array")  # what .grad and .data give here, and a hook's gradient
NUMPY = Kind("numpy")
NUMBER = Kind("number")
TEXT = Kind("text")
OTHER = Kind("other")  # known, and no Tensor
MODULE = Kind("module")  # a layer of the package: called, it gives a Tensor
RECURRENT = Kind("recurrent")  # called, it gives a Tensor and its state
PAIR = Kind("tuple", (TENSOR, TENSOR))
TENSORS = Kind("row", (TENSOR,))
LOADER = Kind("loader", (TENSORS,))
PARAMETERS = TENSORS
TENSOR_LIKE = {TENSOR, LIKELY}
WIDTH = 3  # rows in rows: what lies deeper is not told apart, so that a list put into itself ends


def words(text: str) -> frozenset[str]:
    """A set of words, from a text in which they stand behind one another."""
    return frozenset(text.split())


def row(inside: Kind) -> Kind:
    """A list, or anything else that gives one thing after another."""
    return Kind("row", (inside if _depth(inside) < WIDTH else UNKNOWN,))


def several(kinds: Iterable[Kind]) -> Kind:
    """A tuple, each place by itself."""
    inside = tuple(kind if _depth(kind) < WIDTH else UNKNOWN for kind in kinds)
    return Kind("tuple", inside)


def instance(name: str) -> Kind:
    """An object of a class that the program defines."""
    return Kind("instance", name=name)


def either(one: Kind, other: Kind) -> Kind:
    """What may hold after two ways."""
    if one == other or other in (UNKNOWN, NOTHING):
        return one
    if one in (UNKNOWN, NOTHING):
        return other
    if one.word == other.word == "row":
        return row(either(inside(one), inside(other)))
    if one.word == other.word == "tuple" and len(one.of) == len(other.of):
        return several(either(a, b) for a, b in zip(one.of, other.of, strict=True))
    if {one.word, other.word} <= {"row", "tuple", "loader"}:
        return row(either(inside(one), inside(other)))
    if one in TENSOR_LIKE or other in TENSOR_LIKE:
        return LIKELY
    return OTHER


def any_of(kinds: Iterable[Kind]) -> Kind:
    """What may hold after many ways."""
    return functools.reduce(either, kinds, UNKNOWN)


def inside(kind: Kind) -> Kind:
    """What a loop over it gives."""
    if kind in (TENSOR, LIKELY, ARRAY, NUMPY):
        return kind
    if kind.word in ("row", "loader"):
        return kind.of[0]
    if kind.word == "tuple":
        return any_of(kind.of)
    return TEXT if kind == TEXT else UNKNOWN


def at(kind: Kind, place: int | None) -> Kind:
    """What stands at one place of it."""
    if kind.word == "tuple" and place is not None and -len(kind.of) <= place < len(kind.of):
        return kind.of[place]
    if kind.word == "dict":
        return kind.of[0]
    return inside(kind)


def _depth(kind: Kind) -> int:
    return 1 + max(map(_depth, kind.of), default=0)

"""The abstract values of the type inference: a Tensor, an array, a number, a list of Tensors, or nothing known.

`either` is the join of the lattice: it holds on two paths only what holds on each. `NEVER` is its least element (no
value has reached this expression yet), `UNKNOWN` its greatest (any value may have).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A word, the kinds of the elements or of the result, and the name of a class or a function."""

    word: str
    of: tuple[Kind, ...] = ()
    name: str = ""


NEVER = Kind("never")
UNKNOWN = Kind("unknown")
NOTHING = Kind("None")
TENSOR = Kind("tensor")
LIKELY = Kind("likely")  # a Tensor on one path, a number on another
ARRAY = Kind("array")  # .grad or .data of a Tensor, or a hook's gradient: a Tensor in PyTorch, an array here
MAYBE_GRAD = Kind("maybe array", name="grad")  # .grad of an unknown object: an array here if that is a Tensor
MAYBE_DATA = Kind("maybe array", name="data")
NUMPY = Kind("numpy")
NUMBER = Kind("number")
TEXT = Kind("text")
OTHER = Kind("other")  # an object that is no Tensor, no array and no number
DISTRIBUTION = Kind("distribution")
MODULE = Kind("module", (TENSOR,))  # a layer: a call gives a Tensor
TENSORS = Kind("row", (TENSOR,))
LOADER = Kind("row", (TENSORS,))
TENSOR_LIKE = {TENSOR, LIKELY}
NOT_KNOWN = {UNKNOWN, NEVER, MAYBE_GRAD, MAYBE_DATA}
DEPTH = 3  # of nested lists: deeper ones are unknown, so that the inference ends


def words(text: str) -> frozenset[str]:
    """Split a text into a set of words."""
    return frozenset(text.split())


def row(element: Kind) -> Kind:
    """A list, or another iterable of one kind of element."""
    return several([element], "row")


def several(kinds: Iterable[Kind], word: str = "tuple") -> Kind:
    """A tuple with a kind for each position, or another container."""
    return Kind(word, tuple(kind if _depth(kind) < DEPTH else UNKNOWN for kind in kinds))


def instance(name: str) -> Kind:
    """An object of a class that the program defines."""
    return Kind("instance", name=name)


def either(one: Kind, other: Kind) -> Kind:
    """Join two kinds. None is left out: a program compares with None by `is`."""
    if one == other or other in (NEVER, NOTHING):
        return one
    if one in (NEVER, NOTHING):
        return other
    if one.word == other.word and len(one.of) == len(other.of) and one.name == other.name:
        return several(map(either, one.of, other.of), one.word)
    if {one.word, other.word} == {"row", "tuple"}:
        return row(either(inside(one), inside(other)))
    if {one, other} <= {TENSOR, LIKELY, NUMBER}:
        return LIKELY
    return UNKNOWN


def any_of(kinds: Iterable[Kind]) -> Kind:
    """Join many kinds."""
    return functools.reduce(either, kinds, NEVER)


def inside(kind: Kind) -> Kind:
    """The kind of an element."""
    if kind.word in ("row", "tuple"):
        return any_of(kind.of)
    if kind.word == "dict":
        return UNKNOWN  # a loop over a dict gives its keys
    return kind if kind in (TENSOR, ARRAY, NUMPY, NEVER, TEXT, MODULE) else UNKNOWN


def at(kind: Kind, index: object) -> Kind:
    """The kind of the element at an index or a key."""
    if kind.word == "tuple" and isinstance(index, int) and -len(kind.of) <= index < len(kind.of):
        return kind.of[index]
    return kind.of[0] if kind.word == "dict" else inside(kind)


def _depth(kind: Kind) -> int:
    return 1 + max(map(_depth, kind.of), default=0)

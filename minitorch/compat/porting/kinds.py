"""The kinds of a program's expressions: a Tensor, an array, a number, a list of Tensors, or nothing known.

Kinds form a lattice: the join of two keeps only what both say. "never" is its least element (no value has reached this
expression yet), "unknown" its greatest (any value may have).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

# A tag:
# - never, unknown, none, number, text, numpy
# - tensor: or a tuple of Tensors, as x.max(1) returns, of which each element is one; likely: one, or else a number
# - array: .grad or .data of a Tensor, or a hook's gradient: a Tensor in PyTorch, an array here
# - grad?, data?: .grad and .data of an unknown object: an array here if that is a Tensor
# - module: a layer, which returns a Tensor; other: none of all these
# Or ("list", kind of the elements), ("tuple", kind, kind …), ("instance", name of its class), ("class", name),
# ("function", name).
Kind = str | tuple[Any, ...]
Env = dict[str, Kind]
TENSOR_LIKE: set[Kind] = {"tensor", "likely"}
NOT_KNOWN: set[Kind] = {"unknown", "never", "grad?", "data?"}


def tag(kind: Kind) -> str:
    """Return a kind without its parts."""
    return kind if isinstance(kind, str) else str(kind[0])


def join(one: Kind, other: Kind) -> Kind:
    """Join two kinds. None is left out: a program compares with None by `is`."""
    if one == other or other in ("never", "none"):
        return one
    if one in ("never", "none"):
        return other
    if {one, other} <= {*TENSOR_LIKE, "number"}:
        return "likely"
    return ("list", join(element(one), element(other))) if {tag(one), tag(other)} <= {"list", "tuple"} else "unknown"


def join_all(kinds: Iterable[Kind]) -> Kind:
    """Join many kinds."""
    never: Kind = "never"
    return functools.reduce(join, kinds, never)


def element(kind: Kind, index: object = None) -> Kind:
    """Return the kind of the element at an index, or of any element."""
    match kind:
        case ("tuple", *parts) if isinstance(index, int) and -len(parts) <= index < len(parts):
            return parts[index]  # type: ignore[no-any-return]
        case ("list" | "tuple", *parts):
            return join_all(parts)
    return kind if kind in ("tensor", "array", "numpy", "never", "text", "module") else "unknown"


def merge(one: Env, other: Env) -> Env:
    """Return the kinds of names after a branch: the join of those on both paths."""
    return {name: join(one.get(name, "never"), other.get(name, "never")) for name in one | other}

"""Results: the parts of what a program returned that have a graph, and how code comes to each of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from minitorch.autograd.tensor_base import TensorBase

_FIRST = re.compile(r"^(?:\.|\['([^']*)'\])")  # the sign before a field, or a key and what is around it


def results(returned: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    """The Tensors and Values with a graph in tuples, lists, mappings and dataclasses, nested as they come.

    Each comes with the way to it: "['logits']", ".mu[0]". Constants, numbers and anything else are passed over.

    >>> from minitorch.scalar import Value
    >>> [way for way, _ in results({"logits": Value(1.0), "others": (None, Value(2.0))})]
    ["['logits']", "['others'][1]"]
    """
    if _has_graph(returned):
        yield way, returned
    else:
        for step, part in _parts(returned):
            yield from results(part, f"{way}{step}")


def is_several(thing: Any) -> bool:
    """Return whether a thing is looked into for results; a node of a graph, even one that is a dataclass, is not."""
    several = isinstance(thing, (tuple, list, Mapping)) or (is_dataclass(thing) and not isinstance(thing, type))
    return several and not _has_graph(thing)


def is_named(way: str) -> bool:
    """Return whether the way to a result begins with a key or a field, not with a position."""
    return _FIRST.match(way) is not None


def name_of(way: str) -> str:
    """Name a result by the way in which code comes to it.

    >>> name_of("['logits']"), name_of(".heads[0]"), name_of("[0]['logits']")
    ('logits', 'heads[0]', "out[0]['logits']")
    """
    return _FIRST.sub(r"\1", way) if is_named(way) else f"out{way}"


def _parts(thing: Any) -> Iterable[tuple[str, Any]]:
    if not is_several(thing):
        return ()
    if isinstance(thing, Mapping):
        return ((f"[{key!r}]", part) for key, part in thing.items())
    if isinstance(thing, (tuple, list)):
        names = [f".{name}" for name in getattr(thing, "_fields", ())] or [f"[{place}]" for place in range(len(thing))]
        return zip(names, thing, strict=True)
    return ((f".{each.name}", getattr(thing, each.name)) for each in fields(thing))


def _has_graph(thing: Any) -> bool:
    """Whether it is one node: a Tensor that is no constant, a scalar Value, a learner's own, or one of PyTorch's."""
    if isinstance(thing, TensorBase):
        return thing._node is not None
    if isinstance(thing, Mapping):  # one with keys for attributes says of any name that it is there, or raises
        return False
    is_node = hasattr(thing, "_op") and isinstance(getattr(thing, "_prev", None), (tuple, list, set, frozenset))
    return is_node or getattr(thing, "grad_fn", None) is not None

"""PyTorch's names in this package: looked up in the package itself while a program is read, and kept in no list."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from types import ModuleType
from typing import Any, NamedTuple

import minitorch

PYTORCH = "torch"
OURS = "minitorch"
NUMPY_WORDS = {"dim": "axis", "keepdim": "keepdims"}  # every operation takes NumPy's spelling beside PyTorch's


def words(text: str) -> frozenset[str]:
    """Split a text into a set of words."""
    return frozenset(text.split())


class Resolved(NamedTuple):
    """A name behind `torch.` as this package has it, and the object."""

    path: str
    thing: Any


@functools.cache
def resolve(asked: str) -> Resolved | None:
    """Look a name up: `nn.functional.relu` as written, a class also without the file that it stands in.

    >>> resolve("utils.data.dataloader.DataLoader").path
    'utils.data.DataLoader'
    >>> resolve("sofmax") is None
    True
    """
    *homes, name = asked.split(".")
    shorter = [".".join([*homes[:count], name]) for count in range(len(homes) - 1, 0, -1)] if name[:1].isupper() else []
    return next((Resolved(path, thing) for path in (asked, *shorter) if (thing := _thing(path)) is not None), None)


def _thing(path: str) -> Any:
    found: Any = minitorch
    for part in path.split(".") if path else ():
        outer, found = found, getattr(found, part, None)
        if found is None and isinstance(outer, ModuleType):
            with contextlib.suppress(ImportError):
                found = importlib.import_module(f"{outer.__name__}.{part}")
        if found is None or (isinstance(found, ModuleType) and not found.__name__.startswith(OURS)):
            return None  # a module that one of our files imports for itself is no name of ours
    return found


@functools.cache
def signature(thing: Any) -> inspect.Signature | None:
    """Return a callable's signature; None where it has none."""
    with contextlib.suppress(TypeError, ValueError):
        return inspect.signature(thing)
    return None


def keywords(thing: Any) -> frozenset[str] | None:
    """Return the keywords of a call; None where it takes any."""
    found = signature(thing)
    if found is None or any(each.kind is each.VAR_KEYWORD for each in found.parameters.values()):
        return None
    return frozenset({*found.parameters, *(new for old, new in NUMPY_WORDS.items() if old in found.parameters)})

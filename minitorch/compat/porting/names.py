"""PyTorch's names in this package: looked up in the package itself while a program is read, and kept in no list."""

from __future__ import annotations

import functools
import importlib
import inspect
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import minitorch

PYTORCH = "torch"
OURS = "minitorch"
# Where the same function may lie: PyTorch has many of them in more than one module.
ELSEWHERE = ("", "linalg", "nn.functional")
NUMPY_WORDS = {"dim": "axis", "keepdim": "keepdims"}  # every operation takes NumPy's spelling beside PyTorch's


def words(text: str) -> frozenset[str]:
    """Split a text into a set of words."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Place:
    """A name behind `torch.` as this package has it, and the object; `thing` is None where it is nowhere."""

    path: str
    thing: Any = None

    @property
    def found(self) -> bool:
        """Tell a name that is here."""
        return self.thing is not None


@functools.cache
def place(asked: str) -> Place:
    """Look a name up: `nn.functional.relu`, as written, without its class's file, in a module beside it.

    >>> place("utils.data.DataLoader").found
    True
    >>> place("utils.data.dataloader.DataLoader").path
    'utils.data.DataLoader'
    >>> place("sofmax").found
    False
    """
    if (thing := _thing(asked)) is not None:
        return Place(asked, thing)
    tried: list[str] = []
    head, _, name = asked.rpartition(".")
    parts = asked.split(".")
    if name[:1].isupper():  # a class out of the file that it stands in: utils.data.dataloader.DataLoader
        tried += [".".join([*parts[:count], name]) for count in range(len(parts) - 2, 0, -1)]
    if head in ELSEWHERE:
        tried += [f"{home}.{name}" if home else name for home in ELSEWHERE if home != head]
    for path in tried:
        thing = _thing(path)
        if thing is not None and not isinstance(thing, ModuleType):
            return Place(path, thing)
    return Place(asked)


def first_missing(asked: str) -> str:
    """Return the shortest beginning of a name that is not here: `cuda.amp.autocast` → `cuda` where there is no cuda."""
    parts = asked.split(".")
    for count in range(1, len(parts)):
        if not place(".".join(parts[:count])).found:
            return ".".join(parts[:count])
    return asked


def is_method(name: str) -> bool:
    """Tell an attribute or a method that a Tensor has here."""
    return hasattr(minitorch.Tensor, name) or name.startswith("__")


@functools.cache
def takes(thing: Any) -> tuple[frozenset[str], int] | None:
    """Return the keywords and the number of positional arguments of a call; None where it takes any."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    words = {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
    words |= {new for old, new in NUMPY_WORDS.items() if old in words}
    many = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    most = sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)
    return frozenset(words), 1 << 30 if many else most


def gives(thing: Any) -> str:
    """Return the text of a function's return annotation."""
    try:
        said = inspect.signature(thing).return_annotation
    except (TypeError, ValueError):
        return ""
    return said if isinstance(said, str) else getattr(said, "__name__", "")


def _thing(path: str) -> Any:
    if not path:
        return minitorch
    found: Any = minitorch
    walked = "minitorch"
    for part in path.split("."):
        walked += f".{part}"
        if hasattr(found, part) and part != "annotations":
            found = getattr(found, part)
        elif isinstance(found, ModuleType):
            try:
                found = importlib.import_module(walked)
            except ImportError:
                return None
        else:
            return None
        if isinstance(found, ModuleType) and not found.__name__.startswith("minitorch"):
            return None  # a module that one of our files imports for itself is no name of ours
    return found

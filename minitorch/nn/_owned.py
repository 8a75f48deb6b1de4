"""Owned: the parameters, buffers or modules of one module as a dictionary that can be read and written."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from minitorch.nn._tree import Tree

Kind = Literal["_parameters", "_buffers", "_modules"]
KINDS: tuple[Kind, ...] = ("_parameters", "_buffers", "_modules")


class Owned(MutableMapping[str, Any]):
    """Mapping of a module's members of one kind, in the order in which they were registered.

    A view: the values are the module's attributes and stand nowhere else, so that the two cannot differ. Writing here
    registers, as `register_parameter` and its kin do; deleting here deletes the attribute.
    """

    __slots__ = ("_kind", "_tree")

    def __init__(self, tree: Tree, kind: Kind) -> None:
        self._tree = tree
        self._kind = kind

    def __getitem__(self, name: str) -> Any:
        self._require(name)
        return self._tree.__dict__[name]

    def __setitem__(self, name: str, value: Any) -> None:
        tree = self._tree
        if self._kind == "_parameters":
            tree.register_parameter(name, value)
        elif self._kind == "_modules":
            tree.register_module(name, value)
        else:
            tree.register_buffer(name, value, persistent=name not in tree._non_persistent_buffers_set)

    def __delitem__(self, name: str) -> None:
        self._require(name)
        delattr(self._tree, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tree._names[self._kind])

    def __len__(self) -> int:
        return len(self._tree._names[self._kind])

    def __repr__(self) -> str:
        return repr(dict(self))

    def _require(self, name: str) -> None:
        """Raises KeyError for a name that is not registered as this kind."""
        if name not in self._tree._names[self._kind]:
            raise KeyError(name)

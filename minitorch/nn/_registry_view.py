"""RegistryView: the parameters, buffers or modules of one module as a dictionary that can be read and written."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from minitorch.nn._module_base import ModuleBase

Kind = Literal["_parameters", "_buffers", "_modules"]
KINDS: tuple[Kind, ...] = ("_parameters", "_buffers", "_modules")


class RegistryView(MutableMapping[str, Any]):
    """Mapping of a module's members of one kind, in the order in which they were registered.

    A view: the values are the module's attributes and stand nowhere else, so that the two cannot differ. Writing here
    registers, as `register_parameter` and its kin do; deleting here deletes the attribute.
    """

    __slots__ = ("_kind", "_module")

    def __init__(self, module: ModuleBase, kind: Kind) -> None:
        self._module = module
        self._kind = kind

    def __getitem__(self, name: str) -> Any:
        self._require(name)
        return self._module.__dict__[name]

    def __setitem__(self, name: str, value: Any) -> None:
        module = self._module
        if self._kind == "_parameters":
            module.register_parameter(name, value)
        elif self._kind == "_modules":
            module.register_module(name, value)
        else:
            module.register_buffer(name, value, persistent=name not in module._non_persistent_buffers_set)

    def __delitem__(self, name: str) -> None:
        self._require(name)
        delattr(self._module, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._module._names[self._kind])

    def __len__(self) -> int:
        return len(self._module._names[self._kind])

    def __repr__(self) -> str:
        return repr(dict(self))

    def _require(self, name: str) -> None:
        """Raises KeyError for a name that is not registered as this kind."""
        if name not in self._module._names[self._kind]:
            raise KeyError(name)

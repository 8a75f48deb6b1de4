"""Containers that few programs ask for: modules by name, and parameters by name and in a list."""

from __future__ import annotations

import operator
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from typing import Any, ClassVar, Generic, Self, TypeVar

from minitorch._tensor import Tensor
from minitorch.nn import Module, Parameter

__all__ = ["ModuleDict", "ParameterDict", "ParameterList"]

Member = TypeVar("Member")


class _Named(Module, Generic[Member]):
    """Base of ModuleDict and ParameterDict: registered members of one kind, in the order in which they were added."""

    _kind: ClassVar[str]

    @property
    def _members(self) -> MutableMapping[str, Member]:
        members: MutableMapping[str, Member] = getattr(self, f"_{self._kind}s")
        return members

    def __getitem__(self, key: str) -> Member:
        if key not in self._members:
            known = ", ".join(self._members) or "none"
            raise KeyError(f"{type(self).__name__} has no {self._kind} {key!r}; it has: {known}")
        return self._members[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._members[key] = value

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __contains__(self, key: object) -> bool:
        return key in self._members

    def clear(self) -> None:
        """Remove all members."""
        self._members.clear()

    def pop(self, key: str) -> Member:
        """Remove a member and return it."""
        member = self[key]
        delattr(self, key)
        return member

    def get(self, key: str, default: Any = None) -> Any:
        """Return the member of that name, or the default."""
        return self._members.get(key, default)

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._members.keys()

    def values(self) -> ValuesView[Member]:
        """Return the members."""
        return self._members.values()

    def items(self) -> ItemsView[str, Member]:
        """Return the (name, member) pairs."""
        return self._members.items()

    def _add(self, members: Any) -> None:
        for key, value in members.items() if isinstance(members, (Mapping, _Named)) else members:
            self[key] = value


class ModuleDict(_Named[Module]):
    """Modules by name, registered, in the order in which they were added.

    Raises TypeError for what is no Module, KeyError for a name that is not there or that a method has already.

    >>> from minitorch.nn import Sequential
    >>> heads = ModuleDict({"digit": Sequential(), "sign": Sequential()})
    >>> "digit" in heads, list(heads)
    (True, ['digit', 'sign'])
    """

    _kind = "module"

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        self.update(modules or {})

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]]) -> None:
        """Add or replace modules: a mapping, or pairs of a name and a module."""
        self._add(modules)


class ParameterList(Module):
    """A list of parameters that are registered. Tensors become Parameters.

    Raises TypeError for what is no Tensor, IndexError for a place where there is none.

    >>> weights = ParameterList([Tensor([1.0, 2.0]), Tensor(3.0)])
    >>> [name for name, _ in weights.named_parameters()]
    ['0', '1']
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self.extend(values or ())

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self._parameters.values())

    def __getitem__(self, index: int | slice) -> Any:
        row = list(self)
        if isinstance(index, slice):
            return ParameterList(row[index])
        return row[self._place(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self.register_parameter(str(self._place(index)), _as_parameter("ParameterList", value))

    def _place(self, index: Any) -> int:
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"ParameterList has {len(self)} parameters: there is none at {place}")
        return place % len(self)

    def append(self, value: Any) -> Self:
        """Adds a parameter at the end and returns the whole."""
        self.register_parameter(str(len(self)), _as_parameter("ParameterList", value))
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Adds several parameters at the end and returns the whole."""
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """Return one line for each parameter."""
        return _lines(enumerate(self))


class ParameterDict(_Named[Parameter]):
    """Parameters by name, registered, in the order in which they were added. Tensors become Parameters.

    Raises TypeError for what is no Tensor, KeyError for a name that is not there.

    >>> weights = ParameterDict({"slope": Tensor([1.0, 2.0]), "offset": Tensor(3.0)})
    >>> "slope" in weights, [name for name, _ in weights.named_parameters()]
    (True, ['slope', 'offset'])
    """

    _kind = "parameter"

    def __init__(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None) -> None:
        super().__init__()
        self.update(parameters or {})

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, _as_parameter("ParameterDict", value))

    def update(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Add or replace parameters: a mapping, or pairs of a name and a Tensor."""
        self._add(parameters)

    def extra_repr(self) -> str:
        """Return one line for each parameter."""
        return _lines(self.items())


def _as_parameter(name: str, value: Any) -> Parameter:
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} holds Parameters and Tensors, not a {type(value).__name__}")
    return value if isinstance(value, Parameter) else Parameter(value)


def _lines(parameters: Iterable[tuple[Any, Parameter]]) -> str:
    return "\n".join(f"({key}): Parameter of shape {each.shape}, {each.dtype}" for key, each in parameters)

"""Containers: modules that hold modules, one after the other, by number, by name; and lists of parameters."""

from __future__ import annotations

import itertools
import operator
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any, Self, overload

from minitorch._tensor import Tensor
from minitorch.nn.module import Module, written
from minitorch.nn.parameter import Parameter


class _Numbered(Module):
    """Modules in a row, registered under their places: "0", "1" and so on."""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __contains__(self, module: object) -> bool:
        return any(each is module for each in self)

    def _key(self, index: Any) -> str:
        """The name of the module at a place. Raises IndexError where there is none."""
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"{type(self).__name__} has {len(self)} modules: there is none at {place}")
        return list(self._modules)[place]

    def __setitem__(self, index: int, module: Module) -> None:
        self.add_module(self._key(index), module)

    def __delitem__(self, index: int | slice) -> None:
        for key in list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]:
            delattr(self, key)
        self._renumber(list(self))

    def _renumber(self, row: list[Any]) -> None:
        for key in list(self._modules):
            delattr(self, key)
        self.extend(row)

    def append(self, module: Module) -> Self:
        """Adds a module at the end and returns the whole."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Adds several modules at the end and returns the whole."""
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """Puts a module before the place `index` and returns the whole; those behind it get other numbers."""
        self.add_module(str(len(self)), module)  # which also looks at what it is given
        row = list(self)
        row.insert(index, row.pop())
        self._renumber(row)
        return self

    def pop(self, index: int | slice = -1) -> Any:
        """Takes a module out and returns it; those behind it get other numbers."""
        module = self[index]  # type: ignore[index]
        del self[index]
        return module

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)


class Sequential(_Numbered):
    """Modules one after the other: each gets what the one before it returned.

    `Sequential(first, second)` names them "0" and "1", `Sequential({"hidden": first, "out": second})` as told.
    A slice is a Sequential of the same modules under their names.

    Raises TypeError for what is no Module, IndexError for a place where there is none.

    >>> from minitorch.nn import Module
    >>> class Double(Module):
    ...     def forward(self, input):
    ...         return input * 2
    >>> model = Sequential(Double(), Double())
    >>> model(Tensor([1.0, 2.0]))
    tensor([4., 8.])
    >>> model
    Sequential(
      (0): Double()
      (1): Double()
    )
    """

    def __init__(self, *args: Module | Mapping[str, Module]) -> None:
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], Mapping) else enumerate(args)
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            raise TypeError("Sequential: give the modules one by one: put a star before the list, Sequential(*layers)")
        for name, module in named:
            self.add_module(str(name) if isinstance(name, int) else name, module)

    def forward(self, input: Any) -> Tensor:
        """Return the last module's result."""
        here = self.__dict__
        for name in here["_names"]["_modules"]:
            input = here[name](input)
        return input  # type: ignore[no-any-return]

    @overload
    def __getitem__(self, index: int) -> Module: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(dict(list(self._modules.items())[index]))
        return self._modules[self._key(index)]

    def __add__(self, other: Sequential) -> Sequential:
        if not isinstance(other, Sequential):
            raise TypeError(f"Sequential + {type(other).__name__}: only another Sequential can follow; use append")
        return Sequential(*self, *other)


class ModuleList(_Numbered):
    """A list of modules that are registered, for a `forward` that uses them in its own way.

    Raises TypeError for what is no Module, IndexError for a place where there is none.

    >>> blocks = ModuleList([Sequential(), Sequential()])
    >>> len(blocks), type(blocks[-1]).__name__
    (2, 'Sequential')
    >>> blocks
    ModuleList(
      (0-1): 2 x Sequential()
    )
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    @overload
    def __getitem__(self, index: int) -> Module: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._modules[self._key(index)]

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        return written(self._get_name(), self.extra_repr(), _runs([repr(module) for module in self]))


def _runs(texts: list[str]) -> Iterator[tuple[str, str]]:
    """(places, text), with equal neighbours on one line: `(0-5): 6 x Block(…)`."""
    start = 0
    for text, run in itertools.groupby(texts):
        count = len(list(run))
        yield (str(start), text) if count == 1 else (f"{start}-{start + count - 1}", f"{count} x {text}")
        start += count


class ModuleDict(Module):
    """Modules by name, registered, in the order in which they were added.

    Raises TypeError for what is no Module, KeyError for a name that is not there or that a method has already.

    >>> heads = ModuleDict({"digit": Sequential(), "sign": Sequential()})
    >>> "digit" in heads, list(heads)
    (True, ['digit', 'sign'])
    """

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        self.update(modules or {})

    def __getitem__(self, key: str) -> Module:
        if key not in self._modules:
            raise KeyError(f"ModuleDict has no module {key!r}; it has: {', '.join(self._modules) or 'none'}")
        module: Module = self._modules[key]
        return module

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Removes all modules."""
        for key in list(self._modules):
            delattr(self, key)

    def pop(self, key: str) -> Module:
        """Takes a module out and returns it."""
        module = self[key]
        delattr(self, key)
        return module

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def values(self) -> ValuesView[Module]:
        """The modules."""
        return self._modules.values()

    def items(self) -> ItemsView[str, Module]:
        """(name, module) pairs."""
        return self._modules.items()

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]]) -> None:
        """Adds or replaces modules: a mapping, or pairs of a name and a module."""
        for key, module in modules.items() if isinstance(modules, (Mapping, ModuleDict)) else modules:
            self[key] = module


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
        self.register_parameter(str(self._place(index)), self._parameter(value))

    def _place(self, index: Any) -> int:
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"ParameterList has {len(self)} parameters: there is none at {place}")
        return place % len(self)

    def _parameter(self, value: Any) -> Parameter:
        if not isinstance(value, Tensor):
            raise TypeError(f"ParameterList holds Parameters and Tensors, not a {type(value).__name__}")
        return value if isinstance(value, Parameter) else Parameter(value)

    def append(self, value: Any) -> Self:
        """Adds a parameter at the end and returns the whole."""
        self.register_parameter(str(len(self)), self._parameter(value))
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Adds several parameters at the end and returns the whole."""
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """One line for each parameter."""
        return "\n".join(f"({i}): Parameter of shape {each.shape}, {each.dtype}" for i, each in enumerate(self))


class ParameterDict(Module):
    """Parameters by name, registered, in the order in which they were added. Tensors become Parameters.

    Raises TypeError for what is no Tensor, KeyError for a name that is not there.

    >>> weights = ParameterDict({"slope": Tensor([1.0, 2.0]), "offset": Tensor(3.0)})
    >>> "slope" in weights, [name for name, _ in weights.named_parameters()]
    (True, ['slope', 'offset'])
    """

    def __init__(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None) -> None:
        super().__init__()
        self.update(parameters or {})

    def __getitem__(self, key: str) -> Parameter:
        if key not in self._parameters:
            raise KeyError(f"ParameterDict has no parameter {key!r}; it has: {', '.join(self._parameters) or 'none'}")
        found: Parameter = self._parameters[key]
        return found

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"ParameterDict holds Parameters and Tensors, not a {type(value).__name__}")
        self.register_parameter(key, value if isinstance(value, Parameter) else Parameter(value))

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __contains__(self, key: object) -> bool:
        return key in self._parameters

    def pop(self, key: str) -> Parameter:
        """Takes a parameter out and returns it."""
        parameter = self[key]
        delattr(self, key)
        return parameter

    def get(self, key: str, default: Any = None) -> Any:
        """The parameter of the name, or the default."""
        return self._parameters.get(key, default)

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._parameters.keys()

    def values(self) -> ValuesView[Any]:
        """The parameters."""
        return self._parameters.values()

    def items(self) -> ItemsView[str, Any]:
        """(name, parameter) pairs."""
        return self._parameters.items()

    def update(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Adds or replaces parameters: a mapping, or pairs of a name and a Tensor."""
        for key, value in parameters.items() if isinstance(parameters, (Mapping, ParameterDict)) else parameters:
            self[key] = value

    def extra_repr(self) -> str:
        """One line for each parameter."""
        return "\n".join(f"({key}): Parameter of shape {each.shape}, {each.dtype}" for key, each in self.items())

"""Containers: modules that hold modules, one after the other and by number."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, overload

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn.module import Module, module_text

__all__ = ["ModuleList", "Sequential"]


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
        return module_text(self._get_name(), self.extra_repr(), _runs([repr(module) for module in self]))


def _runs(texts: list[str]) -> Iterator[tuple[str, str]]:
    """(places, text), with equal neighbours on one line: `(0-5): 6 x Block(…)`."""
    start = 0
    for text, run in itertools.groupby(texts):
        count = len(list(run))
        yield (str(start), text) if count == 1 else (f"{start}-{start + count - 1}", f"{count} x {text}")
        start += count


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.container import *
else:
    __getattr__, __dir__ = moved_names(__name__)

"""Types for annotations: the arguments that many functions share, and operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeAlias, overload

if TYPE_CHECKING:
    import numpy as np

    from minitorch._tensor import Tensor
    from minitorch.autograd.operation import Declaration
    from minitorch.autograd.rules import Rule

Shape = tuple[int, ...]

Counts = int | Sequence[int]
"""One number for each axis; a single number stands for all of them."""

Sizes = tuple[int, ...] | list[int]
"""Sizes or axes, as they are given: a tuple or a list."""

Dim = int | tuple[int, ...] | list[int] | None
"""One axis, several, or None for all."""

TensorLike: TypeAlias = "Tensor | np.ndarray[Any, Any] | np.generic | float | list[Any] | tuple[Any, ...]"
"""A Tensor, an array, a Python number or a nested list of numbers."""

P = ParamSpec("P")
Q = ParamSpec("Q")


class Operation(Protocol[P]):
    """An operation to its caller: a function of Tensors, with its declaration in reach.

    To a type checker it takes what its forward takes, and in a class it is a method.
    """

    __name__: str
    __module__: str
    declaration: Declaration

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Tensor:
        """Compute; record a node if an argument takes part in the graph."""
        ...

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Operation[P]: ...
    @overload
    def __get__(self: Operation[Concatenate[Any, Q]], instance: object, owner: Any = None) -> Callable[Q, Tensor]: ...

    def raw(self, *args: Any, **kwargs: Any) -> Any:
        """Compute as rules do: arrays in, array out, nothing recorded; the operation itself for a Tensor among them."""
        ...

    def vjp(self, **rules: Rule) -> None:
        """Add gradient rules, one per argument, for a forward that is written as a function."""
        ...


class OfOne(Operation[[TensorLike]], Protocol):
    """An operation made of a NumPy function of one array."""

    def __call__(self, input: TensorLike) -> Tensor:
        """Compute; record a node if the argument takes part in the graph."""
        ...


class OfTwo(Operation[[TensorLike, TensorLike]], Protocol):
    """An operation made of a NumPy function of two arrays."""

    def __call__(self, input: TensorLike, other: TensorLike) -> Tensor:
        """Compute; record a node if an argument takes part in the graph."""
        ...

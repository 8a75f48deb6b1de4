"""How sizes and axes are given, and what is said of those that do not exist."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from minitorch.types import Shape

F = TypeVar("F", bound=Callable[..., Any])


def shape_from(sizes: Sequence[Any]) -> Shape:
    """What `*sizes` caught: `f(2, 3)` and `f((2, 3))` mean the same.

    >>> shape_from((2, 3)) == shape_from(([2, 3],))
    True
    """
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        return tuple(sizes[0])
    return tuple(sizes)


def sizes_in_a_row(function: F) -> F:
    """Lets a function of (input, sizes) be called with its sizes one by one too, as PyTorch's methods are."""

    @functools.wraps(function)
    def either(input: Any, *sizes: Any, **options: Any) -> Any:
        return function(input, shape_from(sizes), **options) if sizes else function(input, **options)

    return cast("F", either)


def axis_in(shape: Shape, dim: int, op: str) -> int:
    """The axis `dim`, counted from the front. Raises IndexError that names `op` when there is no such axis.

    >>> axis_in((2, 3), -1, "narrow")
    1
    """
    if not -len(shape) <= dim < len(shape):
        raise IndexError(f"{op}: axis {dim} does not exist in shape {shape}")
    return dim % len(shape)


def as_axes(dims: Any) -> Shape:
    """One axis or several, as a tuple."""
    return tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)


def listed(tensors: Sequence[Any]) -> Sequence[Any]:
    """What `*tensors` caught: `f(a, b)` and `f([a, b])` mean the same."""
    return tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors


def shapes_of(arrays: Sequence[Any]) -> str:
    """The shapes, as an error names them."""
    return " and ".join(str(each.shape) for each in arrays)

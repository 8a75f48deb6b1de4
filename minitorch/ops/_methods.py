"""Methods of a Tensor made of operations: with the operands swapped, in place, and in place in another shape."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, cast

import numpy as np

from minitorch.autograd import in_place
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

P = ParamSpec("P")


def swapped(operation: Callable[[Any, Any], Tensor]) -> Callable[[Tensor, TensorLike], Tensor]:
    """`other - self` from the operation that computes `self - other`."""

    def method(self: Tensor, other: TensorLike) -> Tensor:
        return operation(other, self)

    return method


def in_place_of(
    operation: Callable[Concatenate[Any, P], Tensor], ufunc: np.ufunc | None = None, operator: str = ""
) -> Callable[Concatenate[Tensor, P], Tensor]:
    """The method that changes its Tensor: `t.add_(1)` for `t.add(1)`. in_place.py says when that is refused.

    ufunc: what NumPy can write into the Tensor's own memory. operator: `+=`, for the method that Python calls then.
    """
    name = operator or f"{operation.__name__}_"

    @functools.wraps(operation)
    def method(self: Tensor, *args: P.args, **options: P.kwargs) -> Tensor:
        if ufunc is not None and not options and len(args) == 1 and in_place.computed(self, name, ufunc, args[0]):
            return self
        return in_place.changed(self, name, lambda now: operation(now, *args, **options), augmented=bool(operator))

    method.__name__ = method.__qualname__ = f"{operation.__name__}_"
    method.__doc__ = f"{operation.__name__}, written into this Tensor, which is returned."
    return cast("Callable[Concatenate[Tensor, P], Tensor]", method)


def turned_by(operation: Callable[Concatenate[Any, P], Tensor]) -> Callable[Concatenate[Tensor, P], Tensor]:
    """The method that gives its Tensor another shape or order: `t.unsqueeze_(0)` for `t.unsqueeze(0)`."""
    name = f"{operation.__name__}_"

    @functools.wraps(operation)
    def method(self: Tensor, *args: P.args, **options: P.kwargs) -> Tensor:
        return in_place.turned(self, name, lambda now: operation(now, *args, **options))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = (
        f"{operation.__name__} of this Tensor itself, which is returned; views of its memory stay as they are."
    )
    return cast("Callable[Concatenate[Tensor, P], Tensor]", method)

"""Sizes and axes: how they are given, what is said of those that do not exist, and how a reduction puts them back."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, overload

import numpy as np

from minitorch.autograd.operation import ALIASES
from minitorch.errors import ShapeError
from minitorch.types import Dim, Shape, Sizes, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor
    from minitorch.autograd.operation import Declaration

F = TypeVar("F", bound=Callable[..., Any])


def size_from(name: str, sizes: Sequence[Any], size: Any) -> Shape:
    """The shape of what is made: `*sizes`, or what `size=` was given in their place.

    Raises TypeError for both, ShapeError for a negative size.

    >>> size_from("zeros", (2, 3), None) == size_from("zeros", (), (2, 3))
    True
    """
    if size is not None and sizes:
        raise TypeError(f"{name}: the sizes {sizes} were given, and size={size} too: leave one of them out")
    shape = shape_from(sizes) if size is None else as_axes(size)
    for each in shape:
        if each < 0:
            raise ShapeError(f"{name}: {tuple(shape)} is no shape: sizes must not be negative")
    return shape


def shape_from(sizes: Sequence[Any]) -> Shape:
    """Return the sizes that `*sizes` caught: `f(2, 3)` and `f((2, 3))` mean the same.

    >>> shape_from((2, 3)) == shape_from(([2, 3],))
    True
    """
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        return tuple(sizes[0])
    return tuple(sizes)


class Sized(Protocol):
    """An operation on a Tensor and sizes, which may be given one by one; in a class it is a method."""

    __name__: str
    declaration: Declaration

    def __call__(self, input: TensorLike, *sizes: int | Sizes, **options: Any) -> Tensor:
        """`f(x, 2, 3)` or `f(x, (2, 3))`."""
        ...

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Sized: ...
    @overload
    def __get__(self, instance: object, owner: Any = None) -> SizedMethod: ...

    def raw(self, *args: Any, **kwargs: Any) -> Any:
        """As of every operation."""
        ...

    def vjp(self, **rules: Any) -> None:
        """As of every operation."""
        ...


class SizedMethod(Protocol):
    """`x.f(2, 3)` or `x.f((2, 3))`."""

    def __call__(self, *sizes: int | Sizes, **options: Any) -> Tensor:
        """The same of a Tensor."""
        ...


def sizes_in_a_row(function: Callable[..., Tensor]) -> Sized:
    """Lets a function of (input, sizes) be called with its sizes one by one too, as PyTorch's methods are."""

    @functools.wraps(function)
    def wrapper(input: Any, *sizes: Any, **options: Any) -> Any:
        return function(input, shape_from(sizes), **options) if sizes else function(input, **options)

    signature = inspect.signature(function)
    first, second, *others = signature.parameters.values()
    in_a_row = second.replace(kind=inspect.Parameter.VAR_POSITIONAL, default=inspect.Parameter.empty)
    wrapper.__signature__ = signature.replace(parameters=[first, in_a_row, *others])  # type: ignore[attr-defined]
    return cast("Sized", wrapper)


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
    """Return the Tensors that `*tensors` caught: `f(a, b)` and `f([a, b])` mean the same."""
    return tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors


def shapes_of(arrays: Sequence[Any]) -> str:
    """The shapes, as an error names them."""
    return " and ".join(str(each.shape) for each in arrays)


# -- what the reductions share: how `dim` is read, and how a reduced array gets its axes back --------------------------


def stretched(g: Any, input_shape: Shape, dim: Dim, keepdim: bool) -> Any:
    """A reduced array, repeated along the axes that the reduction removed: shape (…) → input_shape."""
    return np.broadcast_to(expand_reduced(g, input_shape, dim, keepdim), input_shape)


def expand_reduced(reduced: Any, input_shape: Shape, dim: Dim, keepdim: bool) -> Any:
    """A reduced array with every reduced axis at size 1, as if `keepdim=True` had been asked for."""
    if keepdim:
        return reduced
    gone = reduced_dims(len(input_shape), dim)
    return reduced.reshape([1 if axis in gone else size for axis, size in enumerate(input_shape)])


def share_among_ties(g: Any, ties: Any, dim: Dim = None) -> Any:
    """Return the gradient of an extreme over `dim`: the elements that are tied for it get equal shares of g.

    g: with each reduced axis at size 1. ties: of the input's shape, True where an element equals the extreme.
    """
    return ties * (g / np.sum(ties, axis=as_axis(dim), keepdims=True, dtype=g.dtype))


def reduced_dims(ndim: int, dim: Dim) -> Shape:
    """`dim` as a tuple of axes counted from the front; None and () are all of them."""
    dims = as_axis(dim)
    if dims is None or ndim == 0:
        return tuple(range(ndim))
    return tuple([axis % ndim for axis in as_axes(dims)])


def as_axis(dim: Dim) -> int | tuple[int, ...] | None:
    """`dim` as NumPy's functions take it: several as a tuple, none as None, one as a number, even of a 0-d array."""
    if not isinstance(dim, (tuple, list)):
        return dim
    return tuple(dim) if len(dim) > 1 else dim[0] if dim else None


def count(input_shape: Shape, dim: Dim) -> int:
    """Return the number of elements that go into each result."""
    return math.prod([input_shape[axis] for axis in reduced_dims(len(input_shape), dim)])


def require_some(input: Any, dim: Dim, wanted: str) -> None:
    """Raises ValueError when there is nothing along `dim` to choose from."""
    if input.size == 0 and count(input.shape, dim) == 0:
        raise ShapeError(f"shape {input.shape} has nothing along dim {dim} to take the {wanted} of")


# -- NumPy's names for PyTorch's parameters ----------------------------------------------------------------------------


def accepts_numpy_names(function: F) -> F:
    """Lets a function of `dim` and `keepdim` be called with `axis` and `keepdims` too, as every primitive can be."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **{ALIASES.get(key, key): value for key, value in kwargs.items()})

    return cast("F", wrapper)

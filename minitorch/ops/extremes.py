"""Extremes: the largest, the smallest and the middle.

Two conventions for ties, both PyTorch's: where a value is asked for (`amax`, `max` of all), ties share the gradient
evenly; where an index comes with it (`max` along an axis), the element at that index gets it all.
nan counts as larger, and as smaller, than every number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from minitorch.autograd.primitive import OfTwo, Operation, primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import as_result, xp
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names, as_axis, expand_reduced, require_some, share_among_ties
from minitorch.ops.choice import maximum, minimum
from minitorch.ops.sort import Along, ValuesAndIndices, axis_of, picked, picking_along
from minitorch.types import Dim, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "amax",
    "amin",
    "aminmax",
    "max",
    "median",
    "min",
]


@primitive
def amax(input: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """The largest over `dim`. dL/dinput = g, shared evenly between ties, as in PyTorch.

    Raises ValueError over an axis of size 0.

    >>> amax(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1)
    tensor([5., 7.])
    """
    require_some(input, dim, "largest")
    return np.amax(input, axis=as_axis(dim), keepdims=keepdim)


@primitive
def amin(input: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """The smallest over `dim`. dL/dinput = g, shared evenly between ties, as in PyTorch.

    Raises ValueError over an axis of size 0.

    >>> amin(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1)
    tensor([1., 2.])
    """
    require_some(input, dim, "smallest")
    return np.amin(input, axis=as_axis(dim), keepdims=keepdim)


def _shared_by_ties(g: Any, input: Any, out: Any, dim: Dim, keepdim: bool) -> Any:
    ties = np.equal(input, expand_reduced(out, input.shape, dim, keepdim))
    return share_among_ties(expand_reduced(g, input.shape, dim, keepdim), ties, dim)


amax.vjp(input=_shared_by_ties)
amin.vjp(input=_shared_by_ties)


class Extremes(NamedTuple):
    """Result of `aminmax`: the smallest and the largest."""

    min: Tensor
    max: Tensor


@accepts_numpy_names
def aminmax(input: TensorLike, *, dim: int | None = None, keepdim: bool = False) -> Extremes:
    """(min, max) over one axis, or of all: `amin` and `amax`, with their gradients.

    >>> aminmax(Tensor([3.0, 1.0, 2.0])).max
    tensor(3.)
    """
    return Extremes(amin(input, dim, keepdim), amax(input, dim, keepdim))


def _shared_by_all(g: Any, input: Any, out: Any) -> Any:
    ties = np.where(np.isnan(out), np.isnan(input), np.equal(input, out))
    return share_among_ties(g, ties)


def _of_all(name: str, wanted: str, choose: Callable[[Any], Any]) -> Operation[[Any]]:
    """One of all the numbers; those that are equal to it share the gradient, nans too."""

    def chosen(input: Any) -> Any:
        require_some(input, None, wanted)
        return choose(input)

    return primitive(chosen, f"The {wanted} of all.", name=name, input=_shared_by_all)


def _middle(input: Any, dim: int) -> Any:
    """The lower of the two in the middle along `dim`, kept at size 1; nan if there is one."""
    place = (input.shape[dim] - 1) // 2
    middle = np.partition(input, place, axis=dim)[(slice(None),) * dim + (slice(place, place + 1),)]
    largest = np.amax(input, axis=dim, keepdims=True)  # nan if there is one
    return np.where(np.isnan(largest), largest, middle)


_max = _of_all("max", "largest", np.amax)
_min = _of_all("min", "smallest", np.amin)
_median = _of_all("median", "middle", lambda x: _middle(x.reshape(-1), 0).reshape(()))
_max_along = picking_along("max")
_min_along = picking_along("min")
_median_along = picking_along("median")


@overload
def max(input: TensorLike, dim: None = None, keepdim: bool = False) -> Tensor: ...
@overload
def max(input: TensorLike, dim: int, keepdim: bool = False) -> ValuesAndIndices: ...
@overload
def max(input: TensorLike, dim: Tensor | np.ndarray[Any, Any]) -> Tensor: ...
@overload
def max(input: TensorLike, *, other: TensorLike) -> Tensor: ...
@accepts_numpy_names
def max(
    input: TensorLike, dim: Any = None, keepdim: bool = False, *, other: TensorLike | None = None
) -> Tensor | ValuesAndIndices:
    """The largest of all (ties share the gradient), or along one axis the largest and its index, which gets it all.

    Returns a Tensor without `dim`, `(values, indices)` with one, the index being that of the first of ties;
    `max(input, other)` of two Tensors is `maximum`. Raises IndexError for a dim that there is not, ValueError when
    there is nothing to choose from.

    >>> max(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1).indices
    tensor([1, 0])
    """
    return _extreme(input, other if dim is None else dim, keepdim, _max, _max_along, maximum, np.argmax)


@overload
def min(input: TensorLike, dim: None = None, keepdim: bool = False) -> Tensor: ...
@overload
def min(input: TensorLike, dim: int, keepdim: bool = False) -> ValuesAndIndices: ...
@overload
def min(input: TensorLike, dim: Tensor | np.ndarray[Any, Any]) -> Tensor: ...
@overload
def min(input: TensorLike, *, other: TensorLike) -> Tensor: ...
@accepts_numpy_names
def min(
    input: TensorLike, dim: Any = None, keepdim: bool = False, *, other: TensorLike | None = None
) -> Tensor | ValuesAndIndices:
    """The smallest of all (ties share the gradient), or along one axis the smallest and its index, which gets it all.

    Returns a Tensor without `dim`, `(values, indices)` with one, the index being that of the first of ties;
    `min(input, other)` of two Tensors is `minimum`. Raises IndexError for a dim that there is not, ValueError when
    there is nothing to choose from.

    >>> min(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1).values
    tensor([1., 2.])
    """
    return _extreme(input, other if dim is None else dim, keepdim, _min, _min_along, minimum, np.argmin)


def _extreme(
    input: TensorLike,
    dim: Any,
    keepdim: bool,
    of_all: Operation[[Any]],
    along: Along,
    of_two: OfTwo,
    place: Callable[..., Any],
) -> Tensor | ValuesAndIndices:
    if dim is None:
        return of_all(input)
    if not isinstance(dim, (int, np.integer)):
        return of_two(input, dim)
    array, axis = _with_some(input, int(dim), along.declaration.name)
    return picked(along, input, as_result(place(array, axis=axis, keepdims=array.ndim > 0)), axis, keepdim)


@overload
def median(input: TensorLike, dim: None = None, keepdim: bool = False) -> Tensor: ...
@overload
def median(input: TensorLike, dim: int, keepdim: bool = False) -> ValuesAndIndices: ...
@accepts_numpy_names
def median(input: TensorLike, dim: int | None = None, keepdim: bool = False) -> Tensor | ValuesAndIndices:
    """The middle of all (ties share the gradient), or along one axis the middle and its index, which gets it all.

    Of an even number it is the lower one in the middle; nan if there is one. Returns a Tensor without `dim`,
    `(values, indices)` with one, the index being that of the first of ties. Raises IndexError for a dim that there is
    not, ValueError when there is nothing to choose from.

    >>> median(Tensor([[1.0, 5.0, 3.0], [7.0, 2.0, 4.0]]), dim=1).values
    tensor([3., 4.])
    """
    if dim is None:
        return _median(input)
    array, axis = _with_some(input, dim, "median")
    if array.ndim == 0:
        return picked(_median_along, input, xp(array).zeros((), np.int64), axis, keepdim)
    middle = _middle(array, axis)
    found = np.where(np.isnan(middle), np.isnan(array), np.equal(array, middle))
    return picked(_median_along, input, np.argmax(found, axis=axis, keepdims=True), axis, keepdim)


def _with_some(input: TensorLike, dim: int, name: str) -> tuple[Any, int]:
    """The array and its axis `dim`, which must not be of size 0."""
    array = as_array(input)
    axis = axis_of(array, dim, name)
    if array.ndim and array.shape[axis] == 0:
        raise ShapeError(f"{name}: axis {dim} of shape {array.shape} has size 0, so there is nothing to choose from")
    return array, axis

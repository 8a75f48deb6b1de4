"""Gathering and scattering along one axis by integer indices. All of it is indexing: each builds its index.

    gather(input, 1, index)[i, j] = input[i, index[i, j]]        one index for every element
    index_select(input, 1, index)[i, j] = input[i, index[j]]     one index for every slice across the axis

Reading is `pick` (gradient: add g in where it was read), writing is `replace`, and adding is `unindex`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import to_host, xp
from minitorch.errors import DtypeError, ShapeError
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.arithmetic import add, mul
from minitorch.ops.index import pick, picking, replacing, unindex
from minitorch.ops.indexing import NUMBERS, as_index, as_written, check_bounds, source_for
from minitorch.ops.movement import expand, reshape
from minitorch.ops.sort import axis_of
from minitorch.types import Shape, TensorLike

__all__ = ["gather", "index_add", "index_copy", "index_fill", "index_select", "scatter", "scatter_add"]
__all__ += ["take_along_dim"]

Index = tuple[Any, ...]

_gather, _take_along_dim, _index_select = map(picking, ("gather", "take_along_dim", "index_select"))
_scatter, _index_copy, _index_fill = map(replacing, ("scatter", "index_copy", "index_fill"))


@accepts_numpy_names
def gather(input: TensorLike, dim: int, index: TensorLike) -> Tensor:
    """out[i, j, …] = input[i, …, index[i, j, …], …], the index standing at axis `dim`; out has index's shape.

    dL/dinput = g added into zeros where it was read. Along the other axes the index may be smaller than input; an
    empty one may have any shape. Raises IndexError for an index below 0 or beyond the axis, ValueError when the shapes
    do not fit.

    >>> gather(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, Tensor([[1], [0]]))
    tensor([[2.],
            [3.]])
    """
    array = as_array(input)
    at = as_index("gather", index, array)
    if at.size == 0 and axis_of(array, dim, "gather") >= 0:
        return reshape(_gather(reshape(input, (-1,)), (slice(0),)), at.shape)
    picked = _gather(with_axes(input), _one_by_one("gather", array, dim, at))
    return picked if at.ndim else reshape(picked, ())


@accepts_numpy_names
def take_along_dim(input: TensorLike, indices: TensorLike, dim: int | None = None) -> Tensor:
    """As gather, but the other axes broadcast, and indices below 0 count from the end. Without `dim`: of input laid
    out flat. What argmax and argsort give is what it takes.

    dL/dinput = g added into zeros where it was read. Raises IndexError for an index beyond the axis, ValueError when
    the shapes do not fit.

    >>> x = Tensor([[3.0, 1.0, 2.0]])
    >>> take_along_dim(x, Tensor([[1, 2, 0]]), dim=1)
    tensor([[1., 2., 3.]])
    """
    array = as_array(input)
    index = as_index("take_along_dim", indices, array)
    if dim is None:
        places = check_bounds("take_along_dim", index.reshape(-1), 0, (array.size,))
        return _take_along_dim(reshape(input, (-1,)), places)
    axis = axis_of(array, dim, "take_along_dim")
    if index.ndim != array.ndim or array.ndim == 0:
        shapes = f"indices of shape {index.shape} and input of shape {array.shape}"
        raise ShapeError(f"take_along_dim: {shapes} need equally many axes, one or more")
    try:
        across = np.broadcast_shapes(*[each[:axis] + each[axis + 1 :] for each in (array.shape, index.shape)])
    except ValueError:
        raise ShapeError(
            f"take_along_dim: shapes {array.shape} and {index.shape} may differ along axis {axis} only"
        ) from None
    shape = (*across[:axis], array.shape[axis], *across[axis:])
    index = np.broadcast_to(index, (*across[:axis], index.shape[axis], *across[axis:]))
    check_bounds("take_along_dim", index, axis, array.shape)
    return _take_along_dim(input if array.shape == shape else expand(input, shape), grid(index, axis))


@accepts_numpy_names
def scatter(
    input: TensorLike,
    dim: int,
    index: TensorLike,
    src: TensorLike | None = None,
    *,
    value: float | None = None,
    reduce: str | None = None,
) -> Tensor:
    """input with out[i, …, index[i, j, …], …] = src[i, j, …], or = `value`. The reverse of gather.

    reduce="add" or "multiply" combines with what is there. dL/dinput = g, with 0 where it was overwritten; dL/dsrc = g
    gathered. If a place is named twice, one src stays and both get its gradient, as in PyTorch. reduce="multiply" has
    no gradient for src (TypeError). Raises IndexError for an index below 0 or beyond the axis, ValueError when index
    is larger than src, or than input beside `dim`; TypeError when input and src differ in dtype.

    >>> scatter(Tensor([[0.0, 0.0, 0.0]]), 1, Tensor([[2, 0]]), Tensor([[5.0, 6.0]]))
    tensor([[6., 0., 5.]])
    """
    if (src is None) == (value is None):
        raise TypeError("scatter: either src or value must be given, and not both")
    if reduce not in (None, "add", "multiply"):
        raise ValueError(f"scatter: reduce is 'add' or 'multiply', not {reduce!r}")
    at, source = for_writing("scatter", input, dim, index, value if src is None else src)
    wide = with_axes(input)
    if reduce is None:
        out = _scatter(wide, at, source)
    elif reduce == "add":
        out = _added(wide, at, source)
    else:
        if isinstance(source, TensorBase) and source.requires_grad:
            raise TypeError("scatter: reduce='multiply' has no gradient for src: write src.detach()")
        out = mul(wide, constant(combined(np.ones_like(as_array(wide)), at, as_array(source), np.multiply)))
    return like(out, input)


@accepts_numpy_names
def scatter_add(input: TensorLike, dim: int, index: TensorLike, src: TensorLike) -> Tensor:
    """input with out[i, …, index[i, j, …], …] += src[i, j, …]; what falls on one place adds up. The gradient of gather.

    dL/dinput = g; dL/dsrc = g gathered at `index`. Raises as scatter.

    >>> scatter_add(Tensor([0.0, 0.0]), 0, Tensor([1, 1, 0]), Tensor([1.0, 2.0, 4.0]))
    tensor([4., 3.])
    """
    at, source = for_writing("scatter_add", input, dim, index, src)
    return like(_added(with_axes(input), at, source), input)


@accepts_numpy_names
def index_select(input: TensorLike, dim: int, index: TensorLike) -> Tensor:
    """The slices of input at the places `index` along `dim`, repeats allowed. dL/dinput = g added into zeros there.

    Raises IndexError for an index below 0 or beyond the axis.

    >>> index_select(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, Tensor([1, 1, 0]))
    tensor([[2., 2., 1.],
            [4., 4., 3.]])
    """
    return like(_index_select(with_axes(input), _slices("index_select", input, dim, index)), input)


@accepts_numpy_names
def index_add(input: TensorLike, dim: int, index: TensorLike, source: TensorLike, *, alpha: float = 1) -> Tensor:
    """input with alpha · source added in slice by slice: out[index[j]] += alpha · source[j] along `dim`.

    dL/dinput = g; dL/dsource = alpha · g at `index`. Raises IndexError for an index below 0 or beyond the axis,
    ValueError when source's shape does not fit, TypeError when the dtypes differ.

    >>> index_add(Tensor([0.0, 0.0]), 0, Tensor([1, 1]), Tensor([1.0, 2.0]), alpha=10)
    tensor([ 0., 30.])
    """
    at, source = sliced_source("index_add", input, dim, index, source)
    dtype = as_array(input).dtype
    if dtype.kind != "f" and isinstance(alpha, float):
        raise DtypeError(f"index_add: alpha is {alpha}, but the Tensor holds {dtype}")
    if alpha != 1:
        source = mul(source, alpha)
    return like(_added(with_axes(input), at, source), input)


@accepts_numpy_names
def index_copy(input: TensorLike, dim: int, index: TensorLike, source: TensorLike) -> Tensor:
    """input with the slices at `index` along `dim` replaced by those of source: out[index[j]] = source[j].

    dL/dinput = g with 0 there; dL/dsource = g at `index`. Raises as index_add.

    >>> index_copy(Tensor([1.0, 2.0, 3.0]), 0, Tensor([2, 0]), Tensor([5.0, 6.0]))
    tensor([6., 2., 5.])
    """
    at, source = sliced_source("index_copy", input, dim, index, source)
    return like(_index_copy(with_axes(input), at, source), input)


@accepts_numpy_names
def index_fill(input: TensorLike, dim: int, index: TensorLike, value: TensorLike) -> Tensor:
    """input with the slices at `index` along `dim` filled with one number, which may be a Tensor of shape ().

    dL/dinput = g with 0 there; dL/dvalue = Σ g there, repeats counted once. Indices below 0 count from the end.
    Raises IndexError beyond the axis, ValueError when value has axes.

    >>> index_fill(Tensor([1.0, 2.0, 3.0]), 0, Tensor([0, -1]), 9.0)
    tensor([9., 2., 9.])
    """
    if np.ndim(as_array(value)):
        raise ShapeError(f"index_fill: value must be one number, not of shape {as_array(value).shape}")
    *before, rows = _slices("index_fill", input, dim, index, lowest=None)
    named = xp(rows).zeros(with_axes(as_array(input)).shape[len(before)], bool)
    named[rows] = True
    return like(_index_fill(with_axes(input), (*before, named), as_written(as_array(input), value)), input)


def _one_by_one(name: str, array: Any, dim: int, index: Any) -> Index:
    """The index of gather and scatter, one number for every element, as a tuple of index arrays."""
    axis, shape = axis_of(array, dim, name), array.shape or (1,)
    index = index if index.ndim else index.reshape(1)  # a single number counts as one axis of size 1
    _require_inside(name, index.shape, "input", shape, axis)
    return grid(check_bounds(name, index, axis, shape, lowest=0), axis)


def _require_inside(name: str, index: Shape, what: str, shape: Shape, free: int | None = None) -> None:
    """Raises ValueError unless the index has as many axes, and none longer but the axis `free`."""
    if len(index) != len(shape):
        raise ShapeError(f"{name}: index of shape {index} and {what} of shape {shape} need equally many axes")
    if any(few > many and axis != free for axis, (few, many) in enumerate(zip(index, shape, strict=True))):
        except_for = "" if free is None else f" beside axis {free}"
        raise ShapeError(f"{name}: index of shape {index} is larger than {what} of shape {shape}{except_for}")


def grid(index: Any, axis: int) -> Index:
    """`index` at `axis`; along each other axis every element stays where it is."""
    return tuple(
        index if each == axis else xp(index).arange(size).reshape((-1,) + (1,) * (index.ndim - 1 - each))
        for each, size in enumerate(index.shape)
    )


def for_writing(name: str, input: TensorLike, dim: int, index: TensorLike, source: Any) -> tuple[Index, Any]:
    """The index of scatter and what is to be written there, cut to the index's shape."""
    array = as_array(input)
    places = as_index(name, index, array)
    at = _one_by_one(name, array, dim, places)
    if type(source) in NUMBERS:
        return at, xp(array).full(places.shape, source, array.dtype)
    source = source_for(name, array, source)
    _require_inside(name, places.shape, "src", source.shape)
    return at, source if source.shape == places.shape else pick(source, tuple(slice(size) for size in places.shape))


def _slices(name: str, input: TensorLike, dim: int, index: TensorLike, lowest: int | None = 0) -> Index:
    """The index that names whole slices across axis `dim`."""
    array = as_array(input)
    axis, places = axis_of(array, dim, name), as_index(name, index, array)
    if places.ndim > 1:
        raise ShapeError(f"{name}: the index has one axis, not shape {places.shape}")
    check_bounds(name, places, axis, array.shape or (1,), lowest)
    return (*(slice(None),) * axis, places.reshape(-1))


def sliced_source(name: str, input: TensorLike, dim: int, index: TensorLike, source: TensorLike) -> tuple[Index, Any]:
    """The index that names slices, and what is to be written there."""
    array = as_array(input)
    at, source = _slices(name, input, dim, index), source_for(name, array, source)
    shape, axis = array.shape or (1,), len(at) - 1
    wanted = (*shape[:axis], at[-1].size, *shape[axis + 1 :])
    if np.shape(source) == () and wanted == (1,):
        return at, reshape(source, (1,))
    if np.shape(source) != wanted:
        raise ShapeError(
            f"{name}: source has shape {np.shape(source)}; the slices of shape {array.shape} need {wanted}"
        )
    return at, source


def _added(input: TensorLike, index: Index, source: Any) -> Tensor:
    """input with the source added in at `index`, repeats too."""
    return add(input, unindex(source, index, as_array(input).shape))


def combined(out: Any, at: Index, source: Any, ufunc: Any) -> Any:
    """out with the source combined in by a ufunc, repeats too: on the host, where alone repeats can be combined."""
    whole = to_host(out).copy()
    ufunc.at(whole, tuple([to_host(each) for each in at]), to_host(source))
    return xp(out).asarray(whole)


def with_axes(input: TensorLike) -> Any:
    """A single number as one axis of size 1."""
    return input if as_array(input).ndim else reshape(input, (1,))


def like(out: Tensor, input: TensorLike) -> Tensor:
    """A single number again, if input is one."""
    return out if as_array(input).ndim else reshape(out, ())

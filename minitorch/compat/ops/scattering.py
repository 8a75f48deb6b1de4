"""Numbers put into a copy of a Tensor: combined where indices meet, into a slice, where a mask holds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.identity import as_mask
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.ops.gather_scatter import combined, for_writing, like, sliced_source, with_axes
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names, axis_in
from minitorch.ops.choice import masked_fill, where
from minitorch.ops.conversion import cast
from minitorch.ops.creation import as_tensor
from minitorch.ops.index import pick, replacing, unindex
from minitorch.ops.indexing import as_index, check_bounds, source_for
from minitorch.ops.movement import broadcast_to
from minitorch.types import Shape, TensorLike

__all__ = ["diagonal_scatter", "fill", "index_reduce", "masked_scatter", "nonzero_static", "put", "scatter_reduce"]
__all__ += ["select_scatter", "slice_scatter"]

_put, _masked_scatter, _select_scatter = map(replacing, ("put", "masked_scatter", "select_scatter"))
_slice_scatter, _diagonal_scatter = map(replacing, ("slice_scatter", "diagonal_scatter"))

# -- combined where indices meet ---------------------------------------------------------------------------------------


@primitive(name="scatter_reduce")
def _extreme(input: Any, source: Any, at: Any, ufunc: Any) -> Any:
    return combined(input, at, source, ufunc)


def _share(g: Any, input: Any, source: Any, out: Any, at: Any) -> Any:
    """g over how many numbers are the extreme of their place, which share it."""
    ours, theirs, result = (getattr(each, "_data", each) for each in (input, source, out))
    count = np.equal(ours, result) + unindex.raw(np.equal(theirs, result[at]).astype(ours.dtype), at, ours.shape)
    return g / np.maximum(count, 1)


_extreme.vjp(
    input=lambda g, input, source, out, at: _share(g, input, source, out, at) * np.equal(input, out),
    source=lambda g, input, source, out, at: (
        pick.raw(_share(g, input, source, out, at), at) * np.equal(source, pick.raw(out, at))
    ),
)


@primitive(name="scatter_reduce")
def _product(input: Any, source: Any, at: Any) -> Any:
    return combined(input, at, source, np.multiply)


def _product_wrt_source(g: Any, input: Any, source: Any, at: Any) -> Any:
    """The product of the others, by division; where a 0 is among them, what is left of it and the zeros themselves.

    The zeros are factors of their own, so that the gradient of the gradient is right there, too.
    """
    zero_in, zero = np.equal(input, 0), np.equal(source, 0)
    lone = np.where(zero, 1, source)
    without = pick.raw(_product.raw(np.where(zero_in, 1, input), lone, at), at)
    marks = getattr(zero, "_data", zero).astype(getattr(input, "_data", input).dtype)
    count = pick.raw(unindex.raw(marks, at, input.shape) + getattr(zero_in, "_data", zero_in), at)
    zeros = pick.raw(unindex.raw(np.where(zero, source, 0), at, input.shape) + np.where(zero_in, input, 0), at)
    of_zero = np.where(count < 2, 1, np.where(count < 3, zeros - source, 0))
    of_others = np.where(count < 1, 1, np.where(count < 2, zeros, 0)) / lone
    return pick.raw(g, at) * without * np.where(zero, of_zero, of_others)


_product.vjp(
    input=lambda g, input, source, at: g * _product.raw(np.ones_like(input), source, at), source=_product_wrt_source
)

_UFUNCS = {"amax": np.maximum, "amin": np.minimum}
_NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "amax": -math.inf, "amin": math.inf}


def _reduced(name: str, wide: Any, at: Any, source: Any, reduce: str, include_self: bool) -> Any:
    array = as_array(wide)
    if reduce not in _NEUTRAL:
        raise ValueError(f"{name}: reduce is {', '.join(map(repr, _NEUTRAL))}, not {reduce!r}")
    counts = unindex.raw(xp(array).ones(np.shape(as_array(source)), array.dtype), at, array.shape)
    base: Any = wide
    if not include_self:
        neutral = _NEUTRAL[reduce]
        if math.isinf(neutral) and array.dtype.kind != "f":
            limits = np.iinfo(array.dtype)
            neutral = limits.min if reduce == "amax" else limits.max
        base = where(counts > 0, constant(xp(array).full((), neutral, array.dtype)), wide)
    if reduce in _UFUNCS:
        return _extreme(base, source, at, _UFUNCS[reduce])
    if reduce == "prod":
        return _product(base, source, at)
    out = base + unindex(source, at, array.shape)
    if reduce == "mean":
        n = np.maximum(counts + include_self, 1)
        out = out / n if array.dtype.kind == "f" else out // n.astype(array.dtype)
    return out


@accepts_numpy_names
def scatter_reduce(
    input: TensorLike, dim: int, index: TensorLike, src: TensorLike, reduce: str, *, include_self: bool = True
) -> Tensor:
    """input with src combined in at `index` along `dim`, as `scatter` writes: "sum", "prod", "mean", "amax" or "amin".

    include_self: whether what was there before counts. Extremes share their gradient between ties. Raises as `scatter`,
    ValueError for another reduce.

    >>> scatter_reduce(Tensor([1.0, 2.0]), 0, Tensor([0, 0, 1]), Tensor([5.0, 3.0, 1.0]), "amax")
    tensor([5., 2.])
    """
    at, source = for_writing("scatter_reduce", input, dim, index, src)
    return like(_reduced("scatter_reduce", with_axes(input), at, source, reduce, include_self), input)


@accepts_numpy_names
def index_reduce(
    input: TensorLike, dim: int, index: TensorLike, source: TensorLike, reduce: str, *, include_self: bool = True
) -> Tensor:
    """input with the slices of source combined in at `index` along `dim`: "prod", "mean", "amax" or "amin".

    include_self: whether what was there before counts. Raises as `index_add`, ValueError for another reduce.

    >>> index_reduce(Tensor([1.0, 2.0]), 0, Tensor([0, 0]), Tensor([5.0, 3.0]), "prod")
    tensor([15.,  2.])
    """
    if reduce == "sum":
        raise ValueError("index_reduce: reduce is 'prod', 'mean', 'amax' or 'amin': index_add sums")
    at, source = sliced_source("index_reduce", input, dim, index, source)
    return like(_reduced("index_reduce", with_axes(input), at, source, reduce, include_self), input)


# -- in places ---------------------------------------------------------------------------------------------------------


def put(input: TensorLike, index: TensorLike, source: TensorLike, accumulate: bool = False) -> Tensor:
    """input with source at the places `index` of the flat layout; with accumulate, added to what is there.

    dL/dinput = g, with 0 where it was replaced; dL/dsource = g there. Raises IndexError for a place that there is not,
    ValueError unless source has as many numbers as index.

    >>> put(Tensor([[1.0, 2.0]]), Tensor([1]), Tensor([9.0]))
    tensor([[1., 9.]])
    """
    array = as_array(input)
    at = check_bounds("put", as_index("put", index, array), 0, (array.size,)).reshape(-1)
    values = source_for("put", array, source)
    if as_array(values).size != at.size:
        raise ValueError(f"put: {as_array(values).size} numbers for {at.size} places: they must be as many")
    flat, values = as_tensor(input).reshape(-1), as_tensor(values).reshape(-1)
    out = flat + unindex(values, (at,), (array.size,)) if accumulate else _put(flat, (at,), values)
    return out.reshape(array.shape)


def masked_scatter(input: TensorLike, mask: TensorLike, source: TensorLike) -> Tensor:
    """input with the numbers of source, one after the other, where the mask holds, which broadcasts.

    dL/dinput = g where it does not hold, dL/dsource = g where it does. Raises ValueError when source has too few.

    >>> masked_scatter(Tensor([1.0, 2.0, 3.0]), Tensor([True, False, True]), Tensor([7.0, 8.0]))
    tensor([7., 2., 8.])
    """
    array, chosen = as_array(input), as_mask("masked_scatter", "the mask", mask)
    values = source_for("masked_scatter", array, source)
    shape = np.broadcast_shapes(array.shape, chosen.shape)
    at = xp(array).nonzero(np.broadcast_to(chosen, shape).reshape(-1))[0]
    if as_array(values).size < at.size:
        raise ValueError(f"masked_scatter: {at.size} places, but source has {as_array(values).size} numbers")
    given = as_tensor(input)
    flat = (given if array.shape == shape else given.expand(shape)).reshape(-1)
    first = pick(as_tensor(values).reshape(-1), (slice(0, at.size),))
    return _masked_scatter(flat, (at,), first).reshape(shape)


@accepts_numpy_names
def select_scatter(input: TensorLike, src: TensorLike, dim: int, index: int) -> Tensor:
    """input with src in the place of the slice at `index` along `dim`. Raises ValueError unless src has its shape.

    >>> select_scatter(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([9.0, 9.0]), 0, 1)
    tensor([[1., 2.],
            [9., 9.]])
    """
    array = as_array(input)
    axis = axis_in(array.shape, dim, "select_scatter")
    if not -array.shape[axis] <= index < array.shape[axis]:
        raise IndexError(f"select_scatter: index {index} is out of range for axis {dim} of shape {array.shape}")
    return _into("select_scatter", _select_scatter, input, (slice(None),) * axis + (int(index), ...), src)


@accepts_numpy_names
def slice_scatter(
    input: TensorLike, src: TensorLike, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """input with src in the place of input[start:end:step] along `dim`. Raises ValueError unless src has its shape.

    >>> slice_scatter(Tensor([1.0, 2.0, 3.0]), Tensor([9.0, 9.0]), 0, 1)
    tensor([1., 9., 9.])
    """
    axis = axis_in(as_array(input).shape, dim, "slice_scatter")
    if step < 1:
        raise ValueError(f"slice_scatter: step {step} must be at least 1")
    return _into("slice_scatter", _slice_scatter, input, (slice(None),) * axis + (slice(start, end, step),), src)


def diagonal_scatter(input: TensorLike, src: TensorLike, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """input with src on the diagonal that `diagonal` shows. Raises ValueError unless src has its shape.

    >>> diagonal_scatter(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([9.0, 9.0]))
    tensor([[9., 2.],
            [3., 9.]])
    """
    shape = as_array(input).shape
    rows, columns = (axis_in(shape, each, "diagonal_scatter") for each in (dim1, dim2))
    size = max(min(shape[rows] + min(offset, 0), shape[columns] - max(offset, 0)), 0)
    turned = as_tensor(input).movedim((rows, columns), (-2, -1))
    at = xp(as_array(input)).arange(size)
    out = _into("diagonal_scatter", _diagonal_scatter, turned, (..., at - min(offset, 0), at + max(offset, 0)), src)
    return out.movedim((-2, -1), (rows, columns))


def _into(name: str, operation: Any, input: Any, at: Any, src: TensorLike) -> Tensor:
    wanted: Shape = as_array(input)[at].shape
    if as_array(src).shape != wanted:
        raise ShapeError(f"{name}: src of shape {as_array(src).shape} must have that of its place, {wanted}")
    return operation(input, at, cast(src, as_array(input).dtype))  # type: ignore[no-any-return]


def fill(input: TensorLike, value: TensorLike) -> Tensor:
    """A Tensor of input's shape and dtype that holds `value` everywhere. dL/dinput = 0, dL/dvalue = Σ g.

    Raises ValueError when value has axes.

    >>> fill(Tensor([1.0, 2.0]), 5.0)
    tensor([5., 5.])
    """
    array = as_array(input)
    if np.ndim(as_array(value)):
        raise ShapeError(f"fill: value must be one number, not of shape {as_array(value).shape}")
    one = value if not isinstance(value, (int, float)) else constant(xp(array).full((), value, array.dtype))
    return broadcast_to(cast(one, array.dtype), array.shape)


def fill_diagonal(input: TensorLike, fill_value: float, wrap: bool = False) -> Tensor:
    """Input with `fill_value` where all indices are equal. dL/dinput = g, and 0 there. PyTorch has it in place alone.

    wrap: in a tall matrix the diagonal begins again after an empty row. Raises ValueError for fewer than two axes, and
    for more of different sizes.

    >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).fill_diagonal_(0.0)
    tensor([[0., 2.],
            [3., 0.]])
    """
    array = as_array(input)
    if array.ndim < 2 or (array.ndim > 2 and len(set(array.shape)) > 1):
        raise ShapeError(f"fill_diagonal_: shape {array.shape} is no matrix, and not of three or more equal axes")
    step = 1 + sum(math.prod(array.shape[axis:]) for axis in range(1, array.ndim))  # from one of them to the next
    chosen = xp(array).zeros(array.size, bool)
    chosen[: None if wrap else step * min(array.shape) : step] = True
    return masked_fill(input, chosen.reshape(array.shape), fill_value)


def nonzero_static(input: TensorLike, *, size: int, fill_value: int = -1) -> Tensor:
    """`nonzero` cut or filled up with `fill_value` to `size` rows. No gradient. Raises ValueError for a negative size.

    >>> nonzero_static(Tensor([0.0, 2.0]), size=2)
    tensor([[ 1],
            [-1]])
    """
    if size < 0:
        raise ValueError(f"nonzero_static: size {size} must not be negative")
    array = as_array(input)
    found = xp(array).argwhere(array)[:size]
    rest = xp(array).full((size - len(found), array.ndim), fill_value, np.int64)
    return constant(np.concatenate([found, rest]))

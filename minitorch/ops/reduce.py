"""Many numbers in, fewer out: sums, means, extremes.

`dim` is one axis, a tuple of axes or None for all; `keepdim=True` leaves each reduced axis at size 1.
"""

from __future__ import annotations

import builtins
import math
from typing import Any, NamedTuple

import numpy as np

from minitorch.autograd.handle import as_array, constant
from minitorch.autograd.primitive import primitive
from minitorch.ops.elementwise import exp, log, maximum, sub
from minitorch.ops.spelling import accepts_numpy_names
from minitorch.types import Dim, Shape, TensorLike


def stretched(g: Any, x_shape: Shape, dim: Dim, keepdim: bool) -> Any:
    """A reduced array, repeated along the axes that the reduction removed: shape (…) → x_shape."""
    return np.broadcast_to(kept(g, x_shape, dim, keepdim), x_shape)


def kept(reduced: Any, x_shape: Shape, dim: Dim, keepdim: bool) -> Any:
    """A reduced array with every reduced axis at size 1, as if `keepdim=True` had been asked for."""
    if keepdim:
        return reduced
    gone = reduced_dims(len(x_shape), dim)
    return reduced.reshape([1 if axis in gone else size for axis, size in enumerate(x_shape)])


def reduced_dims(ndim: int, dim: Dim) -> Shape:
    """`dim` as a tuple of axes counted from the front."""
    if dim is None:
        return tuple(range(ndim))
    return tuple([axis % builtins.max(ndim, 1) for axis in (dim if isinstance(dim, (tuple, list)) else (dim,))])


def as_axis(dim: Dim | list[int]) -> Dim:
    """`dim` as NumPy's functions take it: a list as a tuple."""
    return tuple(dim) if isinstance(dim, list) else dim


def as_float(x: Any) -> Any:
    """Integers as floats, which -inf can be compared with."""
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def count(x_shape: Shape, dim: Dim) -> int:
    """How many numbers go into each result."""
    return math.prod([x_shape[axis] for axis in reduced_dims(len(x_shape), dim)]) if x_shape else 1


@primitive
def sum(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """Σ x over `dim`. dL/dx = g, repeated along the summed axes.

    >>> sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([4., 6.])
    """
    return np.sum(x, axis=as_axis(dim), keepdims=keepdim)


sum.vjp(x=lambda g, x_shape, dim, keepdim: stretched(g, x_shape, dim, keepdim))


@primitive
def mean(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """Σ x / n over `dim`. dL/dx = g / n, repeated along the averaged axes.

    >>> mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    tensor([1.5000, 3.5000])
    """
    total = np.sum(x, axis=as_axis(dim), keepdims=keepdim)
    n = count(x.shape, dim)
    return total / n if n else total * np.nan


mean.vjp(x=lambda g, x_shape, dim, keepdim: stretched(g / builtins.max(count(x_shape, dim), 1), x_shape, dim, keepdim))


@primitive
def var(x: Any, dim: Dim = None, correction: float = 1, keepdim: bool = False) -> Any:
    """Σ (x - mean)² / (n - correction) over `dim`; correction 1 is Bessel's.

    dL/dx = g · 2 (x - mean) / (n - correction). The result is nan when n ≤ correction.

    >>> var(Tensor([1.0, 2.0, 3.0]))
    tensor(1.)
    """
    off = x - _centre(x, dim)
    divisor = builtins.max(count(x.shape, dim) - correction, 0)
    total = np.sum(off * off, axis=as_axis(dim), keepdims=keepdim)
    return total / divisor if divisor else total * np.nan


def _centre(x: Any, dim: Dim) -> Any:
    return np.sum(x, axis=as_axis(dim), keepdims=True) / builtins.max(count(x.shape, dim), 1)


def _var_wrt_x(g: Any, x: Any, dim: Dim, correction: float, keepdim: bool) -> Any:
    divisor = builtins.max(count(x.shape, dim) - correction, 0)
    g = kept(g, x.shape, dim, keepdim)
    return g * ((x - _centre(x, dim)) * (2 / divisor if divisor else np.nan))


var.vjp(x=_var_wrt_x)


@primitive
def amax(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """The largest over `dim`. The gradient is shared evenly between ties, as in PyTorch.

    Raises ValueError over an axis of size 0.

    >>> amax(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1)
    tensor([5., 7.])
    """
    if x.size == 0 and count(x.shape, dim) == 0:
        raise ValueError(f"shape {x.shape} has nothing along dim {dim} to take the largest of")
    return np.amax(x, axis=as_axis(dim), keepdims=keepdim)


def _amax_wrt_x(g: Any, x: Any, out: Any, dim: Dim, keepdim: bool) -> Any:
    ties = x == kept(out, x.shape, dim, keepdim)
    return ties * (kept(g, x.shape, dim, keepdim) / np.sum(ties, axis=as_axis(dim), keepdims=True, dtype=x.dtype))


amax.vjp(x=_amax_wrt_x)


class MaxResult(NamedTuple):
    """What `max` over one axis returns: the largest values, and where they stood (a constant)."""

    values: Any
    indices: Any


@accepts_numpy_names
def max(x: TensorLike, dim: Any = None, keepdim: bool = False) -> Any:
    """The largest of all (ties share the gradient), or along one axis the largest and its index, which gets it all.

    Returns a Tensor without `dim`, `(values, indices)` with one; `max(x, y)` of two Tensors is `maximum`.

    >>> max(Tensor([[1.0, 5.0], [7.0, 2.0]]), dim=1).indices
    tensor([1, 0])
    """
    if dim is None:
        return amax(x, None, keepdim)
    if not isinstance(dim, (int, np.integer)):
        return maximum(x, dim)
    array = as_array(x)
    if not -builtins.max(array.ndim, 1) <= dim < builtins.max(array.ndim, 1):
        raise IndexError(f"max: axis {dim} does not exist in shape {array.shape}")
    if array.ndim == 0:
        return MaxResult(amax(x, None, keepdim), constant(np.zeros((), np.int64)))
    if array.shape[dim] == 0:
        raise ValueError(f"max: axis {dim} of shape {array.shape} has size 0, so it has no largest element")
    index = np.argmax(array, axis=dim, keepdims=True)
    shape = index.shape if keepdim else tuple(np.delete(index.shape, dim))
    return MaxResult(_pick(x, index, int(dim), shape), constant(index.reshape(shape)))


def _picked(x: Any, index: Any, dim: int, shape: Shape) -> Any:
    return np.take_along_axis(x, index, dim).reshape(shape)


def _pick_wrt_x(g: Any, index: Any, dim: int, x_shape: Shape) -> Any:
    buffer = np.zeros(x_shape, g.dtype)
    np.put_along_axis(buffer, index, g.reshape(index.shape), dim)
    return buffer


_pick = primitive(_picked, "One element along an axis, by index.", name="max", x=_pick_wrt_x)


def _logsumexp(x: Any, dim: Dim, keepdim: bool = False) -> Any:
    x = as_float(x)
    axis = as_axis(dim)
    top = np.amax(x, axis=axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)  # all -inf, or +inf: nothing to subtract
    with np.errstate(divide="ignore"):  # ln 0 = -inf is the right answer there
        out = np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)) + top
    gone = () if keepdim else reduced_dims(x.ndim, dim)
    return out.reshape([size for place, size in enumerate(out.shape) if place not in gone])


def _logsumexp_composed(x: TensorLike, dim: Dim, keepdim: bool = False) -> Any:
    top = constant(np.amax(as_array(x), axis=dim, keepdims=True))
    return log(sum(exp(sub(x, top)), dim, keepdim)) + (top if keepdim else top.reshape(sum(top, dim).shape))


logsumexp = primitive(
    _logsumexp,
    """ln Σ e**x over `dim`, shifted by the largest x so that nothing overflows. dL/dx = g · softmax(x).

    >>> logsumexp(Tensor([100.0, 100.0]), dim=0)
    tensor(100.6931)
    """,
    name="logsumexp",
    composed=_logsumexp_composed,
    x=lambda g, x, out, dim, keepdim: kept(g, x.shape, dim, keepdim) * np.exp(x - kept(out, x.shape, dim, keepdim)),
)

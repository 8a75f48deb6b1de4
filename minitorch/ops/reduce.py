"""Reductions, many numbers into fewer: sums, means, products, spreads.

`dim` is one axis, a tuple of axes or None for all; `keepdim=True` leaves each reduced axis at size 1.
"""

from __future__ import annotations

import builtins
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.identity import as_values
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import accumulation_dtype, as_float
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import as_result
from minitorch.callers import warn
from minitorch.errors import DtypeError
from minitorch.ops._dims import accepts_numpy_names, as_axis, count, expand_reduced, reduced_dims, stretched
from minitorch.ops.arithmetic import div, sub
from minitorch.ops.unary import exp, log
from minitorch.types import Dim, Shape, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "all",
    "any",
    "count_nonzero",
    "logsumexp",
    "mean",
    "nanmean",
    "nansum",
    "prod",
    "std",
    "std_mean",
    "sum",
    "var",
    "var_mean",
]


@primitive
def sum(input: Any, dim: Dim = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Σ input over `dim`, computed in `dtype` if one is given. dL/dinput = g, repeated along the summed axes.

    >>> sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([4., 6.])
    """
    return input.sum(axis=as_axis(dim), keepdims=keepdim, dtype=accumulation_dtype(input, dtype))


sum.vjp(input=lambda g, input_shape, dim, keepdim: stretched(g, input_shape, dim, keepdim))


@primitive
def mean(input: Any, dim: Dim = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Σ input / n over `dim`, computed in `dtype` if one is given. dL/dinput = g / n, repeated along the averaged axes.

    The mean of nothing is nan. Raises TypeError for a dtype of integers.

    >>> mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    tensor([1.5000, 3.5000])
    """
    if dtype is not None and np.dtype(dtype).kind != "f":
        raise DtypeError(f"mean: a mean is a float, so dtype cannot be {np.dtype(dtype)}")
    total = np.sum(input, axis=as_axis(dim), keepdims=keepdim, dtype=dtype)
    n = count(input.shape, dim)
    return total / n if n else total * np.nan


def _mean_wrt_input(g: Any, input_shape: Shape, dim: Dim, keepdim: bool) -> Any:
    return stretched(g / builtins.max(count(input_shape, dim), 1), input_shape, dim, keepdim)


mean.vjp(input=_mean_wrt_input)


@primitive
def prod(input: Any, dim: Dim = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Π input over `dim`, computed in `dtype` if one is given. dL/dinput = g · the product of the others.

    That product is multiplied out, not divided out, so it is exact at zeros, however many there are.

    >>> prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    tensor([ 2., 12.])
    """
    return np.prod(input, axis=as_axis(dim), keepdims=keepdim, dtype=accumulation_dtype(input, dtype))


def _prod_wrt_input(g: Any, input: Any, dim: Dim, keepdim: bool) -> Any:
    gone = reduced_dims(input.ndim, dim)
    order = [axis for axis in range(input.ndim) if axis not in gone] + list(gone)
    turned = np.transpose(input, order)
    others = _others(turned.reshape((*turned.shape[: len(order) - len(gone)], count(input.shape, dim))))
    back = [order.index(axis) for axis in range(input.ndim)]
    return expand_reduced(g, input.shape, dim, keepdim) * np.transpose(others.reshape(turned.shape), back)


def _others(x: Any) -> Any:
    """For each number along the last axis the product of all the others, by halves: O(n) products of whole arrays."""
    half = x.shape[-1] // 2
    if half == 0:
        return np.ones_like(x)
    left, right, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    of_pairs = _others(np.concatenate([left * right, rest], axis=-1))
    pairs = of_pairs[..., :half]
    return np.concatenate([pairs * right, pairs * left, of_pairs[..., half:]], axis=-1)


prod.vjp(input=_prod_wrt_input)


@primitive
def nansum(input: Any, dim: Dim = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Σ of what is not nan over `dim`. dL/dinput = g, and 0 where input is nan.

    >>> nansum(Tensor([1.0, float("nan"), 2.0]))
    tensor(3.)
    """
    numbers = np.where(np.isnan(input), 0, input) if input.dtype.kind == "f" else input
    return np.sum(numbers, axis=as_axis(dim), keepdims=keepdim, dtype=accumulation_dtype(input, dtype))


def _nansum_wrt_input(g: Any, input: Any, dim: Dim, keepdim: bool) -> Any:
    return expand_reduced(g, input.shape, dim, keepdim) * np.logical_not(np.isnan(input))


nansum.vjp(input=_nansum_wrt_input)


@accepts_numpy_names
def nanmean(input: TensorLike, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean of what is not nan over `dim`: nan where there is nothing else. dL/dinput = g / n, 0 where it is nan.

    >>> nanmean(Tensor([1.0, float("nan"), 2.0]))
    tensor(1.5000)
    """
    numbers = np.logical_not(np.isnan(as_array(input)))
    n, total = np.sum(numbers, axis=as_axis(dim), keepdims=keepdim), nansum(input, dim, keepdim, dtype)
    return div(total, np.where(n == 0, math.nan, n).astype(total.dtype if total.dtype.kind == "f" else np.float32))


def _centre(input: Any, dim: Dim) -> Any:
    return np.sum(input, axis=as_axis(dim), keepdims=True) / builtins.max(count(input.shape, dim), 1)


def _divisor(input_shape: Shape, dim: Dim, correction: float) -> float:
    return builtins.max(count(input_shape, dim) - correction, 0)


@primitive(name="var")
def _var(input: Any, dim: Dim, correction: float, keepdim: bool) -> Any:
    off = input - _centre(input, dim)
    total = np.sum(off * off, axis=as_axis(dim), keepdims=keepdim)
    divisor = _divisor(input.shape, dim, correction)
    return total / divisor if divisor else _over_nothing(total)


def _over_nothing(x: Any) -> Any:
    """|x| / 0, without a warning: nan for 0, else infinite."""
    return np.absolute(np.where(np.equal(x, 0), math.nan, x)) * math.inf


def _var_wrt_input(g: Any, input: Any, dim: Dim, correction: float, keepdim: bool) -> Any:
    off, divisor = input - _centre(input, dim), _divisor(input.shape, dim, correction)
    g = expand_reduced(g, input.shape, dim, keepdim)
    return g * (off * (2 / divisor)) if divisor else g * _over_nothing(off)


_var.vjp(input=_var_wrt_input)


@primitive(name="std")
def _std(input: Any, dim: Dim, correction: float, keepdim: bool) -> Any:
    return np.sqrt(_var.raw(input, dim, correction, keepdim))


def _std_wrt_input(g: Any, input: Any, out: Any, dim: Dim, correction: float, keepdim: bool) -> Any:
    steep = np.not_equal(out, 0)
    slope = np.where(steep, g, 0) / (2 * np.where(steep, out, 1))
    return _var_wrt_input(slope, input, dim, correction, keepdim)


_std.vjp(input=_std_wrt_input)


def _spread_options(dim: Any, correction: Any, unbiased: bool | None) -> tuple[Dim, float]:
    """PyTorch's older spellings: `unbiased` is a correction of 1 or 0, and may stand where `dim` does."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None:
        return dim, int(unbiased)
    return dim, 1 if correction is None else correction


def warn_of_freedom(name: str, numbers: int, correction: float, what: str = "number") -> None:
    """Warn where the divisor, numbers - correction, is not above 0, as PyTorch does."""
    if numbers <= correction:
        other = " or correction=0" if numbers else ""
        warn(
            f"{name}: {numbers} {what}{'' if numbers == 1 else 's'} and correction={correction} leave no degree of "
            f"freedom, so the result is nan or infinite: give at least {math.floor(correction) + 1} {what}s{other}"
        )


def _spread(op: Any, name: str, input: TensorLike, dim: Dim, correction: float, keepdim: bool) -> Tensor:
    out: Tensor = op(input, dim, correction, keepdim)
    warn_of_freedom(name, count(as_array(input).shape, dim), correction)
    return out


@accepts_numpy_names
def var(
    input: TensorLike, dim: Any = None, correction: Any = 1, keepdim: bool = False, *, unbiased: bool | None = None
) -> Tensor:
    """Σ (x - mean)² / (n - correction) over `dim`; correction 1 is Bessel's (`unbiased=True`), 0 the population's.

    dL/dx = g · 2 (x - mean) / (n - correction). For n ≤ correction the divisor is 0: the result is nan or infinite,
    and a warning says so.

    >>> var(Tensor([1.0, 2.0, 3.0]))
    tensor(1.)
    """
    return _spread(_var, "var", input, *_spread_options(dim, correction, unbiased), keepdim)


@accepts_numpy_names
def std(
    input: TensorLike, dim: Any = None, correction: Any = 1, keepdim: bool = False, *, unbiased: bool | None = None
) -> Tensor:
    """√(Σ (x - mean)² / (n - correction)) over `dim`: the root of `var`.

    dL/dx = g · (x - mean) / ((n - correction) · out), and 0 where out is 0 (a sub-gradient).

    >>> std(Tensor([1.0, 3.0, 5.0]))
    tensor(2.)
    """
    return _spread(_std, "std", input, *_spread_options(dim, correction, unbiased), keepdim)


@accepts_numpy_names
def var_mean(
    input: TensorLike, dim: Any = None, correction: Any = 1, keepdim: bool = False, *, unbiased: bool | None = None
) -> tuple[Tensor, Tensor]:
    """(var, mean) over `dim`.

    >>> var_mean(Tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    dim, correction = _spread_options(dim, correction, unbiased)
    return _spread(_var, "var_mean", input, dim, correction, keepdim), mean(input, dim, keepdim)


@accepts_numpy_names
def std_mean(
    input: TensorLike, dim: Any = None, correction: Any = 1, keepdim: bool = False, *, unbiased: bool | None = None
) -> tuple[Tensor, Tensor]:
    """(std, mean) over `dim`.

    >>> std_mean(Tensor([1.0, 3.0, 5.0]))
    (tensor(2.), tensor(3.))
    """
    dim, correction = _spread_options(dim, correction, unbiased)
    return _spread(_std, "std_mean", input, dim, correction, keepdim), mean(input, dim, keepdim)


def _logsumexp(input: Any, dim: Dim, keepdim: bool = False) -> Any:
    input = as_float(input)
    axis = as_axis(dim)
    top: Any = 0
    if count(input.shape, dim):
        top = np.amax(input, axis=axis, keepdims=True)
        top = np.where(np.isfinite(top), top, 0)  # all -inf, or +inf: nothing to subtract
    with np.errstate(divide="ignore"):  # ln 0 = -inf is the right answer there
        out = np.log(np.sum(np.exp(input - top), axis=axis, keepdims=True)) + top
    gone = () if keepdim else reduced_dims(input.ndim, dim)
    return out.reshape([size for place, size in enumerate(out.shape) if place not in gone])


def _logsumexp_composed(input: TensorLike, dim: Dim, keepdim: bool = False) -> Any:
    top = constant(np.amax(as_array(input), axis=dim, keepdims=True))
    return log(sum(exp(sub(input, top)), dim, keepdim)) + (top if keepdim else top.reshape(sum(top, dim).shape))


def _logsumexp_wrt_input(g: Any, input: Any, out: Any, dim: Dim, keepdim: bool) -> Any:
    return expand_reduced(g, input.shape, dim, keepdim) * np.exp(input - expand_reduced(out, input.shape, dim, keepdim))


logsumexp = primitive(
    _logsumexp,
    """ln Σ e**x over `dim`, shifted by the largest x so that nothing overflows. dL/dx = g · softmax(x).

    >>> logsumexp(Tensor([100.0, 100.0]), dim=0)
    tensor(100.6931)
    """,
    name="logsumexp",
    composed=_logsumexp_composed,
    input=_logsumexp_wrt_input,
)


@accepts_numpy_names
def all(input: TensorLike, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Logical and over `dim`; every number but 0 counts as True (nan does): bools, without a gradient; True of nothing.

    >>> all(Tensor([[True, False], [True, True]]), dim=1)
    tensor([False,  True])
    """
    return constant(as_result(np.all(as_values("all", input), axis=_as_given(dim), keepdims=keepdim)))


@accepts_numpy_names
def any(input: TensorLike, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Logical or over `dim`; every number but 0 counts as True (nan does): bools, without a gradient; False of nothing.

    >>> any(Tensor([[True, False], [False, False]]), dim=1)
    tensor([ True, False])
    """
    return constant(as_result(np.any(as_values("any", input), axis=_as_given(dim), keepdims=keepdim)))


def _as_given(dim: Dim) -> int | tuple[int, ...] | None:
    """For `all` and `any`, no axis means none, as in PyTorch; for all other reductions it means every one."""
    return () if isinstance(dim, (tuple, list)) and not dim else as_axis(dim)


@accepts_numpy_names
def count_nonzero(input: TensorLike, dim: Dim = None) -> Tensor:
    """Number of elements over `dim` that are not 0 (nan is not): integers, without a gradient.

    >>> count_nonzero(Tensor([[1.0, 0.0], [2.0, 3.0]]), dim=1)
    tensor([1, 2])
    """
    return constant(as_result(np.sum(as_values("count_nonzero", input) != 0, axis=as_axis(dim))))

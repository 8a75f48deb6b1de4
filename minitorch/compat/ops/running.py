"""Along an axis: the largest and the smallest so far, sums of exponentials, areas and slopes of sampled functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import is_array, xp
from minitorch.compat.ops.gather_scatter import grid
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names, as_axes, axis_in
from minitorch.ops.creation import as_tensor
from minitorch.ops.index import picking
from minitorch.ops.joining import cat
from minitorch.ops.rearrange import narrow
from minitorch.ops.sort import ValuesAndIndices, axis_of
from minitorch.types import TensorLike

__all__ = ["cummax", "cummin", "cumulative_trapezoid", "gradient", "logcumsumexp", "trapezoid", "trapz"]

_cummax, _cummin = picking("cummax"), picking("cummin")

# -- extremes so far ---------------------------------------------------------------------------------------------------


def _places(array: Any, dim: int, better: Any) -> Any:
    """Return the position of the best number so far, the last one of ties, nan before all, in log₂ n steps."""
    values = np.moveaxis(array, dim, -1)
    size = values.shape[-1]
    at = np.broadcast_to(xp(array).arange(size), values.shape).copy()
    reach = 1
    while reach < size:
        here, before = values[..., reach:], values[..., :-reach]
        earlier = np.logical_or(better(before, here), np.isnan(before)) * np.logical_not(np.isnan(here))
        values = np.concatenate([values[..., :reach], np.where(earlier, before, here)], axis=-1)
        at = np.concatenate([at[..., :reach], np.where(earlier, at[..., :-reach], at[..., reach:])], axis=-1)
        reach *= 2
    return np.moveaxis(at, -1, dim)


def _extreme_so_far(name: str, operation: Any, better: Any, input: TensorLike, dim: int) -> ValuesAndIndices:
    array = as_array(input)
    axis = axis_of(array, dim, name)
    if array.ndim == 0:
        return ValuesAndIndices(operation(input, ()), constant(xp(array).zeros((), np.int64)))
    index = _places(array, axis, better)
    return ValuesAndIndices(operation(input, grid(index, axis)), constant(index))


@accepts_numpy_names
def cummax(input: TensorLike, dim: int) -> ValuesAndIndices:
    """(values, indices) of the largest so far along `dim`, the last one of ties; nan stays. dL/dinput = g, added up.

    Raises IndexError for a dim that there is not.

    >>> cummax(Tensor([1.0, 3.0, 2.0]), 0).values
    tensor([1., 3., 3.])
    """
    return _extreme_so_far("cummax", _cummax, np.greater, input, dim)


@accepts_numpy_names
def cummin(input: TensorLike, dim: int) -> ValuesAndIndices:
    """(values, indices) of the smallest so far along `dim`, the last one of ties; nan stays. dL/dinput = g, added up.

    Raises IndexError for a dim that there is not.

    >>> cummin(Tensor([3.0, 1.0, 2.0]), 0).values
    tensor([3., 1., 1.])
    """
    return _extreme_so_far("cummin", _cummin, np.less, input, dim)


# -- running sums of exponentials --------------------------------------------------------------------------------------


@primitive
def logcumsumexp(input: Any, dim: int) -> Any:
    """outᵢ = ln Σ e**input₀…ᵢ along `dim`, without overflow. dL/dinputⱼ = e**inputⱼ · Σ gᵢ e**-outᵢ over i ≥ j.

    Raises IndexError for a dim that there is not.

    >>> logcumsumexp(Tensor([0.0, 0.0, 1000.0]), 0)
    tensor([0.0000e+00, 6.9315e-01, 1.0000e+03])
    """
    axis = axis_of(input, dim, "logcumsumexp")
    if input.ndim == 0:
        return as_float(input).copy()
    values = np.moveaxis(as_float(input), axis, -1)
    reach = 1
    while reach < values.shape[-1]:
        together = np.logaddexp(values[..., reach:], values[..., :-reach])
        values = np.concatenate([values[..., :reach], together], axis=-1)
        reach *= 2
    return np.moveaxis(values, -1, axis)


def _logcumsumexp_wrt_input(g: Any, input: Any, out: Any, dim: int) -> Any:
    """Of weights e**(inputⱼ - outᵢ), which are never above 1: each against each."""
    if g.ndim == 0 or 0 in g.shape:
        return g
    g, input, out = (np.moveaxis(each, dim, -1) for each in (g, input, out))
    size = g.shape[-1]
    places = xp(g).arange(size)
    off = np.where(places[:, None] <= places, out[..., None, :] - input[..., :, None], np.inf)
    return np.moveaxis(np.sum(g[..., None, :] * np.exp(-off), axis=-1), -1, dim)


logcumsumexp.vjp(input=_logcumsumexp_wrt_input)

# -- areas and slopes --------------------------------------------------------------------------------------------------


def _areas(name: str, y: TensorLike, x: Any, dx: Any, dim: int) -> tuple[Tensor, int]:
    """The areas between neighbours, and their axis, counted from the end: x may have more axes than y."""
    shape = as_array(y).shape
    axis = axis_in(shape, dim, name)
    along, count = axis - len(shape), max(shape[axis] - 1, 0)
    sides = narrow(y, axis, min(count, 1), count) + narrow(y, axis, 0, count)
    if x is None:
        return sides * (dx / 2), along
    places = as_tensor(x)
    if places.ndim == 1:
        if len(places) != shape[axis]:
            message = f"x of shape {places.shape} must name the {shape[axis]} places along axis {axis} of y"
            raise ShapeError(f"{name}: {message}")
        places = places.reshape((-1,) + (1,) * (-1 - along))
    return sides * places.diff(dim=along) / 2.0, along


@accepts_numpy_names
def trapezoid(y: TensorLike, x: TensorLike | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """∫ y along `dim` by the trapezoidal rule: Σ (yᵢ + yᵢ₊₁)/2 · (xᵢ₊₁ - xᵢ), the places being `dx` apart without x.

    Raises ValueError when x does not fit, IndexError for a dim that there is not.

    >>> trapezoid(Tensor([1.0, 2.0, 3.0]))
    tensor(4.)
    """
    areas, along = _areas("trapezoid", y, x, dx, dim)
    return areas.sum(along)


@accepts_numpy_names
def trapz(y: TensorLike, x: TensorLike | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """`trapezoid` under its older name.

    >>> trapz(Tensor([1.0, 2.0, 3.0]))
    tensor(4.)
    """
    return trapezoid(y, x, dx=dx, dim=dim)


@accepts_numpy_names
def cumulative_trapezoid(y: TensorLike, x: TensorLike | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """`trapezoid` up to each place but the first.

    >>> cumulative_trapezoid(Tensor([1.0, 2.0, 3.0]))
    tensor([1.5000, 4.0000])
    """
    areas, along = _areas("cumulative_trapezoid", y, x, dx, dim)
    return areas.cumsum(along)


@accepts_numpy_names
def gradient(
    input: TensorLike, *, spacing: Any = None, dim: int | Sequence[int] | None = None, edge_order: int = 1
) -> tuple[Tensor, ...]:
    """The slope along each axis of `dim` by central differences, of second order inside; one-sided at both ends.

    spacing: how far apart the samples are, for all axes or each; or their places, a vector for each. edge_order: 1, or
    2 for three samples at the ends. Raises ValueError for too few samples and for a spacing that does not fit.

    >>> gradient(Tensor([1.0, 4.0, 9.0]))
    (tensor([3., 4., 5.]),)
    """
    shape = as_array(input).shape
    axes = tuple(range(len(shape))) if dim is None else tuple([axis_in(shape, d, "gradient") for d in as_axes(dim)])
    spacing = 1 if spacing is None else spacing
    several = isinstance(spacing, (tuple, list)) or (is_array(spacing) and np.ndim(spacing) and dim is None)
    spacings = list(spacing) if several else [spacing] * len(axes)
    if len(spacings) != len(axes) or edge_order not in (1, 2):
        given = f"{len(spacings)} spacings for {len(axes)} axes, edge_order {edge_order}"
        raise ShapeError(f"gradient: {given}: one each, and 1 or 2")
    if len(set(axes)) < len(axes):
        raise ShapeError(f"gradient: dim {dim} names an axis of shape {shape} twice")
    if any(shape[axis] <= edge_order for axis in axes):
        raise ShapeError(f"gradient: shape {shape} needs {edge_order + 1} samples along each axis of {axes}")
    return tuple(_slope(input, axis, step, edge_order) for axis, step in zip(axes, spacings, strict=True))


def _slope(input: TensorLike, axis: int, spacing: Any, edge_order: int) -> Tensor:
    y = as_tensor(input).movedim(axis, -1)
    n = y.shape[-1]
    step = spacing if isinstance(spacing, (int, float)) else as_array(spacing)
    steps = np.diff(step).astype(y.dtype) if np.ndim(step) else xp(y._data).full(n - 1, float(step), y.dtype)
    if len(steps) != n - 1:
        raise ValueError(f"gradient: {len(steps) + 1} places, but {n} samples along axis {axis}")
    rise = (y[..., 1:] - y[..., :-1]) / steps  # between neighbours
    h, k = steps[:-1], steps[1:]
    inside = rise[..., :-1] * (k / (h + k)) + rise[..., 1:] * (h / (h + k))
    first, last = rise[..., :1], rise[..., -1:]
    if edge_order == 2:
        bend = (rise[..., 1:] - rise[..., :-1]) / (h + k)
        first, last = first - bend[..., :1] * steps[:1], last + bend[..., -1:] * steps[-1:]
    return cat([first, inside, last], -1).movedim(-1, axis) if n > 1 else y.clone()

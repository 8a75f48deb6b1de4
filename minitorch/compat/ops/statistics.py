"""Statistics: ranks, modes, quantiles, counts in bins, covariances; and which of them are among others."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import as_result, device_of, to_host, xp
from minitorch.compat.ops.arithmetic import lerp
from minitorch.compat.ops.gather_scatter import take_along_dim
from minitorch.compat.ops.sort import searchsorted
from minitorch.errors import OperandError, ShapeError
from minitorch.ops._dims import accepts_numpy_names, as_axes, axis_in
from minitorch.ops.choice import where
from minitorch.ops.conversion import cast, to
from minitorch.ops.creation import as_tensor
from minitorch.ops.norms import vector_norm
from minitorch.ops.reduce import warn_of_freedom
from minitorch.ops.sort import Along, ValuesAndIndices, axis_of, picked, picking_along, sort
from minitorch.types import TensorLike

__all__ = ["bucketize", "corrcoef", "cov", "histc", "histogram", "histogramdd", "isin", "kthvalue", "mode", "msort"]
__all__ += ["nanmedian", "renorm", "unique_consecutive"]
__all__ += ["nanquantile", "quantile"]

_kthvalue, _mode, _nanmedian = map(picking_along, ("kthvalue", "mode", "nanmedian"))

# -- by rank -----------------------------------------------------------------------------------------------------------


def msort(input: TensorLike) -> Tensor:
    """In order along the first axis. dL/dinput = g, each number's back where it stood.

    >>> msort(Tensor([3.0, 1.0, 2.0]))
    tensor([1., 2., 3.])
    """
    return sort(input, 0).values


def _at_rank(name: str, along: Along, input: TensorLike, dim: int, keepdim: bool, rank: Any) -> ValuesAndIndices:
    """(values, indices) along `dim` of the number at rank(the numbers in order along the last axis), from 0."""
    array = as_array(input)
    axis = axis_of(array, dim, name)
    if array.ndim and array.shape[axis] == 0:
        raise IndexError(f"{name}: axis {dim} of shape {array.shape} has size 0, so there is nothing to choose from")
    rows = np.moveaxis(array if array.ndim else array.reshape(1), axis, -1)
    order = np.argsort(rows, axis=-1, kind="stable")
    found = np.take_along_axis(order, rank(np.take_along_axis(rows, order, -1)), -1)
    return picked(along, input, np.moveaxis(found, -1, axis), axis, keepdim)


@accepts_numpy_names
def kthvalue(input: TensorLike, k: int, dim: int = -1, keepdim: bool = False) -> ValuesAndIndices:
    """(values, indices) of the k-th smallest along `dim`, from 1; nan is the largest. dL/dinput = g where it stood.

    Raises ValueError for a k that there is not, IndexError for such a dim.

    >>> kthvalue(Tensor([3.0, 1.0, 2.0]), 2)
    ValuesAndIndices(values=tensor(2.), indices=tensor(2))
    """

    def rank(ordered: Any) -> Any:
        size = ordered.shape[-1]
        if not 1 <= k <= size:
            shape = as_array(input).shape
            raise ShapeError(f"kthvalue: k is {k}, but axis {dim} of shape {shape} has {size} to choose from")
        return xp(ordered).full((*ordered.shape[:-1], 1), k - 1, np.int64)

    return _at_rank("kthvalue", _kthvalue, input, dim, keepdim, rank)


@accepts_numpy_names
def mode(input: TensorLike, dim: int = -1, keepdim: bool = False) -> ValuesAndIndices:
    """(values, indices) of what comes most often along `dim`, the smallest of ties; the index is that of the last one.

    dL/dinput = g there. Raises IndexError for a dim that there is not.

    >>> mode(Tensor([2.0, 1.0, 2.0])).values
    tensor(2.)
    """

    def rank(ordered: Any) -> Any:
        run = xp(ordered).ones(ordered.shape, np.int64)
        for place in range(1, ordered.shape[-1]):  # how many of its equals have come
            same = np.equal(ordered[..., place], ordered[..., place - 1])
            run[..., place] += same * run[..., place - 1]
        return np.argmax(run, axis=-1)[..., None]

    return _at_rank("mode", _mode, input, dim, keepdim, rank)


@accepts_numpy_names
def nanmedian(input: TensorLike, dim: int | None = None, keepdim: bool = False) -> Any:
    """`median` of what is not nan, the lower of two in the middle; nan where there is nothing else.

    Returns a Tensor without `dim`, `(values, indices)` with one. dL/dinput = g where it stood.

    >>> nanmedian(Tensor([1.0, np.nan, 3.0]))
    tensor(1.)
    """
    if dim is None:
        flat = as_tensor(input).reshape(-1)
        if flat.shape[0] == 0:
            return constant(xp(flat._data).full((), math.nan, flat.dtype))
        return nanmedian(flat, 0).values

    def rank(ordered: Any) -> Any:
        count = np.sum(np.logical_not(np.isnan(ordered)), axis=-1, keepdims=True)
        return np.maximum(count - 1, 0) // 2

    return _at_rank("nanmedian", _nanmedian, input, dim, keepdim, rank)


# -- counts ------------------------------------------------------------------------------------------------------------


def isin(
    elements: TensorLike, test_elements: TensorLike, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Test which of elements are among test_elements: bools, or their opposites with `invert`. No gradient.

    assume_unique is PyTorch's, and changes nothing here.

    >>> isin(Tensor([1, 2, 3]), Tensor([2, 4]))
    tensor([False,  True, False])
    """
    del assume_unique
    return constant(as_result(np.isin(as_array(elements), as_array(test_elements), invert=invert)))


def bucketize(input: TensorLike, boundaries: TensorLike, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """The bucket of each number: how many boundaries, which are in order, it exceeds; with `right`, or equals.

    Raises ValueError unless the boundaries are a vector.

    >>> bucketize(Tensor([1.0, 5.0]), Tensor([1.0, 3.0]))
    tensor([0, 2])
    """
    if np.ndim(as_array(boundaries)) != 1:
        raise ShapeError(f"bucketize: boundaries must be a vector, not of shape {as_array(boundaries).shape}")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


class Histogram(NamedTuple):
    """Result of `histogram`: the sum in each bin, and the bins' edges."""

    hist: Tensor
    bin_edges: Tensor


class Histogramdd(NamedTuple):
    """Result of `histogramdd`: the sum in each bin, and the edges along each axis."""

    hist: Tensor
    bin_edges: tuple[Tensor, ...]


def histc(input: TensorLike, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """Count the numbers in each of `bins` equal bins from min to max; if both are 0, the numbers' own.

    What lies outside is not counted. No gradient. Raises ValueError for no bins, and for a range that is none.

    >>> histc(Tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    array = to_host(as_array(input)).reshape(-1)
    if bins < 1:
        raise ValueError(f"histc: {bins} bins: at least one is needed")
    low, high = float(min), float(max)
    if low == high and array.size:
        low, high = float(array.min()), float(array.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (math.isfinite(low) and math.isfinite(high)) or low > high:
        raise ValueError(f"histc: the range from {low} to {high} is none")
    inside = array[(array >= low) & (array <= high)]
    places = np.minimum(((inside - low) / (high - low) * bins).astype(np.int64), bins - 1)
    counts = np.bincount(places, minlength=bins).astype(array.dtype)
    return constant(xp(as_array(input)).asarray(counts))


def histogram(
    input: TensorLike, bins: Any, *, range: Any = None, weight: TensorLike | None = None, density: bool = False
) -> Histogram:
    """Count the numbers, or sum their weights, in each bin: `bins` equal ones over `range`, or edges.

    density: divided by the total and by the widths. No gradient. Raises ValueError for a range that is none.

    >>> histogram(Tensor([1.0, 2.0, 1.0]), 4, range=(0.0, 3.0)).hist
    tensor([0., 2., 1., 0.])
    """
    flat = as_tensor(input).reshape(-1, 1)
    whole = histogramdd(flat, [bins], range=range, weight=weight, density=density)
    return Histogram(whole.hist, whole.bin_edges[0])


def histogramdd(
    input: TensorLike, bins: Any, *, range: Any = None, weight: TensorLike | None = None, density: bool = False
) -> Histogramdd:
    """Count the points, the rows of input, in each box of a grid; bins, range and weight as in `histogram`.

    range: the lowest and the highest, one pair after the other. Raises ValueError for a range that is none.

    >>> histogramdd(Tensor([[0.0, 1.0], [1.0, 0.0]]), [2, 2]).hist
    tensor([[0., 1.],
            [1., 0.]])
    """
    array = as_array(input)
    points = to_host(array).reshape(-1, array.shape[-1])
    bins = [bins] * points.shape[1] if isinstance(bins, int) else list(bins)
    pairs = None if range is None else [tuple(range[2 * i : 2 * i + 2]) for i in np.arange(points.shape[1])]
    edges = [
        to_host(as_array(each)) if np.ndim(as_array(each)) else _edges(points[:, i], int(each), pairs and pairs[i])
        for i, each in enumerate(bins)
    ]
    shares = None if weight is None else to_host(as_array(weight)).reshape(-1)
    hist, _ = np.histogramdd(points, edges, weights=shares, density=density)
    made = [constant(xp(array).asarray(each.astype(array.dtype))) for each in (hist, *edges)]
    return Histogramdd(made[0], tuple(made[1:]))


def _edges(values: np.ndarray, bins: int, pair: Any) -> np.ndarray:
    low, high = pair or ((values.min(), values.max()) if values.size else (0, 1))
    if not (np.isfinite(low) and np.isfinite(high)) or low > high:
        raise ValueError(f"histogram: the range from {low} to {high} is none")
    return np.linspace(low - (low == high) * 0.5, high + (low == high) * 0.5, bins + 1)


def unique_consecutive(
    input: TensorLike, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """input without what equals its neighbour before; with `dim`, without such slices. Constants: no gradient.

    return_inverse: also where in the result each is found. return_counts: also how often each came in a row.

    >>> unique_consecutive(Tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    array = as_array(input)
    rows = array.reshape(-1) if dim is None else np.moveaxis(array, axis_in(array.shape, dim, "unique_consecutive"), 0)
    differs = np.not_equal(rows[1:], rows[:-1]).any(axis=tuple(range(1, rows.ndim)))
    new = np.concatenate([np.ones_like(differs, shape=(min(len(rows), 1),)), differs])
    distinct = rows[new]
    out = [constant(distinct if dim is None else np.moveaxis(distinct, 0, dim))]
    if return_inverse:
        places = np.cumsum(new) - 1
        out.append(constant(places.reshape(array.shape) if dim is None else places))
    if return_counts:
        at = np.flatnonzero(new)
        out.append(constant(np.diff(np.concatenate([at, np.full_like(at, len(rows), shape=(1,))]))))
    return out[0] if len(out) == 1 else tuple(out)


# -- how much they vary together ---------------------------------------------------------------------------------------


def cov(
    input: TensorLike, *, correction: int = 1, fweights: TensorLike | None = None, aweights: TensorLike | None = None
) -> Tensor:
    """The covariances of the rows, each a variable with its samples: (n, samples) → (n, n).

    fweights: how often each sample counts, integers; aweights: how much. The divisor is Σ w - correction · Σ w a / Σ w.
    Raises ValueError for more than two axes and for weights that do not fit.

    >>> cov(Tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    x = as_tensor(input)
    if x.ndim > 2:
        raise ShapeError(f"cov: shape {x.shape} has more than two axes: variables and samples")
    x = x if x.ndim == 2 else x.reshape(1, -1)
    n = x.shape[1]
    for name, each in (("fweights", fweights), ("aweights", aweights)):
        if each is not None and (as_array(each).shape != (n,) or bool((as_array(each) < 0).any())):
            wanted = f"one weight ≥ 0 for each of {n} samples"
            raise ShapeError(f"cov: {name} of shape {as_array(each).shape} must be {wanted}")
    if fweights is not None and as_array(fweights).dtype.kind not in "iu":
        raise ValueError(f"cov: fweights count samples, so they are integers, not {as_array(fweights).dtype}")
    given = [as_tensor(each) for each in (fweights, aweights) if each is not None]
    weights = None if not given else given[0] if len(given) == 1 else given[0] * given[1]
    total: Any = n if weights is None else weights.sum()
    mean = (x if weights is None else x * weights).sum(1, True) / total
    if weights is not None and aweights is not None and correction:
        divisor: Any = total - (weights * as_tensor(aweights)).sum() / total * correction
    else:
        divisor = total - correction
    if as_array(divisor) <= 0:
        warn_of_freedom("cov", n if weights is None else int(total), correction, "sample")
    divisor = divisor.clamp(min=0) if weights is not None else max(float(divisor), 0.0)
    off = x - mean
    products = (off if weights is None else off * weights) @ off.mT
    with np.errstate(divide="ignore", invalid="ignore"):  # of which the warning above tells
        product: Tensor = products / divisor
    return product if len(product) != 1 else product.reshape(())


def corrcoef(input: TensorLike) -> Tensor:
    """The correlations of the rows, each a variable with its samples: covariances over standard deviations, to ±1.

    >>> corrcoef(Tensor([[0.0, 1.0, 2.0], [4.0, 2.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    c = cov(input)
    if c.ndim == 0:
        return c / c
    spread = c.diagonal().sqrt()
    return (c / spread.unsqueeze(-1) / spread).clamp(-1, 1)


def renorm(input: TensorLike, p: float, dim: int, maxnorm: float) -> Tensor:
    """input with every slice across `dim` shrunk to the p-norm `maxnorm` where its norm is larger.

    Raises ValueError for a p that is not positive, for fewer than two axes and for a negative maxnorm.

    >>> renorm(Tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    array = as_array(input)
    axis = axis_in(array.shape, dim, "renorm")
    if p <= 0 or maxnorm < 0 or array.ndim < 2:
        raise ShapeError(f"renorm: p {p} must be positive, maxnorm {maxnorm} ≥ 0, and shape {array.shape} of two axes")
    size = vector_norm(input, p, as_axes(tuple(each for each in range(array.ndim) if each != axis)), True)
    return as_tensor(input) * where(size > maxnorm, maxnorm / (size + 1e-7), 1.0)


# -- quantiles ---------------------------------------------------------------------------------------------------------

# How far from the lower neighbour to the upper one; `part` is how far the place itself is.
_BETWEEN = {
    "nearest": lambda part: part * 0,
    "linear": lambda part: part,
    "lower": lambda part: part * 0,
    "higher": lambda part: (part > 0) * 1.0,
    "midpoint": lambda part: (part > 0) * 0.5,
}


@accepts_numpy_names
def quantile(
    input: TensorLike, q: TensorLike, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """The value at the part q of the way through the sorted numbers, of all or along one axis: q of 0.5 is the median.

    q: a number from 0 to 1, or a vector of them, which becomes the first axis of the result. interpolation: what is
    between two neighbours: "linear", "lower", "higher", "midpoint" or "nearest". The gradient goes to the neighbours,
    by their weights. A nan makes nan. Raises ValueError for another q or interpolation and for no numbers, IndexError
    for a dim that there is not.

    >>> quantile(Tensor([4.0, 1.0, 3.0]), 0.25)
    tensor(2.)
    """
    return _quantile("quantile", input, q, dim, keepdim, interpolation, ignore_nan=False)


@accepts_numpy_names
def nanquantile(
    input: TensorLike, q: TensorLike, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """`quantile` of what is not nan; nan where there is nothing else. Raises as `quantile`.

    >>> nanquantile(Tensor([1.0, np.nan, 3.0]), 0.5)
    tensor(2.)
    """
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation, ignore_nan=True)


def _quantile(
    name: str, input: TensorLike, q: TensorLike, dim: int | None, keepdim: bool, interpolation: str, ignore_nan: bool
) -> Tensor:
    array = as_array(input)
    module = xp(array)
    parts = module.asarray(as_array(q, np.float64))
    axis = 0 if dim is None else axis_in(array.shape or (1,), dim, name)
    if parts.ndim > 1 or bool(((parts < 0) | (parts > 1)).any()):
        raise OperandError(f"{name}: q must be a number from 0 to 1, or a vector of them")
    if interpolation not in _BETWEEN:
        raise ValueError(f"{name}: interpolation {interpolation!r} is not known: take {', '.join(_BETWEEN)}")
    if array.size == 0:
        raise ShapeError(f"{name}: shape {array.shape} holds no numbers to choose from")
    whole = as_tensor(input).reshape(-1) if dim is None or array.ndim == 0 else input
    ordered = sort(whole, axis).values.movedim(axis, -1)
    values = ordered._data
    count = np.sum(np.logical_not(np.isnan(values)), axis=-1, keepdims=True) if ignore_nan else values.shape[-1]
    last = np.maximum(count - 1, 0) if ignore_nan else count - 1
    given = to(q, parts.dtype, device_of(array)) if isinstance(q, TensorBase) else constant(parts)
    places = given.reshape(-1) * last
    at = places._data
    low = module.floor(module.rint(at) if interpolation == "nearest" else at)
    weight = places - low if interpolation == "linear" else _BETWEEN[interpolation](at - low)
    high = np.where(low < at, low + 1, low) if interpolation != "nearest" else low
    lower, upper = (_at(ordered, module.asarray(each, dtype=np.int64)) for each in (low, high))
    out = lerp(lower, upper, cast(weight, array.dtype))
    if not ignore_nan:
        out = where(module.isnan(values[..., -1:]), np.nan, out)
    gone = range(array.ndim) if dim is None else (axis,)
    rest = [1 if each in gone else size for each, size in enumerate(array.shape) if keepdim or each not in gone]
    return out.movedim(-1, 0).reshape((*parts.shape, *rest))


def _at(ordered: Tensor, places: Any) -> Tensor:
    """The numbers at those places along the last axis: the same in every row, or others in each."""
    return ordered[..., places] if places.ndim == 1 else take_along_dim(ordered, places, -1)

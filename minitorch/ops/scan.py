"""Running sums and products along an axis, and differences, which undo the sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import accumulation_dtype
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.errors import OperandError, ShapeError
from minitorch.ops._dims import accepts_numpy_names
from minitorch.ops.arithmetic import sub
from minitorch.ops.index import getitem
from minitorch.ops.joining import cat
from minitorch.ops.movement import clone
from minitorch.ops.sort import axis_of
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "cumprod",
    "cumsum",
    "diff",
]


@primitive
def cumsum(input: Any, dim: int, dtype: Any = None) -> Any:
    """outᵢ = Σ input₀…ᵢ along `dim`, computed in `dtype` if one is given. dL/dinputᵢ = Σ gᵢ…: summed from the end.

    >>> cumsum(Tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 3., 6.])
    """
    axis_of(input, dim, "cumsum")
    return np.cumsum(input, axis=dim, dtype=accumulation_dtype(input, dtype)).reshape(input.shape)


def _sum_from_the_end(g: Any, dim: int) -> Any:
    return g if g.ndim == 0 else np.flip(np.cumsum(np.flip(g, dim), axis=dim), dim)


cumsum.vjp(input=_sum_from_the_end)


@primitive
def cumprod(input: Any, dim: int, dtype: Any = None) -> Any:
    """outᵢ = Π input₀…ᵢ along `dim`, computed in `dtype` if one is given.

    dL/dinputᵢ = (Π input₀…ᵢ₋₁) · sᵢ, with sᵢ = gᵢ + inputᵢ₊₁ · sᵢ₊₁ from the end: no division, so exact at zeros.

    >>> cumprod(Tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 2., 6.])
    """
    axis_of(input, dim, "cumprod")
    return np.cumprod(input, axis=dim, dtype=accumulation_dtype(input, dtype)).reshape(input.shape)


def _cumprod_wrt_input(g: Any, input: Any, out: Any, dim: int) -> Any:
    if g.ndim == 0 or 0 in g.shape:
        return g
    g, input, out = (np.moveaxis(each, dim, -1) for each in (g, input, out))
    before = np.concatenate([np.ones_like(out[..., :1]), out[..., :-1]], axis=-1)
    factors = np.roll(np.flip(input, -1), 1, -1)  # the first one is never used
    return np.moveaxis(before * np.flip(_recurrence(np.flip(g, -1), factors), -1), -1, dim)


def _recurrence(terms: Any, factors: Any) -> Any:
    """sᵢ = termsᵢ + factorsᵢ · sᵢ₋₁ along the last axis, with s₋₁ = 0, by halves: O(n) operations on whole arrays.

    Two steps in a row are one of the same kind, s₂ₖ₊₁ = (t₂ₖ₊₁ + f₂ₖ₊₁ t₂ₖ) + f₂ₖ₊₁ f₂ₖ · s₂ₖ₋₁: solve for the odd
    places first, then take one step from each. Source: Blelloch, Prefix Sums and Their Applications, 1990.
    """
    size = terms.shape[-1]
    if size < 2:
        return terms
    even, odd = slice(0, 2 * (size // 2), 2), slice(1, None, 2)
    t, f = terms[..., odd], factors[..., odd]
    s = _recurrence(t + f * terms[..., even], f * factors[..., even])
    between = terms[..., 2::2] + factors[..., 2::2] * s[..., : (size - 1) // 2]
    evens = np.concatenate([terms[..., :1], between], axis=-1)
    pairs = np.stack([evens[..., : size // 2], s], axis=-1).reshape((*terms.shape[:-1], 2 * (size // 2)))
    return np.concatenate([pairs, evens[..., size // 2 :]], axis=-1)


cumprod.vjp(input=_cumprod_wrt_input)


@accepts_numpy_names
def diff(
    input: TensorLike, n: int = 1, dim: int = -1, prepend: TensorLike | None = None, append: TensorLike | None = None
) -> Tensor:
    """outᵢ = inputᵢ₊₁ - inputᵢ along `dim`, n times over; `prepend` and `append` are joined to the ends first.

    Each time dL/dinputᵢ = gᵢ₋₁ - gᵢ, and the axis is one shorter. Bools differ where they are not equal. Raises
    ValueError for a negative n or a single number, IndexError for a dim that there is not.

    >>> diff(Tensor([1.0, 2.0, 4.0, 8.0]))
    tensor([1., 2., 4.])
    """
    shape = as_array(input).shape
    if n < 0:
        raise OperandError(f"diff: n is how many times to take differences, so it cannot be {n}")
    if shape == ():
        raise ShapeError("diff: a single number has no axis to take differences along")
    axis = axis_of(as_array(input), dim, "diff")
    if n == 0:
        return clone(input)
    ends = [each for each in (prepend, input, append) if each is not None]
    out = _steps(cat(ends, axis) if len(ends) > 1 else input, axis)
    for _ in range(n - 1):
        out = _steps(out, axis)
    return out


def _steps(input: TensorLike, axis: int) -> Tensor:
    """Each number minus the one before it."""
    before = (slice(None),) * axis
    after, before_it = getitem(input, (*before, slice(1, None))), getitem(input, (*before, slice(None, -1)))
    is_bool = after.dtype.kind == "b"
    return constant(np.not_equal(after._data, before_it._data)) if is_bool else sub(after, before_it)

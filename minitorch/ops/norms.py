"""Norms of vectors. `minitorch.linalg` offers more, and those of matrices stand in `minitorch.compat.ops.norms`."""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.promotion import as_float
from minitorch.errors import ShapeError
from minitorch.moved import moved_names
from minitorch.ops._dims import accepts_numpy_names, as_axis, count, expand_reduced, share_among_ties
from minitorch.ops.conversion import cast
from minitorch.types import Dim, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["norm"]


@primitive
def vector_norm(input: Any, ord: float = 2, dim: Dim = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """(Σ |x|**ord)**(1/ord) over `dim`; the largest |x| for inf, the smallest for -inf, how many are not 0 for 0.

    dL/dx = g · sign(x) · (|x| / out)**(ord-1), which is 0 where x or out is 0 (a sub-gradient); for ±inf, ties share
    g · sign(x) evenly; for 0 there is none. Raises ValueError over an axis of size 0 if ord is inf or below 0.

    >>> vector_norm(Tensor([3.0, -4.0]))
    tensor(5.)
    """
    if input.size == 0 and (ord < 0 or ord == math.inf) and count(input.shape, dim) == 0:
        raise ShapeError(f"shape {input.shape} has nothing along dim {dim}, so there is no norm of order {ord}")
    if ord == 2 and dim is None and dtype is None and input.dtype.kind == "f":
        flat = input.reshape(-1)
        return np.sqrt(np.dot(flat, flat)).reshape((1,) * input.ndim if keepdim else ())
    size, axis = np.absolute(as_float(input) if dtype is None else input.astype(dtype, copy=False)), as_axis(dim)
    if ord == 2:
        return np.sqrt(np.sum(size * size, axis=axis, keepdims=keepdim))
    if ord == 1:
        return np.sum(size, axis=axis, keepdims=keepdim)
    if ord == 0:
        return np.sum(size != 0, axis=axis, keepdims=keepdim, dtype=size.dtype)
    if math.isinf(ord):
        return (np.amax if ord > 0 else np.amin)(size, axis=axis, keepdims=keepdim)
    with np.errstate(divide="ignore"):  # 0**-1 = inf, and inf**-1 = 0 is the right answer
        return np.power(np.sum(np.power(size, ord), axis=axis, keepdims=keepdim), 1 / ord)


def _vector_norm_wrt_input(g: Any, input: Any, out: Any, ord: float, dim: Dim, keepdim: bool) -> Any:
    g, out = expand_reduced(g, input.shape, dim, keepdim), expand_reduced(out, input.shape, dim, keepdim)
    if ord == 0:
        return np.broadcast_to(g * 0, input.shape)
    if ord == 1:
        return g * np.sign(input)
    if math.isinf(ord):
        ties = np.equal(np.absolute(input), out)
        return np.sign(input) * share_among_ties(g, ties, dim)
    alive = np.not_equal(out, 0)
    g, out = np.where(alive, g, 0), np.where(alive, out, 1)
    if ord == 2:
        return input * (g / out)
    ratio = np.where(np.equal(input, 0), 1, np.absolute(input)) / out  # sign(0) = 0 makes up for the 1
    return g * np.sign(input) * np.power(ratio, ord - 1)


vector_norm.vjp(input=_vector_norm_wrt_input)


def norming(name: str) -> Operation[[Any, float, Dim, bool, Any]]:
    """`vector_norm` under the name of the norm that computes so: the tag of what `norm` returns is norm."""
    return primitive(vector_norm.declaration.forward, name=name, input=_vector_norm_wrt_input)


_norm = norming("norm")


@accepts_numpy_names
def norm(
    input: TensorLike, p: float | str | None = "fro", dim: Dim = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """The p-norm of all the numbers, or over the axes `dim`: (Σ |x|**p)**(1/p), ±inf and 0 included; 2 is "fro".

    dL/dinput = g · input / out for p = 2, and 0 where out is 0 (a sub-gradient). A matrix counts as one long vector,
    except for "nuc": the sum of the singular values over two axes. Raises ValueError for any other name.

    >>> norm(Tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    if p == "nuc":
        matrices = importlib.import_module("minitorch.compat.ops.norms")
        return matrices.nuclear_norm(input if dtype is None else cast(input, dtype), dim, keepdim)  # type: ignore[no-any-return]
    if isinstance(p, str) and p != "fro":
        raise ValueError(f"norm: p is a number, 'fro', 'nuc', inf or -inf, not {p!r}")
    return _norm(input, 2 if p is None or isinstance(p, str) else p, dim, keepdim, dtype)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.ops.norms import *
else:
    __getattr__, __dir__ = moved_names(__name__)

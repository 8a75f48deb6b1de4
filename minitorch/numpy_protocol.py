"""NumPy's own functions on Tensors: `np.exp(t)`, `np.sum(t, axis=0)`, `array * t` are minitorch's operations.

An operation says which ufunc it stands for; a table says which other function. What neither names raises a TypeError
with the way out. The gradient rules of the operations are written in the same NumPy functions, so this is also what
makes a gradient differentiable.
Source: NumPy Enhancement Proposals 13 (`__array_ufunc__`) and 18 (`__array_function__`).
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minitorch import ops
from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import stamp
from minitorch.errors import ShapeError
from minitorch.lazy_imports import operation
from minitorch.ops import (
    arithmetic,
    choice,
    creation,
    extremes,
    index,
    joining,
    logic,
    movement,
    products,
    rearrange,
    reduce,
    scan,
    sort,
    unary,
)


@functools.cache
def ufuncs() -> Mapping[np.ufunc, Callable[..., Any]]:
    """NumPy's ufunc → the operation: what each operation says of itself."""
    found: dict[np.ufunc, Callable[..., Any]] = {}
    for _, each in ops.defined():
        forward = getattr(getattr(each, "declaration", None), "forward", None)
        own = (forward,) if isinstance(forward, np.ufunc) else ()
        found |= dict.fromkeys(getattr(each, "ufuncs", own), each)
    return found


# Where the way out is more than leaving the graph.
ALTERNATIVES: Mapping[str, str] = {
    "pad": "minitorch.nn.functional.pad",
    "convolve": "minitorch.nn.functional.conv1d",
    "select": "minitorch.where",
    "put": "minitorch.index_put",
    "put_along_axis": "minitorch.scatter",
    "copyto": "Tensor.copy_",
    "add.at": "minitorch.index_add",
    "add.reduce": "minitorch.sum",
    "multiply.reduce": "minitorch.prod",
    "maximum.reduce": "minitorch.amax",
    "minimum.reduce": "minitorch.amin",
    "add.accumulate": "minitorch.cumsum",
    "multiply.accumulate": "minitorch.cumprod",
    "multiply.outer": "minitorch.outer",
    "asfarray": "minitorch.as_tensor",
    "vecdot": "minitorch.einsum",
    "append": "minitorch.cat",
    "rot90": "minitorch.rot90",
    "array_equiv": "Tensor.equal",
    "rollaxis": "minitorch.movedim",
    "quantile": "minitorch.quantile",
    "percentile": "minitorch.quantile",
    "nanmax": "minitorch.nan_to_num and minitorch.amax",
    "nanmin": "minitorch.nan_to_num and minitorch.amin",
}


@functools.cache
def functions() -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """NumPy's function → the operation, in NumPy's arguments. A table of its own because of those arguments."""
    linalg = importlib.import_module("minitorch.compat.ops.linalg")
    return {
        # how large, and copies
        np.shape: lambda a: a.shape,
        np.ndim: lambda a: a.ndim,
        np.size: lambda a, axis=None: a.numel() if axis is None else a.shape[axis],
        np.copy: lambda a: movement.clone(a),
        np.zeros_like: lambda a, dtype=None: creation.zeros_like(a, dtype=dtype),
        np.ones_like: lambda a, dtype=None: creation.ones_like(a, dtype=dtype),
        np.full_like: lambda a, fill_value, dtype=None: creation.full_like(a, fill_value, dtype=dtype),
        # many numbers into fewer
        np.sum: lambda a, axis=None, dtype=None, *, keepdims=False: reduce.sum(a, axis, keepdims, dtype=dtype),
        np.mean: lambda a, axis=None, dtype=None, *, keepdims=False: reduce.mean(a, axis, keepdims, dtype=dtype),
        np.prod: lambda a, axis=None, dtype=None, *, keepdims=False: reduce.prod(a, axis, keepdims, dtype=dtype),
        np.var: lambda a, axis=None, *, ddof=0, keepdims=False: reduce.var(a, axis, correction=ddof, keepdim=keepdims),
        np.std: lambda a, axis=None, *, ddof=0, keepdims=False: reduce.std(a, axis, correction=ddof, keepdim=keepdims),
        np.amax: lambda a, axis=None, *, keepdims=False: extremes.amax(a, _dims(axis), keepdims),
        np.amin: lambda a, axis=None, *, keepdims=False: extremes.amin(a, _dims(axis), keepdims),
        np.max: lambda a, axis=None, *, keepdims=False: extremes.amax(a, _dims(axis), keepdims),
        np.min: lambda a, axis=None, *, keepdims=False: extremes.amin(a, _dims(axis), keepdims),
        np.nansum: lambda a, axis=None, *, keepdims=False: reduce.nansum(a, axis, keepdims),
        np.nanmean: lambda a, axis=None, *, keepdims=False: reduce.nanmean(a, axis, keepdims),
        np.all: lambda a, axis=None, *, keepdims=False: reduce.all(a, axis, keepdims),
        np.any: lambda a, axis=None, *, keepdims=False: reduce.any(a, axis, keepdims),
        np.count_nonzero: lambda a, axis=None: reduce.count_nonzero(a, axis),
        np.argmax: lambda a, axis=None, *, keepdims=False: sort.argmax(a, axis, keepdims),
        np.argmin: lambda a, axis=None, *, keepdims=False: sort.argmin(a, axis, keepdims),
        np.trace: lambda a, offset=0, axis1=0, axis2=1: reduce.sum(rearrange.diagonal(a, offset, axis1, axis2), -1),
        np.cumsum: lambda a, axis=None: scan.cumsum(_flat(a, axis), axis or 0),
        np.cumprod: lambda a, axis=None: scan.cumprod(_flat(a, axis), axis or 0),
        np.diff: lambda a, n=1, axis=-1: scan.diff(a, n, axis),
        # number by number
        np.where: lambda condition, *choices: choice.where(condition, *choices),
        np.clip: lambda a, a_min=None, a_max=None: choice.clamp(a, a_min, a_max),
        np.round: lambda a, decimals=0: unary.round(a, decimals=decimals),
        np.nan_to_num: lambda x, *, nan=0.0, posinf=None, neginf=None: unary.nan_to_num(x, nan, posinf, neginf),
        np.isclose: lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: logic.isclose(a, b, rtol, atol, equal_nan),
        np.allclose: lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: logic.allclose(a, b, rtol, atol, equal_nan),
        np.array_equal: lambda a1, a2: logic.equal(creation.as_tensor(a1), creation.as_tensor(a2)),
        # another shape or order
        np.reshape: lambda a, shape: movement.reshape(a, _dims(shape)),
        np.ravel: lambda a: movement.ravel(a),
        np.transpose: lambda a, axes=None: movement.permute(
            a, tuple(range(a.ndim))[::-1] if axes is None else tuple(axes)
        ),
        np.swapaxes: lambda a, axis1, axis2: movement.transpose(a, axis1, axis2),
        np.moveaxis: lambda a, source, destination: movement.movedim(a, source, destination),
        np.expand_dims: lambda a, axis: movement.unsqueeze(a, axis),
        np.squeeze: lambda a, axis=None: movement.squeeze(a, axis),
        np.broadcast_to: lambda array, shape: movement.broadcast_to(array, _dims(shape)),
        np.broadcast_arrays: lambda *args: operation("broadcast_tensors")(*[creation.as_tensor(each) for each in args]),
        np.tile: lambda A, reps: rearrange.tile(A, _dims(reps)),
        np.repeat: lambda a, repeats, axis=None: operation("repeat_interleave")(a, repeats, axis),
        np.flip: lambda m_, axis=None: rearrange.flip(m_, tuple(range(m_.ndim)) if axis is None else _dims(axis)),
        np.fliplr: lambda m_: operation("fliplr")(m_),
        np.flipud: lambda m_: operation("flipud")(m_),
        np.roll: lambda a, shift, axis=None: operation("roll")(a, shift, axis),
        np.diagonal: lambda a, offset=0, axis1=0, axis2=1: rearrange.diagonal(a, offset, axis1, axis2),
        np.diag: lambda v, k=0: rearrange.diag(v, k),
        np.tril: lambda m_, k=0: rearrange.tril(m_, k),
        np.triu: lambda m_, k=0: rearrange.triu(m_, k),
        np.atleast_1d: lambda ary: operation("atleast_1d")(ary),
        np.atleast_2d: lambda ary: operation("atleast_2d")(ary),
        np.concatenate: lambda arrays, axis=0: joining.cat(arrays, axis),
        np.stack: lambda arrays, axis=0: joining.stack(arrays, axis),
        np.hstack: lambda tup: operation("hstack")(tup),
        np.vstack: lambda tup: operation("vstack")(tup),
        np.split: lambda ary, indices_or_sections, axis=0: _split(ary, indices_or_sections, axis),
        np.array_split: lambda ary, indices_or_sections, axis=0: operation("tensor_split")(
            ary, indices_or_sections, axis
        ),
        # products
        np.dot: lambda a, b: _dot(a, b),
        np.inner: lambda a, b: products.inner(a, b),
        np.outer: lambda a, b: products.outer(movement.ravel(a), movement.ravel(b)),
        np.tensordot: lambda a, b, axes=2: operation("tensordot")(
            a, b, axes if isinstance(axes, int) else tuple(map(_dims, axes))
        ),
        np.einsum: lambda *operands: operation("einsum")(*operands),
        np.kron: lambda a, b: products.kron(a, b),
        np.linalg.inv: lambda a: linalg.inv(a),
        np.linalg.det: lambda a: linalg.det(a),
        np.linalg.slogdet: lambda a: linalg.slogdet(a),
        np.linalg.solve: lambda a, b: linalg.solve(a, b),
        np.linalg.cholesky: lambda a: linalg.cholesky(a),
        np.linalg.norm: lambda x, ord=None, axis=None, keepdims=False: linalg.norm(x, ord, axis, keepdims),
        # parts, places and order
        np.take: lambda a, indices, axis=None: _taken(a, indices, axis),
        np.take_along_axis: lambda arr, indices, axis=-1: operation("take_along_dim")(arr, indices, axis),
        np.nonzero: lambda a: index.nonzero(a, as_tuple=True),
        np.argwhere: lambda a: index.argwhere(a),
        np.sort: lambda a, axis=-1: sort.sort(_flat(a, axis), -1 if axis is None else axis).values,
        np.argsort: lambda a, axis=-1: sort.argsort(_flat(a, axis), -1 if axis is None else axis),
        np.unique: lambda ar: operation("unique")(ar),
        np.searchsorted: lambda a, v, side="left": operation("searchsorted")(a, v, right=side == "right"),
        np.bincount: lambda x, weights=None, minlength=0: operation("bincount")(x, weights, minlength),
    }


def array_ufunc(ufunc: np.ufunc, method: str, operands: Sequence[Any], options: dict[str, Any]) -> Any:
    """Tensor.__array_ufunc__: the operation for a ufunc, or a TypeError that names the alternative."""
    answer = ufuncs().get(ufunc)
    if method != "__call__" or answer is None:
        raise _not_supported(ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}")
    targets = options.pop("out", None)
    if options:
        raise TypeError(f"np.{ufunc.__name__} on a Tensor does not take {', '.join(options)}: leave it out")
    result = answer(*operands)
    return result if targets is None else _written(ufunc, result, targets[0])


def _written(ufunc: np.ufunc, result: Any, target: Any) -> Any:
    """`array += tensor`: the values go into the array, if that loses no gradient."""
    if isinstance(target, TensorBase) or result.requires_grad:
        raise TypeError(
            f"np.{ufunc.__name__} cannot write a result that takes part in a graph into an array: "
            f"write a = a + t instead of a += t, without out="
        )
    stamp(target, f"np.{ufunc.__name__}")
    np.copyto(target, result._data, casting="same_kind")
    return target


def array_function(function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Tensor.__array_function__: the operation for a NumPy function, or a TypeError that names the alternative."""
    adapter = functions().get(function)
    name = name_of(function)
    if adapter is None:
        raise _not_supported(name)
    try:
        return adapter(*args, **options)
    except TypeError:
        parameters = inspect.signature(adapter).parameters
        unknown = [key for key in options if key not in parameters]
        if not unknown:
            raise
        raise TypeError(f"np.{name} on a Tensor does not take {', '.join(unknown)}: leave it out") from None


def name_of(function: Callable[..., Any]) -> str:
    """Return the function's name behind `np.`: "sum", "linalg.inv"."""
    module = getattr(function, "__module__", "numpy")
    return f"{module}.{function.__name__}".removeprefix("numpy.").removeprefix("lib.")


def _not_supported(name: str) -> TypeError:
    alternative = ALTERNATIVES.get(name)
    out = f"use {alternative}" if alternative else f"leave the graph with np.{name}(t.detach().numpy(), …)"
    return TypeError(f"np.{name} is not an operation on Tensors: {out}")


def _dims(axis: Any) -> Any:
    """NumPy takes one axis where PyTorch takes a tuple of them."""
    return axis if axis is None else (axis,) if isinstance(axis, (int, np.integer)) else tuple(axis)


def _flat(a: Any, axis: Any) -> Any:
    """`axis=None` means the flat array."""
    return a if axis is not None else a.reshape(-1)


def _transposed(a: Any, axes: Any) -> Any:
    """np.transpose: all axes in the reverse order where none are named."""
    return movement.permute(a, tuple(range(a.ndim))[::-1] if axes is None else tuple(axes))


def _taken(a: Any, indices: Any, axis: int | None) -> Any:
    """np.take: from the flat array, or along one axis."""
    return index.take(a, indices) if axis is None else operation("index_select")(a, axis, indices)


def _dot(a: Any, b: Any) -> Any:
    """np.dot: with the second to last axis of b; all of b's other axes follow a's, so it is no matmul from 3-d on."""
    if not np.ndim(a) or not np.ndim(b):
        return arithmetic.mul(a, b)
    return operation("tensordot")(a, b, ([-1], [-2])) if np.ndim(b) > 2 else products.matmul(a, b)


def _split(a: Any, indices_or_sections: Any, axis: int) -> Any:
    """np.split: equal parts, or cuts before the indices."""
    if isinstance(indices_or_sections, int) and a.shape[axis] % indices_or_sections:
        raise ShapeError(f"np.split: axis {axis} of shape {a.shape} does not divide into {indices_or_sections} parts")
    return operation("tensor_split")(a, indices_or_sections, axis)

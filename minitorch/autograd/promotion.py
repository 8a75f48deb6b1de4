"""Type promotion: where the dtype of a result comes from, and of a gradient.

    operands                                       dtype of the result
    a Tensor or array and a Python number          the array's; the number is weak: float32 * 2.0 stays float32
    arrays of different kinds                      floats win over integers, integers over bools: float16 * int64 is
                                                   float16, where NumPy alone would give float64
    arrays of one kind, all with axes or all 0-d   the wider: float32 * float64 is float64
    of one kind, one of them 0-d                   that of the array with axes: a 0-d float64 leaves float32 as it is
    integers, in a function that gives floats      the default float: exp of an int64 is float32, float64 in NumPy alone
    sums and products of unsigned integers         int64 (`accumulation_dtype`)
    operands of an operation with promotes=False   all of one dtype, or TypeError (`require_one_dtype`): a layer's
                                                   weight decides
    the gradient of an operand                     the operand's own (`cast_gradient`)

What is no array yet becomes one in tensor_base.py (`as_operand`, `as_array`): lists of Python floats are of the default
float, which is float32 unless set_default_dtype says otherwise. Source: the page on type promotion in PyTorch's
documentation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from minitorch.autograd.scope import current_scope
from minitorch.backend import is_array
from minitorch.errors import DtypeError

_RANK = {"b": 0, "u": 1, "i": 1, "f": 2}


def promoted(operands: Sequence[Any]) -> list[Any]:
    """Return the operands with their arrays in one common dtype; Python numbers stay as they are.

    >>> [each.dtype.name for each in promoted([np.zeros(3, np.float32), np.zeros((), np.float64)])]
    ['float32', 'float32']
    """
    arrays = [each for each in operands if is_array(each)]
    if all(each.dtype is arrays[0].dtype for each in arrays):
        return list(operands)
    groups = [[each.dtype for each in arrays if each.ndim], [each.dtype for each in arrays if not each.ndim]]
    dtypes = [functools.reduce(_wider, group) for group in groups if group]
    dtype = dtypes[0] if _rank(dtypes[-1]) <= _rank(dtypes[0]) else dtypes[-1]
    return [each.astype(dtype, copy=False) if is_array(each) else each for each in operands]


def _wider(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    if _rank(a) != _rank(b):
        return a if _rank(a) > _rank(b) else b
    return np.promote_types(a, b)


def _rank(dtype: np.dtype[Any]) -> int:
    return _RANK[dtype.kind]


def in_default_float(out: Any, arguments: Sequence[Any], run: Callable[[list[Any]], Any]) -> Any:
    """Return a float result in the default float, if none of the arguments that it was computed from was a float.

    run: what computes the result of other arguments.
    """
    if not any(is_array(each) and each.dtype.kind == "f" for each in arguments):
        if out.dtype.itemsize == 2:  # NumPy computes exp of a bool, say, in float16
            out = run([each.astype(np.float64) if is_array(each) else each for each in arguments])
        out = out.astype(current_scope().default_dtype, copy=False)
    return out


def as_float(x: Any) -> Any:
    """Return integers and bools as float64, which can be infinite and have fractions; floats as they are."""
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def accumulation_dtype(input: Any, dtype: Any) -> Any:
    """Return the dtype that sums and products compute in: `dtype` if asked for; NumPy would keep unsigned integers."""
    return np.int64 if dtype is None and input.dtype.kind in "ub" else dtype


def cast_gradient(g: Any, dtype: np.dtype[Any]) -> Any:
    """Return a gradient in its operand's dtype: that of a float32 beside a float64 comes back as a float32."""
    return g if g.dtype == dtype else g.astype(dtype)


def require_one_dtype(name: str, operands: Mapping[str, Any], given: Collection[Any] = ()) -> None:
    """Raises TypeError that names the operands to convert when the arrays among them have several dtypes.

    A layer's weight decides the dtype; else floats win over integers and integers over bools, and among floats the
    default one. given: the operands as they came: what is an array among them has no `to`.
    """
    arrays = {label: each for label, each in operands.items() if is_array(each)}
    dtypes = list(dict.fromkeys(each.dtype for each in arrays.values()))
    if len(dtypes) < 2:
        return
    weight = arrays.get("weight")
    best = [dtype for dtype in dtypes if _rank(dtype) == max(map(_rank, dtypes))]
    default = current_scope().default_dtype
    wanted = weight.dtype if weight is not None else default if default in best else best[0]
    others = {label: each for label, each in arrays.items() if each.dtype != wanted}
    is_tensor = not any(each is other for each in given for other in others.values())
    remedy = f"convert {' and '.join(others)}, as in x.{'to' if is_tensor else 'astype'}({wanted.name!r})"
    if weight is not None and all(each.dtype.kind == "f" for each in others.values()):
        layers = {"float32": "float", "float64": "double", "float16": "half"}
        remedy += f", or the layer, as in layer.{layers[next(iter(others.values())).dtype.name]}()"
    raise DtypeError(f"{name}: {dtypes[0]} and {dtypes[1]} do not mix: {remedy}")

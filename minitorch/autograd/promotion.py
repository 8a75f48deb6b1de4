"""Which dtype two operands meet in: PyTorch's rule, which never lets an integer or a single number widen a float."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch.backend import is_array


def unified(operands: Sequence[Any]) -> list[Any]:
    """The operands with their arrays in one common dtype. Python numbers stay as they are: they never decide.

    Floats win over integers and integers over bools, whatever their sizes. Among equals, arrays with axes win over
    0-d arrays, and the wider type over the narrower. Source: the type promotion page of PyTorch's documentation.

    >>> [each.dtype.name for each in unified([np.zeros(3, np.float32), np.zeros((), np.float64)])]
    ['float32', 'float32']
    """
    arrays = [each for each in operands if is_array(each)]
    if all(each.dtype is arrays[0].dtype for each in arrays):
        return list(operands)
    dtype = _common([each for each in arrays if each.ndim], [each for each in arrays if not each.ndim])
    return [each.astype(dtype, copy=False) if is_array(each) else each for each in operands]


def _common(with_axes: list[np.ndarray], single: list[np.ndarray]) -> np.dtype[Any]:
    dtypes = [functools.reduce(_wider, [each.dtype for each in group]) for group in (with_axes, single) if group]
    if len(dtypes) == 2 and _rank(dtypes[1]) <= _rank(dtypes[0]):
        return dtypes[0]
    return functools.reduce(_wider, dtypes)


def _wider(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    if _rank(a) != _rank(b):
        return a if _rank(a) > _rank(b) else b
    return np.promote_types(a, b)


def _rank(dtype: np.dtype[Any]) -> int:
    """Bools, then integers, then floats."""
    return {"b": 0, "u": 1, "i": 1, "f": 2}[dtype.kind]

"""Picking parts of a tensor: slices, integers, masks and index arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.handle import Handle
from minitorch.autograd.primitive import primitive
from minitorch.types import Shape, TensorLike


@primitive
def _getitem(x: Any, index: Any) -> Any:
    try:
        return x[index]
    except IndexError as error:
        raise IndexError(f"{error} (the Tensor has shape {x.shape})") from None


def _getitem_wrt_x(g: Any, x_shape: Shape, index: Any) -> Any:
    buffer = np.zeros(x_shape, g.dtype)
    if _is_basic(index):
        buffer[index] = g
    else:
        np.add.at(buffer, index, g)  # an index may come twice: assigning would keep its last gradient only
    return buffer


_getitem.vjp(x=_getitem_wrt_x)


def getitem(x: TensorLike, index: Any) -> Any:
    """x[index], with slices, integers, None, ..., masks and index arrays. dL/dx = g added into zeros at `index`.

    An element that is picked twice gets both gradients. Raises IndexError when the index is out of range.

    >>> getitem(Tensor([1.0, 2.0, 3.0]), [0, 0, 2])
    tensor([1., 1., 3.])
    """
    return _getitem(x, _plain(index))


def _plain(index: Any) -> Any:
    """The index with its Tensors and lists as arrays."""
    if isinstance(index, tuple):
        return tuple(_plain(part) for part in index)
    if isinstance(index, Handle):
        return index._data
    return np.asarray(index, dtype=None if len(index) else np.int64) if isinstance(index, list) else index


def _is_basic(index: Any) -> bool:
    """Only slices, integers, None and ...: every element is picked at most once."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(part is None or part is Ellipsis or isinstance(part, (slice, int, np.integer)) for part in parts) and (
        not any(isinstance(part, bool) for part in parts)
    )

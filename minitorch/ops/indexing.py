"""Indexing: what a user writes in brackets, normalized to indices that NumPy takes.

As PyTorch does it, which differs from NumPy in one point: integers beside index arrays are taken first, so that
x[0, :, [1, 2]] has its new axis where the list stands, and not in front.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.identity import refuse_bool
from minitorch.autograd.tensor_base import TensorBase, as_array
from minitorch.backend import StandIn, device_of, extremes, is_array, on_gpu, xp
from minitorch.errors import DtypeError, IndexingError
from minitorch.ops.conversion import cast, to
from minitorch.types import Shape, TensorLike

__all__: list[str] = []

NUMBERS = (int, float, bool)


def parts_of(index: Any) -> tuple[Any, ...]:
    """Return the parts of an index, which commas separate."""
    return index if isinstance(index, tuple) else (index,)


def normalize_index(name: str, array: Any, index: Any) -> tuple[Any, Any]:
    """Return a user's index as two plain indices to be applied one after the other; the first may be None.

    The first takes the integers if there are index arrays too. Lists, tuples and ranges become arrays, and all arrays
    lie on `array`'s device. Raises IndexError for what is no index and, where NumPy does not, for what is out of range;
    TypeError for a Python bool.
    """
    parts = tuple([_as_part(name, part) for part in parts_of(index)])
    if not any(is_array(part) for part in parts):
        return None, parts
    if sum(_axes_of(part) for part in parts) == array.ndim:  # to NumPy, an Ellipsis of no axes parts index arrays
        parts = tuple([part for part in parts if part is not Ellipsis])
    has_integers = any(type(part) is int for part in parts)
    if has_integers or on_gpu(array):
        require_inside(name, parts, array.shape)  # of arrays of the host before they go up, which spares waiting
    parts = tuple([_on_device_of(name, part, array) if is_array(part) else part for part in parts])
    if not has_integers:
        return None, parts
    first: list[Any] = []
    for part in parts:
        first += [slice(None)] * _axes_of(part) if is_array(part) else [part]
    rest = [slice(None) if part is None or isinstance(part, slice) else part for part in parts if type(part) is not int]
    return tuple(first), tuple(rest)


def _as_part(name: str, part: Any) -> Any:
    """Return one part of an index: a slice, a Python integer, the bool of a np.bool_, None, Ellipsis or an array."""
    if part is True or part is False:
        refuse_bool(name, "the index", part)
    if isinstance(part, TensorBase):
        part = part._data
    elif isinstance(part, (list, tuple, range)):
        part = _from_lists(name, part)
    elif isinstance(part, np.bool_):
        return bool(part)
    if isinstance(part, np.integer) or (is_array(part) and part.ndim == 0 and part.dtype.kind in "iu"):
        return int(part)
    return _require_kinds(name, part, "iub") if is_array(part) else part


def _from_lists(name: str, values: Any) -> np.ndarray:
    try:
        array = np.asarray(_without_tensors(values))
    except ValueError:
        raise IndexError(f"{name}: the lists of an index need equal lengths, unlike {values}") from None
    return array if array.size else array.astype(np.int64)  # NumPy takes an empty list for one of floats


def _without_tensors(values: Any) -> Any:
    if isinstance(values, TensorBase):
        return values._data.tolist()
    return [_without_tensors(each) for each in values] if isinstance(values, (list, tuple)) else values


def as_index(name: str, index: Any, array: Any, kinds: str = "iu") -> Any:
    """Return an index as an array on `array`'s device, integers as int64.

    Raises IndexError when it holds anything but integers (and, if `kinds` says so, bools), TypeError for a Python bool.
    """
    refuse_bool(name, "the index", index)
    if isinstance(index, TensorBase):
        index = index._data
    elif not is_array(index):
        index = _from_lists(name, index) if isinstance(index, (list, tuple, range)) else np.asarray(index)
    return _on_device_of(name, _require_kinds(name, index, kinds), array)


def _require_kinds(name: str, index: Any, kinds: str) -> Any:
    if index.dtype.kind not in kinds:
        wanted = "integers or bools" if "b" in kinds else "integers"
        raise IndexingError(f"{name}: an index array holds {wanted}, not {index.dtype}")
    return index


def _on_device_of(name: str, index: Any, array: Any) -> Any:
    """Return an index array on `array`'s device, integers as int64."""
    if on_gpu(index) and not on_gpu(array):
        raise RuntimeError(f"{name}: the index is on a GPU and the Tensor is not: move the index with .to('cpu')")
    return xp(index if isinstance(index, StandIn) else array).asarray(
        index, dtype=None if index.dtype.kind == "b" else np.int64
    )


def as_written(array: Any, value: TensorLike) -> Any:
    """Return what is to be written into `array`, cast to its dtype; a Python number stays one."""
    if type(value) in NUMBERS:
        return value
    if isinstance(value, TensorBase):
        return (
            cast(value, array.dtype)
            if on_gpu(value._data) == on_gpu(array)
            else to(value, array.dtype, device_of(array))
        )
    as_array(value)  # looks whether it holds numbers; what it returns of a list is rounded to the default float
    return xp(array).asarray(value, dtype=array.dtype)


def source_for(name: str, array: Any, values: Any) -> Any:
    """Return what is to be written into `array`: numbers and lists take its dtype, arrays and Tensors must have it."""
    if not is_array(values) and not isinstance(values, TensorBase):
        return xp(array).asarray(as_written(array, values), dtype=array.dtype)
    if values.dtype != array.dtype:
        method = "to" if isinstance(values, TensorBase) else "astype"
        raise DtypeError(
            f"{name}: {array.dtype} and {values.dtype} do not mix: "
            f"convert what is written, as in src.{method}({array.dtype.name!r})"
        )
    return values


def _axes_of(part: Any) -> int:
    """Return the number of axes that a part of an index takes up."""
    if is_array(part):
        return part.ndim if part.dtype.kind == "b" else 1
    return int(isinstance(part, (int, slice)) and not isinstance(part, bool))


def require_inside(name: str, parts: tuple[Any, ...], shape: Shape) -> None:
    """Raise IndexError when an index array or a mask does not fit the axes that it is for."""
    taken = sum(_axes_of(part) for part in parts)
    if taken > len(shape):
        raise IndexError(f"{name}: too many indices: {taken} for a Tensor of shape {shape}")
    axis = 0
    for part in parts:
        if is_array(part) and part.dtype.kind == "b" and part.shape != shape[axis : axis + part.ndim]:
            raise IndexError(f"{name}: a mask of shape {part.shape} does not fit at axis {axis} of shape {shape}")
        if is_array(part) and part.dtype.kind != "b":
            check_bounds(name, part, axis, shape)
        axis += len(shape) - taken if part is Ellipsis else _axes_of(part)


def check_bounds(name: str, index: Any, axis: int, shape: Shape, lowest: int | None = None) -> Any:
    """Return `index` itself, if it names elements of that axis only; `lowest` is -size unless told.

    Asked on the host, for a GPU would wrap around silently what is out of range. Raises IndexError.
    """
    size = shape[axis]
    if index.size:
        low, high = extremes(index)
        if high >= size or low < (-size if lowest is None else lowest):
            bad = high if high >= size else low
            hint = f"; {name} does not count from the end" if -size <= bad < 0 else ""
            raise IndexingError(
                f"{name}: index {bad} is out of bounds for axis {axis} with size {size} "
                f"(the Tensor has shape {shape}){hint}"
            )
    return index

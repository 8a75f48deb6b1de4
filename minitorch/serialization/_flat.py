"""Nested dicts as one flat dict of arrays, and a text that says how they were nested.

A plain state_dict is flat already and needs no text, so that other programs find nothing unusual in the file. Else the
arrays are named by their paths (`optimizer.state.0.exp_avg`), and the text is JSON: numbers, strings, None and lists
stand for themselves, and everything else is an object with one key, which says what it is:

    {"dict": [[key, value], …]}   {"tuple": […]}   {"float": "nan"}
    {"tensor": name}   {"array": name}   {"scalar": name}     under that name among the arrays; a scalar is NumPy's
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import constant
from minitorch.backend import is_array, moved, to_host
from minitorch.serialization.errors import UnreadableFileError

RESERVED = "__metadata__"  # where both formats keep the text
DEEPEST = 100
DTYPES = {
    np.dtype(kind)
    for kind in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")  # what a Tensor can hold
}


def flattened(obj: dict[Any, Any]) -> tuple[dict[str, np.ndarray], str | None]:
    """The arrays by name, and the text that tells how they were nested, if they were.

    Raises TypeError for what cannot be saved, ValueError for what contains itself.
    """
    arrays: dict[str, np.ndarray] = {}
    structure = _encoded(obj, (), arrays)
    plain = {"dict": [[key, {"tensor": key}] for key in arrays]}
    return arrays, None if structure == plain else json.dumps(structure, allow_nan=False)


def _encoded(value: Any, path: tuple[str, ...], arrays: dict[str, np.ndarray]) -> Any:
    """What JSON can hold of a value; each of its arrays goes into `arrays`, and a name in its place."""
    kind = type(value)
    if len(path) > DEEPEST:
        raise ValueError(f"save: {'.'.join(path[:3])}… is nested deeper than {DEEPEST}: does it contain itself?")
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, dict):
        return {
            "dict": [
                [_encoded(key, (*path, "(key)"), arrays), _encoded(each, (*path, str(key)), arrays)]
                for key, each in value.items()
            ]
        }
    if kind in (list, tuple):
        row = [_encoded(each, (*path, str(place)), arrays) for place, each in enumerate(value)]
        return row if kind is list else {"tuple": row}
    for tag, types in (("tensor", Tensor), ("scalar", np.generic)):
        if isinstance(value, types):
            return {tag: _stored(value, path, arrays)}
    if is_array(value):
        return {"array": _stored(value, path, arrays)}
    raise TypeError(
        f"save: {'.'.join(path)} is a {kind.__name__}; "
        f"only Tensors, arrays, numbers, strings, None, lists, tuples and dicts can be saved"
    )


def _stored(value: Any, path: tuple[str, ...], arrays: dict[str, np.ndarray]) -> str:
    """Adds the values to the arrays; returns their name, which nothing else has."""
    array = np.asarray(to_host(value._data if isinstance(value, Tensor) else value), order="C")
    if array.dtype not in DTYPES:
        raise TypeError(f"save: {'.'.join(path)} has dtype {array.dtype}, which cannot be saved")
    name = ".".join(path)
    while name in arrays or name == RESERVED:
        name += "_"
    arrays[name] = array
    return name


def rebuilt(arrays: dict[str, np.ndarray], structure: str | None, device: Any) -> dict[Any, Any]:
    """The reverse of `flattened`. Raises UnreadableFileError for a text that does not fit the arrays."""
    if structure is None:
        return {name: _tensor(array, device) for name, array in arrays.items()}
    try:
        result = _decoded(json.loads(structure), arrays, device)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UnreadableFileError("its description of what is nested in what makes no sense") from None
    if not isinstance(result, dict):
        raise UnreadableFileError(f"it holds a {type(result).__name__} instead of a dict")
    return result


def _decoded(value: Any, arrays: dict[str, np.ndarray], device: Any) -> Any:
    """The value that `_encoded` wrote down."""
    if isinstance(value, list):
        return [_decoded(each, arrays, device) for each in value]
    if not isinstance(value, dict):
        return value
    ((tag, content),) = value.items()
    if tag == "dict":
        return {_decoded(key, arrays, device): _decoded(each, arrays, device) for key, each in content}
    if tag == "tuple":
        return tuple(_decoded(each, arrays, device) for each in content)
    if tag == "float":
        return float(content)
    if tag == "tensor":
        return _tensor(arrays[content], device)
    if tag == "array":
        return arrays[content]
    if tag == "scalar":
        return arrays[content][()]
    raise KeyError(tag)


def _tensor(array: np.ndarray, device: Any) -> Tensor:
    return constant(array if device is None else moved(array, device))

"""The arguments of a step: which arrays they hold, and what of them a program is made for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.version import owner
from minitorch.replay.program import parts_of

Given = tuple[tuple[Any, ...], dict[str, Any]]
"""What a step is called with, by place and by name."""


def layout_of(given: Given) -> tuple[Any, list[np.ndarray]]:
    """Return what must be the same for a program to fit, and the arrays that it is given."""
    arrays: list[np.ndarray] = []
    key: list[Any] = []
    arguments, options = given
    for each in arguments:
        if type(each) is Tensor:  # nearly always, and so not by way of the calls below
            array = each._data
            arrays.append(array)
            key.append((array.shape, array.dtype, array.strides, each._node is None))
        else:
            key.append(_kind(each, arrays))
    for name, value in options.items():
        key.append((name, _kind(value, arrays)))
    if share_memory(arrays):
        places = [*map(id, arrays)]
        key.append(tuple(map(places.index, places)))
    return tuple(key), arrays


def share_memory(arrays: list[np.ndarray]) -> bool:
    """Return whether one array is in several places, or two are parts of one."""
    return len(arrays) > 1 and len({id(each if each.base is None else owner(each)) for each in arrays}) < len(arrays)


def argument_names(function: Callable[..., Any], given: Given) -> list[str]:
    """Return the name of each array among a step's arguments: `x`, or `batch_0` for the first within `batch`."""
    try:
        parameters = [*inspect.signature(function).parameters]
    except (TypeError, ValueError):  # it does not tell
        parameters = []
    arguments, options = given
    names = [*parameters, *(f"argument_{place}" for place in range(len(parameters), len(arguments)))]
    named = (*zip(names, arguments), *options.items())
    return [name for called, value in named for name in _names_within(called, value)]


def _names_within(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, (Tensor, np.ndarray)):
        yield name
    elif isinstance(value, (dict, tuple, list, slice)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(parts_of(value)):
            yield from _names_within(f"{name}_{key}", each)


def _kind(value: Any, arrays: list[np.ndarray]) -> Any:
    """Return what must be the same of one argument: a plain value, an array's layout, an object's identity."""
    array = value._data if isinstance(value, Tensor) else value
    if isinstance(array, np.ndarray):
        arrays.append(array)
        return type(value), array.shape, array.dtype, array.strides, getattr(value, "_node", None) is None
    if isinstance(value, (dict, tuple, list, slice)):
        names = tuple(map(repr, value)) if isinstance(value, dict) else ()
        return type(value), names, tuple([_kind(each, arrays) for each in parts_of(value)])
    if isinstance(value, (bool, int, float, str, bytes, type(None), np.generic, range)):
        return type(value), repr(value)  # -0.0 is not 0.0, and nan is nan
    return type(value), MethodType(id, value)  # bound methods are equal where they are of the same object, held by each

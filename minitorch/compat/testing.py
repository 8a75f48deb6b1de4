"""Comparison of Tensors in tests, as torch.testing has it: assert_close."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minitorch.autograd.tensor_base import TensorBase, as_array
from minitorch.backend import is_array, to_host

__all__ = ["assert_close"]

# dtype → relative and absolute tolerance, PyTorch's own; whatever is not named has to be equal.
TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}
Said = str | Callable[[str], str] | None


def assert_close(
    actual: Any,
    expected: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_dtype: bool = True,
    msg: Said = None,
) -> None:
    """Raises AssertionError unless |actual - expected| ≤ atol + rtol · |expected| everywhere, shapes and dtypes alike.

    Tensors, arrays and numbers are compared, and lists, tuples and dicts of them. rtol and atol: both, or by dtype 1e-7
    twice for float64, 1.3e-6 and 1e-5 for float32, 0 for integers and bools; of two dtypes the larger ones. equal_nan:
    nan is close to nan. msg: what is said instead, or a function of what would be. Raises ValueError for one tolerance
    without the other, TypeError for what holds no numbers.

    >>> from minitorch import tensor
    >>> assert_close([tensor([1.0, 2.0])], [tensor([1.0, 2.5])], rtol=0, atol=0.1)
    Traceback (most recent call last):
    AssertionError: assert_close: [0]: 1 of 2 numbers differ, by 0.5 at most, at index (1,): 2.0 where 2.5 is expected
    """
    if (rtol is None) != (atol is None):
        raise ValueError("assert_close: give both rtol and atol, or neither")
    given = None if rtol is None or atol is None else (rtol, atol)
    said = _difference(actual, expected, "", (given, equal_nan, check_dtype))
    if said:
        said = f"assert_close: {said}"
        raise AssertionError(msg(said) if callable(msg) else said if msg is None else msg)


def _difference(actual: Any, expected: Any, place: str, rules: tuple[Any, ...]) -> str:
    """A sentence on the first thing that differs; "" where nothing does. place: the keys that lead to it."""
    at = f"{place}: " if place else ""
    pairs: list[tuple[Any, Any, Any]]
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            missing = ", ".join(sorted(map(repr, expected.keys() - actual.keys())))
            more = ", ".join(sorted(map(repr, actual.keys() - expected.keys())))
            return f"{at}the keys differ: missing {missing or 'none'}, too many {more or 'none'}"
        pairs = [(key, actual[key], expected[key]) for key in actual]
    elif _is_row(actual) and _is_row(expected):
        if len(actual) != len(expected):
            return f"{at}the lengths differ: {len(actual)} where {len(expected)} is expected"
        pairs = [(key, *both) for key, both in enumerate(zip(actual, expected, strict=True))]
    elif actual is None or expected is None:
        return "" if actual is expected else f"{at}one of them is None: {actual!r} and {expected!r}"
    else:
        return _of_numbers(actual, expected, at, *rules)
    found = (_difference(a, b, f"{place}[{key!r}]", rules) for key, a, b in pairs)
    return next(filter(None, found), "")


def _of_numbers(
    actual: Any, expected: Any, at: str, given: tuple[float, float] | None, equal_nan: bool, check_dtype: bool
) -> str:
    for each in (actual, expected):
        if not (isinstance(each, (TensorBase, bool, int, float, np.generic)) or is_array(each)):
            raise TypeError(f"assert_close: {at}{type(each).__name__} holds no numbers to compare")
    a, b = (_array(each) for each in (actual, expected))
    if a.shape != b.shape:
        return f"{at}the shapes differ: {a.shape} where {b.shape} is expected"
    if check_dtype and a.dtype != b.dtype:
        return f"{at}the dtypes differ: {a.dtype} where {b.dtype} is expected"
    if given is None:
        both = [TOLERANCES.get(each.dtype.name, (0.0, 0.0)) for each in (a, b)]
        given = max(each[0] for each in both), max(each[1] for each in both)
    rtol, atol = given
    if rtol == atol == 0 and np.result_type(a, b).kind != "f":
        far = np.not_equal(a, b)
    else:
        far = ~np.isclose(a.astype(np.float64), b.astype(np.float64), rtol, atol, equal_nan)
    if not far.any():
        return ""
    with np.errstate(invalid="ignore"):
        gap = np.where(far, np.absolute(a.astype(np.float64) - b), -1.0)
    index = np.unravel_index(np.nanargmax(gap) if (gap >= 0).any() else far.argmax(), far.shape)
    where = f", at index {tuple(map(int, index))}" if far.ndim else ""
    return (
        f"{at}{far.sum()} of {far.size} numbers differ, by {float(gap[index]):g} at most{where}: "
        f"{a[index]} where {b[index]} is expected"
    )


def _array(value: Any) -> np.ndarray:
    """Its numbers, in this machine's memory; a Python float counts as float64."""
    return to_host(as_array(value)) if isinstance(value, TensorBase) or is_array(value) else np.asarray(value)


def _is_row(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))

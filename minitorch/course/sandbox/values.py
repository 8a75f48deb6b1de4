"""Plain values as they come back from the learner's code: how they are shown and compared.

Only exact plain types arrive (None, bool, int, float, complex, str, list, tuple, dict, numpy.ndarray). Anything else
arrives as an `Opaque` that only knows the name of its type, so no learner-defined `==` ever runs in the parent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from minitorch.course.sandbox.wire import Opaque

MARKED = 2000  # so many entries of an array tell it from others
SHOWN = 12  # an array of more numbers is shown in part
DEFINED_IN = re.compile(r"^(lesson_\w+|check)\.(.*<locals>\.)?")  # the learner's file, or the check's driver
NOT_FINITE = re.compile(r"\b(inf|nan)\b")
WIDTH = 96  # a shown value is cut to this many characters
INPUT_WIDTH = 400  # a case has several of them, and a card wraps


def type_name(value: object) -> str:
    """The name of a value's type as the learner knows it: without the file it was defined in."""
    if isinstance(value, Opaque):
        return DEFINED_IN.sub("", value.type_name)
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype}"
    return type(value).__name__


def show(value: object, width: int = WIDTH) -> str:
    """A short text for a plain value: numbers with 6 digits, arrays with shape and dtype."""
    text = _show(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def _show(value: object) -> str:
    if isinstance(value, Opaque):
        return f"<{type_name(value)}>"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, np.ndarray):
        return f"{_entries(value)} shape {value.shape} {value.dtype}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_show(key)}: {_show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_show(item) for item in value) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(_show(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def _entries(array: np.ndarray[Any, Any]) -> str:
    """The first numbers of an array and, where it has at most two axes, its last ones."""
    if array.ndim > 2 and array.size > SHOWN:  # of many axes even the corners are too many
        first = np.array2string(array.ravel()[:3], precision=6, separator=", ")
        return "[" * (array.ndim - 1) + first[:-1] + ", ..."
    numbers = " ".join(np.array2string(array, precision=6, separator=", ", threshold=SHOWN, edgeitems=3).split())
    return numbers if len(numbers) <= WIDTH * 2 // 3 else numbers[: WIDTH * 2 // 3] + "…"  # room for the shape


def _number(value: float) -> str:
    if math.isfinite(value) and value == int(value) and abs(value) < 1e16:
        return repr(value)
    return f"{value:.7g}"


def show_input(value: object, width: int = INPUT_WIDTH) -> str:
    """A short text for one case: a dict as `a = 2.0, b = -3.0`, anything else as `show` does.

    An entry `code` is the program that the case runs, shown first: `a * b (a = 2.0, b = -3.0)`.
    """
    if not isinstance(value, dict) or not value or not all(isinstance(key, str) for key in value):
        return show(value, width)
    code = value.get("code")
    entries = {key: item for key, item in value.items() if key != "code" or not isinstance(code, str)}
    text = ", ".join(f"{key} = {_show(item)}" for key, item in entries.items())
    if isinstance(code, str) and code:
        text = f"{code} ({text})" if text else code
    return text if len(text) <= width else text[: width - 1] + "…"


def as_python(value: object) -> str:
    """Python that makes the value again, for a line that can be copied and run: `np.array([1.0, 2.0])`.

    Everything but arrays is written as `repr` does; arrays within a list, a tuple or a dict are found.
    """
    if isinstance(value, np.ndarray):
        entries = value.tolist()
        dtype = "" if value.dtype == np.array(entries).dtype else f", np.{value.dtype}"
        if not value.size:
            return f"np.zeros({value.shape}{dtype})"
        return NOT_FINITE.sub(r"np.\1", f"np.array({entries}{dtype})")
    if isinstance(value, float):
        return NOT_FINITE.sub(r"np.\1", repr(value))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_python(key)}: {as_python(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_python, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(as_python, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def is_odd(value: object) -> bool:
    """Whether a case is better shown after others: an array of it is empty, or all of them are single numbers."""
    arrays = list(_arrays(value))
    return any(not array.size for array in arrays) or (bool(arrays) and all(not array.ndim for array in arrays))


def _arrays(value: object) -> Iterator[np.ndarray[Any, Any]]:
    if isinstance(value, np.ndarray):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for part in parts:
        yield from _arrays(part)


def size(value: object) -> int:
    """How much there is to read in a value; the smallest failing input is the one shown."""
    if isinstance(value, np.ndarray):
        return 1 + int(value.size)
    if isinstance(value, dict):
        return 1 + sum(size(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return 1 + sum(size(item) for item in value)
    return 1 + (len(value) // 8 if isinstance(value, str) else 0)


def is_number(value: object) -> bool:
    """Whether `value` is a plain Python int or float; a bool is not a number here."""
    return type(value) in (int, float)


def close(got: float, want: float, rtol: float, atol: float) -> bool:
    """Whether two finite or infinite numbers agree."""
    return math.isclose(got, want, rel_tol=rtol, abs_tol=atol)


def first_difference(
    got: np.ndarray[Any, Any], want: np.ndarray[Any, Any], rtol: float, atol: float
) -> tuple[int, ...] | None:
    """The index of the first entry that differs, or None; the arrays have the same shape."""
    if got.dtype == want.dtype and np.array_equal(got, want):
        return None  # most right answers are equal, which is told in a tenth of the time
    same = np.isclose(got, want, rtol=rtol, atol=atol, equal_nan=True)
    wrong = np.argwhere(~np.atleast_1d(same))
    if not len(wrong):
        return None
    return tuple(int(i) for i in wrong[0])[: got.ndim] if got.ndim else ()


def mark(value: object) -> str:
    """A text that is equal for values that are equal up to rounding: types, shapes and 6 digits."""
    if isinstance(value, Opaque):
        return f"<{value.type_name}>"
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, (int, float)):
        return f"{type(value).__name__}:{_rounded(value)}"
    if isinstance(value, complex):
        return f"complex:{_rounded(value.real)},{_rounded(value.imag)}"
    if isinstance(value, np.ndarray):
        entries = ",".join(mark(entry) for entry in value.ravel()[:MARKED].tolist())
        return f"{value.dtype}{value.shape}:{entries}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{mark(key)}={mark(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}(" + ",".join(mark(item) for item in value) + ")"
    return repr(value)


def close_mark(value: object) -> str:
    """A text for one entry of an array that is equal for numbers of any type that agree in 5 digits."""
    if isinstance(value, (bool, int, float)):
        number = float(value)
        if not math.isfinite(number):
            return repr(number)
        return "0" if abs(number) < 1e-12 else f"{number:.5g}"
    return repr(value)


def _rounded(value: float) -> str:
    if not math.isfinite(value):
        return repr(float(value))
    return "0" if abs(value) < 1e-12 else f"{value:.6g}"

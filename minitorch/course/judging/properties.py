"""Which property of an array is wrong: its type, shape, dtype or sign, a factor, the order, or single entries.

    judged_array(got, want, "a_grad", hints={"shape": 2, "sign": Message("...", "...")})

A property that has no hint in `hints` gets none: a hint about something else would mislead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minitorch.course.judging.compare import ATOL, RESULT, RTOL, Label, Wrong, label_of, same_array
from minitorch.course.sandbox.values import show
from minitorch.language import Message

Array = np.ndarray[Any, Any]
Hints = Mapping[str, int | Message]
FEWEST = 2  # with fewer numbers that are not 0, a common factor or another order says nothing
NEARLY = 1e-4  # a factor so close to 1 is a matter of rounding


def judged_array(
    got: object,
    want: Any,
    what: Label = RESULT,
    *,
    dtype: object = np.float64,
    hints: Hints | None = None,
    rtol: float = RTOL,
    atol: float = ATOL,
) -> Wrong | None:
    """Check an array as `same_array` does, and say which property of it is wrong.

    hints: by property, what helps with it: "none", "type", "shape", "numbers" (right, in another shape), "dtype",
    "finite", "zero", "sign", "factor", "order", "entry".
    """
    want = np.asarray(want)
    plain = same_array(got, want, what, dtype=dtype, rtol=rtol, atol=atol)
    if plain is None:
        return None
    hints = {
        "type": Message("np.asarray(...) makes an array of a list or of a single number."),
        "dtype": Message("An array of whole numbers cannot hold fractions: np.zeros(shape) makes one of floats."),
        **(hints or {}),
    }
    name, reason = _property(got, want, dtype, label_of(what), plain, rtol, atol)
    expected, seen = (plain.expected, plain.got) if name in {"entry", "none", "type"} else (show(want), show(got))
    return Wrong(reason, expected=expected, got=seen, hint=hints.get(name))


def _property(
    got: object, want: Array, dtype: object, what: Message, plain: Wrong, rtol: float, atol: float
) -> tuple[str, Message]:
    """The name of the first property that is wrong, and the sentence about it."""
    if got is None:
        return "none", plain.reason
    if not isinstance(got, np.ndarray):
        return "type", plain.reason
    if got.dtype.kind not in "biuf":
        return "dtype", plain.reason
    if got.shape != want.shape:
        if got.size == want.size > 0 and np.allclose(got.ravel(), want.ravel(), rtol=rtol, atol=atol):
            return "numbers", Message(
                "{what} holds the right numbers, but its shape is {got} instead of {want}",
                what=what,
                got=got.shape,
                want=want.shape,
            )
        return "shape", plain.reason
    if dtype is not None and got.dtype != np.dtype(dtype):  # type: ignore[call-overload]
        return "dtype", plain.reason
    if not np.all(np.isfinite(got)) and np.all(np.isfinite(want)):
        value = show(got[~np.isfinite(got)].ravel()[0].item())
        return "finite", Message("{what} holds {value} where it should hold a finite number", what=what, value=value)
    return _of_the_numbers(got, want, what, rtol, atol) or ("entry", plain.reason)


def _of_the_numbers(got: Array, want: Array, what: Message, rtol: float, atol: float) -> tuple[str, Message] | None:
    """What all numbers of an array of the right shape have in common, where they have something in common."""

    def same(one: Array, other: Array) -> bool:
        return bool(np.allclose(one, other, rtol=rtol, atol=atol))

    if not np.any(got):
        return "zero", Message("every number in {what} is 0", what=what)
    if same(got, -want):
        return "sign", Message("{what} has the right size everywhere, and the wrong sign everywhere", what=what)
    counted = want != 0
    if np.count_nonzero(counted) >= FEWEST:
        factor = float(got[counted].ravel()[0] / want[counted].ravel()[0])
        if abs(factor - 1.0) > NEARLY and same(got, factor * want):
            return "factor", Message(
                "every number in {what} is {factor} times what it should be", what=what, factor=show(factor)
            )
    if len(np.unique(want)) > FEWEST and same(np.sort(got, axis=None), np.sort(want, axis=None)):
        return "order", Message("{what} holds the right numbers, but at other places", what=what)
    return None

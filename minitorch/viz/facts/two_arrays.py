"""Two arrays that should be equal: whether they are, up to rounding, and how they differ, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.language import gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.closures import as_numbers
from minitorch.viz.facts.faults import shape_cause
from minitorch.viz.facts.reading import read

STEPS = 1000  # of rounding that a number may be away and still be the same
LEAST = 1e-9  # the same as a share of the number, whatever its dtype


def close(mine: np.ndarray, reference: np.ndarray, scale: float = 0.0) -> bool:
    """Equal up to rounding, in the coarser of the two dtypes. scale: how large the terms were that made it up.

    >>> close(np.float32([1.0, 2.0]), np.float32([1.0, 2.00001])), close(np.array([1.0]), np.array([1.00001]))
    (True, False)
    """
    eps = max(_eps(each) for each in (mine, reference))
    a, b = np.asarray(mine, np.float64), np.asarray(reference, np.float64)
    finite = np.abs(b[np.isfinite(b)])
    largest = float(finite.max()) if finite.size else 0.0
    room = 100 * eps * largest + 10 * eps * scale
    return bool(np.allclose(a, b, rtol=max(STEPS * eps, LEAST), atol=room, equal_nan=True))


def _eps(array: np.ndarray) -> float:
    return float(np.finfo(array.dtype).eps) if array.dtype.kind == "f" else 0.0


def rounding(array: np.ndarray) -> float:
    """The share of a number that rounding may change in such an array."""
    return max(STEPS * _eps(array), LEAST)


def shape_said(mine: np.ndarray, shape: tuple[int, ...]) -> str:
    """Say why a gradient has not the shape that it should have."""
    cause = shape_cause(mine, shape)
    return (
        gettext("this is where an un-broadcast is missing ({cause})", cause=cause)
        if reduced_axes(np.shape(mine), shape)
        else cause
    )


def shape_of(grad: Any) -> str:
    """Return what a gradient is, if it is no array, or its shape."""
    array = as_numbers(grad)
    return gettext("a {kind}", kind=type(grad).__name__) if array is None else brief(array)


def brief(array: np.ndarray) -> str:
    """Return a number, or the shape of an array."""
    return words.reading(read(array)) if array.ndim == 0 else str(array.shape)


def apart(mine: np.ndarray, reference: np.ndarray) -> str:
    """Two values of the same shape, and where they are furthest apart if that is not to be seen."""
    a, b = words.reading(read(mine)), words.reading(read(reference))
    if mine.ndim == 0 and a != b:
        return gettext("{mine} here and {reference} there", mine=a, reference=b)
    with np.errstate(all="ignore"):
        gap = np.abs(np.asarray(mine, np.float64) - np.asarray(reference, np.float64))
    worst = int(np.argmax(np.nan_to_num(gap, nan=np.inf)))
    spot = [int(each) for each in np.unravel_index(worst, mine.shape)]
    one, other = f"{float(mine.flat[worst]):.8g}", f"{float(reference.flat[worst]):.8g}"
    short = words.number(float(mine.flat[worst])), words.number(float(reference.flat[worst]))
    if short[0] != short[1]:
        one, other = short
    if mine.ndim == 0:
        return gettext("{mine} here and {reference} there", mine=one, reference=other)
    whole = (
        gettext("{mine} here and {reference} there", mine=a, reference=b)
        if a != b
        else gettext("{both} on both sides", both=a)
    )
    is_hidden = read(mine).values is None or a == b
    return (
        gettext("{whole}, furthest apart at {spot}: {one} and {other}", whole=whole, spot=spot, one=one, other=other)
        if is_hidden
        else whole
    )


def factor_between(mine: np.ndarray, reference: np.ndarray) -> float | None:
    """The one number that the reference must be multiplied with to give mine, if there is one that is plain."""
    some = np.abs(reference) > 1e-3 * np.abs(reference).max(initial=0.0)
    if not some.any() or not np.isfinite(mine).all() or not np.isfinite(reference).all():
        return None
    factor = float(np.median(np.asarray(mine, np.float64)[some] / np.asarray(reference, np.float64)[some]))
    plain = any(
        abs(each - round(each)) < 1e-3 * abs(each) and round(each) for each in (factor, 1 / factor if factor else 0.0)
    )
    return factor if plain and close(mine, np.asarray(factor * reference, mine.dtype)) else None

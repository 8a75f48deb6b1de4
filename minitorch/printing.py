"""Text of a Tensor's numbers, as PyTorch writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def values(data: np.ndarray) -> str:
    """The numbers as PyTorch shows them: four decimals unless all are whole, long ones summarised."""
    if data.size == 0:
        return "[]"
    if data.dtype.kind != "f":
        return np.array2string(data, max_line_width=80, separator=", ", prefix="tensor(")
    formatter: Any = {"float_kind": _float_style(data)}
    return np.array2string(data, max_line_width=80, separator=", ", prefix="tensor(", formatter=formatter)


def _float_style(data: np.ndarray) -> Callable[[Any], str]:
    """Return the text of each of these numbers: `1.`, `1.2500` or `1.2500e-07`."""
    finite = np.abs(data[np.isfinite(data)], dtype=np.float64)
    nonzero = finite[finite != 0]
    largest, smallest = nonzero.max(initial=0.0), nonzero.min(initial=np.inf)
    whole = bool(np.all(finite == np.trunc(finite)))
    if largest > 1e8 or (not whole and nonzero.size > 0 and (largest / smallest > 1000 or smallest < 1e-4)):
        return lambda number: f"{number:.4e}"
    style = "{:.0f}." if whole else "{:.4f}"
    width = max(len(style.format(number)) for number in (*finite.flat, 0.0)) + bool(np.any(data < 0))
    return lambda number: (style if np.isfinite(number) else "{}").format(number).rjust(width if data.ndim else 0)

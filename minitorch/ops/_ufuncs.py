"""The mark of an operation that stands for a ufunc of NumPy's; minitorch/numpy_protocol.py reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


def answers(*ufuncs: np.ufunc) -> Callable[[F], F]:
    """Says which ufuncs an operation stands for, where its forward is not the very ufunc."""

    def marked(operation: F) -> F:
        operation.ufuncs = ufuncs  # type: ignore[attr-defined]
        return operation

    return marked

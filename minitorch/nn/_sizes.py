"""Sizes that layers are made with, looked at when they are made."""

from __future__ import annotations

import operator
from typing import Any


def require_sizes(layer: str, **sizes: Any) -> None:
    """Raises TypeError for a size that is no integer, ValueError for a negative one.

    >>> require_sizes("Linear", in_features=3)
    """
    for name, size in sizes.items():
        try:
            number = operator.index(size)
        except TypeError:
            raise TypeError(f"{layer}: {name} must be an integer, not {size!r}") from None
        if number < 0:
            raise ValueError(f"{layer}: {name} must be 0 or more, not {size}")

"""Warnings that name the line of a user's program."""

from __future__ import annotations

import sys
import warnings

__all__ = ["warn"]


def warn(words: str) -> None:
    """Warn at the nearest line outside of this package and NumPy: Python shows it once for each such line."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(("minitorch.", "numpy.")):
        frame, level = frame.f_back, level + 1
    warnings.warn(words, stacklevel=level)

"""The names of the arguments that many functions share."""

from __future__ import annotations

from typing import Any

Shape = tuple[int, ...]
Dim = int | tuple[int, ...] | None
"""One axis, several, or None for all."""

TensorLike = Any
"""A Tensor, an array, a Python number or a nested list of numbers."""

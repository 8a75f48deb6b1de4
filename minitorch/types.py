"""The names of the arguments that many functions share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    from minitorch._tensor import Tensor

Shape = tuple[int, ...]
Sizes = tuple[int, ...] | list[int]
"""Sizes or axes, as they are given: a tuple or a list."""

Dim = int | tuple[int, ...] | list[int] | None
"""One axis, several, or None for all."""

TensorLike: TypeAlias = "Tensor | np.ndarray[Any, Any] | np.generic | float | list[Any] | tuple[Any, ...]"
"""A Tensor, an array, a Python number or a nested list of numbers."""

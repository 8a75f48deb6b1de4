"""Constraints on parameters and values of a distribution: each says of every number, or of every vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import as_result
from minitorch.compat.ops.matrices import cholesky_ex
from minitorch.types import TensorLike

__all__ = ["Constraint", "boolean", "integer_interval", "interval", "lower_cholesky", "nonnegative", "positive"]
__all__ += ["positive_definite", "real", "real_vector", "simplex", "unit_interval"]


@dataclass(frozen=True)
class Constraint:
    """A condition, in words and as a function of an array; event_dim: how many of the last axes it is about.

    >>> positive.check([1.0, -1.0])
    tensor([ True, False])
    """

    words: str
    holds: Callable[[Any], Any]
    event_dim: int = 0

    def check(self, value: TensorLike) -> Any:
        """Return whether it holds: bools, of value's shape without the last `event_dim` axes."""
        return constant(as_result(self.holds(as_array(value))))


def interval(low: Any, high: Any) -> Constraint:
    """From low to high, both included."""
    low, high = as_array(low), as_array(high)
    words = f"from {low} to {high}" if low.ndim == high.ndim == 0 else "from low to high"
    return Constraint(words, lambda x: (x >= low) & (x <= high))


def integer_interval(low: int, high: int) -> Constraint:
    """The whole numbers from low to high, both included."""
    return Constraint(f"whole and from {low} to {high}", lambda x: (x >= low) & (x <= high) & np.equal(x, np.floor(x)))


def _triangular(x: Any) -> Any:
    diagonal = np.diagonal(x, axis1=-2, axis2=-1)
    return np.equal(x, np.tril(x)).all(axis=(-1, -2)) & (diagonal > 0).all(axis=-1)


def _definite(x: Any) -> Any:
    even = (np.absolute(x - x.swapaxes(-1, -2)) <= 1e-6 + 1e-5 * np.absolute(x)).all(axis=(-1, -2))
    return even & np.equal(as_array(cholesky_ex(x).info), 0)


real = Constraint("real", lambda x: np.equal(x, x))
positive = Constraint("above 0", lambda x: x > 0)
nonnegative = Constraint("0 or above", lambda x: x >= 0)
unit_interval = interval(0, 1)
boolean = Constraint("0 or 1", lambda x: np.equal(x, 0) | np.equal(x, 1))
real_vector = Constraint("real", lambda x: np.equal(x, x).all(axis=-1), 1)
simplex = Constraint(
    "0 or above, with the sum 1", lambda x: (x >= 0).all(axis=-1) & (np.absolute(x.sum(axis=-1) - 1) < 1e-6), 1
)
lower_cholesky = Constraint("lower triangular, with a diagonal above 0", _triangular, 2)
positive_definite = Constraint("symmetric and positive definite", _definite, 2)

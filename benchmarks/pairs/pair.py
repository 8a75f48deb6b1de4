"""What a pair is, and the arrays that most pairs work on."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import minitorch
import minitorch.nn.functional


@dataclass(frozen=True)
class Pair:
    """An operation, and the function of NumPy that one would write without it; both take the same arrays."""

    arrays: tuple[np.ndarray, ...]
    ours: Callable[..., Any]
    plain: Callable[..., Any]

    def tensors(self) -> list[minitorch.Tensor]:
        """The arrays as Tensors; those of floats take part in the graph."""
        return [minitorch.Tensor(each, requires_grad=each.dtype.kind == "f") for each in self.arrays]


def op(path: str, *rest: Any, **options: Any) -> Callable[..., Any]:
    """The operation at `path` below minitorch as a function of Tensors alone; the rest is given behind them."""
    function = operator.attrgetter(path)(minitorch)
    return (lambda *tensors: function(*tensors, *rest, **options)) if rest or options else function


def layer(name: str, *rest: Any, **options: Any) -> Callable[..., Any]:
    """The same for minitorch.nn.functional."""
    return op(f"nn.functional.{name}", *rest, **options)


def each_alike(arrays: tuple[np.ndarray, ...], plain: dict[str, Callable[..., Any]]) -> dict[str, Pair]:
    """Pairs on the same arrays, for operations that are given nothing else."""
    return {name: Pair(arrays, op(name), function) for name, function in plain.items()}


RNG = np.random.Generator(np.random.PCG64(0))


def normal(*shape: int) -> np.ndarray:
    """Float32 from a normal distribution."""
    return RNG.standard_normal(shape, np.float32)


X, Y, Z = normal(1000, 100), normal(1000, 100), normal(1000, 100)
POSITIVE = np.abs(X) + np.float32(0.5)
ROW = normal(100)
SQUARE = normal(316, 316)
BOOLS, OTHER_BOOLS = X > 0, Y > 0
COLUMNS = RNG.integers(0, 100, (1000, 100))
ROWS = RNG.integers(0, 1000, 1000)
LABELS = RNG.integers(0, 100, 1000)

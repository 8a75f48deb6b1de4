"""Operations with a flat side, on which no gradient passes: where a result stands on it.

A unit is dead that stands there for every sample of a batch. leaky_relu, elu and their kin have a slope everywhere, so
that none of their units ever is; of leaky_relu this is asked only where its slope below 0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Bounds = tuple[Any, Any]


def passing(name: str, arguments: Sequence[Any], out: Any) -> tuple[str, Any] | None:
    """What an operation of FLAT is called, and where its result passes a gradient on; None where it has no flat side.

    arguments: arrays and numbers, as the operation was given them. nan passes, for its gradient does.
    """
    return FLAT[name](arguments, out)


def _relu(_: Sequence[Any], out: Any) -> tuple[str, Any]:
    return "relu", out != 0


def _hardtanh(arguments: Sequence[Any], out: Any) -> tuple[str, Any]:
    _, low, high = arguments
    called = "relu6" if (low, high) == (0, 6) else "hardtanh"
    return called, ~((out <= low) | (out >= high))


def _hardsigmoid(_: Sequence[Any], out: Any) -> tuple[str, Any]:
    return "hardsigmoid", ~((out <= 0) | (out >= 1))


def _hardswish(arguments: Sequence[Any], _out: Any) -> tuple[str, Any]:
    return "hardswish", ~(_array(arguments[0]) <= -3)


def _leaky_relu(arguments: Sequence[Any], out: Any) -> tuple[str, Any] | None:
    return None if len(arguments) < 2 or arguments[1] != 0 else ("leaky_relu", out != 0)


def _maximum(arguments: Sequence[Any], out: Any) -> tuple[str, Any] | None:
    """A relu in other words: maximum(x, 0), or x.clamp(min=0)."""
    numbers = [each for each in map(_array, arguments) if each.ndim == 0]
    return ("max(x, 0)", out != 0) if len(numbers) == 1 and float(numbers[0]) == 0 else None


def _array(argument: Any) -> Any:
    held = getattr(argument, "_data", argument)
    return held if hasattr(held, "ndim") else np.asarray(held)


FLAT: dict[str, Callable[[Sequence[Any], Any], tuple[str, Any] | None]] = {
    "relu": _relu,
    "hardtanh": _hardtanh,
    "hardsigmoid": _hardsigmoid,
    "hardswish": _hardswish,
    "leaky_relu": _leaky_relu,
    "maximum": _maximum,
    "clamp_min": _maximum,
}

KINDS: dict[str, tuple[str, ...]] = {  # what `passing` may call each of them
    "relu": ("relu",),
    "hardtanh": ("relu6", "hardtanh"),
    "hardsigmoid": ("hardsigmoid",),
    "hardswish": ("hardswish",),
    "leaky_relu": ("leaky_relu",),
    "maximum": ("max(x, 0)",),
    "clamp_min": ("max(x, 0)",),
}

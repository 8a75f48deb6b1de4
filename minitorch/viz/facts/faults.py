"""Faults of gradients that a learner's engine leaves behind, each in one word and one sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.viz.facts import words
from minitorch.viz.facts.closures import as_numbers
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.with_arrays import GraphWithArrays

Word = Literal["constant", "missing", "type", "shape", "dtype", "not finite"]


@dataclass(frozen=True, slots=True)
class Fault:
    """word: its kind. said: what is so and what should be, after the word."""

    word: Word
    said: str

    def __str__(self) -> str:
        return f"{self.word}: {self.said}"


def fault(held: GraphWithArrays, idx: int) -> Fault | None:
    """The first thing that is wrong with the gradient of node `idx`, None if nothing is."""
    node, grad, value = held.graph.nodes[idx], held.gradients[idx], held.values[idx]
    if grad is None:
        if held.ours or not held.has_run or not held.wants[idx]:
            return None
        return Fault("missing", "the backward pass has run, and no gradient arrived here")
    if node.kind == "constant" or not held.wants[idx]:
        return Fault("constant", "it wants no gradient, and holds one")
    array = as_numbers(grad)
    if array is None:
        return Fault(
            "type", f"the gradient is a {type(grad).__name__}, not {'a number' if _scalar(held) else 'an array'}"
        )
    if value is not None and array.shape != value.shape:
        return Fault("shape", f"the gradient is {array.shape}, the data {value.shape}{shape_cause(array, value.shape)}")
    if not _scalar(held):
        if not isinstance(grad, (np.ndarray, np.generic)):
            return Fault("type", f"the gradient is a {type(grad).__name__}, not an array")
        if value is not None and array.dtype != value.dtype:
            return Fault("dtype", f"the gradient is {array.dtype}, the data {value.dtype}")
    if not np.isfinite(array).all():
        return Fault("not finite", unfinite(array))
    return None


def shape_cause(grad: Any, shape: Shape) -> str:
    """Why a gradient may have the wrong shape, as the end of a sentence; "" where there is no telling.

    >>> shape_cause(np.ones((64, 16)), (16,))
    ': not summed over axis 0'
    >>> shape_cause(np.ones(16), (1, 16))
    ': an axis of length 1 is lost (keepdims)'
    """
    have = np.shape(grad)
    if _without_ones(have) == _without_ones(shape) and len(have) < len(shape):
        return ": an axis of length 1 is lost (keepdims)"
    axes = reduced_axes(have, shape)
    if axes:
        return f": not summed over {words.axes(axes)}"
    if have == shape[::-1]:
        return ": it is transposed"
    if math.prod(have) < math.prod(shape) and reduced_axes(shape, have):
        return ": summed too far"
    return ""


def unfinite(array: np.ndarray) -> str:
    """How many entries are nan and how many infinite."""
    nan, infinite = int(np.isnan(array).sum()), int(np.isinf(array).sum())
    found = [f"{count} nan" for count in [nan] if count] + [f"{count} infinite" for count in [infinite] if count]
    return f"{' and '.join(found)} of {array.size} {'number' if array.size == 1 else 'numbers'}"


def _without_ones(shape: Shape) -> Shape:
    return tuple(size for size in shape if size != 1)


def _scalar(held: GraphWithArrays) -> bool:
    return held.graph.scalar

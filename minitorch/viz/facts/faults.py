"""Faults of gradients that a learner's engine leaves behind, each in one word and one sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.language import N_, gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.closures import as_numbers
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.with_arrays import GraphWithArrays

Kind = Literal["constant", "missing", "type", "shape", "dtype", "not finite"]
_WORDS: Mapping[Kind, str] = MappingProxyType(
    {
        "constant": "constant",
        "missing": N_("missing"),
        "type": N_("type"),
        "shape": N_("shape"),
        "dtype": N_("dtype"),
        "not finite": N_("not finite"),
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """kind: of what sort it is. said: what is so and what should be, after the kind's word."""

    kind: Kind
    said: str

    @property
    def word(self) -> str:
        """What its kind is called."""
        return gettext(_WORDS[self.kind])

    def __str__(self) -> str:
        return f"{self.word}: {self.said}"


def fault(held: GraphWithArrays, idx: int) -> Fault | None:
    """The first thing that is wrong with the gradient of node `idx`, None if nothing is."""
    node, grad, value = held.graph.nodes[idx], held.gradients[idx], held.values[idx]
    if grad is None:
        if held.ours or not held.has_run or not held.wants[idx]:
            return None
        return Fault("missing", gettext("the backward pass has run, and no gradient arrived here"))
    if node.kind == "constant" or not held.wants[idx]:
        return Fault("constant", gettext("it wants no gradient, and holds one"))
    array = as_numbers(grad)
    if array is None:
        key = (
            N_("the gradient is a {kind}, not a number")
            if _scalar(held)
            else N_("the gradient is a {kind}, not an array")
        )
        return Fault("type", gettext(key, kind=type(grad).__name__))
    if value is not None and array.shape != value.shape:
        cause = shape_cause(array, value.shape)
        said = gettext(
            "the gradient is {have}, the data {want}{cause}",
            have=array.shape,
            want=value.shape,
            cause=f": {cause}" if cause else "",
        )
        return Fault("shape", said)
    if not _scalar(held):
        if not isinstance(grad, (np.ndarray, np.generic)):
            return Fault("type", gettext("the gradient is a {kind}, not an array", kind=type(grad).__name__))
        if value is not None and array.dtype != value.dtype:
            return Fault(
                "dtype", gettext("the gradient is {have}, the data {want}", have=array.dtype, want=value.dtype)
            )
    if not np.isfinite(array).all():
        return Fault("not finite", unfinite(array))
    return None


def shape_cause(grad: Any, shape: Shape) -> str:
    """Why a gradient may have the wrong shape; "" where there is no telling.

    >>> shape_cause(np.ones((64, 16)), (16,))
    'not summed over axis 0'
    >>> shape_cause(np.ones(16), (1, 16))
    'an axis of length 1 is lost (keepdims)'
    """
    have = np.shape(grad)
    if _without_ones(have) == _without_ones(shape) and len(have) < len(shape):
        return gettext("an axis of length 1 is lost (keepdims)")
    axes = reduced_axes(have, shape)
    if axes:
        return gettext("not summed over {axes}", axes=words.axes(axes))
    if have == shape[::-1]:
        return gettext("it is transposed")
    if math.prod(have) < math.prod(shape) and reduced_axes(shape, have):
        return gettext("summed too far")
    return ""


def unfinite(array: np.ndarray) -> str:
    """How many entries are nan and how many infinite."""
    nan, infinite = int(np.isnan(array).sum()), int(np.isinf(array).sum())
    found = [gettext("{count} nan", count=nan)] * bool(nan) + [gettext("{count} infinite", count=infinite)] * bool(
        infinite
    )
    both = found[0] if len(found) == 1 else gettext("{one} and {other}", one=found[0], other=found[1])
    return (
        gettext("{found} of 1 number", found=both)
        if array.size == 1
        else gettext("{found} of {count} numbers", found=both, count=array.size)
    )


def _without_ones(shape: Shape) -> Shape:
    return tuple(size for size in shape if size != 1)


def _scalar(held: GraphWithArrays) -> bool:
    return held.graph.scalar

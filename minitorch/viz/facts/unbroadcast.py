"""Broadcasting and its way back, number by number: the gradient of a stretched operand is a sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.viz.facts import words
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.routes import Index, Routes, Rule, as_gradient, as_shape, close, differing, whose_rule
from minitorch.viz.texts.catalogue import grouped, say

MOST_AXES = 6


class Sums(Routes):
    """The facts of `viz.unbroadcast`; `Unbroadcast`, which draws them, says what each attribute is."""

    def __init__(self, gradient: Any, shape: Any, result: Any, rule: Rule | None, whose: str | None) -> None:
        self.shape = as_shape(shape)
        self.gradient = as_gradient(gradient)
        axes = reduced_axes(self.gradient.shape, self.shape)
        if axes is None:
            raise ValueError(_mismatch(self.gradient.shape, self.shape))
        if self.gradient.ndim > MOST_AXES:
            raise ValueError(f"this picture draws up to {MOST_AXES} axes, and the gradient has {self.gradient.ndim}")
        self.axes = axes
        with np.errstate(all="ignore"):
            self.expected = self.gradient.sum(axis=axes).reshape(self.shape)
        self.judge(result, rule, (self.gradient, self.shape), whose_rule(rule, whose))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why each of `axes` is summed."""
        missing, have = self.gradient.ndim - len(self.shape), self.gradient.shape
        return tuple(
            say("reason_missing", axis=axis, shape=self.shape)
            if axis < missing
            else say("reason_one", axis=axis, shape=self.shape, size=have[axis], have=have)
            for axis in self.axes
        )

    def owner(self, index: Index) -> Index:
        """The entry of the operand that the result's entry at `index` holds a copy of."""
        inner = index[self.gradient.ndim - len(self.shape) :]
        return tuple(0 if size == 1 else place for place, size in zip(inner, self.shape, strict=True))

    def is_copy(self, index: Index) -> bool:
        """False for the first of the copies: it stands where the operand itself would."""
        return any(index[axis] for axis in self.axes)

    def terms(self, index: Index) -> list[float]:
        """What is added up for one entry of the operand."""
        whole = (0,) * (self.gradient.ndim - len(self.shape)) + index
        where = tuple(slice(None) if axis in self.axes else place for axis, place in enumerate(whole))
        return [float(term) for term in np.ravel(self.gradient[where])]

    # -- in words --------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return say("unbroadcast_title", shape=self.shape, have=self.gradient.shape)

    @property
    def adds(self) -> bool:
        """Whether an entry of the operand may get more than one number."""
        return bool(self.axes)

    def said(self) -> list[str]:
        """What happens, in sentences."""
        have, want = self.gradient.shape, self.shape
        if not self.axes:
            return [say("said_not_stretched", shape=want)]
        count = math.prod(have[axis] for axis in self.axes)
        where = words.axes(self.axes)
        copies = say("said_used", count=grouped(count)) if count != 1 else say("said_used_once")
        return [
            say("said_stretched", shape=want, have=have, axes=where, copies=copies),
            say("said_summed", have=have, axes=where, shape=want),
            *(f"{reason[0].upper()}{reason[1:]}." for reason in self.reasons),
        ]

    def arrows(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What stands above and below the arrow forward, and the arrow backward."""
        if not self.axes:
            return (say("route_as_it_is"), ""), (say("route_as_it_is"), "")
        where = words.axes(self.axes)
        return (say("route_stretched"), where), (say("route_summed"), say("route_over", axes=where))

    def _mistake(self, have: np.ndarray) -> str:
        gradient, shape, axes, due = self.gradient, self.shape, self.axes, self.expected
        if have.shape != shape:
            return say("problem_shape", have=have.shape, want=shape, more=_other_shape(gradient, axes, due, have))
        if axes and gradient.size:
            count = math.prod(gradient.shape[axis] for axis in axes)
            if close(have * count, due):
                return say("problem_mean", axes=words.axes(axes), count=count)
            for key, place in (("problem_first", 0), ("problem_last", -1)):
                picked = gradient[tuple(place if axis in axes else slice(None) for axis in range(gradient.ndim))]
                if close(have, picked.reshape(shape)):
                    return say(key, count=count - 1)
            if close(have, gradient.max(axis=axes).reshape(shape)):
                return say("problem_largest")
            for axis in axes:
                others = tuple(each for each in axes if each != axis)
                if close(have, gradient.take([0], axis=axis).sum(axis=(*others, axis)).reshape(shape)):
                    return say("problem_unsummed", axis=axis)
        if close(have, -due):
            return say("problem_sign")
        for wrong in range(gradient.ndim):
            summed = gradient.sum(axis=wrong)
            if (wrong,) != axes and summed.size == due.size and close(have, summed.reshape(shape)):
                over = words.axes((wrong,))
                return (
                    say("problem_instead", wrong=over, axes=words.axes(axes))
                    if axes
                    else say("problem_over", wrong=over)
                )
        return differing(have, due)


def _mismatch(have: Shape, want: Shape) -> str:
    extra = len(have) - len(want)
    rule = "an operand has no more axes than the result, and on each of them the result's size or 1"
    if extra < 0:
        return f"{want} cannot be stretched to {have}: {rule}"
    axis = next(axis for axis in range(extra, len(have)) if want[axis - extra] not in (1, have[axis]))
    return f"{want} cannot be stretched to {have}: {rule}, but axis {axis} has {have[axis]} and {want[axis - extra]}"


def _other_shape(gradient: np.ndarray, axes: tuple[int, ...], due: np.ndarray, have: np.ndarray) -> str:
    """What is wrong with a result of another shape: nothing summed, axes kept or dropped, others summed."""
    if have.shape == gradient.shape and close(have, gradient):
        return say("problem_nothing")
    if have.size == due.size and close(have.reshape(due.shape), due):
        if have.shape == gradient.sum(axis=axes, keepdims=True).shape:
            return say("problem_keepdims")
        return say("problem_dropped") if have.shape == gradient.sum(axis=axes).shape else say("problem_axes")
    for some in _subsets(gradient.ndim):
        for keep in (False, True):
            summed = gradient.sum(axis=some, keepdims=keep)
            if some != axes and summed.shape == have.shape and close(have, summed):
                over = words.axes(some)
                return (
                    say("problem_other_axes", wrong=over, axes=words.axes(axes))
                    if axes
                    else say("problem_no_axes", wrong=over)
                )
    return ""


def _subsets(axes: int) -> list[tuple[int, ...]]:
    """Every choice of some axes, the small ones first."""
    found = [tuple(axis for axis in range(axes) if mask >> axis & 1) for mask in range(1, 1 << axes)]
    return sorted(found, key=len)

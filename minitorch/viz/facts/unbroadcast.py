"""Broadcasting and its way back, number by number: the gradient of a stretched operand is a sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.language import N_, gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.counting import grouped
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.routes import Index, Routes, Rule, as_gradient, as_shape, close, differing, whose_rule

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
            gettext("axis {axis} is missing in {shape}: it was added on the left", axis=axis, shape=self.shape)
            if axis < missing
            else gettext(
                "axis {axis} has size 1 in {shape}, and {size} in {have}",
                axis=axis,
                shape=self.shape,
                size=have[axis],
                have=have,
            )
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
        return gettext("Unbroadcast: {shape} ← {have}", shape=self.shape, have=self.gradient.shape)

    @property
    def adds(self) -> bool:
        """Whether an entry of the operand may get more than one number."""
        return bool(self.axes)

    def said(self) -> list[str]:
        """What happens, in sentences."""
        have, want = self.gradient.shape, self.shape
        if not self.axes:
            return [
                gettext(
                    "{shape} is not stretched: the gradient has its shape already, and nothing is summed.", shape=want
                )
            ]
        count = math.prod(have[axis] for axis in self.axes)
        where = words.axes(self.axes)
        copies = (
            gettext("each entry is used {count} times", count=grouped(count))
            if count != 1
            else gettext("each entry is used once")
        )
        return [
            gettext(
                "Forward: {shape} is stretched to {have} along {axes}; {copies}.",
                shape=want,
                have=have,
                axes=where,
                copies=copies,
            ),
            gettext(
                "Backward: the gradient {have} is summed over {axes}, back to {shape}.",
                have=have,
                axes=where,
                shape=want,
            ),
            *(f"{reason[0].upper()}{reason[1:]}." for reason in self.reasons),
        ]

    def arrows(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What stands above and below the arrow forward, and the arrow backward."""
        if not self.axes:
            return (gettext("as it is"), ""), (gettext("as it is"), "")
        where = words.axes(self.axes)
        return (gettext("stretched"), where), (gettext("Σ summed"), gettext("over {axes}", axes=where))

    def _mistake(self, have: np.ndarray) -> str:
        gradient, shape, axes, due = self.gradient, self.shape, self.axes, self.expected
        if have.shape != shape:
            return gettext(
                "the shape is {have}, not {want}{more}",
                have=have.shape,
                want=shape,
                more=_other_shape(gradient, axes, due, have),
            )
        if axes and gradient.size:
            count = math.prod(gradient.shape[axis] for axis in axes)
            if close(have * count, due):
                return gettext(
                    "the mean over {axes}: each number is the sum divided by {count}. Every copy adds its whole part",
                    axes=words.axes(axes),
                    count=count,
                )
            for key, place in (
                (N_("the first copy alone: the other {count} copies have a part in the gradient too"), 0),
                (N_("the last copy alone: the other {count} copies have a part in the gradient too"), -1),
            ):
                picked = gradient[tuple(place if axis in axes else slice(None) for axis in range(gradient.ndim))]
                if close(have, picked.reshape(shape)):
                    return gettext(key, count=count - 1)
            if close(have, gradient.max(axis=axes).reshape(shape)):
                return gettext("the largest of the copies: they must be added")
            for axis in axes:
                others = tuple(each for each in axes if each != axis)
                if close(have, gradient.take([0], axis=axis).sum(axis=(*others, axis)).reshape(shape)):
                    return gettext("axis {axis} is not summed: only its first copy is there", axis=axis)
        if close(have, -due):
            return gettext("the sign is turned round")
        for wrong in range(gradient.ndim):
            summed = gradient.sum(axis=wrong)
            if (wrong,) != axes and summed.size == due.size and close(have, summed.reshape(shape)):
                over = words.axes((wrong,))
                return (
                    gettext("summed over {wrong} instead of {axes}", wrong=over, axes=words.axes(axes))
                    if axes
                    else gettext("summed over {wrong}", wrong=over)
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
        return gettext(": nothing was summed")
    if have.size == due.size and close(have.reshape(due.shape), due):
        if have.shape == gradient.sum(axis=axes, keepdims=True).shape:
            return gettext(": the numbers are right, but the summed axes are still there with size 1 (keepdims)")
        return (
            gettext(": the numbers are right, but axes of size 1 were dropped: sum those with keepdims=True")
            if have.shape == gradient.sum(axis=axes).shape
            else gettext(": the numbers are right, the axes are not")
        )
    for some in _subsets(gradient.ndim):
        for keep in (False, True):
            summed = gradient.sum(axis=some, keepdims=keep)
            if some != axes and summed.shape == have.shape and close(have, summed):
                over = words.axes(some)
                return (
                    gettext(": summed over {wrong} instead of {axes}", wrong=over, axes=words.axes(axes))
                    if axes
                    else gettext(": summed over {wrong} instead of nothing", wrong=over)
                )
    return ""


def _subsets(axes: int) -> list[tuple[int, ...]]:
    """Every choice of some axes, the small ones first."""
    found = [tuple(axis for axis in range(axes) if mask >> axis & 1) for mask in range(1, 1 << axes)]
    return sorted(found, key=len)

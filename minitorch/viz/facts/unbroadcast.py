"""Broadcasting and its way back, number by number: the gradient of a stretched operand is a sum."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from minitorch.autograd.backward import reduced_axes
from minitorch.viz.facts import words
from minitorch.viz.facts.model import Shape

MOST_AXES = 6

Index = tuple[int, ...]


class Sums:
    """The facts of `viz.unbroadcast`; `Unbroadcast`, which draws them, says what each attribute is."""

    def __init__(self, gradient: Any, shape: Any, result: Any, whose: str = "yours") -> None:
        self.shape = _shape(shape)
        self.gradient = _gradient(gradient)
        axes = reduced_axes(self.gradient.shape, self.shape)
        if axes is None:
            raise ValueError(_mismatch(self.gradient.shape, self.shape))
        if self.gradient.ndim > MOST_AXES:
            raise ValueError(f"this picture draws up to {MOST_AXES} axes, and the gradient has {self.gradient.ndim}")
        self.axes = axes
        with np.errstate(all="ignore"):
            self.expected = self.gradient.sum(axis=axes).reshape(self.shape)
        self.result = None if result is None else _result(result)
        self.result_name = "your result" if whose == "yours" else f"result, {whose}"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why each of `axes` is summed."""
        missing = self.gradient.ndim - len(self.shape)
        return tuple(
            f"axis {axis} is missing in {self.shape}: it was added on the left"
            if axis < missing
            else f"axis {axis} has size 1 in {self.shape}, and {self.gradient.shape[axis]} in {self.gradient.shape}"
            for axis in self.axes
        )

    @cached_property
    def problem(self) -> str:
        """What is wrong with the result, in words; "" if it is right or none was given."""
        return "" if self.result is None else _problem(self.gradient, self.shape, self.axes, self.expected, self.result)

    # -- entry by entry --------------------------------------------------------------------------------------------

    def owner(self, index: Index) -> Index:
        """The entry of the operand that the result's entry at `index` holds a copy of."""
        inner = index[self.gradient.ndim - len(self.shape) :]
        return tuple(0 if size == 1 else place for place, size in zip(inner, self.shape, strict=True))

    def name(self, index: Index) -> str:
        """The letter of an entry of the operand."""
        return letters(int(np.ravel_multi_index(index, self.shape)) if index else 0)

    def is_copy(self, index: Index) -> bool:
        """False for the first of the copies: it stands where the operand itself would."""
        return any(index[axis] for axis in self.axes)

    def terms(self, index: Index) -> list[float]:
        """What is added up for one entry of the operand."""
        whole = (0,) * (self.gradient.ndim - len(self.shape)) + index
        where = tuple(slice(None) if axis in self.axes else place for axis, place in enumerate(whole))
        return [float(term) for term in np.ravel(self.gradient[where])]

    def wrong(self, index: Index) -> bool:
        """True where the result that was given differs."""
        assert self.result is not None
        return not _close(self.result[index], self.expected[index])

    def said(self) -> list[str]:
        """What happens, in sentences."""
        have, want = self.gradient.shape, self.shape
        if not self.axes:
            return [f"{want} is not stretched: the gradient has its shape already, and nothing is summed."]
        count = math.prod(have[axis] for axis in self.axes)
        where = words.axes(self.axes)
        copies = f"each entry is used {count:,} times" if count != 1 else "each entry is used once"
        return [
            f"Forward: {want} is stretched to {have} along {where}; {copies}.",
            f"Backward: the gradient {have} is summed over {where}, back to {want}.",
            *(f"{reason[0].upper()}{reason[1:]}." for reason in self.reasons),
        ]


def letters(number: int) -> str:
    """The names of entries, in order: a, b, …, z, aa, ab and so on.

    >>> letters(0), letters(25), letters(26), letters(702)
    ('a', 'z', 'aa', 'aaa')
    """
    said = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        said = chr(ord("a") + letter) + said
    return said


def _shape(thing: Any) -> Shape:
    """A shape, or that of an array or a Tensor."""
    if hasattr(thing, "shape"):
        return tuple(int(size) for size in thing.shape)
    sizes = (thing,) if isinstance(thing, int) else tuple(thing)
    if not all(isinstance(size, (int, np.integer)) and not isinstance(size, bool) and size >= 0 for size in sizes):
        raise TypeError(f"a shape is a tuple of whole numbers, such as (4, 3), not {thing!r}")
    return tuple(map(int, sizes))


def _gradient(thing: Any) -> np.ndarray:
    """The gradient that arrives; for a shape, one that counts from 1."""
    if isinstance(thing, (tuple, int)) and not isinstance(thing, bool):
        shape = _shape(thing)
        return np.arange(1.0, math.prod(shape) + 1).reshape(shape)
    return _result(thing)


def _result(thing: Any) -> np.ndarray:
    plain = thing.detach() if hasattr(thing, "detach") else thing
    plain = getattr(plain, "_data", plain)
    plain = (
        getattr(plain, "data", plain) if not isinstance(plain, (np.ndarray, np.generic, int, float, list)) else plain
    )
    try:
        return np.asarray(plain, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"expected an array, a Tensor or a shape, not {type(thing).__name__}") from None


def _mismatch(have: Shape, want: Shape) -> str:
    extra = len(have) - len(want)
    rule = "an operand has no more axes than the result, and on each of them the result's size or 1"
    if extra < 0:
        return f"{want} cannot be stretched to {have}: {rule}"
    axis = next(axis for axis in range(extra, len(have)) if want[axis - extra] not in (1, have[axis]))
    return f"{want} cannot be stretched to {have}: {rule}, but axis {axis} has {have[axis]} and {want[axis - extra]}"


def _problem(gradient: np.ndarray, shape: Shape, axes: tuple[int, ...], due: np.ndarray, have: np.ndarray) -> str:
    """The first known mistake that gives exactly this result."""
    with np.errstate(all="ignore"):
        if have.shape == due.shape and _close(have, due):
            return ""
        if have.shape != shape:
            return _wrong_shape(gradient, shape, axes, due, have)
        if axes and gradient.size:
            count = math.prod(gradient.shape[axis] for axis in axes)
            if _close(have * count, due):
                mean = f"the mean over {words.axes(axes)}: each number is the sum divided by {count}"
                return f"{mean}. Every copy adds its whole part"
            first = gradient[tuple(0 if axis in axes else slice(None) for axis in range(gradient.ndim))].reshape(shape)
            last = gradient[tuple(-1 if axis in axes else slice(None) for axis in range(gradient.ndim))].reshape(shape)
            for which, picked in (("first", first), ("last", last)):
                if _close(have, picked):
                    return f"the {which} copy alone: the other {count - 1} copies have a part in the gradient too"
            if _close(have, gradient.max(axis=axes).reshape(shape)):
                return "the largest of the copies: they must be added"
            for axis in axes:
                others = tuple(each for each in axes if each != axis)
                at_first = gradient.take([0], axis=axis).sum(axis=(*others, axis)).reshape(shape)
                if _close(have, at_first):
                    return f"axis {axis} is not summed: only its first copy is there"
        if _close(have, -due):
            return "the sign is turned round"
        for wrong in range(gradient.ndim):
            summed = gradient.sum(axis=wrong)
            if (wrong,) != axes and summed.size == due.size and _close(have, summed.reshape(shape)):
                return (
                    f"summed over axis {wrong} instead of {words.axes(axes)}" if axes else f"summed over axis {wrong}"
                )
    wrong_count = int((~np.isclose(have, due, rtol=1e-6, atol=1e-9, equal_nan=True)).sum())
    return f"{wrong_count} of {due.size} numbers differ" if due.size > 1 else "the number differs"


def _wrong_shape(gradient: np.ndarray, shape: Shape, axes: tuple[int, ...], due: np.ndarray, have: np.ndarray) -> str:
    """What is wrong with a result of another shape: nothing summed, axes kept or dropped, others summed."""
    said = f"the shape is {have.shape}, not {shape}"
    if have.shape == gradient.shape and _close(have, gradient):
        return f"{said}: nothing was summed"
    if have.size == due.size and _close(have.reshape(shape), due):
        kept = gradient.sum(axis=axes, keepdims=True).shape
        if have.shape == kept:
            return f"{said}: the numbers are right, but the summed axes are still there with size 1 (keepdims)"
        if have.shape == gradient.sum(axis=axes).shape:
            return f"{said}: the numbers are right, but axes of size 1 were dropped: sum those with keepdims=True"
        return f"{said}: the numbers are right, the axes are not"
    for some in _subsets(gradient.ndim):
        for keep in (False, True):
            summed = gradient.sum(axis=some, keepdims=keep)
            if some != axes and summed.shape == have.shape and _close(have, summed):
                return f"{said}: summed over {words.axes(some)} instead of {words.axes(axes) if axes else 'nothing'}"
    return said


def _subsets(axes: int) -> list[tuple[int, ...]]:
    """Every choice of some axes, the small ones first."""
    found = [tuple(axis for axis in range(axes) if mask >> axis & 1) for mask in range(1, 1 << axes)]
    return sorted(found, key=len)


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.allclose(one, other, rtol=1e-6, atol=1e-9, equal_nan=True))

"""Transpose, reshape and index: where each number goes, and where its gradient comes back to."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from minitorch.language import N_, gettext
from minitorch.viz.facts.routes import Index, Routes, Rule, as_gradient, as_shape, close, differing, whose_rule

MOST_ENTRIES = 10_000


class Moves(Routes):
    """The facts of a picture of numbers that only move. owners: for each entry of the result the operand's, by number.

    extra: what a rule is given after the gradient and the operand.
    """

    def __init__(
        self, x: Any, extra: tuple[Any, ...], gradient: Any, result: Any, rule: Rule | None, whose: str | None
    ) -> None:
        self.shape = as_shape(x)
        size = int(np.prod(self.shape))
        if size > MOST_ENTRIES:
            raise ValueError(f"this picture follows up to {MOST_ENTRIES:,} numbers, and x has {size:,}: use fewer")
        self.owners = np.asarray(self.moved(np.arange(size).reshape(self.shape)))
        self.gradient = as_gradient(self.owners.shape if gradient is None else gradient)
        if self.gradient.shape != self.owners.shape:
            raise ValueError(
                f"the gradient is {self.gradient.shape}, and the result {self.owners.shape}: use that shape"
            )
        total = np.zeros(size)
        np.add.at(total, self.owners.ravel(), self.gradient.ravel())
        self.expected = total.reshape(self.shape)
        flat = self.owners.ravel()
        self._firsts = frozenset(np.unique(flat, return_index=True)[1].tolist())
        operand = np.arange(1.0, size + 1).reshape(self.shape)
        self.judge(result, rule, (self.gradient, operand, *extra), whose_rule(rule, whose))

    @abstractmethod
    def moved(self, array: np.ndarray) -> np.ndarray:
        """The operation itself."""

    def owner(self, index: Index) -> Index:
        """The entry of the operand that the result's entry at `index` is."""
        return tuple(int(each) for each in np.unravel_index(int(self.owners[index]), self.shape))

    def is_copy(self, index: Index) -> bool:
        """False for the first of the entries that are the same one of the operand."""
        return int(np.ravel_multi_index(index, self.owners.shape) if index else 0) not in self._firsts

    def terms(self, index: Index) -> list[float]:
        """What is added up for one entry of the operand: one number, several, or none."""
        number = int(np.ravel_multi_index(index, self.shape)) if index else 0
        return [float(term) for term in self.gradient[self.owners == number]]

    @property
    def adds(self) -> bool:
        """Whether an entry of the operand gets more than one number."""
        return len(self._firsts) < self.owners.size

    def _mistake(self, have: np.ndarray) -> str:
        if have.shape != self.shape:
            return gettext(
                "the shape is {have}, not {want}{more}", have=have.shape, want=self.shape, more=self._other_shape(have)
            )
        return gettext("the sign is turned round") if close(have, -self.expected) else self._moved_wrong(have)

    def _other_shape(self, have: np.ndarray) -> str:
        same = have.size == self.expected.size and close(have.reshape(self.shape), self.expected)
        return gettext(": the numbers are right, the shape is not put back") if same else ""

    def _moved_wrong(self, have: np.ndarray) -> str:
        """The first known mistake that gives this result, which has the right shape."""
        return differing(have, self.expected)


class Transposed(Moves):
    """x.transpose(axes): axis i of the result is axis axes[i] of x; None reverses the order."""

    def __init__(
        self, x: Any, axes: tuple[int, ...] | None, gradient: Any, result: Any, rule: Rule | None, whose: str | None
    ) -> None:
        count = len(as_shape(x))
        self.axes = tuple(axis % count for axis in axes) if axes is not None else tuple(reversed(range(count)))
        if sorted(self.axes) != list(range(count)):
            raise ValueError(f"axes {axes} must name each of the {count} axes of {as_shape(x)} once")
        self.back = tuple(int(axis) for axis in np.argsort(self.axes))
        super().__init__(x, (axes,), gradient, result, rule, whose)

    def moved(self, array: np.ndarray) -> np.ndarray:
        """The operation itself."""
        return array.transpose(self.axes)

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Transpose {axes}: {shape} ← {have}", axes=self.axes, shape=self.shape, have=self.gradient.shape)

    def said(self) -> list[str]:
        """What happens, in sentences."""
        return [
            gettext(
                "Forward: axis i of the result is axis axes[i] of {shape}, axes = {axes}.",
                shape=self.shape,
                axes=self.axes,
            ),
            gettext(
                "Backward: the gradient {have} is transposed by {back}, which puts every axis back.",
                have=self.gradient.shape,
                back=self.back,
            ),
        ]

    def arrows(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What stands above and below the arrow forward, and the arrow backward."""
        return (gettext("axes {axes}", axes=self.axes), ""), (gettext("axes {axes}", axes=self.back), "")

    def _other_shape(self, have: np.ndarray) -> str:
        return f": {said}" if (said := self._not_back(have)) else super()._other_shape(have)

    def _moved_wrong(self, have: np.ndarray) -> str:
        return self._not_back(have) or super()._moved_wrong(have)

    def _not_back(self, have: np.ndarray) -> str:
        for key, tried in (
            (N_("g as it came: its axes are not put back"), self.gradient),
            (N_("transposed by {axes} once more: the way back is {back}"), self.gradient.transpose(self.axes)),
            (N_("all axes are reversed: the way back is {back}"), self.gradient.transpose()),
        ):
            if tried.shape == have.shape and close(have, tried):
                return gettext(key, axes=self.axes, back=self.back)
        return ""


class Reshaped(Moves):
    """x.reshape(shape): the same numbers, read row by row."""

    def __init__(self, x: Any, shape: Any, gradient: Any, result: Any, rule: Rule | None, whose: str | None) -> None:
        self._to = shape
        super().__init__(x, (), gradient, result, rule, whose)

    def moved(self, array: np.ndarray) -> np.ndarray:
        """The operation itself."""
        return array.reshape(self._to)

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Reshape: {shape} ← {have}", shape=self.shape, have=self.gradient.shape)

    def said(self) -> list[str]:
        """What happens, in sentences."""
        return [
            gettext(
                "Forward: the numbers of {shape} are read row by row and written row by row into {have}.",
                shape=self.shape,
                have=self.gradient.shape,
            ),
            gettext("Backward: the same way back, number by number; nothing is added."),
        ]

    def arrows(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What stands above and below the arrow forward, and the arrow backward."""
        return (gettext("row by row"), ""), (gettext("row by row"), "")

    def _moved_wrong(self, have: np.ndarray) -> str:
        wrong = (self.gradient.reshape(self.shape, order="F"), self.gradient.ravel(order="F").reshape(self.shape))
        return (
            gettext("read column by column: reshape reads row by row")
            if any(close(have, each) for each in wrong)
            else super()._moved_wrong(have)
        )


class Picked(Moves):
    """x[index]: some entries, in some order, each perhaps several times."""

    def __init__(self, x: Any, index: Any, gradient: Any, result: Any, rule: Rule | None, whose: str | None) -> None:
        self.index = index
        super().__init__(x, (index,), gradient, result, rule, whose)

    def moved(self, array: np.ndarray) -> np.ndarray:
        """The operation itself."""
        return np.asarray(array[self.index])

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext(
            "Index [{index}]: {shape} ← {have}", index=_index(self.index), shape=self.shape, have=self.gradient.shape
        )

    def said(self) -> list[str]:
        """What happens, in sentences."""
        size = int(np.prod(self.shape))
        found = [
            gettext(
                "Forward: [{index}] picks {picked} of {size} entries of {shape}.",
                index=_index(self.index),
                picked=len(self._firsts),
                size=size,
                shape=self.shape,
            ),
            gettext("Backward: each gradient goes to the entry that was picked; what was not picked gets 0."),
        ]
        return (
            [*found, gettext("An entry that was picked several times gets all its gradients, added.")]
            if self.adds
            else found
        )

    def arrows(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What stands above and below the arrow forward, and the arrow backward."""
        return (gettext("picked"), ""), (gettext("Σ put back" if self.adds else "put back"), "")

    def _other_shape(self, have: np.ndarray) -> str:
        if have.shape == self.gradient.shape and close(have, self.gradient):
            return gettext(": only what was picked is there, and the zeros around it are missing")
        return super()._other_shape(have)

    def _moved_wrong(self, have: np.ndarray) -> str:
        last, first, counted = np.zeros((3, *self.shape))
        flat, came = self.owners.ravel(), self.gradient.ravel()
        for owner, number in zip(flat, came, strict=True):
            last.flat[owner] = number
        for owner, number in zip(flat[::-1], came[::-1], strict=True):
            first.flat[owner] = number
        np.add.at(counted.reshape(-1), flat, 1.0)
        for key, tried in (
            (N_("of an entry picked several times only the last gradient is there: all must be added"), last),
            (N_("of an entry picked several times only the first gradient is there: all must be added"), first),
            (N_("how often each entry is picked, not what arrives there"), counted),
        ):
            if close(have, tried):
                return gettext(key)
        return super()._moved_wrong(have)


def _index(index: Any) -> str:
    """An index as it stands between brackets.

    >>> _index((slice(None), [0, 2])), _index(slice(1, None, 2)), _index(...)
    (':, [0, 2]', '1::2', '...')
    """
    if isinstance(index, tuple):
        return ", ".join(map(_index, index))
    if isinstance(index, slice):
        start, stop = ("" if each is None else str(each) for each in (index.start, index.stop))
        return f"{start}:{stop}" + ("" if index.step is None else f":{index.step}")
    if index is Ellipsis:
        return "..."
    plain = index.tolist() if isinstance(index, (np.ndarray, np.generic)) else index
    said = str(plain)
    return said if len(said) <= 40 else f"{said[:36]} …]"

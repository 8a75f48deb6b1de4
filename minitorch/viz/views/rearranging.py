"""The views `transpose`, `reshape` and `getitem`: where each number goes, and where its gradient comes back to.

The microscope that they share shows `unbroadcast`, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.reel import Reel
from minitorch.viz.drawing.routes import THEME, arithmetic, draw, listing
from minitorch.viz.facts import words
from minitorch.viz.facts.rearranging import Moves, Picked, Reshaped, Transposed
from minitorch.viz.facts.routes import Routes
from minitorch.viz.views.film import Film

__all__ = ["Getitem", "Reshape", "Transpose", "getitem", "reshape", "transpose"]


class Microscope(Routes, Film):
    """Numbers of one operand, entry by entry, and the gradient that each gets."""

    _theme = THEME

    def arithmetic(self, signs: words.Signs = words.ASCII) -> list[str]:
        """The sums of the first entries, written out: "a: 1 + 3 = 4"."""
        return arithmetic(self, signs)

    @cached_property
    def _reels(self) -> tuple[Reel, ...]:
        return (draw(self, type(self).__name__.lower()),)

    def _still(self) -> tuple[Reel, int]:
        return self._reels[0], len(self._reels[0].frames) - 1

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: every step; what is said of it stands beside the drawing."""
        return self._of((draw(self, type(self).__name__.lower(), written=False),))

    def _listing(self, limit: int | None) -> str:
        return listing(self, limit)


class _Moving(Moves, Microscope):
    """The microscope for one operand whose numbers move.

    gradient: what arrives, in the result's shape. expected: the operand's gradient. owners: for each entry of the
    result the number of the operand's entry that it is. result: what a rule made of the gradient; problem: what is
    wrong with that, "" if nothing is or none was asked.
    """


class Transpose(Transposed, _Moving):
    """x.transpose(axes) and its way back. axes: as a tuple; back: those that put every axis back."""


class Reshape(Reshaped, _Moving):
    """x.reshape(shape) and its way back."""


class Getitem(Picked, _Moving):
    """x[index] and its way back. index: what stood between the brackets."""


def transpose(
    x: Any,
    axes: tuple[int, ...] | None = None,
    *,
    rule: Callable[..., Any] | None = None,
    gradient: Any = None,
    result: Any = None,
    whose: str | None = None,
) -> Transpose:
    r"""Where x.transpose(axes) puts each number, and where its gradient comes back to.

    x: the operand, or its shape. axes: as NumPy takes them; None reverses their order. rule: a function
    rule(g, x, axes), right or wrong, that is run and judged; result: in place of it, what some code made.
    gradient: what arrives, 1, 2, 3, … if None. whose: as in `unbroadcast`.

    Raises ValueError for axes that do not name each axis once, and for more than 10,000 numbers.

    >>> transpose((2, 3), rule=lambda g, x, axes: g.transpose(axes)).problem
    ''
    >>> transpose((2, 3, 4), (1, 2, 0), rule=lambda g, x, axes: g.transpose(axes)).problem
    'the shape is (4, 2, 3), not (2, 3, 4): transposed by (1, 2, 0) once more: the way back is (2, 0, 1)'
    """
    return Transpose(x, axes, gradient, result, rule, whose)


def reshape(
    x: Any,
    shape: Any,
    *,
    rule: Callable[..., Any] | None = None,
    gradient: Any = None,
    result: Any = None,
    whose: str | None = None,
) -> Reshape:
    r"""Where x.reshape(shape) puts each number, and where its gradient comes back to.

    rule: a function rule(g, x). The others, and what is raised, as in `transpose`; ValueError, too, for a shape that
    holds another count of numbers.

    >>> print("\n".join(reshape((2, 3), (3, 2)).arithmetic()))
    a: 1
    b: 2
    c: 3
    d: 4
    … and 2 more
    """
    return Reshape(x, shape, gradient, result, rule, whose)


def getitem(
    x: Any,
    index: Any,
    *,
    rule: Callable[..., Any] | None = None,
    gradient: Any = None,
    result: Any = None,
    whose: str | None = None,
) -> Getitem:
    r"""Which numbers x[index] picks, and where the gradient comes back to: an entry picked twice gets both, added.

    index: whatever NumPy takes between the brackets. rule: a function rule(g, x, index). The others, and what is
    raised, as in `transpose`; IndexError, too, as NumPy raises it.

    >>> print("\n".join(getitem((3,), [0, 2, 0]).arithmetic()))
    a: 1 + 3 = 4
    b: 0
    c: 2
    >>> def assigned(g, x, index):
    ...     x_grad = x * 0
    ...     x_grad[index] = g
    ...     return x_grad
    >>> getitem((3,), [0, 2, 0], rule=assigned).problem
    'of an entry picked several times only the last gradient is there: all must be added'
    """
    return Getitem(x, index, gradient, result, rule, whose)

"""The view `unbroadcast`: how a gradient is summed back to the shape of a stretched operand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.reel import Reel
from minitorch.viz.drawing.routes import THEME, arithmetic, draw, listing
from minitorch.viz.facts import words
from minitorch.viz.facts.unbroadcast import Sums
from minitorch.viz.views.film import Film

__all__ = ["Unbroadcast", "unbroadcast"]


class Unbroadcast(Sums, Film):
    """The microscope for one operand of `shape` whose gradient arrives in the shape of the result.

    gradient: what arrives. shape: the operand's. axes: those that are summed; reasons: why, one for each.
    expected: the operand's gradient, the sum. result: what a rule made of it; problem: what is wrong with that, "" if
    nothing is or none was asked.
    """

    _theme = THEME

    def arithmetic(self, signs: words.Signs = words.ASCII) -> list[str]:
        """The first sums, written out: "a: 1 + 4 + 7 + 10 = 22"."""
        return arithmetic(self, signs)

    @cached_property
    def _reels(self) -> tuple[Reel, ...]:
        return (draw(self, "unbroadcast"),)

    def _still(self) -> tuple[Reel, int]:
        return self._reels[0], len(self._reels[0].frames) - 1

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: every step; what is said of it stands beside the drawing."""
        return self._of((draw(self, "unbroadcast", written=False),))

    def _listing(self, limit: int | None) -> str:
        return listing(self, limit)


def unbroadcast(
    gradient: Any, shape: Any, *, rule: Callable[..., Any] | None = None, result: Any = None, whose: str | None = None
) -> Unbroadcast:
    r"""How the gradient of a stretched operand of `shape` is summed from the result's gradient, number by number.

    gradient: what arrives, an array or a Tensor; a shape such as (4, 3) stands for a made-up one, 1, 2, 3, …
    shape: the operand's, or an array or a Tensor that has it. rule: a function rule(gradient, shape), right or wrong:
    it is run, and where it differs from the sum that is marked, and the mistake is named if it is a known one; what it
    raises is shown. result: in place of a rule, what some code made of them. whose: "yours", or who else made it
    ("reference"); minitorch's own functions are called reference by themselves.

    Raises ValueError when `shape` cannot be stretched to the gradient's, TypeError for what is no array and no shape.

    >>> print("\n".join(unbroadcast((4, 3), (3,)).arithmetic()))
    a: 1 + 4 + 7 + 10 = 22
    b: 2 + 5 + 8 + 11 = 26
    c: 3 + 6 + 9 + 12 = 30
    >>> unbroadcast((2, 2), (2,), rule=lambda g, shape: g.mean(axis=0)).problem
    'the mean over axis 0: each number is the sum divided by 2. Every copy adds its whole part'
    """
    return Unbroadcast(gradient, shape, result, rule, whose)

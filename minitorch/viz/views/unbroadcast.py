"""The view `unbroadcast`: how a gradient is summed back to the shape of a stretched operand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minitorch.viz.facts.unbroadcast import Sums
from minitorch.viz.views.rearranging import Microscope

__all__ = ["Unbroadcast", "unbroadcast"]


class Unbroadcast(Sums, Microscope):
    """The microscope for one operand of `shape` whose gradient arrives in the shape of the result.

    gradient: what arrives. shape: the operand's. axes: those that are summed; reasons: why, one for each.
    expected: the operand's gradient, the sum. result: what a rule made of it; problem: what is wrong with that, "" if
    nothing is or none was asked.
    """


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

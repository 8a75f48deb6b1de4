"""Checkpoint C2, unseen rules: three operations whose way back you have not met.

All arrays hold float64 numbers. In a rule `..._vjp(g, ...)`

    g                 the gradient that arrives, an array in the shape of the operation's result, of any sign
    what it returns   one gradient for each array that went in, in the shape of that array

A rule changes nothing that it is given. What it returns may be a view of g: `accumulate` of lesson 05 makes a copy.
The examples show the way forward only. Whether your way back is right, your `gradcheck` of lesson 07 can tell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def cumsum_vjp(g: np.ndarray, x: np.ndarray, axis: int) -> np.ndarray:
    """Return the gradient of x for the result np.cumsum(x, axis=axis), the running sum along one axis.

    x: array with one axis or more; an axis may have size 0. axis: one axis, -1 is the last one. g: array in x's shape,
    which is also that of the result. Returns an array of x's shape.

        np.cumsum([1.0, 2.0, 5.0], axis=0) is [1.0, 3.0, 8.0]
    """
    return np.flip(np.cumsum(np.flip(g, axis), axis), axis)


def clip_vjp(g: np.ndarray, x: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return the gradient of x for the result np.clip(x, low, high).

    low, high: one number each, low <= high; either may be infinite. They get no gradient. g: array in x's shape.
    Returns an array of x's shape. At a bound, where an entry of x equals low or high, there is a kink; here, as in
    PyTorch's clamp and in minitorch's clip, such an entry counts as lying inside.

        np.clip([-3.0, 0.5, 1.0, 4.0], 0.0, 1.0) is [0.0, 0.5, 1.0, 1.0]
    """
    inside = (low <= x) & (x <= high)
    return np.where(inside, g, 0.0)


def stack_vjp(g: np.ndarray, arrays: Sequence[np.ndarray], axis: int) -> list[np.ndarray]:
    """Return the gradients of the arrays for the result np.stack(arrays, axis=axis): a list, in the arrays' order.

    stack lays arrays side by side along a new axis, which counts them. arrays: a list of one or more arrays of one
    shape, which may be (). axis: where the new axis stands in the result, -1 for its last axis. g: array in the shape
    of the result, with one axis more than the arrays have. Returns a list with as many arrays as went in, each in
    their shape; an array that stands in the list twice gets two gradients.

        np.stack([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], axis=1) is [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]], shape (3, 2)
    """
    return [np.take(g, place, axis=axis) for place in range(len(arrays))]

"""Lesson 03, gradcheck: measure a gradient, compare it with the one that a rule claims, and find the rule that lies.

Here numbers come in NumPy arrays. x is one array of any shape; shape () holds a single number and has no axes.
f is a function that takes an array shaped like x and returns one number. A gradient of f at x has one number for each
entry of x, so it has x's shape. A nudge moves one entry by eps and leaves all others where they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# What `find_bug` tries, by name. Each program takes two nodes and returns one; some use only one of the two.
# "backward" tests the walk: it adds and does nothing else, but p has a short and a long path to the result.
PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "pow": lambda a, b: a**3,
    "neg": lambda a, b: -b,
    "exp": lambda a, b: b.exp(),
    "relu": lambda a, b: a.relu(),
    "backward": lambda a, b: uneven(a, b),
}


def uneven(a: Any, b: Any) -> Any:
    """a + b = p acts on the result directly and through q (given)."""
    p = a + b
    q = p + p
    return p + q


def numeric_grad(f: Callable[[np.ndarray], float], x: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    """Return the measured gradient of f at x: for each entry (f(nudged up) - f(nudged down)) / (2 * eps).

    x: array of any shape, also () or with an axis of length 0. It stays as it is, all the time: it may be read-only.
    f is measured in float64, also where x holds float32 or integers. Returns a float64 array of x's shape.

        f(x) = x[0] * x[1] at x = [3.0, 2.0], shape (2,)
        numeric_grad(f, x) is [2.0, 3.0] up to rounding, shape (2,)
    """
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[index] = x[index] + eps
        above = f(nudged)
        nudged[index] = x[index] - eps
        below = f(nudged)
        gradient[index] = (above - below) / (2 * eps)
    return gradient


def relative_error(a: np.ndarray, b: np.ndarray, floor: float = 1e-3) -> np.ndarray:
    """Return how far a and b are apart, entry by entry, in parts of the larger of the two.

        error = |a - b| / (the largest of |a|, |b| and floor)

    a, b: float64 arrays of one shape. floor: a number above 0, so nothing is divided by 0; below it only the difference
    counts. Returns an array of the same shape, nothing in it below 0; where a or b is nan, the error is nan.

        relative_error([100.0, 0.0], [101.0, 0.0]) is [0.0099, 0.0] up to rounding, shape (2,)
        relative_error([1e-9], [3e-9], floor=1.0) is [2e-9]: both are close to nothing
    """
    scale = np.maximum(np.maximum(np.abs(a), np.abs(b)), floor)
    return np.abs(a - b) / scale


def at_kink(f: Callable[[np.ndarray], float], x: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    """Return for each entry of x whether f has a kink or a jump there, so that no measured slope can be trusted.

        right = (f(nudged up) - f(x)) / eps         left = (f(x) - f(nudged down)) / eps

    True where |right - left| is more than 0.01 times the largest of |right|, |left| and 1.0, and where one of them is
    nan. x: float64 array of any shape; it stays as it is. Returns an array of bool of x's shape.

        f(x) = |x[0]| + |x[1]| at x = [0.0, 2.0], shape (2,): left and right are -1.0 and 1.0, then 1.0 and 1.0
        at_kink(f, x) is [True, False], shape (2,)
    """
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[index] = x[index] + eps
        right[index] = (f(nudged) - here) / eps
        nudged[index] = x[index] - eps
        left[index] = (here - f(nudged)) / eps
    return np.asarray(np.logical_not(relative_error(right, left, floor=1.0) <= 0.01))  # nan is not small either


def gradcheck(
    op: Callable[[np.ndarray], np.ndarray],
    rule: Callable[[np.ndarray, np.ndarray], np.ndarray],
    x: np.ndarray,
    eps: float = 1e-6,
    tolerance: float = 1e-5,
) -> bool:
    """Return whether rule(g, x) is the gradient at x of the number f(x) = sum(g * op(x)).

    op: takes an array shaped like x and returns an array y, often of another shape, or one number.
    rule: takes g, shaped like y, and x, and returns the gradient that it claims.
    g: the upstream gradient. Draw it here: a different number for each entry of y and none near 0, such as
    np.random.default_rng(0).uniform(0.5, 1.5, y.shape).
    x: float64 array of any shape; it stays as it is.

    True when the claim has x's shape and its relative error is at most tolerance in every entry; otherwise False.
    Raises ValueError when f has a kink or a jump at x, whatever the rule claims: there is nothing to judge.

        op(x) = x * x, rule(g, x) = g * 2 * x, x = [3.0, -1.0]: every error is 0.0 up to rounding, the answer True
        op(x) = x * x, rule(g, x) = 2 * x: the answer is False
    """
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x: np.ndarray) -> float:
        return float(np.sum(g * op(x)))

    if at_kink(f, x, eps).any():
        raise ValueError("the function has a kink or a jump at this point: choose another one")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


def find_bug(engine: Callable[[float], Any]) -> str | None:
    """Return the name of the first program in PROGRAMS whose gradients the engine gets wrong; None if there is none.

    engine: a class such as `minitorch.scalar.Value`. engine(3.0) is a new leaf. Leaves have + * ** and unary minus,
    .exp(), .relu(), .backward(), and the numbers .data and .grad. After backward, a leaf that the result was not made
    from still has grad None: its gradient is 0.0.
    A bug may hide at one point. Try several: numbers that are not round, unlike each other, of both signs.

        in an engine with the rule of lesson 01 for n * x**n in the place of n * x**(n - 1), find_bug(engine) is "pow"
    """

    def agrees(program: Callable[[Any, Any], Any], x: np.ndarray) -> bool:
        def op(x: np.ndarray) -> np.ndarray:
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g: np.ndarray, x: np.ndarray) -> np.ndarray:
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None

"""Lesson 07, vector-Jacobian products: a rule turns the gradient that arrives into the gradient of x, and is tested.

op makes an array y out of an array x. g is the gradient that arrives from above, the upstream gradient: one number for
each entry of y, so it has y's shape. A rule takes g and x, and returns one number for each entry of x:

    rule(g, x)[j] = sum over i of g[i] * (how fast y[i] grows with x[j])

All arrays hold float64 numbers. x may have any shape, also (), a single number. Lesson 03's three functions and their
use on arrays are given; in `engine("mine")` the three are your own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np


def numeric_grad(f: Callable[[float], float], x: float, eps: float = 1e-6) -> float:
    """The measured slope of f at x, one number each (lesson 03)."""
    return (f(x + eps) - f(x - eps)) / (2 * eps)


def relative_error(a: float, b: float, floor: float = 1e-3) -> float:
    """How far a and b are apart, relative to the larger one (lesson 03)."""
    return abs(a - b) / max(abs(a), abs(b), floor)


def at_kink(f: Callable[[float], float], x: float, eps: float = 1e-6) -> bool:
    """Whether f has a kink or a jump at x (lesson 03)."""
    right, left = (f(x + eps) - f(x)) / eps, (f(x) - f(x - eps)) / eps
    return not relative_error(right, left, floor=1.0) <= 0.01


def entries(
    f: Callable[[np.ndarray], float], x: np.ndarray
) -> Iterator[tuple[tuple[int, ...], Callable[[float], float]]]:
    """For each index of x: the index, and f as a function of that entry alone; the others stay as they are (given)."""

    def alone(index: tuple[int, ...]) -> Callable[[float], float]:
        def f_of_entry(number: float) -> float:
            moved = np.array(x, dtype=np.float64)
            moved[index] = number
            return float(f(moved))

        return f_of_entry

    return ((index, alone(index)) for index in np.ndindex(np.shape(x)))


def measured_gradient(f: Callable[[np.ndarray], float], x: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    """The measured gradient of f at x, an array of x's shape: `numeric_grad` for one entry after the other (given).

    f: takes an array shaped like x and returns one number. x stays as it is.
    """
    gradient = np.zeros(np.shape(x))
    for index, f_of_entry in entries(f, x):
        gradient[index] = numeric_grad(f_of_entry, float(x[index]), eps)
    return gradient


def kinks(f: Callable[[np.ndarray], float], x: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    """Whether f has a kink or a jump at x, for each entry of x: an array of bool of x's shape (given)."""
    found = np.zeros(np.shape(x), dtype=bool)
    for index, f_of_entry in entries(f, x):
        found[index] = at_kink(f_of_entry, float(x[index]), eps)
    return found


def relative_errors(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`relative_error` for one entry after the other; a and b have one shape, and so has what comes back (given)."""
    errors = np.zeros(np.shape(a))
    for index in np.ndindex(np.shape(a)):
        errors[index] = relative_error(float(a[index]), float(b[index]))
    return errors


def gradcheck_upstream(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Return an upstream gradient to test rules with: random numbers in which no mistake can hide.

    shape: the shape of the operation's result; () for a single number. seed: the same seed gives the same numbers.
    Returns a float64 array of that shape. Every entry has a size between 0.5 and 1.5, so none is near 0; no two are
    equal; and for each entry both signs are equally likely.

        gradcheck_upstream((2,)) is [0.87, -1.2], shape (2,), or something of that kind
        with another seed it is another array
    """
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape))


def gradcheck(
    op: Callable[[np.ndarray], np.ndarray],
    rule: Callable[[np.ndarray, np.ndarray], np.ndarray],
    x: np.ndarray,
    eps: float = 1e-6,
    tolerance: float = 1e-5,
) -> bool:
    """Return whether rule(g, x) is the gradient at x of the number f(x) = sum(g * op(x)), for some g.

    op: takes an array shaped like x and returns an array y, often of another shape, or one number.
    rule: takes g, shaped like y, and x, and returns the gradient that it claims.
    g: comes from `gradcheck_upstream`. Try several, with different seeds: a rule is right when it is right for each.
    x: float64 array of any shape; it stays as it is.
    eps: the step, for `measured_gradient` and for `kinks`: a kink that it reaches across counts as one at x.

    True when each claim has x's shape and its relative error is at most tolerance in every entry; otherwise False.
    Raises ValueError when f has a kink or a jump at x, whatever the rule claims: there is nothing to judge.

        op(x) = x * x, rule(g, x) = g * 2 * x, x = [3.0, -1.0]: every error is 0.0 up to rounding, the answer True
        op(x) = x * x, rule(g, x) = 2 * x: the answer is False
    """
    y = np.asarray(op(x))

    def agrees(g: np.ndarray) -> bool:
        def f(at: np.ndarray) -> float:
            return float(np.sum(g * op(at)))

        if kinks(f, x, eps).any():
            raise ValueError("the function has a kink or a jump at this point: choose another one")
        claimed = np.asarray(rule(g, x))
        if claimed.shape != x.shape:
            return False
        return bool(np.all(relative_errors(claimed, measured_gradient(f, x, eps)) <= tolerance))

    return all(agrees(gradcheck_upstream(y.shape, seed)) for seed in range(4))


def elementwise_vjp(name: str, g: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the gradient of x for y = name(x), entry by entry, when g arrives at y.

    name: "exp", "log", "tanh" or "relu". g and x: float64 arrays of one shape, which stay as they are. log has entries
    above 0 only. relu(x) is x above 0 and 0 elsewhere; its slope at 0 is 0 here. Returns an array of the same shape.
    Another name is a ValueError.

        elementwise_vjp("log", g = [3.0, -3.0], x = [1.0, 2.0]) is [3.0, -1.5], shape (2,)
        elementwise_vjp("relu", g = [-3.0, 5.0], x = [2.0, -2.0]) is [-3.0, 0.0], shape (2,)
    """
    if name == "exp":
        return g * np.exp(x)
    if name == "log":
        return g / x
    if name == "tanh":
        return g * (1.0 - np.tanh(x) ** 2)
    if name == "relu":
        return np.where(x > 0.0, g, 0.0)
    raise ValueError(f"no rule for {name!r}: exp, log, tanh and relu have one")


def dot_product_test(
    jvp: Callable[[np.ndarray], np.ndarray],
    vjp: Callable[[np.ndarray], np.ndarray],
    v: np.ndarray,
    g: np.ndarray,
    tolerance: float = 1e-9,
) -> bool:
    """Return whether vjp goes the way of jvp back, judged by the two numbers <g, J v> and <g J, v>.

    jvp: takes a v and returns J v. vjp: takes a g and returns g J. v: shaped like the operation's x, g shaped like its
    y. <a, b> is the sum of a times b, entry by entry. The two numbers may be tolerance apart, relative to the larger of
    their sizes and 1.0. What jvp returns must have g's shape, what vjp returns v's shape: otherwise False.

        J is [[1, 2], [3, 4]], v = [1, -1], g = [2, 5]: J v is [-1, -1] and g J is [17, 24]; both numbers are -7: True
    """
    forward, back = np.asarray(jvp(v)), np.asarray(vjp(g))
    if forward.shape != g.shape or back.shape != v.shape:
        return False
    one, two = float(np.sum(g * forward)), float(np.sum(back * v))
    return relative_error(one, two, floor=1.0) <= tolerance

"""Lesson 03, is it right?: measure a slope, compare it with the one that a rule claims, and find the rule that lies.

All numbers here. f is a function that takes one number and returns one number. A nudge moves x by eps, up or down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


def numeric_grad(f: Callable[[float], float], x: float, eps: float = 1e-6) -> float:
    """Return the measured slope of f at x: f one step above x, minus f one step below, per unit of distance.

    f: takes one number and returns one number. x and eps: one number each. Returns one number.
    Both points are eps away from x, one on each side.

        f(x) = x * x at x = 3.0: numeric_grad(f, 3.0) is 6.0, up to rounding
    """
    above, below = f(x + eps), f(x - eps)
    return (above - below) / (2 * eps)


def relative_error(a: float, b: float, floor: float = 1e-3) -> float:
    """Return how far a and b are apart, relative to the size of the larger one.

        error = |a - b| / (the largest of |a|, |b| and floor)

    a and b: one number each. floor: a number above 0, so that nothing is divided by 0. Returns one number, never below
    0. Where a or b is nan, the error is nan.

        relative_error(100.0, 101.0) is 0.0099, rounded
        relative_error(1e-9, 3e-9, floor=1.0) is 2e-9: both are close to nothing
    """
    scale = max(abs(a), abs(b), floor)
    return abs(a - b) / scale


def at_kink(f: Callable[[float], float], x: float, eps: float = 1e-6) -> bool:
    """Return whether f has a kink or a jump at x, so that no measured slope can be trusted there.

    Measure the slope on each side alone, over one step of eps, both from left to right. True where the two differ by
    more than 0.01, as `relative_error` with the floor 1.0 has it, and where one of them is nan. Returns True or False.

        f(x) = |x|: at 0.0 the left slope is -1.0 and the right one 1.0, so at_kink(f, 0.0) is True; at 2.0 it is False
    """
    here = f(x)
    right = (f(x + eps) - here) / eps
    left = (here - f(x - eps)) / eps
    return not relative_error(right, left, floor=1.0) <= 0.01  # nan is not small either


def find_bug(engine: Callable[[float], Any]) -> str | None:
    """Return the name of the first program in PROGRAMS whose gradients the engine gets wrong; None if there is none.

    engine: a class such as `minitorch.scalar.Value`. engine(3.0) is a new leaf. Leaves have + * ** and unary minus,
    .exp(), .relu(), .backward(), and the numbers .data and .grad. After backward, a leaf that the result was not made
    from still has grad None: its gradient is 0.0.
    A relative error of up to 0.00001 is right. A bug may hide at one point. Try several: numbers that are not round,
    unlike each other, of both signs.

        in an engine with the rule n * x**n in the place of n * x**(n - 1), find_bug(engine) is "pow"
    """

    def agrees(program: Callable[[Any, Any], Any], a: float, b: float) -> bool:
        leaves = [engine(a), engine(b)]
        program(*leaves).backward()
        claimed = [0.0 if leaf.grad is None else leaf.grad for leaf in leaves]
        of_a = numeric_grad(lambda moved: program(engine(moved), engine(b)).data, a)
        of_b = numeric_grad(lambda moved: program(engine(a), engine(moved)).data, b)
        return all(relative_error(one, two) <= 1e-5 for one, two in zip(claimed, [of_a, of_b]))

    points = [(1.3, -0.7), (-0.6, 1.7)]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, a, b) for a, b in points):
            return name
    return None


def bend(f: Callable[[float], float], x: float, eps: float = 1e-4) -> float:
    """Return how fast the slope of f itself grows at x, per unit of x, from f at x - eps, x and x + eps alone.

    f: takes one number and returns one number. x and eps: one number each. Returns one number.

        f(x) = x * x has the slope 2x, which grows by 2 per unit of x: bend(f, 5.0) is 2.0, up to rounding
        f(x) = 7 - x is a straight line: bend(f, 5.0) is 0.0, up to rounding
    """
    right = (f(x + eps) - f(x)) / eps
    left = (f(x) - f(x - eps)) / eps
    return (right - left) / eps

"""Arithmetic of single numbers, by the engine's own operations: results, slopes, and gradients of a whole graph.

static/arithmetic.js does the same in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from minitorch.viz.facts.formulas import declared

# What the browser can do, by the engine's names: of one number, of two, and Value.dot of any number.
# fmt: off
ONE: Final = frozenset({
    "positive", "neg", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "square", "reciprocal",
    "abs", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid",
    "relu",
})
TWO: Final = frozenset({"add", "sub", "mul", "div", "pow", "maximum", "minimum", "leaky_relu"})
# fmt: on

Floats = Sequence[float]


@dataclass(frozen=True, slots=True)
class Rule:
    """What a node does: `op` of the numbers at these places.

    The operands of "dot" are start, a, b, a, b and so on; those of "leaky_relu" a number and the slope below 0.
    """

    op: str
    operands: tuple[int, ...]


Rules = Sequence[Rule | None]  # None for a node that is no operation


def result(op: str, numbers: Floats) -> float:
    """What an operation gives, as IEEE 754 has it: log of a negative number is nan, 1 / 0 is inf.

    >>> result("mul", [2.0, 3.0]), result("dot", [1.0, 2.0, 3.0]), result("log", [-1.0])
    (6.0, 7.0, nan)
    """
    if op == "leaky_relu":
        x, slope = numbers
        return x if x > 0 else x * slope
    if op == "dot":
        return sum((a * b for a, b in zip(numbers[1::2], numbers[2::2], strict=True)), numbers[0])
    with np.errstate(all="ignore"):
        return float(declared(op).forward(*map(np.float64, numbers)))


def slopes(op: str, numbers: Floats, out: float) -> list[float]:
    """The derivative of a result, which is `out`, with respect to each operand.

    >>> slopes("mul", [2.0, 3.0], 6.0), slopes("dot", [1.0, 2.0, 3.0], 7.0)
    ([3.0, 2.0], [1.0, 3.0, 2.0])
    """
    if op == "leaky_relu":
        x, slope = numbers
        return [1.0, 0.0] if x > 0 else [slope, x]
    if op == "dot":
        return [1.0, *(numbers[place + (1 if place % 2 else -1)] for place in range(1, len(numbers)))]
    operation, operands, g = declared(op), [np.asarray(each, np.float64) for each in numbers], np.float64(1)
    with np.errstate(all="ignore"):
        return [
            float(rule(g, *(operation.fetch(each)(operands, np.asarray(out)) for each in asked)))
            for rule, asked in operation.rules.values()
        ]


def forward(rules: Rules, start: Floats) -> list[float]:
    """All numbers, where `start` has those that no rule makes."""
    found = list(start)
    for place, rule in enumerate(rules):
        if rule is not None:
            found[place] = result(rule.op, [found[each] for each in rule.operands])
    return found


def gradients(rules: Rules, numbers: Floats, root: int) -> tuple[list[float], list[list[float]]]:
    """d(root)/d(each number), newest node first as in `backward`, and for each node its slopes.

    A number that the root is not made of has the gradient 0.
    """
    made = [
        [] if rule is None else slopes(rule.op, [numbers[each] for each in rule.operands], numbers[place])
        for place, rule in enumerate(rules)
    ]
    found: list[float | None] = [None] * len(numbers)
    found[root] = 1.0
    for place in range(len(rules) - 1, -1, -1):
        rule, upstream = rules[place], found[place]
        if rule is None or upstream is None:
            continue
        for operand, slope in zip(rule.operands, made[place], strict=True):
            before = found[operand]
            found[operand] = slope * upstream if before is None else before + slope * upstream
    return [0.0 if each is None else each for each in found], made

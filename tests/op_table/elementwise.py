"""Cases of the operations that work number by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from op_table.case import Case, Draw, case, exactly, mask, positive, signed, spread

Binary = Callable[[Any, Any, Any], Any]


def binary(op: str, call: Binary, left: Callable[..., Draw], right: Callable[..., Draw]) -> list[Case]:
    """The shapes that every operation on two operands must broadcast over."""
    return [
        case(op, "same shape", call, left(2, 3), right(2, 3)),
        case(op, "missing axes", call, left(2, 3, 4), right(4)),
        case(op, "missing axes on the left", call, left(3), right(2, 3)),
        case(op, "size-1 axes on both sides", call, left(2, 1, 4), right(1, 3, 1)),
        case(op, "a single number on the right", call, left(2, 3), right()),
        case(op, "a single number on the left", call, left(), right(2, 3)),
        case(op, "two single numbers", call, left(), right()),
        case(op, "one operand twice", lambda m, x: call(m, x, x), positive(3)),
        case(op, "size 0", call, left(0, 3), right(3)),
        case(op, "size 0 against size 1", call, left(2, 0), right(2, 1)),
    ]


def unary(op: str, call: Callable[[Any, Any], Any], draw: Callable[..., Draw]) -> list[Case]:
    return [
        case(op, "matrix", call, draw(2, 3)),
        case(op, "four axes", call, draw(2, 1, 3, 2)),
        case(op, "single number", call, draw()),
        case(op, "one element", call, draw(1)),
        case(op, "size 0", call, draw(2, 0)),
    ]


def number(op: str, title: str, call: Callable[[Any, Any], Any], draw: Callable[..., Draw] = signed) -> Case:
    """An operation with a Python number on one side."""
    return case(op, title, call, draw(2, 3))


CASES = [
    *binary("add", lambda m, x, y: m.add(x, y), signed, signed),
    number("add", "number on the right", lambda m, x: x + 2.5),
    number("add", "number on the left", lambda m, x: 2.5 + x),
    number("add", "integer number", lambda m, x: x + 3),
    *binary("sub", lambda m, x, y: m.sub(x, y), signed, signed),
    number("sub", "number on the right", lambda m, x: x - 2.5),
    number("sub", "number on the left", lambda m, x: 2.5 - x),
    *binary("mul", lambda m, x, y: m.mul(x, y), signed, signed),
    number("mul", "number on the right", lambda m, x: x * 2.5),
    number("mul", "number on the left", lambda m, x: -2 * x),
    *binary("div", lambda m, x, y: m.div(x, y), signed, positive),
    number("div", "number on the right", lambda m, x: x / 2.5),
    number("div", "number on the left", lambda m, x: 2.5 / x, positive),
    *binary("pow", lambda m, x, y: m.pow(x, y), positive, signed),
    number("pow", "square", lambda m, x: x**2),
    number("pow", "cube", lambda m, x: x**3),
    number("pow", "fourth power", lambda m, x: x**4),
    number("pow", "power one", lambda m, x: x**1),
    number("pow", "power zero", lambda m, x: x**0),
    number("pow", "square root", lambda m, x: x**0.5, positive),
    number("pow", "negative power", lambda m, x: x**-2, positive),
    number("pow", "power 2.0 as a float", lambda m, x: x**2.0),
    number("pow", "number as the base", lambda m, x: 2.5**x),
    case("pow", "negative base, whole exponents", lambda m, x: m.pow(x, 3.0), exactly([-2.0, -0.5, 1.5])),
    case("pow", "zero base", lambda m, x, y: m.pow(x, y), exactly([0.0, 0.0, 0.0]), exactly([0.0, 1, 2]), smooth=False),
    case("pow", "zero base, square", lambda m, x: x**2, exactly([0.0, 1.0])),
    case("pow", "zero base, power one", lambda m, x: x**1.0, exactly([0.0, 1.0])),
    case("pow", "zero base, square root", lambda m, x: x**0.5, exactly([0.0, 4.0]), smooth=False),
    case("pow", "zero base, power zero", lambda m, x: x**0.0, exactly([0.0, 1.0])),
    *binary("maximum", lambda m, x, y: m.maximum(x, 1.1 * y), spread, spread)[:7],
    case("maximum", "ties", lambda m, x, y: m.maximum(x, y), exactly([1.0, 2, 3]), exactly([1.0, 3, 3]), smooth=False),
    case("maximum", "an operand with itself", lambda m, x: m.maximum(x, x), exactly([1.0, -2.0]), smooth=False),
    case(
        "maximum",
        "infinite upstream",
        lambda m, x, y: m.sqrt(m.maximum(x, y)),
        signed(3),
        exactly([0.0, 5, 0]),
        smooth=False,
    ),
    case("maximum", "size 0", lambda m, x, y: m.maximum(x, y), signed(0, 3), signed(3)),
    *binary("minimum", lambda m, x, y: m.minimum(x, 1.1 * y), spread, spread)[:7],
    case("minimum", "ties", lambda m, x, y: m.minimum(x, y), exactly([1.0, 2, 3]), exactly([1.0, 3, 3]), smooth=False),
    case("minimum", "an operand with itself", lambda m, x: m.minimum(x, x), exactly([1.0, -2.0]), smooth=False),
    case("minimum", "size 0", lambda m, x, y: m.minimum(x, y), signed(0, 3), signed(3)),
    case(
        "where",
        "same shape",
        lambda m, c, x, y: m.where(c, x, y),
        mask([True, False], [False, True]),
        signed(2, 2),
        signed(2, 2),
    ),
    case(
        "where",
        "all three broadcast",
        lambda m, c, x, y: m.where(c, x, y),
        mask(True, False, True),
        signed(2, 1),
        signed(),
    ),
    case("where", "wider condition", lambda m, c, x, y: m.where(c, x, y), mask([True], [False]), signed(3), signed(1)),
    case("where", "a number as the other", lambda m, c, x: m.where(c, x, 0.0), mask(True, False, True), signed(3)),
    case("where", "a number as the first", lambda m, c, x: m.where(c, 1.5, x), mask(True, False, True), signed(3)),
    case("where", "one tensor for both", lambda m, c, x: m.where(c, x, x), mask(True, False), signed(2)),
    case("where", "single numbers", lambda m, c, x, y: m.where(c, x, y), exactly(True, bool), signed(), signed()),
    case("where", "a comparison as condition", lambda m, x: m.where(x > 0, x * 2, x * 3), spread(2, 3)),
    case("where", "infinite upstream", lambda m, x: m.sqrt(m.where(x > 0, x, 0.0)), exactly([-1.0, 4.0]), smooth=False),
    case("where", "size 0", lambda m, c, x, y: m.where(c, x, y), exactly([], bool), signed(2, 0), signed(2, 1)),
    *unary("neg", lambda m, x: m.neg(x), signed),
    *unary("abs", lambda m, x: m.abs(x), spread),
    case("abs", "at zero", lambda m, x: m.abs(x), exactly([0.0, -1.0]), smooth=False),
    *unary("exp", lambda m, x: m.exp(x), signed),
    *unary("log", lambda m, x: m.log(x), positive),
    case("log", "at zero and below", lambda m, x: m.log(x), exactly([0.0, -1.0, 1.0]), smooth=False),
    *unary("sqrt", lambda m, x: m.sqrt(x), positive),
    case("sqrt", "at zero", lambda m, x: m.sqrt(x), exactly([0.0, 4.0]), smooth=False),
    *unary("tanh", lambda m, x: m.tanh(x), signed),
    case("tanh", "saturated", lambda m, x: m.tanh(x), exactly([-800.0, 20.0, 800.0])),
    *unary("sigmoid", lambda m, x: m.sigmoid(x), signed),
    case("sigmoid", "saturated", lambda m, x: m.sigmoid(x), exactly([-800.0, -40.0, 40.0, 800.0])),
    *unary("relu", lambda m, x: m.relu(x), spread),
    case("relu", "at zero", lambda m, x: m.relu(x), exactly([0.0, -0.0, 1.0]), smooth=False),
    case("relu", "infinite upstream", lambda m, x: m.sqrt(m.relu(x)), exactly([-1.0, 4.0]), smooth=False),
    *unary("clone", lambda m, x: x.clone(), signed),
]

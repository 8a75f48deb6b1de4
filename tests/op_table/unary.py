"""Cases of the functions of one variable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from op_table.case import Case, Draw, Stream, case, exactly, mask, positive, signed, spread

INF, NAN = float("inf"), float("nan")


def unary(op: str, draw: Callable[..., Draw]) -> list[Case]:
    """The shapes that every function of one variable must take."""

    def call(m: Any, x: Any) -> Any:
        return getattr(m, op)(x)

    return [
        case(op, "matrix", call, draw(2, 3)),
        case(op, "four axes", call, draw(2, 1, 3, 2)),
        case(op, "single number", call, draw()),
        case(op, "one element", call, draw(1)),
        case(op, "size 0", call, draw(2, 0)),
    ]


def step(op: str, draw: Callable[..., Draw]) -> list[Case]:
    """The same of a step function. Its gradient is 0 and depends on nothing: there is no second one to check."""
    return [replace(each, twice=False) for each in unary(op, draw)]


def at(op: str, title: str, *values: float) -> Case:
    """Values at which nudging tells nothing."""
    return case(op, title, lambda m, x: getattr(m, op)(x), exactly(values), smooth=False)


def of_integers(op: str, *values: int) -> Case:
    """An integer operand, beside a float that the result is multiplied with.

    Rounded, since the result is the default float32 even where the case is tried in float64.
    """
    return case(
        op,
        "integers",
        lambda m, n, x: m.round(getattr(m, op)(n) * 1.0, decimals=3) * x,
        exactly(values, int),
        signed(len(values)),
        smooth=False,
    )


def between(low: float, high: float) -> Callable[..., Draw]:
    def draw(*shape: int) -> Draw:
        return lambda stream: stream.uniform(low, high, shape)

    return draw


def off_steps(*shape: int) -> Draw:
    """Away from whole numbers and halves, where floor, ceil, trunc and round jump."""

    def draw(stream: Stream) -> Any:
        return stream.uniform(0.1, 0.4, shape) + (stream.uniform(-3.0, 3.0, shape) // 0.5) * 0.5

    return draw


CASES = [
    *unary("neg", signed),
    of_integers("neg", 3, -2),
    *unary("positive", signed),
    *unary("abs", spread),
    at("abs", "at zero", 0.0, -1.0),
    at("abs", "not finite", NAN, INF, -INF),
    of_integers("abs", 3, -2),
    case("sign", "bools", lambda m, c, x: m.where(m.sign(c), x, 2 * x), mask(True, False), signed(2)),
    *step("sign", spread),
    at("sign", "at zero", 0.0, -0.0, -3.0),
    at("sign", "not finite", NAN, INF, -INF),
    of_integers("sign", 3, 0, -2),
    *unary("square", signed),
    case("square", "indices: bools", lambda m, c: m.square(c), mask(True, False)),
    of_integers("square", 3, -2),
    *unary("sqrt", positive),
    at("sqrt", "at zero", 0.0, 4.0, -1.0),
    of_integers("sqrt", 3, 4),
    *unary("rsqrt", positive),
    at("rsqrt", "at zero", 0.0, 4.0, -1.0, INF),
    of_integers("rsqrt", 3, 4),
    *unary("reciprocal", positive),
    at("reciprocal", "at zero", 0.0, -4.0, INF),
    of_integers("reciprocal", 3, -4),
    *unary("exp", signed),
    at("exp", "overflow", 800.0, -800.0, INF, -INF, NAN),
    of_integers("exp", 1, -2),
    case("exp", "bools", lambda m, c, x: m.round(m.exp(c), decimals=3) * x, mask(True, False), signed(2)),
    *unary("exp2", signed),
    at("exp2", "overflow", 2000.0, -2000.0),
    of_integers("exp2", 1, -2),
    *unary("expm1", signed),
    case("expm1", "tiny", lambda m, x: m.expm1(x), exactly([1e-12, -1e-9])),
    of_integers("expm1", 1, -2),
    *unary("log", positive),
    at("log", "at zero and below", 0.0, -1.0, 1.0, INF),
    of_integers("log", 1, 2),
    *unary("log2", positive),
    at("log2", "at zero and below", 0.0, -1.0, 1.0),
    of_integers("log2", 1, 8),
    *unary("log10", positive),
    at("log10", "at zero and below", 0.0, -1.0, 1.0),
    of_integers("log10", 1, 100),
    *unary("log1p", positive),
    case("log1p", "tiny", lambda m, x: m.log1p(x), exactly([1e-12, -1e-9])),
    at("log1p", "at -1 and below", -1.0, -2.0, 0.0),
    of_integers("log1p", 0, 2),
    *unary("sin", signed),
    of_integers("sin", 1, -2),
    *unary("cos", signed),
    of_integers("cos", 1, -2),
    *unary("tan", between(-1.3, 1.3)),
    of_integers("tan", 1, -2),
    *unary("asin", between(-0.9, 0.9)),
    at("asin", "at the ends and beyond", 1.0, -1.0, 1.5),
    of_integers("asin", 1, 0),
    *unary("acos", between(-0.9, 0.9)),
    at("acos", "at the ends and beyond", 1.0, -1.0, 1.5),
    of_integers("acos", 1, 0),
    *unary("atan", signed),
    at("atan", "at infinity", INF, -INF),
    of_integers("atan", 1, -2),
    *unary("sinh", signed),
    of_integers("sinh", 1, -2),
    *unary("cosh", signed),
    of_integers("cosh", 1, -2),
    *unary("tanh", signed),
    case("tanh", "saturated", lambda m, x: m.tanh(x), exactly([-800.0, 20.0, 800.0])),
    of_integers("tanh", 1, -2),
    *unary("asinh", signed),
    of_integers("asinh", 1, -2),
    *unary("acosh", between(1.3, 3.0)),
    at("acosh", "at 1 and below", 1.0, 0.5),
    of_integers("acosh", 2, 3),
    *unary("atanh", between(-0.9, 0.9)),
    at("atanh", "at the ends and beyond", 1.0, -1.0, 1.5),
    of_integers("atanh", 0, 1),
    *unary("sigmoid", signed),
    case("sigmoid", "saturated", lambda m, x: m.sigmoid(x), exactly([-800.0, -40.0, 40.0, 800.0])),
    at("sigmoid", "not finite", INF, -INF, NAN),
    of_integers("sigmoid", 1, -2),
    case("sigmoid", "bools", lambda m, x: m.sigmoid(x > 0) * x, spread(4), smooth=False),
    *unary("erf", signed),
    case("erf", "both sides of where its formula changes", lambda m, x: m.erf(x), exactly([0.4687, -0.4688, 0.4689])),
    case("erf", "tiny", lambda m, x: m.erf(x), exactly([1e-30, -1e-12, 1e-6])),
    case("erf", "large", lambda m, x: m.erf(x), exactly([3.0, -4.0, 5.0, -7.0, 30.0])),
    at("erf", "not finite", INF, -INF, NAN, 0.0),
    of_integers("erf", 1, -2),
    case("erf", "bools", lambda m, x: m.erf(x > 0) * x, spread(4), smooth=False),
    *unary("relu", spread),
    at("relu", "at zero", 0.0, -0.0, 1.0),
    at("relu", "not finite", INF, -INF, NAN),
    case("relu", "infinite upstream", lambda m, x: m.sqrt(m.relu(x)), exactly([-1.0, 4.0]), smooth=False),
    of_integers("relu", 1, -2),
    *step("floor", off_steps),
    at("floor", "at steps", 1.0, -2.0, 0.0, INF, NAN),
    of_integers("floor", 1, -2),
    case("floor", "infinite upstream", lambda m, x: m.sqrt(m.floor(x)), exactly([0.5, 4.5]), smooth=False),
    *step("ceil", off_steps),
    at("ceil", "at steps", 1.0, -2.0, 0.0, INF, NAN),
    of_integers("ceil", 1, -2),
    *step("trunc", off_steps),
    at("trunc", "at steps", 1.0, -2.0, 0.0, INF, NAN),
    of_integers("trunc", 1, -2),
    *step("round", off_steps),
    at("round", "halves go to the even neighbour", 0.5, 1.5, 2.5, -0.5, -1.5, INF, NAN),
    case("round", "one decimal", lambda m, x: m.round(x, decimals=1), exactly([0.12, -1.37, 2.52]), twice=False),
    case("round", "tens", lambda m, x: m.round(x, decimals=-1), exactly([12.0, -38.0, 251.0]), twice=False),
    of_integers("round", 1, -2),
    *unary("frac", off_steps),
    at("frac", "at steps", 1.0, -2.0, 0.0, INF, NAN),
    *unary("nan_to_num", signed),
    at("nan_to_num", "nan", NAN, 2.0),
    case(
        "nan_to_num",
        "all three given",
        lambda m, x: m.nan_to_num(x, 1.0, 2.0, 3.0),
        exactly([NAN, INF, -INF, 0.5]),
        smooth=False,
    ),
    case(
        "nan_to_num",
        "by name",
        lambda m, x: m.nan_to_num(x, posinf=9.0, neginf=-9.0),
        exactly([NAN, INF, -INF]),
        smooth=False,
    ),
    case("nan_to_num", "nan=None is 0", lambda m, x: m.nan_to_num(x, nan=None), exactly([NAN, 0.5]), smooth=False),
]

"""Cases of what is asked for seldom, number by number, and of second names."""

from __future__ import annotations

from typing import Any

from op_table.arithmetic import binary, two
from op_table.case import Case, case, exactly, indices, positive, signed, spread
from op_table.unary import at, of_integers, step, unary

INF, NAN = float("inf"), float("nan")


def bools(op: str, *values: float) -> Case:
    """Bools, beside a float that they are multiplied with."""
    return case(
        op,
        "what it tells",
        lambda m, x, y: getattr(m, op)(x) * y,
        exactly(values),
        signed(len(values)),
        fixed=(0,),
        smooth=False,
    )


def whole(op: str, left: list[int], right: list[int]) -> list[Case]:
    return [
        case(op, "indices: two vectors", lambda m, a, b: getattr(m, op)(a, b), exactly(left, int), exactly(right, int)),
        case(
            op,
            "indices: broadcast",
            lambda m, a, b: getattr(m, op)(a, b),
            exactly([left], int),
            exactly(right[:1], int),
        ),
    ]


CASES = [
    *unary("deg2rad", signed),
    of_integers("deg2rad", 90, -45),
    *unary("rad2deg", signed),
    of_integers("rad2deg", 1, -2),
    *step("angle", spread),
    at("angle", "edges", 0.0, -0.0, -1.0, NAN, INF),
    case("sgn", "vector", lambda m, x: m.sgn(x) * x, spread(5)),
    *unary("real", signed)[:3],
    *[each for name in ("conj", "conj_physical", "resolve_conj", "resolve_neg") for each in unary(name, signed)[:1]],
    bools("signbit", 1.0, -1.0, -0.0, -INF),
    bools("isposinf", 1.0, INF, -INF, NAN),
    bools("isneginf", 1.0, INF, -INF, NAN),
    bools("isreal", 1.0, INF, NAN),
    case("frexp", "mantissas", lambda m, x: m.frexp(x).mantissa, exactly([3.0, -0.3, 100.0]), twice=False),
    case(
        "frexp", "exponents", lambda m, x: m.frexp(x.detach()).exponent * x, exactly([3.0, -0.3, 100.0]), smooth=False
    ),
    case("frexp", "edges", lambda m, x: m.frexp(x).mantissa, exactly([0.0, INF, 1.0]), smooth=False),
    *binary("copysign", lambda m, x, y: m.copysign(x, y), spread, spread)[:8],
    two("copysign", "edges", [0.0, 1.0, -2.0], [-1.0, -0.0, 0.0]),
    *[
        each
        for op in ("fmax", "fmin")
        for each in (
            *binary(op, lambda m, x, y, op=op: getattr(m, op)(x, 1.1 * y), spread, spread)[:7],
            two(op, "ties and nan", [1.0, NAN, 2.0, NAN], [1.0, 2.0, NAN, NAN]),
        )
    ],
    *binary("nextafter", lambda m, x, y: m.nextafter(x, y), signed, signed)[:1],
    two("nextafter", "edges", [1.0, 1.0, 0.0], [1.0, 0.0, -1.0]),
    case("ldexp", "whole exponents", lambda m, x, n: m.ldexp(x, n), signed(3), exactly([2, 0, 3], int)),
    case("ldexp", "two floats", lambda m, x, y: m.ldexp(x, y), signed(2, 1), signed(3)),
    case(
        "heaviside",
        "edges",
        lambda m, x, v: m.heaviside(x, v) * v,
        exactly([-1.0, 0.0, 2.0, -0.0]),
        exactly([0.25, 0.5, 0.75, 0.1]),
        fixed=(0, 1),
        smooth=False,
    ),
    *whole("gcd", [12, 7, 0, -4], [18, 21, 5, 6]),
    *whole("lcm", [12, 7, 0, -4], [18, 21, 5, 6]),
    *whole("bitwise_left_shift", [1, 3, -2], [2, 0, 5]),
    *whole("bitwise_right_shift", [8, 3, -9], [2, 0, 1]),
]

# A second name, the draws of its operands, and whatever else it takes.
ALIASES: list[tuple[str, list[Any], tuple[Any, ...]]] = [
    ("absolute", [spread(2, 3)], ()),
    ("arccos", [exactly([0.3, -0.7])], ()),
    ("arccosh", [exactly([1.3, 2.7])], ()),
    ("arcsin", [exactly([0.3, -0.7])], ()),
    ("arcsinh", [signed(2, 3)], ()),
    ("arctan", [signed(2, 3)], ()),
    ("arctan2", [positive(2, 3), positive(3)], ()),
    ("arctanh", [exactly([0.3, -0.7])], ()),
    ("divide", [signed(2, 3), positive(3)], ()),
    ("fix", [exactly([1.3, -1.3])], ()),
    ("ger", [signed(2), signed(3)], ()),
    ("moveaxis", [signed(2, 3)], (0, 1)),
    ("multiply", [signed(2, 3), signed(3)], ()),
    ("negative", [signed(2, 3)], ()),
    ("subtract", [signed(2, 3), signed(3)], ()),
]
CASES += [
    case(
        op,
        "under its second name",
        lambda m, *xs, op=op, rest=rest: getattr(m, op)(*xs, *rest),
        *draws,
        twice=op != "fix",
    )
    for op, draws, rest in ALIASES
]
CASES += [
    case(op, "under its second name", lambda m, n, x, op=op: getattr(m, op)(n, 2) * x, indices(1, 2, 3), signed(3))
    for op in ("greater", "greater_equal", "less", "less_equal", "not_equal")
]
CASES += [
    case("row_stack", "under its second name", lambda m, x, y: m.row_stack([x, y]), signed(3), signed(2, 3)),
    case("unsafe_chunk", "under its second name", lambda m, x: m.unsafe_chunk(x, 2)[1], signed(5)),
    case("unsafe_split", "under its second name", lambda m, x: m.unsafe_split(x, 2)[1], signed(5)),
]

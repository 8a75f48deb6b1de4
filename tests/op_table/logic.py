"""Cases of comparisons, logic and bits. Their bools choose between floats, so that each case has a float result."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, case, exactly, indices, mask, signed, spread

INF, NAN = float("inf"), float("nan")


def comparison(op: str) -> list[Case]:
    def call(m: Any, x: Any, y: Any) -> Any:
        return m.where(getattr(m, op)(x, y), 2 * x, 3 * y)

    return [
        case(op, "same shape", call, spread(2, 3), lambda stream: spread(2, 3)(stream) + 0.1),
        case(op, "broadcast", call, spread(2, 1, 3), lambda stream: spread(4, 1)(stream) + 0.1),
        case(op, "two single numbers", call, spread(), lambda stream: spread()(stream) + 0.1),
        case(op, "size 0", call, spread(2, 0), spread(2, 1)),
        case(op, "a number", lambda m, x: m.where(getattr(m, op)(x, 0.5), 2 * x, x), spread(5)),
        case(op, "ties", call, exactly([1.0, 2, 3]), exactly([1.0, 3, 2]), smooth=False),
        case(op, "not finite", call, exactly([NAN, INF, -INF, NAN]), exactly([NAN, INF, INF, 1]), smooth=False),
        case(
            op,
            "integers with a fraction",
            lambda m, n, x: m.where(getattr(m, op)(n, 1.5), x, 0.0),
            exactly([1, 2], int),
            signed(2),
        ),
        case(op, "indices: as integers", lambda m, x: getattr(m, op)(x, 2.0) * 1, exactly([1.0, 2, 3]), smooth=False),
    ]


def logic(op: str) -> list[Case]:
    def call(m: Any, a: Any, b: Any, x: Any) -> Any:
        return m.where(getattr(m, op)(a, b), 2 * x, 3 * x)

    both = mask(True, True, False, False), mask(True, False, True, False)
    return [
        case(op, "bools", call, *both, signed(4)),
        case(op, "broadcast", call, mask([True], [False]), mask(True, False), signed(2, 2)),
        case(op, "integers and bools", call, exactly([0, 2, -1, 0], int), both[1], signed(4)),
        case(op, "single numbers", call, exactly(True, bool), exactly(False, bool), signed()),
        case(op, "size 0", call, exactly([], bool), exactly([], bool), signed(0)),
        case(
            op,
            "floats, nan is true",
            lambda m, x: m.where(getattr(m, op)(x, x * x - 1), 2 * x, x),
            exactly([0.0, NAN, 1.0, -1.0]),
            smooth=False,
        ),
    ]


def kind(op: str) -> list[Case]:
    def call(m: Any, x: Any) -> Any:
        return m.where(getattr(m, op)(x), 2.0, x)

    return [
        case(op, "numbers", lambda m, x: m.where(getattr(m, op)(x), 2 * x, 3 * x), signed(2, 3)),
        case(op, "single number", lambda m, x: m.where(getattr(m, op)(x), 2 * x, 3 * x), signed()),
        case(op, "size 0", call, signed(2, 0)),
        case(op, "not finite", call, exactly([NAN, INF, -INF, 1.0]), smooth=False),
        case(op, "integers", lambda m, n, x: m.where(getattr(m, op)(n), 2 * x, x), exactly([0, 3], int), signed(2)),
        case(op, "indices: as integers", lambda m, x: getattr(m, op)(x) * 1, exactly([NAN, INF, 1.0]), smooth=False),
    ]


def judged(op: str, title: str, left: Any, right: Any, **options: Any) -> Case:
    """`allclose` and `equal` return a Python bool: a factor of 1 or 0."""
    return case(
        op,
        title,
        lambda m, x, y, z: z * getattr(m, op)(x, y, **options),
        exactly(left),
        exactly(right),
        signed(2),
        smooth=False,
        fixed=(0, 1),
    )


def chosen(name: str) -> Any:
    return lambda m, a, b, x: m.where(getattr(m, name)(a, b), x, 2 * x)


BOTH = mask([True, True], [False, False]), mask(True, False)
CASES = [
    *comparison("eq"),
    *comparison("ne"),
    *comparison("lt"),
    *comparison("le"),
    *comparison("gt"),
    *comparison("ge"),
    *[each for each in comparison("isclose") if "number" not in each.title and "integer" not in each.title],
    case(
        "isclose",
        "wide tolerances",
        lambda m, x, y: m.where(m.isclose(x, y, rtol=0.1, atol=0.5), 2 * x, 3 * y),
        exactly([1.0, 10.0, 0.3]),
        exactly([1.7, 11.2, 0.0]),
    ),
    case(
        "isclose",
        "nan like nan",
        lambda m, x, y: m.where(m.isclose(x, y, equal_nan=True), 1.0, x + y),
        exactly([NAN, NAN, INF, -INF]),
        exactly([NAN, 1.0, INF, INF]),
        smooth=False,
    ),
    judged("allclose", "close", [1.0, 2.0], [1.0, 2.000001]),
    judged("allclose", "far", [1.0, 2.0], [1.0, 2.1]),
    judged("allclose", "broadcast", [[1.0], [1.0]], [1.0, 1.0]),
    judged("allclose", "wide tolerances", [1.0, 2.0], [1.0, 2.1], rtol=0.0, atol=0.2),
    judged("allclose", "nan", [NAN], [NAN]),
    judged("allclose", "nan like nan", [NAN], [NAN], equal_nan=True),
    judged("allclose", "size 0", [], []),
    judged("equal", "the same", [1.0, 2.0], [1.0, 2.0]),
    judged("equal", "another value", [1.0, 2.0], [1.0, 2.5]),
    judged("equal", "another shape", [1.0, 1.0], [[1.0, 1.0]]),
    judged("equal", "nan", [NAN], [NAN]),
    judged("equal", "size 0", [], []),
    judged("equal", "size 0 in another shape", [], [[]]),
    *logic("logical_and"),
    *logic("logical_or"),
    *logic("logical_xor"),
    case("logical_not", "bools", lambda m, a, x: m.where(m.logical_not(a), 2 * x, x), mask(True, False), signed(2)),
    case(
        "logical_not",
        "floats",
        lambda m, x: m.where(m.logical_not(x), 2.0, x),
        exactly([0.0, -0.0, NAN, 3.0]),
        smooth=False,
    ),
    case(
        "logical_not",
        "single number",
        lambda m, a, x: m.where(m.logical_not(a), 2 * x, x),
        exactly(True, bool),
        signed(),
    ),
    case("logical_not", "size 0", lambda m, x: m.where(m.logical_not(x), 2 * x, x), signed(0, 2)),
    *kind("isfinite"),
    *kind("isinf"),
    *kind("isnan"),
    *[case(name, "bools, broadcast", chosen(name), *BOTH, signed(2, 2)) for name in ("bitwise_and", "bitwise_or")],
    case("bitwise_xor", "bools, broadcast", chosen("bitwise_xor"), *BOTH, signed(2, 2)),
    case("bitwise_not", "bools", lambda m, a, x: m.where(m.bitwise_not(a), x, 2 * x), BOTH[1], signed(2, 2)),
    case("bitwise_and", "indices: integers", lambda m, i: m.bitwise_and(i, 6), indices(1, 3, 5, -2)),
    case("bitwise_or", "indices: integers", lambda m, i: m.bitwise_or(i, 6), indices(1, 3, 5, -2)),
    case("bitwise_xor", "indices: integers", lambda m, i: m.bitwise_xor(i, 6), indices(1, 3, 5, -2)),
    case("bitwise_not", "indices: integers", lambda m, i: m.bitwise_not(i), indices(1, 3, 5, -2)),
    case("bitwise_and", "operators", lambda m, a, b, x: m.where((a & b) | (a ^ b) | ~a, x, 0.0), *BOTH, signed(2, 2)),
    case(
        "bitwise_and", "single number", lambda m, a, x: m.where(a & (x[0] < 9), x, 0.0), exactly(True, bool), signed(2)
    ),
    case("bitwise_or", "size 0", lambda m, a, x: m.where(a | (x.sum() > 9), x, 0.0), exactly([], bool), signed(2, 0)),
]

"""Cases of running sums and products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from op_table.case import Case, case, exactly, indices, mask, signed

ZEROS = [[1.5, 2, -1, 3], [2, 0, 3, -1], [0, 2, 0, 3], [1, -2, 0.5, 0]]


def dtype(m: Any, name: str) -> Any:
    """A dtype as each of the two knows it."""
    return getattr(m, name, name)


def running(op: str, call: Callable[..., Any]) -> list[Case]:
    """call(m, x, dim=…): what runs along an axis."""
    return [
        case(op, "vector", lambda m, x: call(m, x, dim=0), signed(5)),
        case(op, "vector of two", lambda m, x: call(m, x, dim=0), signed(2)),
        case(op, "first axis", lambda m, x: call(m, x, dim=0), signed(4, 2)),
        case(op, "last axis, counted from the end", lambda m, x: call(m, x, dim=-1), signed(2, 3)),
        case(op, "middle axis", lambda m, x: call(m, x, dim=1), signed(2, 3, 2)),
        case(op, "axis of size 1", lambda m, x: call(m, x, dim=1), signed(3, 1)),
        case(op, "along size 0", lambda m, x: call(m, x, dim=0), signed(0, 3)),
        case(op, "size 0 beside the axis", lambda m, x: call(m, x, dim=1), signed(0, 3)),
        case(op, "single number", lambda m, x: call(m, x, dim=0), signed()),
        case(op, "zeros", lambda m, x: call(m, x, dim=1), exactly(ZEROS)),
        case(op, "zeros, first axis", lambda m, x: call(m, x, dim=0), exactly(ZEROS)),
        case(op, "indices: of integers", lambda m, x: call(m, x, dim=0), indices(1, 2, 4)),
        case(op, "indices: of bools", lambda m, x: call(m, x, dim=0), mask(True, True, False)),
        case(
            op,
            "in float32",
            lambda m, x: call(m, x, dim=0, dtype=dtype(m, "float32")),
            exactly([1.0, 2, 4]),
            smooth=False,
        ),
        case(op, "of integers in float32", lambda m, x: call(m, x, dim=0, dtype=dtype(m, "float32")), indices(1, 2, 4)),
    ]


CASES = [
    *running("cumsum", lambda m, x, **options: m.cumsum(x, **options)),
    *running("cumprod", lambda m, x, **options: m.cumprod(x, **options)),
    case("diff", "vector", lambda m, x: m.diff(x), signed(5)),
    case("diff", "first axis", lambda m, x: m.diff(x, dim=0), signed(3, 2)),
    case("diff", "twice, last axis", lambda m, x: m.diff(x, 2, -1), signed(2, 4)),
    case("diff", "three times", lambda m, x: m.diff(x, n=3, dim=1), signed(2, 5, 2)),
    case("diff", "not at all", lambda m, x: m.diff(x, n=0), signed(3)),
    case("diff", "oftener than there are numbers", lambda m, x: m.diff(x, n=4), signed(3)),
    case("diff", "of one number", lambda m, x: m.diff(x), signed(1)),
    case("diff", "prepended", lambda m, x, y: m.diff(x, prepend=y), signed(2, 3), signed(2, 1)),
    case(
        "diff",
        "both ends, first axis",
        lambda m, x, y, z: m.diff(x, 1, 0, y, z),
        signed(3, 2),
        signed(1, 2),
        signed(2, 2),
    ),
    case("diff", "appended, twice", lambda m, x, y: m.diff(x, n=2, append=y), signed(3), signed(2)),
    case("diff", "indices: of integers", lambda m, x: m.diff(x), indices(1, 4, 2)),
    case("diff", "indices: of bools", lambda m, x: 1 * m.diff(x), mask(True, False, False, True)),
]

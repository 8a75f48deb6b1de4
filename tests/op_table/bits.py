"""Cases of bitwise logic. Bools choose between floats, so that each case has a float result."""

from __future__ import annotations

from typing import Any

from op_table.case import case, exactly, indices, mask, signed


def chosen(name: str) -> Any:
    return lambda m, a, b, x: m.where(getattr(m, name)(a, b), x, 2 * x)


BOTH = mask([True, True], [False, False]), mask(True, False)
CASES = [
    *[case(name, "bools, broadcast", chosen(name), *BOTH, signed(2, 2)) for name in ("bitwise_and", "bitwise_or")],
    case("bitwise_xor", "bools, broadcast", chosen("bitwise_xor"), *BOTH, signed(2, 2)),
    case("bitwise_not", "bools", lambda m, a, x: m.where(m.bitwise_not(a), x, 2 * x), BOTH[1], signed(2, 2)),
    case("bitwise_and", "indices: integers", lambda m, i: m.bitwise_and(i, 6), indices(1, 3, 5, -2)),
    case("bitwise_or", "indices: integers", lambda m, i: m.bitwise_or(i, 6), indices(1, 3, 5, -2)),
    case("bitwise_xor", "indices: integers", lambda m, i: m.bitwise_xor(i, 6), indices(1, 3, 5, -2)),
    case("bitwise_not", "indices: integers", lambda m, i: m.bitwise_not(i), indices(1, 3, 5, -2)),
    case("bitwise_and", "operators", lambda m, a, b, x: m.where((a & b) | (a ^ b) | ~a, x, 0.0), *BOTH, signed(2, 2)),
    case("bitwise_and", "single number", lambda m, a, x: m.where(a & True, x, 0.0), exactly(True, bool), signed(2)),
    case("bitwise_or", "size 0", lambda m, a, x: m.where(a | False, x, 0.0), exactly([], bool), signed(2, 0)),
]

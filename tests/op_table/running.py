"""Cases of extremes so far, running sums of exponentials, and areas and slopes of sampled functions."""

from __future__ import annotations

from typing import Any

from op_table.case import case, exactly, signed, spread

INF, NAN = float("inf"), float("nan")

CASES = [
    *[
        each
        for op in ("cummax", "cummin")
        for each in (
            case(op, "vector", lambda m, x, op=op: getattr(m, op)(x, 0).values, spread(7)),
            case(op, "last axis", lambda m, x, op=op: getattr(m, op)(x, -1).values, spread(2, 5)),
            case(op, "middle axis", lambda m, x, op=op: getattr(m, op)(x, 1).values, spread(2, 5, 2)),
            case(op, "size 0", lambda m, x, op=op: getattr(m, op)(x, 0).values, signed(0, 3)),
            case(op, "single number", lambda m, x, op=op: getattr(m, op)(x, 0).values, signed()),
            case(
                op,
                "ties and nan",
                lambda m, x, op=op: getattr(m, op)(x, 0).values,
                exactly([1.0, 3.0, 3.0, 2.0, 0.0, 0.0, NAN, 5.0, NAN]),
                smooth=False,
            ),
            case(
                op,
                "indices: of ties and nan",
                lambda m, x, op=op: getattr(m, op)(x, 0).indices,
                exactly([1.0, 3.0, 3.0, 2.0, 0.0, 0.0, NAN, 5.0, NAN]),
                smooth=False,
            ),
        )
    ],
    case("logcumsumexp", "vector", lambda m, x: m.logcumsumexp(x, 0), signed(5)),
    case("logcumsumexp", "middle axis", lambda m, x: m.logcumsumexp(x, 1), signed(2, 3, 2)),
    case("logcumsumexp", "size 0", lambda m, x: m.logcumsumexp(x, 0), signed(0, 2)),
    case("logcumsumexp", "single number", lambda m, x: m.logcumsumexp(x, 0), signed()),
    case("logcumsumexp", "large", lambda m, x: m.logcumsumexp(x, 0), exactly([900.0, 1000.0, 10.0, 1001.0])),
    *[
        each
        for op in ("trapezoid", "trapz", "cumulative_trapezoid")
        for each in (
            case(op, "last axis", lambda m, y, op=op: getattr(m, op)(y), signed(2, 4)),
            case(op, "a width", lambda m, y, op=op: getattr(m, op)(y, dx=0.5, dim=0), signed(3, 2)),
            case(op, "places", lambda m, y, x, op=op: getattr(m, op)(y, x), signed(2, 4), spread(4)),
            case(
                op, "places of each row", lambda m, y, x, op=op: getattr(m, op)(y, x, dim=1), signed(2, 3), spread(2, 3)
            ),
        )
    ],
    case("gradient", "vector", lambda m, x: m.gradient(x)[0], signed(5)),
    case("gradient", "a spacing", lambda m, x: m.gradient(x, spacing=0.3)[0], signed(5)),
    case("gradient", "second axis", lambda m, x: m.gradient(x, dim=1)[0], signed(2, 4)),
    case("gradient", "all axes, a spacing each", lambda m, x: m.gradient(x, spacing=[0.5, 2.0])[1], signed(3, 4)),
    case("gradient", "places", lambda m, x: m.gradient(x, spacing=(places(m, x),))[0], signed(4)),
    case("gradient", "second order at the ends", lambda m, x: m.gradient(x, edge_order=2)[0], signed(5)),
    case(
        "gradient",
        "places, second order",
        lambda m, x: m.gradient(x, spacing=(places(m, x),), edge_order=2)[0],
        signed(4),
    ),
]


def places(m: Any, x: Any) -> Any:
    return m.tensor([0.0, 0.5, 2.0, 2.5], dtype=x.dtype, device=x.device)

"""Cases of arithmetic and of choices, number by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from op_table.case import Case, Draw, case, exactly, mask, positive, signed, spread

INF, NAN = float("inf"), float("nan")
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


def number(op: str, title: str, call: Callable[[Any, Any], Any], draw: Callable[..., Draw] = signed) -> Case:
    """An operation with a Python number on one side."""
    return case(op, title, call, draw(2, 3))


def two(op: str, title: str, left: list[float], right: list[float], **options: Any) -> Case:
    """Two operands at places where nudging tells nothing."""
    return case(
        op,
        title,
        lambda m, x, y: getattr(m, op)(x, y, **options),
        exactly(left),
        exactly(right),
        smooth=False,
    )


def off_multiples(*shape: int) -> Draw:
    """Between 0.35 and 0.45: the draws of `spread` are no multiples of these within a nudge."""
    return lambda stream: stream.uniform(0.35, 0.45, shape)


CASES = [
    *binary("add", lambda m, x, y: m.add(x, y), signed, signed),
    number("add", "number on the right", lambda m, x: x + 2.5),
    number("add", "number on the left", lambda m, x: 2.5 + x),
    number("add", "integer number", lambda m, x: x + 3),
    case("add", "alpha", lambda m, x, y: m.add(x, y, alpha=2.5), signed(2, 3), signed(3)),
    case("add", "alpha and a number", lambda m, x: m.add(x, 3.0, alpha=-2), signed(2, 3)),
    *binary("sub", lambda m, x, y: m.sub(x, y), signed, signed),
    number("sub", "number on the right", lambda m, x: x - 2.5),
    number("sub", "number on the left", lambda m, x: 2.5 - x),
    case("sub", "alpha", lambda m, x, y: m.sub(x, y, alpha=2.5), signed(2, 3), signed(3)),
    *binary("rsub", lambda m, x, y: m.rsub(x, y), signed, signed),
    number("rsub", "from a number", lambda m, x: m.rsub(x, 2.5)),
    case("rsub", "alpha", lambda m, x, y: m.rsub(x, y, alpha=2.5), signed(2, 3), signed(3)),
    *binary("mul", lambda m, x, y: m.mul(x, y), signed, signed),
    number("mul", "number on the right", lambda m, x: x * 2.5),
    number("mul", "number on the left", lambda m, x: -2 * x),
    *binary("div", lambda m, x, y: m.div(x, y), signed, positive),
    number("div", "number on the right", lambda m, x: x / 2.5),
    number("div", "number on the left", lambda m, x: 2.5 / x, positive),
    two("div", "by zero", [1.0, -1, 0], [0.0, 0, 0]),
    *[
        each
        for mode in ("trunc", "floor")
        for each in (
            case(
                "div",
                f"rounded: {mode}",
                lambda m, x, y, mode=mode: m.div(x, y, rounding_mode=mode),
                spread(2, 3),
                off_multiples(3),
                twice=False,  # its gradient is 0 and depends on nothing
            ),
            case(
                "div",
                f"rounded, by a number: {mode}",
                lambda m, x, mode=mode: m.div(x, 0.37, rounding_mode=mode),
                spread(2, 3),
                twice=False,
            ),
            case(
                "div",
                f"rounded, integers: {mode}",
                lambda m, n, x, mode=mode: m.div(n, 2, rounding_mode=mode) * x,
                exactly([7, -7, 6, -6, 0], int),
                signed(5),
            ),
            two(
                "div",
                f"rounded, at steps: {mode}",
                [4.0, -4, 3, -3, 0, 1, -1, INF],
                [2.0, 2, -1.5, 2, 2, 0, 0, 2],
                rounding_mode=mode,
            ),
        )
    ],
    *binary("true_divide", lambda m, x, y: m.true_divide(x, y), signed, positive),
    # PyTorch's floor_divide has no gradient, so its operand leaves the graph; div with rounding_mode="floor" has.
    number("floor_divide", "by a number", lambda m, x: x * m.floor_divide(x.detach(), 0.37), spread),
    case(
        "floor_divide",
        "by a tensor",
        lambda m, x, y: x * y * m.floor_divide(x.detach(), y.detach()),
        spread(2, 3),
        off_multiples(3),
    ),
    case("floor_divide", "integers", lambda m, n, x: m.floor_divide(n, 2) * x, exactly([7, -7, 6, 0], int), signed(4)),
    *binary("remainder", lambda m, x, y: m.remainder(x, y), spread, off_multiples)[:7],
    case("remainder", "size 0", lambda m, x, y: m.remainder(x, y), signed(0, 3), positive(3)),
    case(
        "remainder",
        "all signs",
        lambda m, x, y: m.remainder(x, y),
        exactly([7.3, -7.3, 7.3, -7.3]),
        exactly([3.0, 3, -3, -3]),
    ),
    number("remainder", "of a number", lambda m, x: m.remainder(x, 0.37), spread),
    case(
        "remainder",
        "a number on the left",  # PyTorch has no gradient for it
        lambda m, x: x * (5.0 % x.detach()),
        off_multiples(2, 3),
        smooth=False,
    ),
    case("remainder", "integers", lambda m, n, x: m.remainder(n, 3) * x, exactly([7, -7, 6, 0], int), signed(4)),
    two("remainder", "at steps", [4.0, -4, 0, 1, INF, -1, NAN], [2.0, 2, 2, 0, 2, INF, 1]),
    *binary("fmod", lambda m, x, y: m.fmod(x, y), spread, off_multiples)[:7],
    case("fmod", "size 0", lambda m, x, y: m.fmod(x, y), signed(0, 3), positive(3)),
    case("fmod", "all signs", lambda m, x, y: m.fmod(x, y), exactly([7.3, -7.3, 7.3, -7.3]), exactly([3.0, 3, -3, -3])),
    number("fmod", "by a number", lambda m, x: m.fmod(x, 0.37), spread),
    case("fmod", "integers", lambda m, n, x: m.fmod(n, 3) * x, exactly([7, -7, 6, 0], int), signed(4)),
    two("fmod", "at steps", [4.0, -4, 0, 1, INF, -1, NAN], [2.0, 2, 2, 0, 2, INF, 1]),
    *binary("pow", lambda m, x, y: m.pow(x, y), positive, signed),
    number("pow", "square", lambda m, x: x**2),
    number("pow", "cube", lambda m, x: x**3),
    number("pow", "fourth power", lambda m, x: x**4),
    number("pow", "power one", lambda m, x: x**1),
    case("pow", "power zero", lambda m, x: x**0, signed(2, 3), twice=False),  # 1, whatever x is
    number("pow", "square root", lambda m, x: x**0.5, positive),
    number("pow", "negative power", lambda m, x: x**-2, positive),
    number("pow", "power 2.0 as a float", lambda m, x: x**2.0),
    number("pow", "number as the base", lambda m, x: 2.5**x),
    case("pow", "negative base, whole exponents", lambda m, x: m.pow(x, 3.0), exactly([-2.0, -0.5, 1.5])),
    case("pow", "zero base", lambda m, x, y: m.pow(x, y), exactly([0.0, 0.0, 0.0]), exactly([0.0, 1, 2]), smooth=False),
    case("pow", "zero base, square", lambda m, x: x**2, exactly([0.0, 1.0])),
    case("pow", "zero base, power one", lambda m, x: x**1.0, exactly([0.0, 1.0])),
    case("pow", "zero base, square root", lambda m, x: x**0.5, exactly([0.0, 4.0]), smooth=False),
    case("pow", "zero base, power zero", lambda m, x: x**0.0, exactly([0.0, 1.0]), twice=False),
    two("pow", "edges", [0.0, 0, 0, -2, -2, NAN, INF, 0, 4, -INF], [-1.0, 0.5, NAN, 3, 2.5, 0, 0, 1, -0.5, 2]),
    case("pow", "zero as the base", lambda m, x: 0.0**x, exactly([0.0, 1.0, 2.5]), smooth=False),
    case("pow", "nan to the power zero", lambda m, x: x**0, exactly([NAN, INF]), smooth=False),
    case("pow", "small and negative powers", lambda m, x: x**-1 + x**1.0 + x**-0.5, positive(3)),
    case(
        "pow",
        "whole exponents of a tensor",
        lambda m, x, y: m.pow(x, y),
        exactly([-2.0, 0.0, 3.0, 0.5]),
        exactly([2.0, 3.0, 0.0, 1.0]),
        fixed=(1,),
    ),
    case(
        "pow",
        "integers to negative integers",
        lambda m, n, k, x: m.pow(n, k) * x,
        exactly([2, -3, 1, -1, -1], int),
        exactly([-1, -2, -3, -2, -3], int),
        signed(5),
    ),
    case("pow", "integers", lambda m, n, x: m.pow(n, 3) * x, exactly([2, -3], int), signed(2)),
    case(
        "pow",
        "integers to a fraction",
        lambda m, n, x: m.round(m.pow(n, 0.5), decimals=3) * x,
        exactly([2, 3], int),
        signed(2),
    ),
    # Multiplied with x, since the float64 of a single number gives way to the dtype of a tensor with axes.
    case("float_power", "two tensors", lambda m, x, y: x * m.float_power(x, y).sum(), positive(2, 3), signed(3)),
    case("float_power", "a number as the exponent", lambda m, x: x * m.float_power(x, 3).sum(), signed(3)),
    case("float_power", "integers", lambda m, n, x: x * m.float_power(n, -1).sum(), exactly([2, 4], int), signed(2)),
    case("float_power", "size 0", lambda m, x: x * m.float_power(x, 2).sum(), signed(0)),
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
    two("maximum", "not finite", [NAN, 1.0, INF, -INF], [1.0, NAN, INF, 2.0]),
    two("minimum", "not finite", [NAN, 1.0, INF, -INF], [1.0, NAN, INF, 2.0]),
    case("maximum", "integers", lambda m, n, x: m.maximum(n, 2 * n) * x, exactly([2, -3], int), signed(2)),
    *[
        each
        for op in ("clamp", "clip")
        for each in (
            number(op, "both numbers", lambda m, x, op=op: getattr(m, op)(x, -0.6, 0.55), spread),
            number(op, "by name", lambda m, x, op=op: getattr(m, op)(x, min=-0.6, max=0.55), spread),
            number(op, "min alone", lambda m, x, op=op: getattr(m, op)(x, min=0.05), spread),
            number(op, "max alone", lambda m, x, op=op: getattr(m, op)(x, max=0.05), spread),
            case(op, "single number", lambda m, x, op=op: getattr(m, op)(x, -0.5, 0.5), spread()),
            case(op, "size 0", lambda m, x, op=op: getattr(m, op)(x, -0.5, 0.5), signed(2, 0)),
        )
    ],
    number("clamp", "integer bounds", lambda m, x: m.clamp(x, 0, 1), spread),
    case(
        "clamp", "at the bounds", lambda m, x: m.clamp(x, 0, 1), exactly([0.0, 1, 0.5, -1, 2, NAN, INF]), smooth=False
    ),
    number("clamp", "bounds that cross", lambda m, x: m.clamp(x, 0.5, -0.5), spread),
    case(
        "clamp",
        "tensors",
        lambda m, x, lo, hi: m.clamp(x, lo, hi),
        spread(2, 3),
        exactly([-0.45, 0.05, 0.25]),
        exactly([[0.33], [0.55]]),
    ),
    case("clamp", "min as a tensor", lambda m, x, lo: m.clamp(x, lo), spread(2, 3), exactly([-0.45, 0.0, 0.25])),
    case("clamp", "max as a tensor", lambda m, x, hi: m.clamp(x, max=hi), spread(2, 3), exactly([[0.0], [0.5]])),
    case(
        "clamp",
        "tensors: ties, crossing bounds, nan",
        lambda m, x, lo, hi: m.clamp(x, lo, hi),
        exactly([NAN, 0, 1, 0.5, 2, 0.5, 0.5, 3, 1, -1, 1, 1]),
        exactly([0.0, 0, 0, 0, 0, 2, NAN, 2, 1, 2, 1, 2]),
        exactly([1.0, 1, 1, 1, 1, 1, 1, 2, 1, 1, NAN, 2]),
        smooth=False,
    ),
    case("clamp", "infinite upstream", lambda m, x: m.sqrt(m.clamp(x, 0, 9)), exactly([-1.0, 4.0]), smooth=False),
    case("clamp", "integers", lambda m, n, x: m.clamp(n, 0, 2) * x, exactly([2, -3, 7], int), signed(3)),
    case(
        "clamp",
        "integers within fractions",
        lambda m, n, x: m.clamp(n, 0.5, 2.5) * x,
        exactly([2, -3, 7], int),
        signed(3),
    ),
    number("clamp_min", "number", lambda m, x: m.clamp_min(x, 0.05), spread),
    case("clamp_min", "tensor", lambda m, x, lo: m.clamp_min(x, lo), spread(2, 3), exactly([-0.45, 0.0, 0.25])),
    two("clamp_min", "ties and nan", [NAN, 0.0, 1, 2], [0.0, 0, NAN, 3]),
    number("clamp_max", "number", lambda m, x: m.clamp_max(x, 0.05), spread),
    case("clamp_max", "tensor", lambda m, x, hi: m.clamp_max(x, hi), spread(2, 3), exactly([-0.45, 0.0, 0.25])),
    two("clamp_max", "ties and nan", [NAN, 0.0, 1, 2], [0.0, 0, NAN, 1]),
    case(
        "masked_fill",
        "number",
        lambda m, x, c: m.masked_fill(x, c, 2.5),
        signed(2, 2),
        mask([True, False], [False, True]),
    ),
    case(
        "masked_fill",
        "broadcast mask",
        lambda m, x, c: m.masked_fill(x, c, -INF),
        signed(2, 3),
        mask(True, False, False),
        smooth=False,
    ),
    case("masked_fill", "wider mask", lambda m, x, c: m.masked_fill(x, c, 1), signed(3), mask([True], [False])),
    case(
        "masked_fill",
        "0-d tensor",
        lambda m, x, c, v: m.masked_fill(x, c, v),
        signed(2, 2),
        mask(True, False),
        signed(),
    ),
    case("masked_fill", "size 0", lambda m, x, c: m.masked_fill(x, c, 1.0), signed(2, 0), mask([True], [False])),
    case(
        "masked_fill",
        "integers",
        lambda m, n, c, x: m.masked_fill(n, c, 9) * x,
        exactly([1, 2], int),
        mask(True, False),
        signed(2),
    ),
    *binary("atan2", lambda m, x, y: m.atan2(x, y), positive, signed),
    two("atan2", "edges", [0.0, 0, 1, -1, 0, INF, NAN], [0.0, -1, 0, 0, 1, 1, 1]),
    *binary("hypot", lambda m, x, y: m.hypot(x, y), positive, signed),
    two("hypot", "edges", [0.0, 3, 0, INF], [0.0, 0, -2, 1]),
    *binary("logaddexp", lambda m, x, y: m.logaddexp(x, y), signed, signed),
    two("logaddexp", "edges", [-INF, INF, -INF, INF, 1, NAN, 1000, -1000], [-INF, INF, 1, -INF, 2, 1, -1000, -1000]),
    *binary("xlogy", lambda m, x, y: m.xlogy(x, y), positive, positive),
    two("xlogy", "edges", [0.0, 0, 0, 0, 1, NAN, 2, 0], [0.0, NAN, -1, 2, 0, 1, INF, INF]),
    number("xlogy", "number on the right", lambda m, x: m.xlogy(x, 2.5)),
    case(
        "xlogy", "integers", lambda m, n, x: m.round(m.xlogy(n, 2.5), decimals=3) * x, exactly([2, 0], int), signed(2)
    ),
    case("lerp", "number", lambda m, x, y: m.lerp(x, y, 0.3), signed(2, 3), signed(3)),
    case("lerp", "number beyond the half", lambda m, x, y: m.lerp(x, y, 0.8), signed(2, 1), signed(3)),
    case("lerp", "number outside", lambda m, x, y: m.lerp(x, y, -1.5), signed(2, 3), signed(2, 3)),
    case("lerp", "tensor", lambda m, x, y, w: m.lerp(x, y, w), signed(2, 1), signed(3), signed(2, 3)),
    case("lerp", "single numbers", lambda m, x, y, w: m.lerp(x, y, w), signed(), signed(), signed()),
    case("lerp", "size 0", lambda m, x, y: m.lerp(x, y, 0.5), signed(0, 3), signed(3)),
    case("addcmul", "tensors", lambda m, x, y, z: m.addcmul(x, y, z), signed(2, 3), signed(3), signed(2, 1)),
    case("addcmul", "value", lambda m, x, y, z: m.addcmul(x, y, z, value=-0.5), signed(3), signed(2, 1), signed()),
    case("addcmul", "size 0", lambda m, x, y, z: m.addcmul(x, y, z), signed(0, 3), signed(3), signed(3)),
    case("addcdiv", "tensors", lambda m, x, y, z: m.addcdiv(x, y, z), signed(2, 3), signed(3), positive(2, 1)),
    case("addcdiv", "value", lambda m, x, y, z: m.addcdiv(x, y, z, value=-0.5), signed(3), signed(2, 1), positive()),
    case("addcdiv", "size 0", lambda m, x, y, z: m.addcdiv(x, y, z), signed(0, 3), signed(3), positive(3)),
]

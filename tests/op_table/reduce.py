"""Cases of the operations that make fewer numbers of many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from op_table.case import Case, Draw, case, exactly, signed, spread


def reduction(op: str, call: Callable[..., Any], draw: Callable[..., Draw] = signed) -> list[Case]:
    """call(m, x, dim=…, keepdim=…): the axes that every reduction takes."""
    return [
        case(op, "first axis", lambda m, x: call(m, x, dim=0), draw(2, 3)),
        case(op, "last axis, counted from the end", lambda m, x: call(m, x, dim=-1), draw(2, 3, 4)),
        case(op, "middle axis", lambda m, x: call(m, x, dim=1), draw(2, 3, 4)),
        case(op, "middle axis kept", lambda m, x: call(m, x, dim=1, keepdim=True), draw(2, 3, 4)),
        case(op, "vector", lambda m, x: call(m, x, dim=0), draw(5)),
        case(op, "vector, axis kept", lambda m, x: call(m, x, dim=-1, keepdim=True), draw(5)),
        case(op, "size 0 beside the axis", lambda m, x: call(m, x, dim=1), draw(0, 3)),
    ]


def over_several(op: str, call: Callable[..., Any], draw: Callable[..., Draw] = signed) -> list[Case]:
    return [
        case(op, "two axes", lambda m, x: call(m, x, dim=(0, 2)), draw(2, 3, 4)),
        case(
            op,
            "two axes, one counted from the end, kept",
            lambda m, x: call(m, x, dim=(-1, 0), keepdim=True),
            draw(2, 3, 4),
        ),
        case(op, "a list of axes", lambda m, x: call(m, x, dim=[0, 1]), draw(2, 3)),
        case(op, "every axis by name", lambda m, x: call(m, x, dim=(0, 1)), draw(2, 3)),
    ]


def over_all(op: str, call: Callable[..., Any], draw: Callable[..., Draw] = signed) -> list[Case]:
    return [
        case(op, "all", lambda m, x: call(m, x), draw(2, 3)),
        case(op, "all of four axes", lambda m, x: call(m, x), draw(2, 1, 3, 2)),
    ]


def of_a_number(op: str, call: Callable[..., Any], draw: Callable[..., Draw] = signed) -> list[Case]:
    return [
        case(op, "single number", lambda m, x: call(m, x, dim=0), draw()),
        case(op, "single number, axis counted from the end", lambda m, x: call(m, x, dim=-1), draw()),
    ]


def size_1(op: str, call: Callable[..., Any], draw: Callable[..., Draw] = signed) -> Case:
    return case(op, "axis of size 1", lambda m, x: call(m, x, dim=1), draw(3, 1))


CASES = [
    *over_all("sum", lambda m, x: m.sum(x)),
    *reduction("sum", lambda m, x, **axes: m.sum(x, **axes)),
    *over_several("sum", lambda m, x, **axes: m.sum(x, **axes)),
    *of_a_number("sum", lambda m, x, **axes: m.sum(x, **axes)),
    size_1("sum", lambda m, x, **axes: m.sum(x, **axes)),
    case("sum", "size 0", lambda m, x: m.sum(x), signed(0, 3)),
    case("sum", "along size 0", lambda m, x: m.sum(x, dim=0), signed(0, 3)),
    case("sum", "single number, all", lambda m, x: m.sum(x), signed()),
    *over_all("mean", lambda m, x: m.mean(x)),
    *reduction("mean", lambda m, x, **axes: m.mean(x, **axes)),
    *over_several("mean", lambda m, x, **axes: m.mean(x, **axes)),
    *of_a_number("mean", lambda m, x, **axes: m.mean(x, **axes)),
    size_1("mean", lambda m, x, **axes: m.mean(x, **axes)),
    case("mean", "of nothing", lambda m, x: m.mean(x), signed(0, 3), smooth=False),
    case("mean", "along size 0", lambda m, x: m.mean(x, dim=0), signed(0, 3), smooth=False),
    *over_all("var", lambda m, x: m.var(x)),
    *reduction("var", lambda m, x, **axes: m.var(x, **axes)),
    *over_several("var", lambda m, x, **axes: m.var(x, **axes)),
    case("var", "population", lambda m, x: m.var(x, dim=1, correction=0), signed(2, 3)),
    case("var", "correction 2, kept", lambda m, x: m.var(x, dim=0, correction=2, keepdim=True), signed(4, 2)),
    case("var", "of one number", lambda m, x: m.var(x, dim=1), signed(3, 1), smooth=False),
    case("var", "of one number, population", lambda m, x: m.var(x, dim=1, correction=0), signed(3, 1)),
    case(
        "var",
        "far from zero",
        lambda m, x: m.var(x + 1e6, dim=1, correction=0),
        exactly([[1.0, 2.0, 4.0]]),
        smooth=False,
    ),
    *over_all("amax", lambda m, x: m.amax(x), spread),
    *reduction("amax", lambda m, x, **axes: m.amax(x, **axes), spread),
    *over_several("amax", lambda m, x, **axes: m.amax(x, **axes), spread),
    *of_a_number("amax", lambda m, x, **axes: m.amax(x, **axes), spread),
    size_1("amax", lambda m, x, **axes: m.amax(x, **axes), spread),
    case("amax", "ties share", lambda m, x: m.amax(x, dim=1), exactly([[1.0, 3, 3], [2, 2, 2]]), smooth=False),
    case("amax", "ties of all", lambda m, x: m.amax(x), exactly([[1.0, 3], [3, 2]]), smooth=False),
    *over_all("max", lambda m, x: m.max(x), spread),
    case("max", "ties of all share", lambda m, x: m.max(x), exactly([[1.0, 3], [3, 2]]), smooth=False),
    *reduction("max", lambda m, x, **axes: m.max(x, **axes).values, spread),
    *of_a_number("max", lambda m, x, **axes: m.max(x, **axes).values, spread),
    size_1("max", lambda m, x, **axes: m.max(x, **axes).values, spread),
    case(
        "max",
        "the first of ties takes all",
        lambda m, x: m.max(x, dim=1)[0],
        exactly([[1.0, 3, 3], [2, 2, 2]]),
        smooth=False,
    ),
    case("max", "indices", lambda m, x: m.max(x, dim=1)[1], spread(3, 4), smooth=False),
    case("max", "indices kept", lambda m, x: m.max(x, 0, True).indices, spread(3, 4), smooth=False),
    case("max", "of two tensors", lambda m, x, y: m.max(x, 1.1 * y), spread(2, 3), spread(3)),
    *reduction("logsumexp", lambda m, x, **axes: m.logsumexp(x, **axes)),
    *over_several("logsumexp", lambda m, x, **axes: m.logsumexp(x, **axes)),
    *of_a_number("logsumexp", lambda m, x, **axes: m.logsumexp(x, **axes)),
    size_1("logsumexp", lambda m, x, **axes: m.logsumexp(x, **axes)),
    case("logsumexp", "large", lambda m, x: m.logsumexp(x, dim=0), exactly([1000.0, 999.0, -1000.0])),
    case(
        "logsumexp",
        "with minus infinity",
        lambda m, x: m.logsumexp(x, dim=0),
        exactly([-float("inf"), 1.0]),
        smooth=False,
    ),
    case(
        "logsumexp",
        "with plus infinity",
        lambda m, x: m.logsumexp(x, dim=0),
        exactly([float("inf"), 1.0]),
        smooth=False,
    ),
    case("logsumexp", "along size 0", lambda m, x: m.logsumexp(x, dim=0), signed(0, 3), smooth=False),
]

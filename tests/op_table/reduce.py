"""Cases of the operations that make fewer numbers of many."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from op_table.case import Case, Draw, case, exactly, indices, mask, positive, signed, spread

NAN, INF = float("nan"), float("inf")


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


def of_few(call: Callable[..., Any]) -> Callable[..., Any]:
    """A variance without a degree of freedom, of which both warn."""

    def quiet(m: Any, x: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(m, x)

    return quiet


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


ZEROS = [[1.5, 2, -1, 3], [2, 0, 3, -1], [0, 2, 0, 3], [0, 0, 0, 2]]
NANS = [[1.0, NAN, 3.0], [0.0, 2.0, -1.0]]
HALF_ZERO = [[0.0, 0.0], [1.0, -1.0]]
TRUTHS = mask([True, False, True], [True, True, True])


def dtype(m: Any, name: str) -> Any:
    """A dtype as each of the two knows it."""
    return getattr(m, name, name)


def in_dtypes(op: str, call: Callable[..., Any]) -> list[Case]:
    """The `dtype` that sums and products are computed in."""
    return [
        case(op, "in float32", lambda m, x: call(m, x, dtype=dtype(m, "float32")), exactly([1.0, 2, 4]), smooth=False),
        case(op, "of integers in float32", lambda m, x: call(m, x, dtype=dtype(m, "float32")), indices(1, 2, 4)),
    ]


def of_integers(op: str, call: Callable[..., Any]) -> list[Case]:
    return [
        case(op, "indices: of integers", call, indices([1, 2, 4], [3, 0, 5])),
        case(op, "indices: of small integers", call, exactly([200, 100, 2], np.uint8)),
        case(op, "indices: of bools", call, mask([True, False], [True, True])),
    ]


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
    case("var", "of one number", of_few(lambda m, x: m.var(x, dim=1)), signed(3, 1), smooth=False),
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
    *in_dtypes("sum", lambda m, x, **options: m.sum(x, **options)),
    *of_integers("sum", lambda m, x: m.sum(x)),
    case("sum", "single number, one axis in a tuple", lambda m, x: m.sum(x, dim=(0,)), signed()),
    case("sum", "no axis means all", lambda m, x: m.sum(x, dim=()), signed(2, 3)),
    *in_dtypes("mean", lambda m, x, **options: m.mean(x, **options)),
    *over_all("prod", lambda m, x: m.prod(x)),
    *reduction("prod", lambda m, x, **axes: m.prod(x, **axes)),
    *of_a_number("prod", lambda m, x, **axes: m.prod(x, **axes)),
    size_1("prod", lambda m, x, **axes: m.prod(x, **axes)),
    *in_dtypes("prod", lambda m, x, **options: m.prod(x, **options)),
    *of_integers("prod", lambda m, x: m.prod(x)),
    case("prod", "size 0", lambda m, x: m.prod(x), signed(0, 3)),
    case("prod", "single number, all", lambda m, x: m.prod(x), signed()),
    case("prod", "one zero", lambda m, x: m.prod(x), exactly([2.0, 0, -3, 1.5])),
    case("prod", "two zeros", lambda m, x: m.prod(x), exactly([2.0, 0, -3, 0])),
    case("prod", "no, one, two, three zeros", lambda m, x: m.prod(x, dim=1), exactly(ZEROS)),
    case("prod", "zeros along the first axis", lambda m, x: m.prod(x, dim=0, keepdim=True), exactly(ZEROS)),
    case("prod", "with nan", lambda m, x: m.prod(x), exactly([NAN, 0.0, 2.0]), smooth=False),
    *over_all("nansum", lambda m, x: m.nansum(x)),
    *reduction("nansum", lambda m, x, **axes: m.nansum(x, **axes)),
    *over_several("nansum", lambda m, x, **axes: m.nansum(x, **axes)),
    *in_dtypes("nansum", lambda m, x, **options: m.nansum(x, **options)),
    *of_integers("nansum", lambda m, x: m.nansum(x)),
    case("nansum", "with nan", lambda m, x: m.nansum(x, dim=1), exactly(NANS), smooth=False),
    *over_all("nanmean", lambda m, x: m.nanmean(x)),
    *reduction("nanmean", lambda m, x, **axes: m.nanmean(x, **axes)),
    *over_several("nanmean", lambda m, x, **axes: m.nanmean(x, **axes)),
    case("nanmean", "with nan", lambda m, x: m.nanmean(x, dim=1), exactly(NANS), smooth=False),
    case("var", "old spelling", lambda m, x: m.var(x, 1, unbiased=False), signed(2, 3)),
    case("var", "old spelling, of all", lambda m, x: m.var(x, unbiased=True), signed(2, 3)),
    case("var", "old spelling in place of dim", lambda m, x: m.var(x, False), signed(2, 3)),
    case("var", "correction 1.5", lambda m, x: m.var(x, dim=1, correction=1.5), signed(2, 3)),
    case(
        "var",
        "correction as large as n",
        of_few(lambda m, x: m.var(x, correction=3)),
        exactly([1.0, 2, 4]),
        smooth=False,
    ),
    case("var", "correction above n", of_few(lambda m, x: m.var(x, correction=5)), exactly([1.0, 2, 4]), smooth=False),
    case("var", "along size 0", of_few(lambda m, x: m.var(x, dim=0)), signed(0, 3), smooth=False),
    case("var", "single number, population", lambda m, x: m.var(x, correction=0), signed()),
    *over_all("std", lambda m, x: m.std(x)),
    *reduction("std", lambda m, x, **axes: m.std(x, **axes)),
    *over_several("std", lambda m, x, **axes: m.std(x, **axes)),
    case("std", "population", lambda m, x: m.std(x, dim=1, correction=0), signed(2, 3)),
    case("std", "old spelling", lambda m, x: m.std(x, 0, unbiased=False), signed(4, 2)),
    case("std", "of equal numbers", lambda m, x: m.std(x, dim=1), exactly([[2.0, 2, 2], [1, 2, 4]]), smooth=False),
    case("std", "of one number", of_few(lambda m, x: m.std(x, dim=1)), signed(3, 1), smooth=False),
    case("std", "of one number, population", lambda m, x: m.std(x, correction=0), exactly([2.0]), smooth=False),
    case("std_mean", "joined", lambda m, x: m.stack(m.std_mean(x, 1)), signed(2, 3)),
    case("std_mean", "kept", lambda m, x: m.cat(m.std_mean(x, dim=0, keepdim=True, correction=0)), signed(4, 2)),
    case("std_mean", "of all", lambda m, x: m.stack(m.std_mean(x, unbiased=False)), signed(4, 2)),
    case("var_mean", "joined", lambda m, x: m.stack(m.var_mean(x, (0, 1))), signed(2, 3, 2)),
    case("var_mean", "kept", lambda m, x: m.cat(m.var_mean(x, dim=0, keepdim=True, correction=0)), signed(4, 2)),
    case("var_mean", "of all", lambda m, x: m.stack(m.var_mean(x)), signed(4, 2)),
    *over_all("amin", lambda m, x: m.amin(x), spread),
    *reduction("amin", lambda m, x, **axes: m.amin(x, **axes), spread),
    *over_several("amin", lambda m, x, **axes: m.amin(x, **axes), spread),
    *of_a_number("amin", lambda m, x, **axes: m.amin(x, **axes), spread),
    case("amin", "ties share", lambda m, x: m.amin(x, dim=1), exactly([[1.0, 1, 3], [2, 2, 2]]), smooth=False),
    case("amin", "with nan", lambda m, x: m.amin(x), exactly([1.0, NAN, 3]), smooth=False),
    case("amin", "indices: of integers", lambda m, x: m.amin(x, dim=0), indices([3, 1], [2, 4])),
    case("amax", "with nan", lambda m, x: m.amax(x), exactly([1.0, NAN, 3]), smooth=False),
    case("amax", "indices: of integers", lambda m, x: m.amax(x, dim=0), indices([3, 1], [2, 4])),
    case("amax", "single number, all", lambda m, x: m.amax(x), spread()),
    case("amax", "no axis means all", lambda m, x: m.amax(x, dim=()), spread(2, 3)),
    case("aminmax", "of all", lambda m, x: m.stack(list(m.aminmax(x))), spread(2, 3)),
    case("aminmax", "last axis", lambda m, x: m.stack(list(m.aminmax(x, dim=-1))), spread(2, 3)),
    case("aminmax", "axis kept", lambda m, x: m.aminmax(x, dim=0, keepdim=True).max, spread(2, 3)),
    case("aminmax", "all kept", lambda m, x: m.aminmax(x, keepdim=True).min, spread(2, 3)),
    case("aminmax", "ties", lambda m, x: m.stack(list(m.aminmax(x))), exactly([1.0, 3, 3, 1]), smooth=False),
    case("max", "nan", lambda m, x: m.max(x, dim=0)[0], exactly([1.0, NAN, 3, NAN]), smooth=False),
    case("max", "nans of all share", lambda m, x: m.max(x), exactly([1.0, NAN, 3, NAN]), smooth=False),
    case("max", "indices with nan", lambda m, x: m.max(x, dim=0)[1], exactly([1.0, NAN, 3, NAN]), smooth=False),
    case("max", "indices of a single number", lambda m, x: m.max(x, dim=0).indices, spread(), smooth=False),
    case("max", "indices: integers", lambda m, x: m.max(x, dim=0).values, indices([3, 1], [2, 4])),
    case("max", "of two, by name", lambda m, x, y: m.max(x, other=1.1 * y), spread(2, 3), spread(3)),
    *over_all("min", lambda m, x: m.min(x), spread),
    *reduction("min", lambda m, x, **axes: m.min(x, **axes).values, spread),
    *of_a_number("min", lambda m, x, **axes: m.min(x, **axes).values, spread),
    case("min", "ties of all share", lambda m, x: m.min(x), exactly([[1.0, 3], [1, 2]]), smooth=False),
    case("min", "the first of ties", lambda m, x: m.min(x, dim=1)[0], exactly([[3.0, 1, 1], [2, 2, 2]]), smooth=False),
    case("min", "indices", lambda m, x: m.min(x, dim=1)[1], spread(3, 4), smooth=False),
    case("min", "indices kept", lambda m, x: m.min(x, 0, True).indices, spread(3, 4), smooth=False),
    case("min", "of two tensors", lambda m, x, y: m.min(x, 1.1 * y), spread(2, 3), spread(3)),
    *over_all("median", lambda m, x: m.median(x), spread),
    *reduction("median", lambda m, x, **axes: m.median(x, **axes).values, spread),
    *of_a_number("median", lambda m, x, **axes: m.median(x, **axes).values, spread),
    size_1("median", lambda m, x, **axes: m.median(x, **axes).values, spread),
    case("median", "single number, all", lambda m, x: m.median(x), spread()),
    case("median", "ties of all share", lambda m, x: m.median(x), exactly([1.0, 3, 3, 5]), smooth=False),
    case("median", "nans of all share", lambda m, x: m.median(x), exactly([1.0, NAN, 3, NAN]), smooth=False),
    case("median", "nan", lambda m, x: m.median(x, dim=0)[0], exactly([1.0, NAN, 3, NAN]), smooth=False),
    case("median", "indices", lambda m, x: m.median(x, dim=1).indices, spread(3, 4), smooth=False),
    *[
        case("quantile", f"{way}", lambda m, x, way=way: m.quantile(x, 0.3, interpolation=way), spread(2, 3))
        for way in ("linear", "lower", "higher", "midpoint", "nearest")
    ],
    case("quantile", "one axis", lambda m, x: m.quantile(x, 0.6, 1), spread(2, 3, 2)),
    case("quantile", "one axis, kept", lambda m, x: m.quantile(x, 0.6, -1, True), spread(2, 3)),
    case(
        "quantile", "several", lambda m, x, q: m.quantile(x, q, 0), spread(3, 2), exactly([0.0, 0.2, 1.0]), fixed=(1,)
    ),
    case(
        "quantile",
        "several, kept",
        lambda m, x, q: m.quantile(x, q, keepdim=True),
        spread(3, 2),
        exactly([0.7]),
        fixed=(1,),
    ),
    case("quantile", "nan", lambda m, x: m.quantile(x, 0.5, 1), exactly([[1, NAN, 2.0], [3, 1, 2]]), fixed=(0,)),
    case("median", "indices with nan", lambda m, x: m.median(x, 0).indices, exactly([3.0, 1, NAN]), smooth=False),
    case("median", "indices: integers", lambda m, x: m.median(x, dim=0).values, indices([3, 1], [2, 4], [7, 0])),
    case("logsumexp", "all minus infinity", lambda m, x: m.logsumexp(x, 0), exactly([-INF, -INF]), smooth=False),
    case("logsumexp", "with nan", lambda m, x: m.logsumexp(x, 0), exactly([NAN, 1.0]), smooth=False),
    *[
        each
        for p in (2, 1, 3, 0.5, -1, 2.5, INF, -INF, "fro")
        for each in (
            case("norm", f"p {p}", lambda m, x, p=p: m.norm(x, p), spread(2, 3)),
            case("norm", f"p {p}, last axis", lambda m, x, p=p: m.norm(x, p, dim=-1), spread(2, 3)),
            case("norm", f"p {p}, zeros", lambda m, x, p=p: m.norm(x, p, 1, True), exactly(HALF_ZERO), smooth=False),
        )
    ],
    *over_several("norm", lambda m, x, **axes: m.norm(x, **axes), positive),
    *of_a_number("norm", lambda m, x, **axes: m.norm(x, **axes), positive),
    case("norm", "p 0", lambda m, x: m.norm(x, 0, dim=1), exactly(ZEROS), smooth=False),
    case("norm", "by default", lambda m, x: m.norm(x), positive(2, 3)),
    case("norm", "no p", lambda m, x: m.norm(x, None), positive(2, 3)),
    case("norm", "three axes, p 3", lambda m, x: m.norm(x, p=3, dim=(0, 1, 2)), positive(2, 3, 2)),
    case("norm", "along size 0", lambda m, x: m.norm(x, dim=0), signed(0, 3)),
    case("norm", "ties of inf share", lambda m, x: m.norm(x, INF), exactly([1.0, -3, 3]), smooth=False),
    case("norm", "infinity", lambda m, x: m.norm(x), exactly([1.0, INF]), smooth=False),
    *[
        each
        for op in ("all", "any")
        for each in (
            case(op, "indices: of all", lambda m, x, op=op: 1 * getattr(m, op)(x), TRUTHS),
            case(op, "indices: one axis", lambda m, x, op=op: 1 * getattr(m, op)(x, dim=1), TRUTHS),
            case(op, "indices: kept", lambda m, x, op=op: 1 * getattr(m, op)(x, -1, True), TRUTHS),
            case(op, "indices: two axes", lambda m, x, op=op: 1 * getattr(m, op)(x, dim=(0, 1)), TRUTHS),
            case(op, "indices: no axis", lambda m, x, op=op: 1 * getattr(m, op)(x, dim=()), TRUTHS),
            case(op, "indices: of nothing", lambda m, x, op=op: 1 * getattr(m, op)(x, dim=0), signed(0, 3)),
            case(op, "indices: of floats", lambda m, x, op=op: 1 * getattr(m, op)(x, dim=0), exactly(NANS)),
        )
    ],
    case("count_nonzero", "indices: of all", lambda m, x: m.count_nonzero(x), exactly(ZEROS)),
    case("count_nonzero", "indices: one axis", lambda m, x: m.count_nonzero(x, dim=-1), exactly(ZEROS)),
    case("count_nonzero", "indices: two axes", lambda m, x: m.count_nonzero(x, (0, 1)), exactly(ZEROS)),
    case("count_nonzero", "indices: of bools", lambda m, x: m.count_nonzero(x, 0), TRUTHS),
    case("count_nonzero", "indices: with nan", lambda m, x: m.count_nonzero(x, 1), exactly(NANS)),
]

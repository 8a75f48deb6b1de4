"""Cases of sorting, counting and the place of the largest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from op_table.case import Case, case, exactly, index, indices, mask, signed, spread

NAN = float("nan")
TIES = [[3.0, 1, 3, 2, 1], [2, 2, 2, 2, 2]]
WITH_NAN = [3.0, NAN, 1, NAN, 3, 1]
SEQUENCE = exactly([1.0, 3.0, 5.0])


def extreme_place(op: str, call: Callable[..., Any]) -> list[Case]:
    return [
        case(op, "indices: of all", lambda m, x: call(m, x), spread(3, 4)),
        case(op, "indices: first axis", lambda m, x: call(m, x, dim=0), spread(3, 4)),
        case(op, "indices: last axis, kept", lambda m, x: call(m, x, -1, True), spread(3, 4)),
        case(op, "indices: of all, kept", lambda m, x: call(m, x, keepdim=True), spread(3, 4)),
        case(op, "indices: of a number", lambda m, x: call(m, x), spread()),
        case(op, "indices: of a number, axis kept", lambda m, x: call(m, x, 0, True), spread()),
        case(op, "indices: the first of ties", lambda m, x: call(m, x, dim=1), exactly(TIES)),
        case(op, "indices: with nan", lambda m, x: call(m, x), exactly(WITH_NAN)),
        case(op, "indices: of integers", lambda m, x: call(m, x), indices(3, 1, 7, 0)),
        case(op, "indices: size 0 beside the axis", lambda m, x: call(m, x, dim=1), signed(0, 3)),
    ]


CASES = [
    case("sort", "vector", lambda m, x: m.sort(x).values, spread(5)),
    case("sort", "first axis", lambda m, x: m.sort(x, dim=0)[0], spread(3, 2)),
    case("sort", "middle axis, downwards", lambda m, x: m.sort(x, 1, True).values, spread(2, 3, 2)),
    case("sort", "last axis, downwards", lambda m, x: m.sort(x, descending=True).values, spread(2, 4)),
    case("sort", "single number", lambda m, x: m.sort(x).values, spread()),
    case("sort", "along size 0", lambda m, x: m.sort(x, dim=0).values, signed(0, 3)),
    case("sort", "ties keep their order", lambda m, x: m.sort(x, stable=True).values, exactly(TIES), smooth=False),
    case(
        "sort",
        "ties keep their order downwards",
        lambda m, x: m.sort(x, descending=True, stable=True).values,
        exactly(TIES),
        smooth=False,
    ),
    case("sort", "nan last", lambda m, x: m.sort(x, stable=True).values, exactly(WITH_NAN), smooth=False),
    case(
        "sort",
        "nan first downwards",
        lambda m, x: m.sort(x, stable=True, descending=True).values,
        exactly(WITH_NAN),
        smooth=False,
    ),
    case("sort", "indices", lambda m, x: m.sort(x, dim=0).indices, spread(3, 4), smooth=False),
    case("sort", "indices of ties", lambda m, x: m.sort(x, stable=True).indices, exactly(TIES), smooth=False),
    case("sort", "indices of a number", lambda m, x: m.sort(x)[1], spread(), smooth=False),
    case("sort", "indices: integers", lambda m, x: m.sort(x, descending=True).values, indices([3, 1, 2], [0, 5, 4])),
    case("sort", "indices: bools", lambda m, x: 1 * m.sort(x).values, mask(True, False, True)),
    case("argsort", "indices: vector", lambda m, x: m.argsort(x), spread(5)),
    case("argsort", "indices: first axis", lambda m, x: m.argsort(x, dim=0), spread(3, 4)),
    case("argsort", "indices: downwards", lambda m, x: m.argsort(x, -1, True), spread(3, 4)),
    case("argsort", "indices: ties", lambda m, x: m.argsort(x, stable=True), exactly(TIES)),
    case("argsort", "indices: ties downwards", lambda m, x: m.argsort(x, descending=True, stable=True), exactly(TIES)),
    case("argsort", "indices: nan", lambda m, x: m.argsort(x, stable=True), exactly(WITH_NAN)),
    case("argsort", "indices: single number", lambda m, x: m.argsort(x), spread()),
    case("topk", "vector", lambda m, x: m.topk(x, 3).values, spread(6)),
    case("topk", "first axis", lambda m, x: m.topk(x, 2, 0).values, spread(4, 2)),
    case("topk", "the smallest, middle axis", lambda m, x: m.topk(x, 2, dim=1, largest=False)[0], spread(2, 4, 2)),
    case("topk", "all", lambda m, x: m.topk(x, 4).values, spread(2, 4)),
    case("topk", "none", lambda m, x: m.topk(x, 0).values, spread(2, 4)),
    case("topk", "one", lambda m, x: m.topk(x, 1).values, spread(2, 4)),
    case("topk", "single number", lambda m, x: m.topk(x, 1).values, spread()),
    case("topk", "nan is the largest", lambda m, x: m.topk(x, 2).values, exactly([1.0, NAN, 3, 2]), smooth=False),
    case(
        "topk",
        "the smallest are no nans",
        lambda m, x: m.topk(x, 2, largest=False).values,
        exactly([4.0, NAN, 3, 2]),
        smooth=False,
    ),
    case("topk", "indices", lambda m, x: m.topk(x, 2).indices, spread(3, 4), smooth=False),
    case(
        "topk", "indices: the smallest", lambda m, x: m.topk(x, 3, 0, False, True).indices, spread(4, 2), smooth=False
    ),
    case("topk", "indices: unsorted", lambda m, x: m.sort(m.topk(x, 3, sorted=False).indices).values, spread(6)),
    *extreme_place("argmax", lambda m, x, *axes, **named: m.argmax(x, *axes, **named)),
    *extreme_place("argmin", lambda m, x, *axes, **named: m.argmin(x, *axes, **named)),
    case("unique", "indices: integers", lambda m, x: m.unique(x), indices(3, 1, 1, 2)),
    case("unique", "indices: of two axes", lambda m, x: m.unique(x), indices([3, 1], [1, 2])),
    case("unique", "indices: inverse", lambda m, x: m.unique(x, return_inverse=True)[1], indices([3, 1], [1, 2])),
    case("unique", "indices: counts", lambda m, x: m.unique(x, return_counts=True)[1], indices(3, 1, 1, 2)),
    case("unique", "indices: all three", lambda m, x: m.cat(m.unique(x, True, True, True)), indices(3, 1, 1, 2)),
    case("unique", "indices: rows", lambda m, x: m.unique(x, dim=0), indices([3, 1], [1, 2], [3, 1])),
    case(
        "unique",
        "indices: inverse of columns",
        lambda m, x: m.unique(x, return_inverse=True, dim=-1)[1],
        indices([3, 1, 3], [1, 2, 1]),
    ),
    case(
        "unique",
        "indices: counts of rows",
        lambda m, x: m.unique(x, return_inverse=True, return_counts=True, dim=0)[2],
        indices([3, 1], [1, 2], [3, 1]),
    ),
    case("unique", "indices: single number", lambda m, x: m.unique(x), index(3)),
    case("unique", "floats", lambda m, x: m.unique(x), exactly([3.0, 1, 1, 2]), fixed=(0,)),
    case("unique", "no nan equals another", lambda m, x: m.unique(x), exactly(WITH_NAN), fixed=(0,)),
    case(
        "searchsorted", "indices: before", lambda m, s, x: m.searchsorted(s, x), SEQUENCE, exactly([[3.0, 9], [-1, 5]])
    ),
    case(
        "searchsorted",
        "indices: after",
        lambda m, s, x: m.searchsorted(s, x, right=True),
        SEQUENCE,
        exactly([3.0, 9, 5]),
    ),
    case(
        "searchsorted",
        "indices: by side",
        lambda m, s, x: m.searchsorted(s, x, side="right"),
        SEQUENCE,
        exactly([3.0, 1]),
    ),
    case(
        "searchsorted",
        "indices: empty sequences",
        lambda m, s, x: m.searchsorted(s, x),
        exactly(np.zeros((2, 0))),
        exactly([[1.0], [2]]),
    ),
    case(
        "searchsorted",
        "indices: nothing to find",
        lambda m, s, x: m.searchsorted(s, x),
        exactly(np.zeros((0, 0))),
        exactly(np.zeros((0, 0))),
    ),
    case("searchsorted", "indices: single number", lambda m, s, x: m.searchsorted(s, x), SEQUENCE, exactly(4.0)),
    case("searchsorted", "indices: Python number", lambda m, s: m.searchsorted(s, 4), SEQUENCE),
    case(
        "searchsorted",
        "indices: row for row",
        lambda m, s, x: m.searchsorted(s, x),
        exactly([[1.0, 3, 5], [2, 4, 6]]),
        exactly([[3.0, 6], [3, 6]]),
    ),
    case(
        "searchsorted",
        "indices: sorter",
        lambda m, s, x, i: m.searchsorted(s, x, sorter=i),
        exactly([5.0, 1, 3]),
        exactly([3.0, 4]),
        indices(1, 2, 0),
    ),
    case("bincount", "indices: counts", lambda m, x: m.bincount(x), indices(1, 1, 3)),
    case("bincount", "indices: minlength", lambda m, x: m.bincount(x, minlength=6), indices(1, 1, 3)),
    case("bincount", "indices: of nothing", lambda m, x: m.bincount(x, minlength=2), exactly([], "int64")),
    case(
        "bincount", "weighed", lambda m, x, w: m.bincount(x, w), indices(1, 1, 3), exactly([0.5, 0.25, 1.0]), fixed=(1,)
    ),
]

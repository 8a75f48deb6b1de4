"""Cases of indexing, gathering and scattering."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

from op_table.case import Case, case, exactly, index, indices, mask, signed


def assigned(m: Any, x: Any, at: Any, value: Any) -> Any:
    """x with `value` at `at`: an operation here, a copy that is written to in PyTorch."""
    if m.__name__ != "torch":
        return importlib.import_module("minitorch.ops.index").setitem(x, at, value)
    out = x.clone()
    out[at] = value
    return out


def reduced(m: Any, x: Any, at: Any, src: Any, how: str) -> Any:
    """scatter with reduce, of which PyTorch warns that it prefers another function."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return m.scatter(x, 0, at, src, reduce=how)


def int32(*values: int) -> Any:
    return exactly(values, np.int32)


READING: list[Case] = [
    case("getitem", "Ellipsis alone", lambda m, x: x[...], signed(2, 3)),
    case("getitem", "of a single number", lambda m, x: x[...], signed()),
    case("getitem", "new axes of a single number", lambda m, x: x[None, ..., None], signed()),
    case("getitem", "range", lambda m, x: x[range(1, 3)], signed(4, 2)),
    case("getitem", "list of bools", lambda m, x: x[[True, False, True]], signed(3, 2)),
    case("getitem", "empty list", lambda m, x: x[[]], signed(3, 2)),
    case("getitem", "empty list and slice", lambda m, x: x[:, []], signed(3, 2)),
    case("getitem", "nested list in a tuple", lambda m, x: x[[[0, 1], [2, 2]],], signed(3, 2)),
    case("getitem", "lists for two axes", lambda m, x: x[[0, 2, 2], [1, 0, 0]], signed(3, 2)),
    case("getitem", "negative slice bounds", lambda m, x: x[-3:-1], signed(4)),
    case("getitem", "slices beyond the end", lambda m, x: x[1:9, 5:], signed(4, 2)),
    case("getitem", "integer before a list", lambda m, x: x[1, [0, 2, 0]], signed(2, 3)),
    case("getitem", "integer and list around a slice", lambda m, x: x[0, :, [1, 1, 2]], signed(2, 2, 3)),
    case("getitem", "list and integer around a slice", lambda m, x: x[[1, 0, 1], :, -1], signed(2, 2, 3)),
    case("getitem", "integer between slices and a list", lambda m, x: x[:, 1, :, [1, 0]], signed(2, 2, 2, 2)),
    case("getitem", "integer, None, Ellipsis and list", lambda m, x: x[None, 1, ..., [1, 0, 1]], signed(2, 2, 2)),
    case("getitem", "integer and a mask", lambda m, x, at: x[1, :, at], signed(2, 2, 3), mask(True, False, True)),
    case("getitem", "integer tensor and a list", lambda m, x, i: x[i, :, [0, 0]], signed(2, 2, 3), index(1)),
    case("getitem", "list and new axis", lambda m, x: x[..., [0, 1, 1], None], signed(2, 3)),
    case("getitem", "new axis between lists", lambda m, x: x[[0, 1, 1], None, [1, 2, 2]], signed(2, 3)),
    case("getitem", "Ellipsis between lists", lambda m, x: x[[0, 1, 1], ..., [1, 0, 0]], signed(2, 2, 2)),
    case("getitem", "mask and slice", lambda m, x, at: x[at, 1:], signed(3, 3), mask(True, False, True)),
    case("getitem", "slice and mask", lambda m, x, at: x[1:, at], signed(3, 3), mask(True, False, True)),
    case("getitem", "mask and index array", lambda m, x, at: x[at, [1, 1]], signed(3, 2), mask(True, False, True)),
    case("getitem", "mask of two axes of three", lambda m, x: x[[[True, False], [True, True]],], signed(2, 2, 2)),
    case(
        "getitem",
        "mask of the last two axes",
        lambda m, x, at: x[..., at],
        signed(2, 2, 2),
        mask([True, False], [True, True]),
    ),
    case("getitem", "mask of a single number", lambda m, x, at: x[at], signed(), exactly(True, np.bool_)),
    case("getitem", "True adds an axis", lambda m, x: x[True], signed(2)),
    case("getitem", "False takes nothing", lambda m, x: x[False], signed(2)),
    case("getitem", "index tensor of int32", lambda m, x, i: x[i], signed(3), int32(0, 2, 2)),
    case("getitem", "matrix of rows", lambda m, x, i: x[i], signed(3, 2), indices([0, 0], [2, -3])),
    case("getitem", "index array for the middle axis", lambda m, x, i: x[:, i], signed(2, 3, 2), indices(2, 0, 2)),
    case("getitem", "matrix for the last axis", lambda m, x, i: x[..., i], signed(2, 3), indices([0, 0], [2, 1])),
    case("getitem", "rows of size 0", lambda m, x, i: x[i], signed(3, 0), indices(0, 2)),
    case("getitem", "indices: of integers", lambda m, x: x[1:], indices(3, 4, 5)),
    case(
        "masked_select",
        "same shape",
        lambda m, x, at: m.masked_select(x, at),
        signed(2, 2),
        mask([True, False], [True, True]),
    ),
    case("masked_select", "a row mask", lambda m, x, at: m.masked_select(x, at), signed(2, 3), mask(True, False, True)),
    case(
        "masked_select", "a column mask", lambda m, x, at: m.masked_select(x, at), signed(2, 3), mask([True], [False])
    ),
    case(
        "masked_select",
        "input broadcasts",
        lambda m, x, at: m.masked_select(x, at),
        signed(3),
        mask([True] * 3, [False, True, True]),
    ),
    case("masked_select", "nothing", lambda m, x, at: m.masked_select(x, at), signed(2), mask(False, False)),
    case("masked_select", "single numbers", lambda m, x, at: m.masked_select(x, at), signed(), exactly(True, np.bool_)),
    case("masked_select", "size 0", lambda m, x, at: m.masked_select(x, at), signed(0), mask()),
    case("masked_select", "method", lambda m, x: x.masked_select(x > 0), signed(5)),
    case("take", "matrix", lambda m, x, i: m.take(x, i), signed(2, 3), indices([0, 5], [5, -1])),
    case("take", "one place", lambda m, x, i: m.take(x, i), signed(2, 3), index(4)),
    case("take", "single number", lambda m, x, i: m.take(x, i), signed(), indices(0, 0)),
    case("take", "nothing", lambda m, x, i: m.take(x, i), signed(0), indices()),
    case("gather", "rows", lambda m, x, i: m.gather(x, 1, i), signed(2, 3), indices([0, 2, 2, 2], [1, 1, 0, 0])),
    case("gather", "columns", lambda m, x, i: m.gather(x, 0, i), signed(3, 2), indices([0, 2], [2, 2])),
    case("gather", "one element of each row", lambda m, x, i: m.gather(x, -1, i), signed(3, 4), indices([0], [3], [1])),
    case(
        "gather",
        "smaller index",
        lambda m, x, i: m.gather(x, 1, i),
        signed(3, 2, 2),
        indices([[1], [0], [1]], [[0], [0], [0]]),
    ),
    case("gather", "vector", lambda m, x, i: m.gather(x, 0, i), signed(3), indices(2, 2, 0, 2)),
    case("gather", "single number", lambda m, x, i: m.gather(x, 0, i), signed(), index(0)),
    case("gather", "single number with a vector", lambda m, x, i: m.gather(x, -1, i), signed(), indices(0, 0)),
    case("gather", "vector with a single index", lambda m, x, i: m.gather(x, 0, i), signed(3), index(1)),
    case("gather", "no index", lambda m, x, i: m.gather(x, 1, i), signed(2, 3), exactly(np.zeros((2, 0)), np.int64)),
    case("gather", "by int32", lambda m, x, i: m.gather(x, 0, i), signed(3), int32(2, 0, 2)),
    case("gather", "indices: of integers", lambda m, x, i: m.gather(x, 0, i), indices(3, 4, 5), indices(2, 0, 2)),
    case("gather", "by names", lambda m, x, i: x.gather(dim=1, index=i), signed(2, 2), indices([0, 0], [1, 0])),
    case(
        "take_along_dim",
        "same axes",
        lambda m, x, i: m.take_along_dim(x, i, 1),
        signed(2, 3),
        indices([0, 2, 2], [1, 1, 0]),
    ),
    case(
        "take_along_dim",
        "the other axes of the index broadcast",
        lambda m, x, i: m.take_along_dim(x, i, dim=0),
        signed(3, 2),
        indices([2], [2], [0], [0]),
    ),
    case(
        "take_along_dim",
        "input broadcasts",
        lambda m, x, i: m.take_along_dim(x, i, -1),
        signed(1, 3),
        indices([0], [2]),
    ),
    case("take_along_dim", "from the end", lambda m, x, i: m.take_along_dim(x, i, 0), signed(3), indices(-1, -3, 0)),
    case("take_along_dim", "flat", lambda m, x, i: m.take_along_dim(x, i), signed(2, 3), indices([0, 5], [5, 1])),
    case("take_along_dim", "argmax", lambda m, x: m.take_along_dim(x, m.argmax(x, 1, keepdim=True), 1), signed(2, 3)),
    case("take_along_dim", "nothing", lambda m, x, i: m.take_along_dim(x, i, 0), signed(3), indices()),
    case("index_select", "rows", lambda m, x, i: m.index_select(x, 0, i), signed(3, 2), indices(2, 0, 2)),
    case("index_select", "columns", lambda m, x, i: m.index_select(x, -1, i), signed(3, 2), indices(1, 1, 0)),
    case("index_select", "middle axis", lambda m, x, i: m.index_select(x, 1, i), signed(2, 3, 2), indices(2, 0)),
    case("index_select", "one index", lambda m, x, i: m.index_select(x, 0, i), signed(3, 2), index(1)),
    case("index_select", "single number", lambda m, x, i: m.index_select(x, 0, i), signed(), indices(0)),
    case("index_select", "nothing", lambda m, x, i: m.index_select(x, 0, i), signed(3, 2), indices()),
    case("index_select", "method", lambda m, x, i: x.index_select(dim=1, index=i), signed(2, 3), indices(0, 0)),
    case("nonzero", "indices of a matrix", lambda m, x: m.nonzero(x > 0), signed(2, 3)),
    case("nonzero", "indices of floats", lambda m, x: m.nonzero(x), exactly([0.0, 2.0, -0.0, float("nan")])),
    case("nonzero", "indices of a single number", lambda m, x: m.nonzero(x), index(3)),
    case("nonzero", "indices of a single zero", lambda m, x: m.nonzero(x), index(0)),
    case("nonzero", "indices as a tuple", lambda m, x: m.nonzero(x > 0, as_tuple=True)[1], signed(2, 3)),
    case("nonzero", "indices of a single number as a tuple", lambda m, x: m.nonzero(x, as_tuple=True)[0], index(3)),
    case("nonzero", "indices of size 0", lambda m, x: m.nonzero(x), exactly(np.zeros((0, 2)))),
    case("argwhere", "indices of a matrix", lambda m, x: m.argwhere(x > 0), signed(2, 3)),
    case("argwhere", "indices of a single number", lambda m, x: m.argwhere(x), index(3)),
]

# PyTorch has no gradient for a src that is larger than the index, nor for scatter with reduce: those are fixed.
WRITING: list[Case] = [
    case("setitem", "number at an integer", lambda m, x: assigned(m, x, 1, 2.5), signed(3, 2)),
    case("setitem", "tensor at an integer", lambda m, x, v: assigned(m, x, -1, v), signed(3, 2), signed(2)),
    case("setitem", "slice", lambda m, x, v: assigned(m, x, slice(1, None), v), signed(3, 2), signed(2, 2)),
    case("setitem", "value broadcasts", lambda m, x, v: assigned(m, x, slice(1, None), v), signed(3, 2), signed(2)),
    case("setitem", "single-number value", lambda m, x, v: assigned(m, x, (slice(None), 0), v), signed(3, 2), signed()),
    case("setitem", "value with an axis more", lambda m, x, v: assigned(m, x, 0, v), signed(3, 2), signed(1, 1, 2)),
    case("setitem", "value with an axis at one element", lambda m, x, v: assigned(m, x, 1, v), signed(3), signed(1)),
    case("setitem", "index array", lambda m, x, i, v: assigned(m, x, i, v), signed(4), indices(3, 0, -2), signed(3)),
    case(
        "setitem",
        "two index arrays",
        lambda m, x, i, v: assigned(m, x, (i, i), v),
        signed(3, 3),
        indices(2, 0),
        signed(),
    ),
    case("setitem", "mask", lambda m, x, at, v: assigned(m, x, at, v), signed(3), mask(True, False, True), signed(2)),
    case(
        "setitem", "number at a mask", lambda m, x, at: assigned(m, x, at, 0.0), signed(3, 2), mask(True, False, True)
    ),
    case(
        "setitem",
        "integer and list around a slice",
        lambda m, x, v: assigned(m, x, (0, slice(None), [2, 1]), v),
        signed(2, 2, 3),
        signed(2, 2),
    ),
    case("setitem", "everything", lambda m, x, v: assigned(m, x, ..., v), signed(2, 2), signed(2, 2)),
    case("setitem", "single number", lambda m, x, v: assigned(m, x, (), v), signed(), signed()),
    case("setitem", "empty slice", lambda m, x, v: assigned(m, x, slice(0, 0), v), signed(2), signed()),
    case("setitem", "indices: float into integers", lambda m, x: assigned(m, x, 0, 1.7), indices(3, 4)),
    case(
        "scatter", "rows", lambda m, x, i, s: m.scatter(x, 1, i, s), signed(2, 3), indices([0, 2], [1, 0]), signed(2, 2)
    ),
    case("scatter", "columns", lambda m, x, i, s: m.scatter(x, 0, i, s), signed(3, 2), indices([0, 2]), signed(1, 2)),
    case(
        "scatter",
        "larger src",
        lambda m, x, i, s: m.scatter(x, 1, i, s),
        signed(2, 3),
        indices([2, 0]),
        signed(2, 3),
        fixed=(2,),
    ),
    case("scatter", "number", lambda m, x, i: m.scatter(x, 1, i, 1.5), signed(2, 3), indices([2, 0], [1, 1])),
    case("scatter", "value by name", lambda m, x, i: m.scatter(x, -1, i, value=2), signed(2, 3), indices([2, 0])),
    case(
        "scatter",
        "src by name",
        lambda m, x, i, s: x.scatter(dim=0, index=i, src=s),
        signed(3),
        indices(2, 0),
        signed(2),
    ),
    case("scatter", "single numbers", lambda m, x, i, s: m.scatter(x, 0, i, s), signed(), index(0), signed()),
    case("scatter", "nothing", lambda m, x, i, s: m.scatter(x, 0, i, s), signed(3), indices(), signed(0)),
    case(
        "scatter",
        "indices: float number into integers",
        lambda m, x, i: m.scatter(x, 0, i, 1.7),
        indices(3, 4),
        indices(1),
    ),
    case(
        "scatter",
        "reduce add",
        lambda m, x, i, s: reduced(m, x, i, s, "add"),
        exactly([1.0, 2.0]),
        indices(1, 1),
        exactly([3.0, 4.0]),
        fixed=(0, 2),
    ),
    case(
        "scatter",
        "reduce multiply",
        lambda m, x, i, s: reduced(m, x, i, s, "multiply"),
        exactly([1.0, 2.0]),
        indices(1, 1),
        exactly([3.0, 4.0]),
        fixed=(0, 2),
    ),
    case(
        "scatter",
        "reduce add of a number",
        lambda m, x, i: m.scatter(x, 0, i, 2.0, reduce="add"),
        exactly([1.0, 2.0]),
        indices(1, 1),
        fixed=(0,),
    ),
    case(
        "scatter",
        "reduce multiply by a number",
        lambda m, x, i: m.scatter(x, 0, i, 3.0, reduce="multiply"),
        exactly([1.0, 2.0]),
        indices(1, 1),
        fixed=(0,),
    ),
    case(
        "scatter_add",
        "rows with repeats",
        lambda m, x, i, s: m.scatter_add(x, 1, i, s),
        signed(2, 3),
        indices([0, 0, 2], [1, 1, 1]),
        signed(2, 3),
    ),
    case(
        "scatter_add",
        "columns",
        lambda m, x, i, s: m.scatter_add(x, -2, i, s),
        signed(3, 2),
        indices([0, 2], [0, 0]),
        signed(2, 2),
    ),
    case(
        "scatter_add",
        "larger src",
        lambda m, x, i, s: m.scatter_add(x, 0, i, s),
        signed(3, 2),
        indices([0], [2]),
        signed(3, 2),
        fixed=(2,),
    ),
    case("scatter_add", "single numbers", lambda m, x, i, s: m.scatter_add(x, 0, i, s), signed(), index(0), signed()),
    case("scatter_add", "nothing", lambda m, x, i, s: m.scatter_add(x, 0, i, s), signed(3), indices(), signed(0)),
    case(
        "scatter_add",
        "indices: integers",
        lambda m, x, i, s: m.scatter_add(x, 0, i, s),
        indices(3, 4),
        indices(1, 1),
        indices(5, 6),
    ),
    case(
        "index_add",
        "rows with repeats",
        lambda m, x, i, s: m.index_add(x, 0, i, s),
        signed(3, 2),
        indices(2, 2, 0),
        signed(3, 2),
    ),
    case(
        "index_add",
        "columns and alpha",
        lambda m, x, i, s: m.index_add(x, -1, i, s, alpha=0.5),
        signed(2, 3),
        indices(2, 2),
        signed(2, 2),
    ),
    case(
        "index_add", "vector", lambda m, x, i, s: m.index_add(x, 0, i, s, alpha=-2), signed(3), indices(0, 0), signed(2)
    ),
    case("index_add", "single numbers", lambda m, x, i, s: m.index_add(x, 0, i, s), signed(), index(0), signed()),
    case("index_add", "nothing", lambda m, x, i, s: m.index_add(x, 0, i, s), signed(3), indices(), signed(0)),
    case(
        "index_add",
        "indices: integers",
        lambda m, x, i, s: m.index_add(x, 0, i, s, alpha=2),
        indices(3, 4),
        indices(1, 1),
        indices(5, 6),
    ),
    case("index_copy", "rows", lambda m, x, i, s: m.index_copy(x, 0, i, s), signed(3, 2), indices(2, 0), signed(2, 2)),
    case(
        "index_copy", "columns", lambda m, x, i, s: m.index_copy(x, 1, i, s), signed(2, 3), indices(2, 0), signed(2, 2)
    ),
    case("index_copy", "single numbers", lambda m, x, i, s: m.index_copy(x, 0, i, s), signed(), index(0), signed()),
    case(
        "index_copy",
        "one number into a vector",
        lambda m, x, i, s: m.index_copy(x, 0, i, s),
        signed(3),
        indices(1),
        signed(),
    ),
    case("index_fill", "rows", lambda m, x, i: m.index_fill(x, 0, i, 1.5), signed(3, 2), indices(2, 2, 0)),
    case("index_fill", "columns from the end", lambda m, x, i: m.index_fill(x, 1, i, -1), signed(2, 3), indices(-1, 0)),
    case("index_fill", "tensor", lambda m, x, i, v: m.index_fill(x, 0, i, v), signed(3, 2), indices(2, 0), signed()),
    case("index_fill", "single number", lambda m, x, i: m.index_fill(x, 0, i, 3.0), signed(), index(0)),
    case(
        "index_fill",
        "indices: float into integers",
        lambda m, x, i: m.index_fill(x, 0, i, 1.7),
        indices(3, 4),
        indices(0),
    ),
    case("index_put", "rows", lambda m, x, i, v: m.index_put(x, (i,), v), signed(3, 2), indices(2, 0), signed(2, 2)),
    case(
        "index_put",
        "single elements",
        lambda m, x, i, j, v: m.index_put(x, (i, j), v),
        signed(3, 2),
        indices(2, 0),
        indices(1, -1),
        signed(2),
    ),
    case(
        "index_put",
        "value broadcasts",
        lambda m, x, i, v: m.index_put(x, (i,), v),
        signed(3, 2),
        indices(2, 0),
        signed(),
    ),
    case(
        "index_put",
        "mask",
        lambda m, x, at, v: m.index_put(x, (at,), v),
        signed(2, 2),
        mask([True, False], [True, True]),
        signed(3),
    ),
    case(
        "index_put",
        "accumulate",
        lambda m, x, i, v: m.index_put(x, (i,), v, accumulate=True),
        signed(3, 2),
        indices(2, 2, -1),
        signed(3, 2),
    ),
    case(
        "index_put",
        "accumulate a row",
        lambda m, x, i, v: m.index_put(x, (i,), v, True),
        signed(3, 2),
        indices(2, 2),
        signed(2),
    ),
    case(
        "index_put",
        "accumulate single elements",
        lambda m, x, i, j, v: m.index_put(x, (i, j), v, True),
        signed(3, 2),
        indices([2], [0]),
        indices(1, 1),
        signed(),
    ),
    case(
        "index_put",
        "accumulate at a mask",
        lambda m, x, at, v: m.index_put(x, [at], v, True),
        signed(3),
        mask(True, False, True),
        signed(2),
    ),
    case("index_put", "single index", lambda m, x, i, v: x.index_put((i,), v), signed(3, 2), index(1), signed(2)),
]

CASES: list[Case] = READING + WRITING

"""Cases of the products of matrices and vectors: every pair of ranks."""

from __future__ import annotations

from op_table.case import Case, case, exactly, indices, signed


def product(title: str, left: tuple[int, ...], right: tuple[int, ...]) -> Case:
    return case("matmul", title, lambda m, x, y: m.matmul(x, y), signed(*left), signed(*right))


def inner(title: str, left: tuple[int, ...], right: tuple[int, ...]) -> Case:
    return case("inner", title, lambda m, x, y: m.inner(x, y), signed(*left), signed(*right))


def kron(title: str, left: tuple[int, ...], right: tuple[int, ...]) -> Case:
    return case("kron", title, lambda m, x, y: m.kron(x, y), signed(*left), signed(*right))


MATRIX_PAIRS = {
    "matrices": ((2, 3), (3, 4)),
    "row, column": ((1, 3), (3, 1)),
    "no rows": ((0, 3), (3, 2)),
    "nothing to sum": ((2, 0), (0, 3)),
}
BATCH_PAIRS = {
    "batches": ((2, 2, 3), (2, 3, 2)),
    "empty batch": ((0, 2, 3), (0, 3, 2)),
    "nothing to sum": ((2, 2, 0), (2, 0, 3)),
}

CASES = [
    product("vector, vector", (3,), (3,)),
    product("vector, matrix", (3,), (3, 2)),
    product("matrix, vector", (2, 3), (3,)),
    product("matrix, matrix", (2, 3), (3, 4)),
    product("vector, batch", (3,), (4, 3, 2)),
    product("batch, vector", (4, 2, 3), (3,)),
    product("batch, matrix", (4, 2, 3), (3, 5)),
    product("matrix, batch", (2, 3), (4, 3, 5)),
    product("batch, batch", (4, 2, 3), (4, 3, 5)),
    product("batch of one, batch", (1, 2, 3), (4, 3, 5)),
    product("batch, batch of one", (4, 2, 3), (1, 3, 5)),
    product("two batch axes against one", (2, 1, 2, 3), (4, 3, 2)),
    product("two batch axes, vector", (2, 2, 2, 3), (3,)),
    product("vector, two batch axes", (3,), (2, 2, 3, 2)),
    product("two batch axes, matrix", (2, 2, 2, 3), (3, 2)),
    product("size 1 everywhere", (1, 1), (1, 1)),
    product("row, column", (1, 3), (3, 1)),
    product("no rows", (0, 3), (3, 2)),
    product("no columns", (2, 3), (3, 0)),
    product("nothing to sum", (2, 0), (0, 3)),
    product("vectors of nothing", (0,), (0,)),
    product("empty batch", (0, 2, 3), (3, 4)),
    product("batch, nothing to sum", (2, 2, 0), (0, 3)),
    product("batch, no columns", (2, 2, 3), (3, 0)),
    case("matmul", "operator", lambda m, x, y: x @ y, signed(2, 3), signed(3, 2)),
    case("matmul", "a matrix with itself", lambda m, x: x @ x, signed(3, 3)),
    case("matmul", "transposed views", lambda m, x, y: m.matmul(x.mT, y.mT), signed(3, 2), signed(4, 3)),
    case("matmul", "transposed batch, matrix", lambda m, x, y: m.matmul(x.mT, y), signed(2, 3, 2), signed(3, 2)),
    case("matmul", "indices: integers", lambda m, x: m.matmul(x, x), indices([1, 2], [3, 4]), smooth=False),
    case("dot", "indices: integers", lambda m, x: m.dot(x, x), indices(3, -4), smooth=False),
    *[
        case("mm", title, lambda m, x, y: m.mm(x, y), signed(*left), signed(*right))
        for title, (left, right) in MATRIX_PAIRS.items()
    ],
    case("mm", "operands by name", lambda m, x, y: m.mm(input=x, mat2=y), signed(2, 2), signed(2, 1)),
    *[
        case("bmm", title, lambda m, x, y: m.bmm(x, y), signed(*left), signed(*right))
        for title, (left, right) in BATCH_PAIRS.items()
    ],
    case("mv", "matrix, vector", lambda m, x, y: m.mv(x, y), signed(2, 3), signed(3)),
    case("mv", "no rows", lambda m, x, y: m.mv(x, y), signed(0, 3), signed(3)),
    case("mv", "nothing to sum", lambda m, x, y: m.mv(x, y), signed(2, 0), signed(0)),
    case("dot", "vectors", lambda m, x, y: m.dot(x, y), signed(3), signed(3)),
    case("dot", "vectors of nothing", lambda m, x, y: m.dot(x, y), signed(0), signed(0)),
    case("dot", "a vector with itself", lambda m, x: m.dot(x, x), signed(3)),
    inner("vectors", (3,), (3,)),
    inner("vector, matrix", (3,), (2, 3)),
    inner("matrix, vector", (2, 3), (3,)),
    inner("matrices", (2, 3), (4, 3)),
    inner("matrix, three axes", (2, 3), (2, 2, 3)),
    inner("three axes, matrix", (2, 2, 3), (2, 3)),
    inner("single number, matrix", (), (2, 3)),
    inner("matrix, single number", (2, 3), ()),
    inner("single numbers", (), ()),
    inner("nothing to sum", (2, 0), (3, 0)),
    inner("no rows", (0, 3), (2, 3)),
    case("outer", "vectors", lambda m, x, y: m.outer(x, y), signed(2), signed(3)),
    case("outer", "operands by name", lambda m, x, y: m.outer(input=x, vec2=y), signed(1), signed(2)),
    case("outer", "with nothing", lambda m, x, y: m.outer(x, y), signed(2), signed(0)),
    case("outer", "floats and integers", lambda m, x, y: m.outer(x, y), signed(2), indices(3, -1, 2)),
    *[
        case(
            "addmm",
            f"input of shape {shape}",
            lambda m, c, x, y: m.addmm(c, x, y),
            signed(*shape),
            signed(2, 3),
            signed(3, 4),
        )
        for shape in [(2, 4), (4,), (2, 1), (1, 1), ()]
    ],
    case(
        "addmm",
        "beta and alpha",
        lambda m, c, x, y: m.addmm(c, x, y, beta=0.5, alpha=-2.0),
        signed(4),
        signed(2, 3),
        signed(3, 4),
    ),
    case(
        "addmm",
        "beta 0 ignores nan",
        lambda m, c, x, y: m.addmm(c, x, y, beta=0),
        exactly([float("nan")]),
        signed(2, 3),
        signed(3, 4),
        smooth=False,
    ),
    case("addmm", "nothing to sum", lambda m, c, x, y: m.addmm(c, x, y), signed(3), signed(2, 0), signed(0, 3)),
    *[
        case(
            "baddbmm",
            f"input of shape {shape}",
            lambda m, c, x, y: m.baddbmm(c, x, y),
            signed(*shape),
            signed(2, 2, 3),
            signed(2, 3, 2),
        )
        for shape in [(2, 2, 2), (2,), (2, 1, 2), ()]
    ],
    case(
        "baddbmm",
        "beta and alpha",
        lambda m, c, x, y: m.baddbmm(c, x, y, beta=0.5, alpha=-2.0),
        signed(1, 2),
        signed(2, 2, 3),
        signed(2, 3, 2),
    ),
    kron("vectors", (2,), (3,)),
    kron("matrices", (2, 2), (3, 1)),
    kron("vector, matrix", (2,), (2, 3)),
    kron("three axes, matrix", (2, 1, 2), (2, 2)),
    kron("single number, matrix", (), (2, 2)),
    kron("single numbers", (), ()),
    kron("with nothing", (2, 2), (0, 3)),
    case("kron", "floats and integers", lambda m, x, y: m.kron(x, y), signed(2), indices(3, -1)),
    case("trace", "square", lambda m, x: m.trace(x), signed(3, 3)),
    case("trace", "wide", lambda m, x: m.trace(x), signed(2, 3)),
    case("trace", "tall", lambda m, x: m.trace(x), signed(3, 2)),
    case("trace", "of nothing", lambda m, x: m.trace(x), signed(0, 3)),
    case("trace", "of a product", lambda m, x, y: m.trace(x @ y), signed(2, 3), signed(3, 2)),
    case("trace", "indices: integers", lambda m, x: m.trace(x), indices([1, 2], [3, 4]), smooth=False),
]

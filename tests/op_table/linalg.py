"""Cases of the matrix product: every pair of ranks."""

from __future__ import annotations

from op_table.case import Case, case, signed


def product(title: str, left: tuple[int, ...], right: tuple[int, ...]) -> Case:
    return case("matmul", title, lambda m, x, y: m.matmul(x, y), signed(*left), signed(*right))


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
]

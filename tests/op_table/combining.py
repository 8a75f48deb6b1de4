"""Cases of what is put together and taken apart: blocks, combinations, windows, triangles; and of scattering."""

from __future__ import annotations

from op_table.case import case, exactly, indices, mask, signed, spread

CASES = [
    case("block_diag", "three", lambda m, x, y, z: m.block_diag(x, y, z), signed(2, 3), signed(2), signed()),
    case("column_stack", "vectors and a matrix", lambda m, x, y: m.column_stack([x, y]), signed(3), signed(3, 2)),
    case("dstack", "vectors", lambda m, x, y: m.dstack([x, y]), signed(3), signed(3)),
    case("dstack", "three axes", lambda m, x, y: m.dstack([x, y]), signed(2, 3, 1), signed(2, 3, 2)),
    case("cartesian_prod", "two", lambda m, x, y: m.cartesian_prod(x, y), signed(2), signed(3)),
    case("cartesian_prod", "one", lambda m, x: m.cartesian_prod(x), signed(3)),
    case("combinations", "pairs", lambda m, x: m.combinations(x), signed(4)),
    case("combinations", "of three, with repeats", lambda m, x: m.combinations(x, 3, True), signed(3)),
    case("combinations", "size 0", lambda m, x: m.combinations(x), signed(1)),
    case("diagflat", "matrix", lambda m, x: m.diagflat(x, 1), signed(2, 2)),
    case("vander", "decreasing", lambda m, x: m.vander(x.detach()) * x, signed(3), smooth=False),
    case("vander", "increasing", lambda m, x: m.vander(x.detach(), 4, True) * x[:, None], signed(3), smooth=False),
    case("hsplit", "two", lambda m, x: m.hsplit(x, 2)[1], signed(2, 4)),
    case("hsplit", "vector, cuts", lambda m, x: m.hsplit(x, [1, 3])[1], signed(4)),
    case("vsplit", "two", lambda m, x: m.vsplit(x, 2)[1], signed(4, 2)),
    case("dsplit", "cuts", lambda m, x: m.dsplit(x, [1])[1], signed(2, 2, 3)),
    case("unfold", "vector", lambda m, x: x.unfold(0, 3, 1), signed(6)),
    case("unfold", "with gaps", lambda m, x: x.unfold(1, 2, 3), signed(2, 8, 2)),
    case("unfold", "single number", lambda m, x: x.unfold(0, 1, 1), signed()),
    *[case("rot90", f"{k} quarters", lambda m, x, k=k: m.rot90(x, k), signed(2, 3)) for k in (-1, 0, 1, 2)],
    case("rot90", "other axes", lambda m, x: m.rot90(x, 1, [2, 0]), signed(2, 3, 2)),
    case("sum_to_size", "both kinds of axes", lambda m, x: x.sum_to_size(3, 1), signed(2, 3, 4)),
    case("sum_to_size", "nothing to do", lambda m, x: x.sum_to_size(2, 3), signed(2, 3)),
    case("tril_indices", "indices", lambda m: m.tril_indices(3, 4, 1)),
    case("triu_indices", "indices", lambda m: m.triu_indices(3, 4, -1)),
    case("unravel_index", "indices", lambda m, n: m.unravel_index(n, (2, 3, 4))[1], indices(3, 23, 0)),
    case("logspace", "base 10", lambda m, x: m.logspace(-1, 2, 5, dtype=x.dtype, device=x.device) * x, signed()),
    case("logspace", "base 2", lambda m, x: m.logspace(0, 3, 4, base=2, dtype=x.dtype, device=x.device) * x, signed()),
    case("scalar_tensor", "a float", lambda m, x: m.scalar_tensor(2.5, dtype=x.dtype, device=x.device) * x, signed(2)),
    case("scalar_tensor", "an integer", lambda m, x: m.scalar_tensor(2, device=x.device) * x, signed(2)),
    case("broadcast_shapes", "indices", lambda m: m.tensor(list(m.broadcast_shapes((2, 1), (3,), (1, 1, 1))))),
]

# -- into a copy -------------------------------------------------------------------------------------------------------

TWO = exactly([[0, 1, 1, 0], [1, 1, 0, 0]], int)

CASES += [
    *[
        each
        for reduce in ("sum", "prod", "mean", "amax", "amin")
        for each in (
            case(
                "scatter_reduce",
                f"{reduce}, with what was there",
                lambda m, x, i, y, reduce=reduce: m.scatter_reduce(x, 1, i, 1.1 * y, reduce),
                spread(2, 3),
                TWO,
                spread(2, 4),
                twice=reduce not in ("amax", "amin"),
            ),
            case(
                "scatter_reduce",
                f"{reduce}, without",
                lambda m, x, i, y, reduce=reduce: m.scatter_reduce(x, 1, i, 1.1 * y, reduce, include_self=False),
                spread(2, 3),
                TWO,
                spread(2, 4),
                twice=reduce not in ("amax", "amin"),
            ),
        )
    ],
    case(
        "scatter_reduce",
        "products with zeros",
        lambda m, x, i, y: m.scatter_reduce(x, 1, i, y, "prod"),
        exactly([[2.0, 0.0, 1.0], [3.0, 4.0, 1.0]]),
        TWO,
        exactly([[0.0, 2.0, 3.0, 5.0], [1.0, 0.0, 2.0, 7.0]]),
    ),
    case(
        "scatter_reduce",
        "ties",
        lambda m, x, i, y: m.scatter_reduce(x, 0, i, y, "amax"),
        exactly([1.0, 5.0]),
        indices(0, 0, 1, 1),
        exactly([1.0, 1.0, 5.0, 2.0]),
        smooth=False,
    ),
    *[
        case(
            "index_reduce",
            f"{reduce}, {include}",
            lambda m, x, i, y, reduce=reduce, include=include: m.index_reduce(
                x, 0, i, 1.1 * y, reduce, include_self=include
            ),
            spread(3, 2),
            indices(0, 2, 0),
            spread(3, 2),
            twice=reduce not in ("amax", "amin"),
        )
        for reduce in ("prod", "mean", "amax", "amin")
        for include in (True, False)
    ],
    case("put", "replaced", lambda m, x, i, y: m.put(x, i, y), signed(2, 3), indices(4, 0, -1), signed(3)),
    case("put", "added", lambda m, x, i, y: m.put(x, i, y, True), signed(2, 3), indices(4, 4, 0), signed(3)),
    case(
        "masked_scatter",
        "more than are needed",
        lambda m, x, c, y: m.masked_scatter(x, c, y),
        signed(2, 3),
        mask(True, False, True),
        signed(5),
    ),
    case("select_scatter", "a row", lambda m, x, y: m.select_scatter(x, y, 0, -1), signed(2, 3), signed(3)),
    case("select_scatter", "a column", lambda m, x, y: m.select_scatter(x, y, 1, 1), signed(2, 3), signed(2)),
    case("slice_scatter", "with a step", lambda m, x, y: m.slice_scatter(x, y, 0, 1, None, 2), signed(5), signed(2)),
    case("slice_scatter", "second axis", lambda m, x, y: m.slice_scatter(x, y, 1, 0, -1), signed(2, 3), signed(2, 2)),
    case("diagonal_scatter", "above", lambda m, x, y: m.diagonal_scatter(x, y, 1), signed(3, 3), signed(2)),
    case(
        "diagonal_scatter",
        "other axes",
        lambda m, x, y: m.diagonal_scatter(x, y, 0, 0, 2),
        signed(2, 3, 2),
        signed(3, 2),
    ),
    case("fill", "a number", lambda m, x: m.fill(x, 2.5) * x, signed(2, 2)),
    case("fill", "a Tensor", lambda m, x, y: m.fill(x, y) * x, signed(2, 2), signed()),
    case(
        "nonzero_static", "indices: fewer", lambda m, x: m.nonzero_static(x, size=1), exactly([[0.0, 2.0], [3.0, 0.0]])
    ),
    case(
        "nonzero_static", "indices: more", lambda m, x: m.nonzero_static(x, size=3), exactly([[0.0, 2.0], [3.0, 0.0]])
    ),
]

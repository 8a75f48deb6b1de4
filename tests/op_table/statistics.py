"""Cases of ranks, modes, counts in bins and covariances."""

from __future__ import annotations

from op_table.case import case, exactly, indices, positive, signed, spread

NAN = float("nan")
TIES = exactly([[2.0, 1.0, 2.0, 1.0, 3.0], [5.0, 5.0, 0.0, 1.0, 5.0]])

CASES = [
    case("msort", "matrix", lambda m, x: m.msort(x), spread(4, 2)),
    case("msort", "size 0", lambda m, x: m.msort(x), signed(0, 2)),
    case("kthvalue", "last axis", lambda m, x: m.kthvalue(x, 2).values, spread(2, 5)),
    case("kthvalue", "first axis, kept", lambda m, x: m.kthvalue(x, 3, 0, True).values, spread(4, 2)),
    case("kthvalue", "single number", lambda m, x: m.kthvalue(x, 1).values, signed()),
    case("kthvalue", "indices", lambda m, x: m.kthvalue(x, 2).indices, spread(2, 5)),
    case("mode", "ties", lambda m, x: m.mode(x).values, TIES, smooth=False),
    case("mode", "indices: of ties", lambda m, x: m.mode(x).indices, TIES, smooth=False),
    case("mode", "first axis, kept", lambda m, x: m.mode(x, 0, True).values, TIES, smooth=False),
    case("mode", "single number", lambda m, x: m.mode(x).values, signed()),
    case("nanmedian", "of all", lambda m, x: m.nanmedian(x), exactly([4.0, NAN, 1.0, 3.0]), smooth=False),
    case("nanmedian", "no nan", lambda m, x: m.nanmedian(x), spread(2, 3)),
    case(
        "nanmedian",
        "last axis",
        lambda m, x: m.nanmedian(x, 1).values,
        exactly([[4.0, NAN, 1.0], [NAN, NAN, NAN], [1.0, 2.0, 3.0]]),
        smooth=False,
    ),
    case("nanmedian", "single number", lambda m, x: m.nanmedian(x, 0, True).values, signed()),
    case("nanquantile", "no nan", lambda m, x: m.nanquantile(x, 0.3), spread(7)),
    case(
        "nanquantile",
        "rows of several counts",
        lambda m, x: m.nanquantile(x, m.tensor([0.2, 0.9], dtype=x.dtype, device=x.device), dim=1),
        exactly([[4.0, NAN, 1.0, 8.0], [NAN, NAN, NAN, NAN], [1.0, 2.0, 3.0, 7.0]]),
        smooth=False,
    ),
    *[
        case(
            "nanquantile",
            f"kept: {how}",
            lambda m, x, how=how: m.nanquantile(x, 0.4, dim=0, keepdim=True, interpolation=how),
            exactly([[4.0, NAN], [1.0, 8.0], [2.5, 3.0], [9.0, NAN]]),
            smooth=False,
        )
        for how in ("lower", "higher", "midpoint", "nearest")
    ],
    case("quantile", "of a number, along its axis", lambda m, x: m.quantile(x, 0.3, dim=0), signed()),
    case("quantile", "a part with a gradient", lambda m, x, q: m.quantile(x, q), spread(5), exactly([0.3, 0.8])),
    case("isin", "some", lambda m, x, y, z: m.isin(x, y) * z, exactly([1, 2, 3], int), exactly([2, 9], int), signed(3)),
    case(
        "isin",
        "none",
        lambda m, x, y, z: m.isin(x, y, invert=True) * z,
        exactly([[1, 2], [3, 4]], int),
        exactly([2], int),
        signed(2),
    ),
    case("bucketize", "indices: left", lambda m, x, b: m.bucketize(x, b), signed(2, 3), exactly([-1.0, 0.0, 1.0])),
    case(
        "bucketize",
        "indices: right",
        lambda m, x, b: m.bucketize(x, b, right=True),
        exactly([0.0, 1.0]),
        exactly([0.0, 1.0]),
    ),
    case("histc", "a range", lambda m, x: m.histc(x.detach(), 4, -1, 1) * x[0], signed(20), smooth=False),
    case("histc", "their own range", lambda m, x: m.histc(x.detach(), 5) * x[0], signed(20), smooth=False),
    case("histc", "all alike", lambda m, x: m.histc(x.detach(), 5) * x[0], exactly([2.0, 2.0]), smooth=False),
    case("histogram", "counts", lambda m, x: m.histogram(x.detach(), 4).hist * x[0], signed(20), smooth=False),
    case(
        "histogram",
        "a density of weights",
        lambda m, x, w: m.histogram(x.detach(), 4, range=(-1.0, 1.0), weight=w.detach(), density=True).hist * x[0],
        signed(20),
        positive(20),
        fixed=(1,),
        smooth=False,
    ),
    case(
        "histogram",
        "edges",
        lambda m, x, e: m.histogram(x.detach(), e).bin_edges * x[0],
        signed(9),
        exactly([-1.0, 0.0, 3.0]),
        fixed=(1,),
        smooth=False,
    ),
    case(
        "histogramdd",
        "two axes",
        lambda m, x: m.histogramdd(x.detach(), [3, 2]).hist * x[0, 0],
        signed(20, 2),
        smooth=False,
    ),
    case("unique_consecutive", "indices", lambda m, n: m.unique_consecutive(n), indices(1, 1, 2, 2, 1)),
    case(
        "unique_consecutive",
        "indices: how often",
        lambda m, n: m.unique_consecutive(n, return_counts=True)[1],
        indices(1, 1, 2, 2, 1),
    ),
    case(
        "unique_consecutive",
        "indices: of rows",
        lambda m, n: m.unique_consecutive(n, dim=0),
        exactly([[1, 2], [1, 2], [3, 4]], int),
    ),
    case("unique_consecutive", "indices: size 0", lambda m, n: m.unique_consecutive(n), exactly([], int)),
    case("cov", "matrix", lambda m, x: m.cov(x), signed(3, 5)),
    case("cov", "vector", lambda m, x: m.cov(x, correction=0), signed(5)),
    case("cov", "one row", lambda m, x: m.cov(x), signed(1, 5)),
    case("cov", "weights", lambda m, x, w: m.cov(x, aweights=w), signed(3, 5), positive(5)),
    case("cov", "counts", lambda m, x, n: m.cov(x, fweights=n), signed(3, 4), indices(1, 2, 1, 3)),
    case(
        "cov",
        "counts and weights",
        lambda m, x, n, w: m.cov(x, fweights=n, aweights=w),
        signed(3, 4),
        indices(1, 2, 1, 3),
        positive(4),
    ),
    case("corrcoef", "matrix", lambda m, x: m.corrcoef(x)[0, 1:], signed(3, 5)),
    case("corrcoef", "vector", lambda m, x: m.corrcoef(x), signed(5), twice=False),
    case(
        "renorm", "some are shrunk", lambda m, x: m.renorm(x, 2, 0, 1.0), exactly([[3.0, 4.0], [0.3, 0.4], [-1.0, 2.0]])
    ),
    case("renorm", "second axis, order 3", lambda m, x: m.renorm(x, 3, 1, 0.9), signed(2, 3, 2)),
]

"""Cases of pools."""

from __future__ import annotations

from typing import Any

import numpy as np

from op_table.case import Case, case, exactly, signed, spread

INF, NAN = np.inf, np.nan


def both(pair: Any) -> Any:
    """Values and indices of a pool in one tensor: the indices are constants."""
    values, indices = pair
    return values + indices


MAX_POOLS: list[Case] = [
    case("max_pool1d", "side by side", lambda m, x: m.nn.functional.max_pool1d(x, 2), spread(2, 1, 4)),
    case("max_pool1d", "one signal, overlapping", lambda m, x: m.nn.functional.max_pool1d(x, 3, 1, 1), spread(2, 4)),
    case(
        "max_pool1d",
        "indices",
        lambda m, x: m.nn.functional.max_pool1d(x, 2, return_indices=True)[1],
        spread(1, 2, 4),
        smooth=False,
    ),
    case("max_pool2d", "side by side", lambda m, x: m.nn.functional.max_pool2d(x, 2), spread(2, 2, 2, 4)),
    case("max_pool2d", "rows left over", lambda m, x: m.nn.functional.max_pool2d(x, 2), spread(1, 1, 3, 5)),
    case("max_pool2d", "overlapping", lambda m, x: m.nn.functional.max_pool2d(x, 2, stride=1), spread(1, 1, 3, 3)),
    case("max_pool2d", "one image, gaps", lambda m, x: m.nn.functional.max_pool2d(x, (1, 2), (2, 3)), spread(2, 3, 5)),
    case("max_pool2d", "padding", lambda m, x: m.nn.functional.max_pool2d(x, 3, 2, (1, 0)), spread(1, 1, 4, 5)),
    case("max_pool2d", "dilation", lambda m, x: m.nn.functional.max_pool2d(x, 2, 1, 0, (2, 1)), spread(1, 1, 4, 3)),
    case(
        "max_pool2d", "ceil_mode", lambda m, x: m.nn.functional.max_pool2d(x, 2, 2, ceil_mode=True), spread(1, 1, 3, 5)
    ),
    case(
        "max_pool2d",
        "ceil_mode and padding",
        lambda m, x: m.nn.functional.max_pool2d(x, 2, 3, 1, ceil_mode=True),
        spread(1, 1, 4, 5),
    ),
    case(
        "max_pool2d",
        "values and indices",
        lambda m, x: both(m.nn.functional.max_pool2d(x, 2, 1, 1, return_indices=True)),
        spread(2, 1, 2, 3),
    ),
    case(
        "max_pool2d",
        "indices count through the plane",
        lambda m, x: m.nn.functional.max_pool2d(x, 2, 1, return_indices=True)[1],
        spread(1, 2, 3, 3),
        smooth=False,
    ),
    case(
        "max_pool2d",
        "the first of equals takes the gradient",
        lambda m, x: m.nn.functional.max_pool2d(x, 2, 1),
        exactly([[[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]]),
        smooth=False,
    ),
    case(
        "max_pool2d",
        "indices of equals",
        lambda m, x: m.nn.functional.max_pool2d(x, 2, 1, return_indices=True)[1],
        exactly([[[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]]),
        smooth=False,
    ),
    case(
        "max_pool2d",
        "nan is the largest",
        lambda m, x: m.nn.functional.max_pool2d(x, 2),
        exactly([[[1.0, NAN, 2.0, INF], [NAN, 3.0, INF, 0.0]]]),
        smooth=False,
    ),
    case(
        "max_pool2d",
        "indices of nan",
        lambda m, x: m.nn.functional.max_pool2d(x, 2, return_indices=True)[1],
        exactly([[[1.0, NAN, 2.0, INF], [NAN, 3.0, INF, 0.0]]]),
        smooth=False,
    ),
    case(
        "max_pool2d",
        "-inf beside the padding",
        lambda m, x: m.nn.functional.max_pool2d(x, 2, 2, 1),
        exactly([[[-INF, -INF], [1.0, -INF]]]),
        smooth=False,
    ),
    case(
        "max_pool2d",
        "indices beside the padding",
        lambda m, x: m.nn.functional.max_pool2d(x, 2, 2, 1, return_indices=True)[1],
        exactly([[[-INF, -INF], [1.0, -INF]]]),
        smooth=False,
    ),
    case("max_pool2d", "no image", lambda m, x: m.nn.functional.max_pool2d(x, 2), spread(0, 1, 2, 2)),
    case(
        "adaptive_max_pool1d",
        "even and uneven",
        lambda m, x: m.nn.functional.adaptive_max_pool1d(x, 2) + m.nn.functional.adaptive_max_pool1d(x[..., :3], 2),
        spread(1, 2, 4),
    ),
    case("adaptive_max_pool2d", "no image", lambda m, x: m.nn.functional.adaptive_max_pool2d(x, 2), spread(0, 1, 3, 3)),
    case(
        "adaptive_max_pool2d", "even", lambda m, x: m.nn.functional.adaptive_max_pool2d(x, (2, 1)), spread(1, 2, 4, 2)
    ),
    case("adaptive_max_pool2d", "uneven", lambda m, x: m.nn.functional.adaptive_max_pool2d(x, 2), spread(1, 1, 3, 5)),
    case(
        "adaptive_max_pool2d",
        "more windows than rows, one image",
        lambda m, x: m.nn.functional.adaptive_max_pool2d(x, (3, None)),
        spread(1, 2, 2),
    ),
    case(
        "adaptive_max_pool2d",
        "values and indices",
        lambda m, x: both(m.nn.functional.adaptive_max_pool2d(x, 2, return_indices=True)),
        spread(1, 2, 3, 3),
    ),
    case(
        "adaptive_max_pool2d",
        "indices",
        lambda m, x: m.nn.functional.adaptive_max_pool2d(x, (2, 3), return_indices=True)[1],
        spread(2, 1, 3, 4),
        smooth=False,
    ),
]

MEAN_POOLS: list[Case] = [
    case("avg_pool1d", "side by side", lambda m, x: m.nn.functional.avg_pool1d(x, 2), signed(2, 1, 5)),
    case(
        "avg_pool1d",
        "one signal, the input's places counted",
        lambda m, x: m.nn.functional.avg_pool1d(x, 3, 1, 1, True, False),
        signed(1, 4),
    ),
    case("avg_pool2d", "side by side", lambda m, x: m.nn.functional.avg_pool2d(x, 2), signed(2, 2, 2, 4)),
    case(
        "avg_pool2d", "one image, overlapping", lambda m, x: m.nn.functional.avg_pool2d(x, (2, 3), 1), signed(1, 3, 4)
    ),
    case("avg_pool2d", "gaps", lambda m, x: m.nn.functional.avg_pool2d(x, 1, (2, 3)), signed(1, 1, 3, 4)),
    case("avg_pool2d", "padding counts", lambda m, x: m.nn.functional.avg_pool2d(x, 3, 2, 1), signed(1, 1, 3, 4)),
    case(
        "avg_pool2d",
        "padding does not count",
        lambda m, x: m.nn.functional.avg_pool2d(x, 3, 2, (1, 0), count_include_pad=False),
        signed(1, 1, 3, 4),
    ),
    case(
        "avg_pool2d", "ceil_mode", lambda m, x: m.nn.functional.avg_pool2d(x, 2, 2, ceil_mode=True), signed(1, 1, 3, 5)
    ),
    case(
        "avg_pool2d",
        "ceil_mode and padding",
        lambda m, x: m.nn.functional.avg_pool2d(x, 3, 2, 1, True),
        signed(1, 1, 4, 4),
    ),
    case(
        "avg_pool2d",
        "divisor_override",
        lambda m, x: m.nn.functional.avg_pool2d(x, 2, 1, 1, divisor_override=3),
        signed(1, 1, 2, 3),
    ),
    case("avg_pool2d", "no image", lambda m, x: m.nn.functional.avg_pool2d(x, 2), signed(0, 1, 2, 2)),
    case("adaptive_avg_pool1d", "even", lambda m, x: m.nn.functional.adaptive_avg_pool1d(x, 2), signed(2, 1, 4)),
    case(
        "adaptive_avg_pool1d",
        "uneven, one signal",
        lambda m, x: m.nn.functional.adaptive_avg_pool1d(x, 3),
        signed(2, 4),
    ),
    case(
        "adaptive_avg_pool2d",
        "the mean of each plane",
        lambda m, x: m.nn.functional.adaptive_avg_pool2d(x, 1),
        signed(2, 2, 2, 3),
    ),
    case(
        "adaptive_avg_pool2d", "uneven", lambda m, x: m.nn.functional.adaptive_avg_pool2d(x, (2, 3)), signed(1, 2, 3, 5)
    ),
    case(
        "adaptive_avg_pool2d",
        "more windows than rows, one image",
        lambda m, x: m.nn.functional.adaptive_avg_pool2d(x, (3, None)),
        signed(1, 2, 2),
    ),
]

CASES = [*MAX_POOLS, *MEAN_POOLS]

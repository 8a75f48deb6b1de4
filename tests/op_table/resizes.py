"""Cases of padding and resizing."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, case, signed

PADS: list[Case] = [
    case("pad", "the last axis", lambda m, x: m.nn.functional.pad(x, (1, 2)), signed(2, 2)),
    case("pad", "every axis", lambda m, x: m.nn.functional.pad(x, (1, 0, 0, 2)), signed(2, 3)),
    case("pad", "a value", lambda m, x: m.nn.functional.pad(x, (1, 1), value=2.5), signed(3)),
    case("pad", "infinity", lambda m, x: m.nn.functional.pad(x, (0, 1), "constant", -np.inf), signed(3), smooth=False),
    case("pad", "less", lambda m, x: m.nn.functional.pad(x, (-1, -2)), signed(2, 4)),
    case("pad", "less and more", lambda m, x: m.nn.functional.pad(x, (2, -2, -1, 1), value=1.0), signed(3, 3)),
    case("pad", "all cut off, then some", lambda m, x: m.nn.functional.pad(x, (-2, 1)), signed(2, 2)),
    case("pad", "reflect nothing", lambda m, x: m.nn.functional.pad(x, (0, 0), mode="reflect"), signed(2, 2)),
    case("pad", "nothing", lambda m, x: m.nn.functional.pad(x, ()), signed(2)),
    case("pad", "a single number", lambda m, x: m.nn.functional.pad(x, ()), signed()),
    case("pad", "of size 0", lambda m, x: m.nn.functional.pad(x, (1, 1)), signed(2, 0)),
    case("pad", "reflect", lambda m, x: m.nn.functional.pad(x, (2, 1), mode="reflect"), signed(2, 3)),
    case(
        "pad",
        "reflect two axes, less and more",
        lambda m, x: m.nn.functional.pad(x, (-1, 2, 1, 1), mode="reflect"),
        signed(1, 3, 4),
    ),
    case("pad", "replicate", lambda m, x: m.nn.functional.pad(x, (3, 1), mode="replicate"), signed(2, 2)),
    case(
        "pad",
        "replicate two axes, less and more",
        lambda m, x: m.nn.functional.pad(x, (2, -1, 1, 0), mode="replicate"),
        signed(1, 2, 3),
    ),
    case("pad", "circular", lambda m, x: m.nn.functional.pad(x, (1, 3), mode="circular"), signed(2, 3)),
    case(
        "pad",
        "circular two axes, less and more",
        lambda m, x: m.nn.functional.pad(x, (2, -1, 1, 2), mode="circular"),
        signed(1, 2, 3),
    ),
]

RESIZES: list[Case] = [
    case(
        "interpolate",
        "nearest, larger",
        lambda m, x: m.nn.functional.interpolate(x, scale_factor=2),
        signed(1, 2, 2, 2),
    ),
    case(
        "interpolate", "nearest, a size", lambda m, x: m.nn.functional.interpolate(x, size=(2, 5)), signed(1, 1, 3, 3)
    ),
    case("interpolate", "nearest, one axis", lambda m, x: m.nn.functional.interpolate(x, 5), signed(2, 1, 3)),
    case(
        "interpolate",
        "nearest-exact",
        lambda m, x: m.nn.functional.interpolate(x, 3, mode="nearest-exact"),
        signed(1, 1, 5, 2),
    ),
    case("interpolate", "linear", lambda m, x: m.nn.functional.interpolate(x, 5, mode="linear"), signed(1, 2, 3)),
    case(
        "interpolate",
        "linear, to the corners",
        lambda m, x: m.nn.functional.interpolate(x, 5, mode="linear", align_corners=True),
        signed(1, 2, 3),
    ),
    case(
        "interpolate",
        "nearest, three axes",
        lambda m, x: m.nn.functional.interpolate(x, (3, 2, 5)),
        signed(1, 2, 2, 3, 2),
    ),
    case(
        "interpolate",
        "trilinear",
        lambda m, x: m.nn.functional.interpolate(x, scale_factor=(2, 1.5, 1), mode="trilinear"),
        signed(1, 1, 2, 2, 3),
    ),
    case(
        "interpolate",
        "bilinear, larger",
        lambda m, x: m.nn.functional.interpolate(x, scale_factor=(2, 1.5), mode="bilinear"),
        signed(1, 1, 2, 3),
    ),
    case(
        "interpolate",
        "bilinear, smaller",
        lambda m, x: m.nn.functional.interpolate(x, (2, 3), mode="bilinear", align_corners=False),
        signed(1, 1, 5, 4),
    ),
    case(
        "interpolate",
        "bilinear, to the corners",
        lambda m, x: m.nn.functional.interpolate(x, (4, 1), mode="bilinear", align_corners=True),
        signed(1, 1, 2, 3),
    ),
    case(
        "interpolate",
        "bilinear, the factor recomputed",
        lambda m, x: m.nn.functional.interpolate(x, scale_factor=1.7, mode="bilinear", recompute_scale_factor=True),
        signed(1, 1, 2, 3),
    ),
    case(
        "interpolate", "the same size", lambda m, x: m.nn.functional.interpolate(x, 2, mode="linear"), signed(1, 2, 2)
    ),
    case(
        "interpolate",
        "bicubic",
        lambda m, x: m.nn.functional.interpolate(x, (4, 2), mode="bicubic"),
        signed(1, 1, 3, 3),
    ),
    case(
        "interpolate",
        "bicubic, to the corners",
        lambda m, x: m.nn.functional.interpolate(x, 4, mode="bicubic", align_corners=True),
        signed(1, 1, 3, 2),
    ),
    case("interpolate", "area", lambda m, x: m.nn.functional.interpolate(x, (2, 2), mode="area"), signed(1, 1, 4, 3)),
]

CASES = [*PADS, *RESIZES]

"""Cases of losses of margins, rates and distributions, of what shrinks, and of channels as pixels."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, Draw, case, exactly, indices, positive, signed, spread
from op_table.losses import REDUCTIONS, loss

SIDES = exactly([1.0, -1.0, 1.0])
PAIR = (spread(3), signed(3))
THREE = (signed(3, 4), signed(3, 4), signed(3, 4))


def of_function(op: str, title: str, *draws: Draw, arguments: Any = (), smooth: bool = True, **options: Any) -> Case:
    return case(op, title, lambda m, *t: getattr(m.nn.functional, op)(*t, *arguments, **options), *draws, smooth=smooth)


CASES = [
    *[loss("triplet_margin_loss", each, *THREE, reduction=each, margin=3.0) for each in REDUCTIONS],
    loss("triplet_margin_loss", "swapped, of order 1", *THREE, swap=True, p=1.0, margin=9.0),
    loss("triplet_margin_with_distance_loss", "as it is", *THREE, margin=4.0),
    *[loss("margin_ranking_loss", each, *PAIR, SIDES, fixed=(2,), reduction=each) for each in REDUCTIONS],
    loss("margin_ranking_loss", "a margin", spread(3), signed(3), SIDES, fixed=(2,), margin=5.0),
    *[loss("hinge_embedding_loss", each, spread(3), SIDES, fixed=(1,), reduction=each) for each in REDUCTIONS],
    loss("hinge_embedding_loss", "a margin", spread(3), SIDES, fixed=(1,), margin=2.5),
    *[loss("soft_margin_loss", each, signed(3), SIDES, fixed=(1,), reduction=each) for each in REDUCTIONS],
    loss("soft_margin_loss", "far out", exactly([800.0, 800.0, -800.0]), SIDES, fixed=(1,), smooth=False),
    *[
        loss("cosine_embedding_loss", each, signed(3, 4), signed(3, 4), SIDES, fixed=(2,), reduction=each, margin=-0.5)
        for each in REDUCTIONS
    ],
    *[loss("poisson_nll_loss", each, signed(4), positive(4), fixed=(1,), reduction=each) for each in REDUCTIONS],
    loss("poisson_nll_loss", "rates, in full", positive(4), exactly([0.0, 1.0, 2.0, 7.0]), fixed=(1,), log_input=False,
         full=True),
    *[
        loss("gaussian_nll_loss", each, signed(2, 3), signed(2, 3), positive(2, 3), reduction=each)
        for each in REDUCTIONS
    ],
    loss("gaussian_nll_loss", "a variance for each row, in full", signed(2, 3), signed(2, 3), positive(2), full=True),
    loss("gaussian_nll_loss", "variances of 1 and of 0", signed(2, 3), signed(2, 3), exactly([[1.0], [0.0]]),
         smooth=False),
    of_function("pairwise_distance", "rows", signed(3, 4), signed(3, 4)),
    of_function("pairwise_distance", "order 1, kept", signed(2, 3, 4), signed(4), p=1.0, keepdim=True),
    of_function("threshold", "some below", spread(6), arguments=(0.2, -7.0)),
    of_function("hardshrink", "some inside", spread(8), arguments=(0.45,)),
    of_function("hardshrink", "at the corner", exactly([0.5, -0.5, 0.0]), smooth=False),
    of_function("softshrink", "some inside", spread(8), arguments=(0.45,)),
    of_function("softshrink", "at the corner", exactly([0.5, -0.5, 0.0]), smooth=False),
    of_function("tanhshrink", "a matrix", signed(2, 3)),
    case("gumbel_softmax", "certain", lambda m, x, c: m.nn.functional.gumbel_softmax(x * 0.0 + c, hard=True),
         signed(2), exactly([0.0, 1e6]), smooth=False),
    of_function("pixel_shuffle", "channels as pixels", signed(2, 8, 2, 3), arguments=(2,)),
    of_function("pixel_shuffle", "one image", signed(9, 1, 2), arguments=(3,)),
    of_function("pixel_unshuffle", "pixels as channels", signed(2, 2, 4, 6), arguments=(2,)),
    of_function("channel_shuffle", "two groups", signed(2, 4, 3, 1), arguments=(2,)),
    case("dropout1d", "not training", lambda m, x: m.nn.functional.dropout1d(x * 1.0, 0.5, False), signed(2, 3, 4)),
    case("dropout3d", "at rest", lambda m, x: m.nn.functional.dropout3d(x * 1.0, 0.5, False), signed(2, 3, 1, 2, 2)),
    case("dropout", "in place", lambda m, x: m.nn.functional.dropout(x * 1.0, 0.5, False, True), signed(3)),
    case("relu", "inplace", lambda m, x: m.nn.functional.relu(x * 1.0, inplace=True), spread(5)),
    case("leaky_relu", "inplace", lambda m, x: m.nn.functional.leaky_relu(x * 1.0, 0.1, inplace=True), spread(5)),
    *[
        case("embedding_bag", f"{mode}, rows of numbers",
             lambda m, i, w, mode=mode: m.nn.functional.embedding_bag(i, w, mode=mode),
             indices([2, 0, 2], [1, 1, 4]), signed(5, 3))
        for mode in ("mean", "sum", "max")
    ],
    *[
        case("embedding_bag", f"{mode}, bags of several lengths, one without any",
             lambda m, i, w, o, mode=mode: m.nn.functional.embedding_bag(i, w, o, mode=mode),
             indices(2, 0, 2, 1, 1, 4), signed(5, 3), indices(0, 2, 2))
        for mode in ("mean", "sum", "max")
    ],
    *[
        case("embedding_bag", f"{mode}, a row that does not count",
             lambda m, i, w, o, mode=mode: m.nn.functional.embedding_bag(i, w, o, mode=mode, padding_idx=2),
             indices(2, 0, 2, 1, 1, 4), signed(5, 3), indices(0, 1, 4))
        for mode in ("mean", "sum", "max")
    ],
    case("embedding_bag", "weights, and where the last bag ends",
         lambda m, i, w, o, s: m.nn.functional.embedding_bag(
             i, w, o, mode="sum", per_sample_weights=s, include_last_offset=True),
         indices(2, 0, 2, 1), signed(5, 3), indices(0, 3, 4), signed(4)),
]  # fmt: skip

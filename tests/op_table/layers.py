"""Cases of windows in three dimensions, pools of powers and their ways back, and of the rarer layers and losses."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, case, exactly, index, indices, positive, signed, spread
from op_table.losses import REDUCTIONS, loss, weighted
from op_table.margins import of_function
from op_table.pools import both

VOLUME = (1, 2, 3, 2, 3)
LABELS = indices(2, 0)
SEVERAL = indices([1, 2, -1], [-1, 0, 1])


def unpooled(axes: int, title: str, *shape: int, **options: Any) -> Case:
    """Where a pool of two found its numbers, they stand again."""

    def call(m: Any, x: Any) -> Any:
        functions = m.nn.functional
        values, places = getattr(functions, f"max_pool{axes}d")(x, 2, return_indices=True)
        return getattr(functions, f"max_unpool{axes}d")(values, places, 2, **options)

    return case(f"max_unpool{axes}d", title, call, spread(*shape))


def ctc(title: str, targets: Any, times: Any, lengths: Any, shape: tuple[int, ...] = (4, 2, 3), **options: Any) -> Case:
    """Of logits: PyTorch's gradient is right for what log_softmax gives alone."""

    def call(m: Any, x: Any, targets: Any, times: Any, lengths: Any) -> Any:
        return m.nn.functional.ctc_loss(x.log_softmax(-1), targets, times, lengths, **options)

    return case("ctc_loss", title, call, signed(*shape), indices(*targets), exactly(times, int), exactly(lengths, int))


CASES = [
    of_function("conv3d", "plain", signed(*VOLUME), signed(2, 2, 2, 1, 2)),
    of_function("conv3d", "one volume, a bias, same", signed(1, 2, 2, 3), signed(1, 1, 2, 3, 2), signed(1),
                padding="same"),
    of_function("conv3d", "stride, padding, dilation, groups", signed(2, 2, 3, 2, 3), signed(2, 1, 2, 2, 2), signed(2),
                stride=(2, 1, 1), padding=1, dilation=(1, 2, 1), groups=2),
    of_function("conv3d", "no volume", signed(0, 1, 2, 2, 2), signed(2, 1, 1, 1, 1)),
    of_function("conv_transpose3d", "plain", signed(1, 2, 2, 1, 2), signed(2, 1, 1, 2, 2)),
    of_function("conv_transpose3d", "one volume, all options", signed(2, 2, 1, 2), signed(2, 1, 2, 2, 2), signed(2),
                stride=2, padding=(1, 0, 1), output_padding=(1, 0, 1), groups=2, dilation=(2, 1, 1)),
    of_function("max_pool3d", "side by side", spread(1, 2, 2, 3, 4), arguments=(2,)),
    of_function("max_pool3d", "one volume, overlapping, beyond the edge", spread(1, 3, 2, 3), arguments=((2, 1, 2), 1),
                padding=(1, 0, 1), dilation=(2, 1, 1), ceil_mode=True),
    case("max_pool3d", "values and indices",
         lambda m, x: both(m.nn.functional.max_pool3d(x, 2, 1, 1, return_indices=True)), spread(1, 1, 2, 2, 3)),
    of_function("avg_pool3d", "side by side", signed(2, 1, 2, 3, 4), arguments=(2,)),
    of_function("avg_pool3d", "one volume, the input's places counted", signed(1, 3, 2, 3), arguments=(2, 1),
                padding=1, ceil_mode=True, count_include_pad=False),
    of_function("avg_pool3d", "divided", signed(1, 1, 2, 2, 2), arguments=(2,), divisor_override=3),
    of_function("adaptive_avg_pool3d", "even and uneven", signed(1, 1, 2, 4, 3), arguments=((1, None, 2),)),
    of_function("adaptive_max_pool3d", "uneven", spread(1, 2, 2, 3, 3), arguments=(2,)),
    case("adaptive_max_pool3d", "values and indices",
         lambda m, x: both(m.nn.functional.adaptive_max_pool3d(x, (1, 2, 2), return_indices=True)),
         spread(1, 1, 2, 3, 3)),
    *[
        of_function(f"lp_pool{axes}d", title, positive(1, 2, *[4, 2, 3][-axes:]), arguments=(p, 2), **options)
        for axes in (1, 2, 3)
        for title, p, options in (("squares", 2.0, {}), ("overlapping, another power", 3.5, {"stride": 1}))
    ],
    of_function("lp_pool2d", "cubes of both signs, ceil_mode", signed(1, 3, 3), arguments=(3.0, 2), ceil_mode=True,
                smooth=False),
    unpooled(1, "rows", 2, 1, 4),
    unpooled(1, "one signal, of a size", 1, 5, output_size=(5,)),
    unpooled(2, "images", 2, 1, 2, 4),
    unpooled(2, "of a size", 1, 1, 3, 5, output_size=(3, 5)),
    unpooled(3, "volumes", 1, 2, 2, 2, 4),
    of_function("interpolate", "area of volumes", signed(1, 1, 2, 3, 4), size=(1, 2, 3), mode="area"),
    of_function("upsample", "rows, linear", signed(1, 2, 3), size=5, mode="linear", align_corners=False),
    of_function("upsample_nearest", "volumes", signed(1, 1, 2, 1, 3), scale_factor=2),
    of_function("upsample_bilinear", "images", signed(1, 2, 2, 3), arguments=((3, 5),)),
    of_function("bilinear", "rows", signed(2, 3), signed(2, 2), signed(2, 3, 2)),
    of_function("bilinear", "more axes, a bias", signed(2, 1, 3), signed(2, 1, 2), signed(2, 3, 2), signed(2)),
    of_function("pdist", "rows", signed(4, 3)),
    of_function("pdist", "of order 3", signed(3, 2), arguments=(3.0,)),
    of_function("pdist", "two rows that are one", exactly([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]), smooth=False),
    of_function("pdist", "one row", signed(1, 2)),
    of_function("rrelu", "at rest", spread(6)),
    of_function("rrelu", "of one slope", spread(6), arguments=(0.4, 0.4), training=True),
    of_function("alpha_dropout", "at rest", signed(2, 3)),
    of_function("alpha_dropout", "everything", signed(2, 3), arguments=(1.0, True)),
    of_function("feature_alpha_dropout", "at rest", signed(2, 3, 2)),
    of_function("feature_alpha_dropout", "everything", signed(2, 3, 2), arguments=(1.0, True)),
    of_function("local_response_norm", "an even size", signed(2, 4, 3), arguments=(4, 0.7, 0.6, 0.8)),
    of_function("local_response_norm", "more channels than there are", signed(1, 2, 2, 2), arguments=(7,)),
    *[loss("multi_margin_loss", each, spread(2, 3), LABELS, reduction=each) for each in REDUCTIONS],
    weighted("multi_margin_loss", "squared, weighted", spread(2, 3), LABELS, positive(3), p=2, margin=1.7),
    loss("multi_margin_loss", "one row", spread(3), index(1)),
    *[loss("multilabel_margin_loss", each, spread(2, 3), SEVERAL, reduction=each) for each in REDUCTIONS],
    of_function("multilabel_margin_loss", "one row, all classes", spread(3), indices(2, 0, 1)),
    *[
        loss("multilabel_soft_margin_loss", each, signed(2, 3), exactly([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]),
             fixed=(1,), reduction=each)
        for each in REDUCTIONS
    ],
    of_function("multilabel_soft_margin_loss", "weighted, far out", exactly([800.0, -800.0]), exactly([1.0, 0.0]),
                exactly([2.0, 0.5]), smooth=False),
    *[ctc(each, ([1, 2], [2, 2]), [4, 4], [2, 2], reduction=each) for each in REDUCTIONS],
    ctc("all in a row, lengths that differ", (0, 0, 1), [4, 2], [2, 1], blank=2),
    ctc("no label, one label", ([0, 0], [2, 1]), [3, 4], [0, 1]),
    ctc("one sample", (1, 2), 4, 2, (4, 3)),
    ctc("too long for its time, for nothing", ([1, 1], [1, 2]), [2, 4], [2, 2], zero_infinity=True),
]  # fmt: skip

"""Cases of windows: convolutions and their columns."""

from __future__ import annotations

from op_table.case import Case, case, signed

CONVOLUTIONS: list[Case] = [
    case(
        "conv1d",
        "one window after another",
        lambda m, x, w: m.nn.functional.conv1d(x, w),
        signed(2, 1, 4),
        signed(2, 1, 2),
    ),
    case(
        "conv1d",
        "a single signal",
        lambda m, x, w, b: m.nn.functional.conv1d(x, w, b),
        signed(2, 4),
        signed(1, 2, 3),
        signed(1),
    ),
    case(
        "conv1d",
        "stride, padding, dilation, groups",
        lambda m, x, w, b: m.nn.functional.conv1d(x, w, b, stride=2, padding=2, dilation=2, groups=2),
        signed(1, 2, 5),
        signed(2, 1, 2),
        signed(2),
    ),
    case(
        "conv1d", "same", lambda m, x, w: m.nn.functional.conv1d(x, w, padding="same"), signed(1, 1, 4), signed(1, 1, 3)
    ),
    case("conv1d", "kernel of one", lambda m, x, w: m.nn.functional.conv1d(x, w), signed(2, 2, 3), signed(3, 2, 1)),
    case("conv2d", "plain", lambda m, x, w: m.nn.functional.conv2d(x, w), signed(2, 2, 3, 3), signed(2, 2, 2, 2)),
    case(
        "conv2d",
        "bias",
        lambda m, x, w, b: m.nn.functional.conv2d(x, w, b),
        signed(1, 1, 3, 4),
        signed(2, 1, 2, 3),
        signed(2),
    ),
    case(
        "conv2d",
        "one image",
        lambda m, x, w, b: m.nn.functional.conv2d(x, w, b, padding=1),
        signed(1, 3, 3),
        signed(2, 1, 2, 2),
        signed(2),
    ),
    case(
        "conv2d",
        "more outputs than windows",
        lambda m, x, w: m.nn.functional.conv2d(x, w, groups=2),
        signed(2, 2, 2, 3),
        signed(6, 1, 2, 2),
    ),
    case(
        "conv2d",
        "stride and padding of each axis",
        lambda m, x, w, b: m.nn.functional.conv2d(x, w, b, (2, 1), (1, 0)),
        signed(1, 1, 4, 3),
        signed(1, 1, 3, 2),
        signed(1),
    ),
    case(
        "conv2d",
        "dilation and groups",
        lambda m, x, w: m.nn.functional.conv2d(x, w, None, 1, 1, dilation=(2, 1), groups=2),
        signed(1, 2, 3, 3),
        signed(2, 1, 2, 2),
    ),
    case(
        "conv2d",
        "each channel by itself",
        lambda m, x, w: m.nn.functional.conv2d(x, w, groups=3),
        signed(1, 3, 2, 3),
        signed(3, 1, 2, 2),
    ),
    case(
        "conv2d",
        "rows left over",
        lambda m, x, w: m.nn.functional.conv2d(x, w, stride=2),
        signed(1, 1, 4, 4),
        signed(1, 1, 3, 3),
    ),
    case(
        "conv2d",
        "windows past the edge only",
        lambda m, x, w: m.nn.functional.conv2d(x, w, stride=3, padding=2),
        signed(1, 1, 2, 2),
        signed(1, 1, 2, 2),
    ),
    case(
        "conv2d",
        "valid",
        lambda m, x, w: m.nn.functional.conv2d(x, w, padding="valid"),
        signed(1, 1, 3, 3),
        signed(1, 1, 2, 2),
    ),
    case(
        "conv2d",
        "same, dilated",
        lambda m, x, w: m.nn.functional.conv2d(x, w, padding="same", dilation=(1, 3)),
        signed(1, 1, 3, 5),
        signed(1, 1, 3, 3),
    ),
    case(
        "conv2d",
        "no image",
        lambda m, x, w, b: m.nn.functional.conv2d(x, w, b),
        signed(0, 1, 3, 3),
        signed(2, 1, 2, 2),
        signed(2),
    ),
    case(
        "conv_transpose1d",
        "plain",
        lambda m, x, w: m.nn.functional.conv_transpose1d(x, w),
        signed(2, 2, 3),
        signed(2, 1, 2),
    ),
    case(
        "conv_transpose1d",
        "stride, padding, groups, one signal",
        lambda m, x, w, b: m.nn.functional.conv_transpose1d(x, w, b, 2, 1, 1, 2),
        signed(2, 3),
        signed(2, 1, 3),
        signed(2),
    ),
    case(
        "conv_transpose2d",
        "plain",
        lambda m, x, w: m.nn.functional.conv_transpose2d(x, w),
        signed(1, 2, 2, 2),
        signed(2, 1, 2, 2),
    ),
    case(
        "conv_transpose2d",
        "one image and a bias",
        lambda m, x, w, b: m.nn.functional.conv_transpose2d(x, w, b, padding=(0, 1)),
        signed(1, 2, 3),
        signed(1, 2, 2, 2),
        signed(2),
    ),
    case(
        "conv_transpose2d",
        "stride and output_padding",
        lambda m, x, w: m.nn.functional.conv_transpose2d(x, w, None, (2, 3), 1, (1, 0)),
        signed(1, 1, 2, 2),
        signed(1, 1, 3, 2),
    ),
    case(
        "conv_transpose2d",
        "groups and dilation",
        lambda m, x, w, b: m.nn.functional.conv_transpose2d(x, w, b, groups=2, dilation=2),
        signed(1, 2, 2, 2),
        signed(2, 1, 2, 2),
        signed(2),
    ),
]

COLUMNS: list[Case] = [
    case("unfold", "plain", lambda m, x: m.nn.functional.unfold(x, 2), signed(2, 2, 3, 3)),
    case("unfold", "one image", lambda m, x: m.nn.functional.unfold(x, (1, 2)), signed(2, 2, 3)),
    case(
        "unfold",
        "all parameters",
        lambda m, x: m.nn.functional.unfold(x, (2, 3), (2, 1), (1, 0), (1, 2)),
        signed(1, 1, 3, 5),
    ),
    case("fold", "plain", lambda m, x: m.nn.functional.fold(x, (3, 3), 2), signed(2, 4, 4)),
    case("fold", "one image, side by side", lambda m, x: m.nn.functional.fold(x, (2, 4), 2, stride=2), signed(8, 2)),
    case(
        "fold",
        "all parameters",
        lambda m, x: m.nn.functional.fold(x, (3, 5), (2, 3), (2, 1), (1, 0), (1, 2)),
        signed(1, 6, 6),
    ),
]

CASES: list[Case] = [*CONVOLUTIONS, *COLUMNS]

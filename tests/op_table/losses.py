"""Cases of losses."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, Draw, case, exactly, index, indices, positive, signed, spread

REDUCTIONS = ("mean", "sum", "none")


def loss(op: str, title: str, *draws: Draw, smooth: bool = True, fixed: tuple[int, ...] = (), **options: Any) -> Case:
    def call(m: Any, *tensors: Any) -> Any:
        return getattr(m.nn.functional, op)(*tensors, **options)

    return case(op, title, call, *draws, smooth=smooth, fixed=fixed)


def weighted(op: str, title: str, *draws: Draw, name: str = "weight", smooth: bool = True, **options: Any) -> Case:
    """The last of the draws is a weight (a constant, which PyTorch demands of some)."""

    def call(m: Any, *tensors: Any) -> Any:
        return getattr(m.nn.functional, op)(*tensors[:-1], **{name: tensors[-1]}, **options)

    return case(op, title, call, *draws, smooth=smooth, fixed=(len(draws) - 1,))


def distances(op: str, **options: Any) -> list[Case]:
    """Input minus target is drawn away from 0 and from every whole number."""
    named = "".join(f", {name} {value}" for name, value in options.items())
    pair = (spread(2, 3), exactly([[9.17, -7.31, 0.04], [0.56, -0.83, 3.02]]))
    return [
        *[loss(op, f"{reduction}{named}", *pair, reduction=reduction, **options) for reduction in REDUCTIONS],
        loss(op, f"numbers{named}", signed(), exactly(7.3), **options),
        loss(op, f"size 0{named}", signed(0), signed(0), smooth=False, **options),
        loss(op, f"size 0, sum{named}", signed(0), signed(0), reduction="sum", **options),
        loss(op, f"equal{named}", exactly([1.0, 2.0]), exactly([1.0, 2.0]), smooth=False, **options),
        loss(op, f"at the bounds{named}", exactly([1.0, -1.0, 0.5, -0.5]), exactly([0.0] * 4), smooth=False, **options),
    ]


SHARES = exactly([[0.2, 0.9, 0.5], [0.35, 0.01, 0.8]])
TARGETS = exactly([[0.0, 1.0, 0.3], [0.7, 0.2, 1.0]])
LOGARITHMS = exactly([[-1.6, -0.1, -2.3], [-0.7, -1.1, -3.0]])


def binary(op: str, input: Draw, far: Draw) -> list[Case]:
    # PyTorch differentiates binary_cross_entropy by the target too; nudging a target of 0 or 1 leaves the domain
    inner = exactly([[0.1, 0.8, 0.3], [0.7, 0.2, 0.9]])
    return [
        *[loss(op, reduction, input, inner, reduction=reduction) for reduction in REDUCTIONS],
        loss(op, "targets of 0 and 1", input, TARGETS, smooth=True, fixed=(1,)),
        loss(op, "far out", far, exactly([1.0, 1.0, 0.0, 0.0, 0.5]), smooth=False, fixed=(1,)),
        loss(op, "size 0", signed(0), signed(0), smooth=False),
        weighted(op, "weight", input, inner, positive(2, 3)),
        weighted(op, "weight, broadcast", input, inner, positive(3), reduction="sum"),
        weighted(op, "weight, none", input, inner, positive(2, 1), reduction="none"),
    ]


ROWS = (signed(4, 3), indices(0, 2, 1, 2))
IMAGE = (signed(2, 3, 2), indices([0, 2], [1, 1]))
IGNORED = (signed(4, 3), indices(0, -100, 1, -100))
SOFT = (signed(2, 3), positive(2, 3))
WEIGHT = exactly([0.2, 1.0, 3.0])


def classes(op: str) -> list[Case]:
    return [
        *[loss(op, f"rows, {reduction}", *ROWS, reduction=reduction) for reduction in REDUCTIONS],
        loss(op, "one sample", signed(3), index(1)),
        loss(op, "one sample, none", signed(3), index(2), reduction="none"),
        *[loss(op, f"extra axis, {reduction}", *IMAGE, reduction=reduction) for reduction in REDUCTIONS],
        loss(op, "two extra axes", signed(2, 3, 2, 2), indices([[0, 2], [1, 1]], [[2, 2], [0, 1]])),
        *[loss(op, f"ignored rows, {reduction}", *IGNORED, reduction=reduction) for reduction in REDUCTIONS],
        loss(op, "a class ignored", *ROWS, ignore_index=2),
        loss(op, "nothing ignored", *ROWS, ignore_index=-1),
        loss(op, "all ignored", signed(2, 3), indices(-100, -100), smooth=False),
        loss(op, "all ignored, sum", signed(2, 3), indices(-100, -100), reduction="sum"),
        loss(op, "no rows", signed(0, 3), indices(), smooth=False),
        loss(op, "no rows, sum", signed(0, 3), indices(), reduction="sum"),
        *[weighted(op, f"weighted, {reduction}", *ROWS, WEIGHT, reduction=reduction) for reduction in REDUCTIONS],
        weighted(op, "weighted, extra axis", *IMAGE, WEIGHT),
        weighted(op, "weighted, ignored rows", *IGNORED, WEIGHT),
        weighted(op, "weighted, a class without weight", *ROWS, exactly([0.0, 1.0, 2.0])),
    ]


CASES = [
    *distances("mse_loss"),
    *distances("l1_loss"),
    *distances("smooth_l1_loss"),
    *distances("smooth_l1_loss", beta=0.5),
    *distances("smooth_l1_loss", beta=0.0),
    *distances("huber_loss"),
    *distances("huber_loss", delta=0.5),
    *binary("binary_cross_entropy", SHARES, exactly([0.0, 1.0, 0.0, 1.0, 0.5])),
    *binary("binary_cross_entropy_with_logits", signed(2, 3), exactly([-800.0, 800.0, -800.0, 800.0, 0.0])),
    weighted(
        "binary_cross_entropy_with_logits", "positive weight", signed(2, 3), SHARES, positive(3), name="pos_weight"
    ),
    weighted(
        "binary_cross_entropy_with_logits",
        "positive weight, none",
        signed(2, 3),
        SHARES,
        positive(2, 1),
        name="pos_weight",
        reduction="none",
    ),
    loss("kl_div", "batchmean", LOGARITHMS, SHARES, reduction="batchmean"),
    loss("kl_div", "sum", LOGARITHMS, SHARES, reduction="sum"),
    loss("kl_div", "none", LOGARITHMS, SHARES, reduction="none"),
    loss("kl_div", "one row of targets", LOGARITHMS, exactly([0.2, 0.3, 0.5]), reduction="batchmean"),
    loss("kl_div", "a target of 0", LOGARITHMS, TARGETS, reduction="sum", fixed=(1,)),
    loss("kl_div", "numbers", exactly(-0.5), exactly(0.5), reduction="batchmean"),
    loss("kl_div", "logarithms", LOGARITHMS, signed(2, 3), reduction="batchmean", log_target=True),
    loss("kl_div", "logarithms, none", LOGARITHMS, signed(2, 3), reduction="none", log_target=True),
    *classes("nll_loss"),
    *classes("cross_entropy"),
    loss("cross_entropy", "large logits", exactly([[1000.0, 0.0], [-1000.0, 1000.0]]), indices(0, 0)),
    loss("cross_entropy", "minus infinity", exactly([[-float("inf"), 0.0, 1.0]]), indices(1), smooth=False),
    *[
        loss("cross_entropy", f"smoothed, {reduction}", *ROWS, label_smoothing=0.2, reduction=reduction)
        for reduction in REDUCTIONS
    ],
    loss("cross_entropy", "smoothed, one sample", signed(3), index(1), label_smoothing=0.2),
    loss("cross_entropy", "smoothed, ignored rows", *IGNORED, label_smoothing=0.2),
    loss("cross_entropy", "smoothed, extra axis", *IMAGE, label_smoothing=0.2),
    loss("cross_entropy", "smoothed to the full", *ROWS, label_smoothing=1.0),
    weighted("cross_entropy", "smoothed, weighted", *ROWS, WEIGHT, label_smoothing=0.2),
    weighted("cross_entropy", "smoothed, weighted, none", *ROWS, WEIGHT, label_smoothing=0.2, reduction="none"),
    weighted(
        "cross_entropy", "smoothed, weighted, a class ignored", *ROWS, WEIGHT, label_smoothing=0.2, ignore_index=0
    ),
    weighted("cross_entropy", "smoothed, a class without weight", *ROWS, exactly([0.0, 1.0, 2.0]), label_smoothing=0.2),
    *[loss("cross_entropy", f"probabilities, {reduction}", *SOFT, reduction=reduction) for reduction in REDUCTIONS],
    loss("cross_entropy", "probabilities, one sample", signed(3), positive(3)),
    loss("cross_entropy", "probabilities, extra axis", signed(2, 3, 2), positive(2, 3, 2)),
    loss("cross_entropy", "probabilities, no rows", signed(0, 3), positive(0, 3), smooth=False),
    weighted("cross_entropy", "probabilities, weighted", *SOFT, WEIGHT),
    loss("cross_entropy", "probabilities, smoothed", *SOFT, label_smoothing=0.2),
    weighted("cross_entropy", "probabilities, smoothed, weighted", *SOFT, WEIGHT, label_smoothing=0.2),
]

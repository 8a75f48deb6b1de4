"""Cases of softmax, log_softmax and cross_entropy."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, Draw, case, exactly, index, indices, positive, signed


def along(op: str, dim: int, *shape: int) -> Case:
    return case(op, f"dim {dim} of shape {shape}", lambda m, x: getattr(m, op)(x, dim=dim), signed(*shape))


def softmaxes(op: str) -> list[Case]:
    return [
        along(op, 0, 4),
        along(op, -1, 2, 3),
        along(op, 0, 2, 3),
        along(op, 1, 2, 3, 2),
        along(op, 1, 3, 1),
        along(op, 0),
        along(op, 1, 0, 3),
        along(op, 0, 0, 3),
        case(op, "large", lambda m, x: getattr(m, op)(x, dim=0), exactly([1000.0, 999.0, -1000.0])),
        case(
            op,
            "with minus infinity",
            lambda m, x: getattr(m, op)(x, dim=0),
            exactly([-float("inf"), 1.0, 2.0]),
            smooth=False,
        ),
    ]


def cross_entropy(title: str, *draws: Draw, smooth: bool = True, weighted: bool = False, **options: Any) -> Case:
    """logits, target and, if weighted, the weight of each class (a constant, which PyTorch demands)."""

    def call(m: Any, logits: Any, target: Any, *rest: Any) -> Any:
        weight = {"weight": rest[0]} if weighted else {}
        return m.nn.functional.cross_entropy(logits, target, **weight, **options)

    return case("cross_entropy", title, call, *draws, smooth=smooth, fixed=(2,) if weighted else ())


ROWS = (signed(4, 3), indices(0, 2, 1, 2))
IMAGE = (signed(2, 3, 2), indices([0, 2], [1, 1]))
IGNORED = (signed(4, 3), indices(0, -100, 1, -100))
SOFT = (signed(2, 3), positive(2, 3))
WEIGHT = exactly([0.2, 1.0, 3.0])

CASES = [
    *softmaxes("softmax"),
    *softmaxes("log_softmax"),
    cross_entropy("rows", *ROWS),
    cross_entropy("rows, sum", *ROWS, reduction="sum"),
    cross_entropy("rows, none", *ROWS, reduction="none"),
    cross_entropy("one sample", signed(3), index(1)),
    cross_entropy("one sample, none", signed(3), index(2), reduction="none"),
    cross_entropy("extra axis", *IMAGE),
    cross_entropy("extra axis, none", *IMAGE, reduction="none"),
    cross_entropy("two extra axes", signed(2, 3, 2, 2), indices([[0, 2], [1, 1]], [[2, 2], [0, 1]])),
    cross_entropy("large logits", exactly([[1000.0, 0.0], [-1000.0, 1000.0]]), indices(0, 0)),
    cross_entropy("ignored rows", *IGNORED),
    cross_entropy("ignored rows, sum", *IGNORED, reduction="sum"),
    cross_entropy("ignored rows, none", *IGNORED, reduction="none"),
    cross_entropy("a class ignored", signed(4, 3), indices(0, 2, 1, 2), ignore_index=2),
    cross_entropy("all ignored", signed(2, 3), indices(-100, -100), smooth=False),
    cross_entropy("all ignored, sum", signed(2, 3), indices(-100, -100), reduction="sum"),
    cross_entropy("no rows", signed(0, 3), indices(), smooth=False),
    cross_entropy("no rows, sum", signed(0, 3), indices(), reduction="sum"),
    cross_entropy("weighted", *ROWS, WEIGHT, weighted=True),
    cross_entropy("weighted, sum", *ROWS, WEIGHT, weighted=True, reduction="sum"),
    cross_entropy("weighted, none", *ROWS, WEIGHT, weighted=True, reduction="none"),
    cross_entropy("weighted, extra axis", *IMAGE, WEIGHT, weighted=True),
    cross_entropy("weighted, ignored rows", *IGNORED, WEIGHT, weighted=True),
    cross_entropy("smoothed", *ROWS, label_smoothing=0.2),
    cross_entropy("smoothed, sum", *ROWS, label_smoothing=0.2, reduction="sum"),
    cross_entropy("smoothed, none", *ROWS, label_smoothing=0.2, reduction="none"),
    cross_entropy("smoothed, ignored rows", *IGNORED, label_smoothing=0.2),
    cross_entropy("smoothed, extra axis", *IMAGE, label_smoothing=0.2),
    cross_entropy("smoothed, weighted", *ROWS, WEIGHT, weighted=True, label_smoothing=0.2),
    cross_entropy("smoothed, weighted, none", *ROWS, WEIGHT, weighted=True, label_smoothing=0.2, reduction="none"),
    cross_entropy(
        "smoothed, weighted, a class ignored", *ROWS, WEIGHT, weighted=True, label_smoothing=0.2, ignore_index=0
    ),
    cross_entropy("smoothed to the full", *ROWS, label_smoothing=1.0),
    cross_entropy("probabilities", *SOFT),
    cross_entropy("probabilities, sum", *SOFT, reduction="sum"),
    cross_entropy("probabilities, none", *SOFT, reduction="none"),
    cross_entropy("probabilities, one sample", signed(3), positive(3)),
    cross_entropy("probabilities, extra axis", signed(2, 3, 2), positive(2, 3, 2)),
    cross_entropy("probabilities, weighted", *SOFT, WEIGHT, weighted=True),
    cross_entropy("probabilities, smoothed", *SOFT, label_smoothing=0.2),
    cross_entropy("probabilities, smoothed, weighted", *SOFT, WEIGHT, weighted=True, label_smoothing=0.2),
]

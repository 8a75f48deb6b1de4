"""softmax and the losses, derived from e**x and ln. `ln_softmax` is where all of classification begins."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from op_table.case import Draw, exactly, indices, positive, signed, spread

import minitorch
from minitorch import Tensor
from minitorch.nn import functional
from twin_table.activations import ln_sigmoid
from twin_table.row import Row


def below_zero(x: Tensor, dim: Any) -> Tensor:
    """x minus its largest, a constant: then no power overflows."""
    return x - Tensor(x.data.max(axis=dim, keepdims=True)) if x.numel() else x


def softmax(x: Tensor, dim: int) -> Tensor:
    powers = below_zero(x, dim).exp()
    return powers / powers.sum(dim, keepdim=True)


def ln_softmax(x: Tensor, dim: int) -> Tensor:
    shifted = below_zero(x, dim)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def ln_of_sum(x: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    top = Tensor(x.data.max(axis=dim, keepdims=True))
    total = (x - top).exp().sum(dim, keepdim=keepdim).log()
    return total + (top if keepdim else top.reshape(total.shape))


def reduced(losses: Tensor, reduction: str) -> Tensor:
    return {"none": losses, "sum": losses.sum(), "mean": losses.sum() / max(losses.numel(), 1)}[reduction]


def classes_last(x: Tensor) -> Tensor:
    """(C,), (N, C) or (N, C, d₁, …) → (N, …, C)."""
    return x if x.ndim < 3 else x.permute(0, *range(2, x.ndim), 1)


def by_class(
    logs: Callable[[Tensor], Tensor], weight: Any = None, ignore: int = -100, reduction: str = "mean", spread: float = 0
) -> Callable[[Tensor, Tensor], Tensor]:
    """-Σ share of the class · its weight · ln p, with the target as a table of shares: the definition."""

    def twin(x: Tensor, target: Tensor) -> Tensor:
        ln_p = logs(classes_last(x))
        count = ln_p.shape[-1]
        counted = target.data != ignore
        onehot = np.eye(count)[np.where(counted, target.data, 0)] * counted[..., None]
        weights = np.ones(count) if weight is None else weight
        shares = ((1 - spread) * onehot + spread / count * counted[..., None]) * weights
        losses = -(ln_p * Tensor(shares)).sum(-1)
        if reduction != "mean":
            return reduced(losses, reduction)
        return losses.sum() / float((onehot * weights).sum())

    return twin


def of_shares(weight: Any, reduction: str, spread: float) -> Callable[[Tensor, Tensor], Tensor]:
    def twin(x: Tensor, target: Tensor) -> Tensor:
        ln_p, shares = ln_softmax(classes_last(x), -1), classes_last(target)
        shares = (shares * (1 - spread) + spread / shares.shape[-1]) * (1.0 if weight is None else Tensor(weight))
        return reduced(-(ln_p * shares).sum(-1), reduction)

    return twin


def huber(difference: Tensor, delta: float) -> Tensor:
    size = difference.abs()
    return minitorch.where(size <= delta, 0.5 * difference * difference, delta * (size - 0.5 * delta))


def bernoulli(p: Tensor, t: Tensor) -> Tensor:
    return -(t * p.log() + (1.0 - t) * (1.0 - p).log())


def bernoulli_of_logits(x: Tensor, t: Tensor, positive_weight: Any = 1.0) -> Tensor:
    return -(positive_weight * t * ln_sigmoid(x) + (1.0 - t) * ln_sigmoid(-x))


WEIGHT = np.array([0.5, 2.0, 0.0, 1.25])
HUGE = exactly([[1000.0, -1000.0, 0.0], [-1000.0, 999.0, 1000.0], [3.0, 3.0, 3.0]])
SHAPES: list[tuple[str, int, Draw]] = [
    ("matrix", 1, signed(3, 5)),
    ("first axis", 0, signed(3, 5)),
    ("middle axis", 1, signed(2, 3, 2)),
    ("batch 1", -1, signed(1, 4)),
    ("one class", 1, signed(3, 1)),
    ("batch 0", 1, signed(0, 3)),
    ("huge", 1, HUGE),
]


def along(name: str, fused: Callable[..., Any], twin: Callable[..., Any]) -> list[Row]:
    return [
        Row(f"{name}: {title}", lambda x, d=dim: fused(x, dim=d), lambda x, d=dim: twin(x, d), [draw])
        for title, dim, draw in SHAPES
    ]


def classified(title: str, *draws: Draw, **options: Any) -> list[Row]:
    """cross_entropy with class numbers, with every reduction."""
    weight, ignore = options.get("weight"), options.get("ignore_index", -100)
    given = options | ({} if weight is None else {"weight": Tensor(weight)})
    return [
        Row(
            f"cross_entropy: {title}, {reduction}",
            lambda x, t, r=reduction: functional.cross_entropy(x, t, reduction=r, **given),
            by_class(lambda x: ln_softmax(x, -1), weight, ignore, reduction, options.get("label_smoothing", 0.0)),
            draws,
        )
        for reduction in ("mean", "sum", "none")
    ]


def shared(title: str, *draws: Draw, **options: Any) -> list[Row]:
    """cross_entropy with probabilities, with every reduction."""
    weight = options.get("weight")
    given = options | ({} if weight is None else {"weight": Tensor(weight)})
    rows = []
    for reduction in ("mean", "sum", "none"):
        twin = of_shares(weight, reduction, options.get("label_smoothing", 0.0))
        if reduction == "mean":  # divided by the number of rows, which is what is left of the shape without the classes

            def fused(x: Tensor, t: Tensor) -> Any:
                return functional.cross_entropy(x, t, **given)
        else:

            def fused(x: Tensor, t: Tensor, r: str = reduction) -> Any:
                return functional.cross_entropy(x, t, reduction=r, **given)

        rows.append(Row(f"cross_entropy of shares: {title}, {reduction}", fused, twin, draws))
    return rows


def paired(name: str, twin: Callable[..., Tensor], *draws: Draw, title: str = "", **options: Any) -> list[Row]:
    """A loss that compares two Tensors number by number, with every reduction."""
    return [
        Row(
            f"{name}: {title}{reduction}",
            lambda *t, r=reduction: getattr(functional, name)(*t, reduction=r, **options),
            lambda *t, r=reduction: reduced(twin(*t), r),
            draws,
        )
        for reduction in ("mean", "sum", "none")
    ]


def over_alignments(targets: list[list[int]], times: list[int], blank: int) -> Callable[[Tensor], Tensor]:
    """-ln Σ of the probabilities of all sequences of classes that are the target without repeats and blanks."""

    def twin(x: Tensor) -> Tensor:
        ln_p = ln_softmax(x, -1)
        found = []
        for sample, (target, count) in enumerate(zip(targets, times, strict=True)):
            likely: Any = 0.0
            for path in itertools.product(range(x.shape[2]), repeat=count):
                if [each for each, _ in itertools.groupby(path) if each != blank] == target:
                    likely = (
                        likely + sum((ln_p[time, sample, each] for time, each in enumerate(path)), Tensor(0.0)).exp()
                    )
            found.append(-likely.log())
        return minitorch.stack(found)

    return twin


ROWS = [
    Row(
        "ctc_loss",
        lambda x: functional.ctc_loss(
            minitorch.log_softmax(x, -1), Tensor([[0, 2], [2, 2], [0, 0]]), [4, 4, 2], [2, 2, 1], 1, "none"
        ),
        over_alignments([[0, 2], [2, 2], [0]], [4, 4, 2], 1),
        [signed(4, 3, 3)],
    ),
    *along("softmax", minitorch.softmax, softmax),
    *along("softmin", functional.softmin, lambda x, dim: softmax(-x, dim)),
    *along("log_softmax", minitorch.log_softmax, ln_softmax),
    *along("logsumexp", minitorch.logsumexp, ln_of_sum)[:-2],  # of batch 0 too, below
    Row("logsumexp: huge", lambda x: x.logsumexp(1), lambda x: ln_of_sum(x, 1), [HUGE]),
    Row("logsumexp: all axes", lambda x: x.logsumexp((0, 1)), lambda x: ln_of_sum(x, (0, 1)), [signed(3, 4)]),
    Row("logsumexp: keepdim", lambda x: x.logsumexp(1, True), lambda x: ln_of_sum(x, 1, True), [signed(3, 4)]),
    *classified("matrix", signed(5, 4), indices(0, 3, 1, 1, 2)),
    *classified("batch 1", signed(1, 4), indices(2)),
    *classified("one row without batch", signed(4), exactly(2, np.int64)),
    *classified("places", signed(2, 4, 3), indices([0, 3, 1], [1, 2, 0])),
    *classified("weighted", signed(5, 4), indices(0, 3, 1, 1, 2), weight=WEIGHT),
    *classified("ignored", signed(5, 4), indices(0, 3, 1, -100, 2)),
    *classified("one class ignored", signed(5, 4), indices(0, 3, 1, 1, 2), ignore_index=1),
    *classified("smoothed", signed(5, 4), indices(0, 3, 1, 1, 2), label_smoothing=0.3),
    *classified(
        "smoothed, places", signed(2, 4, 3), indices([0, 3, 1], [1, -1, 0]), ignore_index=-1, label_smoothing=1
    ),
    *classified(
        "all options", signed(5, 4), indices(0, 3, 1, 1, 2), weight=WEIGHT, ignore_index=1, label_smoothing=0.1
    ),
    *classified("huge", HUGE, indices(1, 2, 0)),
    *classified("batch 0", signed(0, 4), indices())[1:],  # a mean of nothing is nan
    *shared("matrix", signed(5, 4), positive(5, 4)),
    *shared("batch 1", signed(1, 4), positive(1, 4)),
    *shared("places", signed(2, 4, 3), positive(2, 4, 3)),
    *shared("weighted and smoothed", signed(5, 4), positive(5, 4), weight=WEIGHT, label_smoothing=0.2),
    *[
        Row(
            f"nll_loss: {title}, {reduction}",
            lambda x, t, r=reduction, w=weight: functional.nll_loss(
                x, t, None if w is None else Tensor(w), reduction=r
            ),
            by_class(lambda x: x, weight, reduction=reduction),
            [signed(*shape), indices(*labels)],
        )
        for title, shape, labels, weight in [
            ("matrix", (3, 4), (0, 3, 1), None),
            ("weighted, ignored", (3, 4), (0, -100, 3), WEIGHT),
            ("places", (2, 4, 2), ([0, 1], [3, 1]), None),
        ]
        for reduction in ("mean", "sum", "none")
    ],
    *paired("mse_loss", lambda x, t: (x - t) * (x - t), signed(3, 5), signed(3, 5)),
    *paired("mse_loss", lambda x, t: (x - t) * (x - t), signed(1), signed(1), title="batch 1, "),
    *paired("l1_loss", lambda x, t: (x - t).abs(), spread(3, 5), exactly(np.zeros((3, 5)))),
    *paired("huber_loss", lambda x, t: huber(x - t, 1.5), spread(3, 5), exactly(np.zeros((3, 5))), delta=1.5),
    *paired("smooth_l1_loss", lambda x, t: huber(x - t, 0.7) / 0.7, spread(3, 5), exactly(np.zeros((3, 5))), beta=0.7),
    *paired("smooth_l1_loss", lambda x, t: (x - t).abs(), spread(4), exactly(np.zeros(4)), title="beta 0, ", beta=0.0),
    *paired("binary_cross_entropy", bernoulli, exactly([[0.1, 0.5], [0.7, 0.99]]), exactly([[1.0, 0.3], [0.0, 0.6]])),
    *paired("binary_cross_entropy_with_logits", bernoulli_of_logits, signed(3, 4), positive(3, 4)),
    *paired(
        "binary_cross_entropy_with_logits",
        bernoulli_of_logits,
        exactly([-800.0, 800.0, 30.0]),
        exactly([1.0, 0.0, 0.5]),
        title="huge, ",
    ),
    *paired(
        "binary_cross_entropy_with_logits",
        lambda x, t: bernoulli_of_logits(x, t, Tensor(WEIGHT)),
        signed(3, 4),
        positive(3, 4),
        title="weighted, ",
        pos_weight=Tensor(WEIGHT),
    ),
    *paired("kl_div", lambda x, t: t * (t.log() - x), signed(3, 4), positive(3, 4)),
    *paired("kl_div", lambda x, t: t.exp() * (t - x), signed(3, 4), signed(3, 4), title="logs, ", log_target=True),
]

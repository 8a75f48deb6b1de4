"""Losses of margins between classes: the right one ahead of the others, or all that are right ahead of the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import extremes, xp
from minitorch.compat.nn.functional.activation import logsigmoid
from minitorch.compat.ops.gather_scatter import gather
from minitorch.errors import DtypeError, IndexingError, ShapeError
from minitorch.nn.functional.loss import Reduction, reduced, require_reduction
from minitorch.ops.arithmetic import add, div, mul, pow, sub
from minitorch.ops.choice import clamp_min
from minitorch.ops.movement import reshape, unsqueeze
from minitorch.ops.reduce import mean
from minitorch.ops.reduce import sum as sum_
from minitorch.ops.unary import neg
from minitorch.types import TensorLike

__all__ = ["multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss"]


def multi_margin_loss(
    input: TensorLike,
    target: TensorLike,
    p: int = 1,
    margin: float = 1.0,
    weight: TensorLike | None = None,
    *,
    reduction: Reduction = "mean",
) -> Tensor:
    """Σⱼ weight[y] · max(margin - input[y] + input[j], 0)ᵖ / C over the classes j ≠ y = target; averaged.

    (N, C), (N,) → (), or (N,) for "none"; also (C,), (). p: 1 or 2. weight: (C,), a factor for each class.
    Raises ValueError for another p and shapes that do not fit, IndexError for a class that does not exist.

    >>> from minitorch import Tensor
    >>> multi_margin_loss(Tensor([[0.5, 1.0, 0.0]]), Tensor([0]))
    tensor(0.6667)
    """
    require_reduction("multi_margin_loss", reduction)
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss: p must be 1 or 2, not {p}")
    rows, labels = _rows_and_labels("multi_margin_loss", input, target, 0)
    classes = as_array(rows).shape[1]
    right = gather(rows, 1, constant(labels[:, None]))
    missed = pow(clamp_min(add(sub(rows, right), margin), 0), p)
    counted = xp(labels).arange(classes) != labels[:, None]
    if weight is not None:
        if as_array(weight).shape != (classes,):
            raise ShapeError(f"multi_margin_loss: weight has shape {as_array(weight).shape}, not ({classes},)")
        missed = mul(missed, as_array(weight)[labels][:, None])
    losses = div(sum_(mul(missed, counted.astype(missed.dtype)), 1), classes)
    return reduced(reshape(losses, as_array(input).shape[:-1]), reduction)


def multilabel_margin_loss(input: TensorLike, target: TensorLike, *, reduction: Reduction = "mean") -> Tensor:
    """Σᵢⱼ max(1 - input[i] + input[j], 0) / C over classes i in the target and j that are not; averaged.

    (N, C), (N, C) → (), or (N,) for "none"; also (C,), (C,). target: numbers of classes, as many as there are, and
    from the first -1 on nothing counts. Raises ValueError when shapes differ, IndexError for a class that does not
    exist.

    >>> from minitorch import Tensor
    >>> multilabel_margin_loss(Tensor([[0.5, 1.0, 0.0]]), Tensor([[1, -1, 0]]))
    tensor(0.1667)
    """
    require_reduction("multilabel_margin_loss", reduction)
    rows, labels = _rows_and_labels("multilabel_margin_loss", input, target, -1)
    classes = as_array(rows).shape[1]
    library, dtype = xp(labels), as_array(rows).dtype
    named = np.cumsum(labels < 0, axis=1) == 0  # those before the first -1
    right = gather(rows, 1, constant(np.where(named, labels, 0)))
    wrong = ~((labels[:, :, None] == library.arange(classes)) & named[:, :, None]).any(axis=1)
    pairs = (named[:, :, None] & wrong[:, None, :]).astype(dtype)
    missed = clamp_min(add(sub(unsqueeze(rows, 1), unsqueeze(right, 2)), 1.0), 0)
    losses = div(sum_(mul(missed, pairs), (1, 2)), classes)
    return reduced(reshape(losses, as_array(input).shape[:-1]), reduction)


def multilabel_soft_margin_loss(
    input: TensorLike, target: TensorLike, weight: TensorLike | None = None, *, reduction: Reduction = "mean"
) -> Tensor:
    """-Σ (t ln σ(input) + (1 - t) ln σ(-input)) / C over the classes, with t = target of 0 and 1; averaged.

    (N, C), (N, C) → (), or (N,) for "none". weight: a factor for each class, broadcast.

    >>> from minitorch import Tensor
    >>> multilabel_soft_margin_loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """
    require_reduction("multilabel_soft_margin_loss", reduction)
    losses = neg(add(mul(target, logsigmoid(input)), mul(sub(1, target), logsigmoid(neg(input)))))
    return reduced(mean(losses if weight is None else mul(losses, weight), -1), reduction)


def _rows_and_labels(name: str, input: TensorLike, target: TensorLike, least: int) -> tuple[Any, Any]:
    """The input as rows of classes, and the class numbers beside them. Raises for what does not fit."""
    shape, labels = as_array(input).shape, as_array(target)
    fitting = shape[:-1] if least == 0 else shape
    if len(shape) not in (1, 2) or labels.shape != fitting:
        raise ShapeError(
            f"{name}: input has shape {shape} and target {labels.shape}, but (N, C) or (C,) is needed and {fitting}"
        )
    if labels.dtype.kind not in "iu":
        raise DtypeError(f"{name}: target must hold class numbers, which are integers, not {labels.dtype}")
    if labels.size:
        low, high = extremes(labels)
        wrong = low if low < least else high
        if not least <= wrong < shape[-1]:
            raise IndexingError(f"{name}: class {wrong} in target, but the classes are 0 to {shape[-1] - 1}")
    rows = input if len(shape) == 2 else reshape(input, (1, *shape))
    return rows, labels.reshape(as_array(rows).shape if least else -1)

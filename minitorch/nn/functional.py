"""The functions of neural networks, under PyTorch's names."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from minitorch.autograd.handle import as_array, constant
from minitorch.ops.elementwise import add, div, mul, neg, relu, sigmoid, tanh
from minitorch.ops.fused import cross_entropy_rows, log_softmax, softmax
from minitorch.ops.movement import permute, reshape
from minitorch.ops.reduce import sum as sum_
from minitorch.types import Shape, TensorLike

__all__ = ["cross_entropy", "log_softmax", "relu", "sigmoid", "softmax", "tanh"]

Reduction = Literal["mean", "sum", "none"]


def cross_entropy(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    ignore_index: int = -100,
    reduction: Reduction = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """-ln softmax(input) at the target class: how surprised the model is, in nats.

    input: logits, (C,), (N, C) or (N, C, d₁, …). target: class numbers, () or (N,) or (N, d₁, …), integers; or
    probabilities of input's shape, floats. weight: (C,), a factor for each class. Rows whose class is `ignore_index`
    count for nothing. label_smoothing: the share of the target that is spread evenly over the classes.
    "mean" divides by the sum of the weights of the rows that count (by the number of rows for probabilities).

    dL/dinput = (softmax(input) - target) / N. Raises ValueError on shapes that do not fit, IndexError on a class number
    outside 0 … C-1.

    >>> from minitorch import Tensor
    >>> cross_entropy(Tensor([[2.0, 0.0], [0.0, 0.0]]), Tensor([0, 1]))
    tensor(0.4100)
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"cross_entropy: reduction must be 'mean', 'sum' or 'none', not {reduction!r}")
    if not 0.0 <= label_smoothing <= 1.0:
        raise ValueError(f"cross_entropy: label_smoothing must lie between 0 and 1, not {label_smoothing}")
    if getattr(weight, "requires_grad", False):
        raise TypeError("cross_entropy: no gradient rule for 'weight': pass weight.detach()")
    logits, labels = as_array(input), as_array(target)
    classes = _class_count(logits.shape)
    weights = np.ones(classes, logits.dtype) if weight is None else as_array(weight)
    if weights.shape != (classes,):
        raise ValueError(f"cross_entropy: weight has shape {weights.shape}, but there are {classes} classes")
    rows = _rows(input, logits.shape)  # (N·d₁·…, C)
    if labels.dtype.kind == "f":
        if labels.shape != logits.shape:
            raise ValueError(
                f"cross_entropy: target holds floats, so it must be probabilities of input's shape {logits.shape}, "
                f"not {labels.shape}; class numbers must be integers"
            )
        soft = add(mul(_rows(target, labels.shape), 1 - label_smoothing), label_smoothing / classes)
        losses = _soft_losses(rows, mul(soft, weights))
        return _reduced(losses, reduction, len(losses), _sample_shape(logits.shape))
    if labels.shape != _sample_shape(logits.shape):
        raise ValueError(
            f"cross_entropy: target has shape {labels.shape}, but input of shape {logits.shape} "
            f"needs {_sample_shape(logits.shape)}"
        )
    labels = labels.reshape(-1).astype(np.int64)
    counted = labels != ignore_index
    _check_classes(labels[counted], classes)
    labels = np.where(counted, labels, 0)
    scale = (weights[labels] * counted).astype(logits.dtype, copy=False)
    if label_smoothing:
        onehot = (np.arange(classes) == labels[:, None]) * (scale * (1 - label_smoothing))[:, None]
        spread = weights * counted[:, None] * (label_smoothing / classes)
        losses = _soft_losses(rows, constant((onehot + spread).astype(logits.dtype, copy=False)))
    else:
        losses = cross_entropy_rows(rows, labels, scale)
    return _reduced(losses, reduction, scale.sum(), _sample_shape(logits.shape))


def _class_count(shape: Shape) -> int:
    if not shape:
        raise ValueError("cross_entropy: input must have a class axis: (C,), (N, C) or (N, C, d₁, …), not ()")
    return shape[0] if len(shape) == 1 else shape[1]


def _sample_shape(shape: Shape) -> Shape:
    """The shape without its class axis: (C,) → (), (N, C, d₁, …) → (N, d₁, …)."""
    return () if len(shape) == 1 else (shape[0], *shape[2:])


def _rows(values: TensorLike, shape: Shape) -> Any:
    """The class axis last, and all samples in one axis: (N, C, d₁, …) → (N·d₁·…, C)."""
    if len(shape) > 2:
        values = permute(values, (0, *range(2, len(shape)), 1))
    return values if len(shape) == 2 else reshape(values, (-1, _class_count(shape)))


def _soft_losses(rows: TensorLike, coefficients: TensorLike) -> Any:
    """-Σ coefficient · log_softmax for each row, (N, C) → (N,)."""
    return neg(sum_(mul(coefficients, log_softmax(rows, 1)), 1))


def _reduced(losses: Any, reduction: Reduction, divisor: Any, shape: Shape) -> Any:
    if reduction == "none":
        return reshape(losses, shape)
    total = sum_(losses)
    if reduction == "sum":
        return total
    if divisor == 0:
        return add(total, np.nan)  # the mean of nothing; nothing gets a gradient, as in PyTorch
    return div(total, np.asarray(divisor, as_array(losses).dtype))


def _check_classes(labels: np.ndarray, classes: int) -> None:
    wrong = (labels < 0) | (labels >= classes)
    if wrong.any():
        raise IndexError(f"cross_entropy: class {labels[wrong][0]} in target, but the classes are 0 to {classes - 1}")

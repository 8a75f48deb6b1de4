"""Losses of classification: how surprised the model is by the class that it was."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import as_number, on_gpu, require_one_device, stood_in_for, to_host, xp
from minitorch.callers import warn
from minitorch.errors import DtypeError, ShapeError
from minitorch.nn.functional.loss import Reduction, require_reduction
from minitorch.ops.arithmetic import add, div, mul
from minitorch.ops.index import pick
from minitorch.ops.movement import permute, reshape
from minitorch.ops.reduce import mean
from minitorch.ops.reduce import sum as sum_
from minitorch.ops.softmax import cross_entropy_rows, cross_entropy_total, log_softmax
from minitorch.ops.unary import neg
from minitorch.types import Shape, TensorLike

__all__ = ["cross_entropy", "nll_loss"]


def cross_entropy(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    *,
    ignore_index: int = -100,
    reduction: Reduction = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """-ln softmax(input) at the target class, the model's surprise in nats: (N, C), (N,) → (), or (N,) for "none".

    input: logits, also (C,) with target (), or (N, C, d₁, …) with (N, d₁, …). target: class numbers, integers; or
    probabilities of input's shape, floats. weight: (C,), a factor for each class. Rows whose class is `ignore_index`
    count for nothing. label_smoothing: the share of the target that is spread evenly over the classes.
    "mean" divides by the sum of the weights of the rows that count (by the number of rows for probabilities).

    dL/dinput = (softmax(input) - target) / N. Warns (UserWarning) of an input that softmax made. Raises ValueError on
    shapes that do not fit, IndexError on a class number outside 0 … C-1.

    >>> from minitorch import Tensor
    >>> cross_entropy(Tensor([[2.0, 0.0], [0.0, 0.0]]), Tensor([0, 1]))
    tensor(0.4100)
    """
    name = "cross_entropy"
    require_reduction(name, reduction)
    node = getattr(input, "_node", None)
    if node is not None and node.rule is not None and node.rule.name == "softmax":
        warn(f"{name}: input is what softmax made, and {name} takes the softmax itself: give it the logits")
    logits, labels = as_array(input), as_array(target)
    if reduction == "mean" and weight is None and not label_smoothing and _all_count(logits, labels, ignore_index):
        return cross_entropy_total(input, labels, 1 / len(labels))  # nearly always; what follows is 5 µs of questions
    if not 0.0 <= label_smoothing <= 1.0:
        raise ValueError(f"{name}: label_smoothing must lie between 0 and 1, not {label_smoothing}")
    shape = logits.shape
    _require_weight(name, weight, _class_count(name, shape))
    rows = _class_rows(input, shape)  # (N·d₁·…, C)
    samples = _sample_shape(shape)
    if labels.dtype.kind == "f":
        losses = _soft_losses(rows, _shares(target, shape, weight, label_smoothing))
        return _reduced(losses, reduction, math.prod(samples), samples)
    targets = _class_targets(name, input, target, weight, ignore_index)
    if label_smoothing:
        losses = _soft_losses(rows, constant(_smoothed(targets, weight, as_array(input), label_smoothing)))
        return _reduced(losses, reduction, targets.divisor, samples)
    labels, scale = targets.asarray_like(as_array(input))
    if reduction == "none" or not targets.divisor:
        return _reduced(cross_entropy_rows(rows, labels, scale), reduction, targets.divisor, samples)
    return cross_entropy_total(rows, labels, scale if reduction == "sum" else scale / targets.divisor)


def nll_loss(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    *,
    ignore_index: int = -100,
    reduction: Reduction = "mean",
) -> Tensor:
    """-input at the target class, where input holds ln of probabilities: (N, C), (N,) → (), or (N,) for "none".

    input: as `log_softmax` makes it, also (C,) with target (), or (N, C, d₁, …) with (N, d₁, …). target: integers.
    weight: (C,), a factor for each class. Rows whose class is `ignore_index` count for nothing.
    "mean" divides by the sum of the weights of the rows that count.

    dL/dinput = -1 / N at the target class, else 0. Raises ValueError on shapes that do not fit, TypeError on a
    target of floats, IndexError on a class number outside 0 … C-1.

    >>> from minitorch import Tensor
    >>> nll_loss(Tensor([[-0.5, -1.0], [-2.0, -0.1]]), Tensor([0, 1]))
    tensor(0.3000)
    """
    name = "nll_loss"
    require_reduction(name, reduction)
    shape = as_array(input).shape
    _require_weight(name, weight, _class_count(name, shape))
    targets = _class_targets(name, input, target, weight, ignore_index)
    labels, scale = targets.asarray_like(as_array(input))
    picked = pick(_class_rows(input, shape), (xp(labels).arange(len(labels)), labels))
    losses = mul(picked, -scale if isinstance(scale, float) else constant(-scale))
    return _reduced(losses, reduction, targets.divisor, _sample_shape(shape))


# -- shapes ------------------------------------------------------------------------------------------------------------


def _class_count(name: str, shape: Shape) -> int:
    if not shape:
        raise ShapeError(f"{name}: input must have a class axis: (C,), (N, C) or (N, C, d₁, …), not ()")
    return shape[0] if len(shape) == 1 else shape[1]


def _sample_shape(shape: Shape) -> Shape:
    """The shape without its class axis: (C,) → (), (N, C, d₁, …) → (N, d₁, …)."""
    return () if len(shape) == 1 else (shape[0], *shape[2:])


def _class_rows(values: TensorLike, shape: Shape) -> TensorLike:
    """The class axis last, and all samples in one axis: (N, C, d₁, …) → (N·d₁·…, C)."""
    if len(shape) == 2:
        return values
    if len(shape) > 2:
        values = permute(values, (0, *range(2, len(shape)), 1))
    return reshape(values, (-1, shape[min(1, len(shape) - 1)]))


def _reduced(losses: Any, reduction: str, divisor: Any, shape: Shape) -> Tensor:
    """The losses (N·d₁·…,) in the shape of the samples, their sum, or their sum divided by what counts."""
    if reduction == "none":
        return losses if len(shape) == 1 else reshape(losses, shape)
    if reduction == "sum":
        return sum_(losses)
    if divisor == 0:
        return add(sum_(losses), np.nan)  # the mean of nothing; nothing gets a gradient, as in PyTorch
    return mean(losses) if divisor == as_array(losses).size else div(sum_(losses), divisor)


# -- targets -----------------------------------------------------------------------------------------------------------


def _shares(target: TensorLike, shape: Shape, weight: Any, smoothing: float) -> Tensor:
    """Return the weight of each class of each row where the target holds probabilities: (N·d₁·…, C)."""
    given = as_array(target).shape
    if given != shape:
        raise ShapeError(
            f"cross_entropy: target holds floats, so it must be probabilities of input's shape {shape}, not {given}; "
            f"class numbers must be integers"
        )
    shares = add(mul(_class_rows(target, shape), 1 - smoothing), smoothing / _class_count("", shape))
    return shares if weight is None else mul(shares, weight)


def _soft_losses(rows: TensorLike, coefficients: TensorLike) -> Tensor:
    """-Σ coefficient · log_softmax for each row, (N, C) → (N,)."""
    return neg(sum_(mul(coefficients, log_softmax(rows, 1)), 1))


class _ClassTargets(NamedTuple):
    """The classes that a target of integers names, one entry for each row: where the target is, or on the host.

    labels: class numbers, 0 for rows that do not count. counted: which rows count. scale: what each row's loss is
    multiplied with; one number where that is the same for all. divisor: what a mean divides by, a number, or a stand-in
    for one.
    """

    labels: np.ndarray
    counted: np.ndarray
    scale: Any
    divisor: Any

    def asarray_like(self, array: Any) -> tuple[Any, Any]:
        """Return labels and scale as arrays of `array`'s library, on its device."""
        there = xp(array).asarray
        return there(self.labels), self.scale if isinstance(self.scale, float) else there(self.scale)


def _all_count(logits: Any, labels: Any, ignore_index: int) -> bool:
    """Return whether each row of logits, (N, C), has one label that is a class, (N,), and each counts the same."""
    if logits.ndim != 2 or labels.shape != logits.shape[:1] or labels.dtype != np.int64 or not labels.size:
        return False
    classes = logits.shape[1]
    if 0 <= ignore_index < classes or type(labels) is not type(logits):
        return False
    # Plainly labels.min() >= 0 and labels.max() < classes, 3 % of a step of the small MLP. Read without a sign, -1 is
    # larger than any class, so that one comparison finds labels that are too low and too high.
    unsigned = labels.view(np.uint64)
    largest_label = unsigned[unsigned.argmax()]
    labels_fit = largest_label < classes  # is each label a class?
    return bool(labels_fit)


def _class_targets(name: str, input: TensorLike, target: TensorLike, weight: Any, ignore_index: int) -> _ClassTargets:
    """Reads class numbers, and notices a wrong one, which a GPU would wrap round without a word.

    Of a target on a GPU one bool comes to the host where all rows count alike, else all of it.
    """
    shape, dtype = as_array(input).shape, as_array(input).dtype
    labels = as_array(target)
    if not on_gpu(as_array(input)):
        require_one_device(name, input, target=target, weight=weight)
    if labels.dtype.kind not in "iu":
        raise DtypeError(f"{name}: target must hold class numbers, which are integers, not {labels.dtype}")
    if labels.shape != _sample_shape(shape):
        raise ShapeError(
            f"{name}: target has shape {labels.shape}, but input of shape {shape} needs {_sample_shape(shape)}"
        )
    labels = labels.reshape(-1).astype(np.int64, copy=False)
    classes = _class_count(name, shape)
    inside = np.logical_and(labels >= 0, labels < classes)
    if weight is None and not 0 <= ignore_index < classes and inside.all():
        return _ClassTargets(labels, inside, 1.0, labels.size)
    labels, inside = to_host(labels), to_host(inside)
    counted = labels != ignore_index
    wrong = counted & ~inside
    if wrong.any():
        first = stood_in_for(labels)[stood_in_for(wrong)][0]
        raise IndexError(f"{name}: class {first} in target, but the classes are 0 to {classes - 1}")
    labels = np.where(counted, labels, 0)
    scale = counted.astype(dtype) if weight is None else xp(labels).take(to_host(as_array(weight)), labels) * counted
    return _ClassTargets(labels, counted, scale.astype(dtype, copy=False), as_number(scale.sum()))


def _smoothed(targets: _ClassTargets, weight: Any, logits: Any, smoothing: float) -> Any:
    """Return the weight of each class of each row, (N, C), where the target is spread over all classes."""
    classes = _class_count("", logits.shape)
    library = xp(logits)
    labels, scale = targets.asarray_like(logits)
    counted = library.asarray(targets.counted)
    weights = library.ones(classes) if weight is None else library.asarray(as_array(weight))
    onehot = (library.arange(classes) == labels[:, None]) * (counted * scale)[:, None]
    spread = weights * counted[:, None] / classes
    return (onehot * (1 - smoothing) + spread * smoothing).astype(logits.dtype)


def _require_weight(name: str, weight: Any, classes: int) -> None:
    if weight is None:
        return
    if getattr(weight, "requires_grad", False):
        raise TypeError(f"{name}: no gradient rule for 'weight': pass weight.detach()")
    if as_array(weight).shape != (classes,):
        raise ShapeError(f"{name}: weight has shape {as_array(weight).shape}, but there are {classes} classes")

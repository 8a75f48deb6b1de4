"""Losses: how far the output is from the target, number by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import extremes
from minitorch.callers import warn
from minitorch.errors import OperandError, ShapeError
from minitorch.moved import moved_names
from minitorch.ops.arithmetic import div, mul, sub
from minitorch.ops.reduce import mean
from minitorch.ops.reduce import sum as sum_
from minitorch.ops.unary import abs as abs_
from minitorch.ops.unary import square
from minitorch.types import TensorLike

__all__ = ["binary_cross_entropy", "mse_loss", "smooth_l1_loss"]

Reduction = Literal["mean", "sum", "none"]


def mse_loss(input: TensorLike, target: TensorLike, *, reduction: Reduction = "mean") -> Tensor:
    """(input - target)², averaged: (…), (…) → (), or (…) for "none". dL/dinput = 2 (input - target) / n.

    Shapes that differ are broadcast, with a warning.

    >>> from minitorch import Tensor
    >>> mse_loss(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(5.)
    """
    difference = difference_of("mse_loss", input, target, reduction)
    return reduced(square(difference), reduction)


def smooth_l1_loss(
    input: TensorLike, target: TensorLike, *, reduction: Reduction = "mean", beta: float = 1.0
) -> Tensor:
    """d² / (2 beta) where |d| < beta, else |d| - beta / 2, with d = input - target; averaged.

    (…), (…) → (), or (…) for "none". It is huber_loss / beta; for beta = 0 it is l1_loss.
    dL/dinput = d / beta, kept within -1 … 1, divided by n.
    Shapes that differ are broadcast, with a warning. Raises ValueError when beta is negative.
    Source: Girshick, 2015, Fast R-CNN.

    >>> from minitorch import Tensor
    >>> smooth_l1_loss(Tensor([1.0, 4.0]), Tensor([0.0, 1.0]))
    tensor(1.5000)
    """
    difference = difference_of("smooth_l1_loss", input, target, reduction)
    if beta < 0:
        raise ValueError(f"smooth_l1_loss: beta must not be negative, but is {beta}")
    return reduced(div(huber(difference, beta), beta) if beta else abs_(difference), reduction)


@primitive(name="huber")
def huber(difference: Any, delta: float) -> Any:
    """c · (d - c/2), where c is d kept within -delta … delta: a square in the middle, lines outside."""
    bounded = np.clip(difference, -delta, delta)
    return bounded * (difference - bounded / 2)


huber.vjp(difference=lambda g, difference, delta: g * np.clip(difference, -delta, delta))


def binary_cross_entropy(
    input: TensorLike, target: TensorLike, weight: TensorLike | None = None, *, reduction: Reduction = "mean"
) -> Tensor:
    """-(t ln p + (1 - t) ln(1 - p)) for probabilities p = input and t = target, averaged.

    (…), (…) → (), or (…) for "none". weight: a factor, broadcast.
    Each logarithm counts as -100 at least, so that the loss is finite.
    dL/dp = (p - t) / (p (1 - p)) / n, the denominator at least 1e-12. For logits there is a stabler function,
    `binary_cross_entropy_with_logits`. Raises ValueError when shapes differ or a number lies outside 0 … 1.

    >>> from minitorch import Tensor
    >>> binary_cross_entropy(Tensor([0.5, 0.9]), Tensor([1.0, 1.0]))
    tensor(0.3993)
    """
    name = "binary_cross_entropy"
    require_reduction(name, reduction)
    require_one_shape(name, input, target)
    _require_probabilities(name, input=input, target=target)
    losses = _bernoulli(input, target)
    return reduced(losses if weight is None else mul(losses, weight), reduction)


@primitive(name="binary_cross_entropy", promotes=False)
def _bernoulli(input: Any, target: Any) -> Any:
    """-(t ln p + (1 - t) ln(1 - p)), each logarithm at least -100."""
    with np.errstate(divide="ignore"):  # ln 0 is what the bound is for
        yes, no = np.maximum(np.log(input), -100), np.maximum(np.log1p(-input), -100)
    return -(target * yes + (1 - target) * no)


_bernoulli.vjp(
    input=lambda g, input, target: g * (input - target) / np.maximum(input * (1 - input), 1e-12),
    target=lambda g, input: g * (np.log1p(-input) - np.log(input)),
)


_REDUCTIONS: dict[str, Callable[[Any], Tensor]] = {"mean": mean, "sum": sum_, "none": lambda losses: losses}


def reduced(losses: Any, reduction: str) -> Tensor:
    """The mean of the losses, their sum, or all of them."""
    return _REDUCTIONS[reduction](losses)


def require_reduction(name: str, reduction: str, *others: str) -> None:
    """Raises ValueError for a word that is none of the reductions."""
    known = (*_REDUCTIONS, *others)
    if reduction not in known:
        words = ", ".join(map(repr, known[:-1]))
        raise ValueError(f"{name}: reduction must be {words} or {known[-1]!r}, not {reduction!r}")


def difference_of(name: str, input: TensorLike, target: TensorLike, reduction: str) -> Tensor:
    require_reduction(name, reduction)
    ours, theirs = as_array(input).shape, as_array(target).shape
    if ours != theirs:
        warn(
            f"{name}: input has shape {ours} and target {theirs}; every pairing of the two is compared, which is "
            f"hardly meant: reshape one of them"
        )
    return sub(input, target)


def require_one_shape(name: str, input: TensorLike, target: TensorLike) -> None:
    ours, theirs = as_array(input).shape, as_array(target).shape
    if ours != theirs:
        raise ShapeError(f"{name}: input has shape {ours}, but target {theirs}: they must be equal")


def _require_probabilities(name: str, **tensors: TensorLike) -> None:
    for label, tensor in tensors.items():
        array = as_array(tensor)
        low, high = extremes(array) if array.size else (0, 0)
        if not (low >= 0 and high <= 1):  # nan fails too
            raise OperandError(f"{name}: {label} must hold probabilities between 0 and 1")


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.loss import *
else:
    __getattr__, __dir__ = moved_names(__name__)

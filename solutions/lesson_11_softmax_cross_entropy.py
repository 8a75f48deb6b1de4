"""Lesson 11, softmax and cross-entropy: from scores to probabilities, and from there to a loss with a gradient.

The rules take NumPy arrays of floats and return new ones; they change nothing that they are given.

    g         the gradient that arrives at a result: an array of the result's shape, or one number for one number
    scores    (N, C): one row for each of N examples, one number for each of C classes
    targets   (N,): the right class of each row, whole numbers from 0 to C - 1

training_step takes the Tensors of lesson 05. The other operations on Tensors are given: cross_entropy_loss calls your
functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = Any  # a NumPy array


def softmax(x: Array, axis: int) -> Array:
    """Return exp(x), divided by its sum along axis: positive numbers that add up to 1 along axis.

    x: one axis or more, numbers of any size. axis: one whole number, may be negative. Returns x's shape.

        softmax([0., log(3.)], 0) is [0.25, 0.75], and so is softmax([1000., 1000. + log(3.)], 0)
    """
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax_vjp(g: Array, x: Array, axis: int) -> Array:
    """Return the gradient of x, where g is the gradient of softmax(x, axis).

    g and x: arrays of one shape, one axis or more; the numbers of g may have any sign. axis: one whole number, may be
    negative. Returns x's shape.

        x = [0., log(3.)], g = [1., 0.], axis 0:  softmax is [0.25, 0.75], and the gradient is [0.1875, -0.1875]
    """
    p = softmax(x, axis)
    average = (g * p).sum(axis=axis, keepdims=True)
    return p * (g - average)


def cross_entropy(scores: Array, targets: Array) -> float:
    """Return the mean over the rows of -log(softmax of the row at its target). Never infinite for finite scores.

    scores: (N, C), targets: (N,) whole numbers. Returns one number.

        cross_entropy([[0., log(3.)]], [0]) is -log(0.25) = 1.3863, and cross_entropy([[0., 1000.]], [0]) is 1000.0
    """
    rows = np.arange(len(targets))
    shifted = scores - scores.max(axis=1, keepdims=True)
    losses = np.log(np.exp(shifted).sum(axis=1)) - shifted[rows, targets]
    return losses.mean()


def cross_entropy_vjp(g: float, scores: Array, targets: Array) -> Array:
    """Return the gradient of scores, where g is the gradient of cross_entropy(scores, targets).

    g: one number, scores: (N, C), targets: (N,) whole numbers. Returns (N, C).

        g = 1.0, scores = [[0., log(3.)]], targets = [0]:  the gradient is [[-0.75, 0.75]]
    """
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / len(targets))


def training_step(parameters: Sequence[Any], loss_of: Callable[[], Any], lr: float) -> float:
    """Make one step of training on Tensors. Return the loss before the step, a plain number.

    parameters: a list of leaves; whatever their grads hold when the call begins has no part in the step. One that the
    loss does not use keeps its numbers. loss_of: takes nothing; each call computes the loss anew, as one Tensor of
    shape (). Its method backward() adds to the grads of the leaves. lr: one positive number.

        p.data is [3., 1.], loss_of computes (p * p).sum(): the loss is 10.0, and its gradient is [6., 2.]
        training_step([p], loss_of, lr=0.1) returns 10.0; after it p.data is [2.4, 0.8]
    """
    for parameter in parameters:
        parameter.grad = None
    loss = loss_of()
    loss.backward()
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data = parameter.data - lr * parameter.grad
    return float(loss.data)


def logsumexp(x: Array, axis: int) -> Array:
    """Return the logarithm of the sum of exp(x) along axis.

    x: one axis or more, numbers of any size. axis: one whole number, may be negative.
    Returns x's shape without axis: one number where x has one axis.

        logsumexp([0., log(3.)], 0) is log(4.) = 1.3863, and logsumexp([1000., 1000. + log(3.)], 0) is 1001.3863
    """
    largest = x.max(axis=axis, keepdims=True)
    sums = np.exp(x - largest).sum(axis=axis)
    return np.log(sums) + largest.squeeze(axis)


# ------------------------------------------------------------------------------------ given: on Tensors


def relu(x: Any) -> Any:
    """Return x where it is positive, and 0 elsewhere. Any shape. The gradient at 0 is taken as 0."""
    out = x.result(np.maximum(x.data, 0.0), (x,), "relu")

    def _backward() -> None:
        x.accumulate(out.grad * (x.data > 0))

    if out.requires_grad:
        out._backward = _backward
    return out


def exp(x: Any) -> Any:
    """Return e to the power x, entry by entry. Any shape. It is its own derivative."""
    out = x.result(np.exp(x.data), (x,), "exp")

    def _backward() -> None:
        x.accumulate(out.grad * out.data)

    if out.requires_grad:
        out._backward = _backward
    return out


def log(x: Any) -> Any:
    """Return the natural logarithm of x, entry by entry. Any shape."""
    out = x.result(np.log(x.data), (x,), "log")

    def _backward() -> None:
        x.accumulate(out.grad / x.data)

    if out.requires_grad:
        out._backward = _backward
    return out


def cross_entropy_loss(scores: Any, targets: Any) -> Any:
    """Return the cross-entropy of scores (N, C) as a Tensor of one number, through your two functions.

    targets: N whole numbers from 0 to C - 1, in an array or a list. Raises ValueError for anything else.
    """
    targets = np.array(targets)
    wanted = scores.data.shape[:1]
    if scores.data.ndim != 2 or 0 in scores.data.shape or targets.shape != wanted or targets.dtype.kind not in "iu":
        raise ValueError(
            f"scores of shape {scores.data.shape} and targets of shape {targets.shape}, {targets.dtype}: "
            "it takes scores (N, C) and N whole numbers"
        )
    if targets.min() < 0 or targets.max() >= scores.data.shape[1]:
        raise ValueError(
            f"targets from {targets.min()} to {targets.max()}: with {scores.data.shape[1]} classes they go "
            f"from 0 to {scores.data.shape[1] - 1}"
        )
    out = scores.result(cross_entropy(scores.data, targets), (scores,), "cross_entropy")

    def _backward() -> None:
        scores.accumulate(cross_entropy_vjp(out.grad, scores.data, targets))

    if out.requires_grad:
        out._backward = _backward
    return out

"""Lesson 08, matmul, softmax, cross-entropy: the three rules behind a network that tells classes apart.

The exercises take NumPy arrays of floats and return new ones; they change nothing that they are given.

    g         the gradient that arrives at a result: an array of the result's shape, or one number for one number
    scores    (N, C): one row for each of N examples, one number for each of C classes
    targets   (N,): the right class of each row, whole numbers from 0 to C - 1

Below the exercises stand operations on Tensors. They are given: matmul and cross_entropy_loss call your functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # a NumPy array


def unbroadcast(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Return gradient, summed over the axes along which an operand of this shape was stretched (given: lesson 06).

    gradient: any array. shape: one that can be stretched to gradient's. Returns an array of that shape.
    """
    added = gradient.ndim - len(shape)
    ones = [added + axis for axis, size in enumerate(shape) if size == 1]
    return np.asarray(gradient.sum(axis=(*range(added), *ones))).reshape(shape)


def matmul_vjp(g: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return the gradients of a and of b, where g is the gradient of a @ b.

    a: (..., n, k), b: (..., k, m), g: (..., n, m), all with two axes or more. The axes before the last two count a
    batch of matrices; @ stretches them as + does. Returns (a_grad, b_grad), with the shapes of a and of b.

        a = [[1., 2.]], b = [[3.], [4.]], g = [[10.]]:  a_grad is [[30., 40.]], b_grad is [[10.], [20.]]
    """
    a_grad = g @ np.swapaxes(b, -1, -2)
    b_grad = np.swapaxes(a, -1, -2) @ g
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)


def softmax(x: Array, axis: int) -> Array:
    """Return exp(x), divided by its sum along axis: positive numbers that add up to 1 along axis.

    x: one axis or more, numbers of any size. axis: one whole number, may be negative. Returns x's shape.

        softmax([0., log(3.)], 0) is [0.25, 0.75], and so is softmax([1000., 1000. + log(3.)], 0)
    """
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def logsumexp(x: Array, axis: int) -> Array:
    """Return the logarithm of the sum of exp(x) along axis.

    x: one axis or more, numbers of any size. axis: one whole number, may be negative.
    Returns x's shape without axis: one number where x has one axis.

        logsumexp([0., log(3.)], 0) is log(4.) = 1.3863, and logsumexp([1000., 1000. + log(3.)], 0) is 1001.3863
    """
    largest = x.max(axis=axis, keepdims=True)
    sums = np.exp(x - largest).sum(axis=axis)
    return np.log(sums) + largest.squeeze(axis)


def cross_entropy(scores: Array, targets: Array) -> float:
    """Return the mean over the rows of -log(softmax of the row at its target). Never infinite for finite scores.

    scores: (N, C), targets: (N,) whole numbers. Returns one number.

        cross_entropy([[0., log(3.)]], [0]) is -log(0.25) = 1.3863, and cross_entropy([[0., 1000.]], [0]) is 1000.0
    """
    rows = np.arange(len(targets))
    losses = logsumexp(scores, 1) - scores[rows, targets]
    return losses.mean()


def cross_entropy_vjp(g: float, scores: Array, targets: Array) -> Array:
    """Return the gradient of scores, where g is the gradient of cross_entropy(scores, targets).

    g: one number, scores: (N, C), targets: (N,) whole numbers. Returns (N, C).

        g = 1.0, scores = [[0., log(3.)]], targets = [0]:  the gradient is [[-0.75, 0.75]]
    """
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / len(targets))


# ------------------------------------------------------------------------------------ given: on Tensors


def as_tensors(a: Any, b: Any) -> tuple[Any, Any]:
    """Return both operands as Tensors: a number or an array becomes a constant of the other's type.

    Raises TypeError when neither is a Tensor.
    """
    kinds = [type(operand) for operand in (a, b) if hasattr(operand, "accumulate")]
    if not kinds:
        raise TypeError(f"one of the operands must be a Tensor, not {type(a).__name__} and {type(b).__name__}")
    left, right = (operand if hasattr(operand, "accumulate") else kinds[0](operand) for operand in (a, b))
    return left, right


def matmul(a: Any, b: Any) -> Any:
    """Return a @ b. a: (..., n, k), b: (..., k, m). Raises ValueError for operands with less than two axes."""
    a, b = as_tensors(a, b)
    if a.data.ndim < 2 or b.data.ndim < 2:
        raise ValueError(f"shapes {a.data.shape} and {b.data.shape}: @ takes matrices here, with two axes or more")
    out = a.result(a.data @ b.data, (a, b), "@")

    def _backward() -> None:
        a_grad, b_grad = matmul_vjp(out.grad, a.data, b.data)
        a.accumulate(a_grad)
        b.accumulate(b_grad)

    if out.requires_grad:
        out._backward = _backward
    return out


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

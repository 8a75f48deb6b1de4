"""Lesson 14, data and generalisation: what a network does with examples that it has never seen.

Examples are the rows of two arrays: X holds the inputs, one row an example, and y the right class of each, an integer.
A model is called with rows of X and a flag:

    model(X, training=True)     the scores, a Tensor of shape (rows, classes), as they are needed to learn from
    model(X, training=False)    the same, as they are needed to answer: nothing is left to chance
    model.parameters()          its leaves, each with data and grad
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any  # a NumPy array


def batches(X: Array, y: Array, size: int, rng: Any = None) -> list[tuple[Array, Array]]:
    """Cut the examples into batches of size rows; every example is in exactly one of them.

    X: shape (N, ...). y: shape (N,). rng: a NumPy Generator, which decides the order anew in each call, or None: then
    they stay in their order. Returns a list of pairs (rows of X, the same rows of y). All batches have size rows; only
    the last one has fewer where they do not come out even. X and y stay as they are.

        X has 5 rows, y is [0, 1, 2, 3, 4], size = 2, no rng: the y of the batches are [0, 1], [2, 3] and [4]
    """
    N = len(y)
    order = np.arange(N) if rng is None else rng.permutation(N)
    cut = [order[start : start + size] for start in range(0, N, size)]
    return [(X[rows], y[rows]) for rows in cut]


def train_epoch(
    model: Any,
    loss_of: Callable[[Any, Array], Any],
    step: Callable[[Any], None],
    X: Array,
    y: Array,
    size: int,
    rng: Any,
) -> float:
    """Learn once from every example, batch by batch in an order drawn from rng. Return the mean loss of an example.

    For each batch: the scores of the model, training; the loss, loss_of(scores, y of the batch), which is the mean over
    the batch; grad None for all parameters; the backward pass; step(model.parameters()), which moves them. Returns the
    mean over all N examples of the losses that were found on the way, a plain number.

        two batches, of 2 examples with the loss 1.0 and of 1 example with the loss 4.0: the mean loss is 2.0
    """
    total = 0.0
    for inputs, targets in batches(X, y, size, rng):
        loss = loss_of(model(inputs, training=True), targets)
        for parameter in model.parameters():
            parameter.grad = None
        loss.backward()
        step(model.parameters())
        total += float(loss.data) * len(targets)
    return total / len(y)


def accuracy(model: Any, X: Array, y: Array, size: int = 256) -> float:
    """Return the share of examples that the model answers rightly, from 0 to 1, asking for size rows at a time.

    The model's answer for an example is the class with the largest score, the first of them where several are equally
    large, and it is asked with training=False. X: shape (N, ...), never given to the model whole where N is more than
    size. y: shape (N,). Returns one plain number.

        4 of 6 examples are answered rightly, size = 4: the share is 0.6666666666666666
    """
    right = 0
    for inputs, targets in batches(X, y, size):
        scores = model(inputs, training=False).data
        right += int((scores.argmax(axis=1) == targets).sum())
    return right / len(y)


def dropout(x: Any, p: float, training: bool, rng: Any) -> Any:
    """While training, put each entry of x to 0 with probability p, and multiply the others by 1 / (1 - p).

    x: a Tensor, whose numbers are the array x.data, of any shape. 0 <= p < 1. rng: a NumPy Generator, which decides for
    each entry by itself. Returns a Tensor of the same shape, x times an array, which your Tensor has learned in lesson
    06; so gradients find their way back to x. Not training: returns x as it is. x itself does not change.

        p = 0.5, x.data is [1., 2., 3., 4.]: may become [2., 0., 0., 8.], and another time [0., 4., 6., 8.]
    """
    if not training:
        return x
    kept = rng.random(x.data.shape) >= p
    return x * (kept / (1 - p))


def batchnorm_forward(
    x: Array, gamma: Array, beta: Array, running: dict[str, Array], training: bool, momentum: float = 0.1
) -> Array:
    """Normalise each column of x, then multiply it by its gamma and add its beta. Returns an array of x's shape.

    x: shape (N, D), N at least 2 while training. gamma, beta, running["mean"], running["var"]: shape (D,). Normalised
    is (x - mean) / sqrt(var + 1e-5). Training: mean and var are those of the batch, for each column over its N numbers,
    var with the divisor N. Then both running ones become (1 - momentum) * old + momentum * that of the batch, where
    var has the divisor N - 1; they are put into the dict that was given. Not training: mean and var are the running
    ones, which stay as they are. x, gamma and beta do not change.

        x is [[1.], [3.]], gamma [1.], beta [0.], running mean [0.] and var [1.], training:
        returns about [[-1.], [1.]]; the running mean becomes [0.2], the running var [1.1]
    """
    mean, var = running["mean"], running["var"]
    if training:
        mean, var = x.mean(axis=0), x.var(axis=0)
        running["mean"] = (1 - momentum) * running["mean"] + momentum * mean
        running["var"] = (1 - momentum) * running["var"] + momentum * x.var(axis=0, ddof=1)
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta

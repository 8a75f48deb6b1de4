"""Lesson 17, a character model: text as numbers, the lines to beat, rows of a table, and text that is drawn.

A text is a row of whole numbers, one for each character, from 0 to classes - 1. A context is k of them in a row; its
target is the one that comes next.

    ids       whole numbers, in an array of any shape: which rows of a table are picked
    table     (rows, D): one row of D floats for each character
    scores    (C,): one number for each of C characters, as in lesson 11

Your functions take NumPy arrays and change nothing that they are given. softmax (lesson 11) and embedding, which works
on the Tensors of lesson 05 and calls your embedding_vjp, are given at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # a NumPy array


def bigram_loss(train: Array, held_out: Array, classes: int, add: float = 1.0) -> float:
    """Return the loss on held_out of a model that counted pairs of neighbours in train.

    The probability that b follows a: how often b came right after a in train, plus add; divided by the same, summed
    over all b. The loss: the mean of -log(probability) over all pairs of neighbours in held_out, natural logarithm.

    train and held_out: (length,) whole numbers from 0 to classes - 1, two or more. add: above 0. Returns one number.

        train is [0, 1, 0, 1, 1], 2 classes, add = 1.0
        after 0 came 0 never and 1 twice: probabilities 1/4 and 3/4; after 1 came each once: 1/2 and 1/2
        held_out [0, 1, 1]: the loss is -(log(3/4) + log(1/2)) / 2 = 0.4904
    """
    raise NotImplementedError


def make_contexts(ids: Array, k: int) -> tuple[Array, Array]:
    """Return all contexts of k characters, and their targets.

    ids: (length,) whole numbers, length more than k; k: 1 or more. Returns two arrays of whole numbers: contexts
    (length - k, k), the oldest character first, and targets (length - k,). Row i of contexts begins at place i of ids.

        make_contexts([5, 6, 7, 8], 2) is [[5, 6], [6, 7]] and [7, 8]
    """
    raise NotImplementedError


def embedding_vjp(g: Array, ids: Array, rows: int) -> Array:
    """Return the gradient of table, where g is the gradient of table[ids] and table has so many rows.

    ids: whole numbers from 0 to rows - 1, of any shape; a row may be picked several times. g: the shape of ids and one
    axis more, of D numbers. Returns (rows, D), floats, 0.0 where nothing was picked.

        ids = [0, 2, 0], shape (3,); g = [[1., 2.], [3., 4.], [10., 20.]], shape (3, 2); rows = 4
        embedding_vjp(g, ids, rows) is [[11., 22.], [0., 0.], [3., 4.], [0., 0.]], shape (4, 2)
    """
    raise NotImplementedError


def sample(scores: Array, temperature: float, u: float) -> int:
    """Return the class that u draws from softmax(scores / temperature).

    Lay the probabilities end to end, class 0 first, and they fill the way from 0 to 1. u is a place on that way: return
    the class on whose piece it lies, the first one whose running sum is more than u. Rounding may leave the last
    running sum a hair below u: then it is the last class.

    scores: (C,), numbers of any size. temperature: above 0. u: at least 0 and below 1. Returns a whole number from 0 to
    C - 1.

        scores = [0., log(3.)]: with temperature 1 the pieces are 0.25 and 0.75 long
        sample(scores, 1.0, 0.2) is 0, sample(scores, 1.0, 0.25) is 1, sample(scores, 0.5, 0.2) is 1
    """
    raise NotImplementedError


def nucleus(p: Array, share: float) -> Array:
    """Return p with the fewest likeliest classes that have share together, and 0.0 for all others.

    What is left is scaled so that it adds up to 1 again. Of classes that are equally likely the one with the lower
    number comes first.

    p: (C,), positive numbers that add up to 1, but for rounding. share: above 0 and at most 1. Returns a new array
    (C,), the classes in the order they had. Where rounding alone decides whether a sum has reached share, as 0.7 + 0.2
    and 0.9, either answer is right.

        p = [0.1, 0.5, 0.1, 0.3]: nucleus(p, 0.7) is [0., 0.625, 0., 0.375], and nucleus(p, 0.4) is [0., 1., 0., 0.]
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------ given


def softmax(x: Array, axis: int) -> Array:
    """Return exp(x), divided by its sum along axis (given; your own from lesson 11 where it has passed)."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def embedding(table: Any, ids: Array) -> Any:
    """Return table[ids] as a Tensor, through your embedding_vjp (given). table: a Tensor (rows, D); ids: any shape."""
    out = table.result(table.data[ids], (table,), "embedding")

    def _backward() -> None:
        table.accumulate(embedding_vjp(out.grad, ids, len(table.data)))

    if out.requires_grad:
        out._backward = _backward
    return out

"""The layers by hand, in NumPy: each with its gradient, in the quickest form that computes the same numbers.

No operation is moved over another: what a network computes one after the other, these compute one after the other.
Whatever is a function's own and fresh is changed in place; gradients handed over belong to the one who gets them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray
Update = Callable[[dict[str, Array]], None]


# -- losses and optimisers -------------------------------------------------------------------------------------------


def cross_entropy(logits: Array, target: Array) -> tuple[float, Array]:
    """The mean of -log softmax(logits)ₙ at targetₙ, and its gradient; the logits are used up."""
    rows = np.arange(len(target))
    logits -= row_maxima(logits)
    picked = logits[rows, target]
    powers = np.exp(logits, out=logits)
    totals = row_sums(powers)
    loss = (np.log(totals) - picked).mean()
    totals *= len(target)
    powers /= totals[:, None]
    powers[rows, target] -= np.float32(1 / len(target))
    return float(loss), powers


def optimizer(name: str, weights: dict[str, Array], lr: float) -> Update:
    """The update of that name, in place, one parameter after the other; it uses the gradients up."""
    return {"SGD": _sgd, "Adam": _adam, "AdamW": _adamw}[name](weights, lr)


def _sgd(weights: dict[str, Array], lr: float) -> Update:
    def update(grads: dict[str, Array]) -> None:
        for name, grad in grads.items():
            grad *= lr
            weights[name] -= grad

    return update


def _adam(weights: dict[str, Array], lr: float, decay: float = 0.0) -> Update:
    """PyTorch's defaults: betas 0.9 and 0.999, eps 1e-8."""
    moments = {name: (np.zeros_like(w), np.zeros_like(w), np.empty_like(w)) for name, w in weights.items()}
    steps = 0

    def update(grads: dict[str, Array]) -> None:
        nonlocal steps
        steps += 1
        root = math.sqrt(1 - 0.999**steps)
        length, eps = lr * root / (1 - 0.9**steps), 1e-8 * root
        for name, grad in grads.items():
            weight, (mean, square, scratch) = weights[name], moments[name]
            if decay:
                weight *= 1 - lr * decay
            mean *= 0.9
            mean += np.multiply(grad, 0.1, out=scratch)
            grad *= grad
            grad *= 0.001
            square *= 0.999
            square += grad
            np.sqrt(square, out=scratch)
            scratch += eps
            np.divide(mean, scratch, out=scratch)
            scratch *= length
            weight -= scratch

    return update


def _adamw(weights: dict[str, Array], lr: float) -> Update:
    return _adam(weights, lr, decay=0.01)


# -- rows ------------------------------------------------------------------------------------------------------------


def column_sums(values: Array) -> Array:
    """Σ over rows, (N, n) → (n,): a product with ones is quicker than `sum`."""
    return np.ones(len(values), values.dtype) @ values


def row_sums(values: Array) -> Array:
    """Σ over the last axis, in the same way."""
    size = values.shape[-1]
    return (values.reshape(-1, size) @ np.ones(size, values.dtype)).reshape(values.shape[:-1])


def row_maxima(values: Array) -> Array:
    """The largest of the last axis, which stays: to look for its place is quicker than `max`."""
    return np.take_along_axis(values, values.argmax(-1, keepdims=True), -1)


def linear(x: Array, weight: Array, bias: Array) -> Array:
    """X @ weightᵀ + bias on rows (N, n)."""
    out = x @ weight.T
    out += bias
    return out


def layer_norm(x: Array, weight: Array, bias: Array) -> tuple[Array, tuple[Array, Array]]:
    """Rows of mean 0 and variance 1, scaled and shifted; and what its gradient needs."""
    size = x.shape[1]
    ones = np.full(size, 1 / size, x.dtype)
    normal = x - (x @ ones)[:, None]
    inverse = np.vecdot(normal, normal)
    inverse /= size
    inverse += 1e-5
    np.sqrt(inverse, out=inverse)
    inverse = np.divide(1, inverse, out=inverse)[:, None]
    normal *= inverse
    out = normal * weight
    out += bias
    return out, (normal, inverse)


def layer_norm_backward(g: Array, weight: Array, kept: tuple[Array, Array]) -> tuple[Array, Array, Array]:
    """The gradients of x, weight and bias."""
    normal, inverse = kept
    size = g.shape[1]
    bias_grad = column_sums(g)
    weight_grad = column_sums(g * normal)
    g = g * weight
    projection = np.vecdot(g, normal)
    projection /= size
    g -= (g @ np.full(size, 1 / size, g.dtype))[:, None]
    g -= normal * projection[:, None]
    g *= inverse
    return g, weight_grad, bias_grad


_GELU = math.sqrt(2 / math.pi)


def gelu(x: Array) -> tuple[Array, Array]:
    """x · s with s = ½ (1 + tanh(√(2/π) (x + 0.044715 x³))), and s."""
    share = x * x
    share *= 0.044715 * _GELU
    share += _GELU
    share *= x
    np.tanh(share, out=share)
    share += 1
    share *= 0.5
    return x * share, share


def gelu_backward(g: Array, x: Array, share: Array) -> Array:
    """G · s · (1 + (1 - s) · x · 2 √(2/π) (1 + 3 · 0.044715 x²)), in g's place."""
    slope = x * x
    slope *= 6 * 0.044715 * _GELU
    slope += 2 * _GELU
    slope *= x
    slope *= 1 - share
    slope += 1
    slope *= share
    g *= slope
    return g


def embedding_backward(g: Array, numbers: Array, rows: int) -> Array:
    """The rows of g (N, n) added up by the number that picked them: sorted, equal numbers are neighbours."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    out = np.zeros((rows, g.shape[1]), g.dtype)
    out[ordered[starts]] = np.add.reduceat(g[order], starts, axis=0)
    return out


# -- images ----------------------------------------------------------------------------------------------------------


def _passes(size: int, kernel: int, padding: int) -> list[tuple[slice, slice]]:
    """Along one axis, for each place of the kernel: what it sees of the image, and in which windows."""
    windows = size + 2 * padding - kernel + 1
    found = []
    for shift in range(-padding, kernel - padding):
        first, end = max(0, -shift), min(windows, size - shift)
        found.append((slice(first + shift, end + shift), slice(first, end)))
    return found


def columns_of(x: Array, kernel: int, padding: int) -> Array:
    """The windows of each image as columns: (N, C, H, W) → (N, C · k · k, H' · W'), stride 1."""
    n, channels, height, width = x.shape
    rows, places = height + 2 * padding - kernel + 1, width + 2 * padding - kernel + 1
    columns = (np.zeros if padding else np.empty)((n, channels, kernel, kernel, rows, places), x.dtype)
    across = _passes(width, kernel, padding)
    for i, (seen_rows, into_rows) in enumerate(_passes(height, kernel, padding)):
        for j, (seen, into) in enumerate(across):
            columns[:, :, i, j, into_rows, into] = x[:, :, seen_rows, seen]
    return columns.reshape(n, channels * kernel * kernel, rows * places)


def convolution(x: Array, weight: Array, bias: Array, padding: int) -> tuple[Array, Array]:
    """Stride 1: the image (N, O, H', W') is the product of the weight and the columns; and the columns."""
    outs, _, kernel, _ = weight.shape
    columns = columns_of(x, kernel, padding)
    out = weight.reshape(outs, -1) @ columns
    out += bias[:, None]
    rows = x.shape[2] + 2 * padding - kernel + 1
    return out.reshape(len(x), outs, rows, -1), columns


def convolution_backward(g: Array, columns: Array, weight: Array) -> tuple[Array, Array]:
    """The gradients of weight and bias."""
    n, outs, rows, places = g.shape
    g = g.reshape(n, outs, rows * places)
    weight_grad = column_sums((g @ columns.swapaxes(1, 2)).reshape(n, -1))
    return weight_grad.reshape(weight.shape), column_sums(row_sums(g))


def convolution_backward_to_input(g: Array, weight: Array, x: Array, padding: int) -> Array:
    """The gradient of x: columns again, added up where they came from."""
    n, outs, rows, places = g.shape
    _, channels, kernel, _ = weight.shape
    columns = weight.reshape(outs, -1).T @ g.reshape(n, outs, rows * places)
    columns = columns.reshape(n, channels, kernel, kernel, rows, places)
    image = np.zeros_like(x)
    across = _passes(x.shape[3], kernel, padding)
    for i, (seen_rows, from_rows) in enumerate(_passes(x.shape[2], kernel, padding)):
        for j, (seen, taken) in enumerate(across):
            image[:, :, seen_rows, seen] += columns[:, :, i, j, from_rows, taken]
    return image


def _quarters(x: Array) -> tuple[Array, Array, Array, Array]:
    """The four places of every window of 2 × 2; a last odd row or column is in none."""
    x = x[:, :, : x.shape[2] // 2 * 2, : x.shape[3] // 2 * 2]
    return x[:, :, ::2, ::2], x[:, :, ::2, 1::2], x[:, :, 1::2, ::2], x[:, :, 1::2, 1::2]


def max_pool(x: Array) -> Array:
    """The largest of each 2 × 2."""
    first, second, third, fourth = _quarters(x)
    out = np.maximum(first, second)
    np.maximum(out, third, out=out)
    return np.maximum(out, fourth, out=out)


def max_pool_backward(g: Array, x: Array, out: Array) -> Array:
    """The gradient goes to the first of the largest."""
    image = np.zeros_like(x)
    waiting: Any = True
    for place, (into, seen) in enumerate(zip(_quarters(image), _quarters(x), strict=True)):
        if place == 3:
            won = waiting
        else:
            won = seen == out
            won &= waiting
            waiting = waiting ^ won
        np.multiply(g, won, out=into)
    return image


def average_pool(x: Array) -> Array:
    """The mean of each 2 × 2."""
    first, second, third, fourth = _quarters(x)
    out = first + second
    out += third
    out += fourth
    out *= 0.25
    return out


def average_pool_backward(g: Array, x: Array, out: Array) -> Array:  # noqa: ARG001 (as that of max_pool)
    """A quarter to each place."""
    image = np.zeros_like(x)
    g *= 0.25
    for into in _quarters(image):
        into[...] = g
    return image

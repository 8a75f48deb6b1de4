"""Lesson 18, layer norm and causal attention: how a place in a text looks at the places before it.

The functions take NumPy arrays and return new ones; they change nothing that they are given.

    B, T, C    how many texts, how many places in each, how many numbers at each place
    q, k       (..., T, D): a query and a key for each place, D numbers long
    v          (..., T, E): what a place hands on, E numbers long; E need not be D
    mask       (T, T): True in row t, column s, where place t may look at place s
    g          the gradient that arrives at a result: an array of the result's shape

The axes that "..." stands for are the same in q, k and v; there may be none. At the end of the file stand two
operations on Tensors. They are given, and call your functions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = Any  # a NumPy array


def softmax(x: Array, axis: int) -> Array:
    """Return exp(x), divided by its sum along axis: positive numbers that add up to 1 (given: lesson 11).

    x: one axis or more, numbers of any size. axis: one whole number, may be negative. Returns x's shape.
    """
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def causal_mask(length: int) -> Array:
    """Return the mask with which every place looks at itself and at the places before it, and at none after it.

    length: T, a whole number, 1 or more. Returns an array of shape (T, T) that holds True and False.

        causal_mask(2) is [[True, False], [True, True]]
    """
    place = np.arange(length)
    return place[:, None] >= place[None, :]


def attention(q: Array, k: Array, v: Array, mask: Array) -> tuple[Array, Array]:
    """Return what each place gets from the places that it may look at, and the weights with which it gets it.

    The score of row t and column s is the product of query t and key s, summed over their D numbers and divided by the
    square root of D. The weights of a row are the softmax of its scores, over those columns alone where mask is True;
    in all others the weight is 0. A row of the mask that is False everywhere has weights that are all 0.

    q and k: (..., T, D), v: (..., T, E), mask: (T, T) of True and False. Returns the pair (out, weights): out is
    (..., T, E), the values added up with the weights of each row, and weights is (..., T, T).

        q = k = [[0.], [0.]], v = [[2.], [6.]], mask = [[True, False], [True, True]]
        out is [[2.], [4.]], weights is [[1., 0.], [0.5, 0.5]]
    """
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    weights = np.where(mask, softmax(np.where(mask, scores, -1e30), -1), 0.0)
    return weights @ v, weights


def attention_vjp(g: Array, q: Array, k: Array, v: Array, mask: Array) -> tuple[Array, Array, Array]:
    """Return the gradients of q, of k and of v, where g is the gradient of out, the first result of attention.

    q and k: (..., T, D), v: (..., T, E), mask: (T, T), g: (..., T, E). Returns (q_grad, k_grad, v_grad), with the
    shapes of q, of k and of v. A place that nobody may look at gets a gradient of 0 for its key and its value.

        g = [[1.], [1.]], q = k = [[0.], [1.]], v = [[2.], [6.]], mask = [[True, False], [True, True]]
        q_grad is [[0.], [0.7864]], k_grad is [[-0.7864], [0.7864]], v_grad is [[1.2689], [0.7311]], rounded
    """
    _, weights = attention(q, k, v, mask)
    weights_grad = g @ np.swapaxes(v, -1, -2)
    average = (weights_grad * weights).sum(axis=-1, keepdims=True)
    scores_grad = weights * (weights_grad - average) / math.sqrt(q.shape[-1])
    return scores_grad @ k, np.swapaxes(scores_grad, -1, -2) @ q, np.swapaxes(weights, -1, -2) @ g


def layernorm_vjp(g: Array, x: Array, gain: Array, eps: float = 1e-5) -> tuple[Array, Array, Array]:
    """Return the gradients of x, of gain and of bias, where g is the gradient of layernorm(x, gain, bias, eps).

    The forward pass, for each place by itself, over the last axis:

        unit = (x - mean of x) / sqrt(var of x + eps)    var: the mean of (x - mean) squared
        layernorm(x, gain, bias, eps) is gain * unit + bias

    g and x: (..., C), with one axis or more. gain: (C,), and so is bias, which is not needed here. eps: one number.
    Returns (x_grad, gain_grad, bias_grad): x's shape, (C,) and (C,).

        g = [[1., 0.]], x = [[1., 3.]], gain = [2., 2.], eps = 3.0:  x_grad is [[0.375, -0.375]]
        gain_grad is [-0.5, 0.], bias_grad is [1., 0.]
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    size = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + eps)
    unit = centred / size
    unit_grad = g * gain
    common = unit_grad.mean(axis=-1, keepdims=True)
    along = (unit_grad * unit).mean(axis=-1, keepdims=True)
    x_grad = (unit_grad - common - unit * along) / size
    places = tuple(range(x.ndim - 1))
    return x_grad, (g * unit).sum(axis=places), g.sum(axis=places)


def split_heads(x: Array, heads: int) -> Array:
    """Return x with its channels dealt out to heads, so that each head has all places and a block of the channels.

    x: (B, T, C). heads: H, a whole number that divides C. Head 0 gets the first C / H channels of every place, head 1
    the next C / H, and so on. Returns an array of shape (B, H, T, C / H).

        x = [[[1., 2., 3., 4.], [5., 6., 7., 8.]]], heads = 2, of shape (1, 2, 4)
        the result is [[[[1., 2.], [5., 6.]], [[3., 4.], [7., 8.]]]], of shape (1, 2, 2, 2)
    """
    texts, length, channels = x.shape
    return x.reshape(texts, length, heads, channels // heads).transpose(0, 2, 1, 3)


# ---------------------------------------------------------------------------- given: layer norm forwards, on arrays


def layernorm(x: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Return x, its mean taken off and divided by its size, times gain, plus bias. x: (..., C), gain and bias: (C,)."""
    mean = x.mean(axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + bias


# ------------------------------------------------------------------------------------ given: on Tensors


def attend(q: Any, k: Any, v: Any, mask: Array) -> Any:
    """Return the first result of attention as a Tensor. q, k: (..., T, D), v: (..., T, E), mask: (T, T), an array."""
    out = q.result(attention(q.data, k.data, v.data, mask)[0], (q, k, v), "attention")

    def _backward() -> None:
        q_grad, k_grad, v_grad = attention_vjp(out.grad, q.data, k.data, v.data, mask)
        q.accumulate(q_grad)
        k.accumulate(k_grad)
        v.accumulate(v_grad)

    if out.requires_grad:
        out._backward = _backward
    return out


def layer_norm(x: Any, gain: Any, bias: Any, eps: float = 1e-5) -> Any:
    """Return layernorm(x, gain, bias, eps) as a Tensor, one node. x: (..., C), gain and bias: (C,)."""
    out = x.result(layernorm(x.data, gain.data, bias.data, eps), (x, gain, bias), "layer_norm")

    def _backward() -> None:
        x_grad, gain_grad, bias_grad = layernorm_vjp(out.grad, x.data, gain.data, eps)
        x.accumulate(x_grad)
        gain.accumulate(gain_grad)
        bias.accumulate(bias_grad)

    if out.requires_grad:
        out._backward = _backward
    return out

"""The plain NumPy forms that take more than a line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def sigmoid(x: Any) -> Any:
    """1 / (1 + e**-x)."""
    return 1 / (1 + np.exp(-x))


def softmax(x: Any, axis: int = -1) -> Any:
    """e**xᵢ / Σ e**xⱼ."""
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def log_softmax(x: Any, axis: int = -1) -> Any:
    """xᵢ - ln Σ e**xⱼ."""
    shifted = x - x.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def logsumexp(x: Any, axis: int = -1) -> Any:
    """ln Σ e**xⱼ without overflow."""
    top = x.max(axis, keepdims=True)
    return (top + np.log(np.exp(x - top).sum(axis, keepdims=True))).squeeze(axis)


def median(x: Any) -> Any:
    """The middle of each row and where it is."""
    order = np.argsort(x)[:, x.shape[1] // 2]
    return x[np.arange(len(x)), order], order


def sort(x: Any) -> Any:
    """Each row in order, and where its numbers were."""
    order = np.argsort(x)
    return np.take_along_axis(x, order, -1), order


def topk(x: Any) -> Any:
    """The five largest of each row, the largest first, and where they were."""
    order = np.argsort(x)[:, :-6:-1]
    return np.take_along_axis(x, order, -1), order


def added_at(x: Any, index: Any, source: Any) -> Any:
    """A copy with `source` added at `index`."""
    out = x.copy()
    np.add.at(out, index, source)
    return out


def put(x: Any, index: Any, value: Any) -> Any:
    """A copy with `value` at `index`."""
    out = x.copy()
    out[index] = value
    return out


def put_along(x: Any, index: Any, source: Any) -> Any:
    """A copy with `source` in the columns `index` of each row."""
    out = x.copy()
    np.put_along_axis(out, index, source, 1)
    return out


def normalized(x: Any, axis: Any) -> Any:
    """Mean 0 and variance 1 along `axis`."""
    centred = x - x.mean(axis, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis, keepdims=True) + 1e-5)


def gelu(x: Any) -> Any:
    """GELU by tanh."""
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def elu(x: Any) -> Any:
    """x, bent below 0."""
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def huber(x: Any, y: Any) -> Any:
    """The mean of d²/2 where |d| < 1, else |d| - 1/2."""
    off = np.abs(x - y)
    return np.where(off < 1, 0.5 * off * off, off - 0.5).mean()


def distance(x: Any, y: Any) -> Any:
    """|x - y| of each row, with 1e-6 added to each number, as PyTorch has it."""
    return np.sqrt(np.square(x - y + x.dtype.type(1e-6)).sum(1))


def cosine(x: Any, y: Any) -> Any:
    """The cosine between the rows."""
    return (x * y).sum(1) / (np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1))


def triplets(x: Any, y: Any, z: Any) -> Any:
    """The mean of |x - y| - |x - z| + 1, where it is above 0."""
    return np.maximum(distance(x, y) - distance(x, z) + 1, 0).mean()


def with_fewer_channels(x: Any) -> Any:
    """Four channels as one of twice the height and width."""
    n, channels, height, width = x.shape
    parts = x.reshape(n, channels // 4, 2, 2, height, width).transpose(0, 1, 4, 2, 5, 3)
    return parts.reshape(n, channels // 4, 2 * height, 2 * width)


def with_more_channels(x: Any) -> Any:
    """Squares of 2 × 2 as four channels."""
    n, channels, height, width = x.shape
    parts = x.reshape(n, channels, height // 2, 2, width // 2, 2).transpose(0, 1, 3, 5, 2, 4)
    return parts.reshape(n, 4 * channels, height // 2, width // 2)


def attention(q: Any, k: Any, v: Any) -> Any:
    """softmax(q kᵀ / √d) v."""
    return softmax(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])) @ v


def windows(x: Any, size: int) -> Any:
    """Every window of (N, C, H, W) or (N, C, L), stride 1, its axes last."""
    axes = tuple(range(2, x.ndim))
    return sliding_window_view(x, (size,) * len(axes), axes)


def columns(x: Any) -> Any:
    """The windows of 3 × 3 as (N, C · 9, places)."""
    return windows(x, 3).transpose(0, 1, 4, 5, 2, 3).reshape(len(x), 9 * x.shape[1], -1)


def convolved(x: Any, w: Any) -> Any:
    """Convolution, stride 1, of images or signals."""
    letters = "nchwkl,ockl->nohw" if x.ndim == 4 else "nclk,ock->nol"
    return np.einsum(letters, windows(x, w.shape[-1]), w, optimize=True)


def spread(x: Any, w: Any) -> Any:
    """Transposed convolution, stride 1, of images."""
    n, _, height, width = x.shape
    size = w.shape[-1]
    out = np.zeros((n, w.shape[1], height + size - 1, width + size - 1), x.dtype)
    parts = np.einsum("nchw,cokl->noklhw", x, w, optimize=True)
    for k in range(size):
        for j in range(size):
            out[:, :, k : k + height, j : j + width] += parts[:, :, k, j]
    return out


def folded(x: Any) -> Any:
    """(N, C · 9, 18 · 18) → (N, C, 20, 20): windows of 3 × 3 added up where they came from."""
    parts = x.reshape(len(x), -1, 3, 3, 18, 18)
    out = np.zeros((*parts.shape[:2], 20, 20), x.dtype)
    for k in range(3):
        for j in range(3):
            out[:, :, k : k + 18, j : j + 18] += parts[:, :, k, j]
    return out


def in_twos(x: Any) -> Any:
    """(…, L) → (…, L/2, 2)."""
    return x.reshape(*x.shape[:-1], -1, 2)


def in_squares(x: Any) -> Any:
    """(…, H, W) → (…, H/2, 2, W/2, 2)."""
    return x.reshape(*x.shape[:-2], x.shape[-2] // 2, 2, x.shape[-1] // 2, 2)

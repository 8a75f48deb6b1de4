"""Products of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.types import Shape


@primitive
def matmul(a: Any, b: Any) -> Any:
    """a @ b: (…, n, k) @ (…, k, m) → (…, n, m); vectors and leading axes as in NumPy and PyTorch.

    dL/da = g @ bᵀ, dL/db = aᵀ @ g, summed over the leading axes that were broadcast.
    Raises ValueError when the inner sizes differ or one side is a single number.

    >>> matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    try:
        return np.matmul(a, b)
    except ValueError:
        raise ValueError(_mismatch(np.shape(a), np.shape(b))) from None


def _mismatch(a_shape: Shape, b_shape: Shape) -> str:
    if not a_shape or not b_shape:
        return f"shapes {a_shape} and {b_shape}: a single number takes no part in @; use * instead"
    inner_b = b_shape[-2] if len(b_shape) > 1 else b_shape[0]
    if a_shape[-1] != inner_b:
        return f"shapes {a_shape} and {b_shape}: the inner sizes {a_shape[-1]} and {inner_b} must be equal"
    return f"shapes {a_shape} and {b_shape}: the leading axes must be equal or 1"


def mT(matrix: Any) -> Any:  # noqa: N802 (PyTorch's name)
    """The last two axes exchanged."""
    return np.swapaxes(matrix, -1, -2)


def _wrt_a(g: Any, b: Any, a_shape: Shape) -> Any:
    if b.ndim == 1:  # (…, k) · (k,) → (…)
        return g[..., None] * b
    if len(a_shape) == 1:  # (k,) @ (…, k, m) → (…, m)
        return (b @ g[..., None])[..., 0]
    return g @ mT(b)


def _wrt_b(g: Any, a: Any, b_shape: Shape) -> Any:
    if a.ndim == 1:  # (k,) @ (…, k, m) → (…, m), or (k,) · (k,) → ()
        return a * g if len(b_shape) == 1 else a[:, None] * g[..., None, :]
    if len(b_shape) == 1:  # (…, n, k) · (k,) → (…, n)
        return (mT(a) @ g[..., None])[..., 0]
    if len(b_shape) == 2 and a.ndim > 2:  # one product of tall matrices instead of many, and no axis left to sum
        rows = math.prod(a.shape[:-1])  # not -1, which size 0 leaves open
        return a.reshape(rows, a.shape[-1]).T @ g.reshape(rows, g.shape[-1])
    return mT(a) @ g


matmul.vjp(a=_wrt_a, b=_wrt_b)

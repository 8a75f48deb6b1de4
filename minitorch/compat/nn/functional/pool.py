"""Max pools of rows and of volumes, and unpooling: each number put back where a max pool found it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.nn.functional._axes import with_axes
from minitorch.compat.ops.gather_scatter import scatter
from minitorch.errors import OperandError, ShapeError
from minitorch.nn.functional._windows import per_axis, require_planes
from minitorch.nn.functional.pool import max_pool2d, max_pool_over
from minitorch.ops.movement import reshape
from minitorch.types import Counts, TensorLike

__all__ = ["max_pool1d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d"]


@with_axes(1, max_pool_over, max_pool2d)
def max_pool1d() -> None:
    """max_pool2d with one axis: (N, C, L) or (C, L) → (…, windows).

    >>> max_pool1d(Tensor([[1.0, 3.0, 2.0, 5.0]]), 2)
    tensor([[3., 5.]])
    """


@with_axes(3, max_pool_over, max_pool2d)
def max_pool3d() -> None:
    """max_pool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> max_pool3d(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]), (2, 1, 2))
    tensor([[[[3.]]]])
    """


def _max_unpool(
    name: str,
    axes: int,
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Counts,
    stride: Counts | None = None,
    padding: Counts = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    shape, array = as_array(input).shape, as_array(indices)
    require_planes(name, axes, shape)
    if array.shape != shape:
        raise ShapeError(f"{name}: indices have shape {array.shape}, but there must be one for each of input's {shape}")
    kernel, paddings = per_axis(name, "kernel_size", kernel_size, axes), per_axis(name, "padding", padding, axes)
    strides = kernel if stride is None else per_axis(name, "stride", stride, axes)
    batch, counts = shape[: len(shape) - axes], shape[len(shape) - axes :]
    default = tuple([(n - 1) * s - 2 * p + k for n, s, p, k in zip(counts, strides, paddings, kernel, strict=True)])
    size = default if output_size is None else tuple(output_size)[-axes:]
    if len(size) != axes or any(abs(n - have) >= s for n, have, s in zip(size, default, strides, strict=True)):
        raise OperandError(f"{name}: output_size {size} must lie within a stride {strides} of {default}")
    empty = constant(xp(as_array(input)).zeros((*batch, math.prod(size)), as_array(input).dtype))
    flat = (*batch, math.prod(counts))
    return reshape(scatter(empty, -1, constant(array.reshape(flat)), reshape(input, flat)), (*batch, *size))


@with_axes(2, _max_unpool)
def max_unpool2d() -> None:
    """Each number put back where max_pool2d found it, zeros elsewhere: (N, C, h, w) or (C, h, w) → (…, H, W).

    indices: those that max_pool2d returned, of the input's shape. The sizes are (h - 1) · stride - 2 padding + kernel,
    or those of output_size, which may be up to one stride more or less. dL/dinput = g at the indices.
    Raises ValueError when shapes do not fit, IndexError for an index outside.

    >>> max_unpool2d(Tensor([[[3.0]]]), Tensor([[[1]]]), 2)
    tensor([[[0., 3.],
             [0., 0.]]])
    """


@with_axes(1, _max_unpool)
def max_unpool1d() -> None:
    """max_unpool2d with one axis: (N, C, windows) or (C, windows) → (…, L).

    >>> values, indices = max_pool1d(Tensor([[1.0, 3.0, 2.0, 5.0]]), 2, return_indices=True)
    >>> max_unpool1d(values, indices, 2)
    tensor([[0., 3., 0., 5.]])
    """


@with_axes(3, _max_unpool)
def max_unpool3d() -> None:
    """max_unpool2d with one axis more: (N, C, d, h, w) or (C, d, h, w) → (…, D, H, W).

    >>> max_unpool3d(Tensor([[[[3.0]]]]), Tensor([[[[1]]]]), (1, 1, 2))
    tensor([[[[0., 3.]]]])
    """

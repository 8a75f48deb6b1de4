"""Convolutions of rows and of volumes, and transposed ones: the gradient of a convolution as a function.

Source: Dumoulin and Visin, "A guide to convolution arithmetic", 2016.
"""

from __future__ import annotations

import math

from minitorch import Tensor, add, matmul, reshape, transpose
from minitorch.autograd.tensor_base import as_array
from minitorch.compat.nn.functional._axes import with_axes
from minitorch.errors import ShapeError
from minitorch.nn.functional._windows import Windows, fold, per_axis
from minitorch.nn.functional.conv import as_images, by_group, convolution, require_bias, require_fitting
from minitorch.types import Counts, TensorLike

__all__ = ["conv1d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]


@with_axes(1, convolution)
def conv1d() -> None:
    """conv2d with one axis: input (N, C, L) or (C, L), weight (O, C/groups, k) → (N, O, windows).

    >>> conv1d(Tensor([[1.0, 2.0, 4.0, 8.0]]), Tensor([[[-1.0, 1.0]]]))
    tensor([[1., 2., 4.]])
    """


@with_axes(3, convolution)
def conv3d() -> None:
    """conv2d with one axis more: input (N, C, D, H, W) or (C, D, H, W), weight (O, C/groups, kD, kH, kW) → (N, O, …).

    >>> conv3d(Tensor([[[[1.0, 2.0]], [[3.0, 4.0]]]]), Tensor([[[[[1.0]], [[10.0]]]]]))
    tensor([[[[31., 42.]]]])
    """


def _transposed(
    name: str,
    axes: int,
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Counts = 1,
    padding: Counts = 0,
    output_padding: Counts = 0,
    groups: int = 1,
    dilation: Counts = 1,
) -> Tensor:
    """Fold the columns that a convolution of the output would have: conv_transpose1d, 2d or 3d, as `name` says."""
    shape, weight_shape = as_array(input).shape, as_array(weight).shape
    require_fitting(name, axes, shape, weight_shape, groups)
    channels, outs, *kernel = weight_shape
    if shape[-axes - 1] != channels or channels % groups:
        raise ShapeError(
            f"{name}: input {shape} has {shape[-axes - 1]} channels, weight {weight_shape} is for {channels} "
            f"and groups={groups} must divide them"
        )
    require_bias(name, bias, outs * groups)
    paddings, extra = per_axis(name, "padding", padding, axes), per_axis(name, "output_padding", output_padding, axes)
    steps, dilations = per_axis(name, "stride", stride, axes), per_axis(name, "dilation", dilation, axes)
    counts = shape[len(shape) - axes :]
    if not all(0 <= more < max(s, d) for more, s, d in zip(extra, steps, dilations, strict=True)):
        raise ShapeError(f"{name}: output_padding {extra} must be smaller than stride {steps} or dilation {dilations}")
    geometry = zip(counts, kernel, steps, paddings, dilations, extra, strict=True)
    size = tuple([(n - 1) * s - 2 * p + d * (k - 1) + more + 1 for n, k, s, p, d, more in geometry])
    if min(size) < 0:
        raise ShapeError(f"{name}: input {shape} with padding {paddings} would have the output size {size}")
    batch = 1 if len(shape) == axes + 1 else shape[0]
    images = by_group(reshape(input, (batch, channels, *counts)), groups)
    matrices = reshape(weight, (groups, channels // groups, outs * math.prod(kernel)))
    columns = matmul(transpose(matrices, 1, 2), images)  # (G, O/G · kernel, windows · N)
    windows = Windows(size, tuple(kernel), steps, paddings, dilations, counts)
    out = fold(as_images(columns, batch, (math.prod(counts),)), windows)
    if bias is not None:
        out = add(out, reshape(bias, (outs * groups, *[1] * axes)))
    return out if len(shape) == axes + 2 else reshape(out, out.shape[1:])


@with_axes(2, _transposed)
def conv_transpose2d() -> None:
    """Each number of the input lays its weight, scaled, onto the output; where they overlap they add up.

    What conv2d does to gradients: fold(weightᵀ · input) + bias. input (N, C, H, W) or (C, H, W), weight (C, O/groups,
    kH, kW) → (N, O, (H - 1) · stride - 2 padding + dilation (kH - 1) + output_padding + 1, …). `output_padding` adds
    rows at the far side, to choose among the sizes that conv2d would shrink to H. Gradients are those of fold, @ and +.
    Raises ValueError when shapes do not fit. Source: Zeiler and others, "Deconvolutional networks", 2010.

    >>> conv_transpose2d(Tensor([[[1.0, 2.0]]]), Tensor([[[[1.0, 1.0]]]]))
    tensor([[[1., 3., 2.]]])
    """


@with_axes(1, _transposed)
def conv_transpose1d() -> None:
    """conv_transpose2d with one axis: input (N, C, L) or (C, L), weight (C, O/groups, k) → (N, O, more).

    >>> conv_transpose1d(Tensor([[1.0, 2.0]]), Tensor([[[1.0, 10.0]]]), stride=2)
    tensor([[ 1., 10.,  2., 20.]])
    """


@with_axes(3, _transposed)
def conv_transpose3d() -> None:
    """conv_transpose2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (N, O, more, more, more).

    weight (C, O/groups, kD, kH, kW).

    >>> conv_transpose3d(Tensor([[[[1.0, 2.0]]]]), Tensor([[[[[1.0, 1.0]]]]]))
    tensor([[[[1., 3., 2.]]]])
    """

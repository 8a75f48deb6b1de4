"""Convolution: one matrix product of the weight with the windows of all images.

The windows are the columns of a matrix (C · kernel, windows · N), so the product (O, windows · N) is the new images
already, in the order in memory of `unfold`, with the samples last. With `groups`, the channels fall into as many
parts, each with a weight of its own: one more axis of matrices.
Sources: Chellapilla, Puri and Simard, 2006 (columns); Krizhevsky, 2014, cuda-convnet (samples last); Dumoulin and
Visin, "A guide to convolution arithmetic", 2016.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.moved import moved_names
from minitorch.nn.functional._windows import Windows, fold, layout, per_axis, require_planes, unfold, windows_over
from minitorch.ops._row_reductions import channel_sums
from minitorch.ops.arithmetic import add
from minitorch.ops.movement import reshape
from minitorch.types import Counts, Shape, TensorLike

__all__ = ["conv2d"]


def _convolved(input: Any, weight: Any, windows: Windows, groups: int) -> tuple[Any, Any]:
    """The convolution without bias (N, O, *out), and the columns that it was made of (G, C/G · kernel, windows · N)."""
    columns = by_group(unfold.raw(input, windows), groups)
    return as_images(_matrices(weight, groups) @ columns, input.shape[0], windows.out), columns  # weight @ columns


def _matrices(weight: Any, groups: int) -> Any:
    """A weight as one matrix for each group: (O, C/G, *kernel) → (G, O/G, C/G · kernel)."""
    first, *rest = weight.shape
    return weight.reshape((groups, first // groups, math.prod(rest)))


def by_group(images: Any, groups: int) -> Any:
    """(N, C, *size) → (G, C/G, size · N), which copies nothing where the order in memory is that of `unfold`."""
    n, channels, *size = images.shape
    positions = math.prod(size)
    planes = np.transpose(images.reshape((n, channels, positions)), layout(n, 3)[0])
    return planes.reshape((groups, channels // groups, positions * n))


def as_images(matrices: Any, n: int, size: Shape) -> Any:
    """(G, C/G, size · N) → (N, C, *size)."""
    shape = n, matrices.shape[0] * matrices.shape[1], *size
    order, back = layout(n, len(shape))
    return np.transpose(matrices.reshape(tuple([shape[axis] for axis in order])), back)


def _conv_composed(input: Any, weight: Any, bias: Any, windows: Windows, groups: int) -> Any:
    out, _ = _convolved(input, weight, windows, groups)
    return add(out, _bias_per_channel(bias, windows)) if np.ndim(bias) else out


@primitive(name="conv", composed=_conv_composed, promotes=False)
def _convolve(input: Any, weight: Any, bias: Any, windows: Windows, groups: int) -> tuple[Any, Any]:
    """Σ over the window and its channels of weight · input, + bias, on (N, C, *size)."""
    out, columns = _convolved(input, weight, windows, groups)
    if np.ndim(bias):  # without a bias it is 0.0: no operand, so that no gradient is asked for
        out += _bias_per_channel(bias, windows)  # + bias
    return out, columns


def _bias_per_channel(bias: Any, windows: Windows) -> Any:
    return bias.reshape((bias.shape[0], *[1] * len(windows.size)))


def _conv_wrt_input(g: Any, weight: Any, windows: Windows, groups: int) -> Any:
    columns = np.swapaxes(_matrices(weight, groups), 1, 2) @ by_group(g, groups)  # dL/dcolumns = weightᵀ @ dL/dout
    return fold.raw(as_images(columns, g.shape[0], (math.prod(windows.out),)), windows)


def _conv_wrt_weight(g: Any, aux: Any, weight: Any, groups: int) -> Any:
    return (by_group(g, groups) @ np.swapaxes(aux, 1, 2)).reshape(weight.shape)  # dL/dweight = dL/dout @ columnsᵀ


def _conv_wrt_bias(g: Any) -> Any:
    n, outs, *size = g.shape
    return channel_sums(g.reshape((n, outs, math.prod(size))))


_convolve.vjp(input=_conv_wrt_input, weight=_conv_wrt_weight, bias=_conv_wrt_bias)


def conv2d(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Counts = 1,
    padding: Counts | str = 0,
    dilation: Counts = 1,
    groups: int = 1,
) -> Tensor:
    """out[n, o, i, j] = bias[o] + Σ weight[o, c, a, b] · input[n, c, i · stride + a · dilation - padding, …].

    input (N, C, H, W) or (C, H, W), weight (O, C/groups, kH, kW), bias (O) → (N, O, ⌊(H + 2 padding - dilation (kH - 1)
    - 1) / stride⌋ + 1, …). The kernel is not flipped: signal processing calls this a correlation. `padding` may be
    "valid" (none) or "same" (the size stays; if one side must get more, the far one). `groups` parts of the channels
    are convolved separately.

    dL/dinput = fold(weightᵀ · g), a transposed convolution; dL/dweight = Σ over images of g · unfold(input)ᵀ;
    dL/dbias = Σ g over images and positions. Raises ValueError when shapes do not fit, TypeError for mixed dtypes.

    >>> conv2d(Tensor([[[1.0, 2.0], [3.0, 4.0]]]), Tensor([[[[1.0, 0.0], [0.0, 1.0]]]]), padding=1)
    tensor([[[1., 2., 0.],
             [3., 5., 2.],
             [0., 3., 4.]]])
    """
    return convolution("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def convolution(
    name: str,
    axes: int,
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Counts = 1,
    padding: Counts | str = 0,
    dilation: Counts = 1,
    groups: int = 1,
) -> Tensor:
    """Return conv1d, conv2d or conv3d, `name`: check the shapes, find the windows, and add a missing axis N."""
    shape, weight_shape = as_array(input).shape, as_array(weight).shape
    require_fitting(name, axes, shape, weight_shape, groups)
    outs, channels, *kernel = weight_shape
    if shape[-axes - 1] != channels * groups:
        raise ShapeError(
            f"{name}: input {shape} has {shape[-axes - 1]} channels, but weight {weight_shape} "
            f"with groups={groups} is for {channels * groups}"
        )
    if outs % groups:
        raise ShapeError(f"{name}: the {outs} outputs of weight {weight_shape} do not divide into {groups} groups")
    require_bias(name, bias, outs)
    strides, dilations = per_axis(name, "stride", stride, axes), per_axis(name, "dilation", dilation, axes)
    size = shape[len(shape) - axes :]
    if padding == "same":
        windows = _same(name, size, tuple(kernel), strides, dilations)
    else:
        if isinstance(padding, str):
            if padding != "valid":
                raise ValueError(f"{name}: padding {padding!r} is not known: write 'same', 'valid' or numbers")
            padding = 0
        paddings = per_axis(name, "padding", padding, axes)
        windows = windows_over(name, size, tuple(kernel), strides, paddings, dilations)
    batch = input if len(shape) == axes + 2 else reshape(input, (1, *shape))
    out = _convolve(batch, weight, 0.0 if bias is None else bias, windows, groups)
    return out if len(shape) == axes + 2 else reshape(out, out.shape[1:])


def require_fitting(name: str, axes: int, shape: Shape, weight_shape: Shape, groups: int) -> None:
    require_planes(name, axes, shape)
    if len(weight_shape) != axes + 2:
        raise ShapeError(f"{name}: weight has shape {weight_shape}, but {axes + 2} axes are needed")
    if groups < 1:
        raise ShapeError(f"{name}: groups={groups} must be at least 1")


def require_bias(name: str, bias: TensorLike | None, outs: int) -> None:
    if bias is not None and as_array(bias).shape != (outs,):
        raise ShapeError(f"{name}: bias has shape {as_array(bias).shape}, but the {outs} outputs need ({outs},)")


def _same(name: str, size: Shape, kernel: Shape, stride: Shape, dilation: Shape) -> Windows:
    """Return one window around each position of the input."""
    if set(stride) != {1}:
        raise ValueError(f"{name}: padding 'same' needs stride 1, not {stride}")
    before = tuple([d * (k - 1) // 2 for k, d in zip(kernel, dilation, strict=True)])
    return Windows(size, kernel, stride, before, dilation, size)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.conv import *
else:
    __getattr__, __dir__ = moved_names(__name__)

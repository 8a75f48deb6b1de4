"""Convolutions and pools, derived from slices: what each place of the kernel sees is a slice with a step."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from op_table.case import exactly, signed, spread

import minitorch
from minitorch import Tensor
from minitorch.nn import functional
from twin_table.row import Row

Shape = tuple[int, ...]


def bordered(x: Tensor, before: Shape, after: Shape, value: float) -> Tensor:
    """x with rows of `value` around it, axis by axis."""
    for axis, (low, high) in enumerate(zip(before, after, strict=True), start=x.ndim - len(before)):
        parts = [x]
        for place, count in ((0, low), (len(parts) + 1, high)):
            shape = list(x.shape)
            shape[axis] = count
            parts.insert(place, Tensor(np.full(shape, value)))
        x = minitorch.cat(parts, dim=axis)
    return x


def seen(x: Tensor, kernel: Shape, stride: Shape, dilation: Shape) -> list[tuple[Shape, Tensor]]:
    """For each place of the kernel the numbers that it sees, one for each window."""
    sizes = x.shape[-len(kernel) :]
    spans = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    counts = [(size - span) // s + 1 for size, span, s in zip(sizes, spans, stride, strict=True)]
    found = []
    for place in itertools.product(*map(range, kernel)):
        axes = zip(place, dilation, stride, counts, strict=True)
        slices = tuple(slice(p * d, p * d + s * (count - 1) + 1, s) for p, d, s, count in axes)
        found.append((place, x[(..., *slices)]))
    return found


def convolution(stride: Shape, padding: Shape, dilation: Shape, groups: int) -> Callable[..., Tensor]:
    """Σ over the places of the kernel of weight at that place @ what it sees, group by group."""

    def twin(x: Tensor, weight: Tensor, *bias: Tensor) -> Tensor:
        single = x.ndim == len(stride) + 1
        x = bordered(x.reshape(1, *x.shape) if single else x, padding, padding, 0.0)
        outs, channels = weight.shape[0] // groups, weight.shape[1]
        parts = []
        for group in range(groups):
            own = weight[group * outs : (group + 1) * outs]
            total: Any = 0.0
            for place, patch in seen(
                x[:, group * channels : (group + 1) * channels], weight.shape[2:], stride, dilation
            ):
                flat = patch.reshape(x.shape[0], channels, math.prod(patch.shape[2:]))
                total = total + (own[(..., *place)] @ flat).reshape(x.shape[0], outs, *patch.shape[2:])
            parts.append(total)
        out = minitorch.cat(parts, dim=1)
        if bias:
            out = out + bias[0].reshape(-1, *[1] * len(stride))
        return out.reshape(out.shape[1:]) if single else out

    return twin


def placed(count: int, size: int, first: int, step: int) -> np.ndarray:
    """The matrix that lays number i at place first + i · step of `size` places; what falls outside is gone."""
    matrix = np.zeros((count, size))
    for i in range(count):
        if 0 <= first + i * step < size:
            matrix[i, first + i * step] = 1.0
    return matrix


def transposed(stride: Shape, padding: Shape, extra: Shape, dilation: Shape, groups: int) -> Callable[..., Tensor]:
    """Each place of the kernel lays weightᵀ @ x onto the output, `stride` apart."""

    def twin(x: Tensor, weight: Tensor, *bias: Tensor) -> Tensor:
        n, channels, *many = x.shape
        own, outs, *kernel = channels // groups, *weight.shape[1:]
        axes = zip(many, stride, padding, extra, dilation, kernel, strict=True)
        sizes = [(m - 1) * s - 2 * p + d * (k - 1) + e + 1 for m, s, p, e, d, k in axes]
        parts = []
        for group in range(groups):
            total: Any = 0.0
            flat = x[:, group * own : (group + 1) * own].reshape(n, own, math.prod(many))
            for place in itertools.product(*map(range, kernel)):
                matrix = weight[(slice(group * own, (group + 1) * own), slice(None), *place)]
                laid = (matrix.T @ flat).reshape(n, outs, *many)
                for axis, at in enumerate(place):
                    where = at * dilation[axis] - padding[axis]
                    onto = Tensor(placed(many[axis], sizes[axis], where, stride[axis]))
                    laid = (laid.transpose(axis + 2, -1) @ onto).transpose(axis + 2, -1)
                total = total + laid
            parts.append(total)
        out = minitorch.cat(parts, dim=1)
        return out + bias[0].reshape(-1, *[1] * len(many)) if bias else out

    return twin


def largest(kernel: Shape, stride: Shape, padding: Shape, dilation: Shape) -> Callable[[Tensor], Tensor]:
    """The first of the largest takes the gradient, as `max` over an axis gives it."""

    def twin(x: Tensor) -> Tensor:
        patches = seen(bordered(x, padding, padding, -math.inf), kernel, stride, dilation)
        return minitorch.stack([patch for _, patch in patches]).max(dim=0).values

    return twin


def averaged(kernel: Shape, stride: Shape, padding: Shape, divisor: Any = None) -> Callable[[Tensor], Tensor]:
    def twin(x: Tensor) -> Tensor:
        ones = Tensor(np.ones(x.shape[-len(kernel) :]))
        steps = (1,) * len(kernel)
        total = sum(
            (patch for _, patch in seen(bordered(x, padding, padding, 0.0), kernel, stride, steps)), Tensor(0.0)
        )
        if divisor == "inside":
            counts = [patch for _, patch in seen(bordered(ones, padding, padding, 0.0), kernel, stride, steps)]
            return total / sum(counts, Tensor(np.float64(0.0)))
        return total / (divisor or math.prod(kernel))

    return twin


def unfolded(kernel: Shape, stride: Shape, padding: Shape, dilation: Shape) -> Callable[[Tensor], Tensor]:
    """(N, C, H, W) → (N, C · kernel, windows)."""

    def twin(x: Tensor) -> Tensor:
        patches = seen(bordered(x, padding, padding, 0.0), kernel, stride, dilation)
        columns = minitorch.stack([of_rectangle(patch, 2) for _, patch in patches], dim=2)
        return columns.reshape(x.shape[0], x.shape[1] * math.prod(kernel), columns.shape[-1])

    return twin


def bins(size: int, out: int) -> list[slice]:
    return [slice(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


def per_bin(reduce: Callable[[Tensor], Tensor], *outs: int) -> Callable[[Tensor], Tensor]:
    """The rectangle of each bin, reduced on its own."""

    def twin(x: Tensor) -> Tensor:
        sizes = x.shape[-len(outs) :]
        grid = itertools.product(*[bins(size, out) for size, out in zip(sizes, outs, strict=True)])
        cells = [reduce(x[(..., *cell)]) for cell in grid]
        return minitorch.stack(cells, dim=-1).reshape(*x.shape[: x.ndim - len(outs)], *outs)

    return twin


def of_rectangle(x: Tensor, axes: int) -> Tensor:
    return x.reshape(*x.shape[: x.ndim - axes], math.prod(x.shape[x.ndim - axes :]))


CONV2D = [  # input, weight, stride, padding, dilation, groups
    ((2, 3, 5, 4), (4, 3, 3, 2), 1, 0, 1, 1),
    ((1, 1, 7, 5), (3, 1, 3, 3), 2, 1, 1, 1),
    ((2, 4, 5, 6), (6, 2, 2, 3), (1, 2), (2, 0), (2, 1), 2),
    ((3, 4, 3, 3), (4, 1, 2, 2), 1, 1, 1, 4),
    ((3, 5, 7), (2, 3, 1, 1), 1, 0, 1, 1),  # no batch: 3 channels
    ((2, 5, 3, 3), (2, 5, 3, 3), 1, 0, 1, 1),
    ((1, 2, 2, 2), (9, 2, 2, 2), 1, 1, 1, 1),
    ((0, 2, 4, 4), (3, 2, 2, 2), 1, 0, 1, 1),
]
CONV1D = [
    ((2, 3, 8), (4, 3, 3), 2, 1, 1, 1),
    ((3, 7), (2, 3, 2), 1, 0, 2, 1),
    ((1, 4, 5), (4, 2, 1), 1, 0, 1, 2),
]
CONV3D = [
    ((2, 2, 3, 2, 4), (3, 2, 2, 1, 3), 1, 0, 1, 1),
    ((1, 4, 3, 4, 3), (2, 2, 2, 2, 2), (2, 1, 1), (0, 1, 1), (1, 2, 1), 2),
    ((1, 3, 2, 2), (2, 1, 2, 2, 2), 1, 1, 1, 1),
]
TRANSPOSED2D = [  # input, weight, stride, padding, output_padding, groups, dilation
    ((2, 3, 3, 2), (3, 2, 2, 3), 1, 0, 0, 1, 1),
    ((1, 4, 2, 3), (4, 3, 3, 2), 2, 1, 1, 2, 1),
    ((2, 2, 3, 3), (2, 1, 2, 2), (3, 1), 0, (2, 0), 1, (1, 2)),
]
POOLS = [  # shape, kernel, stride, padding
    ((2, 3, 4, 6), (2, 2), (2, 2), (0, 0)),
    ((1, 1, 5, 7), (3, 2), (2, 3), (1, 1)),
    ((2, 5, 5), (3, 3), (1, 1), (0, 0)),
    ((0, 2, 4, 4), (2, 2), (2, 2), (0, 0)),
]
TIES = exactly([[[1.0, 1.0, 0.0, 2.0], [1.0, 1.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]])


def pair(value: Any, axes: int = 2) -> Shape:
    return value if isinstance(value, tuple) else (value,) * axes


def convolutions(name: str, axes: int, geometries: list[Any]) -> list[Row]:
    return [
        Row(
            f"{name} of {shape} with {weight}, {options}, {'bias' if biased else 'no bias'}",
            lambda *t, o=options, b=biased: getattr(functional, name)(*t, *([] if b else [None]), *o),
            convolution(*[pair(each, axes) for each in options[:3]], options[3]),
            [signed(*shape), signed(*weight), *([signed(weight[0])] if biased else [])],
        )
        for shape, weight, *options in geometries
        for biased in (True, False)
    ]


ROWS = [
    *convolutions("conv2d", 2, CONV2D),
    *convolutions("conv1d", 1, CONV1D),
    *convolutions("conv3d", 3, CONV3D),
    Row(
        "conv_transpose3d",
        lambda x, w: functional.conv_transpose3d(x, w, None, (2, 1, 3), 1, (1, 0, 2), 2, (1, 2, 1)),
        transposed((2, 1, 3), (1, 1, 1), (1, 0, 2), (1, 2, 1), 2),
        [signed(2, 2, 2, 3, 2), signed(2, 1, 3, 2, 2)],
    ),
    Row(
        "max_pool3d",
        lambda x: functional.max_pool3d(x, (2, 1, 3), 1, (1, 0, 1), (1, 1, 2)),
        largest((2, 1, 3), (1, 1, 1), (1, 0, 1), (1, 1, 2)),
        [spread(1, 2, 3, 2, 4)],
    ),
    Row(
        "avg_pool3d",
        lambda x: functional.avg_pool3d(x, (2, 2, 1), 1, (1, 0, 0)),
        averaged((2, 2, 1), (1, 1, 1), (1, 0, 0)),
        [signed(1, 2, 3, 2, 4)],
    ),
    *[
        Row(
            f"conv_transpose2d of {shape} with {weight}, {options}, {'bias' if biased else 'no bias'}",
            lambda *t, o=options, b=biased: functional.conv_transpose2d(*t, *([] if b else [None]), *o),
            transposed(pair(options[0]), pair(options[1]), pair(options[2]), pair(options[4]), options[3]),
            [signed(*shape), signed(*weight), *([signed(weight[1] * options[3])] if biased else [])],
        )
        for shape, weight, *options in TRANSPOSED2D
        for biased in (True, False)
    ],
    Row(
        "conv_transpose1d",
        lambda x, w, b: functional.conv_transpose1d(x, w, b, stride=3, padding=2, output_padding=1),
        transposed((3,), (2,), (1,), (1,), 1),
        [signed(2, 3, 4), signed(3, 2, 4), signed(2)],
    ),
    *[
        Row(
            f"max_pool2d of {shape}, {options}",
            lambda x, o=options: functional.max_pool2d(x, *o),
            largest(*options, (1, 1)),
            [spread(*shape)],
        )
        for shape, *options in POOLS
    ],
    Row(
        "max_pool2d of equal numbers",
        lambda x: functional.max_pool2d(x, 2),
        largest((2, 2), (2, 2), (0, 0), (1, 1)),
        [TIES],
    ),
    Row(
        "max_pool2d of equal numbers, overlapping",
        lambda x: functional.max_pool2d(x, 3, 1, 1),
        largest((3, 3), (1, 1), (1, 1), (1, 1)),
        [TIES],
    ),
    Row(
        "max_pool2d with gaps",
        lambda x: functional.max_pool2d(x, 2, 1, 0, (2, 1)),
        largest((2, 2), (1, 1), (0, 0), (2, 1)),
        [spread(1, 2, 5, 3)],
    ),
    Row("max_pool1d", lambda x: functional.max_pool1d(x, 3, 2, 1), largest((3,), (2,), (1,), (1,)), [spread(2, 3, 7)]),
    *[
        Row(
            f"avg_pool2d of {shape}, {options}",
            lambda x, o=options: functional.avg_pool2d(x, *o),
            averaged(*options),
            [signed(*shape)],
        )
        for shape, *options in POOLS
    ],
    Row(
        "avg_pool2d without what is outside",
        lambda x: functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
        averaged((3, 3), (2, 2), (1, 1), "inside"),
        [signed(2, 1, 5, 7)],
    ),
    Row(
        "avg_pool2d with a divisor",
        lambda x: functional.avg_pool2d(x, 2, divisor_override=3),
        averaged((2, 2), (2, 2), (0, 0), 3.0),
        [signed(1, 2, 4, 4)],
    ),
    Row("avg_pool1d", lambda x: functional.avg_pool1d(x, 3, 2, 1), averaged((3,), (2,), (1,)), [signed(2, 3, 7)]),
    *[
        Row(
            f"adaptive_avg_pool2d of {shape} to {outs}",
            lambda x, o=outs: functional.adaptive_avg_pool2d(x, o),
            per_bin(lambda x: of_rectangle(x, 2).mean(-1), *outs),
            [signed(*shape)],
        )
        for shape, outs in [((2, 3, 4, 6), (2, 3)), ((1, 2, 5, 7), (3, 2)), ((2, 4, 4), (1, 1))]
    ],
    *[
        Row(
            f"adaptive_max_pool2d of {shape} to {outs}",
            lambda x, o=outs: functional.adaptive_max_pool2d(x, o),
            per_bin(lambda x: of_rectangle(x, 2).amax(-1), *outs),
            [spread(*shape)],
        )
        for shape, outs in [((2, 3, 4, 6), (2, 3)), ((1, 2, 5, 7), (3, 2))]
    ],
    Row(
        "unfold",
        lambda x: functional.unfold(x, (3, 2), dilation=(1, 2), padding=1, stride=(2, 1)),
        unfolded((3, 2), (2, 1), (1, 1), (1, 2)),
        [signed(2, 3, 5, 5)],
    ),
    Row(
        "fold",
        lambda x: functional.fold(x, (5, 5), (1, 5)),
        lambda x: x.reshape(2, 3, 5, 5).transpose(2, 3),
        [signed(2, 15, 5)],
    ),
    Row(
        "fold, overlapping",
        lambda x: functional.fold(x, (1, 4), (1, 2)),
        lambda x: (
            bordered(x[:, 0:1], (0,), (1,), 0.0).reshape(2, 1, 1, 4)
            + bordered(x[:, 1:2], (1,), (0,), 0.0).reshape(2, 1, 1, 4)
        ),
        [signed(2, 2, 3)],
    ),
]

"""Normalisations and spreads, derived from means and roots."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from op_table.case import Draw, exactly, positive, signed, spread

import minitorch
from minitorch import Tensor
from minitorch.nn import functional
from twin_table.row import Row


def standardized(x: Tensor, dim: Any, eps: float) -> Tensor:
    centred = x - x.mean(dim, keepdim=True)
    return centred / ((centred * centred).mean(dim, keepdim=True) + eps).sqrt()


def per_channel(x: Tensor, parameter: Tensor) -> Tensor:
    return parameter.reshape(1, -1, *[1] * (x.ndim - 2))


def scaled(x: Tensor, rest: tuple[Tensor, ...]) -> Tensor:
    """x · weight + bias for each channel, where they are given."""
    if rest:
        x = x * per_channel(x, rest[0])
    return x + per_channel(x, rest[1]) if len(rest) > 1 else x


def layer_norm(axes: int, eps: float) -> Callable[..., Tensor]:
    def twin(x: Tensor, *rest: Tensor) -> Tensor:
        normal = standardized(x, tuple(range(-axes, 0)), eps)
        normal = normal * rest[0] if rest else normal
        return normal + rest[1] if len(rest) > 1 else normal

    return twin


def rms_norm(axes: int, eps: float) -> Callable[..., Tensor]:
    def twin(x: Tensor, *rest: Tensor) -> Tensor:
        normal = x / ((x * x).mean(tuple(range(-axes, 0)), keepdim=True) + eps).sqrt()
        return normal * rest[0] if rest else normal

    return twin


def batch_norm(eps: float) -> Callable[..., Tensor]:
    return lambda x, *rest: scaled(standardized(x, (0, *range(2, x.ndim)), eps), rest)


def group_norm(groups: int, eps: float) -> Callable[..., Tensor]:
    def twin(x: Tensor, *rest: Tensor) -> Tensor:
        parts = x.reshape(x.shape[0], groups, x.numel() // (x.shape[0] * groups))
        return scaled(standardized(parts, 2, eps).reshape(x.shape), rest)

    return twin


def instance_norm(eps: float) -> Callable[..., Tensor]:
    return lambda x, *rest: scaled(standardized(x, tuple(range(2, x.ndim)), eps), rest)


MEAN, VARIANCE = np.array([0.3, -1.0, 2.0]), np.array([0.5, 2.0, 1.0])


def running(x: Tensor, *rest: Tensor) -> Tensor:
    normal = (x - per_channel(x, Tensor(MEAN))) / (per_channel(x, Tensor(VARIANCE)) + 1e-5).sqrt()
    return scaled(normal, rest)


def with_parameters(title: str, fused: Any, twin: Any, parameters: list[Draw], *shapes: tuple[int, ...]) -> list[Row]:
    """With no parameter, with the first, with all."""
    return [
        Row(f"{title} of {shape}, {count} parameters", fused, twin, [signed(*shape), *parameters[:count]])
        for shape in shapes
        for count in range(len(parameters) + 1)
    ]


FAR = exactly([[1e4, 1e4 + 1, 1e4 + 3], [-1e-4, 1e-4, 0.0]])


def variance(x: Tensor, dim: Any, correction: float) -> Tensor:
    centred = x - x.mean(dim, keepdim=True)
    count = x.numel() // centred.sum(dim).numel()
    return (centred * centred).sum(dim) / (count - correction)


ROWS = [
    *with_parameters(
        "layer_norm",
        lambda x, *rest: functional.layer_norm(x, x.shape[-1:], *rest, eps=1e-3),
        layer_norm(1, 1e-3),
        [signed(5), signed(5)],
        *((3, 5), (1, 5), (5,), (2, 3, 5), (0, 5)),
    ),
    *with_parameters(
        "layer_norm over two axes",
        lambda x, *rest: functional.layer_norm(x, x.shape[-2:], *rest),
        layer_norm(2, 1e-5),
        [signed(3, 2), signed(3, 2)],
        *((2, 3, 2), (1, 3, 2)),
    ),
    Row("layer_norm far from 0", lambda x: functional.layer_norm(x, (3,)), layer_norm(1, 1e-5), [FAR], 1e-8),
    *with_parameters(
        "rms_norm",
        lambda x, *rest: functional.rms_norm(x, x.shape[-1:], *rest, eps=1e-3),
        rms_norm(1, 1e-3),
        [signed(5)],
        *((3, 5), (1, 5), (5,), (2, 3, 5), (0, 5)),
    ),
    *with_parameters(
        "rms_norm with the dtype's eps",
        lambda x, *rest: functional.rms_norm(x, x.shape[-2:], *rest),
        rms_norm(2, float(np.finfo(np.float64).eps)),
        [signed(3, 2)],
        (2, 3, 2),
    ),
    *with_parameters(
        "batch_norm, training",
        lambda x, *rest: functional.batch_norm(x, None, None, *rest, training=True, eps=1e-3),
        batch_norm(1e-3),
        [signed(3), signed(3)],
        *((5, 3), (4, 3, 1), (1, 3, 5), (2, 3, 3, 2)),
    ),
    *with_parameters(
        "batch_norm, evaluating",
        lambda x, *rest: functional.batch_norm(x, Tensor(MEAN), Tensor(VARIANCE), *rest),
        running,
        [signed(3), signed(3)],
        *((5, 3), (1, 3), (0, 3), (2, 3, 2)),
    ),
    *with_parameters(
        "group_norm",
        lambda x, *rest: functional.group_norm(x, 2, *rest),
        group_norm(2, 1e-5),
        [signed(4), signed(4)],
        *((3, 4), (1, 4, 3), (2, 4, 3, 1)),
    ),
    *with_parameters(
        "instance_norm",
        lambda x, *rest: functional.instance_norm(x, None, None, *rest),
        instance_norm(1e-5),
        [signed(3), signed(3)],
        *((2, 3, 5), (1, 3, 2, 3)),
    ),
    *[
        Row(f"{name} of {shape} over {dim}, correction {correction}", fused, twin, [signed(*shape)])
        for shape, dim, correction in [((3, 5), 1, 1), ((3, 5), (0, 1), 0), ((1, 4), 1, 0), ((2, 3, 2), 0, 1)]
        for name, fused, twin in [
            (
                "var",
                lambda x, d=dim, c=correction: x.var(d, c),
                lambda x, d=dim, c=correction: variance(x, d, c),
            ),
            (
                "std",
                lambda x, d=dim, c=correction: x.std(d, c),
                lambda x, d=dim, c=correction: variance(x, d, c).sqrt(),
            ),
        ]
    ],
    *[
        Row(
            f"vector_norm of order {order}, {title}",
            lambda x, p=order, d=dim: minitorch.linalg.vector_norm(x, p, dim=d),
            lambda x, p=order, d=dim: (x.abs() ** p).sum(d) ** (1 / p),
            [spread(3, 4)],
        )
        for order in (1.0, 2.0, 3.0)
        for title, dim in (("all", None), ("rows", 1), ("columns", 0))
    ],
    Row(
        "vector_norm of order inf",
        lambda x: minitorch.linalg.vector_norm(x, math.inf, dim=1),
        lambda x: x.abs().amax(1),
        [spread(3, 4)],
    ),
    Row(
        "normalize",
        lambda x: functional.normalize(x),
        lambda x: x / (x * x).sum(1, keepdim=True).sqrt().clamp_min(1e-12),
        [signed(3, 4)],
    ),
    Row(
        "cosine_similarity",
        lambda a, b: functional.cosine_similarity(a, b),
        lambda a, b: (a * b).sum(1) / ((a * a).sum(1).sqrt() * (b * b).sum(1).sqrt()),
        [signed(3, 4), positive(3, 4)],
    ),
]

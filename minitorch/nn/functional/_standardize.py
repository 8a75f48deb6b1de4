"""Standardisation, which layer, batch, group and instance norm share: mean 0 and variance 1 in each group."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.ops._row_reductions import channel_sums, summed_to
from minitorch.ops.arithmetic import add, div, mul, sub
from minitorch.ops.movement import reshape
from minitorch.ops.reduce import mean
from minitorch.ops.unary import sqrt
from minitorch.types import Shape, TensorLike

Blocks = tuple[int, int, int]
"""(a, groups, b): the input seen with three axes, of which each group is normalised over the first and the last."""


def _standardized_composed(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike,
    blocks: Blocks,
    eps: float,
    moments: Any = None,  # noqa: ARG001 (a twin takes what its operation takes)
) -> Any:
    values = reshape(input, blocks)
    centred = sub(values, mean(values, (0, 2), keepdim=True))
    normal = div(centred, sqrt(add(mean(mul(centred, centred), (0, 2), keepdim=True), eps)))
    return add(mul(reshape(normal, as_array(input).shape), weight), bias)


def _standardized(
    input: Any, weight: Any, bias: Any, blocks: Blocks, eps: float, moments: tuple[Any, Any] | None = None
) -> tuple[Any, Any]:
    """x̂ · weight + bias, with weight and bias of shapes that broadcast; moments: input's own, if known already."""
    values = as_float(input).reshape(blocks)
    center = group_means(values) if moments is None else moments[0]
    normal = values - center  # around 0
    variance = group_means(normal * normal) if moments is None else moments[1]
    inverse = 1 / np.sqrt(variance + eps)  # (groups, 1)
    normal *= inverse  # and as wide as 1
    normal = normal.reshape(input.shape)
    out = normal * weight
    out += bias
    return out, (normal, inverse)


def _standardized_wrt_input(g: Any, weight: Any, blocks: Blocks, aux: tuple[Any, Any]) -> Any:
    normal, inverse = aux
    gradient = (g * weight).reshape(blocks)
    explained = normal.reshape(blocks) * group_means(gradient * normal.reshape(blocks))
    explained += group_means(gradient)
    gradient -= explained
    gradient *= inverse
    return gradient.reshape(g.shape)


def standardizing(name: str) -> Operation[...]:
    """Return the operation of standardisation under the name of a function, for graphs and errors."""
    return primitive(
        _standardized,
        name=name,
        composed=_standardized_composed,
        promotes=False,
        input=_standardized_wrt_input,
        weight=lambda g, weight, aux: summed_to(g * aux[0], weight.shape),
        bias=lambda g, bias: summed_to(g, bias.shape),
    )


by_layer = standardizing("layer_norm")
by_batch = standardizing("batch_norm")


def group_means(values: Any) -> Any:
    """The mean of each group: (a, groups, b) → (groups, 1)."""
    a, _, b = values.shape
    return channel_sums(values)[:, None] / max(a * b, 1)


def moments_of(values: Any) -> tuple[Any, Any]:
    """Mean and biased variance of each group: (a, groups, b) → twice (groups, 1)."""
    center = group_means(values)
    centred = values - center
    centred *= centred
    return center, group_means(centred)


# -- channels ----------------------------------------------------------------------------------------------------------


def channel_shape(ndim: int) -> Shape:
    """The shape with which (C,) broadcasts along axis 1."""
    return (-1, *[1] * (ndim - 2))


def per_channel(ndim: int, weight: TensorLike | None, bias: TensorLike | None) -> tuple[Any, Any]:
    """weight and bias in a shape that broadcasts along axis 1; 1 and 0 where there is none."""
    shape = channel_shape(ndim)
    return 1.0 if weight is None else reshape(weight, shape), 0.0 if bias is None else reshape(bias, shape)


def require_channels(name: str, channels: int, **parameters: Any) -> None:
    """Raises ValueError unless each of the parameters that are given is (C,)."""
    for label, value in parameters.items():
        if value is not None and as_array(value).shape != (channels,):
            raise ShapeError(f"{name}: {label} has shape {as_array(value).shape}, but there are {channels} channels")

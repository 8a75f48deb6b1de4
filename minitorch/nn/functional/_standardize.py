"""The two steps of every normalisation: numbers shifted to mean zero and scaled to one, group by group."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.ops._rows import channel_sums, row_sums, summed_to
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
    middle = _group_means(values) if moments is None else moments[0]
    normal = values - middle  #: around 0
    variance = _group_means(normal * normal) if moments is None else moments[1]
    inverse = 1 / np.sqrt(variance + eps)  # (groups, 1)
    normal *= inverse  #: and as wide as 1
    normal = normal.reshape(input.shape)
    out = normal * weight
    out += bias
    return out, (normal, inverse)


def _standardized_wrt_input(g: Any, weight: Any, blocks: Blocks, aux: tuple[Any, Any]) -> Any:
    normal, inverse = aux
    gradient = (g * weight).reshape(blocks)
    explained = normal.reshape(blocks) * _group_means(gradient * normal.reshape(blocks))
    explained += _group_means(gradient)
    gradient -= explained
    gradient *= inverse
    return gradient.reshape(g.shape)


def _standardizing(name: str) -> Operation[...]:
    """The same operation under the name of the function that it serves, for graphs and errors."""
    return primitive(
        _standardized,
        name=name,
        composed=_standardized_composed,
        promotes=False,
        input=_standardized_wrt_input,
        weight=lambda g, weight, aux: summed_to(g * aux[0], weight.shape),
        bias=lambda g, bias: summed_to(g, bias.shape),
    )


by_layer = _standardizing("layer_norm")
by_batch = _standardizing("batch_norm")
by_group = _standardizing("group_norm")
by_instance = _standardizing("instance_norm")


def _group_means(values: Any) -> Any:
    """The mean of each group: (a, groups, b) → (groups, 1)."""
    a, _, b = values.shape
    return channel_sums(values)[:, None] / max(a * b, 1)


def moments_of(values: Any) -> tuple[Any, Any]:
    """Mean and biased variance of each group: (a, groups, b) → twice (groups, 1)."""
    middle = _group_means(values)
    centred = values - middle
    centred *= centred
    return middle, _group_means(centred)


def _scaled_to_one_composed(input: TensorLike, weight: TensorLike, size: int, eps: float | None) -> Any:
    values = reshape(input, (as_array(input).size // max(size, 1), size))
    eps = _smallest_step(as_array(input)) if eps is None else eps
    normal = div(values, sqrt(add(mean(mul(values, values), 1, keepdim=True), eps)))
    return mul(reshape(normal, as_array(input).shape), weight)


@primitive(name="rms_norm", composed=_scaled_to_one_composed, promotes=False)
def scaled_to_one(input: Any, weight: Any, size: int, eps: float | None) -> tuple[Any, Any]:
    """x̂ · weight with x̂ = x / √(mean x² + eps) over rows of `size` numbers."""
    rows = as_float(input).reshape(input.size // max(size, 1), size)
    eps = _smallest_step(rows) if eps is None else eps
    inverse = 1 / np.sqrt(row_sums(rows * rows) / max(size, 1) + eps)  # (rows, 1)
    normal = (rows * inverse).reshape(input.shape)
    return normal * weight, (normal, inverse)


def _scaled_to_one_wrt_input(g: Any, weight: Any, size: int, aux: tuple[Any, Any]) -> Any:
    normal, inverse = aux
    normal = normal.reshape(len(inverse), size)
    gradient = (g * weight).reshape(len(inverse), size)
    gradient -= normal * (row_sums(gradient * normal) / max(size, 1))
    gradient *= inverse
    return gradient.reshape(g.shape)


scaled_to_one.vjp(
    input=_scaled_to_one_wrt_input,
    weight=lambda g, weight, aux: summed_to(g * aux[0], weight.shape),
)


def _smallest_step(values: Any) -> float:
    return float(np.finfo(values.dtype).eps)


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

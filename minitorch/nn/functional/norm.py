"""Layer normalisation: mean 0 and variance 1 along the last axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.moved import moved_names
from minitorch.nn.functional._standardize import by_layer
from minitorch.types import Shape, TensorLike

__all__ = ["layer_norm"]


def layer_norm(
    input: TensorLike,
    normalized_shape: Shape,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """x̂ · weight + bias with x̂ = (x - mean) / √(variance + eps), over the last axes: (…, *normalized_shape) → the same.

    weight and bias: normalized_shape.
    dL/dx = (ĝ - mean ĝ - x̂ · mean(ĝ x̂)) / √(variance + eps) with ĝ = g · weight; dL/dweight = Σ g x̂, dL/dbias = Σ g.
    The variance is the biased one. Raises ValueError when the shapes do not fit.
    Source: Ba, Kiros and Hinton, 2016, Layer Normalization.

    >>> from minitorch import Tensor
    >>> layer_norm(Tensor([[1.0, 3.0], [0.0, 8.0]]), (2,))
    tensor([[-1.0000,  1.0000],
            [-1.0000,  1.0000]])
    """
    shape = as_array(input).shape
    size = normalized_size("layer_norm", shape, normalized_shape, weight=weight, bias=bias)
    blocks = (1, math.prod(shape[: len(shape) - len(normalized_shape)]), size)
    return by_layer(input, 1.0 if weight is None else weight, 0.0 if bias is None else bias, blocks, eps)


def normalized_size(name: str, shape: Shape, normalized_shape: Shape, **parameters: Any) -> int:
    """Return the number of elements that are normalised together. Raises ValueError unless they are the last axes."""
    if not isinstance(normalized_shape, (tuple, list)) or not normalized_shape:
        raise TypeError(
            f"{name}: normalized_shape must be a tuple such as {shape[-1:] or (3,)}, not {normalized_shape}"
        )
    wanted = tuple(normalized_shape)
    if shape[max(len(shape) - len(wanted), 0) :] != wanted:
        raise ShapeError(f"{name}: input of shape {shape} does not end with the axes {wanted} of normalized_shape")
    for label, value in parameters.items():
        if value is not None and as_array(value).shape != wanted:
            raise ShapeError(f"{name}: {label} has shape {as_array(value).shape}, but normalized_shape is {wanted}")
    return math.prod(wanted)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.norm import *
else:
    __getattr__, __dir__ = moved_names(__name__)

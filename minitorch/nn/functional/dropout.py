"""Dropout: some numbers are left out at random while training."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import on_gpu, xp
from minitorch.callers import warn
from minitorch.errors import ShapeError
from minitorch.ops.arithmetic import add, mul
from minitorch.types import Shape, TensorLike

__all__ = ["alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]


def dropout(
    input: TensorLike,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """Each number becomes 0 with probability p, else it is divided by 1 - p, so that the expectation stays.

    (…) → (…). dL/dx = g where x stayed, divided by 1 - p; 0 elsewhere. Unless `training`, the input itself is returned.
    Raises ValueError when p is no probability. Source: Srivastava et al., 2014, Dropout.

    >>> from minitorch import Tensor
    >>> dropout(Tensor([1.0, 2.0]), p=0.5, training=False)
    tensor([1., 2.])
    """
    return _dropped("dropout", input, p, training, as_array(input).shape)


def dropout1d(
    input: TensorLike,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """Dropout of whole channels: (N, C, L) or (C, L) → the same. dL/dx as in `dropout`.

    Raises ValueError for another number of axes and when p is no probability.

    >>> from minitorch import Tensor
    >>> dropout1d(Tensor([[[1.0, 2.0]]]), p=1.0)
    tensor([[[0., 0.]]])
    """
    shape = as_array(input).shape
    if len(shape) not in (2, 3):
        raise ShapeError(f"dropout1d: input must have shape (N, C, L) or (C, L), not {shape}")
    return _dropped("dropout1d", input, p, training, (*shape[:-1], 1))


def dropout3d(
    input: TensorLike,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """Dropout of whole channels: (N, C, D, H, W) or (C, D, H, W) → the same.

    dL/dx as in `dropout`.

    Another number of axes is warned of, and the channels are then along the first axis, as in PyTorch. Raises
    ValueError for a single number and when p is no probability.

    >>> from minitorch import Tensor
    >>> dropout3d(Tensor([[[[1.0, 2.0]]]]), p=1.0)
    tensor([[[[0., 0.]]]])
    """
    shape = as_array(input).shape
    if len(shape) not in (4, 5):
        warn(
            f"dropout3d: input should have shape (N, C, D, H, W) or (C, D, H, W), not {shape}: what belongs to one "
            "index of the first axis is dropped together; use dropout to drop single numbers"
        )
    return _dropped(
        "dropout3d", input, p, training, _leading("dropout3d", shape, p, training, 2 if len(shape) == 5 else 1)
    )


def dropout2d(
    input: TensorLike,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """Dropout of whole channels, (N, C, H, W) → the same. A channel of a sample stays or goes as one.

    dL/dx as in `dropout`. Another number of axes is warned of, and the input is then taken as (N, C, …), as in PyTorch.
    Raises ValueError for fewer than two axes in training and when p is no probability.
    Source: Tompson et al., 2015, Efficient Object Localization Using Convolutional Networks.

    >>> from minitorch import Tensor
    >>> dropout2d(Tensor([[[[1.0, 2.0]]]]), p=1.0)
    tensor([[[[0., 0.]]]])
    """
    shape = as_array(input).shape
    if len(shape) == 3:
        warn(
            f"dropout2d: input of shape {shape} is taken as (N, C, L), as dropout1d takes it: for one image of shape "
            "(C, H, W) write dropout2d(x.unsqueeze(0)).squeeze(0)"
        )
    elif len(shape) != 4:
        warn(
            f"dropout2d: input should have shape (N, C, H, W), not {shape}: what belongs to one index of the first two "
            "axes is dropped together; use dropout to drop single numbers"
        )
    return _dropped("dropout2d", input, p, training, _leading("dropout2d", shape, p, training, 2))


def alpha_dropout(
    input: TensorLike,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """Dropout beside `selu`: mean and variance stay, for what is left out becomes selu's value at -∞, -1.7581, not 0.

    (…) → (…): a · x + b where x stayed, a · -1.7581 + b elsewhere, with a = ((1 - p)(1 + 1.7581² p))^-½ and
    b = 1.7581 a p. dL/dx = a · g where x stayed. Unless `training`, the input itself is returned.
    Raises ValueError when p is no probability. Source: Klambauer et al., 2017, Self-Normalizing Neural Networks.

    >>> from minitorch import Tensor
    >>> alpha_dropout(Tensor([1.0, 2.0]), p=1.0, training=True)
    tensor([0., 0.])
    """
    return _saturated("alpha_dropout", input, p, training, as_array(input).shape)


def feature_alpha_dropout(
    input: TensorLike,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """`alpha_dropout` of whole channels: (N, C, …) → (N, C, …).

    Raises ValueError for fewer than two axes in training and when p is no probability.

    >>> from minitorch import Tensor
    >>> feature_alpha_dropout(Tensor([[[1.0, 2.0]]]), p=1.0, training=True)
    tensor([[[0., 0.]]])
    """
    name = "feature_alpha_dropout"
    return _saturated(name, input, p, training, _leading(name, as_array(input).shape, p, training, 2))


def _leading(name: str, shape: Shape, p: float, training: bool, count: int) -> Shape:
    """The shape of a mask with a number for each index of the first `count` axes."""
    if len(shape) < count and training and 0.0 < p < 1.0:
        raise ShapeError(f"{name}: input of shape {shape} has no channels: use dropout to drop single numbers")
    return (*shape[:count], *[1] * (len(shape) - count))


def _saturated(name: str, input: TensorLike, p: float, training: bool, shape: Shape) -> Tensor:
    """a · x + b where the mask of `shape` is one, a · -1.7581 + b where it is not."""
    if not training or p in (0.0, 1.0):
        return _dropped(name, input, p, training, shape)
    kept = _dropped(name, constant(np.ones(shape, as_array(input).dtype)), p, True, shape)._data * (1 - p)
    least = -1.7580993408473766
    scale = ((1 - p) * (1 + p * least**2)) ** -0.5
    there = _beside(kept, as_array(input))
    return add(mul(input, there * scale), ((1 - there) * least - p * least) * scale)


def _beside(mask: Any, array: Any) -> Any:
    """A mask of the host on the array's device."""
    return xp(array).asarray(mask) if on_gpu(array) else mask


def _dropped(name: str, input: TensorLike, p: float, training: bool, shape: Shape) -> Tensor:
    """The input times a mask of `shape`, drawn on the CPU so that each device gets the same numbers."""
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"{name}: p must be a probability between 0 and 1, not {p}")
    if not training or p == 0.0:
        return input if isinstance(input, TensorBase) else constant(as_array(input))
    array = as_array(input)
    scope = current_scope()
    dtype = array.dtype if array.dtype.kind == "f" else scope.default_dtype
    mask = (scope.random.generator.random(shape, dtype="float32") >= p).astype(dtype)  #: which numbers stay
    if p < 1.0:
        mask *= 1 / (1 - p)
    return mul(input, constant(_beside(mask, array)))

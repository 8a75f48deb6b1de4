"""Dropout of whole channels, and alpha dropout, which goes with `selu`."""

from __future__ import annotations

import numpy as np

from minitorch import Tensor, add, mul
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.callers import warn
from minitorch.compat.nn.functional._axes import with_axes
from minitorch.errors import ShapeError
from minitorch.nn.functional.dropout import masked, on_device_of
from minitorch.types import Shape, TensorLike

__all__ = ["alpha_dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]


def _channel_dropout(
    name: str,
    axes: int,
    input: TensorLike,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """Return dropout1d, dropout2d or dropout3d, as `name` says: one element of the mask for each channel."""
    shape = as_array(input).shape
    ndim = len(shape)
    if axes == 1 and ndim not in (2, 3):
        raise ShapeError(f"{name}: input must have shape (N, C, L) or (C, L), not {shape}")
    if axes == 2 and ndim == 3:
        warn(
            f"dropout2d: input of shape {shape} is taken as (N, C, L), as dropout1d takes it: for one image of shape "
            "(C, H, W) write dropout2d(x.unsqueeze(0)).squeeze(0)"
        )
    elif axes > 1 and ndim not in (4, axes + 2):
        right, first = ("(N, C, H, W)", "two axes") if axes == 2 else ("(N, C, D, H, W) or (C, D, H, W)", "axis")
        warn(
            f"{name}: input should have shape {right}, not {shape}: what belongs to one index of the first {first} is "
            "dropped together; use dropout to drop single numbers"
        )
    leading = ndim - 1 if axes == 1 else 1 if axes == 3 and ndim != 5 else 2
    return masked(name, input, p, training, _mask_shape(name, shape, p, training, leading))


@with_axes(1, _channel_dropout)
def dropout1d() -> None:
    """Dropout of whole channels: (N, C, L) or (C, L) → the same. dL/dx as in `dropout`.

    Raises ValueError for another number of axes and when p is no probability.

    >>> from minitorch import Tensor
    >>> dropout1d(Tensor([[[1.0, 2.0]]]), p=1.0)
    tensor([[[0., 0.]]])
    """


@with_axes(2, _channel_dropout)
def dropout2d() -> None:
    """Dropout of whole channels, (N, C, H, W) → the same. A channel of a sample stays or goes as one.

    dL/dx as in `dropout`. Another number of axes is warned of, and the input is then taken as (N, C, …), as in PyTorch.
    Raises ValueError for fewer than two axes in training and when p is no probability.
    Source: Tompson et al., 2015, Efficient Object Localization Using Convolutional Networks.

    >>> from minitorch import Tensor
    >>> dropout2d(Tensor([[[[1.0, 2.0]]]]), p=1.0)
    tensor([[[[0., 0.]]]])
    """


@with_axes(3, _channel_dropout)
def dropout3d() -> None:
    """Dropout of whole channels: (N, C, D, H, W) or (C, D, H, W) → the same.

    dL/dx as in `dropout`.

    Another number of axes is warned of, and the channels are then along the first axis, as in PyTorch. Raises
    ValueError for a single number and when p is no probability.

    >>> from minitorch import Tensor
    >>> dropout3d(Tensor([[[[1.0, 2.0]]]]), p=1.0)
    tensor([[[[0., 0.]]]])
    """


def alpha_dropout(
    input: TensorLike,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,  # noqa: ARG001 (the engine makes a new Tensor all the same)
) -> Tensor:
    """Dropout for networks with `selu`: dropped elements become selu's value at -∞, -1.7581: mean and variance stay.

    (…) → (…): a · x + b where x stayed, a · -1.7581 + b elsewhere, with a = ((1 - p)(1 + 1.7581² p))^-½ and
    b = 1.7581 a p. dL/dx = a · g where x stayed. Unless `training`, the input itself is returned.
    Raises ValueError when p is no probability. Source: Klambauer et al., 2017, Self-Normalizing Neural Networks.

    >>> from minitorch import Tensor
    >>> alpha_dropout(Tensor([1.0, 2.0]), p=1.0, training=True)
    tensor([0., 0.])
    """
    return _alpha_masked("alpha_dropout", input, p, training, as_array(input).shape)


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
    return _alpha_masked(name, input, p, training, _mask_shape(name, as_array(input).shape, p, training, 2))


def _mask_shape(name: str, shape: Shape, p: float, training: bool, count: int) -> Shape:
    """Return the shape of a mask with an element for each index of the first `count` axes."""
    if len(shape) < count and training and 0.0 < p < 1.0:
        raise ShapeError(f"{name}: input of shape {shape} has no channels: use dropout to drop single numbers")
    return (*shape[:count], *[1] * (len(shape) - count))


def _alpha_masked(name: str, input: TensorLike, p: float, training: bool, shape: Shape) -> Tensor:
    """Return a · x + b where the mask of `shape` is one, a · -1.7581 + b where it is not."""
    if not training or p in (0.0, 1.0):
        return masked(name, input, p, training, shape)
    ones = masked(name, constant(np.ones(shape, as_array(input).dtype)), p, True, shape)._data * (1 - p)
    least = -1.7580993408473766
    scale = ((1 - p) * (1 + p * least**2)) ** -0.5
    mask = on_device_of(as_array(input), ones)
    return add(mul(input, mask * scale), ((1 - mask) * least - p * least) * scale)

"""Dropout: set elements to 0 at random while training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import on_gpu, xp
from minitorch.moved import moved_names
from minitorch.ops.arithmetic import mul
from minitorch.types import Shape, TensorLike

__all__ = ["dropout"]


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
    return masked("dropout", input, p, training, as_array(input).shape)


def masked(name: str, input: TensorLike, p: float, training: bool, shape: Shape) -> Tensor:
    """Return the input times a random mask of `shape`: 0 with probability p, else 1 / (1 - p)."""
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"{name}: p must be a probability between 0 and 1, not {p}")
    if not training or p == 0.0:
        return input if isinstance(input, TensorBase) else constant(as_array(input))
    array = as_array(input)
    scope = current_scope()
    dtype = array.dtype if array.dtype.kind == "f" else scope.default_dtype
    # The CPU's generator: each device gets the same mask.
    mask = (scope.random.generator.random(shape, dtype="float32") >= p).astype(dtype)  # which numbers stay
    if p < 1.0:
        mask *= 1 / (1 - p)
    return mul(input, constant(on_device_of(array, mask)))


def on_device_of(array: Any, mask: Any) -> Any:
    """Return a mask that the CPU made on the device of `array`."""
    return xp(array).asarray(mask) if on_gpu(array) else mask


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.dropout import *
else:
    __getattr__, __dir__ = moved_names(__name__)

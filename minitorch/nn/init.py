"""First values of weights. Each function fills a Tensor in place, records nothing, and returns the Tensor.

Random numbers come from the common generator, so that `manual_seed` reproduces them on every device, or from a NumPy
Generator given as `generator`. Distributions are PyTorch's; the numbers are not.

A weight of shape (out, in, *kernel) has fan_in = in · ∏kernel and fan_out = out · ∏kernel: how many numbers one output
is a sum of, and how many outputs one input flows into.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.in_place import write
from minitorch.autograd.scope import no_grad
from minitorch.backend import moved
from minitorch.errors import ShapeError
from minitorch.lazy_imports import homes_of, lazy_attributes
from minitorch.ops import random

__all__ = ["normal_", "ones_", "uniform_", "xavier_uniform_", "zeros_"]

_RARE = """calculate_gain constant_ dirac_ eye_ kaiming_normal_ kaiming_uniform_ orthogonal_ sparse_ trunc_normal_
    xavier_normal_"""
_LATER = homes_of("minitorch.compat.nn", {"init": _RARE})
__all__ += list(_LATER)

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.nn.init import *
else:
    __getattr__, __dir__ = lazy_attributes(__name__, _LATER, __all__)

# -- given numbers -----------------------------------------------------------------------------------------------------


def ones_(tensor: Tensor) -> Tensor:
    """Every number becomes 1.

    >>> ones_(Tensor([3.0, 2.0]))
    tensor([1., 1.])
    """
    return _filled(tensor, "ones_", 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Every number becomes 0.

    >>> zeros_(Tensor([3.0, 2.0]))
    tensor([0., 0.])
    """
    return _filled(tensor, "zeros_", 0.0)


# -- numbers that are drawn --------------------------------------------------------------------------------------------


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Numbers between a and b, all equally likely. Raises ValueError if a is above b.

    >>> uniform_(Tensor([1.0, 2.0]), 3.0, 3.0)
    tensor([3., 3.])
    """
    with no_grad():
        result: Tensor = random.uniform_(_tensor(tensor, "uniform_"), a, b, generator=generator)
    return result


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Numbers from the normal distribution. Raises ValueError for a negative std.

    >>> normal_(Tensor([1.0, 2.0]), 3.0, 0.0)
    tensor([3., 3.])
    """
    with no_grad():
        result: Tensor = random.normal_(_tensor(tensor, "normal_"), mean, std, generator=generator)
    return result


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform between ±gain · √(6 / (fan_in + fan_out)): signals and gradients keep their variance.

    Raises ValueError for fewer than 2 axes. Source: Glorot and Bengio, 2010.

    >>> xavier_uniform_(Tensor(np.zeros((3, 3)))).abs().max().item() <= 1.0
    True
    """
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def _xavier_std(tensor: Tensor, gain: float) -> float:
    return gain * math.sqrt(2.0 / max(sum(_calculate_fan_in_and_fan_out(tensor)), 1))


# -- what they share ---------------------------------------------------------------------------------------------------


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """(fan_in, fan_out) of a weight (out, in, *kernel), under the name that it has in PyTorch."""
    if _tensor(tensor, "fan_in and fan_out").ndim < 2:
        raise ShapeError(
            f"a Tensor of shape {tensor.shape} has no fan_in and fan_out, which need 2 axes or more: "
            f"for a bias, use zeros_ or uniform_"
        )
    kernel = math.prod(tensor.shape[2:])
    return tensor.shape[1] * kernel, tensor.shape[0] * kernel


def _tensor(tensor: Any, name: str) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{name}: needs a Tensor that it can fill, not a {type(tensor).__name__}")
    return tensor


def _filled(tensor: Tensor, name: str, values: Any) -> Tensor:
    def fill(memory: Any) -> None:
        memory[...] = moved(values, tensor.device) if isinstance(values, np.ndarray) else values

    with no_grad():
        write(_tensor(tensor, name), name, fill)
    return tensor

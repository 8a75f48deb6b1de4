"""Utilities for all gradients at once: norms and clipping.

All parameters as one vector (convert_parameters), weights that are computed when they are read (parametrize,
parametrizations, weight_norm, spectral_norm) and sequences of different lengths (rnn) stand in
`minitorch.compat.nn.utils`, and are imported when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.autograd.version import stamp
from minitorch.backend import device_of, moved, xp
from minitorch.lazy_imports import homes_of, lazy_attributes

__all__ = ["clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm", "parameters_to_vector"]
__all__ += ["parametrizations", "parametrize", "remove_spectral_norm", "remove_weight_norm", "rnn", "spectral_norm"]
__all__ += ["vector_to_parameters", "weight_norm"]


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,  # noqa: ARG001 (PyTorch's choice of kernels)
) -> Tensor:
    """Shortens all gradients together, in place, to a norm of `max_norm`; returns the norm that they had.

    All gradients count as one vector g, and each is multiplied by min(1, max_norm / (‖g‖ + 10⁻⁶)), which keeps the
    direction. norm_type: p of the p-norm, `inf` for the largest. Raises RuntimeError with error_if_nonfinite where the
    norm is nan or infinite, ValueError for a negative max_norm. Source: Pascanu, Mikolov and Bengio, 2013.

    >>> x = Tensor([3.0, 4.0], requires_grad=True)
    >>> (x * x / 2).sum().backward()
    >>> clip_grad_norm_([x], max_norm=1.0)
    tensor(5.)
    >>> x.grad.round(4)
    array([0.6, 0.8], dtype=float32)
    """
    chosen = _row(parameters)
    total = get_total_norm(_gradients(chosen), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(chosen, max_norm, total)
    return total


def get_total_norm(tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Tensor:
    """The norm of all numbers of several Tensors or arrays together, as if they were one vector; 0 for none.

    Raises RuntimeError with error_if_nonfinite where it is nan or infinite.

    >>> get_total_norm([Tensor([3.0]), Tensor([[4.0]])])
    tensor(5.)
    """
    arrays = [as_array(each) for each in ([tensors] if isinstance(tensors, Tensor) else tensors)]
    arrays = [array for array in arrays if array.size > 0]
    if not arrays:
        return Tensor(0.0)
    there = xp(arrays[0])
    with np.errstate(over="ignore"):  # an infinite norm is an answer
        norms = [xp(array).linalg.norm(array.reshape(-1), norm_type) for array in arrays]
        total = there.linalg.norm(there.stack([moved(norm, device_of(arrays[0])) for norm in norms]), norm_type)
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(
            f"clip_grad_norm_: the norm of the gradients is {float(total)}, so they cannot be clipped: "
            f"look for a division by 0 or a step that is too long"
        )
    return constant(there.asarray(total))


def clip_grads_with_norm_(parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor) -> None:
    """Multiplies all gradients by min(1, max_norm / (total_norm + 10⁻⁶)), in place: `clip_grad_norm_`'s second half.

    Raises ValueError for a negative max_norm.
    """
    if not max_norm >= 0:
        raise ValueError(f"clip_grad_norm_: max_norm is a length and not negative, unlike {max_norm}")
    factor: Any = max_norm / (as_array(total_norm) + 1e-6)
    stays = not isinstance(factor, (np.ndarray, np.generic))  # to wait for a GPU takes longer than to multiply by 1
    factor = np.minimum(factor, 1.0) if stays else float(factor)
    if not stays and factor >= 1.0:
        return
    with np.errstate(invalid="ignore"):  # ∞ · 0 is nan, here as in PyTorch
        for gradient in _gradients(_row(parameters)):
            stamp(gradient, "clip_grad_norm_")
            gradient *= moved(factor, device_of(gradient)) if stays else factor


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Cuts every number of the gradients to between ±clip_value, in place. Raises ValueError for a negative one.

    >>> x = Tensor([3.0, -4.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> clip_grad_value_([x], 7.0)
    >>> x.grad
    array([ 6., -7.], dtype=float32)
    """
    if not clip_value >= 0:
        raise ValueError(f"clip_grad_value_: clip_value is a bound and not negative, unlike {clip_value}")
    for gradient in _gradients(_row(parameters)):
        stamp(gradient, "clip_grad_value_")
        xp(gradient).clip(gradient, -clip_value, clip_value, out=gradient)


def _row(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """One Tensor or several, as a list that can be walked twice."""
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


def _gradients(parameters: list[Tensor]) -> list[np.ndarray]:
    """The gradients that are there, themselves."""
    return [as_array(parameter.grad) for parameter in parameters if parameter.grad is not None]


if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.nn.utils import parametrizations, parametrize, rnn
    from minitorch.compat.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
    from minitorch.compat.nn.utils.normed_weights import (
        remove_spectral_norm,
        remove_weight_norm,
        spectral_norm,
        weight_norm,
    )

_LATER = homes_of(
    "minitorch.compat.nn.utils",
    {
        "convert_parameters": "parameters_to_vector vector_to_parameters",
        "normed_weights": "remove_spectral_norm remove_weight_norm spectral_norm weight_norm",
    },
)
_LATER |= {name: f"minitorch.nn.utils.{name}" for name in ("parametrizations", "parametrize", "rnn")}

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.nn.utils", _LATER, __all__)

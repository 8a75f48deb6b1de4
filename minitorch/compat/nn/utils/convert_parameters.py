"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from minitorch import Tensor, cat
from minitorch.backend import moved, xp
from minitorch.errors import ShapeError

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All numbers of the parameters in one vector, in their order; recorded like any operation.

    Raises ValueError for no parameters.

    >>> parameters_to_vector([Tensor([[1.0, 2.0]]), Tensor(3.0)])
    tensor([1., 2., 3.])
    """
    row = list(parameters)
    if not row:
        raise ShapeError("parameters_to_vector: there are no parameters")
    vector: Tensor = cat([parameter.reshape(-1) for parameter in row])
    return vector


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Copies the numbers of a vector into the parameters, in their order: the reverse of `parameters_to_vector`.

    Raises TypeError unless vec is a Tensor, ValueError unless it has as many numbers as the parameters together.

    >>> weight = Tensor([[0.0, 0.0]])
    >>> vector_to_parameters(Tensor([1.0, 2.0]), [weight])
    >>> weight
    tensor([[1., 2.]])
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"vector_to_parameters: needs a Tensor, not a {type(vec).__name__}")
    row = list(parameters)
    wanted = sum(parameter.numel() for parameter in row)
    if vec.shape != (wanted,):
        raise ShapeError(f"vector_to_parameters: {wanted} numbers are needed, and vec has shape {vec.shape}")
    start = 0
    for parameter in row:
        end = start + parameter.numel()
        numbers = moved(vec.data[start:end], parameter.device).reshape(parameter.shape)
        parameter.data = xp(parameter).array(numbers)
        start = end

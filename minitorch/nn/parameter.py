"""Parameters and buffers, the Tensors that a module owns: what is trained, and what is only remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import TensorBase, as_array
from minitorch.backend import xp
from minitorch.errors import DtypeError
from minitorch.types import TensorLike


class Parameter(Tensor):
    """A leaf Tensor that registers itself where it is assigned to a Module: what an optimiser changes.

    data: a Tensor, whose memory it then shares, or numbers, which are copied. What operations make of it are plain
    Tensors. Raises TypeError for integers that are to have a gradient.

    >>> weight = Parameter(Tensor([1.0, 2.0]))
    >>> weight
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    >>> type(weight * 2).__name__
    'Tensor'
    """

    __slots__ = ()

    def __init__(self, data: TensorLike = (), requires_grad: bool = True) -> None:
        self._data = _shared_or_copied(data)
        self._node = None
        if requires_grad and self._data.dtype.kind != "f":
            raise DtypeError(f"Parameter: {self._data.dtype} has no gradient: give floats, or requires_grad=False")
        self.requires_grad = requires_grad

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"

    def __copy__(self) -> Parameter:
        """A Parameter of its own around the same memory."""
        return self._twin(self._data)

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        """A Parameter with its own values and gradient."""
        memo[id(self)] = twin = self._twin(self._data.copy())
        return twin

    def __reduce__(self) -> Any:
        return _restored, (self._data, self.requires_grad, self.grad)

    def _twin(self, data: np.ndarray) -> Parameter:
        return _restored(data, self.requires_grad, self.grad)


class Buffer(Tensor):
    """A Tensor that a Module keeps and nobody trains, such as a running mean: `self.mean = Buffer(zeros(3))`.

    data: a Tensor, whose memory it then shares, or numbers, which are copied. persistent: it belongs to `state_dict()`.

    >>> Buffer(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    __slots__ = ("persistent",)

    def __init__(self, data: TensorLike = (), *, persistent: bool = True) -> None:
        self._data = _shared_or_copied(data)
        self._node = None
        self.persistent = persistent


def change(tensor: Tensor, convert: Callable[[Any], Any]) -> None:
    """Gives a Tensor other values and, if it has a gradient, that too. It stays the object that an optimiser holds."""
    tensor._data = convert(tensor._data)
    node = tensor._node
    if node is not None and not node.is_leaf:
        tensor._node = None  # a result (of a buffer that was computed): its new values are no longer the graph's
    elif node is not None:
        node.shape, node.dtype = tensor._data.shape, tensor._data.dtype
        if node.grad is not None:
            node.grad = convert(as_array(node.grad))


def _shared_or_copied(data: TensorLike) -> np.ndarray:
    array = as_array(data)
    copy: np.ndarray = array if isinstance(data, TensorBase) else xp(array).array(array)
    return copy


def _restored(data: np.ndarray, requires_grad: bool, grad: np.ndarray | None) -> Parameter:
    parameter = Parameter.__new__(Parameter)
    parameter._data = data
    parameter._node = None
    parameter.requires_grad = requires_grad
    if grad is not None:
        parameter.grad = grad
    return parameter

"""Python's protocols on a Tensor: sizes, numbers, truth, iteration, text, copies."""

from __future__ import annotations

import builtins
import numbers
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch import printing
from minitorch.autograd.identity import SENTENCES
from minitorch.autograd.node import Node
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_operand, constant
from minitorch.autograd.version import is_stale
from minitorch.backend import device, device_of, is_array, on_gpu, to_host
from minitorch.callers import warn
from minitorch.errors import ShapeError
from minitorch.ops.index import getitem
from minitorch.ops.movement import clone
from minitorch.types import Shape

if TYPE_CHECKING:
    from minitorch._tensor import Tensor


class TensorDunders(TensorBase):
    """The part of a Tensor that Python's own functions ask for: `len`, `float`, `bool`, `iter`, `repr`, `copy`."""

    __slots__ = ()

    # -- what it is --------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Shape:
        """The size of each axis."""
        return self._data.shape

    @property
    def ndim(self) -> builtins.int:
        """The number of axes."""
        return self._data.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers."""
        return self._data.dtype

    @property
    def device(self) -> device:
        """Device of the numbers: "cpu", or "cuda:0" with the number of the GPU."""
        return device(device_of(self._data))

    @property
    def is_cuda(self) -> builtins.bool:
        """True for numbers on a GPU."""
        return on_gpu(self._data)

    @property
    def is_cpu(self) -> builtins.bool:
        """True for numbers in the memory of the host."""
        return not on_gpu(self._data)

    @property
    def grad_fn(self) -> Node | None:
        """The place in the graph of a result; None for leaves and constants."""
        return None if self.is_leaf else self._node

    def size(self, dim: builtins.int | None = None) -> Any:
        """The shape, or the size of one axis."""
        return self._data.shape if dim is None else self._data.shape[dim]

    def numel(self) -> builtins.int:
        """Number of elements."""
        return self._data.size

    def dim(self) -> builtins.int:
        """The number of axes."""
        return self._data.ndim

    nelement = numel
    ndimension = dim

    @property
    def itemsize(self) -> builtins.int:
        """Bytes of one element."""
        return self._data.dtype.itemsize

    def element_size(self) -> builtins.int:
        """Bytes of one element."""
        return self._data.dtype.itemsize

    @property
    def nbytes(self) -> builtins.int:
        """Bytes of all elements."""
        return self._data.nbytes

    def stride(self, dim: builtins.int | None = None) -> Any:
        """Return the strides: elements in memory from one to the next along each axis, or along `dim`."""
        steps = tuple(step // self._data.dtype.itemsize for step in self._data.strides)
        return steps if dim is None else steps[dim]

    def is_contiguous(self) -> builtins.bool:
        """True if the numbers lie in memory in their order."""
        return bool(self._data.flags.c_contiguous)

    def get_device(self) -> builtins.int:
        """The number of the GPU; -1 on the CPU."""
        return -1 if self.device.index is None else self.device.index

    def is_floating_point(self) -> builtins.bool:
        """True for floats: what can have a gradient."""
        return self._data.dtype.kind == "f"

    # -- which one it is ---------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> builtins.bool:
        return self is other if isinstance(other, TensorBase) else compared("==", other)

    def __ne__(self, other: object) -> builtins.bool:
        return self is not other if isinstance(other, TensorBase) else compared("!=", other)

    __hash__ = object.__hash__

    # -- out into Python ---------------------------------------------------------------------------------------------

    def numpy(self) -> np.ndarray:
        """The values (shared memory). Raises RuntimeError on a Tensor that requires grad, and TypeError on a GPU's."""
        if self._node is not None:
            raise RuntimeError("numpy() on a Tensor that requires grad: write t.detach().numpy() to leave the graph")
        if self.is_cuda:
            raise TypeError(f"numpy() on a Tensor on {self.device}: write t.cpu().numpy() to copy it to the host")
        return self.data

    def item(self) -> Any:
        """The one number as a Python number. Raises ValueError if there are more."""
        if self._data.size != 1:
            raise ShapeError(f"only a Tensor with one element is a number, not one of shape {self.shape}")
        return self.data.item()

    def tolist(self) -> Any:
        """The values as nested lists."""
        return self.data.tolist()

    def __contains__(self, value: Any) -> builtins.bool:
        return builtins.bool((self._data == as_operand(value)).any())

    def __len__(self) -> builtins.int:
        if self.ndim == 0:
            raise TypeError("len() of a Tensor with shape (): it is a single number")
        return len(self._data)

    def __iter__(self) -> Iterator[Tensor]:
        if self.ndim == 0:
            raise TypeError("a Tensor with shape () is a single number: there is nothing to iterate over")
        return (getitem(self, row) for row in range(len(self._data)))  # type: ignore[arg-type]

    def __bool__(self) -> builtins.bool:
        if self._data.size != 1:
            raise ShapeError(
                f"the truth of a Tensor of shape {self.shape} is ambiguous: reduce it with all() or any(), or compare "
                f"with equal() or allclose()"
            )
        return builtins.bool(self._data.item())

    def __float__(self) -> builtins.float:
        return builtins.float(self.item())

    def __int__(self) -> builtins.int:
        return builtins.int(self.item())

    def __index__(self) -> builtins.int:
        if self._data.dtype.kind not in "iu":
            raise TypeError(f"only a Tensor of integers can be an index, not one of {self.dtype}")
        return builtins.int(self.item())

    def __format__(self, spec: str) -> str:
        return format(self._data.item(), spec) if spec and self._data.size == 1 else format(repr(self), spec)

    def __repr__(self) -> str:
        return f"tensor({printing.values(to_host(self._data))}{self._suffix()})"

    def _suffix(self) -> str:
        notes = []
        if self._data.size == 0 and self.ndim != 1:
            notes.append(f"size={self.shape}")
        if self.is_cuda:
            notes.append(f"device='{self.device}'")
        if self.dtype not in (current_scope().default_dtype, np.dtype(np.int64), np.dtype(np.bool_)):
            notes.append(f"dtype={self.dtype}")
        if self._node is not None:
            notes.append("requires_grad=True" if self.is_leaf else f"op={self._op}")
        if is_stale(self._data):
            notes.append("out of date")
        return "".join(f", {note}" for note in notes)

    # -- copies ------------------------------------------------------------------------------------------------------

    def __copy__(self) -> Tensor:
        """A leaf of its own around the same memory; of a result a clone, which stays in the graph."""
        if not self.is_leaf:
            return clone(self)
        twin = constant(self._data).requires_grad_(self.requires_grad)
        if self.grad is not None:
            twin.grad = self.grad
        return twin

    def __deepcopy__(self, memo: dict[builtins.int, Any]) -> Tensor:
        """A new leaf with its own values and gradient. Raises RuntimeError on a result, as PyTorch does."""
        if not self.is_leaf:
            raise RuntimeError(
                "only leaves can be deep-copied: write t.detach() or t.clone() to say what should happen"
            )
        twin = constant(self._data.copy()).requires_grad_(self.requires_grad)
        if self.grad is not None:
            twin.grad = self.grad
        memo[id(self)] = twin
        return twin

    def __reduce__(self) -> Any:
        """Pickled as values, flag and gradient; the graph stays behind."""
        return _restored, (self._data, self.requires_grad, self.grad)

    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> np.ndarray:
        """The values for NumPy, which asks each element of a list, too. Raises RuntimeError, TypeError as numpy()."""
        if self._node is not None:
            raise RuntimeError(
                "a Tensor that requires grad is no array: write t.detach().numpy() to leave the graph; of several in a "
                "tuple, as a layer may return, take one, as in out[0], or join a list of them with stack([…])"
            )
        return np.array(self.numpy(), dtype=dtype, copy=copy)


def _restored(data: np.ndarray, requires_grad: bool, grad: np.ndarray | None) -> Tensor:
    tensor = constant(data).requires_grad_(requires_grad)
    if grad is not None:
        tensor.grad = grad
    return tensor


def compared(operator: str, other: Any) -> Any:
    """Compare a Tensor with what is no Tensor, by identity: numbers bring a warning, anything else is asked itself.

    Python's own registry of warnings shows it once for each line of code.
    """
    if not (isinstance(other, (numbers.Number, np.bool_, list)) or is_array(other)):
        return NotImplemented
    answer = operator == "!="
    words = f"{SENTENCES[operator]}. With a value of type {type(other).__name__} the answer is always {answer}"
    warn(words)
    return answer

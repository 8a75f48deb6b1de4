"""TensorBase: the part of a Tensor that autograd needs, its values and its node."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from minitorch.autograd.node import Node, leaf
from minitorch.autograd.scope import current_scope
from minitorch.autograd.version import STALE, is_stale, require_current, stamp
from minitorch.backend import StandIn, asarray_like, is_array, on_gpu, xp
from minitorch.errors import DtypeError, ShapeError

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

H = TypeVar("H", bound="TensorBase")


class TensorBase:
    """Values (`data`) and, unless it is a constant, a node of the graph (`_node`)."""

    __slots__ = ("__weakref__", "_data", "_node")

    tensor_type: ClassVar[type[Tensor]]  # what operations make; named by _tensor.py, which stands above this module

    _data: np.ndarray
    _node: Node | None

    # -- values --------------------------------------------------------------------------------------------------

    @property
    def data(self) -> np.ndarray:
        """The values, always an ndarray (0-d results too). Assigning keeps the shape and casts to the dtype.

        Raises ValueError for another shape, TypeError for integers where the Tensor requires grad; RuntimeError for a
        view of what a recorded change has moved on since.
        """
        if STALE:
            require_current("data", (self,))
        return self._data

    @data.setter
    def data(self, values: Any) -> None:
        if values is self._data:  # `t.data += 1` assigns the very array that it just changed
            stamp(values, ".data")
            return
        given = getattr(values, "dtype", None)
        if given is not None and given.kind != "f" and self._node is not None:
            dtype = str(self._data.dtype)
            raise DtypeError(f"data of {given} given to a Tensor that requires grad: write values.astype({dtype!r})")
        self._data = self._fitting(values, "data")

    @property
    def grad(self) -> np.ndarray | None:
        """d(root)/d(this) after `root.backward()`: None until a gradient arrives, then of data's shape and dtype.

        What is assigned is copied, so that no two gradients ever share memory. Raises ValueError on another shape.
        """
        return None if self._node is None else self._node.grad

    @grad.setter
    def grad(self, values: Any) -> None:
        if self._node is None:
            if values is not None:
                raise RuntimeError("a constant has no gradient: make the Tensor with requires_grad=True")
        elif values is None:
            self._node.grad = None
        elif values is not self._node.grad:  # `t.grad += g` assigns the very array it just changed
            self._node.grad = xp(self).array(self._fitting(values, "grad"))

    def _fitting(self, values: Any, what: str) -> np.ndarray:
        given = values._data if isinstance(values, TensorBase) else values
        array: np.ndarray = asarray_like(self._data, given, self._data.dtype, what)
        if array.shape != self._data.shape:
            raise ShapeError(f"{what} of shape {array.shape} given to a Tensor of shape {self._data.shape}")
        return array

    # -- the place in the graph ----------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Takes part in the graph. Can be set on leaves; floats only (TypeError), results follow their parents."""
        return self._node is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if wanted == (self._node is not None):
            return
        if wanted:
            require_float(self._data)
            self._node = leaf(self, self._data.shape, self._data.dtype)
        elif self.is_leaf:
            self._node = None
        else:
            raise RuntimeError(f"requires_grad of a result ({self._op}) cannot be switched off: use detach()")

    @property
    def is_leaf(self) -> bool:
        """True for what no recorded operation made."""
        return self._node is None or self._node.is_leaf

    @property
    def _prev(self) -> tuple[Tensor | Node, ...]:
        """The parents that take part: each as its Tensor while somebody holds it, else as its Node."""
        return () if self._node is None else self._node._prev

    @property
    def _op(self) -> str:
        """The operation's tag, for debugging and drawing; "" on leaves and constants."""
        return "" if self._node is None else self._node.op

    def detach(self) -> Tensor:
        """Return the same values (shared memory) as a constant."""
        return constant(self._data)

    def detach_(self: H) -> H:
        """Make this Tensor a constant, in place, and returns it: nothing flows back from here on.

        What was made from it before keeps its place in the graph, and its gradient still goes that way.
        """
        self._node = None
        return self

    def requires_grad_(self: H, requires_grad: bool = True) -> H:
        """Set `requires_grad` in place and return the Tensor itself."""
        self.requires_grad = requires_grad
        return self

    def retain_grad(self) -> None:
        """Accept the call for PyTorch's sake: every Tensor that somebody holds keeps its gradient anyway."""


def listed(values: Any) -> list[Any]:
    """Return what a function was given or returned as a list: a tuple or list of several, or one alone."""
    return list(values) if isinstance(values, (tuple, list)) else [values]


def require_float(data: np.ndarray) -> None:
    """Raise TypeError unless the values can have a gradient."""
    if data.dtype.kind != "f":
        raise DtypeError(f"only floats can have a gradient, not {data.dtype}: use Tensor(values, dtype='float32')")


def constant(data: np.ndarray) -> Tensor:
    """Return a Tensor without a node, around `data` itself."""
    tensor = TensorBase.tensor_type.__new__(TensorBase.tensor_type)
    tensor._data = data
    tensor._node = None
    return tensor


def placed(value: Any, node: Node | None) -> Any:
    """Return a saved value as a Tensor with the node that it was saved from."""
    if node is None or not is_array(value):
        return value
    tensor = as_saved(value)
    tensor._node = node
    return tensor


def as_saved(array: Any) -> Tensor:
    """Return a constant around an array that a node saved, which is current to the graph: a copy of a stale one."""
    return constant(array.copy() if is_stale(array) else array)


def as_operand(value: Any) -> Any:
    """Return an operand as operations compute with it: Python numbers stay weak, arrays as they are, lists are arrays.

    Raises TypeError on what is no number and no array of numbers.
    """
    kind = type(value)
    if kind is float or kind is int or kind is bool:
        return value
    return float(value) if isinstance(value, float) else as_array(value)  # np.float64 is a Python float, weak like one


def as_array(value: Any, dtype: Any = None) -> np.ndarray:
    """Return `value` as an array: arrays and NumPy scalars keep their dtype, Python floats take the default one.

    dtype: what the caller casts to afterwards, if it is known, so that Python floats are not rounded twice.
    """
    if isinstance(value, TensorBase):
        return value._data
    if isinstance(value, StandIn):
        return value.as_operand()  # type: ignore[no-any-return]
    if on_gpu(value):
        return value  # type: ignore[no-any-return]
    try:
        array = np.asarray(value)
    except ValueError:
        raise ShapeError("a Tensor needs lists of equal lengths: one of these is shorter than its neighbour") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"a Tensor holds real numbers or bools, not {_described(value, array)}")
    if dtype is None and not isinstance(value, (np.ndarray, np.generic)) and array.dtype.kind == "f":
        return array.astype(current_scope().default_dtype)
    return array


def _described(value: Any, array: np.ndarray) -> str:
    if isinstance(value, numbers.Number) or array.dtype.kind == "c":
        return "complex numbers"
    return f"{type(value).__name__} ({array.dtype})"

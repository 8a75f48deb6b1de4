"""Tensor: an array that remembers how it was made. Every operator and method is one operation, assigned by name."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minitorch.autograd.engine import HandMade
from minitorch.autograd.handle import Handle, as_array, constant, require_float
from minitorch.autograd.node import interior
from minitorch.autograd.primitive import primitive
from minitorch.autograd.scope import current_scope
from minitorch.ops import elementwise, fused, index, linalg, movement, reduce
from minitorch.types import Shape, TensorLike


class Tensor(Handle):
    """An array with, if it wants gradients, a place in the computation graph.

    data: numbers, lists of numbers or an array, copied. Lists and Python floats become the default float (float32);
    arrays and NumPy scalars keep their dtype; `dtype` overrides both. requires_grad: floats only.
    _prev, _op: the parents and the tag of a hand-made result, whose `_backward` is assigned afterwards.

    Raises TypeError for what is no real number and for integers with requires_grad.

    >>> x = Tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    array([2., 4., 6.], dtype=float32)
    """

    __slots__ = ()

    __array_ufunc__ = None  # so that `ndarray * tensor` asks Tensor.__rmul__ instead of looping over elements

    def __init__(
        self,
        data: TensorLike,
        requires_grad: bool = False,
        *,
        dtype: Any = None,
        device: str | None = None,
        _prev: tuple[TensorLike, ...] = (),
        _op: str = "",
    ) -> None:
        if device not in (None, "cpu"):
            raise ValueError(f"device {device!r} is not known: this engine computes on 'cpu'")
        self._data = np.array(as_array(data), dtype=dtype)
        self._node = None
        if not requires_grad:
            return
        require_float(self._data)
        parents = tuple(parent._node if isinstance(parent, Handle) else None for parent in _prev)
        if not _prev:
            self.requires_grad = True
        elif current_scope().grad_enabled and any(parent is not None for parent in parents):
            rule = HandMade(_op, _unassigned)
            self._node = interior(self, rule, parents[0], parents[1:], (), self._data.shape, self._data.dtype)

    # -- what it is ------------------------------------------------------------------------------------------------

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
    def device(self) -> str:
        """Where the numbers are."""
        return "cpu"

    def numel(self) -> builtins.int:
        """How many numbers there are."""
        return self._data.size

    def dim(self) -> builtins.int:
        """The number of axes."""
        return self._data.ndim

    # -- arithmetic --------------------------------------------------------------------------------------------------

    __add__ = __radd__ = add = elementwise.add
    __mul__ = __rmul__ = mul = elementwise.mul
    __sub__ = sub = elementwise.sub
    __truediv__ = div = elementwise.div
    __pow__ = pow = elementwise.pow
    __matmul__ = matmul = linalg.matmul
    __neg__ = neg = elementwise.neg
    __abs__ = abs = elementwise.abs

    def __rsub__(self, other: TensorLike) -> Tensor:
        return elementwise.sub(other, self)

    def __rtruediv__(self, other: TensorLike) -> Tensor:
        return elementwise.div(other, self)

    def __rpow__(self, other: TensorLike) -> Tensor:
        return elementwise.pow(other, self)

    def __rmatmul__(self, other: TensorLike) -> Tensor:
        return linalg.matmul(other, self)

    exp = elementwise.exp
    log = elementwise.log
    sqrt = elementwise.sqrt
    tanh = elementwise.tanh
    sigmoid = elementwise.sigmoid
    relu = elementwise.relu
    maximum = elementwise.maximum
    minimum = elementwise.minimum

    def where(self, condition: TensorLike, other: TensorLike) -> Tensor:
        """Takes self where the condition holds, else other."""
        return elementwise.where(condition, self, other)

    # -- reductions --------------------------------------------------------------------------------------------------

    sum = reduce.sum
    mean = reduce.mean
    var = reduce.var
    amax = reduce.amax
    max = reduce.max
    logsumexp = reduce.logsumexp
    softmax = fused.softmax
    log_softmax = fused.log_softmax

    # -- shapes ------------------------------------------------------------------------------------------------------

    transpose = movement.transpose
    unsqueeze = movement.unsqueeze
    squeeze = movement.squeeze

    def reshape(self, *shape: Any) -> Tensor:
        """The same numbers in another shape: `t.reshape(2, -1)` or `t.reshape((2, -1))`."""
        return movement.reshape(self, _shape_from(shape))

    def permute(self, *dims: Any) -> Tensor:
        """The axes in another order: `t.permute(1, 0)` or `t.permute((1, 0))`."""
        return movement.permute(self, _shape_from(dims))

    def expand(self, *shape: Any) -> Tensor:
        """Repeated without copying: `t.expand(4, -1)` or `t.expand((4, -1))`."""
        return movement.expand(self, _shape_from(shape))

    @property
    def T(self) -> Tensor:  # noqa: N802 (PyTorch's name)
        """The axes in reverse order."""
        return movement.permute(self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self) -> Tensor:  # noqa: N802 (PyTorch's name)
        """The last two axes exchanged."""
        return movement.transpose(self, -1, -2)

    __getitem__ = index.getitem

    # -- comparison: identity for == and hash, values for the rest --------------------------------------------------

    def __lt__(self, other: TensorLike) -> Tensor:
        return _compared(np.less, self, other)

    def __le__(self, other: TensorLike) -> Tensor:
        return _compared(np.less_equal, self, other)

    def __gt__(self, other: TensorLike) -> Tensor:
        return _compared(np.greater, self, other)

    def __ge__(self, other: TensorLike) -> Tensor:
        return _compared(np.greater_equal, self, other)

    def __contains__(self, value: Any) -> builtins.bool:
        return builtins.bool(np.any(self._data == as_array(value)))

    def equal(self, other: TensorLike) -> builtins.bool:
        """True when shape and values agree; `==` compares identity, so that a Tensor can be a key in a dict."""
        return np.array_equal(self._data, as_array(other))

    def allclose(self, other: TensorLike, rtol: builtins.float = 1e-5, atol: builtins.float = 1e-8) -> builtins.bool:
        """True when |self - other| ≤ atol + rtol · |other| everywhere."""
        return builtins.bool(np.allclose(self._data, as_array(other), rtol=rtol, atol=atol))

    # -- out into Python ---------------------------------------------------------------------------------------------

    def numpy(self) -> np.ndarray:
        """The values (shared memory). Raises RuntimeError on a Tensor that requires grad: use detach() first."""
        if self._node is not None:
            raise RuntimeError("numpy() on a Tensor that requires grad: write t.detach().numpy() to leave the graph")
        return self._data

    def item(self) -> Any:
        """The one number as a Python number. Raises ValueError if there are more."""
        if self._data.size != 1:
            raise ValueError(f"only a Tensor with one element is a number, not one of shape {self.shape}")
        return self._data.item()

    def tolist(self) -> Any:
        """The values as nested lists."""
        return self._data.tolist()

    def clone(self) -> Tensor:
        """A copy that stays in the graph. dL/dx = g."""
        return _clone(self)

    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> np.ndarray:
        return np.array(self._data, dtype=dtype, copy=copy)

    def __len__(self) -> builtins.int:
        if self.ndim == 0:
            raise TypeError("len() of a Tensor with shape (): it is a single number")
        return len(self._data)

    def __iter__(self) -> Iterator[Tensor]:
        if self.ndim == 0:
            raise TypeError("a Tensor with shape () is a single number: there is nothing to iterate over")
        return (self[row] for row in range(len(self._data)))

    def __bool__(self) -> builtins.bool:
        if self._data.size != 1:
            raise ValueError(
                f"the truth of a Tensor of shape {self.shape} is ambiguous: compare with equal() or allclose()"
            )
        return builtins.bool(self._data.item())

    def __float__(self) -> builtins.float:
        return builtins.float(self.item())

    def __int__(self) -> builtins.int:
        return builtins.int(self.item())

    def __format__(self, spec: str) -> str:
        return format(self._data.item(), spec) if spec and self._data.size == 1 else format(repr(self), spec)

    def __repr__(self) -> str:
        return f"tensor({_values(self._data)}{self._suffix()})"

    def _suffix(self) -> str:
        notes = []
        if self._data.size == 0 and self.ndim != 1:
            notes.append(f"size={self.shape}")
        if self.dtype not in (current_scope().default_dtype, np.dtype(np.int64), np.dtype(np.bool_)):
            notes.append(f"dtype={self.dtype}")
        if self._node is not None:
            notes.append("requires_grad=True" if self.is_leaf else f"op={self._op}")
        return "".join(f", {note}" for note in notes)

    # -- copies ------------------------------------------------------------------------------------------------------

    def __copy__(self) -> Tensor:
        """A leaf of its own around the same memory; of a result a clone, which stays in the graph."""
        if not self.is_leaf:
            return self.clone()
        twin = constant(self._data)
        twin.requires_grad = self.requires_grad
        if self.grad is not None:
            twin.grad = self.grad
        return twin

    def __deepcopy__(self, memo: dict[builtins.int, Any]) -> Tensor:
        """A new leaf with its own values and gradient. Raises RuntimeError on a result, as PyTorch does."""
        if not self.is_leaf:
            raise RuntimeError(
                "only leaves can be deep-copied: write t.detach() or t.clone() to say what should happen"
            )
        twin = Tensor(self._data, requires_grad=self.requires_grad)
        if self.grad is not None:
            twin.grad = self.grad
        memo[id(self)] = twin
        return twin

    def __reduce__(self) -> Any:
        """Pickled as values, flag and gradient; the graph stays behind."""
        return _restored, (self._data, self.requires_grad, self.grad)


Handle.tensor_type = Tensor

_clone = primitive(lambda x: x.copy(), "A copy that stays in the graph. dL/dx = g.", name="clone", x=lambda g: g)


def _compared(relation: np.ufunc, left: Tensor, right: TensorLike) -> Tensor:
    other = as_array(right)
    try:
        return constant(np.asarray(relation(left._data, other)))
    except ValueError:
        raise ValueError(f"{relation.__name__}: shapes {left.shape} and {other.shape} do not fit together") from None


def _restored(data: np.ndarray, requires_grad: bool, grad: np.ndarray | None) -> Tensor:
    tensor = Tensor(data, requires_grad=requires_grad)
    if grad is not None:
        tensor.grad = grad
    return tensor


def _unassigned() -> None:
    raise RuntimeError("this hand-made Tensor has parents but no _backward: assign a function of no arguments to it")


def _shape_from(arguments: tuple[Any, ...]) -> Shape:
    """`f(2, 3)` and `f((2, 3))` mean the same."""
    if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)):
        return tuple(arguments[0])
    return arguments


def _values(data: np.ndarray) -> str:
    """The numbers as PyTorch shows them: four decimals unless all are whole, long ones summarised."""
    if data.size == 0:
        return "[]"
    if data.dtype.kind != "f":
        return np.array2string(data, max_line_width=80, separator=", ", prefix="tensor(")
    formatter: Any = {"float_kind": _float_style(data)}
    return np.array2string(data, max_line_width=80, separator=", ", prefix="tensor(", formatter=formatter)


def _float_style(data: np.ndarray) -> Callable[[Any], str]:
    """How each of these numbers is written: `1.`, `1.2500` or `1.2500e-07`."""
    finite = np.abs(data[np.isfinite(data)], dtype=np.float64)
    nonzero = finite[finite != 0]
    largest, smallest = nonzero.max(initial=0.0), nonzero.min(initial=np.inf)
    whole = bool(np.all(finite == np.trunc(finite)))
    if largest > 1e8 or (not whole and nonzero.size > 0 and (largest / smallest > 1000 or smallest < 1e-4)):
        return lambda number: f"{number:.4e}"
    style = "{:.0f}." if whole else "{:.4f}"
    width = max(len(style.format(number)) for number in (*finite.flat, 0.0)) + bool(np.any(data < 0))
    return lambda number: (style if np.isfinite(number) else "{}").format(number).rjust(width if data.ndim else 0)

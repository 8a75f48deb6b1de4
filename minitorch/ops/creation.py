"""Tensors made from numbers, or from nothing but a shape.

Each takes `dtype` (what `np.dtype` takes; without it the default float, or what the numbers are), `device` and
`requires_grad`. Sizes are given one by one, as a tuple, or as `size=` one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import StandIn, device_of, is_array, made_on, moved
from minitorch.callers import warn
from minitorch.errors import OperandError
from minitorch.ops._dims import size_from, sizes_in_a_row
from minitorch.types import Sizes, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "tensor",
    "as_tensor",
    "from_numpy",
    "arange",
    "linspace",
    "eye",
    "zeros",
    "ones",
    "full",
    "empty",
    "zeros_like",
    "ones_like",
    "full_like",
    "empty_like",
    "new_zeros",
    "new_ones",
    "new_full",
    "new_tensor",
]


def made(array: Any, device: Any, requires_grad: bool) -> Tensor:
    """A leaf or constant around an array that nobody else has, on `device`."""
    return constant(array if device is None else moved(array, device)).requires_grad_(requires_grad)


def dtype_or(dtype: Any, default: Any) -> np.dtype[Any]:
    """`dtype` as NumPy's, `default` for None. Raises TypeError for what a Tensor does not hold."""
    kind: np.dtype[Any] = np.dtype(default if dtype is None else dtype)
    if kind.kind not in "fiub":
        raise TypeError(f"a Tensor holds real numbers or bools, not {kind}")
    return kind


def plain(value: Any) -> Any:
    """A Tensor or array of one element as the Python number that it holds; numbers as they are."""
    return as_array(value).item() if isinstance(value, (TensorBase, np.generic)) or is_array(value) else value


def dtype_of(number: Any) -> Any:
    """Return the dtype that a Python number takes: bools and integers stay, floats are the default float."""
    return {bool: np.bool_, int: np.int64}.get(type(number), current_scope().default_dtype)


# -- from numbers ------------------------------------------------------------------------------------------------------


def tensor(data: TensorLike, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A Tensor with a copy of `data`: `Tensor(data, …)`, under PyTorch's name.

    Warns (UserWarning) of a Tensor, whose copy leaves the graph. Raises RuntimeError for a list of Tensors that require
    grad.

    >>> tensor([1, 2])
    tensor([1, 2])
    """
    _warn_of_a_copy("tensor", data)
    return TensorBase.tensor_type(data, requires_grad, dtype=dtype, device=device)


def _warn_of_a_copy(name: str, data: TensorLike) -> None:
    if isinstance(data, TensorBase):
        warn(f"{name}: a Tensor is copied and leaves the graph: write t.detach().clone(), or t.clone() to stay in it")


def as_tensor(data: TensorLike, dtype: Any = None, device: Any = None) -> Tensor:
    """A Tensor around `data`, copied only where it must be: a Tensor stays itself, an array shares its memory.

    >>> array = np.zeros(2)
    >>> as_tensor(array).data is array
    True
    """
    if isinstance(data, TensorBase):
        return data if dtype is None and device is None else data.to(device=device, dtype=dtype)
    array = as_array(data, dtype)
    return made(array.astype(dtype_or(dtype, array.dtype), copy=False), device, False)


def from_numpy(ndarray: np.ndarray) -> Tensor:
    """A constant that shares the memory of `ndarray`: what changes in one changes in the other.

    Raises TypeError for anything but a NumPy array of real numbers or bools.

    >>> array = np.zeros(2)
    >>> t = from_numpy(array)
    >>> array[0] = 5
    >>> t
    tensor([5., 0.], dtype=float64)
    """
    if not isinstance(ndarray, (np.ndarray, StandIn)):
        raise TypeError(f"from_numpy: a NumPy array is needed, not {type(ndarray).__name__}: use as_tensor(data)")
    return constant(as_array(ndarray))


# -- in a row ----------------------------------------------------------------------------------------------------------


def arange(
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """start, start + step, … up to, not including, `end`; `arange(end)` starts at 0. Integers if all three are.

    Raises ValueError for a step of 0 and for one that leads away from `end`.

    >>> arange(2, 5)
    tensor([2, 3, 4])
    >>> arange(0, 1, 0.25)
    tensor([0.0000, 0.2500, 0.5000, 0.7500])
    """
    start, end, step = plain(start), plain(end), plain(step)
    if end is None:
        start, end = 0, start
    whole = all(isinstance(each, int) for each in (start, end, step))
    kind = dtype_or(dtype, np.int64 if whole else current_scope().default_dtype)
    if not all(math.isfinite(each) for each in (start, end, step)):
        raise OperandError(f"arange: {start}, {end} and {step} must be finite numbers")
    if step == 0 or (kind == np.int64 and int(step) == 0) or (end - start) * step < 0:
        raise OperandError(f"arange: steps of {step} do not lead from {start} to {end}")
    if kind == np.int64:
        start, end, step = int(start), int(end), int(step)
    number = float if kind.kind == "f" else int
    values = made_on(device, np.arange, math.ceil((end - start) / step), dtype=number)
    values *= number(step)  # multiplied, not added up: no rounding error grows along the way
    values += number(start)
    return made(values.astype(kind, copy=False), device, requires_grad)


def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`steps` numbers at equal distances from `start` to `end`, both included.

    Raises ValueError for a negative number of steps, TypeError for one that is no integer and for ends with axes.

    >>> linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if np.ndim(as_array(start)) or np.ndim(as_array(end)):
        raise TypeError("linspace: start and end must be single numbers")
    if not isinstance(steps, (int, np.integer)):
        raise TypeError(f"linspace: the number of steps must be an integer, not {steps!r}")
    if steps < 0:
        raise OperandError(f"linspace: {steps} steps: their number must not be negative")
    kind = dtype_or(dtype, current_scope().default_dtype)
    number = float if kind.kind == "f" else int
    values = np.linspace(number(plain(start)), number(plain(end)), steps, dtype=np.float64)
    return made(values.astype(kind, copy=False), device, requires_grad)


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Ones on the main diagonal of n rows and m columns (n if it is None), zeros elsewhere.

    >>> eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    if n < 0 or (m is not None and m < 0):
        raise OperandError(f"eye: {n} rows and {n if m is None else m} columns: sizes must not be negative")
    kind = dtype_or(dtype, current_scope().default_dtype)
    return made(made_on(device, np.eye, n, m, dtype=kind), device, requires_grad)


# -- of one value ------------------------------------------------------------------------------------------------------


def full(size: Sizes, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """`fill_value` everywhere; its dtype is the value's: bool, int64, or the default float.

    >>> full((2,), 7)
    tensor([7, 7])
    """
    value = plain(fill_value)
    return made(
        made_on(device, np.full, size_from("full", (), size), value, dtype_or(dtype, dtype_of(value))),
        device,
        requires_grad,
    )


def zeros(
    *sizes: int | Sizes,
    size: Sizes | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Zeros.

    >>> zeros(2, 3).shape
    (2, 3)
    """
    kind = dtype_or(dtype, current_scope().default_dtype)
    return made(made_on(device, np.zeros, size_from("zeros", sizes, size), kind), device, requires_grad)


def ones(
    *sizes: int | Sizes,
    size: Sizes | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Ones.

    >>> ones((2,), dtype="int64")
    tensor([1, 1])
    """
    kind = dtype_or(dtype, current_scope().default_dtype)
    return made(made_on(device, np.ones, size_from("ones", sizes, size), kind), device, requires_grad)


def empty(
    *sizes: int | Sizes,
    size: Sizes | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Room for numbers that are written later. PyTorch leaves in it what the memory held; here it is zeros.

    >>> empty(2).shape
    (2,)
    """
    return zeros(size_from("empty", sizes, size), dtype=dtype, device=device, requires_grad=requires_grad)


# -- like another Tensor: its shape, dtype and device unless told otherwise ------------------------------------------


def full_like(
    input: TensorLike, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`fill_value` everywhere, in input's shape, dtype and device.

    >>> full_like(Tensor([1.0, 2.0]), 7)
    tensor([7., 7.])
    """
    return new_full(input, as_array(input).shape, fill_value, dtype=dtype, device=device, requires_grad=requires_grad)


def zeros_like(input: TensorLike, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Zeros in input's shape, dtype and device.

    >>> zeros_like(Tensor([1.0, 2.0]))
    tensor([0., 0.])
    """
    return full_like(input, 0, dtype=dtype, device=device, requires_grad=requires_grad)


def ones_like(input: TensorLike, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Ones in input's shape, dtype and device.

    >>> ones_like(Tensor([1, 2]))
    tensor([1, 1])
    """
    return full_like(input, 1, dtype=dtype, device=device, requires_grad=requires_grad)


def empty_like(input: TensorLike, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Room for numbers that are written later, in input's shape, dtype and device; zeros, as `empty`.

    >>> empty_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    return zeros_like(input, dtype=dtype, device=device, requires_grad=requires_grad)


def new_full(
    input: TensorLike,
    size: Sizes,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`fill_value` everywhere, of another size but in input's dtype and device.

    >>> new_full(Tensor([1.0, 2.0]), (3,), 7)
    tensor([7., 7., 7.])
    """
    array = as_array(input)
    kind = dtype_or(dtype, array.dtype)
    place = device_of(array) if device is None else device
    return made(made_on(place, np.full, size_from("new_full", (), size), plain(fill_value), kind), place, requires_grad)


def new_tensor(
    input: TensorLike, data: TensorLike, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A Tensor with a copy of `data`, in input's dtype and on its device. Warns of a Tensor, as `tensor` does.

    >>> new_tensor(Tensor([1.0, 2.0]), [3, 4])
    tensor([3., 4.])
    """
    _warn_of_a_copy("new_tensor", data)
    array = as_array(input)
    kind, place = dtype_or(dtype, array.dtype), device_of(array) if device is None else device
    return TensorBase.tensor_type(data, requires_grad, dtype=kind, device=place)


@sizes_in_a_row
def new_zeros(
    input: TensorLike, size: Sizes, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Zeros of another size but in input's dtype and device.

    >>> new_zeros(Tensor([1, 2]), 3)
    tensor([0, 0, 0])
    """
    return new_full(input, size, 0, dtype=dtype, device=device, requires_grad=requires_grad)


@sizes_in_a_row
def new_ones(
    input: TensorLike, size: Sizes, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Ones of another size but in input's dtype and device.

    >>> new_ones(Tensor([1, 2]), 3)
    tensor([1, 1, 1])
    """
    return new_full(input, size, 1, dtype=dtype, device=device, requires_grad=requires_grad)

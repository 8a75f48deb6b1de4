"""Conversions to other dtypes and devices. Both are differentiable: the gradient comes back in the operand's own."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import device_of, gpu_number, moved
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

_cast = primitive(
    lambda input, dtype: input.astype(dtype),
    "input in another floating dtype. dL/dinput = g, which the engine casts back.",
    name="to",
    input=lambda g: g,
)


@primitive(name="to")
def _move(input: Any, device: str, origin: str) -> Any:  # noqa: ARG001 (for the way back)
    """input, which is on `origin`, on another device. dL/dinput = g, moved back."""
    return moved(input, device)


_move.vjp(input=lambda g, device, origin: _move.raw(g, origin, device))


def cast(input: TensorLike, dtype: Any) -> Tensor:
    """The numbers in `dtype`; the Tensor itself if it has it already. Integers and bools are constants.

    Raises TypeError for a dtype of anything but real numbers and bools.

    >>> cast(Tensor([1.7, -1.7]), "int64")
    tensor([ 1, -1])
    """
    array, dtype = as_array(input), np.dtype(dtype)
    if dtype.kind not in "fiub":
        raise TypeError(f"a Tensor holds real numbers or bools, not {dtype}")
    if array.dtype == dtype:
        return input if isinstance(input, TensorBase) else constant(array)
    if array.dtype.kind == dtype.kind == "f":
        return _cast(input, dtype)
    return constant(array.astype(dtype))


def to(
    input: TensorLike,
    *target: Any,
    dtype: Any = None,
    device: Any = None,
    copy: builtins.bool = False,
    non_blocking: builtins.bool = False,  # noqa: ARG001
) -> Tensor:
    """input in another dtype, on another device, or like another Tensor: `to("cuda")`, `to(float64)`, `to(other)`.

    dL/dinput = g, cast and moved back. What is there already is returned as it is, unless copy=True. non_blocking is
    accepted for PyTorch's sake: a move to a GPU is queued there anyway, and one from it waits. Both may also stand at
    the end without their names, non_blocking first.
    Raises ValueError for an unknown device, RuntimeError where CuPy or a GPU is missing.

    >>> to(Tensor([1.0, 2.0]), "float64")
    tensor([1., 2.], dtype=float64)
    """
    flags = [each for each in target if isinstance(each, builtins.bool)]
    if len(flags) > 2 or any(isinstance(each, builtins.bool) for each in target[: len(target) - len(flags)]):
        raise TypeError(f"to: at the end stand non_blocking and copy, and no other bool: {target}")
    copy = flags[1] if len(flags) == 2 else copy
    for each in target[: len(target) - len(flags)]:
        if isinstance(each, TensorBase):
            dtype, device = each._data.dtype, device_of(each._data)
        elif isinstance(each, str) and each.partition(":")[0] in ("cpu", "cuda"):
            device = each
        else:
            dtype = _dtype_of(each)
    result: Tensor = input if isinstance(input, TensorBase) else constant(as_array(input))
    if dtype is not None:
        result = cast(result, dtype)
    if device is not None and not _is_there(result, device):
        result = _move(result, device, device_of(as_array(result)))
    return result.clone() if copy and result is input else result


def _dtype_of(value: Any) -> np.dtype[Any]:
    try:
        dtype: np.dtype[Any] = np.dtype(value)
    except TypeError:
        raise TypeError(f"to: {value!r} is neither a dtype nor a device: write 'float64' or 'cuda', say") from None
    return dtype


def _is_there(input: TensorBase, device: Any) -> builtins.bool:
    return gpu_number(device) == gpu_number(device_of(input._data))


def float(input: TensorLike) -> Tensor:
    """As float32."""
    return cast(input, np.float32)


def double(input: TensorLike) -> Tensor:
    """As float64."""
    return cast(input, np.float64)


def half(input: TensorLike) -> Tensor:
    """As float16."""
    return cast(input, np.float16)


def short(input: TensorLike) -> Tensor:
    """As int16, cut towards zero."""
    return cast(input, np.int16)


def char(input: TensorLike) -> Tensor:
    """As int8, cut towards zero."""
    return cast(input, np.int8)


def byte(input: TensorLike) -> Tensor:
    """As uint8, cut towards zero."""
    return cast(input, np.uint8)


_KINDS = {"float32": "Float", "float64": "Double", "float16": "Half", "int64": "Long", "int32": "Int", "bool": "Bool"}
_KINDS |= {"int16": "Short", "int8": "Char", "uint8": "Byte"}


@overload
def type(input: TensorLike, dtype: None = None) -> str: ...
@overload
def type(input: TensorLike, dtype: Any) -> Tensor: ...
def type(input: TensorLike, dtype: Any = None) -> Tensor | str:
    """input in `dtype`; without one, the name of its kind.

    >>> type(Tensor([1.0, 2.0]), "float64")
    tensor([1., 2.], dtype=float64)
    >>> type(Tensor([1, 2]))
    'minitorch.LongTensor'
    """
    if dtype is None:
        return f"minitorch.{_KINDS[str(as_array(input).dtype)]}Tensor"
    kind = dtype.rpartition(".")[2] if isinstance(dtype, str) else dtype
    return cast(input, {f"{name}Tensor": each for each, name in _KINDS.items()}.get(kind, kind))


def long(input: TensorLike) -> Tensor:
    """As int64, cut towards zero."""
    return cast(input, np.int64)


def int(input: TensorLike) -> Tensor:
    """As int32, cut towards zero."""
    return cast(input, np.int32)


def bool(input: TensorLike) -> Tensor:
    """True where a number is not 0."""
    return cast(input, np.bool_)


def type_as(input: TensorLike, other: TensorLike) -> Tensor:
    """In the dtype of `other`."""
    return cast(input, as_array(other).dtype)


def cpu(input: TensorLike) -> Tensor:
    """In the memory of the host. dL/dinput = g, moved back."""
    return to(input, "cpu")


def cuda(input: TensorLike, device: Any = 0, non_blocking: builtins.bool = False) -> Tensor:  # noqa: ARG001
    """On a GPU. dL/dinput = g, moved back. Raises RuntimeError where CuPy or a GPU is missing."""
    return to(input, device if isinstance(device, str) else f"cuda:{device}")

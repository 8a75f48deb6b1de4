"""Names that PyTorch programs ask of the module itself: numbers, dtypes, switches. `minitorch` has them all.

Switches for threads, kernels and compilers are accepted and change nothing: there are none of these here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import e, inf, nan, pi
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import TensorBase
from minitorch.ops.creation import as_tensor, dtype_or

__all__ = ["ByteTensor", "BoolTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor", "Size"]
__all__ += ["asarray", "bfloat16", "compile", "dtype", "e", "finfo", "get_num_threads", "half", "iinfo", "inf"]
__all__ += ["is_floating_point", "is_tensor", "nan", "newaxis", "numel", "pi", "set_float32_matmul_precision"]
__all__ += ["set_num_threads", "short", "use_deterministic_algorithms"]

newaxis = None
dtype = np.dtype
half = np.dtype(np.float16)
short = np.dtype(np.int16)
bfloat16 = np.dtype(np.float32)  # NumPy has no bfloat16: float32 has its range, and more digits


class Size(tuple[int, ...]):
    """A shape, as PyTorch makes it. Shapes of Tensors are plain tuples here; they equal it.

    >>> Size([2, 3]) == (2, 3), Size([2, 3]).numel()
    (True, 6)
    """

    __slots__ = ()

    def numel(self) -> int:
        """Return the number of elements of a Tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"minitorch.Size({list(self)})"


class finfo:  # noqa: N801 (PyTorch's name)
    """Limits of a floating dtype: `eps`, `max`, `min`, `tiny`, `smallest_normal`, `resolution`, `bits`, `dtype`.

    Without a dtype, the default one. Raises TypeError for integers.

    >>> finfo("float32").max
    3.4028234663852886e+38
    """

    def __init__(self, type: Any = None) -> None:
        kind = dtype_or(type, Tensor(0.0).dtype)
        if kind.kind != "f":
            raise TypeError(f"finfo: {kind} is no floating dtype: use iinfo")
        info = np.finfo(kind)
        self.dtype = str(kind)
        self.bits = int(info.bits)
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = float(info.resolution)


class iinfo:  # noqa: N801 (PyTorch's name)
    """Limits of an integer dtype: `max`, `min`, `bits`, `dtype`. Raises TypeError for anything but integers.

    >>> iinfo("int8").max
    127
    """

    def __init__(self, type: Any) -> None:
        kind = np.dtype(type)
        if kind.kind not in "iu":
            raise TypeError(f"iinfo: {kind} is no integer dtype" + (": use finfo" if kind.kind == "f" else ""))
        info = np.iinfo(kind)
        self.dtype = str(kind)
        self.bits, self.max, self.min = int(info.bits), int(info.max), int(info.min)


def is_tensor(obj: Any) -> bool:
    """True for a Tensor.

    >>> is_tensor(Tensor(1.0)), is_tensor(1.0)
    (True, False)
    """
    return isinstance(obj, TensorBase)


def is_floating_point(input: Tensor) -> bool:
    """True for a Tensor of floats.

    >>> is_floating_point(Tensor(1.0))
    True
    """
    return input.is_floating_point()


def numel(input: Tensor) -> int:
    """Return the number of elements of a Tensor.

    >>> numel(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    4
    """
    return input.numel()


def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Tensor:
    """A Tensor around `obj`, copied only where it must be or with copy=True: `as_tensor`.

    >>> asarray([1.0, 2.0])
    tensor([1., 2.])
    """
    result = as_tensor(obj, dtype, device)
    return result.clone() if copy else result


def _typed(name: str, kind: str) -> Callable[..., Tensor]:
    def make(*given: Any) -> Tensor:
        if given and all(isinstance(each, int) for each in given):
            return Tensor(np.zeros(given, kind))
        return Tensor(*given, dtype=kind) if given else Tensor(np.zeros(0, kind))

    make.__name__ = make.__qualname__ = name
    make.dtype = np.dtype(kind)  # type: ignore[attr-defined]  # for x.type(FloatTensor)
    make.__doc__ = f"A Tensor of {kind}: `{name}([1, 2])` holds these numbers, `{name}(2, 3)` zeros in that shape."
    return make


FloatTensor = _typed("FloatTensor", "float32")
DoubleTensor = _typed("DoubleTensor", "float64")
HalfTensor = _typed("HalfTensor", "float16")
LongTensor = _typed("LongTensor", "int64")
IntTensor = _typed("IntTensor", "int32")
ByteTensor = _typed("ByteTensor", "uint8")
BoolTensor = _typed("BoolTensor", "bool")


# -- switches ----------------------------------------------------------------------------------------------------------


def compile(model: Any = None, **options: Any) -> Any:  # noqa: ARG001
    """The model or function itself: there is no compiler. `minitorch.capture` replays a training step quicker.

    >>> compile(abs)(-1)
    1
    """
    return model if model is not None else lambda function: function


def set_num_threads(int: int) -> None:
    """Does nothing: NumPy's library decides, by OPENBLAS_NUM_THREADS or OMP_NUM_THREADS before Python starts."""


def get_num_threads() -> int:
    """1: minitorch starts no threads of its own; a library under NumPy may.

    >>> get_num_threads()
    1
    """
    return 1


def set_float32_matmul_precision(precision: str) -> None:
    """Does nothing: float32 products are computed in float32."""


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Does nothing: on the CPU the same program with the same seeds gives the same numbers anyway."""

"""Devices: the array's type is its device, so what a Tensor says about its device is never out of date.

NumPy's functions dispatch on the type of their arguments, so `np.exp(a)` of a CuPy array runs on the GPU. What has no
argument to dispatch on, such as making zeros, goes through `xp(array)`: the module that the array's type belongs to.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np


class StandIn:
    """An array that stands in for one of the host and writes down what is done with it: those of `minitorch.replay`.

    module: where functions such as `zeros` are to be looked up, so that they are written down, too. value: the array.
    """

    __slots__ = ()

    module: Any
    value: np.ndarray

    def as_result(self) -> Any:
        """Itself, as what a computation gave: an array, also where NumPy gives a number."""
        return self

    def as_operand(self) -> Any:
        """Itself, where it may be computed with as an array."""
        return self


_DEVICE = re.compile(r"cpu|cuda(?::(\d+))?")


def xp(array: Any) -> Any:
    """The module whose arrays these are: numpy or cupy. A Tensor answers for its values.

    >>> xp(np.zeros(3)).__name__
    'numpy'
    """
    array = getattr(array, "_data", array)
    if type(array) is np.ndarray:
        return np
    if isinstance(array, StandIn):
        return array.module
    return sys.modules["cupy"] if on_gpu(array) else np


def keep_freed_memory() -> None:
    """Lets the process keep what one step of training frees for the next one. Every optimiser asks for it.

    glibc's malloc gives the top of the heap back to the system whenever a step ends, and faults every page in again in
    the next one: a third of the time of a small GPT. Freeing one large block, untouched and so costless, raises its
    thresholds above that for the life of the process. Other allocators do not mind.
    """
    with contextlib.suppress(MemoryError):  # a small address space has no room for it
        np.empty((1 << 25) - (1 << 14), np.uint8)


def on_gpu(value: Any) -> bool:
    """True for a CuPy array. Asks the type alone: CuPy is never imported to find out."""
    return type(value).__module__.partition(".")[0] == "cupy"


def is_array(value: Any) -> bool:
    """True for an array of any device."""
    return isinstance(value, (np.ndarray, StandIn)) or on_gpu(value)


def as_result(value: Any) -> Any:
    """Return the result of a computation as an array: NumPy gives scalars for 0-d results. Tensors stay as they are."""
    if isinstance(value, StandIn):
        return value.as_result()
    return np.asarray(value) if isinstance(value, (np.generic, bool, int, float, list)) else value


def device_of(array: Any) -> str:
    """The name of an array's device: "cpu", or "cuda:0" with the number of the GPU.

    >>> device_of(np.zeros(3))
    'cpu'
    """
    return f"cuda:{array.device.id}" if on_gpu(array) else "cpu"


def to_host(array: Any) -> np.ndarray:
    """The values as a NumPy array: the one place where a GPU's numbers come back."""
    host: np.ndarray = xp(array).asnumpy(array) if on_gpu(array) else array
    return host


def stood_in_for(array: Any) -> Any:
    """The array that this one stands in for, or itself: to say in an error what is wrong with it."""
    return array.value if isinstance(array, StandIn) else array


def as_number(array: Any) -> Any:
    """The one number of an array, as a Python float; a stand-in for it stays one, which can be computed with alike."""
    return array if isinstance(array, StandIn) else float(array)


def extremes(array: Any) -> tuple[Any, Any]:
    """The smallest and the largest number of an array. Both leave a GPU together: each time, everything waits.

    Of a stand-in they are stand-ins, too, which can be compared.

    >>> extremes(np.array([3, 1, 2]))
    (1, 3)
    """
    low, high = array.min(), array.max()
    if isinstance(array, StandIn):
        return low, high
    return tuple(xp(array).stack([low, high]).tolist()) if on_gpu(array) else (low.item(), high.item())


def moved(array: Any, device: Any) -> Any:
    """The array on `device`; itself if it is there already.

    Raises ValueError for a device that is not known, RuntimeError where CuPy or a GPU is missing.
    """
    index = gpu_number(device)
    if index is None:
        return to_host(array)
    cupy = gpus(index)
    if on_gpu(array) and array.device.id == index:
        return array
    with cupy.cuda.Device(index):
        return cupy.asarray(array)


def made_on(device: Any, maker: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what a function of NumPy such as `np.zeros` makes, made on `device` itself: nothing is copied to it.

    Raises as `moved` does; None is the host.

    >>> made_on("cpu", np.arange, 3)
    array([0, 1, 2])
    """
    index = None if device is None else gpu_number(device)
    if index is None:
        return maker(*arguments, **options)
    cupy = gpus(index)
    with cupy.cuda.Device(index):
        return getattr(cupy, maker.__name__)(*arguments, **options)


def gpu_number(device: Any) -> int | None:
    """Return the number of the GPU that a device's name means, None for the host.

    Raises ValueError for a name that is not known.

    >>> gpu_number("cuda"), gpu_number("cuda:1"), gpu_number("cpu")
    (0, 1, None)
    """
    match = _DEVICE.fullmatch(str(device))
    if match is None:
        raise ValueError(
            f"device {str(device)!r} is not known: write 'cpu', 'cuda' or 'cuda:0' with the number of a GPU"
        )
    return None if match[0] == "cpu" else int(match[1] or 0)


def asarray_like(array: Any, values: Any, dtype: Any, what: str) -> Any:
    """`values` as an array on the device of `array`: a GPU takes what the host has, the host nothing unasked.

    Raises RuntimeError for values on a GPU and an array that is not.
    """
    if on_gpu(values) and not on_gpu(array):
        raise RuntimeError(f"{what} is on {device_of(values)}, but the Tensor is on cpu: move it with .to('cpu')")
    return xp(array).asarray(values, dtype)


def require_one_device(name: str, input: Any, **others: Any) -> None:
    """Raises RuntimeError unless the arrays are where `input` is; a Tensor counts by its values, None does not count.

    For those that no operation takes, which would say so itself.
    """
    place = device_of(getattr(input, "_data", input))
    for label, other in others.items():
        other = getattr(other, "_data", other)
        if is_array(other) and device_of(other) != place:
            raise RuntimeError(
                f"{name}: input is on {place}, but {label} on {device_of(other)}: move {label} with .to({place!r})"
            )


class device(str):  # noqa: N801 (PyTorch's name)
    """Device of an array, as PyTorch writes it: `device("cuda:1")`, `device("cuda", 1)`, `device(1)`, `device("cpu")`.

    It is a string, and so equals the name that it has. Raises ValueError for a name that is not known.

    >>> device("cuda", 1)
    device(type='cuda', index=1)
    >>> device("cpu") == "cpu", device("cpu").type
    (True, 'cpu')
    """

    __slots__ = ()

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> device:
        """The name, if it is one."""
        name = f"cuda:{type}" if isinstance(type, int) else str(type)
        if index is not None and ":" in name:
            raise ValueError(f"device: {name!r} has a number already, so index={index} is one too many")
        name = name if index is None or name == "cpu" else f"{name}:{index}"
        gpu_number(name)
        return super().__new__(cls, name)

    @property
    def type(self) -> str:
        """The part before the colon: "cpu" or "cuda"."""
        return str(self).partition(":")[0]

    @property
    def index(self) -> int | None:  # type: ignore[override]
        """The number of the GPU; None where none was said."""
        number = self.partition(":")[2]
        return int(number) if number else None

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type={self.type!r}{number})"


def cuda_is_available() -> bool:
    """True where CuPy is installed and finds a GPU."""
    try:
        gpus()
    except RuntimeError:
        return False
    return True


def gpus(index: int = 0) -> Any:
    """CuPy, where there is a GPU of that number. Raises RuntimeError that says what is missing."""
    try:
        import cupy
    except ImportError:
        raise RuntimeError("device 'cuda' needs CuPy: pip install \"minitorch-course[cuda]\"") from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # noqa: BLE001 (CuPy has an error class of its own for each way of having no driver)
        raise RuntimeError(f"device 'cuda' needs an NVIDIA driver, and CuPy finds none: {error}") from None
    if count == 0:
        raise RuntimeError("device 'cuda' needs a GPU, and CuPy finds none: stay on 'cpu'")
    if index >= count:
        raise RuntimeError(f"device 'cuda:{index}' is not there: the number of GPUs that CuPy finds is {count}")
    return cupy

"""A stand-in for CuPy, for machines without a GPU: put it into `sys.modules["cupy"]` and the "GPU" is there.

Its arrays hold NumPy arrays, but are none: they dispatch NumPy's functions as CuPy's do (NEP 13 and 18), refuse to meet
a NumPy array, refuse to become one silently, and refuse what CuPy does not have (`cupy_names.json` says what that is).
Every number that crosses between host and device is written into `transfers`. What CuPy leaves unsaid, the fake does
too: integer indices out of range wrap around, warnings of floating-point arithmetic do not exist.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import operator
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from cupy_names import NAMES, signature

HOST, DEVICE = "host", "device"

# Asked of arrays, answered from what the host knows about them anyway.
FREE_ANSWERS = {"shape", "ndim", "size", "can_cast", "result_type", "shares_memory", "may_share_memory"}
# The size of the result depends on the numbers, so CuPy waits for the device and reads that size.
ASK_FOR_A_SIZE = {"nonzero", "flatnonzero", "argwhere", "unique", "bincount", "extract", "compress", "isin"}
UFUNC_OPTIONS = {
    "__call__": {"out", "dtype", "casting"},
    "reduce": {"axis", "dtype", "out", "keepdims"},
    "accumulate": {"axis", "dtype", "out"},
}
AT_DTYPES = {"add": "ilILefdqQ", "maximum": "ilILfdqQ", "minimum": "ilILfdqQ", "subtract": "iI"}


@dataclass(frozen=True)
class Transfer:
    """So many numbers of a dtype went to the host or to the device, because of `why`."""

    to: str
    why: str
    dtype: np.dtype[Any]
    size: int


transfers: list[Transfer] = []


@dataclass(frozen=True)
class Reason:
    """Why numbers may cross, and which: the kinds of dtypes that go to the host and to the device."""

    why: str
    to_host: str = ""
    to_device: str = ""

    def covers(self, each: Transfer) -> bool:
        return each.dtype.kind in {HOST: self.to_host, DEVICE: self.to_device}[each.to]


@contextlib.contextmanager
def uncounted() -> Iterator[None]:
    """What crosses in here is no part of what is counted: inputs on their way to the device."""
    before = len(transfers)
    yield
    del transfers[before:]


def noted(to: str, why: str, values: np.ndarray) -> np.ndarray:
    transfers.append(Transfer(to, why, values.dtype, values.size))
    return values


# -- arrays ------------------------------------------------------------------------------------------------------------


class ndarray(np.lib.mixins.NDArrayOperatorsMixin):  # noqa: N801 (CuPy's name)
    """An array on the device. Its operators are ufuncs, so that they too leave the answer to a Tensor beside it."""

    __module__ = "cupy"
    __slots__ = ("__weakref__", "_host", "base")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 100

    def __init__(self, host: np.ndarray, base: ndarray | None = None) -> None:
        self._host = host
        self.base = base

    device = property(lambda self: Device(0))
    data = property(lambda self: Pointer(self._host.__array_interface__["data"][0]))
    flags = property(lambda self: Flags(self._host.flags))
    T = property(lambda self: on_device(self._host.T, self))
    mT = property(lambda self: on_device(self._host.mT, self))  # noqa: N815 (NumPy's name)

    def __array__(self, *args: Any, **options: Any) -> np.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Please use `.get()`")

    def __array_function__(self, function: Any, kinds: Any, args: Any, options: Any) -> Any:
        if any(kind not in (ndarray, np.ndarray) for kind in kinds):
            return NotImplemented
        path = function.__module__.removeprefix("numpy").strip(".")
        return called(path or "functions", function.__name__, function, args, options)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if any(map(is_foreign, inputs)):
            return NotImplemented
        if "out" in options:
            (options["out"],) = options["out"]
        return called("functions", ufunc.__name__, getattr(ufunc, method), inputs, options, method)

    def get(self) -> np.ndarray:
        return noted(HOST, "get", self._host.copy())

    def item(self) -> Any:
        return noted(HOST, "item", self._host).item()

    def tolist(self) -> Any:
        return noted(HOST, "tolist", self._host).tolist()

    def __bool__(self) -> bool:
        return bool(noted(HOST, "bool", self._host))

    def __int__(self) -> int:
        return int(noted(HOST, "int", self._host))

    def __float__(self) -> float:
        return float(noted(HOST, "float", self._host))

    def __repr__(self) -> str:
        return repr(noted(HOST, "repr", self._host))

    def __format__(self, spec: str) -> str:
        return format(self.item() if self._host.ndim == 0 else repr(self), spec)

    def __reduce__(self) -> Any:
        return asarray, (self.get(),)

    def __copy__(self) -> ndarray:
        return ndarray(self._host.copy())

    def __deepcopy__(self, memo: Any) -> ndarray:
        return ndarray(self._host.copy())

    def __len__(self) -> int:
        return len(self._host)

    def __iter__(self) -> Iterator[ndarray]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, key: Any) -> ndarray:
        return on_device(self._host[as_index(key, self.shape)], self)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._host[as_index(key, self.shape)] = operand(value)


@dataclass(frozen=True)
class Pointer:
    """Where an array begins in the memory of the device."""

    ptr: int


class Flags:
    """CuPy's arrays know less about themselves: there is no `writeable`."""

    def __init__(self, flags: Any) -> None:
        self.c_contiguous, self.f_contiguous, self.owndata = flags.c_contiguous, flags.f_contiguous, flags.owndata


def is_foreign(value: Any) -> bool:
    """A Tensor, say: it is asked what to do before CuPy is."""
    return hasattr(value, "__array_ufunc__") and not isinstance(value, (ndarray, np.ndarray, np.generic))


def on_device(result: Any, *sources: Any) -> Any:
    """What NumPy computed as what CuPy would have returned: never a NumPy array, never a scalar.

    sources: the arrays that it may be a view of.
    """
    if isinstance(result, tuple):
        return tuple([on_device(each, *sources) for each in result])  # CuPy does not name the parts
    if isinstance(result, list):
        return [on_device(each, *sources) for each in result]
    if not isinstance(result, (np.ndarray, np.generic, bool, int, float)):
        return result
    host = np.asarray(result)
    for each in sources:
        if isinstance(each, ndarray) and np.may_share_memory(host, each._host):
            return each if host is each._host else ndarray(host, each if each.base is None else each.base)
    return ndarray(host)


def operand(value: Any) -> Any:
    """The numbers behind an argument. Raises TypeError for an array of the host."""
    if isinstance(value, ndarray):
        return value._host
    if isinstance(value, (tuple, list)):
        parts = [operand(each) for each in value]
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, np.ndarray) or is_foreign(value):
        raise TypeError(f"Unsupported type {type(value)}")
    return value


def as_index(key: Any, shape: tuple[int, ...]) -> Any:
    """An index as NumPy takes it, out-of-range integers in arrays wrapped around as CuPy does."""
    parts = list(key) if isinstance(key, tuple) else [key]
    used = sum(part.ndim if is_mask(part) else 1 for part in parts if part is not None and part is not Ellipsis)
    axis, made = 0, []
    for part in parts:
        if part is Ellipsis:
            axis += len(shape) - used
        if isinstance(part, (list, np.ndarray)):
            part = ndarray(noted(DEVICE, "index", np.asarray(part)))
        if isinstance(part, ndarray):
            host = part._host
            if is_mask(part):
                noted(HOST, "size of a mask", np.asarray(host.sum()))
            elif host.size and shape[axis]:
                host = host % shape[axis]
            axis += host.ndim if is_mask(part) else 1
            part = host
        elif isinstance(part, slice):
            for bound in (part.start, part.stop, part.step):
                if bound is not None:
                    operator.index(bound)
            axis += 1
        elif part is not None and part is not Ellipsis:
            axis += 1
        made.append(part)
    return tuple(made)


def is_mask(part: Any) -> bool:
    return getattr(part, "dtype", None) == np.bool_


# -- functions ---------------------------------------------------------------------------------------------------------


def called(place: str, name: str, function: Any, args: Any, options: Any, method: str = "__call__") -> Any:
    """A function of NumPy as CuPy would do it. Raises TypeError for what CuPy does not have or does not take."""
    known = NAMES.get(place, {}).get(name)
    if known is None:
        raise TypeError(f"CuPy {NAMES['cupy']} has no {name}")
    if method != "__call__" and method not in known.split():
        raise NotImplementedError(f"`cupy_{name}.{method}` is not supported yet")
    if not known.startswith("ufunc"):
        signature(known).bind(*args, **options)
    elif unknown := set(options) - UFUNC_OPTIONS.get(method, set()):
        raise TypeError(f"Wrong arguments {unknown}")
    elif method == "__call__" and not computes(name, tuple([getattr(each, "dtype", None) for each in args])):
        raise TypeError(f"Wrong type of arguments for cupy_{name}")
    elif method == "__call__" and any(isinstance(each, list) for each in args):
        raise TypeError("Unsupported type <class 'list'>")
    if options.get("kind") not in (None, "stable"):
        raise ValueError(f"cupy.{name} does not support kind={options['kind']!r}")
    if method == "at":
        return changed_at(name, function, *args)
    if name in ("take", "take_along_axis", "put_along_axis") and place != "methods":
        args = wrapped(name, list(args), options)
    hosts, named = operand(tuple(args)), {key: operand(value) for key, value in options.items()}
    if name in ASK_FOR_A_SIZE or (name == "where" and len(args) == 1):
        noted(HOST, f"size of {name}", np.zeros((), np.int64))
    with np.errstate(all="ignore"):
        result = function(*hosts, **named)
    if isinstance(options.get("out"), ndarray):
        return options["out"]
    return result if name in FREE_ANSWERS or result is None else on_device(result, *flat(args))


@functools.cache
def computes(ufunc: str, dtypes: tuple[Any, ...]) -> bool:
    """Whether CuPy computes it with these, or with what they can be cast to; Python's numbers adapt."""
    return any(
        all(given is None or np.can_cast(given, wanted) for given, wanted in zip(dtypes, loop, strict=False))
        for loop in NAMES["inputs"][ufunc].split()
    )


def flat(args: Any) -> Iterator[Any]:
    for each in args:
        yield from flat(each) if isinstance(each, (tuple, list)) else (each,)


def changed_at(name: str, at: Any, array: ndarray, indices: Any, values: Any) -> None:
    """ufunc.at, for the dtypes that the GPU can change atomically."""
    if array.dtype.char not in AT_DTYPES.get(name, ""):
        raise TypeError(f"cupy.{name}.at does not support {array.dtype}")
    at(array._host, as_index(indices, array.shape), operand(values))


def wrapped(name: str, args: list[Any], options: dict[str, Any]) -> list[Any]:
    """Indices out of range count on from the other end, silently."""
    array, indices = args[0], args[1]
    if isinstance(indices, (np.ndarray, list)):
        raise TypeError(f"Unsupported type {type(indices)}")
    axis = options.get("axis", args[-1] if len(args) > (3 if name == "put_along_axis" else 2) else None)
    length = array.size if axis is None else array.shape[axis]
    args[1] = indices % length if length and isinstance(indices, ndarray) else indices
    return args


class Ufunc:
    """cupy.add and its like."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any, **options: Any) -> Any:
        return called("functions", self.name, getattr(np, self.name), args, options)

    def __getattr__(self, method: str) -> Callable[..., Any]:
        function = getattr(getattr(np, self.name), method)
        return lambda *args, **options: called("functions", self.name, function, args, options, method)


def function_of(place: str, module: Any, name: str) -> Any:
    """`name` of a module of CuPy: NumPy's own where CuPy hands on NumPy's, as with dtypes and constants."""
    theirs = getattr(module, name)
    if isinstance(theirs, np.ufunc) and NAMES[place].get(name, "").startswith("ufunc"):
        return Ufunc(name)
    if name in NAMES[place]:
        return lambda *args, **options: called(place, name, theirs, args, options)
    if place == "functions" and name in NAMES["handed on"]:
        return theirs
    raise AttributeError(f"module 'cupy' has no attribute {name!r}")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return function_of("functions", np, name)


class Part:
    """cupy.linalg, cupy.lib.stride_tricks."""

    def __init__(self, place: str, module: Any) -> None:
        self._place, self._module = place, module

    def __getattr__(self, name: str) -> Any:
        return function_of(self._place, self._module, name)


class Special:
    """cupyx.scipy.special: those functions of SciPy's that minitorch calls. CuPy 14.2 has them all."""

    names = "gammainc gammaincc zeta i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e y0 y1"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self.names.split():
            raise AttributeError(name)
        function = getattr(importlib.import_module("scipy.special"), name)
        return lambda *args: on_device(function(*operand(args)))


sys.modules.setdefault("cupyx.scipy.special", Special())  # type: ignore[arg-type]
linalg = Part("linalg", np.linalg)
lib = types.SimpleNamespace(stride_tricks=Part("lib.stride_tricks", np.lib.stride_tricks))


def array(obj: Any, dtype: Any = None, copy: bool = True, **options: Any) -> ndarray:
    """From the host, which is a transfer, or from the device."""
    if isinstance(obj, ndarray):
        return ndarray(np.array(obj._host, dtype, copy=copy or None))
    return ndarray(noted(DEVICE, "array", np.array(operand(obj) if isinstance(obj, list) else obj, dtype)))


def asarray(a: Any, dtype: Any = None, **options: Any) -> ndarray:
    if isinstance(a, ndarray) and dtype in (None, a.dtype):
        return a
    return array(a, dtype)


asanyarray = ascontiguousarray = asarray


def asnumpy(a: Any) -> np.ndarray:
    return a.get() if isinstance(a, ndarray) else np.asarray(a)


# -- the device --------------------------------------------------------------------------------------------------------

gpus = 1  # how many there are; a test may say otherwise


class Device(contextlib.AbstractContextManager[None]):
    """One of the GPUs; without a number it is the one in use."""

    used = 0

    def __init__(self, number: int | None = None) -> None:
        self.id = Device.used if number is None else number

    def use(self) -> None:
        """From now on, this one."""
        Device.used = self.id

    def __enter__(self) -> None:
        if self.id >= gpus:
            raise RuntimeError("cudaErrorInvalidDevice: invalid device ordinal")

    def __exit__(self, *raised: object) -> None:
        return None

    def synchronize(self) -> None:
        """Nothing runs on behind the program's back here."""


runtime = types.SimpleNamespace(
    getDeviceCount=lambda: gpus,
    getDeviceProperties=lambda number: {"name": b"fake"},
    runtimeGetVersion=lambda: 0,
    driverGetVersion=lambda: 0,
)
cuda = types.SimpleNamespace(Device=Device, runtime=runtime)
__version__ = f"{NAMES['cupy']} (fake)"


# -- methods of arrays -----------------------------------------------------------------------------------


def _method(name: str) -> Callable[..., Any]:
    def method(self: ndarray, *args: Any, **options: Any) -> Any:
        if name == "take":
            args = tuple(wrapped(name, [self, *args], options)[1:])
        result = called("methods", name, getattr(self._host, name), args, options)
        return on_device(result._host, self) if isinstance(result, ndarray) else result

    return method


for _name in ("shape", "dtype", "ndim", "size", "nbytes", "itemsize", "strides"):
    setattr(ndarray, _name, property(operator.attrgetter(f"_host.{_name}")))
for _name in NAMES["methods"]:
    if not hasattr(ndarray, _name) and hasattr(np.ndarray, _name):
        setattr(ndarray, _name, _method(_name))

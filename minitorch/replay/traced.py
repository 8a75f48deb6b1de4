"""An array that stands in for one of NumPy's: it computes with it, and has a recorder write down what is done."""

from __future__ import annotations

import sys
import weakref
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from minitorch.backend import StandIn

if TYPE_CHECKING:
    from minitorch.replay.program import Slot
    from minitorch.replay.recorder import Recorder

# Methods that give arrays, or change one; what is not here a step that is captured cannot use.
METHODS = frozenset([
    "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumprod", "cumsum", "diagonal", "dot",
    "fill", "flatten", "max", "mean", "min", "prod", "ravel", "repeat", "reshape", "round", "searchsorted", "sort",
    "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose", "var", "view",
])  # fmt: skip
_FACTS = frozenset(["shape", "dtype", "ndim", "size", "itemsize", "nbytes", "strides", "flags"])
_VIEWS = frozenset(("T", "mT", "real"))
_PLUMBING = (  # what is called there is no operation of its own
    "replay.", "backend", "autograd.primitive", "autograd.operation", "autograd.backward", "autograd.promotion",
    "python_protocol", "numpy_protocol")  # fmt: skip
# What Python would make of an array, and would stay what it was.
_REFUSED = {
    "__array__": "makes an array of NumPy's own of one that is traced, as np.array() does: use it as it is",
    "__float__": "turns a number in an array into a Python float",
    "__int__": "turns a number in an array into a Python int, as an index or a range does",
    "__index__": "turns a number in an array into a Python int, as an index or a range does",
    "__complex__": "turns a number in an array into a Python complex number",
    "__round__": "rounds a number in an array to a Python number: use np.round",
    "__hash__": "looks for a number in an array, or for an array, in a dict or a set",
    "__reduce_ex__": "pickles an array",
    "__buffer__": "reads the bytes of an array",
    "__repr__": "writes numbers of an array as text",
    "item": "turns a number in an array into a Python number, as .item() does",
    "tolist": "turns numbers in an array into Python numbers, as .tolist() does",
}


class CannotCaptureError(BaseException):
    """A step does something that cannot be traced once and done again.

    No Exception, for a step that catches those would hide it.
    """


class Traced(NDArrayOperatorsMixin, StandIn):
    """One array of a step that is being traced.

    value: the array itself. slot: its name in the program. base: the Traced whose memory it shows, None for its own.
    is_number: to NumPy it is no array but one of its numbers, such as an np.float32.
    """

    __slots__ = ("__weakref__", "base", "is_number", "recorder", "slot", "value")
    __array_priority__ = 100

    def __init__(self, recorder: Recorder, value: np.ndarray, slot: Slot, base: Traced | None = None) -> None:
        self.recorder, self.value, self.slot, self.base = recorder, value, slot, base
        self.is_number = False
        recorder.made.append(weakref.ref(self))

    @property
    def module(self) -> Any:
        """NumPy, with every call recorded."""
        return self.recorder.numpy

    def as_operand(self) -> Traced:
        """Itself; refused for an np.float64, which beside a Tensor counts as a Python number."""
        if self.is_number and self.value.dtype == np.float64:
            raise self.recorder.refused("gives an np.float64 to an operation: give an np.float32, or an array")
        return self

    # -- what NumPy asks ---------------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if any(hasattr(each, "_node") for each in inputs):  # a Tensor
            return NotImplemented
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        return self.recorder.call(name, function, inputs, options)

    def __array_function__(self, function: Any, kinds: Any, arguments: Any, options: Any) -> Any:
        if any(kind is not Traced and not issubclass(kind, np.ndarray) for kind in kinds):
            return NotImplemented
        path = function.__module__.removeprefix("numpy").strip(".")
        return self.recorder.call(f"{path}.{function.__name__}".lstrip("."), function, arguments, options)

    def as_result(self) -> Traced:
        """Return an operation's result, which is an array to the engine, also where NumPy gives a number."""
        self.is_number = False
        return self

    # -- what Python asks --------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name in _FACTS:
            if name == "flags" and not _is_ours(sys._getframe(1)):
                raise self.recorder.refused("asks for the flags of an array, which may be set")
            return getattr(self.value, name)
        if name in _VIEWS:
            return self.recorder.attribute(self, name)
        if name in METHODS:
            return lambda *arguments, **options: self.recorder.method(self, name, arguments, options)
        if not hasattr(np.ndarray, name) or name.startswith("_"):
            raise AttributeError(name)
        raise self.recorder.refused(f"uses .{name} of an array")

    def __getitem__(self, key: Any) -> Any:
        return self.recorder.get(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.recorder.set(self, key, value)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Any:
        return (self[place] for place in range(len(self)))

    def __bool__(self) -> bool:
        """The engine may ask, and each replay checks the answer; a step's own branches cannot be traced."""
        if _is_ours(sys._getframe(1)):
            return self.recorder.check(self)
        raise self.recorder.refused("branches on a number in an array")

    def __copy__(self, _: Any = None) -> Any:
        return self.recorder.method(self, "copy", (), {})

    __deepcopy__ = __copy__


def _refusing(what: str) -> Any:
    def method(self: Traced, *_: Any, **__: Any) -> Any:
        raise self.recorder.refused(what)

    return method


for _name, _what in _REFUSED.items():
    setattr(Traced, _name, _refusing(_what))


class TracedNumPy:
    """NumPy, one of its modules, or one of its functions, each call of which is recorded, though of no traced array."""

    def __init__(self, recorder: Recorder, found: Any = np, path: str = "") -> None:
        self._recorder, self._found, self._path = recorder, found, path

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Record a call."""
        return self._recorder.call(self._path, self._found, arguments, options)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._found, name)
        if isinstance(found, type) or not (callable(found) or isinstance(found, ModuleType)):
            return found
        return TracedNumPy(self._recorder, found, f"{self._path}.{name}".lstrip("."))


class TracedRandomness:
    """The `random` of a Scope while a step is traced, and its generator: each draw is recorded."""

    def __init__(self, recorder: Recorder, generator: np.random.Generator) -> None:
        self.generator, self._recorder, self._drawing = self, recorder, generator

    def __getattr__(self, name: str) -> Any:
        if name in ("bit_generator", "seed"):
            raise self._recorder.refused("seeds the random generator: seed before the step")
        draw = getattr(self._drawing, name)
        return lambda *arguments, **options: self._recorder.draw(name, draw, arguments, options)


def calling_line() -> str:
    """Return the line that runs in the nearest file that is not this package's, and what of ours it called, if any.

    Of ours, what is named is the public function nearest to what cannot be traced.
    """
    frame: Any = sys._getframe(1)
    ours = ""
    while frame is not None and (module := f"{frame.f_globals.get('__name__')}.").startswith(("minitorch.", "numpy.")):
        place, is_public = module.removeprefix("minitorch."), not frame.f_code.co_name.startswith(("_", "<"))
        if not ours and is_public and place != module and not place.startswith(_PLUMBING):
            ours = f", in {frame.f_code.co_qualname}"
        frame = frame.f_back
    return "unknown line" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}{ours}"


def _is_ours(frame: Any) -> bool:
    return str(frame.f_globals.get("__name__")).startswith("minitorch.")

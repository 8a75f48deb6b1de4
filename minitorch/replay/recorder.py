"""The recorder: runs each call on real arrays, and writes it down as an instruction."""

from __future__ import annotations

import functools
import gc
import inspect
import operator
import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import owner
from minitorch.replay.naming import origin
from minitorch.replay.program import Instruction, Slot, mapped
from minitorch.replay.traced import METHODS, CannotCaptureError, Traced, TracedNumPy, calling_line

# Answers about arrays that follow from shapes and dtypes, not from numbers.
_STATIC = frozenset(
    [
        "ndim",
        "shape",
        "size",
        "can_cast",
        "result_type",
        "promote_types",
        "may_share_memory",
        "shares_memory",
        "isscalar",
    ]
)
# Functions whose results have a shape that follows from the shapes of what they are given, as that of every ufunc does.
_SHAPED = frozenset([
    "all", "amax", "amin", "any", "argmax", "argmin", "argpartition", "argsort", "array", "asarray",
    "ascontiguousarray", "average", "broadcast_arrays", "clip", "column_stack", "concatenate", "copy", "copyto", "cov",
    "cross", "cumprod", "cumsum", "diag", "diagonal", "diff", "dot", "dstack", "einsum", "empty_like", "expand_dims",
    "fill_diagonal", "flip", "full_like", "hstack", "inner", "interp", "isclose", "isin", "kron", "max", "mean",
    "median", "meshgrid", "min", "moveaxis", "nan_to_num", "nanmax", "nanmean", "nanmin", "nansum", "ndim",
    "ones_like", "outer", "partition", "place", "prod", "ptp", "put", "put_along_axis", "putmask", "ravel", "roll",
    "rot90", "round", "searchsorted", "select", "shape", "sort", "squeeze", "stack", "std", "sum", "swapaxes", "take",
    "take_along_axis", "tensordot", "trace", "transpose", "tril", "triu", "var", "vdot", "vstack", "zeros_like",
])  # fmt: skip
# And those whose shape follows from numbers, too. Given beside an array they are Python's; in an array they may change.
_SHAPED_BY_NUMBERS = frozenset([
    "arange", "array_split", "broadcast_to", "empty", "eye", "full", "linspace", "ones", "pad", "repeat", "reshape",
    "split", "tile", "tri", "zeros",
])  # fmt: skip
# Functions and methods that take arrays behind the first; what others are given there says how, as an axis does.
_OF_SEVERAL = frozenset([
    "append", "array_equal", "average", "clip", "convolve", "copyto", "correlate", "cov", "cross", "digitize", "dot",
    "einsum", "fill_diagonal", "full_like", "histogram", "inner", "interp", "isclose", "isin", "kron", "meshgrid",
    "outer", "place", "polyval", "put", "put_along_axis", "putmask", "quantile", "searchsorted", "select", "take",
    "take_along_axis", "tensordot", "vdot", "where", "bincount", "broadcast_arrays", "nan_to_num", "vander", "choose",
    "compress", "extract", "insert", "delete", "percentile", "nanquantile", "nanpercentile", "trapezoid",
])  # fmt: skip
_METHODS_OF_SEVERAL = frozenset(("clip", "dot", "fill", "searchsorted", "take", "repeat"))
_GEOMETRY = frozenset(("axis", "axes", "axis1", "axis2", "k", "n", "offset", "kth", "ddof", "decimals", "num", "shift"))
# Functions that change an array which is not called `out`, by the place of it.
_CHANGING = {"copyto": 0, "put_along_axis": 0, "fill_diagonal": 0, "put": 0, "putmask": 0, "place": 0}


class Recorder:
    """What is known while a step is written down.

    instructions: so far.
    """

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self.numpy = TracedNumPy(self)
        self._count = 0
        self._constants: dict[int, Slot] = {}
        self.refusals: list[CannotCaptureError] = []  # which a step may have caught
        self.made: list[weakref.ref[Traced]] = []

    # -- arrays ------------------------------------------------------------------------------------------------------

    def slot(self, kind: str, value: np.ndarray, owner: Slot | None = None, **facts: Any) -> Slot:
        """A new name."""
        self._count += 1
        return Slot(self._count, kind, value.shape, value.dtype, value.strides, owner, **facts)

    def traced(self, kind: str, value: np.ndarray, name: str = "") -> Traced:
        """An array from outside: an argument of the step, or one that lives on."""
        return Traced(self, value, self.slot(kind, value, array=value if kind == "held" else None, name=name))

    def constant(self, value: np.ndarray) -> Slot:
        """A plain array among the arguments: what is in it now is what it will always be."""
        found = self._constants.get(id(value))
        if found is None:
            found = self._constants[id(value)] = self.slot("constant", value, array=value)
        return found

    # -- calls -------------------------------------------------------------------------------------------------------

    def call(self, name: str, function: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
        """A function of NumPy."""
        _require_known_geometry(name, arguments, options)
        changed = []
        if isinstance(options.get("out"), tuple):
            (options["out"],) = options["out"]
        if options.get("out") is not None:
            changed.append(options["out"])
        if name.endswith(".at") or name in _CHANGING:
            changed.append(arguments[_CHANGING.get(name, 0)])
        changed += _given_as_out(function, arguments)
        if (options.get("copy", True) is False and name == "nan_to_num") or options.get("overwrite_input"):
            changed.append(arguments[0])
        self._changes(name, changed)
        with self._no_error_caught():
            result = function(*mapped(tuple(arguments), _value), **mapped(options, _value))
        return self._note("function", name, function, tuple(arguments), options, result, changed)

    def method(self, array: Traced, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """A method of an array."""
        if name not in _METHODS_OF_SEVERAL or "axis" in options:
            _require_known_geometry("", (array, *arguments), options)
        changed = [array] if name in ("fill", "sort") else []
        if options.get("out") is not None:
            changed.append(options["out"])
        changed += _given_as_out(getattr(np.ndarray, name), (array, *arguments))
        self._changes(name, changed)
        with self._no_error_caught():
            result = getattr(array.value, name)(*mapped(arguments, _value), **mapped(options, _value))
        return self._note("method", name, None, (array, *arguments), options, result, changed)

    def attribute(self, array: Traced, name: str) -> Any:
        """A view that an attribute gives."""
        return self._note("attribute", name, None, (array,), {}, getattr(array.value, name), [])

    def get(self, array: Traced, key: Any) -> Any:
        """x[key]."""
        if _has_mask(key):
            raise array.refused("takes what a mask of booleans selects, whose number is never the same: use where()")
        _require_known_ends(array, key)
        with self._no_error_caught():
            result = array.value[mapped(key, _value)]
        return self._note("get", "[]", None, (array, key), {}, result, [])

    def set(self, array: Traced, key: Any, value: Any) -> None:
        """x[key] = value."""
        _require_known_ends(array, key)
        self._changes("[]", [array])
        with self._no_error_caught():
            array.value[mapped(key, _value)] = _value(value)
        self._note("set", "[]", None, (array, key, value), {}, None, [array])

    def draw(self, name: str, draw: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Random numbers."""
        with self._no_error_caught():
            result = draw(*mapped(arguments, _value), **mapped(options, _value))
        return self._note("draw", name, None, arguments, options, result, [])

    def check(self, array: Traced) -> bool:
        """A truth that the engine asks for: in a replay it must be the same."""
        truth = bool(array.value)
        self.add(Instruction("check", "is", None, (array.slot, truth), label=origin()[1]))
        return truth

    def bound(self, number: int, array: Traced) -> Bound:
        """A number of the program that the engine compares with others."""
        return Bound(number, self, array)

    def close(self) -> str:
        """Put arrays in the place of stand-ins that somebody still holds; return what has given one, "" for none."""
        del self.numpy  # which holds the recorder
        if not any(each() is not None for each in self.made):
            return ""
        gc.collect()
        kept = [traced for each in self.made if (traced := each()) is not None]
        for holder in gc.get_referrers(*kept) if kept else ():
            if isinstance(holder, TensorBase) and isinstance(holder._data, Traced):
                holder._data = holder._data.value.copy()
            elif isinstance(holder, (list, dict)) and holder is not kept:
                for key, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
                    if isinstance(value, Traced):
                        holder[key] = value.value.copy()
        slots = {traced.slot for traced in kept}
        makers = (each.operation or each.call for each in self.instructions if slots.intersection(each.results))
        return next(makers, "an operation") if kept else ""

    def add(self, instruction: Instruction) -> None:
        """Writes it down."""
        self.instructions.append(instruction)

    # ----------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _no_error_caught(self) -> Iterator[None]:
        """A step that catches an error of NumPy's is refused: other numbers may give none."""
        try:
            yield
        except Exception as error:
            what = f"it catches an error of NumPy's, {type(error).__name__}, which may not come in a replay"
            self.refusals.append(CannotCaptureError(f"{what} ({calling_line()})"))
            raise

    def _changes(self, name: str, changed: list[Any]) -> None:
        """What a call is about to change. CannotCaptureError, before anything is written, for what is not followed."""
        for each in changed:
            if not isinstance(each, Traced):
                raise CannotCaptureError(
                    f"{name} writes into an array that hangs on nothing which the step is given, as zeros do "
                    f"({calling_line()}): make it outside, or begin with the first term"
                )

    def _note(
        self,
        how: str,
        name: str,
        function: Any,
        arguments: tuple[Any, ...],
        options: dict[str, Any],
        result: Any,
        changed: list[Any],
    ) -> Any:
        given: list[Traced] = []

        def slot_of(leaf: Any) -> Any:
            if isinstance(leaf, Traced):
                given.append(leaf)
                return leaf.slot
            if isinstance(leaf, np.ndarray):
                return self.constant(leaf)
            return float(leaf) if isinstance(leaf, np.float64) else leaf

        noted = mapped(arguments, slot_of), mapped(options, slot_of)
        if result is None:
            outcome: Any = None
            made: list[Slot] = []
        else:
            outcome, made = self._outcome(name, result, given)
            if not made and not changed:
                return outcome  # what it was given, as it was, or a fact about shapes
        writes = tuple(dict.fromkeys(each.slot.memory for each in changed))
        variable, label = origin()
        varies = how in ("function", "method") and not _is_shaped(name, arguments, options)
        varies |= any(each.slot.varies for each in given) and not changed and how != "set"
        for slot in made:
            slot.varies, slot.variable = varies, variable
        if any(each.slot in made for each in changed):
            made = []
        self.add(Instruction(how, name, function, *noted, tuple(made), writes, label))
        return outcome

    def _outcome(self, name: str, result: Any, given: list[Traced]) -> tuple[Any, list[Slot]]:
        """The result with Traced in the place of arrays, and the Slots that are new."""
        if name in _STATIC:
            return result, []
        made: list[Slot] = []

        def wrapped(leaf: Any) -> Any:
            if isinstance(leaf, (bool, int, float)) and not isinstance(leaf, np.generic):
                raise CannotCaptureError(f"{name} gives a Python number ({calling_line()})")
            if isinstance(leaf, str):
                raise given[0].refused("writes numbers that are computed as text")
            if not isinstance(leaf, (np.ndarray, np.generic)):
                return leaf
            same = next((each for each in given if leaf is each.value), None)
            if same is not None and leaf is result:
                return same
            array = np.asarray(leaf)
            memory = owner(array)
            base = same  # among several results, each has its place
            if base is None and memory is not array:
                base = next((each for each in given if owner(each.value) is memory), None)
            if base is not None and base.base is not None:
                base = base.base
            slot = self.slot("made", array, None if base is None else base.slot.memory)
            made.append(slot)
            traced = Traced(self, array, slot, base)
            traced.is_number = isinstance(leaf, np.generic)
            return traced

        outcome = mapped(result, wrapped)
        for each in made:
            if each.owner is not None and each.owner.varies:
                each.varies = True
        return outcome, made


class Bound(int):
    """A number that the engine compares with the limits of an index: each answer is checked in every replay."""

    _recorder: Recorder
    _array: Traced

    def __new__(cls, number: int, recorder: Recorder, array: Traced) -> Bound:
        """The number, and the array that it is the only element of."""
        made = super().__new__(cls, number)
        made._recorder, made._array = recorder, array
        return made

    __hash__ = int.__hash__

    def __lt__(self, other: Any) -> bool:
        return self._asked(operator.lt, other)

    def __le__(self, other: Any) -> bool:
        return self._asked(operator.le, other)

    def __gt__(self, other: Any) -> bool:
        return self._asked(operator.gt, other)

    def __ge__(self, other: Any) -> bool:
        return self._asked(operator.ge, other)

    def _asked(self, compare: Any, other: Any) -> bool:
        return self._recorder.check(compare(self._array, int(other)))


def _given_as_out(function: Any, arguments: Sequence[Any]) -> list[Any]:
    """The array, if any, that a call is to write into and that it is given by its place."""
    behind = function.nin if isinstance(function, np.ufunc) else 2  # of two that are computed with
    if len(arguments) <= behind or not any(isinstance(each, (Traced, np.ndarray)) for each in arguments[behind:]):
        return []
    return list(arguments[_place_of_out(function) :])


@functools.lru_cache(maxsize=256)
def _place_of_out(function: Any) -> int:
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        parameters = inspect.signature(function).parameters
    except ValueError:  # one of those in C tells none
        return 2
    out = parameters.get("out")
    return sys.maxsize if out is None or out.kind is out.KEYWORD_ONLY else [*parameters].index("out")


def _is_shaped(name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Whether the shapes of what a call gives follow from the shapes of what it is given."""
    family, _, method = name.rpartition(".")
    if family in ("linalg", "fft") and method != "lstsq":
        return True
    if isinstance(getattr(np, family or name, None), np.ufunc):
        return True
    if name == "where":
        return len(arguments) == 3
    if name in _SHAPED_BY_NUMBERS:
        numbers: list[Any] = []
        mapped((arguments[1:], options), lambda leaf: numbers.append(leaf) if isinstance(leaf, Traced) else None)
        return not numbers
    return name in _SHAPED or name in METHODS


def _require_known_ends(array: Traced, key: Any) -> None:
    """CannotCaptureError for a slice whose ends are numbers in arrays: how much it takes may change."""
    parts = [each for each in (key if isinstance(key, tuple) else (key,)) if isinstance(each, slice)]
    if any(isinstance(end, Traced) for part in parts for end in (part.start, part.stop, part.step)):
        raise array.refused("takes a part up to a number in an array: give that number as an argument")


def _require_known_geometry(name: str, arguments: Sequence[Any], options: dict[str, Any]) -> None:
    """CannotCaptureError where an axis or a count is a number in an array."""
    of_several = name in _OF_SEVERAL or isinstance(getattr(np, name, None), np.ufunc) or name.endswith(".at")
    rest = () if of_several or name in _SHAPED_BY_NUMBERS or name.startswith(("linalg.", "fft.")) else arguments[1:]
    asked = [*rest, *(value for key, value in options.items() if key in _GEOMETRY)]
    found: list[Traced] = []
    mapped(asked, lambda leaf: found.append(leaf) if isinstance(leaf, Traced) else None)
    for each in found:
        if not each.value.ndim and each.dtype.kind in "iub":
            raise each.refused("is told an axis or a count by a number in an array: give it as an argument")


def _value(leaf: Any) -> Any:
    return leaf.value if isinstance(leaf, Traced) else leaf


def _has_mask(key: Any) -> bool:
    found: list[Any] = []
    mapped(key, lambda leaf: found.append(leaf) if getattr(leaf, "dtype", None) == np.bool_ else None)
    return any(isinstance(each, Traced) for each in found)

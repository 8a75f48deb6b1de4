"""The recorder: runs each call on real arrays, and records it as an instruction."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import owner
from minitorch.replay.naming import origin
from minitorch.replay.program import Instruction, Slot, leaves, mapped
from minitorch.replay.traced import CannotCaptureError, Traced, TracedNumPy, calling_line

# Answers about arrays that follow from shapes and dtypes, not from numbers.
_STATIC = frozenset([
    "ndim", "shape", "size", "can_cast", "result_type", "promote_types", "may_share_memory", "shares_memory",
    "isscalar",
])  # fmt: skip
# Functions whose results have a shape that follows from numbers; `where` of one array, too.
_SHAPED_BY_NUMBERS = frozenset([
    "argwhere", "bincount", "compress", "delete", "extract", "flatnonzero", "insert", "intersect1d", "linalg.lstsq",
    "nonzero", "setdiff1d", "setxor1d", "trim_zeros", "union1d",
])  # fmt: skip
# The place of the array that a call changes, where it is not named `out`.
_WRITES = {
    "copyto": 0, "fill": 0, "fill_diagonal": 0, "place": 0, "put": 0, "put_along_axis": 0, "putmask": 0, "dot": 2,
    "all": 2, "any": 2, "argmax": 2, "argmin": 2, "max": 2, "min": 2, "clip": 3, "cumprod": 3, "cumsum": 3, "mean": 3,
    "prod": 3, "round": 2, "std": 3, "sum": 3, "take": 3, "trace": 5, "var": 3, "concatenate": 2, "stack": 2,
    "add.reduce": 3, "maximum.reduce": 3, "minimum.reduce": 3, "multiply.reduce": 3,
}  # fmt: skip
_OF_SEVERAL = frozenset(("clip", "dot", "fill", "searchsorted", "take"))  # methods that are given other arrays


class Recorder:
    """The record of a step while it is traced.

    instructions: so far. refusals: errors that a step may have caught. made: all stand-ins.
    """

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self.refusals: list[CannotCaptureError] = []
        self.made: list[weakref.ref[Traced]] = []
        self.numpy = TracedNumPy(self)
        self._count = 0
        self._constants: dict[int, Slot] = {}

    # -- arrays ------------------------------------------------------------------------------------------------------

    def slot(self, kind: str, value: np.ndarray, owner: Slot | None = None, **facts: Any) -> Slot:
        """Return a new name."""
        self._count += 1
        return Slot(self._count, kind, value.shape, value.dtype, value.strides, owner, **facts)

    def traced(self, kind: str, value: np.ndarray, name: str = "") -> Traced:
        """Return a stand-in for an array that lives on."""
        return Traced(self, value, self.slot(kind, value, array=value if kind == "held" else None, name=name))

    # -- calls -------------------------------------------------------------------------------------------------------

    def call(self, name: str, function: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
        """Record a function of NumPy."""
        if name in _SHAPED_BY_NUMBERS or name.startswith("unique") or (name == "where" and len(arguments) == 1):
            raise self.refused(f"calls {name}, whose result has a shape that follows from numbers")
        if isinstance(options.get("out"), tuple):
            options = {**options, "out": options["out"][0]}
        changed = list(arguments[function.nin :]) if isinstance(function, np.ufunc) else []
        if name.endswith(".at") or (name == "nan_to_num" and not options.get("copy", True)):
            changed = [arguments[0]]
        return self._run(Instruction("function", name, function, tuple(arguments), options), changed)

    def method(self, array: Traced, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Record a method of an array."""
        if name not in _OF_SEVERAL and any(isinstance(each, Traced) and not each.ndim for each in arguments):
            raise self.refused(f"tells .{name} an axis or counts by numbers in an array")
        changed = [array] if name == "sort" else []
        return self._run(Instruction("method", name, None, (array, *arguments), options), changed)

    def attribute(self, array: Traced, name: str) -> Any:
        """Record a view that an attribute gives."""
        return self._note(Instruction("attribute", name, None, (array,)), getattr(array.value, name))

    def get(self, array: Traced, key: Any) -> Any:
        """Record x[key]."""
        if any(isinstance(each, Traced) and each.dtype == np.bool_ for each in _parts_of(key)):
            raise self.refused("takes what a mask of booleans selects, whose number is never the same: use where()")
        return self._note(Instruction("get", "[]", None, (array, key)), array.value[self._known(key)])

    def set(self, array: Traced, key: Any, value: Any) -> None:
        """Record x[key] = value."""
        array.value[self._known(key)] = _value(value)
        self._note(Instruction("set", "[]", None, (array, key, value)), None, [array])

    def draw(self, name: str, draw: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Record random numbers."""
        result = draw(*mapped(arguments, _value), **mapped(options, _value))
        return self._note(Instruction("draw", name, None, arguments, options), result)

    def check(self, array: Traced) -> bool:
        """Record a truth that the engine asks for: in a replay it must be the same."""
        truth = bool(array.value)
        self.instructions.append(Instruction("check", "is", None, (array.slot, truth), label=origin()[1]))
        return truth

    def refused(self, what: str) -> CannotCaptureError:
        """Return the error that says what cannot be traced, and where it stands; a step may catch it."""
        self.refusals.append(CannotCaptureError(f"it {what} ({calling_line()})"))
        return self.refusals[-1]

    def close(self) -> str:
        """Put arrays in the place of stand-ins that somebody still holds; return what has given one, "" for none."""
        del self.numpy  # which holds the recorder
        if not any(each() is not None for each in self.made):
            return ""
        gc.collect()
        kept = [traced for each in self.made if (traced := each()) is not None]
        for holder in gc.get_referrers(*kept) if kept else ():
            data: Any = getattr(holder, "_data", None)
            if isinstance(holder, TensorBase) and isinstance(data, Traced):
                holder._data = data.value.copy()
            elif isinstance(holder, (list, dict)) and holder is not kept:
                for key, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
                    if isinstance(value, Traced):
                        holder[key] = value.value.copy()
        slots = {traced.slot for traced in kept}
        makers = (each.operation or each.call for each in self.instructions if slots.intersection(each.results))
        return next(makers, "an operation") if kept else ""

    # ----------------------------------------------------------------------------------------------------------------

    def _known(self, key: Any) -> Any:
        """Return a key on real arrays; CannotCaptureError for a slice whose ends are numbers in arrays."""
        if any(isinstance(end, Traced) for each in _parts_of(key) if isinstance(each, slice) for end in leaves(each)):
            raise self.refused("takes a part up to a number in an array: give that number as an argument")
        return mapped(key, _value)

    def _run(self, each: Instruction, changed: list[Any]) -> Any:
        """Call a function or method on the real arrays, and note it."""
        name, arguments, options = each.call, each.arguments, each.options
        told = [value for key, value in options.items() if key != "out" and isinstance(value, Traced)]
        counted = name in ("repeat", "split", "array_split") and any(isinstance(part, Traced) for part in arguments[1:])
        if counted or any(not value.ndim and value.dtype.kind in "iu" for value in told):
            raise self.refused(f"tells {name} an axis or counts by numbers in an array")
        changed += [options["out"]] if options.get("out") is not None else []
        place = _WRITES.get(name, len(arguments))
        changed += [value for value in arguments[place : place + 1] if isinstance(value, (Traced, np.ndarray))]
        if not all(isinstance(value, Traced) for value in changed):
            what = "an array that hangs on nothing which it is given, as zeros do"
            raise self.refused(f"lets {name} write into {what}: make it a buffer, or begin with the first term")
        function = each.function or getattr(np.ndarray, name)
        result = function(*mapped(arguments, _value), **mapped(options, _value))
        return self._note(each, result, changed)

    def _note(self, each: Instruction, result: Any, changed: Sequence[Traced] = ()) -> Any:
        """Put slots in the place of what the call was given, and record it; return what it gave as stand-ins."""
        given: list[Traced] = []

        def slot_of(leaf: Any) -> Any:
            if isinstance(leaf, Traced):
                given.append(leaf)
                return leaf.slot
            if isinstance(leaf, np.ndarray):  # from outside: what is in it now is what it will always be
                if id(leaf) not in self._constants:
                    self._constants[id(leaf)] = self.slot("constant", leaf, array=leaf)
                return self._constants[id(leaf)]
            return float(leaf) if isinstance(leaf, np.float64) else leaf

        each.arguments, each.options = mapped(each.arguments, slot_of), mapped(each.options, slot_of)
        outcome, made = (None, []) if result is None else self._outcome(each.call, result, given)
        if result is not None and not made and not changed:
            return outcome  # what it was given, as it was, or a fact about shapes
        variable, each.label = origin()
        for slot in made:
            slot.variable = variable
        each.results = () if any(traced.slot in made for traced in changed) else tuple(made)
        each.writes = tuple(dict.fromkeys(traced.slot.memory for traced in changed))
        self.instructions.append(each)
        return outcome

    def _outcome(self, name: str, result: Any, given: list[Traced]) -> tuple[Any, list[Slot]]:
        """Return the result with stand-ins in the place of arrays, and the Slots that are new."""
        if name in _STATIC:
            return result, []
        made: list[Slot] = []

        def wrapped(leaf: Any) -> Any:
            if isinstance(leaf, (bool, int, float, str)) and not isinstance(leaf, np.generic):
                raise self.refused(f"makes Python's numbers or texts of an array, by {name}")
            if not isinstance(leaf, (np.ndarray, np.generic)):
                return leaf
            same = next((each for each in given if leaf is each.value), None)
            if same is not None and leaf is result:
                return same
            array = np.asarray(leaf)
            memory, base = owner(array), same  # among several results, each has its place
            if base is None and memory is not array:
                base = next((each for each in given if owner(each.value) is memory), None)
            if base is not None and base.base is not None:
                base = base.base
            made.append(self.slot("made", array, None if base is None else base.slot.memory))
            traced = Traced(self, array, made[-1], base)
            traced.is_number = isinstance(leaf, np.generic)
            return traced

        return mapped(result, wrapped), made


def _parts_of(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _value(leaf: Any) -> Any:
    return leaf.value if isinstance(leaf, Traced) else leaf

"""Naming: what the text of a program calls each array, and how it tells of those that no line makes."""

from __future__ import annotations

import itertools
import keyword
import re
import textwrap
from collections.abc import Iterable
from typing import Any

import numpy as np

from minitorch.replay.origin import said_of, variable_of
from minitorch.replay.program import Instruction, Program, Slot

_WIDTH = 100  # of a line that tells
_COMPARED = 1 << 16  # bytes: larger constants are not looked for among those with the same numbers
_FIRST = 3  # numbers that are shown of a constant
_UNBROKEN = "\0"  # in the place of a blank where no line may end


class Names:
    """The names of a program's arrays, and of what else its text needs.

    What the step is given and what it trains are called as they are there. The result of an operation is called after
    it, linear1 for that of the first linear, its gradient linear1_grad, that of a parameter p0_weight_grad. What an
    operation computes on the way is called as the engine calls it, totals, or conv1_columns where several do so; or by
    a number, conv1_1; on the way back with a d before. A view that shows all of an array as it is has that array's
    name; another says how it shows it: linear3_flat, relu1_from_0_1.

    values: what each name stands for that no line makes.
    """

    def __init__(self, program: Program) -> None:
        self.values: dict[str, Any] = {}
        self._slots: dict[Slot, str] = {}
        self._shown_alike: dict[Any, str] = {}
        self._whole: dict[Slot, Slot] = {}  # the view that memory is to the engine
        self._things: dict[int, str] = {}
        self._taken: set[str] = {*keyword.kwlist, "rng"}
        self._labels = _labels_of(program)
        self._of_variables = _named_by_variables(program)
        made = [*program.made_before, *program.instructions]
        self._makers = {slot: each for each in made for slot in each.results if slot.owner is not None}
        for view, name in _whole_views(program, made).items():
            memory = view.memory
            self._slots[memory] = self._free(f"{name}{_laid_out(memory, view)}")
            self._slots[view] = self._free(name)
            self._whole[memory] = view
            for slot in (memory, view):
                self.values.setdefault(self._slots[slot], slot.array)
                self._shown_alike.setdefault(_shown_by(slot), self._slots[slot])

    def known(self, slot: Slot) -> str:
        """The name of an array that has one; "" for another."""
        return self._slots.get(slot, "")

    def of(self, slot: Slot) -> str:
        """The name of an array."""
        found = self._slots.get(slot)
        if found is None:
            found = self._slots[slot] = self._of_the_same(slot) or self._free(self._fitting(slot))
            if slot.array is not None:
                self.values.setdefault(found, slot.array)
                self._shown_alike.setdefault(_shown_by(slot), found)
        return found

    def of_thing(self, wanted: str, value: Any) -> str:
        """The name of something that is no array of the step's: `wanted`, if nothing else has it."""
        found = self._things.get(id(value))
        if found is None:
            found = self._things[id(value)] = self._free(wanted)
            self.values[found] = value
        return found

    def told(self, program: Program) -> list[str]:
        """Lines about arrays that were there before: arguments, parameters, constants."""
        held = [slot for slot in self._slots if slot.kind == "held" and slot.owner is None]
        trained = {each.arguments[0] for each in program.instructions if each.how == "grad"}
        constants = {
            name: array
            for slot, name in self._slots.items()
            if slot.memory.kind == "constant" and (array := self.values.get(name)) is not None
        }
        told = {
            "given": [f"{self.of(slot)} ({_kind(slot)})" for slot in program.arguments],
            "parameters": [f"{self.of(slot)} ({_kind(slot)})" for slot in held if slot.name in trained],
            "buffers and the like": [f"{self.of(slot)} ({_kind(slot)})" for slot in held if slot.name not in trained],
            "constants": [f"{name} is {_numbers_of(array)}" for name, array in constants.items()],
        }
        return [line for kind, parts in told.items() if parts for line in _listed(kind, parts)]

    # ----------------------------------------------------------------------------------------------------------------

    def _of_the_same(self, slot: Slot) -> str:
        """The name of an array that shows the same memory in the same way, or of a constant with the same numbers."""
        if slot.array is None:
            return ""
        if slot.owner is not None and slot.memory.array is not None and slot.memory.kind != "constant":
            self.of(slot.memory)
        return self._shown_alike.get(_shown_by(slot), "")

    def _fitting(self, slot: Slot) -> str:
        """What a reader would call an array."""
        if slot.name:
            return identifier(slot.name)
        if slot.memory.kind == "constant" and slot.array is not None:
            return _of_constant(slot.array)
        if slot.owner is not None:
            whole = self._whole.get(slot.memory, slot.memory)
            of, way = self.of(whole), _way_of_seeing(slot, whole, self._makers.get(slot))
            shown = f"_{slot.dtype.name}_"
            if of.endswith("_bits") and f"_{way}".startswith(shown):  # another view of the floats that have a name
                of, way = of.removesuffix("_bits"), f"_{way}".removeprefix(shown)
            name = f"{of}_{way}"
            return f"{name}_{_end_of_part(self._makers.get(slot))}".rstrip("_") if self._is_taken(name) else name
        found = self._of_variables.get(slot)
        if found:
            return found
        label = identifier(self._labels.get(slot) or "array")
        if label.endswith(("_grad", "_mask", "_asked")):
            return label
        return next(name for count in itertools.count(1) if not self._is_taken(name := f"{label}_{count}"))

    def _free(self, wanted: str) -> str:
        name, count = wanted, 1
        while self._is_taken(name):
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name

    def _is_taken(self, name: str) -> bool:
        return name in self._taken or name in self.values


def identifier(text: str) -> str:
    """A text as a name of Python: "0.weight" as "p0_weight"."""
    name = re.sub(r"\W", "_", text)
    return f"p{name}" if name[:1].isdigit() else name


def remark(each: Instruction) -> str:
    """What stands behind a line: its operation, the shape of what it makes, and what the engine says of it."""
    if each.how == "call":
        owner = each.arguments[1]
        moves = type(getattr(owner, "optimizer", owner)).__name__
        return (
            f"{moves} goes on by one" if each.arguments[0] == "scheduler" else f"{moves} moves the parameters in place"
        )
    if each.how == "grad":
        return f"{each.arguments[0]}.grad from now on"
    written = [slot for slot in each.slots() if slot.memory in each.writes]
    made = [*each.results, *written[-1:]]
    parts = [each.operation]
    if made and each.label and each.how != "check":
        value = each.arguments[2] if each.how == "set" else None
        if each.how != "set":
            parts.append(_shape(made[0].shape))
        elif isinstance(value, Slot) and value.dtype != made[0].dtype:
            parts.append(f"as {made[0].dtype}")
    said, where = said_of(each.origin.lines), " ".join(filter(None, parts))
    return f"{where}: {said}" if said and where else said or where


def wrapped(text: str) -> list[str]:
    """A text that tells, in lines."""
    return textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _listed(kind: str, parts: Iterable[str]) -> list[str]:
    """A list in lines, none of which ends within a part."""
    lines = wrapped(f"{kind}: {', '.join(part.replace(' ', _UNBROKEN) for part in parts)}")
    return [line.replace(_UNBROKEN, " ") for line in lines]


def _labels_of(program: Program) -> dict[Slot, str]:
    """What each array is for: the operation that makes it, or the parameter whose gradient it is."""
    labels: dict[Slot, str] = {}
    for slot, each in _makers_of(program).items():
        labels[slot] = (each.operation or each.call) + _role(slot, each)
    grads: dict[Slot, list[str]] = {}
    for each in program.instructions:
        if each.how == "grad" and each.arguments[2] is not None and each.arguments[2].owner is None:
            grads.setdefault(each.arguments[2], []).append(each.arguments[0])
    return labels | {slot: f"{names[0]}.grad" for slot, names in grads.items() if len(names) == 1}


def _whole_views(program: Program, made: list[Instruction]) -> dict[Slot, str]:
    """The views that what an operation gives, or its gradient, is to the engine, each with the name of that.

    A convolution computes C×H×W×N numbers, and gives them as N×C×H×W.
    """
    found: dict[Slot, str] = {}
    results: dict[str, Slot] = {}
    for each in program.instructions:
        last = [*each.results, *[slot for slot in each.slots() if slot.memory in each.writes]][-1:]
        if each.label and not each.label.startswith("d ") and last:
            results[identifier(each.operation)] = last[0]
    makers = _makers_of(program)
    whole: dict[Slot, tuple[Slot, str]] = {}
    for name, slot in results.items():
        maker = makers.get(slot.memory)
        if slot.owner is not None and maker is not None and identifier(maker.operation) == name:
            found[slot] = name
    for slot in [slot for each in made for slot in each.results if slot.owner is not None]:
        name = slot.memory.name
        given = results.get(name.removesuffix("_grad"))
        if name.endswith("_grad") and given is not None and slot.shape == given.shape != slot.memory.shape:
            found.setdefault(slot, name)
    for slot, name in found.items():
        of = slot.memory
        if slot.array is not None and of.array is not None and slot.array.size == of.array.size:
            whole.setdefault(of, (slot, name))
    return dict(whole.values())


def _laid_out(memory: Slot, view: Slot) -> str:
    """What tells the memory from the view of it: another shape of the same numbers in a row, or another order."""
    alike = memory.is_dense and view.is_dense
    return "_".join(["_as", *map(str, memory.shape)]) if alike else "_memory"


def _makers_of(program: Program) -> dict[Slot, Instruction]:
    """What makes each piece of memory, or is the first to write into it."""
    makers: dict[Slot, Instruction] = {}
    for each in program.instructions:
        for slot in (*each.results, *each.writes):
            makers.setdefault(slot.memory, each)
    return makers


def _named_by_variables(program: Program) -> dict[Slot, str]:
    """The names that the engine has for what it computes on the way; with the operation's, where several have it."""
    found: dict[Slot, tuple[str, str]] = {}
    for slot, each in _makers_of(program).items():
        variable = variable_of(slot.origin.lines)
        if variable and each.label:
            found[slot] = variable, identifier(each.operation)
    users: dict[str, set[str]] = {}
    for variable, operation in found.values():
        users.setdefault(variable, set()).add(operation)
    return {
        slot: variable if len(users[variable]) == 1 else f"{operation}_{variable}"
        for slot, (variable, operation) in found.items()
    }


def _role(slot: Slot, maker: Instruction) -> str:
    """What a result is besides: a mask, also one of ones and zeros that a mask was copied into, or an answer."""
    copied = maker.arguments[2] if maker.how == "set" else None
    if slot.memory.dtype == np.bool_:
        return "_mask" if slot.memory.shape else "_asked"
    return "_mask" if isinstance(copied, Slot) and copied.dtype == np.bool_ else ""


def _way_of_seeing(slot: Slot, owner: Slot, maker: Instruction | None) -> str:
    """How a view shows what it is a view of: as other numbers, in another shape, turned, a part of it."""
    ways = []
    if slot.dtype != owner.dtype:
        of_float = "bits" if owner.dtype.kind == "f" else "unsigned"
        ways.append(of_float if slot.dtype.kind in "iu" else slot.dtype.name)
    if not ways or (slot.shape, slot.strides) != (owner.shape, owner.strides):
        turned = len(slot.shape) > 1 and slot.strides == owner.strides[::-1]
        ways.append("T" if turned else _part_or_shape(slot, maker))
    return "_".join(ways)


def _part_or_shape(slot: Slot, maker: Instruction | None) -> str:
    parts = _parts_taken(maker)
    if parts and all(type(part) in (int, slice) or part is ... for part in parts):
        begins = [part if type(part) is int else part.start or 0 for part in parts if part is not ...]
        return "_".join(["from", *map(str, begins)]).replace("-", "m")
    if len(slot.shape) == 1:
        return "flat"
    if len(slot.shape) == 2 and slot.shape[1] == 1:
        return "column"
    if maker is not None and maker.call in ("transpose", "swapaxes", "moveaxis", "T", "mT"):
        return "turned"
    return "_".join(["as", *map(str, slot.shape)])


def _parts_taken(maker: Instruction | None) -> tuple[Any, ...]:
    """What stands within the brackets of x[…]; nothing for another call."""
    if maker is None or maker.how != "get":
        return ()
    key = maker.arguments[1]
    return key if isinstance(key, tuple) else (key,)


def _end_of_part(maker: Instruction | None) -> str:
    """Where a part ends, for one that begins where another does."""
    ends = [part.stop for part in _parts_taken(maker) if isinstance(part, slice) and type(part.stop) is int]
    return "_".join(["to", *map(str, ends)]).replace("-", "m") if ends else ""


def _shown_by(slot: Slot) -> Any:
    """What is equal for slots that show the memory of one array in the same way, and for constants that are the same.

    Memory that results have one after the other is not one array to a reader.
    """
    array: Any = slot.array
    small = slot.memory.kind == "constant" and array.nbytes <= _COMPARED
    return (array.tobytes() if small else (slot.memory, array.ctypes.data)), array.shape, array.strides, array.dtype


def _of_constant(array: np.ndarray) -> str:
    """A constant by its numbers: n_2 for one alone, ones, all_0p5, arange or every_10 for a row."""
    number = _number_everywhere(array)
    if number is not None:
        said = f"{number:g}".replace("-", "m").replace(".", "p").replace("+", "")
        if not array.shape:
            return f"over_{round(1 / number)}" if _is_fraction(number) else f"n_{said}"
        return "_".join([{0.0: "zeros", 1.0: "ones"}.get(number, f"all_{said}"), *map(str, array.shape)])
    if array.dtype.kind in "iu" and array.ndim == 1 and len({*np.diff(array).tolist()}) == 1:
        step = int(array[1]) - int(array[0])
        return "arange" if step == 1 and not array[0] else f"every_{step}".replace("-", "m")
    return "constant"


def _number_everywhere(array: np.ndarray) -> float | None:
    """The number that all of an array's entries are, if they are one."""
    first = array.flat[0] if array.size else None
    return float(first) if array.dtype.kind in "fiu" and first is not None and (array == first).all() else None


def _numbers_of(array: np.ndarray) -> str:
    """A constant in a word: its number, how many of it; or its first numbers."""
    number, shape = _number_everywhere(array), _shape(array.shape)
    if number is None:
        first = " ".join(map(str, array.ravel()[:_FIRST].tolist()))
        return f"{shape} {array.dtype}: {first}{' …' if array.size > _FIRST else ''}"
    said = f"1/{round(1 / number)}" if _is_fraction(number) else f"{number:g}"
    return f"{shape} {array.dtype} of {said}" if shape else f"{said} ({array.dtype})"


def _is_fraction(number: float) -> bool:
    """One of a whole number."""
    return 0 < number < 1 and 1 / number == round(1 / number)


def _kind(slot: Slot) -> str:
    return " ".join(filter(None, (_shape(slot.shape), str(slot.dtype))))


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape))

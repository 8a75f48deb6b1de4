"""Naming: the names that a page has for arrays, and the places in the engine that give them."""

from __future__ import annotations

import itertools
import keyword
import linecache
import re
import sys
from typing import Any

from minitorch.replay.program import Instruction, Program, Slot

_ENGINE = ("minitorch.ops.", "minitorch.nn.")
_FUNCTIONS = "minitorch.nn.functional."
_BETWEEN = ("minitorch.replay.", "minitorch.backend", "numpy")
_ASSIGNED = re.compile(r"([A-Za-z]\w\w+)(?:: [^=]+)? = ")
_COMPARED = 1 << 16  # bytes: larger constants are not looked for among those with the same numbers


class Names:
    """The names of a program's arrays, and of what else its text needs.

    What the step is given and what it trains are called as they are there. The result of an operation is called after
    it, linear1 for that of the first linear, its gradient linear1_grad, that of a parameter p0_weight_grad. What an
    operation computes on the way is called as the engine's own variable, or by its operation and a number. A view is
    called after what it shows and how: p0_weight_T.

    slots: the names of the arrays that have one. values: what each name stands for that no line makes.
    """

    def __init__(self, program: Program) -> None:
        self.values: dict[str, Any] = {}
        self.slots: dict[Slot, str] = {}
        self._alike: dict[Any, str] = {}
        self._things: dict[int, str] = {}
        self._taken: set[str] = {*keyword.kwlist, "rng"}
        self._makers: dict[Slot, Instruction] = {}
        self._grads: dict[Slot, str] = {}
        for each in (*program.made_before, *program.instructions):
            for slot in (*each.results, *each.writes):
                self._makers.setdefault(slot, each)
            if each.how == "grad" and each.arguments[2] is not None:
                self._grads[each.arguments[2]] = f"{each.arguments[0]}.grad"

    def of(self, slot: Slot) -> str:
        """Return the name of an array. What shows the same memory in the same way has one name."""
        found = self.slots.get(slot)
        if found is None:
            key = _shown_by(slot)
            found = self.slots[slot] = self._alike.get(key) or self._free(identifier(self._fitting(slot)))
            if slot.array is not None:
                self.values.setdefault(found, slot.array)
                self._alike.setdefault(key, found)
        return found

    def of_thing(self, wanted: str, value: Any) -> str:
        """Return the name of something that is no array of the step's: `wanted`, if nothing else has it."""
        found = self._things.get(id(value))
        if found is None:
            found = self._things[id(value)] = self._free(wanted)
            self.values[found] = value
        return found

    def _fitting(self, slot: Slot) -> str:
        if slot.name or slot in self._grads:
            return slot.name or self._grads[slot]
        if slot.memory.kind == "constant" and slot.array is not None:
            return _of_constant(slot)
        maker = self._makers.get(slot)
        if slot.owner is not None:
            of = maker.arguments[0] if maker is not None else None
            if not isinstance(of, Slot) or (of.owner is not None and not of.name):  # not the way of a way
                of = slot.memory
            return f"{self.of(of)}_{_way_of_seeing(slot, maker)}"
        label = (maker.operation or maker.call) if maker is not None else "array"
        return slot.variable or f"{label}_1"

    def _free(self, wanted: str) -> str:
        stem = wanted.removesuffix("_1")
        numbered_ones = (f"{stem}_{count}" for count in itertools.count(2))
        taken = self._taken | self.values.keys()
        name = next(each for each in itertools.chain([wanted], numbered_ones) if each not in taken)
        self._taken.add(name)
        return name


def _way_of_seeing(slot: Slot, maker: Instruction | None) -> str:
    if maker is None or maker.call in ("reshape", "ravel"):
        return "flat" if len(slot.shape) == 1 else "_".join(["as", *map(str, slot.shape)])
    return {"[]": "part", "view": "bits", "T": "T", "mT": "T"}.get(maker.call, "turned")


def identifier(text: str) -> str:
    """Return a text as a name of Python: "0.weight" as "p0_weight"."""
    name = re.sub(r"\W", "_", text)
    return f"p{name}" if name[:1].isdigit() else name


def number_of(value: Any) -> str:
    """Return the number that a constant is full of, as text; "" for anything else."""
    array = value.array if isinstance(value, Slot) and value.memory.kind == "constant" else None
    if array is None or not array.size or array.dtype.kind not in "fiu" or not (array == array.flat[0]).all():
        return ""
    number = float(array.flat[0])
    is_fraction = 0 < number < 1 and 1 / number == round(1 / number)
    return f"1/{round(1 / number)}" if is_fraction else f"{number:g}"


def origin() -> tuple[str, str]:
    """Return the variable of the engine's that the result of the call now recorded is put into, and the function of
    `nn.functional` that makes it; "" for none. Autograd's own calls belong to no function.
    """
    variable, function, is_nearest = "", "", True
    frame: Any = sys._getframe(1)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith(_ENGINE):
            if is_nearest:
                line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
                assigned = _ASSIGNED.match(line)
                variable, is_nearest = assigned[1] if assigned else "", line.startswith("return ")
            if module.startswith(_FUNCTIONS) and not frame.f_code.co_name.startswith(("_", "<")):
                function = frame.f_code.co_name
        elif not module.startswith(_BETWEEN):
            return variable, "" if module.startswith("minitorch.autograd.") else function
        frame = frame.f_back
    return variable, function


def _of_constant(slot: Slot) -> str:
    number = number_of(slot)
    if not number:
        return "constant"
    said = {"0": "zeros", "1": "ones"}.get(number, f"all_{number}") if slot.shape else f"n_{number}"
    said = said.replace("n_1/", "over_").replace("1/", "over_").replace("-", "m").replace(".", "p").replace("+", "")
    return "_".join([said, *map(str, slot.shape)])


def _shown_by(slot: Slot) -> Any:
    """Return what is equal for slots that show the memory of one array alike, and for constants that are the same.

    Memory that results have one after the other is not one array to a reader.
    """
    array: Any = slot.array
    if array is None:
        return slot
    small = slot.memory.kind == "constant" and array.nbytes <= _COMPARED
    return (array.tobytes() if small else (slot.memory, array.ctypes.data)), array.shape, array.strides, array.dtype

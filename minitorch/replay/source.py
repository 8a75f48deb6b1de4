"""A program as Python: a page that a learner can read, and the function that it is."""

from __future__ import annotations

import itertools
import keyword
import re
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch.replay.program import Instruction, Program, Slot

_BY_KEYWORD = ("maximum", "minimum")  # NumPy deprecates a third operand of these by place
_SAID_ANYWAY = {"axis": None, "keepdims": False, "dtype": None}  # what a sum does that is not told otherwise
_WIDTH = 100  # of a line of names
Replay = Callable[..., tuple[Any, ...]]


class StaleError(Exception):
    """What the engine asked when the step was written down has another answer now."""


class Page:
    """The text of a program, and the names that it uses.

    What the step is given and what it trains are called as they are there. A result is called after its operation,
    linear1 or d_linear1, a gradient after its parameter, p0_weight_grad. Views and constants, which were made once,
    before the first replay, are told on top.

    text: the function. names: what those of its names stand for that it does not make itself. lines: what stands in
    the text for each instruction, in their order.
    """

    def __init__(self, program: Program) -> None:
        self.names: dict[str, Any] = {"asarray": np.asarray, "StaleError": StaleError}
        self._slots: dict[Slot, str] = {}
        self._objects: dict[int, str] = {}
        self._taken: set[str] = set(keyword.kwlist)
        self._labels = _labels_of(program)
        arguments = [self._name(slot) for slot in program.arguments]
        body = [self._line(each) for each in program.instructions]
        self.lines = tuple(code for code, _ in body)
        returned = ", ".join(self._name(slot) for slot in program.returned())
        body.append((f"return ({returned}{',' if returned else ''})", ""))
        width = min(max(len(code) for code, _ in body), 72)
        lines = [f"    {code:{width}}  # {label}" if label else f"    {code}" for code, label in body]
        self.text = "\n".join([f"def step({', '.join([*arguments, 'rng'])}):", *self._made_before(), *lines, ""])

    def called(self, slot: Slot) -> str:
        """What the text calls an array; "" for one that it does not name."""
        return self._slots.get(slot, "")

    def function(self) -> Replay:
        """The function, ready to be called with the arrays of the step's arguments and a random generator."""
        namespace = dict(self.names)
        exec(compile(self.text, "<replayed step>", "exec"), namespace)  # noqa: S102 (the text is our own)
        made: Replay = namespace["step"]
        return made

    # ----------------------------------------------------------------------------------------------------------------

    def _line(self, each: Instruction) -> tuple[str, str]:
        """One instruction, and what it is part of."""
        code = getattr(self, f"_{each.how}")(each)
        if len(each.results) == 1:
            (result,) = each.results
            if not result.shape and result.owner is None and each.how not in ("draw", "entering"):
                code = f"asarray({code})"
            code = f"{self._name(result)} = {code}"
        elif each.results:
            code = f"{', '.join(map(self._name, each.results))} = {code}"
        return code, each.label

    def _function(self, each: Instruction) -> str:
        if isinstance(each.function, np.ufunc) and list(each.options) == ["out"] and each.call not in _BY_KEYWORD:
            listed = self._listed((*each.arguments, each.options["out"]), {})
            return f"{self._global(each.call, each.function)}({listed})"
        options = each.options
        if each.call == "sum":
            options = {key: value for key, value in options.items() if value is not _SAID_ANYWAY.get(key, ...)}
        called = "sum" if each.call == "add.reduce" else each.call.replace(".", "_")
        return f"{self._global(called, each.function)}({self._listed(each.arguments, options)})"

    def _method(self, each: Instruction) -> str:
        array, *rest = each.arguments
        return f"{self._written(array)}.{each.call}({self._listed(tuple(rest), each.options)})"

    def _attribute(self, each: Instruction) -> str:
        return f"{self._written(each.arguments[0])}.{each.call}"

    def _get(self, each: Instruction) -> str:
        array, key = each.arguments
        return f"{self._written(array)}[{self._key(key)}]"

    def _set(self, each: Instruction) -> str:
        array, key, value = each.arguments
        return f"{self._written(array)}[{self._key(key)}] = {self._written(value)}"

    def _draw(self, each: Instruction) -> str:
        return f"rng.{each.call}({self._listed(each.arguments, each.options)})"

    def _check(self, each: Instruction) -> str:
        array, truth = each.arguments
        return f"if {'not ' if truth else ''}{self._written(array)}: raise StaleError"

    def _entering(self, each: Instruction) -> str:
        name, node = each.arguments
        return f"{self._global(_identifier(f'{name}.node'), node)}.grad{'.copy()' * each.options.get('copied', False)}"

    def _grad(self, each: Instruction) -> str:
        name, node, value = each.arguments
        return f"{self._global(_identifier(f'{name}.node'), node)}.grad = {self._written(value)}"

    def _call(self, each: Instruction) -> str:
        name, owner, arguments, options = each.arguments
        return f"{self._global(name, owner)}.{each.call}({self._listed(arguments, options)})"

    # -- values ------------------------------------------------------------------------------------------------------

    def _listed(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> str:
        parts = [self._written(value) for value in arguments]
        return ", ".join([*parts, *(f"{key}={self._written(value)}" for key, value in options.items())])

    def _written(self, value: Any) -> str:
        if isinstance(value, Slot):
            return self._name(value)
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return f"({', '.join(map(self._written, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, list):
            return f"[{', '.join(map(self._written, value))}]"
        if isinstance(value, slice):
            return f"slice({', '.join(map(self._written, (value.start, value.stop, value.step)))})"
        if value is Ellipsis:
            return "..."
        if type(value) in (int, bool, str, type(None)) or (type(value) is float and value - value == 0):
            return repr(value)
        if isinstance(value, np.dtype):
            return self._global(value.name, value)
        return self._global(_identifier(getattr(value, "__name__", type(value).__name__)), value)

    def _key(self, key: Any) -> str:
        if isinstance(key, tuple) and key:
            return ", ".join(map(self._part, key)) + ("," if len(key) == 1 else "")
        return self._part(key)

    def _part(self, part: Any) -> str:
        if not isinstance(part, slice):
            return self._written(part)
        start, stop, step = ("" if each is None else self._written(each) for each in (part.start, part.stop, part.step))
        return f"{start}:{stop}" + (f":{step}" if step else "")

    # -- names -------------------------------------------------------------------------------------------------------

    def _name(self, slot: Slot) -> str:
        found = self._slots.get(slot)
        if found is None:
            found = self._slots[slot] = self._free(self._fitting(slot))
            if slot.array is not None:
                self.names[found] = slot.array
        return found

    def _fitting(self, slot: Slot) -> str:
        """What a reader would call an array."""
        if slot.name:
            return _identifier(slot.name)
        if slot.memory.kind == "constant" and slot.array is not None:
            number = _number_everywhere(slot.array)
            word = {None: "constant", 0.0: "zeros", 1.0: "ones"}.get(number)
            return word or _identifier(f"all_{number:g}")
        if slot.owner is not None:
            turned = len(slot.shape) > 1 and slot.strides == slot.owner.strides[::-1]
            return f"{self._name(slot.owner)}_{'T' if turned else 'view'}"
        label = _identifier(self._labels.get(slot) or "array")
        return label if label.endswith("_grad") else self._counted(label)

    def _counted(self, label: str) -> str:
        """A name that nothing has yet: the label and the next number."""
        return next(name for count in itertools.count(1) if not self._is_taken(name := f"{label}{count}"))

    def _made_before(self) -> list[str]:
        """What the names stand for that no line makes: views, constants."""
        made = [(slot, name, slot.array) for slot, name in self._slots.items() if slot.array is not None]
        constants = [f"{name} ({_shown(array)})" for slot, name, array in made if slot.memory.kind == "constant"]
        views = [name for slot, name, _ in made if slot.owner is not None and slot.memory.kind != "constant"]
        told = {"views": views, "constants": constants}
        lines = (textwrap.wrap(f"{kind}: {', '.join(names)}", _WIDTH) for kind, names in told.items() if names)
        return [f"    # {line}" for each in lines for line in each]

    def _global(self, wanted: str, value: Any) -> str:
        found = self._objects.get(id(value))
        if found is None:
            found = self._objects[id(value)] = self._free(wanted)
            self.names[found] = value
        return found

    def _free(self, wanted: str) -> str:
        name, count = wanted, 1
        while self._is_taken(name):
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name

    def _is_taken(self, name: str) -> bool:
        return name in self._taken or name in self.names or name == "rng"


def _labels_of(program: Program) -> dict[Slot, str]:
    """What each array is for: the operation that makes it, or the parameter whose gradient it is."""
    labels: dict[Slot, str] = {}
    for each in program.instructions:
        for slot in (*each.results, *each.writes):
            labels.setdefault(slot.memory, each.label or each.call)
    grads: dict[Slot, list[str]] = {}
    for each in program.instructions:
        if each.how == "grad" and each.arguments[2] is not None and each.arguments[2].owner is None:
            grads.setdefault(each.arguments[2], []).append(each.arguments[0])
    return labels | {slot: f"{names[0]}.grad" for slot, names in grads.items() if len(names) == 1}


def _number_everywhere(array: np.ndarray) -> float | None:
    """The number that all of an array's entries are, if they are one."""
    first = array.flat[0] if array.size else None
    return float(first) if array.dtype.kind in "fiu" and first is not None and (array == first).all() else None


def _shown(array: np.ndarray) -> str:
    """A constant in a word: its number, how many of it."""
    number = _number_everywhere(array)
    shape = "×".join(map(str, array.shape))
    return f"{shape} {array.dtype}" if number is None else f"{shape} of {number:g}" if shape else f"{number:g}"


def _identifier(text: str) -> str:
    """A text as a name of Python: "0.weight" as "p0_weight"."""
    name = re.sub(r"\W", "_", text)
    return f"p{name}" if name[:1].isdigit() else name

"""A program as Python: a page that a learner can read, and the function that it is."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch.replay.program import Instruction, Program, Slot

_BY_KEYWORD = ("maximum", "minimum")  # NumPy deprecates a third operand of these by place
Replay = Callable[..., tuple[Any, ...]]


class StaleError(Exception):
    """What the engine asked when the step was written down has another answer now."""


class Page:
    """The text of a program, and the names that it uses.

    text: the function. names: what those of its names stand for that it does not make itself. lines: what stands in
    the text for each instruction, in their order.
    """

    def __init__(self, program: Program) -> None:
        self.names: dict[str, Any] = {"asarray": np.asarray, "StaleError": StaleError}
        self._slots: dict[Slot, str] = {}
        self._objects: dict[int, str] = {}
        self._taken: set[str] = set(keyword.kwlist)
        arguments = [self._name(slot) for slot in program.arguments]
        body = [self._line(each) for each in program.instructions]
        self.lines = tuple(code for code, _ in body)
        returned = ", ".join(self._name(slot) for slot in program.returned())
        body.append((f"return ({returned}{',' if returned else ''})", ""))
        width = min(max(len(code) for code, _ in body), 72)
        lines = [f"    {code:{width}}  # {label}" if label else f"    {code}" for code, label in body]
        self.text = "\n".join([f"def step({', '.join([*arguments, 'rng'])}):", *lines, ""])

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
        return (
            f"{self._global(each.call.replace('.', '_'), each.function)}({self._listed(each.arguments, each.options)})"
        )

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
            found = self._slots[slot] = self._free(
                _identifier(slot.name) if slot.name else f"{slot.kind[0]}{slot.number}"
            )
            if slot.array is not None:
                self.names[found] = slot.array
        return found

    def _global(self, wanted: str, value: Any) -> str:
        found = self._objects.get(id(value))
        if found is None:
            found = self._objects[id(value)] = self._free(wanted)
            self.names[found] = value
        return found

    def _free(self, wanted: str) -> str:
        name, count = wanted, 1
        while name in self._taken or name in self.names or name == "rng":
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name


def _identifier(text: str) -> str:
    """A text as a name of Python: "0.weight" as "p0_weight"."""
    name = re.sub(r"\W", "_", text)
    return f"p{name}" if name[:1].isdigit() else name

"""A program as Python: a page that a learner can read, and the function that it is."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from minitorch.replay.naming import Names, identifier, number_of
from minitorch.replay.program import COMPARISONS, Instruction, Program, Slot

_BY_KEYWORD = ("maximum", "minimum")  # NumPy deprecates a third operand of these by place
_SIGNS: dict[Any, str] = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.divide: "/", np.power: "**", np.matmul: "@", np.dot: "@",
    **COMPARISONS,
}  # fmt: skip
_LEGEND = (
    "A call before which no name stands writes its result into its last argument, or into out. Such memory stays; "
    "after the last line that reads it, a later result may take it. The comment after a line: its operation (d linear1 "
    "is the backward pass of linear1), the shape of its result, and the formula. A_grad is the gradient of A."
)
_STALE = "StaleError: something that held when the step was traced does not hold now. The step is then made eagerly."
_NAME = re.compile(r"[A-Za-z_]\w*")
_BLANK = "\N{NO-BREAK SPACE}"  # where no line may end
_WRAP = textwrap.TextWrapper(100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False).wrap
_WIDEST = 72  # a line of code, beside which remarks stand below each other


class StaleError(Exception):
    """An answer that the engine was given when the step was traced is another now."""


class Page:
    """The text of a program, and the names that it uses (`naming.py` says how they are chosen).

    text: the function; comments on top tell of what was there before. names: what those of its names stand for that it
    does not make itself. lines: what stands in the text for each instruction, in their order. draws: the function is
    given a random generator, too.
    """

    def __init__(self, program: Program) -> None:
        self._names = Names(program)
        self.names: dict[str, Any] = self._names.values
        self.names |= {"asarray": np.asarray, "StaleError": StaleError}
        self._read = _read_alone(program)
        arguments = [self._names.of(slot) for slot in program.arguments]
        body = [(self._line(each), self._remark(each)) for each in program.instructions]
        self.lines = tuple(code for code, _ in body)
        returned = [self._names.of(slot) for slot in program.returned()]
        handed = returned[0] if len(returned) == 1 else f"({', '.join(returned)})"
        body.append((f"return {handed}", "copied by the caller, for the next step overwrites it" if returned else ""))
        width = min(max(len(code) for code, _ in body), _WIDEST)
        lines = [f"{code:{width}}  # {said}" if said else code for code, said in body]
        self.draws = any(each.how == "draw" for each in program.instructions)
        told = [f"# {line}" for part in self._told(program) for line in _WRAP(part)]
        given = ", ".join([*arguments, *["rng"] * self.draws])
        indented = [f"    {line}" for line in (*told, *_in_parts(program, lines))]
        self.text = "\n".join([f"def step({given}):", *indented, ""])

    def called(self, slot: Slot) -> str:
        """Return the name of an array in the text; "" for one that it does not name."""
        return self._names.slots.get(slot, "")

    def function(self) -> Callable[..., Any]:
        """The function, ready to be called with the arrays of the step's arguments, and a generator if it draws.

        It returns a tuple of arrays, or the array that is the only one.
        """
        namespace = dict(self.names)
        exec(compile(self.text, "<replayed step>", "exec"), namespace)  # noqa: S102 (the text is our own)
        made: Callable[..., Any] = namespace["step"]
        return made

    # -- what was there before ---------------------------------------------------------------------------------------

    def _told(self, program: Program) -> Iterator[str]:
        """Tell a reader how lines are written, and of the names that none of them makes."""
        yield _LEGEND
        trained = {each.arguments[0] for each in program.instructions if each.how == "grad"}
        views = self._views(program)
        kinds: dict[str, list[str]] = {"given": [], "parameters": [], "buffers and the like": [], "constants": []}
        for slot, name in self._names.slots.items():
            part = f"{name} ({_kind_of(slot)})".replace(" ", _BLANK)
            if slot in program.arguments:
                kinds["given"].append(part)
            elif slot.kind == "held" and slot.owner is None:
                kinds["parameters" if slot.name in trained else "buffers and the like"].append(part)
            elif slot.memory.kind == "constant":
                kinds["constants"].append(part)
                views.pop(name, None)
        kinds["views, made once"] = [f"{name} = {code}".replace(" ", _BLANK) for name, code in views.items()]
        yield from (f"{kind}: {', '.join(dict.fromkeys(parts))}" for kind, parts in kinds.items() if parts)
        if any(each.how == "check" for each in program.instructions):
            yield _STALE

    def _views(self, program: Program) -> dict[str, str]:
        """The views that were made before, and how."""
        named, found = set(_NAME.findall("\n".join(self.lines))), {}
        for each in reversed(program.made_before):
            name = self.called(each.results[0]) if len(each.results) == 1 else ""
            if name in named and name != self.called(each.results[0].memory):
                found[name] = self._code(each)
                named.update(_NAME.findall(found[name]))
        return dict(reversed(found.items()))

    # -- lines -------------------------------------------------------------------------------------------------------

    def _line(self, each: Instruction) -> str:
        code = self._code(each)
        if len(each.results) == 1:
            (result,) = each.results
            if not result.shape and result.owner is None and result not in self._read:
                code = f"asarray({code})"
        return f"{', '.join(map(self._names.of, each.results))} = {code}" if each.results else code

    def _remark(self, each: Instruction) -> str:
        """Return the comment of a line: its operation, the shape of what it makes, and what that is as a formula."""
        if each.how == "call":
            moved = getattr(each.arguments[1], "optimizer", each.arguments[1])
            does = "goes on by one" if each.arguments[0] == "scheduler" else "moves the parameters in place"
            return f"{type(moved).__name__} {does}"
        if each.how == "grad":
            return f"{each.arguments[0]}.grad from now on"
        written = [slot for slot in each.slots() if slot.memory in each.writes]
        made = [*each.results, *written[-1:]]
        shape = "×".join(map(str, made[0].shape)) if made and each.how not in ("check", "set") else ""
        return f"{each.operation} {shape}".strip() + ("" if each.results else self._formula(each))

    def _formula(self, each: Instruction) -> str:
        """Return the formula of a call that writes its result into an array."""
        values = [value for value in each.arguments if value is not None]
        if each.how not in ("function", "method") or each.call in ("copyto", "fill"):
            return ""
        if each.call == "dot":
            return f": {self._written(values[0])} @ {self._written(values[1])}"
        if each.call in ("add.reduce", "sum"):
            return f": Σ {self._written(values[0])}"
        said = [number_of(value) or self._written(value) for value in values]
        sign = _SIGNS.get(each.function)
        return f": {f' {sign} '.join(said)}" if sign and len(said) == 2 else f": {each.call}({', '.join(said)})"

    def _function(self, each: Instruction) -> str:
        if each.is_question and each.results:
            return f" {COMPARISONS[each.function]} ".join(map(self._written, each.arguments))
        options, called = each.options, self._names.of_thing(identifier(each.call), each.function)
        if isinstance(each.function, np.ufunc) and list(options) == ["out"] and each.call not in _BY_KEYWORD:
            return f"{called}({self._listed((*each.arguments, options['out']), {})})"
        return f"{called}({self._listed(each.arguments, options)})"

    def _code(self, each: Instruction) -> str:
        """One instruction, without the names of its results."""
        written, (first, *rest) = self._written, each.arguments or (None,)
        match each.how:
            case "method":
                return f"{written(first)}.{each.call}({self._listed(rest, each.options)})"
            case "attribute":
                return f"{written(first)}.{each.call}"
            case "get":
                return f"{written(first)}[{self._key(rest[0])}]"
            case "set":
                return f"{written(first)}[{self._key(rest[0])}] = {written(rest[1])}"
            case "draw":
                return f"rng.{each.call}({self._listed(each.arguments, each.options)})"
            case "check":
                return f"if {'not ' if rest[0] else ''}{written(first)}: raise StaleError"
            case "entering":
                return f"{self._names.of_thing(identifier(f'{first}.node'), rest[0])}.grad.copy()"
            case "grad":
                return f"{self._names.of_thing(identifier(f'{first}.node'), rest[0])}.grad = {written(rest[1])}"
            case "call":
                return f"{self._names.of_thing(first, rest[0])}.{each.call}({self._listed(*rest[1:])})"
        return self._function(each)

    # -- values ------------------------------------------------------------------------------------------------------

    def _listed(self, arguments: Iterable[Any], options: dict[str, Any]) -> str:
        parts = [self._written(value) for value in arguments]
        return ", ".join([*parts, *(f"{key}={self._written(value)}" for key, value in options.items())])

    def _written(self, value: Any) -> str:
        if isinstance(value, Slot):
            return self._names.of(value)
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return f"({', '.join(map(self._written, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, list):
            return f"[{', '.join(map(self._written, value))}]"
        if value is Ellipsis:
            return "..."
        if type(value) in (int, bool, str, type(None)) or (type(value) is float and value - value == 0):
            return repr(value)
        if isinstance(value, np.dtype):
            return self._names.of_thing(value.name, value)
        return self._names.of_thing(identifier(getattr(value, "__name__", type(value).__name__)), value)

    def _key(self, key: Any) -> str:
        if isinstance(key, tuple) and key:
            return ", ".join(map(self._part, key)) + ("," if len(key) == 1 else "")
        return self._part(key)

    def _part(self, part: Any) -> str:
        if not isinstance(part, slice):
            return self._written(part)
        ends = part.start, part.stop, None if part.step == 1 else part.step
        start, stop, step = ("" if each is None else self._written(each) for each in ends)
        return f"{start}:{stop}" + (f":{step}" if step else "")


def _read_alone(program: Program) -> set[Slot]:
    """The results that ufuncs and checks alone are given, to which one of NumPy's numbers is as good as an array."""
    read: set[Slot] = set()
    otherwise = set(program.returned())
    for each in program.instructions:
        (read if each.how == "check" or isinstance(each.function, np.ufunc) else otherwise).update(each.slots())
        otherwise.update(each.writes)
        read.update(each.results if each.how in ("draw", "entering") else ())
    return read - otherwise


def _in_parts(program: Program, lines: list[str]) -> Iterator[str]:
    """The lines, and before each part of the step which it is."""
    before = ""
    for part, line in zip([*[each.part for each in program.instructions], ""], lines, strict=True):
        if part and part != before:
            yield f"# {part}" if part == "update" else f"# {part} pass"
            before = part
        yield line


def _kind_of(slot: Slot) -> str:
    """The shape and dtype of an array, and the number that a constant is full of."""
    number = number_of(slot)
    said = " ".join(filter(None, ["×".join(map(str, slot.shape)), str(slot.dtype)]))
    return f"{said} of {number}" if number else said

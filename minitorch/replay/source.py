"""A program as Python: a page that a learner can read, and the function that it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minitorch.replay.naming import Names, identifier, remark, wrapped
from minitorch.replay.program import Instruction, Program, Slot

_BY_KEYWORD = ("maximum", "minimum")  # NumPy deprecates a third operand of these by place
_SAID_ANYWAY = {"axis": None, "keepdims": False, "dtype": None}  # what a sum does that is not told otherwise
Replay = Callable[..., Any]


_NAME = re.compile(r"[A-Za-z_]\w*")
_READING = (
    "most results have memory that stays: a call writes into the last array that it is given, or into out. Where "
    "nobody reads a result any more, later ones lie in its memory. Behind a line stand its operation (d: on the way "
    "back), the shape of what it makes, and what that is for"
)
_TOLD = {
    r"\brng\b": "rng draws random numbers, as the step does",
    r"_grad\b": "w_grad is the gradient of w. Those of parameters are written anew: zero_grad has nothing to do",
    r"_node\b": "w_node holds the .grad of the parameter w",
    r"_T\b": "w_T is w with its axes turned",
    r"_bits\b": "w_bits are the bits of w's floats, read as integers. Times 1 they are the same float, times 0 "
    "they are 0.0, even of inf and nan; a product of floats would be nan",
    r"StaleError": "StaleError: a condition held when the step was written down, and does not now. No parameter has "
    "changed by then, and the step is made eagerly instead",
}
"""What is said on top, where the text has such a name."""


_WIDEST = 72  # a line of code, beside which remarks stand below each other


class StaleError(Exception):
    """What the engine asked when the step was written down has another answer now."""


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
        arguments = [self._names.of(slot) for slot in program.arguments]
        body = [self._line(each) for each in program.instructions]
        self.lines = tuple(code for code, _ in body)
        returned = [self._names.of(slot) for slot in program.returned()]
        handed = returned[0] if len(returned) == 1 else f"({', '.join(returned)})"
        body.append((f"return {handed}", "the caller gets a copy" if returned else ""))
        width = min(max(len(code) for code, _ in body), _WIDEST)
        lines = [f"    {code:{width}}  # {said}" if said else f"    {code}" for code, said in _said_once(body)]
        told = self._told(program, lines)
        self.draws = program.draws
        self.text = "\n".join([f"def step({', '.join([*arguments, *['rng'] * self.draws])}):", *told, *lines, ""])

    def called(self, slot: Slot) -> str:
        """What the text calls an array; "" for one that it does not name."""
        return self._names.known(slot)

    def function(self) -> Replay:
        """The function, ready to be called with the arrays of the step's arguments, and a generator if it draws.

        It returns a tuple of arrays, or the array that is the only one.
        """
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
            code = f"{self._names.of(result)} = {code}"
        elif each.results:
            code = f"{', '.join(map(self._names.of, each.results))} = {code}"
        return code, remark(each)

    def _function(self, each: Instruction) -> str:
        if isinstance(each.function, np.ufunc) and list(each.options) == ["out"] and each.call not in _BY_KEYWORD:
            listed = self._listed((*each.arguments, each.options["out"]), {})
            return f"{self._names.of_thing(each.call, each.function)}({listed})"
        options = each.options
        if each.call == "sum":
            options = {key: value for key, value in options.items() if value is not _SAID_ANYWAY.get(key, ...)}
        called = self._names.of_thing(each.call.replace(".", "_"), each.function)
        return f"{called}({self._listed(each.arguments, options)})"

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
        copied = ".copy()" if each.options.get("copied") else ""
        return f"{self._names.of_thing(identifier(f'{name}.node'), node)}.grad{copied}"

    def _grad(self, each: Instruction) -> str:
        name, node, value = each.arguments
        return f"{self._names.of_thing(identifier(f'{name}.node'), node)}.grad = {self._written(value)}"

    def _call(self, each: Instruction) -> str:
        name, owner, arguments, options = each.arguments
        return f"{self._names.of_thing(name, owner)}.{each.call}({self._listed(arguments, options)})"

    # -- values ------------------------------------------------------------------------------------------------------

    def _listed(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> str:
        parts = [self._written(value) for value in arguments]
        return ", ".join([*parts, *(f"{key}={self._written(value)}" for key, value in options.items())])

    def _written(self, value: Any) -> str:
        if isinstance(value, Slot):
            return self._names.of(value)
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

    # -- what was there before ---------------------------------------------------------------------------------------

    def _told(self, program: Program, body: list[str]) -> list[str]:
        """What a reader must know of the names that no line makes."""
        views = self._views(program, "\n".join(body))
        told = [*wrapped(_READING), *self._names.told(program)]
        text = "\n".join([*body, *views])
        told += [line for pattern, said in _TOLD.items() if re.search(pattern, text) for line in wrapped(said)]
        return [f"    # {line}" for line in [*told, *(["views, made once:"] if views else []), *views]]

    def _views(self, program: Program, body: str) -> list[str]:
        """The lines that made the views that are named there. `_T` says itself what is turned."""
        made: dict[str, str] = {}
        for each in program.made_before:
            if len(each.results) == 1:
                line, _ = self._line(each)
                name = self._names.of(each.results[0])
                if name != self._names.known(each.results[0].memory) and not name.endswith("_T"):
                    made.setdefault(name, line)
        wanted, found = set(_NAME.findall(body)), []
        for name, line in reversed(made.items()):
            if name in wanted:
                wanted |= set(_NAME.findall(line))
                found.append((name, line.partition(" = ")[2]))
        return [f"  {name} = {code}" for name, code in _folded(found[::-1], body)]


def _said_once(body: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What the engine says of a line of its own stands behind the first of the calls that this line makes."""
    before = ""
    for code, behind in body:
        where, _, said = behind.partition(": ")
        yield code, where if said and said == before else behind
        before = said


def _folded(views: list[tuple[str, str]], body: str) -> list[tuple[str, str]]:
    """The views; those that one other alone is made of, and no line names, stand within the line of that one."""
    named = Counter(_NAME.findall(body))
    of_views = Counter(name for _, code in views for name in _NAME.findall(code))
    within: dict[str, str] = {}
    found = []
    for name, code in views:
        whole = _NAME.sub(lambda part: within.get(part[0], part[0]), code)
        if not named[name] and of_views[name] == 1 and len(whole) <= _WIDEST:
            within[name] = whole
        else:
            found.append((name, whole))
    return found

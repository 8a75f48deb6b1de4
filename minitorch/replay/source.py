"""A program as Python: a page that a learner can read, and the function that it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from minitorch.replay.naming import Names, identifier, remark, wrapped
from minitorch.replay.origin import numbered
from minitorch.replay.program import COMPARISONS, Instruction, Program, Slot

_BY_KEYWORD = ("maximum", "minimum")  # NumPy deprecates a third operand of these by place
_SAID_ANYWAY = {"axis": None, "keepdims": False, "dtype": None}  # what a sum does that is not told otherwise
Replay = Callable[..., Any]


_NAME = re.compile(r"[A-Za-z_]\w*")
_READING = (
    (
        "A call before which no name stands writes its result into its last argument, or into out. These arrays stay "
        "from step to step; after the last line that reads one, a later result may take its memory."
    ),
    (
        "The comment after a line: its operation, the shape of its result (none of a number, and where a part is "
        "written), and what it is for. An operation's name is that of its result, too: {} is the first of its kind in "
        "the step, and what it gives; d {} is its backward pass."
    ),
)
_TOLD = {
    r"\brng\b": "rng: draws random numbers, as the step does.",
    r"\bp\d+_": "p0_weight: the parameter 0.weight of the model.",
    r"_grad\b": "A_grad: the gradient of A. Those of parameters are overwritten, so no zero_grad is needed.",
    r"\bd_": "d_A_…: what the backward pass of the operation A computes on the way.",
    r"_node\b": "A_node: the library's place for the parameter A, whose .grad the optimizer reads.",
    r"_T\b": "A_T: A with its axes in reverse order: a view, made once.",
    r"_turned\b": "A_turned: A with its axes in another order, a view.",
    r"_memory\b": "A_memory: the memory that A is a view of; its axes are in another order there.",
    r"_as_\d": "A_as_2_3: A in the shape 2×3.",
    r"_from_\d": "A_from_1_0: the part of A that begins at row 1, column 0; with _to_3_4 it ends before 3, 4.",
    r"_bits\b": "A_bits: the bits of A's floats, read as integers. Times 1 they are the same float, times 0 they are "
    "0.0, even for inf and nan, for which a product of floats would be nan.",
    r"StaleError": "StaleError: something that held when the step was recorded does not hold now, such as that each "
    "label is a class. No parameter has changed by then; the caller makes the ordinary step instead.",
    r"# view: ": "A line `# view: A = …` is not run here: it was, once, before the first step.",
}
"""What is said on top, where the text has such a name."""
_PARTS = "forward pass", "backward pass", "update"


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
        self._only_read, self._asked = _only_read(program), program.asked()
        arguments = [self._names.of(slot) for slot in program.arguments]
        body = [self._line(each) for each in program.instructions]
        self.lines = tuple(code for code, _ in body)
        returned = [self._names.of(slot) for slot in program.returned()]
        handed = returned[0] if len(returned) == 1 else f"({', '.join(returned)})"
        body.append((f"return {handed}", "copied by the caller, for the next step overwrites it" if returned else ""))
        width = min(max(len(code) for code, _ in body), _WIDEST)
        lines = [f"{code:{width}}  # {said}" if said else code for code, said in _said_once(body)]
        body_of_text = [f"    {line}" for line in self._beside(program, [code for code, _ in body], lines)]
        told = [f"    # {line}" for line in self._told(program, "\n".join(body_of_text))]
        self.draws = program.draws
        given = ", ".join([*arguments, *["rng"] * self.draws])
        self.text = "\n".join([f"def step({given}):", *told, *body_of_text, ""])

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
            if not result.shape and result.owner is None and result not in self._only_read:
                code = f"asarray({code})"
            code = f"{self._names.of(result)} = {code}"
        elif each.results:
            code = f"{', '.join(map(self._names.of, each.results))} = {code}"
        return code, remark(each)

    def _function(self, each: Instruction) -> str:
        if self._asked.intersection(each.results):
            return f" {COMPARISONS[each.function]} ".join(map(self._written, each.arguments))
        if isinstance(each.function, np.ufunc) and list(each.options) == ["out"] and each.call not in _BY_KEYWORD:
            listed = self._listed((*each.arguments, each.options["out"]), {})
            return f"{self._names.of_thing(identifier(each.call), each.function)}({listed})"
        options = each.options
        if each.call == "sum":
            options = {key: value for key, value in options.items() if value is not _SAID_ANYWAY.get(key, ...)}
        called = self._names.of_thing(identifier(each.call), each.function)
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

    def _told(self, program: Program, body: str) -> Iterator[str]:
        """What a reader must know of how lines are written, and of the names that none of them makes."""
        numbers = {each.label: each.number for each in program.instructions if not each.label.startswith("d ")}
        often = max(numbers, key=lambda label: numbers[label], default="")
        first = numbered(often, min(numbers.get(often, 0), 1))
        for said in _READING if first else _READING[:1]:
            yield from wrapped(said.format(first, first))
        yield from self._names.told(program)
        for pattern, said in _TOLD.items():
            if re.search(pattern, body):
                yield from wrapped(said)

    def _beside(self, program: Program, calls: list[str], lines: list[str]) -> Iterator[str]:
        """The lines, and between them what they need to be read: the part of the step, and the views that come next.

        calls: the lines without what stands behind them.
        """
        views, part = self._views(program, "\n".join(calls)), ""
        for each, call, line in zip([*program.instructions, None], calls, lines, strict=True):
            now = _part_of(each, part)
            if now != part:
                yield f"# {now}"
            part = now
            for name in _needed(_NAME.findall(call), views):
                yield f"# view: {name} = {views.pop(name)}"
            yield line

    def _views(self, program: Program, body: str) -> dict[str, str]:
        """What made the views that are named there. `_T` says itself what is turned."""
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
        return dict(_folded(found[::-1], body))


def _only_read(program: Program) -> set[Slot]:
    """The results that ufuncs and checks alone are given, to which one of NumPy's numbers is as good as an array."""
    read: set[Slot] = set()
    otherwise = set(program.returned())
    for each in program.instructions:
        reads = each.how == "check" or isinstance(each.function, np.ufunc)
        for slot in each.slots():
            (read if reads and slot.memory not in each.writes else otherwise).add(slot)
        if each.how in ("draw", "entering"):  # which give what the page needs no word for
            read.update(each.results)
    return read - otherwise


def _part_of(each: Instruction | None, before: str) -> str:
    """Which part of the step a line belongs to: with the one before, where its operation does not say."""
    forward, backward, update = _PARTS
    if each is None or (not each.label and each.how not in ("grad", "call")):
        return before
    if each.how in ("grad", "call"):
        return update
    return backward if each.label.startswith("d ") else forward


def _needed(names: Iterable[str], views: dict[str, str]) -> list[str]:
    """Which views a line names, each behind those that it is made of."""
    found: dict[str, None] = {}
    for named in names:
        name = named if named in views else named.removesuffix("_T")
        if name in views and name not in found:
            rest = {other: code for other, code in views.items() if other != name and other not in found}
            found |= dict.fromkeys([*_needed(_NAME.findall(views[name]), rest), name])
    return list(found)


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

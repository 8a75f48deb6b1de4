"""Checks: what the engine asks about numbers is asked before anything that lives on is written to."""

from __future__ import annotations

import math
from typing import Any

from minitorch.autograd.version import owner
from minitorch.replay.program import Instruction, Program, Slot, slots_in
from minitorch.replay.traced import CannotCaptureError


def with_checks_first(program: Program) -> None:
    """Moves each check, and what it needs, in front of the first instruction that changes something for good.

    Then a replay that finds another answer has changed nothing yet, and the step can run eagerly instead. Raises
    CannotCaptureError where what a check needs cannot be moved there.
    """
    lasting = [place for place, each in enumerate(program.instructions) if _lasts(each)]
    checks = [place for place, each in enumerate(program.instructions) if each.how == "check"]
    if not lasting or not checks or checks[-1] < lasting[0]:
        return
    first, end = lasting[0], checks[-1] + 1
    moved = _asked_for(program.instructions[first:end])
    stayed: list[Instruction] = []
    read: set[Any] = set()  # by those that stay behind, and so come later than before
    written: set[Any] = set()
    for each in program.instructions[first:end]:
        given, changed = _given(each), _changed(each)
        if each not in moved:
            stayed.append(each)
            read |= given
            written |= changed
        elif changed & (read | written) or given & written:
            raise CannotCaptureError(_between(each))
    program.instructions[first:end] = [*moved, *stayed]


def may_fail_late(program: Program) -> bool:
    """Whether an index, which may be out of bounds, comes after something that is changed for good.

    One that comes before is no matter: then nothing is changed yet, and the eager step has its error. Nor is one that
    hangs on integers which a check asks about.
    """
    roots: dict[Any, set[Any]] = {}  # for each memory, the integers from outside that it hangs on
    asked: set[Any] = set()
    indices: list[tuple[int, set[Any]]] = []
    for place, each in enumerate(program.instructions):
        for slot in each.slots():
            if slot.memory.kind in ("argument", "held") and slot.dtype.kind in "iu":
                roots.setdefault(_memory(slot), {_memory(slot)})
        given = set().union(*[roots.get(_memory(slot), set()) for slot in each.slots()])
        for memory in _changed(each):
            roots[memory] = roots.get(memory, set()) | given
        if each.how == "check":
            asked |= given
        elif key := _index_of(each):
            indices.append((place, set().union(*[roots.get(_memory(slot), set()) for slot in key])))
    lasting = next((place for place, each in enumerate(program.instructions) if _lasts(each)), math.inf)
    return any(place > lasting and not wanted <= asked for place, wanted in indices)


def _index_of(each: Instruction) -> list[Slot]:
    """The arrays that say which numbers are taken or written."""
    if each.how in ("get", "set") or each.call in ("take", "take_along_axis", "put_along_axis", "put"):
        return list(slots_in(each.arguments[1]))
    return list(slots_in(each.arguments[1])) if each.call.endswith(".at") else []


def _asked_for(instructions: list[Instruction]) -> list[Instruction]:
    """The checks, and all that makes or changes what they need."""
    needed: set[Any] = set()
    found = []
    for each in reversed(instructions):
        if each.how == "check" or needed & {*each.results, *each.writes, *_changed(each)}:
            if _lasts(each):
                raise CannotCaptureError(_between(each))
            found.append(each)
            needed |= {*each.slots(), *_given(each)}
    return found[::-1]


def _given(each: Instruction) -> set[Any]:
    return {_memory(slot) for slot in each.slots()}


def _changed(each: Instruction) -> set[Any]:
    """The memory that it makes or writes into; a view makes none."""
    return {*map(_memory, each.writes), *(_memory(slot) for slot in each.results if slot.owner is None)}


def _memory(slot: Slot) -> Any:
    """What tells memory apart: of two arrays from outside, one may be a part of the other."""
    array = slot.memory.array
    return slot.memory if array is None else id(owner(array))


def _lasts(each: Instruction) -> bool:
    """It changes what lives on after the step, or draws random numbers."""
    return each.how in ("draw", "call", "grad") or any(slot.kind != "made" for slot in each.writes)


def _between(each: Instruction) -> str:
    """Why the questions of a step cannot all come first."""
    return (
        f"{each.label or each.call} asks about numbers, such as those of an index, that the step has drawn or changed "
        "by then, and a replay asks before it changes anything: draw them before, and give them as an argument"
    )

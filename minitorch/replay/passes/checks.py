"""Checks: what the engine asks about numbers is asked first, and what may fail later is known."""

from __future__ import annotations

import math
from typing import Any

from minitorch.autograd.version import owner
from minitorch.replay.program import Instruction, Program, Slot, slots_in

_INDEXED = (".at", "take", "take_along_axis", "put_along_axis", "put")
LITTLE = 6  # instructions that a check needs, to be moved to the top


def with_checks_first(program: Program) -> None:
    """Move those checks to the top that need little before them, such as whether each label is a class.

    Then a replay that finds another answer has changed nothing yet, and the step can run eagerly instead.
    """
    moved: dict[Instruction, None] = {}
    for place, each in enumerate(program.instructions):
        if each.how == "check":
            before = [other for other in program.instructions[:place] if other.how != "check"]
            needed = _needed_by(each, before)
            behind = [other for other in before if other not in needed]
            read = set().union(*map(_given, behind))
            written = set().union(*map(_changed, behind))
            if len(needed) <= LITTLE and not any(
                _lasts(one) or _changed(one) & (read | written) or _given(one) & written for one in needed
            ):
                moved.update(dict.fromkeys(needed))
    program.instructions = [*moved, *(each for each in program.instructions if each not in moved)]


def may_fail_late(program: Program) -> bool:
    """Return whether an instruction that fails for some numbers comes after something that is changed for good.

    Then a replay begins with a copy of all that it changes. Before, it is no matter: the eager step has its error.
    """
    lasting = next((place for place, each in enumerate(program.instructions) if _lasts(each)), math.inf)
    return any(place > lasting for place in failing(program, with_checks=True))


def failing(program: Program, *, with_checks: bool = False) -> list[int]:
    """Return the places of instructions that fail for some numbers.

    They need a matrix that is not singular, or an index within bounds that hangs on integers which no check asks about.
    """
    roots: dict[Any, set[Any]] = {}  # for each memory, the integers from outside that it hangs on
    asked: set[Any] = set()
    indices: list[tuple[int, set[Any]]] = []
    found: list[int] = []
    for place, each in enumerate(program.instructions):
        for slot in each.slots():
            if slot.memory.kind in ("argument", "held") and slot.dtype.kind in "iu":
                roots.setdefault(_memory(slot), {_memory(slot)})
        given = set().union(*[roots.get(_memory(slot), set()) for slot in each.slots()])
        for memory in _changed(each):
            roots[memory] = roots.get(memory, set()) | given
        if each.how == "check":
            asked |= given
            found += [place] if with_checks else []
        elif "linalg" in each.call:
            found.append(place)
        elif each.how in ("get", "set") or each.call.endswith(_INDEXED):
            wanted = [roots.get(_memory(slot), set()) for slot in slots_in(each.arguments[1])]
            indices.append((place, set().union(*wanted)))
    return [*found, *(place for place, wanted in indices if not wanted <= asked)]


def _needed_by(check: Instruction, before: list[Instruction]) -> list[Instruction]:
    """Return one check, and of what comes before it all that makes or changes what it needs."""
    needed: set[Any] = {*check.slots(), *_given(check)}
    found = [check]
    for each in reversed(before):
        if needed & {*each.results, *each.writes, *_changed(each)}:
            found.append(each)
            needed |= {*each.slots(), *_given(each)}
    return found[::-1]


def _given(each: Instruction) -> set[Any]:
    return {_memory(slot) for slot in each.slots()}


def _changed(each: Instruction) -> set[Any]:
    """Return the memory that it makes or writes into; a view makes none."""
    return {*map(_memory, each.writes), *(_memory(slot) for slot in each.results if slot.owner is None)}


def _memory(slot: Slot) -> Any:
    """Return what tells memory apart: of two arrays from outside, one may be a part of the other."""
    array = slot.memory.array
    return slot.memory if array is None else id(owner(array))


def _lasts(each: Instruction) -> bool:
    """Return whether it changes what lives on after the step, or draws random numbers."""
    return each.how in ("draw", "call", "grad") or any(slot.kind != "made" for slot in each.writes)

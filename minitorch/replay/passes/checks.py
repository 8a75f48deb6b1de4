"""Checks: what the engine asks about numbers is asked before anything that lives on is written to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minitorch.autograd.version import owner
from minitorch.replay.program import Instruction, Program, Slot, slots_in
from minitorch.replay.traced import CannotCaptureError

LITTLE = 6  # instructions that a check needs, to be asked at the top


def with_checks_first(program: Program) -> None:
    """Moves each check, and what it needs, in front of the first instruction that changes something for good.

    Then a replay that finds another answer has changed nothing yet, and the step can run eagerly instead. Where a check
    needs random numbers, those are drawn before it, and the stream is put back then (`draws_first`).

    Raises CannotCaptureError where what a check needs cannot be moved there.
    """
    _ask_soon(program)
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


def _ask_soon(program: Program) -> None:
    """Moves those checks to the top that need little before them, such as whether each class is there."""
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


def draws_first(program: Program) -> bool:
    """Whether random numbers are drawn before a check."""
    kinds = [each.how for each in program.instructions]
    return "check" in kinds[kinds.index("draw") :] if "draw" in kinds else False


def failing(program: Program) -> list[int]:
    """The places of instructions that raise an error for some numbers.

    Of a matrix that is singular, or an index that is out of bounds and hangs on integers which no check asks about.
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
        elif "linalg" in each.call:
            found.append(place)
        elif key := _index_of(each):
            indices.append((place, set().union(*[roots.get(_memory(slot), set()) for slot in key])))
    return [*found, *(place for place, wanted in indices if not wanted <= asked)]


def may_fail_late(program: Program) -> bool:
    """Whether one of these comes after something that is changed for good.

    Before, it is no matter: then nothing is changed yet, and the eager step has its error.
    """
    lasting = next((place for place, each in enumerate(program.instructions) if _lasts(each)), math.inf)
    return any(place > lasting for place in failing(program))


def _index_of(each: Instruction) -> list[Slot]:
    """The arrays that say which numbers are taken or written."""
    if each.how in ("get", "set") or each.call in ("take", "take_along_axis", "put_along_axis", "put"):
        return list(slots_in(each.arguments[1]))
    return list(slots_in(each.arguments[1])) if each.call.endswith(".at") else []


def _asked_for(instructions: list[Instruction]) -> list[Instruction]:
    """The checks, and all that makes or changes what they need."""
    found = _with_what_they_need(instructions, lambda each: each.how == "check")
    for each in found:
        if _lasts(each) and each.how != "draw":
            raise CannotCaptureError(_between(each))
    return found


def _needed_by(check: Instruction, before: list[Instruction]) -> list[Instruction]:
    """One check, and of what comes before it all that makes or changes what it needs."""
    return _with_what_they_need([*before, check], lambda each: each is check)


def _with_what_they_need(
    instructions: list[Instruction], is_wanted: Callable[[Instruction], bool]
) -> list[Instruction]:
    needed: set[Any] = set()
    found = []
    for each in reversed(instructions):
        if is_wanted(each) or needed & {*each.results, *each.writes, *_changed(each)}:
            found.append(each)
            needed |= {*each.slots(), *_given(each)}
    return found[::-1]


_STREAM = object()  # of random numbers: each draw reads it and moves it on


def _given(each: Instruction) -> set[Any]:
    given: set[Any] = {_memory(slot) for slot in each.slots()}
    return given | {_STREAM} if each.how == "draw" else given


def _changed(each: Instruction) -> set[Any]:
    """The memory that it makes or writes into; a view makes none."""
    changed = {*map(_memory, each.writes), *(_memory(slot) for slot in each.results if slot.owner is None)}
    return changed | {_STREAM} if each.how == "draw" else changed


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
        f"{each.label or each.call} asks about numbers, such as those of an index, that hang on what the step has "
        "changed by then, and a replay asks before it changes anything: compute them before, and give them to it"
    )

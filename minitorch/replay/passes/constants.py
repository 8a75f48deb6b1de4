"""Constants: what depends on no number of the step is computed once."""

from __future__ import annotations

from minitorch.replay.program import Program, Slot
from minitorch.replay.running import run

_RUNS = ("function", "method", "attribute", "get", "set")


def with_constants_folded(program: Program) -> str:
    """Computes, here and now, what is made of nothing but plain numbers, such as a row of ones.

    Memory is constant if everyone who makes it or writes into it is given constant memory alone, and is done with it
    before anyone else looks. A parameter's gradient never is: others may write into it between steps.
    """
    constant = _constant_memory(program)
    kept = []
    for each in program.instructions:
        touched = {slot.memory for slot in (*each.results, *each.writes)}
        if not touched or not touched <= constant:
            kept.append(each)
            continue
        for slot, array in zip(each.results, run(each), strict=True):
            slot.array, slot.kind = array, "constant"
    saved = len(program.instructions) - len(kept)
    program.instructions = kept
    return f"constants: {saved} calls computed once"


def _constant_memory(program: Program) -> set[Slot]:
    handed_on = {slot.memory for each in program.instructions if each.how == "grad" for slot in each.slots()}
    handed_on |= {slot.memory for slot in program.returned()}
    constant = {
        slot.memory
        for each in program.instructions
        for slot in each.results
        if slot.memory.kind == "made" and slot.memory not in handed_on
    }
    looked_at = [
        (
            each.how in _RUNS,
            {slot.memory for slot in (*each.results, *each.writes)},
            {slot.memory for slot in each.slots()},
        )
        for each in program.instructions
    ]
    while True:
        lost: set[Slot] = set()
        read: set[Slot] = set()
        for runs, touched, given in looked_at:
            if runs and touched and touched <= constant and given <= constant:
                lost |= touched & read
            else:
                lost |= touched & constant
                read |= given
        if not lost:
            return constant
        constant -= lost

"""Constants: what depends on no number of the step is computed once."""

from __future__ import annotations

import numpy as np

from minitorch.replay.passes.buffers import FILLED
from minitorch.replay.program import Program, Slot

_RUNS = ("function", "method", "attribute", "get", "set")


def with_constants_folded(program: Program) -> str:
    """Computes, here and now, what is made of nothing but plain numbers, such as a row of ones.

    Memory is constant if everyone who makes it or writes into it is given constant memory alone, and is done with it
    before anyone else looks. A parameter's gradient never is: others may write into it between steps.
    """
    constant = _constant_memory(program)
    kept = []
    for each in program.instructions:
        if not each.touched or each.touched - constant:
            kept.append(each)
            continue
        for slot, array in zip(each.results, each.run(), strict=True):
            if each.call in FILLED and array.nbytes > 1024 and slot not in _read_in_part(program):
                # The zeros beside which relu compares would take the memory of its result. One row of them does, along
                # the outermost axis in memory, so that loops stay long.
                array = np.broadcast_to(np.take(array, [0], np.argmax(array.strides)), array.shape)
            slot.array, slot.kind = array, "constant"
    saved = len(program.instructions) - len(kept)
    program.instructions = kept
    return f"constants: {saved} calls computed once"


def _constant_memory(program: Program) -> set[Slot]:
    lost = program.lasting()
    while True:
        known, constant, read = len(lost), set[Slot](), set[Slot]()
        for each in program.instructions:
            made, given, touched = {slot for slot in each.results if slot.owner is None}, each.read, each.touched
            if each.how in _RUNS and (given | touched) - made <= constant and touched.isdisjoint(lost | read):
                constant |= made
            else:
                lost |= touched
                read |= given
        if len(lost) == known:
            return constant


def _read_in_part(program: Program) -> set[Slot]:
    """Return the memory that is not only read element by element."""
    others = [each.read.difference(each.arguments if each.is_elementwise else ()) for each in program.instructions]
    return program.lasting().union(*others)

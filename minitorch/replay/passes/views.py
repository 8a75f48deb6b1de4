"""Views: a view of memory that stays is made once."""

from __future__ import annotations

import numpy as np

from minitorch.replay.program import Instruction, Program, Slot, mapped, slots_in


def with_views_made_once(program: Program) -> str:
    """Makes, here and now, each view of a parameter, a buffer or a constant, and leaves its instruction out.

    A copy of such memory onto itself, which buffers may have left, goes, too.
    """
    kept = []
    for each in program.instructions:
        if _made_now(each):
            program.made_before.append(each)
        elif not _copies_onto_itself(each):
            kept.append(each)
    program.instructions = kept
    return f"views: {len(program.made_before)} made once"


def _copies_onto_itself(each: Instruction) -> bool:
    if each.how != "set" or any(slot.array is None for slot in each.slots()):
        return False
    if any(slots_in(each.arguments[1])):  # a place that a number decides
        return False
    array, key, value = mapped(each.arguments, lambda leaf: leaf.array if isinstance(leaf, Slot) else leaf)
    part = array[key]
    both = isinstance(value, np.ndarray) and isinstance(part, np.ndarray)
    return both and part.__array_interface__ == value.__array_interface__


def _made_now(each: Instruction) -> bool:
    is_view = bool(each.results) and all(slot.owner is not None for slot in each.results)
    if not is_view or any(slot.array is None for slot in each.slots()):
        return False
    for slot, array in zip(each.results, each.run(), strict=True):
        slot.array = array
    return True

"""Dead code: what nobody uses is left out."""

from __future__ import annotations

from minitorch.replay.program import Program

_ALWAYS = ("draw", "check", "grad", "call")  # to be done though nobody uses a result


def without_dead_code(program: Program) -> str:
    """Leaves out each instruction whose results no later one reads and the step does not return. Says what that saved.

    Going backwards, memory is needed from the moment that somebody reads it; whoever makes it or writes into it before
    is needed, too. What lives on after the step, such as a gradient, is always needed.
    """
    needed = program.lasting()
    kept = []
    for each in reversed(program.instructions):
        lasts = each.how in _ALWAYS or any(slot.kind not in ("made", "buffer") for slot in each.writes)
        if lasts or each.touched & needed:
            kept.append(each)
            needed |= each.read
    saved = len(program.instructions) - len(kept)
    program.instructions = kept[::-1]
    return f"dead code: {saved} calls left out"

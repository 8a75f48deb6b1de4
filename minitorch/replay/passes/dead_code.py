"""Dead code: what nobody uses is left out."""

from __future__ import annotations

from minitorch.replay.program import Program


def without_dead_code(program: Program) -> str:
    """Leaves out each instruction whose results no later one reads and the step does not return. Says what that saved.

    Going backwards, memory is needed from the moment that somebody reads it; whoever makes it or writes into it before
    is needed, too. What lives on after the step, such as a gradient, is always needed.
    """
    needed = {slot.memory for slot in program.returned()}
    needed |= {slot.memory for each in program.instructions if each.how == "grad" for slot in each.slots()}
    kept = []
    for each in reversed(program.instructions):
        touched = {slot.memory for slot in (*each.results, *each.writes)}
        if each.has_effect or touched & needed or any(slot.kind not in ("made", "buffer") for slot in each.writes):
            kept.append(each)
            needed.update(slot.memory for slot in each.slots())
    saved = len(program.instructions) - len(kept)
    program.instructions = kept[::-1]
    return f"dead code: {saved} calls left out"

"""Repeats: what was computed before is not computed again."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.replay.program import Instruction, Program, Slot, mapped


def without_repeats(program: Program) -> str:
    """Takes the earlier result where the same call was made on the same arrays, none of which is ever written to.

    What comes from outside may be written to under another name, and so is left alone.
    """
    written = {slot for each in program.instructions for slot in each.writes}
    written |= {slot.memory for each in program.instructions if each.how == "grad" for slot in each.slots()}
    known: dict[Any, tuple[Slot, ...]] = {}
    instead: dict[Slot, Slot] = {}
    kept = []
    before = len(program.instructions)
    for each in program.instructions:
        each.arguments = mapped(
            each.arguments, lambda leaf: instead.get(leaf, leaf) if isinstance(leaf, Slot) else leaf
        )
        each.options = mapped(each.options, lambda leaf: instead.get(leaf, leaf) if isinstance(leaf, Slot) else leaf)
        if _is_as_it_was(each):
            instead[each.results[0]] = each.arguments[0]
            continue
        touched = {slot.memory for slot in (*each.slots(), *each.results)}
        pure = each.how in ("function", "method", "attribute", "get", "check") and not each.writes
        if not pure or touched & written or any(slot.kind in ("held", "argument") for slot in touched):
            kept.append(each)
            continue
        key = repr((each.how, each.call, mapped((each.arguments, each.options), _known_by)))
        former = known.get(key)
        if former is None:
            known[key] = each.results
            kept.append(each)
        else:
            instead.update(zip(each.results, former, strict=True))
    for each in kept:
        for slot in each.results:
            if slot.owner is not None:
                slot.owner = instead.get(slot.owner, slot.owner)
    program.instructions = kept
    program.result = mapped(program.result, lambda leaf: leaf.instead(instead) if hasattr(leaf, "instead") else leaf)
    return f"repeats: {before - len(kept)} calls whose result was there already"


def _is_as_it_was(each: Instruction) -> bool:
    """An array in the shape that it has already."""
    if not each.is_view or not (each.how == "get" or each.call in ("reshape", "ravel")):
        return False
    (result,), operand = each.results, each.arguments[0]
    return (result.shape, result.strides, result.dtype) == (operand.shape, operand.strides, operand.dtype)


def _known_by(leaf: Any) -> Any:
    if isinstance(leaf, Slot):
        return f"slot {leaf.number}"
    if isinstance(leaf, (bool, int, float, str, type(None), np.dtype)):
        return leaf
    return f"object {id(leaf)}"

"""Buffers: each result is written into memory that stays, and that is used again once nobody needs what is in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitorch.replay.passes.checks import failing
from minitorch.replay.program import Instruction, Program, Slot, slots_in

FILLED = {"zeros": 0, "ones": 1, "zeros_like": 0, "ones_like": 1}
_WITH_OUT = frozenset(
    ["concatenate", "stack", "einsum", "dot", "add.reduce", "maximum.reduce", "minimum.reduce", "multiply.reduce"]
)
_METHODS_WITH_OUT = frozenset(["sum", "max", "min", "prod", "mean", "argmax", "argmin", "cumsum"])
# What these methods do, by way of Python.
_REDUCTIONS = {"sum": np.add.reduce, "max": np.maximum.reduce, "min": np.minimum.reduce}
_OF_REDUCTIONS = frozenset(["axis", "dtype", "keepdims"])
_DRAWS_WITH_OUT = frozenset(("random", "standard_normal"))
ALIGNMENT = 64  # bytes


def with_buffers(program: Program) -> str:
    """Gives each result a place for good. Where its operand dies in the same call, the operand's place is its own."""
    last = _last_uses(program)
    forever = len(program.instructions)
    rooms: dict[Slot, _Room] = {}
    placed = {each: slot for each in program.instructions if (slot := _to_be_placed(each))}
    for place, each in enumerate(program.instructions):
        slot = placed.get(each)
        if slot is None or slot.home is not None:
            continue
        end = last.get(slot, place)
        operand = None if end == forever else _dying_operand(each, place, last, rooms)
        rooms[slot] = _Room(slot.nbytes, place, end) if operand is None else rooms[operand]
        rooms[slot].last = end
    taken = _lay_out(list(dict.fromkeys(rooms.values())), _lent_by_gradients(program), forever)
    for slot in placed.values():
        slot.array, slot.kind = slot.home, "buffer"
        if slot.array is None:
            slot.array = np.ndarray(slot.shape, slot.dtype, rooms[slot].memory.data, 0, slot.strides)
    program.instructions = [
        other
        for each in program.instructions
        for other in (_written_out(each, placed[each]) if each in placed else [each])
    ]
    for grad in [each for each in program.instructions if each.how == "grad"]:  # what makes it may take no `out`
        value = grad.arguments[2]
        if value is not None and value.home is not None and value.array is not value.home:
            program.copy_home(grad, value.home)
    wanted = sum(slot.nbytes for slot in placed.values())
    return f"buffers: {wanted:,} bytes of results in {taken:,} bytes of memory"


def _to_be_placed(each: Instruction) -> Slot | None:
    """The result of an instruction that can be written into memory which stays."""
    slot = each.results[0] if len(each.results) == 1 and not each.is_question else None
    return None if slot is None or slot.owner is not None or not slot.is_packed or not _writes_out(each) else slot


@dataclass(eq=False)
class _Room:
    """So many bytes that are needed from the first of these instructions to the last."""

    nbytes: int
    first: int
    last: int
    memory: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint8))


Piece = tuple[np.ndarray, list[tuple[int, int]]]
"""Memory, and when it is in use."""


def _lay_out(rooms: list[_Room], pieces: list[Piece], forever: int) -> int:
    """Gives each room memory, the largest first: the smallest piece that is free meanwhile, else a new one.

    What lives on may be read by the next replay before it is written: its memory is nobody else's. Returns how many
    bytes are new.
    """
    size = 0
    for room in sorted(rooms, key=lambda room: -room.nbytes):
        free = [
            (memory, uses)
            for memory, uses in pieces
            if room.last < forever
            and len(memory) >= room.nbytes
            and all(last < room.first or room.last < first for first, last in uses)
        ]
        piece: Piece = min(free, key=lambda piece: len(piece[0])) if free else (aligned(room.nbytes), [])
        room.memory = piece[0]
        piece[1].append((room.first, room.last))
        if not free:
            size += room.nbytes
            pieces += [piece] if room.last < forever else []
    return size


def _lent_by_gradients(program: Program) -> list[Piece]:
    """The homes of gradients, which nobody reads in a step before they are written.

    But where something may fail, so that the eager step is made, it is made with the gradients that were there.
    """
    if failing(program) or any(each.how == "entering" for each in program.instructions):
        return []
    asked = max((place for place, each in enumerate(program.instructions) if each.how == "check"), default=-1)
    homes = {place: slot.home for place, each in enumerate(program.instructions) if (slot := _to_be_placed(each))}
    return [
        (home.reshape(-1).view(np.uint8), [(-1, asked), (place, len(program.instructions))])
        for place, home in homes.items()
        if home is not None
    ]


def _last_uses(program: Program) -> dict[Slot, int]:
    """For each memory, the number of the last instruction that touches it; one behind the last if it lives on."""
    last = {memory: place for place, each in enumerate(program.instructions) for memory in each.read | each.touched}
    return last | dict.fromkeys(program.lasting(), len(program.instructions))


def _writes_out(each: Instruction) -> bool:
    if each.how == "function":
        if "out" in each.options:
            return False
        if isinstance(each.function, np.ufunc):
            return len(each.arguments) == each.function.nin
        if each.call == "sum":
            return len(each.arguments) == 1 and each.options.keys() <= _OF_REDUCTIONS
        return each.call in _WITH_OUT or each.call in FILLED or each.call in ("empty", "empty_like")
    if each.how == "method":
        return each.call in ("copy", "astype") or (each.call in _METHODS_WITH_OUT and "out" not in each.options)
    return each.how == "draw" and each.call in _DRAWS_WITH_OUT and each.results[0].is_dense


def _written_out(each: Instruction, slot: Slot) -> list[Instruction]:
    """The same, written into the slot's own array."""
    if each.call in ("empty", "empty_like"):
        return []
    if each.call in FILLED:
        fill = (slot, FILLED[each.call])
        return [each.instead("method", "fill", None, fill, slot)]
    if each.how == "method" and each.call in ("copy", "astype"):
        return [each.instead("set", "[]", None, (slot, ..., each.arguments[0]), slot)]
    if each.call in _REDUCTIONS and each.options.keys() <= _OF_REDUCTIONS and len(each.arguments) < 3:
        array, axis = (*each.arguments, each.options.get("axis"))[:2]
        keepdims = (True,) if each.options.get("keepdims") else ()
        given = (array, axis, each.options.get("dtype"), slot, *keepdims)
        reduce: Any = _REDUCTIONS[each.call]
        return [each.instead("function", f"{reduce.__self__.__name__}.reduce", reduce, given, slot)]
    each.options = {**each.options, "out": slot}
    each.results, each.writes = (), (slot,)
    return [each]


def _dying_operand(each: Instruction, place: int, last: dict[Slot, int], rooms: dict[Slot, _Room]) -> Slot | None:
    """The memory of an operand of the same layout that nobody reads after this call, which goes number by number.

    The bits of floats, seen as integers, are laid out as those are.
    """
    for operand in slots_in(each.arguments) if each.is_elementwise else ():
        memory = operand.memory
        alike = _layout(operand) == _layout(memory) == _layout(each.results[0])
        if alike and memory in rooms and last[memory] == place:
            return memory
    return None


def _layout(slot: Slot) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    return slot.shape, slot.strides, slot.dtype.itemsize


def aligned(size: int) -> np.ndarray:
    """So many bytes that begin where a line of the processor's cache does."""
    room = np.empty(size + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + max(size, 1)]

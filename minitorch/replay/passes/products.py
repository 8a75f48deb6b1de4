"""Products: `a.dot(b)` is the shorter way into BLAS, and gives the same bits."""

from __future__ import annotations

import numpy as np

from minitorch.replay.program import Instruction, Program, Slot


def with_short_products(program: Program) -> str:
    """Writes a product of two matrices, or of a matrix and a vector, as `a.dot(b, out)` if that gives the same bits."""
    changed = 0
    for each in program.instructions:
        if _can_be_dot(each):
            a, b = each.arguments
            each.how, each.call, each.function = "method", "dot", None
            each.arguments, each.options = (a, b, each.options["out"]), {}
            changed += 1
    return f"products: {changed} written as dot"


def _can_be_dot(each: Instruction) -> bool:
    out = each.options.get("out")
    if not isinstance(out, Slot) or len(each.options) != 1:
        return False
    if each.function is np.dot:
        return True
    if each.function is not np.matmul:
        return False
    a, b = each.arguments
    if not all(isinstance(slot, Slot) and len(slot.shape) <= 2 and slot.dtype is out.dtype for slot in (a, b)):
        return False
    if any(step < 0 for slot in (a, b) for step in slot.strides):
        return False
    return bool(out.is_dense and out.dtype.kind == "f") and _same_bits(a, b)


def _same_bits(a: Slot, b: Slot) -> bool:
    """Return whether both ways give the same bits for arrays that are laid out like these: tried on random numbers."""
    rng = np.random.Generator(np.random.PCG64(0))
    left, right = (_like(slot, rng) for slot in (a, b))
    same: bool = np.matmul(left, right).tobytes() == np.dot(left, right).tobytes()
    return same


def _like(slot: Slot, rng: np.random.Generator) -> np.ndarray:
    """Random numbers in the slot's layout."""
    numbers = rng.standard_normal(-(-slot.reach // slot.dtype.itemsize)).astype(slot.dtype)
    return np.ndarray(slot.shape, slot.dtype, numbers.data, 0, slot.strides)

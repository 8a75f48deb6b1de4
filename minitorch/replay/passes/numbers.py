"""Numbers: NumPy turns a Python number into an array in every call; here that is done once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.replay.program import Instruction, Program, Slot

_LARGEST = 65_536  # elements of an array that holds one number


def with_numbers_as_arrays(program: Program) -> str:
    """Gives a function of two operands, one a Python number, that number as an array of the other's dtype.

    The larger of an array and a number is twice as quick to find beside an array that is full of the number.
    """
    known: dict[Any, Slot] = {}
    changed = 0
    for each in program.instructions:
        pair = _array_and_number(each)
        if pair is None or each.is_question:
            continue
        array, number = pair
        full = each.call in ("maximum", "minimum") and array.is_packed and math.prod(array.shape) <= _LARGEST
        shape, strides = (array.shape, array.strides) if full else ((), None)
        said = repr(number) if array.dtype.kind in "iu" else float(number).hex()
        key = (said, array.dtype, shape, strides)
        if key not in known:
            values = np.ndarray(shape, array.dtype, strides=strides)
            values.fill(number)
            known[key] = Slot(-1, "constant", shape, array.dtype, values.strides, array=values)
        each.arguments = tuple([known[key] if value is number else value for value in each.arguments])
        changed += 1
    return f"numbers: {changed} numbers of Python made arrays once"


def _array_and_number(each: Instruction) -> tuple[Slot, bool | int | float] | None:
    if not isinstance(each.function, np.ufunc) or "." in each.call or len(each.arguments) != 2:
        return None
    slots = [value for value in each.arguments if isinstance(value, Slot)]
    numbers = [value for value in each.arguments if type(value) in (int, float)]
    if len(slots) != 1 or len(numbers) != 1 or not _takes(slots[0].dtype, numbers[0]):
        return None
    return slots[0], numbers[0]


def _takes(dtype: np.dtype[Any], number: float) -> bool:
    """NumPy makes the number one of that dtype: any for floats, for integers those that they can hold."""
    if dtype.kind not in "iu" or type(number) is not int:
        return dtype.kind == "f"
    return np.iinfo(dtype).min <= number <= np.iinfo(dtype).max

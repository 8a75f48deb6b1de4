"""Running one instruction, where all of its arrays are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.replay.program import Instruction, Slot, mapped


def run(each: Instruction) -> tuple[np.ndarray, ...]:
    """The arrays that the instruction gives, computed from the arrays of its slots."""
    arguments, options = mapped((each.arguments, each.options), _array)
    result: Any
    if each.how == "function":
        result = each.function(*arguments, **options)
    elif each.how == "method":
        result = getattr(arguments[0], each.call)(*arguments[1:], **options)
    elif each.how == "attribute":
        result = getattr(arguments[0], each.call)
    elif each.how == "get":
        result = arguments[0][arguments[1]]
    elif each.how == "set":
        arguments[0][arguments[1]] = arguments[2]
        result = ()
    else:
        raise ValueError(f"an instruction of kind {each.how!r} runs in a replay alone")
    if not each.results:
        return ()
    found = result if isinstance(result, (tuple, list)) else (result,)
    return tuple([np.asarray(array) for array in found])


def _array(leaf: Any) -> Any:
    return leaf.array if isinstance(leaf, Slot) else leaf

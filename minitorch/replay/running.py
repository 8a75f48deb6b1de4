"""Running one instruction, where all of its arrays are known."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from minitorch.replay.program import Instruction, Slot, mapped

_SUBSCRIPTS = {"get": operator.getitem, "set": operator.setitem, "attribute": getattr}


def run(each: Instruction) -> tuple[np.ndarray, ...]:
    """Return the arrays that the instruction gives, computed from the arrays of its slots."""
    arguments, options = mapped((each.arguments, each.options), lambda leaf: leaf.array if type(leaf) is Slot else leaf)
    if each.how == "attribute":
        arguments = (*arguments, each.call)
    called: Any = each.function or _SUBSCRIPTS.get(each.how) or getattr(np.ndarray, each.call)
    result = called(*arguments, **options)
    found = result if isinstance(result, (tuple, list)) else (result,)
    return tuple([np.asarray(array) for array in found]) if each.results else ()

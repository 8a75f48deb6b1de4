"""The tag of an operation is its public name: what `repr`, the pictures and the errors of the engine call it."""

import numpy as np
import pytest
from op_table import CASES

import minitorch
from minitorch import Tensor

OPERATIONS = sorted({case.op for case in CASES})

# Operations that are put together from others, and the tags of what they return.
COMPOSED = {}


def tags(op: str) -> set[str]:
    """Of everything that the cases of `op` record last."""
    found = set()
    for case in (each for each in CASES if each.op == op):
        with np.errstate(all="ignore"):
            made = case.call(minitorch, *case.tensors(Tensor))
        for out in made if isinstance(made, (tuple, list)) else [made]:
            if isinstance(out, Tensor) and out._node is not None and not out.is_leaf:
                found.add(out._op)
    return found


@pytest.mark.parametrize("op", OPERATIONS)
def test_what_an_operation_returns_is_called_as_the_operation(op):
    name = op.rpartition(".")[2]
    assert tags(op) <= COMPOSED.get(name, {name})

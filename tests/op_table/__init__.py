"""The op table: every operation that minitorch exports, with its sample cases.

One table drives them all: gradcheck, the golden values made with PyTorch, the live comparison with PyTorch, dtypes,
shapes, methods and aliasing. A case is written once, in names that minitorch and PyTorch share, and runs on both.
It needs NumPy alone, so that the script that makes the golden values can read it without minitorch.
"""

from op_table import (
    activations,
    arithmetic,
    conversion,
    creation,
    einsum,
    in_place,
    index,
    joining,
    linalg,
    logic,
    losses,
    movement,
    networks,
    normalization,
    products,
    rearrange,
    reduce,
    scan,
    softmax,
    sort,
    unary,
    window,
)
from op_table.case import Case, Result, run

MODULES = (
    activations,
    arithmetic,
    conversion,
    creation,
    einsum,
    in_place,
    index,
    joining,
    linalg,
    logic,
    losses,
    movement,
    networks,
    normalization,
    products,
    rearrange,
    reduce,
    scan,
    softmax,
    sort,
    unary,
    window,
)
CASES: tuple[Case, ...] = tuple(case for module in MODULES for case in module.CASES)
SMOOTH = tuple(case for case in CASES if case.smooth)
TWICE = tuple(case for case in SMOOTH if case.twice)

assert len({case.name for case in CASES}) == len(CASES), "two cases share a name"

__all__ = ["CASES", "SMOOTH", "Case", "TWICE", "Result", "run"]

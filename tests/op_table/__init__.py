"""The op table: every operation that minitorch exports, with its sample cases.

One table drives them all: gradcheck, the golden values made with PyTorch, the live comparison with PyTorch, dtypes,
shapes, methods and aliasing. A case is written once, in names that minitorch and PyTorch share, and runs on both.
It needs NumPy alone, so that the script that makes the golden values can read it without minitorch.
"""

from op_table import elementwise, fused, linalg, movement, reduce
from op_table.case import Case, Result, run

CASES: tuple[Case, ...] = (*elementwise.CASES, *reduce.CASES, *movement.CASES, *linalg.CASES, *fused.CASES)
SMOOTH = tuple(case for case in CASES if case.smooth)

assert len({case.name for case in CASES}) == len(CASES), "two cases share a name"

__all__ = ["CASES", "SMOOTH", "Case", "Result", "run"]

"""The op table: every operation that minitorch exports, with its sample cases.

One table drives them all: gradcheck, the golden values made with PyTorch, the live comparison with PyTorch, dtypes,
shapes, methods and aliasing. A case is written once, in names that minitorch and PyTorch share, and runs on both.
It needs NumPy alone, so that the script that makes the golden values can read it without minitorch.
"""

import importlib
import pkgutil

from op_table.case import Case, Result, run, sums_for_scipy

# Every file beside this one that has CASES: a new one is in the table because it lies here.
MODULES = [importlib.import_module(f"op_table.{each.name}") for each in pkgutil.iter_modules(__path__)]
CASES: tuple[Case, ...] = tuple(case for module in MODULES for case in getattr(module, "CASES", ()))
SMOOTH = tuple(case for case in CASES if case.smooth)
TWICE = tuple(case for case in SMOOTH if case.twice)

assert len({case.name for case in CASES}) == len(CASES), "two cases share a name"

__all__ = ["CASES", "SMOOTH", "Case", "TWICE", "Result", "run", "sums_for_scipy"]

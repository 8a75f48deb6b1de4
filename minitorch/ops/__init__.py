"""The operations: one declaration each, in the file of its name.

unary         of one number: exp, sin, relu …             movement        another shape: reshape, permute, expand …
arithmetic    of two: +, -, *, /, powers, remainders       rearrange       repeated, mirrored, shifted, parts
choice        one of several: where, clamp, maximum …      joining         cat, stack, split …
logic         comparisons, bits, what kind of number       index           brackets, masks, take: pick, unindex, replace
reduce        sum, mean, prod, var, logsumexp …            norms           of vectors
extremes      max, min, median, with their places          softmax         softmax, log_softmax, cross entropy, fused
sort          sort, topk, argmax, and their places         creation        zeros, arange, tensor …
scan          running sums and products, differences       random          rand, normal, multinomial …
products      matmul and its relatives                     conversion      to, float, cpu, cuda
formula       a gradient rule, written down
indexing _dims _masks _row_reductions _constant_cache _erf _methods _ufuncs: help

Operations that few programs ask for stand in `minitorch.compat.ops`, and are imported when they are.

docs/adding-an-operation.md says how one more comes to stand among them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from minitorch.moved import moved_names


def defined() -> Iterator[tuple[str, Any]]:
    """The name and the function of everything that is defined here, private operations too, each once."""
    seen: set[int] = set()
    rare = importlib.import_module("minitorch.compat.ops")
    for each in (
        *pkgutil.iter_modules(__path__, f"{__name__}."),
        *pkgutil.iter_modules(rare.__path__, f"{rare.__name__}."),
    ):
        module = importlib.import_module(each.name)
        for name, value in vars(module).items():
            own = hasattr(value, "declaration") or getattr(value, "__module__", "") == module.__name__
            if callable(value) and own and id(value) not in seen:
                seen.add(id(value))
                yield name, value


if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = moved_names(__name__)

"""A row: one operation that is computed as one, and its twin, derived as in a lesson from elementary operations.

`ELEMENTARY` says which operations count as such: those that NumPy computes on one or two numbers, sums, products of
matrices, and those that move numbers or pick them out. Twins use no other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from op_table.case import Draw, Stream

from minitorch import Tensor

ARITHMETIC = {"neg", "positive", "add", "sub", "mul", "div", "pow", "reciprocal", "matmul", "sum", "mean"}
FUNCTIONS = {"abs", "sign", "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "erf"}
FUNCTIONS |= {"angle", "copysign"}
FUNCTIONS |= {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"}
CHOICES = {"where", "maximum", "minimum", "clamp_min", "clamp_max", "clamp", "amax", "amin", "max", "min", "median"}
ROUNDED = {"floor", "ceil", "trunc", "round", "frac", "nan_to_num", "floor_divide", "remainder", "fmod", "to"}
MOVED = {"reshape", "view", "squeeze", "unsqueeze", "permute", "transpose", "expand", "broadcast_to", "clone"}
MOVED |= {"cat", "stack", "pad", "flip", "roll", "repeat", "repeat_interleave", "diagonal", "tril", "triu"}
PICKED = {"getitem", "setitem", "gather", "pick_along", "put_along"}
DECOMPOSITIONS = {"inv", "det", "slogdet", "solve", "cholesky", "svdvals", "pinv", "eigvalsh", "eigenvectors"}
DECOMPOSITIONS |= {"qr_q", "qr_r", "lu"}
# No formula of others has them: each is defined by an integral, a series or an inverse.
SPECIAL = {"erfinv", "lgamma", "digamma", "polygamma", "zeta", "igamma", "igammac", "i0", "i1", "nextafter"}
ELEMENTARY = ARITHMETIC | FUNCTIONS | SPECIAL | CHOICES | ROUNDED | MOVED | PICKED | DECOMPOSITIONS

# What rules alone use: an operation here is the gradient of another one, which has a row or is elementary.
OF_GRADIENTS = {"gate", "unindex", "put_on_diagonal", "bincount", "cofactors", "max_pool_spread", "max_pool_gather"}
OF_GRADIENTS |= {"carried_back"}
OF_GRADIENTS |= {"sum_pool_spread", "singular_sum", "singular_u", "singular_vt"}


@dataclass(frozen=True)
class Row:
    """fused(*tensors) and twin(*tensors) on the same drawn inputs; inputs of integers are constants.

    rounding: how much of the largest number in a result the two may differ by.
    """

    title: str
    fused: Callable[..., Any]
    twin: Callable[..., Any]
    draws: Sequence[Draw]
    rounding: float = 1e-12

    def arrays(self) -> list[np.ndarray]:
        stream = Stream(self.title)
        return [draw(stream) for draw in self.draws]

    def floats(self) -> list[int]:
        return [place for place, array in enumerate(self.arrays()) if array.dtype.kind == "f"]

    def drawn(self, purpose: str, shape: tuple[int, ...]) -> np.ndarray:
        """Numbers that are nobody's input: upstream gradients, directions."""
        return Stream(f"{purpose} of {self.title}").uniform(0.5, 1.5, shape)


def operations(out: Tensor) -> set[str]:
    """The names of all operations of the graph behind a result."""
    nodes = [out._node] if out._node is not None else []
    seen = set(nodes)
    for node in nodes:
        new = [parent for parent in dict.fromkeys(node.parents) if parent is not None and parent not in seen]
        seen.update(new)
        nodes += new
    return {node.op for node in nodes} - {""}

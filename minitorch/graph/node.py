"""What the store knows of one place in a graph: facts, never a tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

SMALL = 16  # numbers; the values of larger tensors are not kept

Pull = Callable[[Any], Iterable[tuple[int, Any]]]
"""pull(gradient of the output) → (slot, gradient of that input) pairs."""


class GradientStatistics(NamedTuple):
    """What is written down of a gradient. zero_share: how much of it is exactly 0, from 0 to 1."""

    norm: float
    min: float
    max: float
    zero_share: float


class Constant(NamedTuple):
    """An operand that takes no part in the graph. value: None where it was too large to keep.

    shape: None where nobody was told what was given, as to a Function of PyTorch's that the program wrote itself.
    """

    slot: int
    shape: tuple[int, ...] | None
    value: Any


class GraphNode:
    """One recorded operation, or one leaf. It holds no tensor and no other node; the graph knows its neighbours.

    uid: creation number; it grows along every edge and is never used again. op: "" for a leaf. name: what the user
    calls it; scope: the module that it happened in, such as encoder.layers.0.linear1. value: a copy of the numbers, if
    they are 16 at most. gradient: statistics, after an executor's pass; of a gradient that is one number they are made
    when they are asked for, from that number: `single`. backend: "minitorch", "torch", …
    constants: the operands beside its parents. pull: how the backward pass goes through it; None where the backend
    knows by itself.
    """

    __slots__ = (
        *("_dtype", "_gradient", "backend", "constants", "name", "op", "pull", "scope", "shape", "single", "uid"),
        "value",
    )

    def __init__(
        self,
        uid: int,
        op: str,
        shape: tuple[int, ...],
        dtype: Any,
        backend: str,
        name: str = "",
        scope: str = "",
        value: Any = None,
        pull: Pull | None = None,
        constants: tuple[Constant, ...] = (),
    ) -> None:
        self.uid = uid
        self.op = op
        self.shape = shape
        self._dtype = dtype
        self.backend = backend
        self.name = name
        self.scope = scope
        self.value = value
        self.pull = pull
        self.constants = constants
        self.single: float | None = None
        self._gradient: GradientStatistics | None = None

    @property
    def gradient(self) -> GradientStatistics | None:
        """Statistics of the gradient; None before a pass, and where there are no numbers."""
        one = self.single
        if one is not None:
            self.gradient = GradientStatistics(abs(one), one, one, 0.0 if one else 1.0)
        return self._gradient

    @gradient.setter
    def gradient(self, found: GradientStatistics | None) -> None:
        self.single = None
        self._gradient = found

    @property
    def dtype(self) -> str:
        """The dtype's name. Made when asked for: writing it out takes longer than recording the operation."""
        return str(self._dtype).removeprefix("torch.")

    @property
    def is_leaf(self) -> bool:
        """True for what no recorded operation made."""
        return not self.op

    @property
    def is_call(self) -> bool:
        """True for an operation of several results, each of which is a node of its own; this one has no shape."""
        return bool(self.op) and self._dtype is None

    @property
    def title(self) -> str:
        """What to call it in a message: its name, its operation in its scope, or "leaf"."""
        return self.name or ".".join(part for part in (self.scope, self.op) if part) or "leaf"

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        scope = f" in {self.scope}" if self.scope else ""
        return f"GraphNode({self.op or 'leaf'}{name}{scope}, shape={self.shape}, dtype={self.dtype}, uid={self.uid})"

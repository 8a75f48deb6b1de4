"""Random programs for the property tests: straight lines of operations on a pool of tensors, with fan-out and views.

Every step is smooth and bounded, so that central differences can judge the gradients of the whole.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from op_table.case import Stream

import minitorch
from minitorch import Tensor

FEW = settings(max_examples=60, derandomize=True, deadline=None, database=None)
LARGEST = 48

Step = tuple[str, tuple[int, ...]]


def lib(x: Any) -> Any:
    """minitorch for its own Tensors, PyTorch for PyTorch's: programs run on both."""
    return minitorch if isinstance(x, Tensor) else sys.modules["torch"]


def every_second(x: Any) -> Any:
    return lib(x).as_tensor(np.arange(x.numel()).reshape(tuple(x.shape)) % 2 == 0)


def first_overwritten(x: Any) -> Any:
    """Item assignment into a result, by a value that is itself a result."""
    changed = x * 0.5
    changed[0] = x[-1].tanh()
    return changed


ONE: dict[str, Callable[[Tensor], Tensor]] = {
    "tanh": lambda x: x.tanh(),
    "sigmoid": lambda x: x.sigmoid(),
    "exp": lambda x: x.tanh().exp(),
    "log": lambda x: (x * x + 1.0).log(),
    "sqrt": lambda x: (1.0 + x * x).sqrt(),
    "square": lambda x: x.tanh() ** 2,
    "power": lambda x: (x * x + 0.5) ** 1.5 / (x * x + 1.0),
    "negative": lambda x: 0.5 - x,
    "itself twice": lambda x: x + x * 0.5,
    "sum": lambda x: x.sum().tanh(),
    "mean": lambda x: x.mean(),
    "clone": lambda x: x.clone(),
    "flat": lambda x: x.reshape(-1),
    "new axis": lambda x: x.unsqueeze(0),
    "squeezed": lambda x: x.squeeze(),
    "reversed axes": lambda x: x.permute(tuple(range(x.ndim))[::-1]),
    "expanded": lambda x: x.unsqueeze(0).expand(2, *x.shape),
    "masked": lambda x: lib(x).where(every_second(x), x, 0.25),
    "stacked with itself": lambda x: lib(x).stack([x, x], dim=-1),
    "filled": lambda x: x.masked_fill(every_second(x), 0.5),
    "clamped": lambda x: (x * x + 0.1).clamp(min=0.05),
    "changed in place": lambda x: (x * 1.0).mul_(0.5).add_(x),
    "erf": lambda x: x.erf(),
}
ONE_WITH_AXES: dict[str, Callable[[Tensor], Tensor]] = {
    "sum of last": lambda x: x.sum(dim=-1).tanh(),
    "mean of first, kept": lambda x: x.mean(dim=0, keepdim=True),
    "var": lambda x: x.var(dim=-1, correction=0),
    "softmax": lambda x: x.softmax(dim=-1),
    "log_softmax": lambda x: x.log_softmax(dim=0).tanh(),
    "logsumexp": lambda x: x.logsumexp(dim=-1),
    "first": lambda x: x[0],
    "last, kept": lambda x: x[-1:],
    "every second": lambda x: x[..., ::2],
    "picked with repeats": lambda x: x[np.array([0, 0, x.shape[0] - 1])],
    "joined with itself": lambda x: lib(x).cat([x, x]),
    "running sum": lambda x: x.cumsum(0).tanh(),
    "running product": lambda x: x.tanh().cumprod(-1),
    "flipped": lambda x: x.flip(0),
    "rolled": lambda x: x.roll(1, 0),
    "repeated": lambda x: x.repeat_interleave(2, dim=0),
    "its largest": lambda x: (x + lib(x).arange(x.numel()).reshape(x.shape)).amax(-1).tanh(),
    "normalised": lambda x: lib(x).nn.functional.layer_norm(x, (x.shape[-1],), eps=0.1),
    "outer product": lambda x: lib(x).einsum("...i,...j->...ij", x, x.tanh()),
    "first overwritten": first_overwritten,
    "second of a split": lambda x: x.tensor_split(2, dim=0)[0],
}
TWO: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x.tanh() * y.tanh(),
    "bare mul": lambda x, y: (x * y).tanh(),
    "div": lambda x, y: x / (y * y + 1.0),
}
STEPS: dict[str, Callable[..., Tensor]] = {**ONE, **ONE_WITH_AXES, **TWO, "matmul": lambda x, y: (x @ y).tanh()}


@dataclass(frozen=True)
class Program:
    shapes: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]

    def inputs(self) -> list[np.ndarray]:
        stream = Stream("inputs of a program")
        return [stream.uniform(-1.0, 1.0, shape) for shape in self.shapes]

    def run(self, leaves: Sequence[Tensor]) -> list[Tensor]:
        """The leaves and the result of every step."""
        pool = list(leaves)
        for name, operands in self.steps:
            pool.append(STEPS[name](*[pool[place] for place in operands]))
        return pool

    def loss(self, leaves: Sequence[Tensor]) -> Tensor:
        """A number that every tensor without a successor, and the last half of the others, goes into."""
        pool = self.run(leaves)
        used = {place for _, operands in self.steps for place in operands}
        ends = [place for place in range(len(pool)) if place not in used or place >= len(pool) // 2]
        stream = Stream("weights of a program")
        total: Any = 0.0
        for place in ends:
            weights = lib(pool[place]).as_tensor(stream.uniform(0.5, 1.5, tuple(pool[place].shape)))
            total = total + (pool[place] * weights).sum()
        return total


@st.composite
def programs(draw: Any, longest: int = 8) -> Program:
    shapes = draw(st.lists(st.sampled_from([(), (1,), (3,), (2, 3), (3, 1), (1, 2, 2)]), min_size=1, max_size=3))
    pool = [Tensor(np.zeros(shape)) for shape in shapes]
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, longest))):
        left = draw(st.integers(0, len(pool) - 1))
        right = draw(st.integers(0, len(pool) - 1))
        possible = sorted(ONE)
        if pool[left].ndim:
            possible += sorted(ONE_WITH_AXES)
        if broadcast(pool[left].shape, pool[right].shape):
            possible += sorted(TWO) * 3
        if multiplies(pool[left].shape, pool[right].shape):
            possible += ["matmul"] * 6
        name = draw(st.sampled_from(possible))
        operands = (left, right) if name in TWO or name == "matmul" else (left,)
        out = STEPS[name](*[pool[place] for place in operands])
        if 0 < out.numel() <= LARGEST:
            pool.append(out)
            steps.append((name, operands))
    return Program(tuple(shapes), tuple(steps))


def broadcast(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(left, right)
    except ValueError:
        return False
    return True


def multiplies(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    if not left or not right or left[-1] != (right[-2] if len(right) > 1 else right[0]):
        return False
    return broadcast(left[:-2], right[:-2])


def central_differences(function: Callable[[list[np.ndarray]], float], arrays: list[np.ndarray]) -> list[np.ndarray]:
    """∂function/∂(every number of every array), by nudging each up and down: error O(nudge²)."""
    nudge = 1e-6
    gradients = [np.zeros(array.shape) for array in arrays]
    for place, array in enumerate(arrays):
        for at in np.ndindex(array.shape):
            values = []
            for sign in (1, -1):
                moved = [each.copy() for each in arrays]
                moved[place][at] += sign * nudge
                values.append(function(moved))
            gradients[place][at] = (values[0] - values[1]) / (2 * nudge)
    return gradients

"""A case: one call of one operation on reproducible inputs.

The inputs come from NumPy's PCG64 bit stream, which never changes between versions (`Generator` methods may), so they
need not be stored beside the golden values.
"""

from __future__ import annotations

import contextlib
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


class Stream:
    """Reproducible numbers, one stream for each case."""

    def __init__(self, name: str) -> None:
        self._bits = np.random.PCG64(zlib.crc32(name.encode()))

    def raw(self, count: int) -> np.ndarray:
        return np.asarray(self._bits.random_raw(count), np.uint64)

    def uniform(self, low: float, high: float, shape: tuple[int, ...]) -> np.ndarray:
        unit = (self.raw(int(np.prod(shape))) >> np.uint64(11)) * 2.0**-53
        return (low + (high - low) * unit).reshape(shape)


Draw = Callable[[Stream], np.ndarray]


def signed(*shape: int) -> Draw:
    """Between -2 and 2."""
    return lambda stream: stream.uniform(-2.0, 2.0, shape)


def positive(*shape: int) -> Draw:
    """Between 0.3 and 2.3."""
    return lambda stream: stream.uniform(0.3, 2.3, shape)


def spread(*shape: int) -> Draw:
    """No two equal, none near another or near zero: away from every kink of max, relu, abs and maximum."""

    def draw(stream: Stream) -> np.ndarray:
        size = int(np.prod(shape))
        places = np.argsort(stream.raw(size), kind="stable")
        return ((places - size // 2) * 0.3 + 0.1).reshape(shape)

    return draw


def exactly(values: Any, dtype: Any = np.float64) -> Draw:
    return lambda stream: np.array(values, dtype)


def indices(*values: Any) -> Draw:
    return exactly(values, np.int64)


def index(value: int) -> Draw:
    return exactly(value, np.int64)


def mask(*values: Any) -> Draw:
    return exactly(values, np.bool_)


@dataclass(frozen=True)
class Case:
    """op(inputs), as `call(m, *tensors)` where m is minitorch or torch.

    smooth: away from kinks and infinities, so that nudging the inputs tells the gradient.
    fixed: places of float inputs that are constants (integers and bools always are).
    twice: nudging tells the second gradient too; False only beside a reason.
    """

    op: str
    title: str
    call: Callable[..., Any]
    draws: Sequence[Draw]
    smooth: bool = True
    fixed: tuple[int, ...] = ()
    twice: bool = True

    @property
    def name(self) -> str:
        return f"{self.op}: {self.title}"

    def inputs(self) -> list[np.ndarray]:
        stream = Stream(self.name)
        return [draw(stream) for draw in self.draws]

    def tensors(self, tensor: Callable[..., Any], dtype: Any = np.float64) -> list[Any]:
        """The inputs, of minitorch or of torch: `tensor(array, requires_grad=…)` makes one."""
        made = []
        for place, array in enumerate(self.inputs()):
            is_float = array.dtype.kind == "f"
            made.append(
                tensor(array.astype(dtype) if is_float else array, requires_grad=is_float and place not in self.fixed)
            )
        return made

    def upstream(self, shape: tuple[int, ...]) -> np.ndarray:
        """The gradient that the backward pass starts from: a plain sum would hide what a rule does with it."""
        return Stream(f"upstream of {self.name}").uniform(0.5, 1.5, shape)


def case(
    op: str,
    title: str,
    call: Callable[..., Any],
    *draws: Draw,
    smooth: bool = True,
    fixed: tuple[int, ...] = (),
    twice: bool = True,
) -> Case:
    return Case(op, title, call, draws, smooth, fixed, twice)


@dataclass(frozen=True)
class Result:
    """The value, and the gradient of Σ upstream · value for each float input."""

    value: np.ndarray
    gradients: list[np.ndarray]


def run(each: Case, m: Any, tensor: Callable[..., Any], dtype: Any = np.float64) -> Result:
    """Evaluates a case, forward and backward, on minitorch or on torch."""
    tensors = each.tensors(tensor, dtype)
    out = each.call(m, *tensors)
    value = np.asarray(out.detach())
    if not out.requires_grad:
        return Result(value, [])
    out.backward(tensor(each.upstream(value.shape).astype(dtype), requires_grad=False))
    leaves = [t for t in tensors if t.requires_grad]
    return Result(value, [np.zeros(t.shape, dtype) if t.grad is None else np.asarray(t.grad) for t in leaves])


class _Sums:
    def __getattr__(self, name: str) -> Any:
        return lambda *inputs: sum(inputs)


@contextlib.contextmanager
def sums_for_scipy() -> Iterator[None]:
    """In here every special function of SciPy's is a sum: who asks which operations run does not ask for numbers."""
    was = sys.modules.get("scipy.special")
    sys.modules["scipy.special"] = _Sums()  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy.special"]
        if was is not None:
            sys.modules["scipy.special"] = was

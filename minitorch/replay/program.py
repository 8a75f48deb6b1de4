"""A program: what a training step did with arrays, one instruction after the other."""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import constant

COMPARISONS = {
    np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">=", np.equal: "==", np.not_equal: "!=",
}  # fmt: skip
_SUBSCRIPTS: dict[str, Any] = {"get": operator.getitem, "set": operator.setitem, "attribute": getattr}


@dataclass(eq=False)
class Slot:
    """A name for an array. A view names a part of its `owner`'s memory; everything else owns its own.

    kind: "argument" of the step, "held" (a parameter, a buffer: an array that lives on between steps), "gradient" that
    a parameter had before the step, "constant", or "made" by an instruction.
    array: of a held one and of a constant, the array itself. name: what a reader calls it; "" for none.
    home: where it is to be written, if that is decided; it stays there after the step.
    variable: what the engine's own code calls it.
    """

    number: int
    kind: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]
    owner: Slot | None = None
    array: np.ndarray | None = None
    name: str = ""
    home: np.ndarray | None = None
    variable: str = ""

    @property
    def memory(self) -> Slot:
        """The slot that owns the memory: itself, if it is no view."""
        return self if self.owner is None else self.owner

    @property
    def nbytes(self) -> int:
        """The size of the array, were it dense."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def reach(self) -> int:
        """The bytes from where the array begins to where it ends, gaps and all."""
        steps = sum((size - 1) * abs(step) for size, step in zip(self.shape, self.strides, strict=True))
        return steps + self.dtype.itemsize

    @property
    def is_packed(self) -> bool:
        """Without gaps, in some order of its axes, so that `nbytes` hold it."""
        return min(self.shape, default=1) > 0 <= min(self.strides, default=0) and self.reach == self.nbytes

    @property
    def is_dense(self) -> bool:
        """Laid out row by row, without gaps."""
        steps = zip(self.shape, self.strides, strict=True)
        sizes = [math.prod(self.shape[axis:]) * self.dtype.itemsize for axis in range(1, len(self.shape) + 1)]
        return all(size == 1 or step == dense for (size, step), dense in zip(steps, sizes, strict=True))


@dataclass(eq=False)
class Instruction:
    """One call. Slots stand among the arguments, and inside of the tuples and lists there, where arrays do.

    how: "function", "method", "get" (x[…]), "set" (x[…] = y), "attribute" (x.T), "draw" (a method of the random
    generator), "check" (a truth that must be as it was), "entering" (the gradient that a parameter comes with), "grad"
    (a parameter's gradient is set), "call" (an optimiser's or scheduler's step, which runs as it stands).
    call: the name of it. function: what to call. results: the arrays that come out; several for a tuple.
    writes: the memory that it changes.
    label: the operation of the step that this belongs to, "d linear" on the way back. number: which call of it.
    """

    how: str
    call: str
    function: Any
    arguments: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    results: tuple[Slot, ...] = ()
    writes: tuple[Slot, ...] = ()
    label: str = ""
    number: int = 0
    _asked: tuple[Any, Any, list[Slot]] = field(default=(None, None, []), init=False, repr=False)

    def slots(self) -> list[Slot]:
        """The arrays that it is given. Passes ask often, and put others in the place of arguments seldom."""
        arguments, options, found = self._asked
        if arguments is not self.arguments or options is not self.options:
            found = [*slots_in(self.arguments), *slots_in(self.options)]
            self._asked = self.arguments, self.options, found
        return found

    @property
    def operation(self) -> str:
        """The call of the operation that it belongs to: linear2, or d linear2 on the way back."""
        return numbered(self.label, self.number)

    def instead(self, how: str, call: str, function: Any, arguments: tuple[Any, ...], writes: Slot) -> Instruction:
        """Another call that does the same, for the same reason, and writes it there."""
        return Instruction(how, call, function, arguments, {}, (), (writes,), self.label, self.number)

    @property
    def part(self) -> str:
        """The part of the step that it belongs to: "forward", "backward" or "update"; "" where nothing says."""
        if self.how in ("grad", "call"):
            return "update"
        return "backward" if self.label.startswith("d ") else "forward" if self.label else ""

    @property
    def touched(self) -> set[Slot]:
        """The memory that it makes, shows or writes into."""
        return {slot.memory for slot in (*self.results, *self.writes)}

    @property
    def read(self) -> set[Slot]:
        """The memory of the arrays that it is given."""
        return {slot.memory for slot in self.slots()}

    @property
    def is_question(self) -> bool:
        """It compares single numbers, which is five times as quick with one of NumPy's numbers as with an array."""
        return self.function in COMPARISONS and not any(slot.shape for slot in (*self.slots(), *self.results))

    @property
    def is_elementwise(self) -> bool:
        """It goes number by number, as + does."""
        return isinstance(self.function, np.ufunc) and self.function.signature is None and "." not in self.call

    def run(self) -> tuple[np.ndarray, ...]:
        """Return the arrays that it gives, computed here and now from the arrays of its slots."""
        arguments, options = mapped((self.arguments, self.options), lambda leaf: getattr(leaf, "array", leaf))
        if self.how == "attribute":
            arguments = (*arguments, self.call)
        result = (self.function or _SUBSCRIPTS.get(self.how) or getattr(np.ndarray, self.call))(*arguments, **options)
        found = result if isinstance(result, (tuple, list)) else (result,)
        return tuple([np.asarray(array) for array in found]) if self.results else ()


@dataclass(frozen=True)
class Output:
    """One array that the step returns, in a Tensor or as it is; is_number: as one of NumPy's numbers."""

    slot: Slot
    is_tensor: bool
    is_number: bool = False


@dataclass(eq=False)
class Program:
    """The instructions in order; the step's arguments, what lives on between steps, and what the step returns.

    held: the Tensor of each array that lives on.
    result: the returned value with an Output where each Tensor or array was.
    made_before: what made views that are there before the first replay. obstacle: why it is not to be replayed.
    """

    instructions: list[Instruction]
    arguments: list[Slot]
    held: dict[Slot, Tensor]
    result: Any
    made_before: list[Instruction] = field(default_factory=list)
    obstacle: str = ""

    def returned(self) -> list[Slot]:
        """The arrays that the step returns."""
        return [leaf.slot for leaf in leaves(self.result) if isinstance(leaf, Output)]

    def lasting(self) -> set[Slot]:
        """The memory that others may read after the step: of what it returns, and of gradients."""
        gradients = [each.read for each in self.instructions if each.how == "grad"]
        return {slot.memory for slot in self.returned()}.union(*gradients)

    def filled(self, arrays: Iterable[np.ndarray]) -> Any:
        """The result around copies of these arrays, which are those of its Outputs in their order."""
        left = iter(arrays)

        def fill(leaf: Any) -> Any:
            if not isinstance(leaf, Output):
                return leaf
            array = np.array(next(left))
            return constant(array) if leaf.is_tensor else array[()] if leaf.is_number else array

        return mapped(self.result, fill)

    def copy_home(self, grad: Instruction, home: np.ndarray) -> None:
        """Has the gradient that `grad` sets copied to `home` first, and set to that."""
        name, node, value = grad.arguments
        place = self.instructions.index(grad)
        slot = Slot(-place, "buffer", home.shape, home.dtype, home.strides, array=home, name=f"{name}.grad")
        copied = Instruction("function", "copyto", np.copyto, (slot, value), {}, (), (slot,), label="")
        grad.arguments = (name, node, slot)
        self.instructions.insert(place, copied)


_LEAVES = frozenset((int, float, bool, str, type(None), Slot, Output, np.ndarray))  # nearly all of them


def leaves(value: Any) -> Iterator[Any]:
    """Yield what stands in the tuples, lists, dicts and slices of a value; the value itself, if it is none of them."""
    parts = None if type(value) in _LEAVES else parts_of(value)
    if parts is None:
        yield value
    else:
        for each in parts:
            yield from leaves(each)


def slots_in(value: Any) -> list[Slot]:
    """Return the Slots in a value, and in the tuples, lists, dicts and slices inside of it."""
    return [each for each in leaves(value) if type(each) is Slot]


def parts_of(value: Any) -> Any:
    """Return what is in a tuple, list, dict or slice; None for anything else."""
    if isinstance(value, (tuple, list)):
        return value
    if isinstance(value, dict):
        return value.values()
    return (value.start, value.stop, value.step) if isinstance(value, slice) else None


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return the value with `change` made to each leaf: whatever is no tuple, list, dict or slice."""
    found = None if type(value) in _LEAVES else parts_of(value)
    if found is None:
        return change(value)
    parts = [change(each) if type(each) in _LEAVES else mapped(each, change) for each in found]
    if isinstance(value, dict):
        others = copy.copy(value)  # such as an OrderedDict
        others.update(zip(value, parts, strict=True))
        return others
    if isinstance(value, slice):
        return slice(*parts)
    return value._make(parts) if hasattr(value, "_make") else type(value)(parts)  # a named tuple


def numbered(operation: str, number: int) -> str:
    """Return linear2 for the second call of linear, log2_1 for the first of log2."""
    return f"{operation}{'_' if operation[-1:].isdigit() else ''}{number}" if number else operation

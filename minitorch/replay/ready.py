"""A program that is ready to run: its passes made, its text compiled."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import Context
from operator import attrgetter, gt, is_
from sys import getrefcount
from typing import Any

import numpy as np

from minitorch.autograd.scope import current_scope
from minitorch.autograd.version import owner
from minitorch.replay.passes import PASSES
from minitorch.replay.passes.checks import may_fail_late
from minitorch.replay.passes.flat import FlatStep, FlatUpdate, laid_flat
from minitorch.replay.program import Program
from minitorch.replay.source import Page

_GRAD = attrgetter("grad")


class Replay:
    """A program, ready to run.

    count: how often it was replayed. copies: gradients are handed out as copies, because somebody keeps them from one
    step to the next. may_fail: for some numbers it raises an error when it has changed something. schedulers: those
    that step in it. passes: those that are made after the first one, `laid_flat`.
    """

    def __init__(
        self, program: Program, updates: dict[Any, FlatUpdate], copies: bool = False, passes: Sequence[Any] = PASSES
    ) -> None:
        self.program, self.count, self._copies = program, 0, copies
        self.may_fail = may_fail_late(program)
        traced = len(program.instructions)
        notes = [laid_flat(program, updates), *[each(program) for each in passes]]
        self.notes = [f"{traced} calls were written down, {len(program.instructions)} are replayed", *notes]
        self.page = Page(program)
        self._function, self._is_alone = self.page.function(), len(program.returned()) == 1
        handed = [each.arguments[1:] for each in program.instructions if each.how == "grad"]
        grads = [(node, slot.array) for node, slot in handed if slot is not None and slot.array is not None]
        self._nodes, self._arrays = [node for node, _ in grads], [array for _, array in grads]
        self._watched = [*self._arrays, *[a.base for a in self._arrays if isinstance(a.base, np.ndarray)]]
        self._known: list[int] = []  # how many hold each after a replay, but for its parameter
        self._usually: list[int] = []  # how many hold each when all gradients are where the program puts them
        called = [each.arguments[:2] for each in program.instructions if each.how == "call"]
        self.schedulers = [each for name, each in called if name == "scheduler"]
        # What runs besides NumPy and the library's own optimisers may look at the context that the step is called in.
        self._quiet = Context() if all(type(each) is FlatStep for _, each in called) else None
        if self._quiet is not None:
            self._quiet.run(np.seterr, all="ignore")  # as the backward pass has it

    @property
    def memory(self) -> int:
        """The bytes of the arrays that it keeps for results and constants; what nobody may write to it shares."""
        arrays = [owner(each) for each in self.page.names.values() if isinstance(each, np.ndarray)]
        own = {id(array): array for array in arrays if array.flags.writeable}
        for slot in self.program.held:
            own.pop(id(owner(slot.array)), None)
        return sum(array.nbytes for array in own.values())

    def gradients_are_kept(self) -> bool:
        """Return whether somebody else still holds a gradient that the next replay would write over."""
        if self._usually == [*map(getrefcount, self._watched)] and all(map(is_, map(_GRAD, self._nodes), self._arrays)):
            return False
        return any(map(gt, self._counted(), self._known))

    def _counted(self) -> list[int]:
        """Return how many hold each gradient, but for its parameter, and each array that gradients are parts of."""
        counts = [*map(getrefcount, self._watched)]
        for place, (node, array) in enumerate(zip(self._nodes, self._arrays, strict=True)):
            counts[place] -= node.grad is array
        return counts

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """One step; returns its results. Raises StaleError if a check has another answer."""
        given = [*arrays, current_scope().random.generator] if self.page.draws else arrays
        if self._quiet is not None:
            outputs = self._quiet.run(self._function, *given)
        else:
            with np.errstate(all="ignore"):
                outputs = self._function(*given)
        if self._copies:
            for node, array in zip(self._nodes, self._arrays, strict=True):
                node.grad = array.copy() if node.grad is array else node.grad
        elif not self._known:
            self._known, self._usually = self._counted(), [*map(getrefcount, self._watched)]
        found: tuple[np.ndarray, ...] = (outputs,) if self._is_alone else outputs
        return found

"""A program that is ready to run: its passes made, its text compiled, its guards set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context
from operator import attrgetter, is_
from sys import getrefcount
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import constant
from minitorch.autograd.version import owner, stamp
from minitorch.nn import Module
from minitorch.replay.guards import Guards
from minitorch.replay.passes import PASSES
from minitorch.replay.passes.checks import draws_first, may_fail_late
from minitorch.replay.passes.flat import FlatStep, FlatUpdate, laid_flat
from minitorch.replay.program import Output, Program, mapped
from minitorch.replay.source import Page, StaleError
from minitorch.replay.surroundings import Surroundings

_GRAD = attrgetter("grad")


class Replay:
    """A program, ready to run.

    copies: gradients are handed out as copies, because somebody keeps them from one step to the next.
    may_fail: for some numbers it raises an error when it has changed something.
    is_proven: a replay has been compared with the step.
    passes: those that are made after the first one, `laid_flat`.
    """

    def __init__(
        self,
        program: Program,
        around: Surroundings,
        models: list[Module],
        optimizers: list[Any],
        held: dict[Tensor, str],
        updates: dict[Any, FlatUpdate],
        copies: bool,
        passes: Sequence[Callable[[Program], str]] = PASSES,
    ) -> None:
        self.program, self._copies, self.around, self.held = program, copies, around, held
        self.is_proven = False
        self.may_fail, self._rewinds = may_fail_late(program), draws_first(program)
        written = len(program.instructions)
        note, used = laid_flat(program, dict(zip(program.held, held, strict=True)), updates)
        notes = [note, *[each(program) for each in passes]]
        self.notes = [f"{written} calls were written down, {len(program.instructions)} are replayed", *notes]
        facts = [fact for each in used for fact in each.facts()]
        self.guards = Guards(around, models, list(held), program.came_with, optimizers, facts)
        self.page = Page(program)
        self._function, self._is_alone = self.page.function(), len(program.returned()) == 1
        self._grads = [
            (each.arguments[1], each.arguments[2].array)
            for each in program.instructions
            if each.how == "grad" and each.arguments[2] is not None and each.arguments[2].array is not None
        ]
        watched = [array for _, array in self._grads] + [array.base for _, array in self._grads]
        self._watched = [array for array in watched if isinstance(array, np.ndarray)]
        places = {slot: place for place, slot in enumerate(program.arguments)}
        self._stamped = [(places.get(slot, slot.array), by) for slot, by in program.stamped.items()]
        self._nodes, self._arrays = [node for node, _ in self._grads], [array for _, array in self._grads]
        self._holders: list[int] = []
        self._usually: list[int] = []  # how many hold each, when all gradients are where the program puts them
        # What runs besides NumPy and the library's own optimisers may look at the context that the step is called in.
        called = [each.arguments[1] for each in program.instructions if each.how == "call"]
        self._quiet = Context() if all(type(each) is FlatStep for each in called) else None
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

    def fits(self) -> bool:
        """Nothing that it takes for granted has changed."""
        return self.guards.holds()

    def gradients_are_kept(self) -> bool:
        """Whether somebody else still holds a gradient that the next replay would write over."""
        if self._usually == [*map(getrefcount, self._watched)] and all(map(is_, map(_GRAD, self._nodes), self._arrays)):
            return False
        return any(now > known for now, known in zip(self._counted(), self._holders, strict=False))

    def _counted(self) -> list[int]:
        """How many hold each gradient, but for its parameter, and each array that gradients are parts of."""
        counts = list(map(getrefcount, self._watched))
        for place, (node, array) in enumerate(self._grads):
            counts[place] -= node.grad is array
        return counts

    def run(self, arrays: list[np.ndarray], *, raises: bool = False) -> tuple[np.ndarray, ...]:
        """One step; returns its results. Raises StaleError, nothing changed, if a check has another answer.

        raises: FloatingPointError for what the eager step might warn of. It leaves the step half done.
        """
        if not self._rewinds:
            return self._made(arrays, raises)
        bits = current_scope().random.generator.bit_generator
        before = bits.state
        try:
            return self._made(arrays, raises)
        except StaleError:
            bits.state = before
            raise

    def _made(self, arrays: list[np.ndarray], raises: bool) -> tuple[np.ndarray, ...]:
        given = [*arrays, current_scope().random.generator] if self.page.draws else arrays
        if self._quiet is not None and not raises:
            outputs = self._quiet.run(self._function, *given)
        else:
            told: dict[str, Any] = {"all": "ignore"}
            if raises:
                told |= {kind: "raise" for kind, action in np.geterr().items() if action == "warn"}
            with np.errstate(**told):
                outputs = self._function(*given)
        for array, by in self._stamped:
            stamp(arrays[array] if type(array) is int else array, by)
        found: tuple[np.ndarray, ...] = (outputs,) if self._is_alone else outputs
        if self._copies:
            for node, array in self._grads:
                node.grad = array.copy()
        elif not self._holders:
            self._holders = self._counted()
            self._usually = [*map(getrefcount, self._watched)]
        return found

    def returned(self, outputs: tuple[np.ndarray, ...]) -> Any:
        """The step's result around the arrays that the program gave."""
        if type(self.program.result) is Output:  # mostly the loss alone
            return _handed_out(self.program.result, outputs[0])
        left = iter(outputs)

        def filled(leaf: Any) -> Any:
            return _handed_out(leaf, next(left)) if isinstance(leaf, Output) else leaf

        return mapped(self.program.result, filled)


def _handed_out(output: Output, array: np.ndarray) -> Any:
    """A copy of what the program gave, in the form in which the step returns it."""
    if output.is_tensor:
        return constant(np.array(array))
    return array[()] if output.is_number else np.array(array)

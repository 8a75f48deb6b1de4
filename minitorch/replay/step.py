"""capture: a training step that is written down once and replayed."""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable, Iterable
from sys import getrefcount
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.handle import constant
from minitorch.autograd.scope import current_scope
from minitorch.nn import Module
from minitorch.replay.guards import PLAIN, Guards, held_tensors, reasons_against
from minitorch.replay.passes import PASSES
from minitorch.replay.passes.flat import FlatUpdate, laid_flat
from minitorch.replay.program import Output, Program, difference, mapped
from minitorch.replay.source import Page, StaleError
from minitorch.replay.traced import CannotCaptureError
from minitorch.replay.tracing import trace

P = ParamSpec("P")
R = TypeVar("R")


class CapturedStep(Generic[P, R]):
    """A training step that runs eagerly while it is written down, and from then on is replayed.

    Called as the function was, it returns what that returned: Tensors, which are constants here. `capture` makes one.
    """

    def __init__(
        self,
        function: Callable[P, R],
        models: list[Module],
        optimizers: list[Any],
        verify_every: int = 0,
    ) -> None:
        self._function, self._models, self._optimizers = function, models, optimizers
        self._verify_every, self._replays, self._copies = verify_every, 0, False
        self._known: dict[Any, _Replay] = {}
        self._seen: dict[Any, Program | None] = {}
        self._refused: dict[Any, str] = {}
        self._attempts: dict[Any, int] = {}
        self._updates: dict[Any, FlatUpdate] = {}
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **options: P.kwargs) -> R:
        """One training step."""
        key, arrays = _key(arguments, options)
        replay = self._known.get(key)
        if replay is None or not replay.fits():
            self._known.pop(key, None)
            return self._written_down(key, arguments, options)
        if replay.gradients_are_kept():
            self._copies = True
            del self._known[key]
            return self._written_down(key, arguments, options)
        self._replays += 1
        if self._verify_every and self._replays % self._verify_every == 0:
            return self._verified(replay, key, arrays, arguments, options)
        try:
            outputs = replay.run(arrays)
        except StaleError:
            return self._function(*arguments, **options)
        result: R = replay.returned(outputs)
        return result

    @property
    def source(self) -> str:
        """The step as it is replayed, in Python. Raises RuntimeError before it is captured."""
        return self._latest().page.text

    def explain(self) -> str:
        """What each pass over the program saved."""
        return "\n".join(self._latest().notes)

    @property
    def program(self) -> Program:
        """The instructions that are replayed. Raises RuntimeError before they are."""
        return self._latest().program

    @property
    def is_captured(self) -> bool:
        """Whether a program is there to replay."""
        return bool(self._known)

    # ----------------------------------------------------------------------------------------------------------------

    def _latest(self) -> _Replay:
        if self._known:
            return next(reversed(self._known.values()))
        why = next(reversed(self._refused.values()), "")
        raise RuntimeError(
            f"this step cannot be captured: {why}"
            if why
            else "this step is not captured yet: call it three times first"
        )

    def _written_down(self, key: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """One step, eagerly, and perhaps written down."""
        if key in self._refused or not all(each._stepped for each in self._optimizers):
            return self._function(*arguments, **options)  # in their first step optimisers make their state
        held = held_tensors(self._models, self._optimizers)
        if reasons_against(self._models, held):
            return self._function(*arguments, **options)
        state = State(held, self._optimizers)
        try:
            result, program = trace(self._function, arguments, options, held, self._optimizers)
        except CannotCaptureError as error:
            state.restore()
            self._refuse(key, str(error))
            return self._function(*arguments, **options)
        former = self._seen.get(key)
        self._seen[key] = program
        if former is None:
            return result
        changed = difference(former, program)
        if not changed:
            del self._seen[key], state, former
            self._known[key] = _Replay(program, self._function, self._models, list(held), self._updates, self._copies)
            while len(self._known) > MOST:
                del self._known[next(iter(self._known))]
        else:
            self._attempts[key] = self._attempts.get(key, 0) + 1
            if self._attempts[key] >= ATTEMPTS:
                self._refuse(key, f"from one call to the next {changed}")
        return result

    def _refuse(self, key: Any, why: str) -> None:
        self._refused[key] = why
        self._seen.pop(key, None)
        warnings.warn(f"this step is not captured, and goes on eagerly: {why}", RuntimeWarning, stacklevel=4)

    def _verified(self, replay: _Replay, key: Any, arrays: list[Any], arguments: Any, options: Any) -> Any:
        """One step both ways, from the same state: what the replay leaves must be what the eager step leaves."""
        held = held_tensors(self._models, self._optimizers)
        before = State(held, self._optimizers)
        replay.run(arrays)
        replayed = State(held, self._optimizers)
        before.restore()
        result = self._function(*arguments, **options)
        different = State(held, self._optimizers).differs(replayed)
        if different:
            del self._known[key]
            self._refuse(key, f"its replay does not do what the step does: {different} is different")
        return result


MOST = 8  # programs that are kept, one for each kind of arguments
ATTEMPTS = 3


class _Replay:
    """A program, ready to run.

    copies: gradients are handed out as copies, because somebody keeps them from one step to the next.
    """

    def __init__(
        self,
        program: Program,
        function: Any,
        models: list[Module],
        held: list[Tensor],
        updates: dict[Any, FlatUpdate],
        copies: bool,
    ) -> None:
        self.program, self._copies = program, copies
        self.notes = [f"{len(program.instructions)} calls were written down"]
        note, used = laid_flat(program, dict(zip(program.held, held, strict=True)), updates)
        self.notes += [note, *[each(program) for each in PASSES]]
        facts = [fact for each in used for fact in each.facts()]
        self.guards = Guards(function, models, held, program.came_with, facts)
        self.page = Page(program)
        self._function = self.page.function()
        self._grads = [
            (each.arguments[1], each.arguments[2].array)
            for each in program.instructions
            if each.how == "grad" and each.arguments[2] is not None and each.arguments[2].array is not None
        ]
        watched = [array for _, array in self._grads] + [array.base for _, array in self._grads]
        self._watched = [array for array in watched if isinstance(array, np.ndarray)]
        self._holders: list[int] = []

    def fits(self) -> bool:
        """Nothing that it takes for granted has changed."""
        return self.guards.holds()

    def gradients_are_kept(self) -> bool:
        """Whether somebody else still holds a gradient that the next replay would write over."""
        return any(now > known for now, known in zip(map(getrefcount, self._watched), self._holders, strict=False))

    def run(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """One step; returns the arrays of its result. Raises StaleError, nothing changed, if a check has another answer."""
        with np.errstate(all="ignore"):  # as the backward pass has it
            outputs = self._function(*arrays, current_scope().random.generator)
        if self._copies:
            for node, array in self._grads:
                node.grad = array.copy()
        elif not self._holders:
            self._holders = list(map(getrefcount, self._watched))
        return outputs

    def returned(self, outputs: tuple[np.ndarray, ...]) -> Any:
        """The step's result around the arrays that the program gave."""
        left = iter(outputs)

        def filled(leaf: Any) -> Any:
            if not isinstance(leaf, Output):
                return leaf
            array = np.array(next(left))
            return constant(array) if leaf.is_tensor else array

        return mapped(self.program.result, filled)


class State:
    """A copy of all that a step changes, to go back to."""

    def __init__(self, held: dict[Tensor, str], optimizers: list[Any]) -> None:
        self._held = {tensor: (name, tensor._data, tensor._data.copy()) for tensor, name in held.items()}
        self._grads = {tensor: _copied(tensor.grad) for tensor in held}
        self._optimizers = [
            (
                each,
                [
                    copy.deepcopy({key: value for key, value in group.items() if key != "params"})
                    for group in each.param_groups
                ],
                {
                    param: (own, {name: (value, _copied(value)) for name, value in own.items()})
                    for param, own in each.state.items()
                },
            )
            for each in optimizers
        ]
        generator = current_scope().random.generator
        self._generator, self._random = generator, generator.bit_generator.state

    def restore(self) -> None:
        """Puts everything back as it was."""
        for tensor, (_, array, values) in self._held.items():
            array[...] = values
            tensor._data = array
            if tensor._node is not None:
                tensor._node.grad = _copied(self._grads[tensor])
        for optimizer, groups, states in self._optimizers:
            for group, saved in zip(optimizer.param_groups, groups, strict=True):
                group.update(saved)
            for param in [param for param in optimizer.state if param not in states]:
                del optimizer.state[param]
            for own, values in states.values():
                own.clear()
                for name, (value, before) in values.items():
                    if isinstance(value, np.ndarray):
                        value[...] = before
                    own[name] = value
        self._generator.bit_generator.state = self._random

    def differs(self, other: State) -> str:
        """The name of a Tensor whose numbers or gradient have other bits there; "" if all are the same."""
        for tensor, (name, _, values) in self._held.items():
            if values.tobytes() != other._held[tensor][2].tobytes():
                return name
            mine, theirs = self._grads[tensor], other._grads[tensor]
            if (mine is None) != (theirs is None) or (mine is not None and mine.tobytes() != theirs.tobytes()):
                return f"{name}.grad"
        return ""


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _key(arguments: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, list[np.ndarray]]:
    """What must be the same for a program to fit, and the arrays that it is given."""
    arrays: list[np.ndarray] = []
    key: list[Any] = []
    for each in arguments:
        if type(each) is Tensor:  # nearly always, and so not by way of the calls below
            array = each._data
            arrays.append(array)
            key.append((array.shape, array.dtype.char, array.strides, each._node is None))
        else:
            key.append(_kind(each, arrays))
    for name, value in options.items():
        key.append((name, _kind(value, arrays)))
    return tuple(key), arrays


def _kind(value: Any, arrays: list[np.ndarray]) -> Any:
    """What must be the same of one argument: all of a plain value, the layout of an array, the identity of an object."""
    array = getattr(value, "_data", value)
    if isinstance(array, np.ndarray):
        arrays.append(array)
        return type(value), array.shape, array.dtype.char, array.strides
    if isinstance(value, dict):
        return dict, tuple([(name, _kind(each, arrays)) for name, each in value.items()])
    if isinstance(value, (tuple, list)):
        return type(value), tuple([_kind(each, arrays) for each in value])
    return type(value), value if isinstance(value, PLAIN) else id(value)


def capture(
    function: Callable[P, R],
    model: Module | Iterable[Module],
    *optimizers: Any,
    verify_every: int = 0,
) -> CapturedStep[P, R]:
    """The training step `function`, captured: quicker by what Python costs, the same to the last bit."""
    models = [model] if isinstance(model, Module) else list(model)
    return CapturedStep(function, models, list(optimizers), verify_every)

"""capture: a training step that is written down once and replayed."""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import constant
from minitorch.callers import warn
from minitorch.nn import Module
from minitorch.optim import Optimizer
from minitorch.replay.facts import warnings_raise
from minitorch.replay.guards import came_with, held_tensors, is_scope_against, reasons_against
from minitorch.replay.layout import is_array_or_tensor, layout_of
from minitorch.replay.objects import is_a_users
from minitorch.replay.passes.flat import FlatUpdate
from minitorch.replay.program import Program, difference, mapped
from minitorch.replay.ready import Replay
from minitorch.replay.source import Page, StaleError
from minitorch.replay.state import State, difference_of_results
from minitorch.replay.surroundings import Surroundings
from minitorch.replay.traced import CannotCaptureError
from minitorch.replay.tracing import trace

P = ParamSpec("P")
R = TypeVar("R")

MOST = 8  # programs that are kept, one for each kind of arguments
IN_VAIN = 8  # times that what was written down is of no use, one after the other, until the step is given up
KINDS = 32  # kinds of arguments without a replay in between, or that were refused, until the step is given up
LONGEST = 20_000  # calls in a program
IDLE = 32  # calls in which an optimiser did not step, until that is told
HINDERED = 4  # calls in which something stood against it, such as a hook, until that is told
ATTEMPTS = 3  # traces that may differ from the one before, until the step is given up


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
        self._known: dict[Any, Replay] = {}
        self._waiting: dict[Any, dict[Any, Replay]] = {}  # for the same kind, but other gradients when it begins
        self._seen: dict[Any, _Seen] = {}  # written down once
        self._refused: dict[Any, str] = {}
        self._attempts: dict[Any, int] = {}
        self._in_vain: dict[Any, int] = {}  # programs that were never replayed, one after the other
        self._updates: dict[Any, FlatUpdate] = {}
        self._around: set[int] = set()  # the identities of arrays that the programs, and those to be, see around them
        self._new_kinds, self._idle, self._given_up = 0, 0, False
        self._hindered, self._against = 0, ""
        self._used: Replay | None = None  # the program that was replayed last
        self._lock = threading.RLock()  # two threads may not write into one program's memory
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **options: P.kwargs) -> R:
        """One training step."""
        with self._lock:
            result: R = self._made(arguments, options)
        return result

    def __get__(self, instance: Any, _: type | None = None) -> Any:
        """A method of whoever has it in its class, as a function is."""
        return self if instance is None else types.MethodType(self, instance)

    def __reduce_ex__(self, _: Any) -> Any:
        """Refused: a copy would train the model of this step. Capture the copy's own step."""
        raise TypeError(
            "a captured step cannot be copied or pickled, for the copy would train the same model: copy or pickle the "
            "model and its optimizer, and capture a step of theirs"
        )

    def _eagerly(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """One step as it stands; what it returns are constants, as those of a replay are."""
        result, constants = self._function(*arguments, **options), []

        def constant_of(leaf: Any) -> Any:
            found = _as_constant(leaf)
            if found is not leaf:
                constants.append(found)
            return found

        copied = mapped(result, constant_of)
        return copied if constants else result

    def _made(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        kind, arrays = layout_of(arguments, options, self._around)
        replay = self._known.get(kind)
        if replay is None or not replay.fits():
            if is_scope_against():  # for a while, such as that of no_grad: the program is kept
                return self._eagerly(arguments, options)
            replay = self._instead(kind, replay)
        if replay is None:
            return self._written_down(kind, arguments, options)
        if replay.gradients_are_kept():
            self._copies = True
            del self._known[kind]
            return self._written_down(kind, arguments, options)
        self._replays += 1
        self._used, self._new_kinds = replay, 0
        self._in_vain.pop(kind, None)
        raises = warnings_raise()
        if not replay.is_proven or (self._verify_every and self._replays % self._verify_every == 0):
            return self._verified(replay, kind, raises, arrays, arguments, options)
        if raises or replay.may_fail:
            return self._carefully(replay, raises, arrays, arguments, options)
        try:
            outputs = replay.run(arrays)
        except (StaleError, IndexError, np.linalg.LinAlgError):  # nothing is changed yet
            return self._eagerly(arguments, options)
        return replay.returned(outputs)

    def _instead(self, kind: Any, replay: Replay | None) -> Replay | None:
        """Another program for such arguments, where other gradients are there than those this one begins with."""
        if replay is None:
            return None
        del self._known[kind]
        now = came_with(replay.held)
        if now == replay.program.came_with:
            self._count_in_vain(kind, replay.around.difference())
            return None
        waiting = self._waiting.setdefault(kind, {})
        waiting[tuple(replay.program.came_with)] = replay
        while len(waiting) > MOST:
            del waiting[next(iter(waiting))]
        found = waiting.pop(tuple(now), None)
        if found is None or not found.fits():
            return None
        self._known[kind] = found
        return found

    def _carefully(self, replay: Replay, raises: bool, arrays: list[Any], arguments: Any, options: Any) -> Any:
        """A replay that an error may end: then the eager step does what it does of that error."""
        _, outputs = self._tried(replay, raises, arrays)
        return self._eagerly(arguments, options) if outputs is None else replay.returned(outputs)

    def _tried(self, replay: Replay, raises: bool, arrays: list[Any]) -> tuple[State, tuple[np.ndarray, ...] | None]:
        """What was there before a replay, and what it gives: None if an error ended it, and then all is put back."""
        before = self._state(replay.held, replay.around, arrays)
        try:
            return before, replay.run(arrays, raises=raises)
        except StaleError:  # nothing is changed yet
            return before, None
        except (np.linalg.LinAlgError, FloatingPointError, IndexError):
            before.restore(draws=replay.program.draws)
            return before, None

    @property
    def source(self) -> str:
        """The step as it is replayed, in Python. Raises RuntimeError before it is captured."""
        return self.page.text

    def explain(self) -> str:
        """What each pass over the program saved."""
        return "\n".join(self._latest().notes)

    @property
    def program(self) -> Program:
        """The instructions that are replayed. Raises RuntimeError before they are."""
        return self._latest().program

    @property
    def page(self) -> Page:
        """The program as a page: its text, line by line, and its names. Raises RuntimeError before it is captured."""
        return self._latest().page

    def memory(self) -> int:
        """The bytes of the memory that the programs keep for their results."""
        waiting = [each for replays in self._waiting.values() for each in replays.values()]
        return sum(replay.memory for replay in (*self._known.values(), *waiting))

    @property
    def is_captured(self) -> bool:
        """Whether a program is there to replay."""
        return bool(self._known)

    def arrays_of(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> list[np.ndarray] | None:
        """The arrays among such arguments, if there is a program for them."""
        kind, arrays = layout_of(arguments, options, self._around)
        return arrays if kind in self._known else None

    @contextmanager
    def replayed_with(
        self, passes: Sequence[Callable[[Program], str]], arguments: tuple[Any, ...], options: dict[str, Any]
    ) -> Iterator[Replay]:
        """Another replay of the step, with these passes alone. It is traced anew, and runs for that.

        At the end of the block all that the trace and the block have changed is put back, but for schedulers.
        """
        around = self._surroundings(arguments, options)
        held = held_tensors(self._models, self._optimizers, around)
        state = State(held, self._optimizers)
        try:
            _, program = trace(self._function, arguments, options, held, self._optimizers, around)
            yield Replay(program, around, self._models, self._optimizers, held, self._updates, True, passes)
        finally:
            state.restore()

    # ----------------------------------------------------------------------------------------------------------------

    def _latest(self) -> Replay:
        if self._known:
            used = [each for each in self._known.values() if each is self._used]
            return used[0] if used else next(reversed(self._known.values()))
        why = next(reversed(self._refused.values()), self._against)
        raise RuntimeError(
            f"this step cannot be captured: {why}"
            if why
            else "this step is not captured yet: call it three times first"
        )

    def _written_down(self, key: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """One step, eagerly, and perhaps written down."""
        if self._given_up or key in self._refused:
            return self._eagerly(arguments, options)
        own = [type(each).__name__ for each in self._optimizers if is_a_users(type(each).__module__)]
        if own:
            self._give_up(f"its optimiser is of a class of your own, {own[0]}, whose step may change anything", key)
            return self._eagerly(arguments, options)
        if not all(each._stepped for each in self._optimizers):  # in their first step optimisers make their state
            self._idle += 1
            if self._idle == IDLE:
                _tell(f"in {IDLE} calls not each of its optimisers has made a step: a step ends with optimizer.step()")
            return self._eagerly(arguments, options)
        around = self._surroundings(arguments, options)
        held = held_tensors(self._models, self._optimizers, around)
        self._against = reasons_against(self._models, self._optimizers, held, around)
        if self._against:  # for a while, perhaps
            self._hindered += 1
            if self._hindered == HINDERED and "GPU" not in self._against:
                _tell(f"as long as {self._against}")
            return self._eagerly(arguments, options)
        self._hindered = 0
        if around.against:
            self._refuse(key, around.against)
            return self._eagerly(arguments, options)
        key, arrays = self._layout_beside(around, arguments, options)
        begun = key, tuple(came_with(held))
        seen = self._seen.pop(begun, None)
        other = "" if seen is None else seen.difference()
        if other:  # than when it was written down first: this is the first time of another kind
            seen = None
            self._count_in_vain(key, other)
            if key in self._refused:
                return self._eagerly(arguments, options)
        state = self._state(held, around, arrays)
        around.begin()
        program: Program | None
        try:
            result, program = trace(self._function, arguments, options, held, self._optimizers, around)
            hidden, gained, why = "", around.gained(), around.changed()
            if gained:  # what a function has now made for its cache is not made in another call
                state.restore(draws=around.drew)
                around.restore()
                program = None
                self._count_in_vain(key, gained)
            elif why:
                raise CannotCaptureError(why)
        except BaseException as error:  # the step's own, or why it cannot be captured
            state.restore(draws=around.drew)
            around.restore()
            if isinstance(error, KeyboardInterrupt):
                raise
            program, hidden = None, ""
            if isinstance(error, CannotCaptureError):
                self._refuse(key, str(error))
            else:
                said = str(error).replace("'Traced' object", "an array that is followed")
                hidden = f"its arrays cannot be followed there: then it raises {type(error).__name__}: {said}"
        if program is None:  # an error of the step's own is raised again here, and no stand-in is left behind
            result = self._eagerly(arguments, options)
            if hidden:
                self._refuse(key, hidden)
            return result
        if not program.prints:
            written, state_then = result, self._state(held, around, arrays)
            state.restore(draws=program.draws)
            result = self._eagerly(arguments, options)
            different = self._state(held, around, arrays).differs(state_then) or difference_of_results(result, written)
            if different:
                self._refuse(
                    key,
                    f"made twice from the same state, it leaves another {different}: something in it is not the same "
                    "each time, or code asks what an array is",
                )
                return result
            del written, state_then
        if len(program.instructions) > LONGEST:
            self._refuse(key, f"it makes more than {LONGEST:,} calls of NumPy, which would take long to make ready")
            return result
        self._seen[begun] = _Seen(program, around, held)
        if seen is None:
            self._count_new(key)
            return result
        changed = difference(seen.program, program)
        if not changed:
            self._attempts.pop(key, None)
            del self._seen[begun], state, seen  # which hold arrays that are to move
            try:
                self._used = self._known[key] = Replay(
                    program, around, self._models, self._optimizers, held, self._updates, self._copies
                )
            except Exception as error:  # noqa: BLE001 (the step is made already, and is not to fail for it)
                self._refuse(key, f"its program cannot be made ready: {type(error).__name__}: {error}")
            while len(self._known) > MOST:
                oldest = next(iter(self._known))
                del self._known[oldest]
                self._waiting.pop(oldest, None)
        else:
            self._attempts[key] = self._attempts.get(key, 0) + 1
            if self._attempts[key] >= ATTEMPTS:
                self._refuse(key, f"from one call to the next {changed}")
        return result

    def _layout_beside(
        self, around: Surroundings, arguments: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[Any, list[np.ndarray]]:
        """The kind of the arguments, among which may be an array that the step sees around it; and their arrays."""
        replays = [*self._known.values(), *[each for others in self._waiting.values() for each in others.values()]]
        met = [around, *[each.around for each in replays], *[each.around for each in self._seen.values()]]
        self._around = set().union(*[each.identities() for each in met])
        return layout_of(arguments, options, self._around)

    def _state(self, held: dict[Tensor, str], around: Surroundings, arrays: list[np.ndarray]) -> State:
        """All that the step may change, as it is now."""
        seen = [*arrays, *(fact.value for fact in around.arrays)]
        return State(held, self._optimizers, [each for each in seen if each.flags.writeable], around.schedulers)

    def _surroundings(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Surroundings:
        objects: list[Any] = []
        mapped((arguments, options), lambda leaf: None if is_array_or_tensor(leaf) else objects.append(leaf))
        return Surroundings(self._function, self._models, self._optimizers, objects)

    def _count_new(self, key: Any) -> None:
        """Another kind of arguments was met."""
        self._new_kinds += 1
        while len(self._seen) > KINDS // 2:
            del self._seen[next(iter(self._seen))]
        if self._new_kinds >= KINDS:
            self._give_up(
                "its arguments are of another kind in each call: give numbers that change in a Tensor, and in the "
                "place of an object that is new in each call its Tensors",
                key,
            )

    def _give_up(self, why: str, key: Any) -> None:
        self._given_up = True
        self._refuse(key, why)
        self._seen.clear()

    def _count_in_vain(self, key: Any, changed: str) -> None:
        """What was written down is of no use: something else is there now."""
        self._in_vain[key] = self._in_vain.get(key, 0) + 1
        if self._in_vain[key] >= IN_VAIN:
            self._refuse(
                key,
                f"what it sees around it changed before each of {IN_VAIN} such calls, at last `{changed}`: a number "
                "that changes can be given in a Tensor"
                if changed
                else "what it takes for granted, such as the states of an optimiser, changes before each call",
            )

    def _refuse(self, key: Any, why: str) -> None:
        self._refused[key] = why
        self._waiting.pop(key, None)
        self._given_up = self._given_up or len(self._refused) >= KINDS
        for each in [each for each in self._seen if each[0] == key]:
            del self._seen[each]
        _tell(f"for such arguments {why}" if self._known else why)

    def _verified(self, replay: Replay, key: Any, raises: bool, arrays: list[Any], arguments: Any, options: Any) -> Any:
        """One step both ways, from the same state: what the replay leaves must be what the eager step leaves."""
        before, outputs = self._tried(replay, raises, arrays)
        if outputs is None:
            return self._eagerly(arguments, options)
        replayed, returned = self._state(replay.held, replay.around, arrays), replay.returned(outputs)
        before.restore(draws=replay.program.draws)
        result = self._eagerly(arguments, options)
        now = self._state(replay.held, replay.around, arrays)
        different = now.differs(replayed) or difference_of_results(result, returned)
        replay.is_proven = True
        if different:
            del self._known[key]
            self._refuse(key, f"its replay does not do what the step does: {different} is different")
        return result


class _Seen:
    """A step that was written down once, and what it saw then."""

    def __init__(self, program: Program, around: Surroundings, held: dict[Tensor, str]) -> None:
        self.program, self.around = program, around
        self._nodes = {tensor: (name, tensor._node) for tensor, name in held.items()}

    def difference(self) -> str:
        """The name of something that is not as it was; "" if there is nothing."""
        changed = (f"{name}.requires_grad" for tensor, (name, node) in self._nodes.items() if tensor._node is not node)
        return self.around.difference() or next(changed, "")


def capture(
    function: Callable[P, R], model: Module | Iterable[Module], *optimizers: Any, verify_every: int = 0
) -> CapturedStep[P, R]:
    """The training step `function`, captured: what Python and the graph cost is paid once, the bits stay the same.

    function: the whole step, with zero_grad, backward and step; it is given Tensors and returns Tensors. model: the
    module that it trains, or several. optimizers: those that step in it. The first call runs as it stands; two more run
    while each call of NumPy is written down, and are compared; from then on the program of them is replayed.

    A replay begins by asking whether all is as it was: the arrays of parameters, buffers and states, the settings of
    modules, hooks, the scope, the shapes and dtypes of the arguments, and what the function sees around it: numbers,
    lists, dicts, attributes, the functions it calls. If not, the step runs eagerly and is written down anew. A step
    that changes something around it, a counter or a list, is not captured: what it finds out it should return. Printing
    happens only while a step runs eagerly. verify_every: each so many steps run both ways and are compared.

    What cannot be written down (`.item()`, a branch on a number, a mask of booleans) is said in a RuntimeWarning, and
    the step goes on eagerly. Arrays on a GPU are not captured.

    >>> from minitorch import Tensor, manual_seed, nn, optim
    >>> manual_seed(0)
    >>> model = nn.Linear(2, 1)
    >>> optimizer = optim.SGD(model.parameters(), lr=0.1)
    >>> def train_step(x):
    ...     optimizer.zero_grad()
    ...     loss = (model(x) ** 2).mean()
    ...     loss.backward()
    ...     optimizer.step()
    ...     return loss
    >>> step = capture(train_step, model, optimizer)
    >>> losses = [step(Tensor([[1.0, 2.0]])).item() for _ in range(9)]
    >>> step.is_captured, losses[8] < losses[0]
    (True, True)
    """
    models = [model] if isinstance(model, Module) else list(model)
    for each in models:
        if not isinstance(each, Module):
            raise TypeError(
                f"capture: the model is a {type(each).__name__}, not a Module: capture(step, model, optimizer)"
            )
    for each in optimizers:
        if not isinstance(each, Optimizer):
            raise TypeError(f"capture: {type(each).__name__} is no Optimizer: write capture(step, model, optimizer)")
    if not optimizers:
        raise TypeError("capture: it needs the optimisers that step in it: write capture(step, model, optimizer)")
    return CapturedStep(function, models, list(optimizers), verify_every)


def captured(
    model: Module | Iterable[Module], *optimizers: Any, verify_every: int = 0
) -> Callable[[Callable[P, R]], CapturedStep[P, R]]:
    """`capture` as a decorator: `@captured(model, optimizer)` above the step."""
    return lambda function: capture(function, model, *optimizers, verify_every=verify_every)


def _tell(why: str) -> None:
    """Says so, where the step is called."""
    warn(f"this step is not captured, and goes on eagerly: {why}", RuntimeWarning)


def _as_constant(leaf: Any) -> Any:
    """A result that no later step changes, and that leads to no graph."""
    if isinstance(leaf, Tensor):
        return constant(leaf._data.copy(order="K"))
    return leaf.copy(order="K") if isinstance(leaf, np.ndarray) else leaf

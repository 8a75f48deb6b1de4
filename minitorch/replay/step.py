"""capture: a training step that is traced once and replayed."""

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
from minitorch.replay.contract import Contract, is_recorded_as_usual
from minitorch.replay.layout import Given, layout_of
from minitorch.replay.passes.flat import FlatUpdate
from minitorch.replay.program import Program, mapped
from minitorch.replay.ready import Replay
from minitorch.replay.source import Page, StaleError
from minitorch.replay.state import State, difference_of_results
from minitorch.replay.traced import CannotCaptureError
from minitorch.replay.tracing import trace

P = ParamSpec("P")
R = TypeVar("R")

MAX_PROGRAMS = 8  # one for each kind of arguments and pattern of gradients
MAX_TRACES = 16  # of which the replays may be few, until the step is given up
MIN_REPLAYS = 2  # of each trace on average, from then on
MAX_BLOCKED = 4  # calls in which something stood against it, such as a hook, until that is told
MAX_IDLE = 32  # calls in which an optimiser did not step, until that is told


_BROKEN = "It reads or changes more than arguments, parameters, buffers and states: retrace() after such a change"


class CapturedStep(Generic[P, R]):
    """A training step that runs eagerly once, is traced in its second call, and from then on is replayed.

    Called as the function was, it returns what that returned: Tensors, which are constants here. `capture` makes one.
    """

    def __init__(
        self,
        function: Callable[P, R],
        models: list[Module],
        optimizers: list[Any],
        audit_every: int = 0,
        verify_every: int | None = None,
    ) -> None:
        if verify_every is not None:
            warn("capture: verify_every is called audit_every now", DeprecationWarning)
        self._function, self._models, self._optimizers = function, models, optimizers
        self._audit_every = audit_every if verify_every is None else verify_every
        self._lock = threading.RLock()  # two threads may not write into one program's memory
        self._updates: dict[Any, FlatUpdate] = {}
        self.retrace()
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **options: P.kwargs) -> R:
        """One training step."""
        with self._lock:
            result: R = self._step((arguments, options))
        return result

    def __get__(self, instance: Any, _: type | None = None) -> Any:
        """A method of whoever has it in its class, as a function is."""
        return self if instance is None else types.MethodType(self, instance)

    def __reduce_ex__(self, _: Any) -> Any:
        """Refused: a copy would train the model of this step. Capture the copy's own step."""
        raise TypeError("a captured step has no copy, which would train the same model: capture a step of the copy")

    def retrace(self) -> None:
        """Forget all programs: the next call is traced. To be called after something else than the contract changed."""
        self._programs: dict[Any, Replay] = {}
        self._refused: dict[Any, str] = {}  # kinds of arguments, and why
        self._contract: Contract | None = None
        self._given_up, self._against = "", ""
        self._traces = self._replays = self._idle = self._blocked = 0
        self._last: Replay | None = None
        self._copies = False  # gradients are handed out as copies, because somebody keeps them

    @property
    def source(self) -> str:
        """The step as it is replayed, in Python. Raises RuntimeError before it is captured."""
        return self.page.text

    def explain(self) -> str:
        """Say what each pass over the program saved."""
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
        return sum(replay.memory for replay in self._programs.values())

    @property
    def is_captured(self) -> bool:
        """True if a program is there to replay."""
        return bool(self._programs)

    def arrays_of(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> list[np.ndarray] | None:
        """The arrays among such arguments, if there is a program for them."""
        kind, arrays = layout_of((arguments, options))
        return arrays if any(known == kind for known, _ in self._programs) else None

    @contextmanager
    def replayed_with(self, passes: Sequence[Callable[[Program], str]], given: Given) -> Iterator[Replay]:
        """Another replay of the step, with these passes alone. It is traced anew, and runs for that.

        At the end of the block all that the trace and the block have changed is put back, but for schedulers.
        """
        tensors = Contract(self._function, self._models, self._optimizers).tensors
        state = State(tensors, self._optimizers, layout_of(given)[1])
        try:
            _, program = trace(self._function, given, tensors, self._optimizers)
            yield Replay(program, self._updates, passes=passes)
        finally:
            state.restore()

    # ----------------------------------------------------------------------------------------------------------------

    def _step(self, given: Given) -> Any:
        if self._given_up or not is_recorded_as_usual():
            return self._eagerly(given)
        contract = self._contract
        if contract is not None and not contract.holds():
            self._against = contract.difference()
            if self._against:
                self._contract = contract = None
                self._programs.clear()
        kind, arrays = layout_of(given)
        if contract is None:
            return self._traced(kind, arrays, given)
        replay = self._programs.get((kind, contract.gradients()))
        if replay is not None and replay.gradients_are_kept():
            self._copies, replay = True, None
            self._programs.clear()
        if replay is None:
            return self._traced(kind, arrays, given)
        self._last = replay
        self._replays += 1
        replay.count += 1
        doubled = replay.count & (replay.count - 1) == 0  # 1, 2, 4, 8, 16, …
        audited = doubled or (self._audit_every and self._replays % self._audit_every == 0)
        kept = contract.tensors, self._optimizers, arrays, replay.schedulers
        before = State(*kept) if audited or replay.may_fail else None
        try:
            returned = replay.program.filled(replay.run(arrays))
        except (StaleError, IndexError, np.linalg.LinAlgError):
            if before is not None:  # else nothing is changed yet
                before.restore()
            return self._eagerly(given)
        return self._audited(before, returned, contract, given) if audited and before is not None else returned

    def _eagerly(self, given: Given) -> Any:
        """One step as it stands; what it returns are constants, as those of a replay are."""
        return mapped(self._function(*given[0], **given[1]), _as_constant)

    def _audited(self, before: State, returned: Any, contract: Contract, given: Given) -> Any:
        """The step again, eagerly, from the state before: what the replay left must be what the eager step leaves."""
        before.restore()
        try:
            result = self._eagerly(given)
        except Exception as error:
            self._give_up(f"its replay does not do what the step does, which raises {type(error).__name__}. {_BROKEN}")
            raise
        contract.renew()
        if different := before.difference() or difference_of_results(result, returned):
            self._give_up(f"its replay does not do what the step does: {different} is different. {_BROKEN}")
        return result

    def _latest(self) -> Replay:
        if self._programs and self._last is not None:
            return self._last
        why = self._given_up or next(reversed(self._refused.values()), self._against)
        said = f"cannot be captured: {why}" if why else "is not captured yet: call it twice first"
        raise RuntimeError(f"this step {said}")

    def _traced(self, kind: Any, arrays: list[np.ndarray], given: Given) -> Any:
        """One step, eagerly, and traced if it can be."""
        if kind in self._refused or not self._is_ready():
            return self._eagerly(given)
        if self._traces >= MAX_TRACES and self._replays < MIN_REPLAYS * self._traces:
            changes = f"`{self._against}` is another" if self._against else "its arguments are of another kind"
            self._give_up(f"{changes} in nearly each call: give a number that changes in a Tensor")
            return self._eagerly(given)
        contract = self._contract or Contract(self._function, self._models, self._optimizers)
        if contract.obstacle:  # for a while, perhaps
            self._against = contract.obstacle
            self._blocked += 1
            if self._blocked == MAX_BLOCKED and "GPU" not in self._against:
                _tell(f"now {self._against}")
            return self._eagerly(given)
        self._blocked = 0
        pattern, why = contract.gradients(), ""
        state = State(contract.tensors, self._optimizers, arrays)
        try:
            result, program = trace(self._function, given, contract.tensors, self._optimizers)
        except BaseException as error:  # the step's own, which is raised again below, or a stand-in's
            state.restore()
            if isinstance(error, KeyboardInterrupt):
                raise
            said = str(error).replace("'Traced' object", "an array that is traced")
            ours = isinstance(error, CannotCaptureError)
            why = said if ours else f"where its arrays are traced it raises {type(error).__name__}: {said}"
        if why:
            result = self._eagerly(given)
            self._refuse(kind, why)
            return result
        if changed := contract.difference(plain=True):
            self._refuse(kind, f"it changes `{changed}` itself, which a replay would not: do that outside of the step")
            return result
        contract.renew()
        del state  # which holds arrays that are to move
        if program.obstacle:
            self._refuse(kind, program.obstacle)
            return result
        self._traces += 1
        try:
            made = Replay(program, self._updates, self._copies)
        except Exception as error:  # noqa: BLE001 (the step is made already, and is not to fail for it)
            self._refuse(kind, f"its program cannot be made ready: {type(error).__name__}: {error}")
            return result
        if contract.difference():  # the parameters were moved, into one array
            self._programs.clear()
            contract.renew()
        self._contract = contract
        self._programs[kind, pattern] = self._last = made
        if len(self._programs) > MAX_PROGRAMS:
            del self._programs[next(iter(self._programs))]
        return result

    def _is_ready(self) -> bool:
        """Return whether each optimiser has made a step, in the first of which it makes its state."""
        if all(each._stepped for each in self._optimizers):
            return True
        self._idle += 1
        if self._idle == MAX_IDLE:
            _tell(f"in {MAX_IDLE} calls not each of its optimisers has made a step: a step ends with optimizer.step()")
        return False

    def _refuse(self, kind: Any, why: str) -> None:
        self._refused[kind] = why
        if len(self._refused) >= MAX_PROGRAMS:
            self._given_up = why
        _tell(f"with arguments of this kind, {why}" if self._programs else why)

    def _give_up(self, why: str) -> None:
        self._given_up = why
        self._programs.clear()
        _tell(why)


def capture(
    function: Callable[P, R],
    model: Module | Iterable[Module],
    *optimizers: Any,
    audit_every: int = 0,
    verify_every: int | None = None,
) -> CapturedStep[P, R]:
    """The training step `function`, captured: what Python and the graph cost is paid once, the bits stay the same.

    A captured step is a function of its arguments, the parameters, buffers, optimiser states and the random generator;
    what else it reads is frozen when it is captured, what else it does is not repeated; `step.retrace()` after you
    changed something else.

    function: the whole step, with zero_grad, backward and step; it is given Tensors and returns Tensors. model: the
    module that it trains, or several. optimizers: those that step in it. The first call runs as it stands, the second
    is traced: each call of NumPy is written down, and from the third on that program is replayed.

    Checked before each replay: the arguments' shapes, dtypes, strides and whether they share memory, with a program for
    each kind of arguments; arrays and `requires_grad` of parameters and buffers; attributes and hooks of the modules
    (`training`, a dropout's `p`) and of the optimisers; the parameters of the groups (`lr` and the other options are
    read in each step); gradient mode, default dtype and minitorch's random generator; and the numbers, texts and
    objects themselves that the function's own code reads by name from its closure and the globals. What has changed is
    traced anew. What is in a list, a dict or a configuration object is frozen.

    Audited are replays 1, 2, 4, 8, 16, … of each program and every `audit_every`-th: the replay and the eager step
    run from one state, arguments included, and what they leave is compared to the last bit. Where it differs the eager
    result stands, a RuntimeWarning names the first difference, and the step stays eager. A difference that shows in
    each step is found before the step has run twice as often as until then, and the replays since the last audit were
    wrong; one that comes and goes may not be found. An audited step is
    made once in Python, and what it does there (it prints, it counts) is done once; a scheduler that it steps is put
    back in between.

    Refused with operation and line, by a RuntimeWarning, are `.item()`, a branch on a number, a mask of booleans,
    shapes that follow from numbers, seeding, an argument that requires gradients, a closure given to `optimizer.step`,
    a number that the step changes itself (`n += 1`) and a result that is kept outside instead of returned; the step
    goes on eagerly, as on a GPU.

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
    models = [model] if isinstance(model, Module) or not isinstance(model, Iterable) else list(model)
    for each in models:
        if not isinstance(each, Module):
            raise TypeError(f"capture: {type(each).__name__} is no Module: write capture(step, model, optimizer)")
    for each in optimizers:
        if not isinstance(each, Optimizer):
            raise TypeError(f"capture: {type(each).__name__} is no Optimizer: write capture(step, model, optimizer)")
    if not optimizers:
        raise TypeError("capture: it needs the optimisers that step in it: write capture(step, model, optimizer)")
    return CapturedStep(function, models, list(optimizers), audit_every, verify_every)


def captured(
    model: Module | Iterable[Module], *optimizers: Any, audit_every: int = 0, verify_every: int | None = None
) -> Callable[[Callable[P, R]], CapturedStep[P, R]]:
    """`capture` as a decorator: `@captured(model, optimizer)` above the step."""
    return lambda function: capture(function, model, *optimizers, audit_every=audit_every, verify_every=verify_every)


def _tell(why: str) -> None:
    """Says so, where the step is called."""
    warn(f"this step is not captured, and goes on eagerly: {why}", RuntimeWarning)


def _as_constant(leaf: Any) -> Any:
    """A result that no later step changes, and that leads to no graph."""
    if isinstance(leaf, Tensor):
        return constant(leaf._data.copy(order="K"))
    return leaf.copy(order="K") if isinstance(leaf, np.ndarray) else leaf

"""Tracing: one training step runs, really, while its calls of NumPy are recorded."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.node import last_uid
from minitorch.autograd.scope import Scoped, current_scope
from minitorch.autograd.tensor_base import constant
from minitorch.replay.layout import Given, argument_names, share_memory
from minitorch.replay.passes.checks import with_checks_first
from minitorch.replay.program import Instruction, Output, Program, Slot, leaves, mapped, numbered
from minitorch.replay.recorder import Recorder
from minitorch.replay.traced import CannotCaptureError, Traced, TracedRandomness, calling_line


def trace(
    function: Callable[..., Any], given: Given, tensors: dict[Tensor, str], optimizers: Sequence[Any]
) -> tuple[Any, Program]:
    """Run a step once with what it is given; return what it returned, and the program of it.

    Raises CannotCaptureError where something cannot be traced; what the step has changed by then stays changed,
    so the caller has kept a copy.
    """
    recorder = Recorder()
    try:
        result, program = _traced(recorder, function, given, tensors, optimizers)
    except BaseException as error:
        each: BaseException | None = error
        while each is not None:  # the frames hold stand-ins
            each.__traceback__, each = None, each.__context__
        recorder.close()
        raise
    kept = recorder.close()
    if kept:
        program.obstacle = f"it keeps what {kept} gives: return it, and keep it outside of the step"
    return result, program


def _traced(
    recorder: Recorder,
    function: Callable[..., Any],
    given: Given,
    tensors: dict[Tensor, str],
    optimizers: Sequence[Any],
) -> tuple[Any, Program]:
    world, own = _World(recorder, tensors), _Arguments(recorder, argument_names(function, given))
    listener = _Listener(recorder, {node.uid for tensor in tensors if (node := tensor._node) is not None})
    random = TracedRandomness(recorder, current_scope().random.generator)
    arguments, options = mapped(given, own.stand_in)
    before = _as_it_is([arguments, options])
    with ExitStack() as stack:
        stack.enter_context(world)
        for optimizer in optimizers:
            stack.enter_context(world.stepping(optimizer))
        stack.enter_context(_Watching(listener, random))
        scope = current_scope()
        try:
            returned = function(*arguments, **options)
            listener.on_end()
            if before != _as_it_is([arguments, options]):
                raise CannotCaptureError("it puts something into a list, a dict or a Tensor it is given: return it")
            own.require_apart(recorder.instructions)
            world.settle()
            if recorder.refusals:
                raise recorder.refusals[0]
            if scope != current_scope():
                raise CannotCaptureError("it changes a setting, such as the default dtype: change that outside of it")
            outputs = mapped(returned, _output_of)
            results = [getattr(leaf, "_data", leaf) for leaf in leaves(returned)]
            arrays = [each.value for each in results if isinstance(each, Traced)]
        except BaseException:
            listener.restore()
            raise
    program = Program(recorder.instructions, own.slots, world.slots, outputs)
    with_checks_first(program)
    return program.filled(arrays), program


class _Arguments:
    """The arrays that a step is given, and the stand-ins in their places.

    slots: for each place of an array, its name in the program.
    """

    def __init__(self, recorder: Recorder, names: list[str]) -> None:
        self._recorder, self._names = recorder, names
        self.slots: list[Slot] = []
        self._given: dict[int, Any] = {}  # by the identity of what was given
        self._arrays: list[np.ndarray] = []

    def stand_in(self, leaf: Any) -> Any:
        """Return what the step is given in the place of one argument, or of a part of one."""
        array = leaf._data if isinstance(leaf, Tensor) else leaf
        if not isinstance(array, np.ndarray):
            return leaf
        if isinstance(leaf, Tensor) and leaf._node is not None:
            raise CannotCaptureError("an argument requires gradients: give it detached, or make it a parameter")
        if type(leaf) not in (Tensor, np.ndarray):
            raise CannotCaptureError(f"an argument is a {type(leaf).__name__}: give a Tensor of its numbers")
        self.slots.append(self._recorder.slot("argument", array, name=self._names[len(self.slots)]))
        if id(array) not in self._given:  # the same array, or Tensor, may be in two places
            self._given[id(array)] = Traced(self._recorder, array, self.slots[-1])
            self._arrays.append(array)
        if id(leaf) not in self._given:
            self._given[id(leaf)] = constant(self._given[id(array)])
        return self._given[id(leaf)]

    def require_apart(self, instructions: list[Instruction]) -> None:
        """Raise CannotCaptureError if a step writes into an argument that shares its memory with another."""
        if share_memory(self._arrays) and any(slot.kind == "argument" for each in instructions for slot in each.writes):
            raise CannotCaptureError("it changes an argument that shares its memory with another: give it a copy")


def _as_it_is(value: Any) -> list[tuple[int, int, int]]:
    """Return what is the same as long as only arrays are written into: which leaves there are, and what they hold."""
    return [(id(each), id(getattr(each, "_data", None)), id(getattr(each, "_node", None))) for each in leaves(value)]


class _Watching(Scoped):
    """Operations are told to `watch`, and random numbers come from `random`."""

    def __init__(self, watch: Any, random: Any) -> None:
        super().__init__()
        self._watch, self._random = watch, random

    def changed(self, scope: Any) -> Any:
        return replace(scope, watchers=(self._watch,), random=self._random)


class _Listener:
    """Gives the instructions written so far the name of the operation that they belong to, and results theirs.

    What linear gives for the second time is linear2, and its gradient linear2_grad.
    """

    def __init__(self, recorder: Recorder, leaves: set[int]) -> None:
        self._recorder, self._done = recorder, 0
        self._leaves, self._begun = leaves, last_uid()
        self._schedulers: dict[Any, Any] = {}  # each with its state before its first step
        self._calls: Counter[str] = Counter()
        self._numbers: dict[int, int] = {}  # of a place in the graph, which call of its operation made it
        self._results: dict[int, str] = {}  # and what its result is called

    def __call__(self, name: str, _: Any, result: Any, __: Any) -> None:
        for parent in () if result._node is None else result._node.parents:
            if parent is not None and parent.uid < self._begun and parent.uid not in self._leaves:
                graph = f"a graph from outside of the step ({calling_line()})"
                raise CannotCaptureError(f"{name} is given a Tensor with {graph}: detach() it, or train its parameter")
        self._calls[name] += 1
        number = self._calls[name]
        self._name(name, number)
        called = _call(result._data, numbered(name, number))
        if result._node is not None:
            self._numbers[result._node.uid], self._results[result._node.uid] = number, called

    def on_start(self, _: Any = None) -> None:
        """A backward pass begins, or ends: what is written down from there on belongs to no operation yet."""
        self._name("")

    on_end = on_start

    def on_node(self, uid: int, op: str, gradients: Iterable[tuple[Any, Any]]) -> None:
        """A node has given its contributions."""
        self._name(f"d {op}" if op else "", self._numbers.get(uid, 0))
        for node, gradient in gradients:
            if node.uid in self._results:
                _call(gradient, f"{self._results[node.uid]}_grad")

    def scheduled(self, scheduler: Any, arguments: tuple[Any, ...]) -> None:
        """A scheduler makes a step, which a replay makes, too; and with it those that it is made of."""
        if any(scheduler in getattr(each, "_schedulers", ()) for each in self._schedulers):
            return
        self._schedulers.setdefault(scheduler, copy.deepcopy(scheduler.state_dict()))
        self._recorder.instructions.append(Instruction("call", "step", None, ("scheduler", scheduler, arguments, {})))

    def restore(self) -> None:
        """Puts the schedulers back to where they were."""
        for scheduler, state in self._schedulers.items():
            scheduler.load_state_dict(state)

    def _name(self, name: str, number: int = 0) -> None:
        for each in self._recorder.instructions[self._done :]:
            if each.label in ("", name):
                each.label, each.number = name, number
        self._done = len(self._recorder.instructions)


def _call(array: Any, name: str) -> str:
    """Gives what an operation made its name; where that is a view of all of it, the memory that it shows.

    Returns the name, or that which the memory has already.
    """
    array = getattr(array, "_data", array)
    if not isinstance(array, Traced) or array.value.size != math.prod(array.slot.memory.shape):
        return name
    slot, memory = array.slot, array.slot.memory
    if memory.kind != "made" or memory.name:
        return memory.name.removesuffix("_bits") or name
    memory.name = name
    if slot.dtype != memory.dtype:
        slot.name, memory.name = name, f"{name}_bits"
    return name


class _World:
    """The Tensors that live on: while a step is traced, stand-ins are in the place of their arrays."""

    def __init__(self, recorder: Recorder, tensors: dict[Tensor, str]) -> None:
        self._recorder, self._record = recorder, recorder.instructions.append
        self._places = [(name, tensor, tensor._data, tensor._node) for tensor, name in tensors.items()]
        self._traced = {tensor: recorder.traced("held", array, name) for name, tensor, array, _ in self._places}
        self._grads: dict[Any, Any] = {}  # what each node's gradient is known to be
        self.slots = {each.slot: tensor for tensor, each in self._traced.items()}

    def __enter__(self) -> None:
        for name, _, _, node in self._places:
            if node is not None and node.grad is not None:
                grad = getattr(node.grad, "_data", node.grad)
                node.grad = self._recorder.traced("gradient", grad, f"{name}.grad before")
                self._record(Instruction("entering", "grad", None, (name, node), {}, (node.grad.slot,)))
            if node is not None:
                self._grads[node] = node.grad
        self._put_in()

    def __exit__(self, *_: object) -> None:
        self._put_back()

    def _put_in(self) -> None:
        for tensor, traced in self._traced.items():
            tensor._data = traced  # type: ignore[assignment]

    def _put_back(self) -> None:
        for _, tensor, array, node in self._places:
            tensor._data = array
            if node is not None and isinstance(node.grad, Traced):
                node.grad = node.grad.value

    def settle(self) -> None:
        """Record what the gradients are now, where that is not what they were."""
        for name, tensor, _, node in self._places:
            data: Any = tensor._data
            if tensor._node is not node:
                raise CannotCaptureError(f"it changes requires_grad of {name}, or its graph: do that before")
            if data is not self._traced[tensor]:
                raise CannotCaptureError(f"it puts another array into {name}: write into the one that it has")
            if node is not None and node.grad is not self._grads[node]:
                grad = getattr(node.grad, "_data", node.grad)
                if grad is not None and not isinstance(grad, Traced):
                    raise CannotCaptureError(f"the gradient of {name} is set to an array from outside")
                self._record(Instruction("grad", "grad", None, (name, node, None if grad is None else grad.slot)))
                self._grads[node] = node.grad

    @contextmanager
    def stepping(self, optimizer: Any) -> Iterator[None]:
        """Let the optimiser step on the real arrays, as it will in each replay."""

        def before(*_: Any) -> None:
            self.settle()
            self._put_back()

        def after(_: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
            if any(each is not None for each in (*arguments, *options.values())):
                raise CannotCaptureError("it steps with a closure, which computes the loss again")
            for node, grad in self._grads.items():
                node.grad = grad
            self._put_in()
            params = [param for group in optimizer.param_groups for param in group["params"]]
            moved = tuple([self._traced[param].slot for param in params])
            self._record(Instruction("call", "step", None, ("optimizer", optimizer, (), {}), writes=moved))

        with optimizer.register_step_pre_hook(before), optimizer.register_step_post_hook(after):
            yield


def _output_of(leaf: Any) -> Any:
    data = leaf._data if isinstance(leaf, Tensor) else leaf
    if isinstance(data, Traced):
        return Output(data.slot, isinstance(leaf, Tensor), data is leaf and data.is_number)
    if isinstance(leaf, Tensor):
        raise CannotCaptureError("it returns a Tensor that hangs on nothing which it is given: make that outside of it")
    if isinstance(leaf, (int, float, str, type(None))):
        return leaf
    raise CannotCaptureError(f"it returns a {type(leaf).__name__}: return Tensors")

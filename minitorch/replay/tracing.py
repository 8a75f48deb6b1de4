"""Tracing: one training step runs, really, while it is written down."""

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
from minitorch.autograd.scope import Scoped, current_scope
from minitorch.autograd.tensor_base import constant
from minitorch.autograd.version import find, version_of
from minitorch.replay.effects import HeldBack, Watched
from minitorch.replay.facts import Fact
from minitorch.replay.guards import came_with
from minitorch.replay.layout import argument_names, share_memory
from minitorch.replay.objects import named_kind
from minitorch.replay.origin import numbered
from minitorch.replay.passes.checks import with_checks_first
from minitorch.replay.program import Instruction, Output, Program, Slot, mapped
from minitorch.replay.recorder import Recorder
from minitorch.replay.surroundings import Surroundings
from minitorch.replay.traced import CannotCaptureError, Traced, TracedRandomness


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

    def __init__(self, recorder: Recorder) -> None:
        self._recorder, self._done = recorder, 0
        self._schedulers: dict[Any, Any] = {}  # each with its state before its first step
        self._calls: Counter[str] = Counter()
        self._numbers: dict[int, int] = {}  # of a place in the graph, which call of its operation made it
        self._results: dict[int, str] = {}  # and what its result is called

    def __call__(self, name: str, _: Any, result: Any, __: Any) -> None:
        self._calls[name] += 1
        number = self._calls[name]
        self._name(name, number)
        called = _call(result._data, numbered(name, number))
        if result._node is not None:
            self._numbers[result._node.uid], self._results[result._node.uid] = number, called

    def on_start(self, _: Any) -> None:
        """A backward pass begins."""
        self._name("")

    def on_node(self, uid: int, op: str, gradients: Iterable[tuple[Any, Any]]) -> None:
        """A node has given its contributions."""
        self._name(f"d {op}" if op else "", self._numbers.get(uid, 0))
        for node, gradient in gradients:
            if node.uid in self._results:
                _call(gradient, f"{self._results[node.uid]}_grad")

    def on_end(self) -> None:
        """The pass is over."""
        self._name("")

    def scheduled(self, scheduler: Any, arguments: tuple[Any, ...]) -> None:
        """A scheduler makes a step, which a replay makes, too; and with it those that it is made of."""
        if any(scheduler in getattr(each, "_schedulers", ()) for each in self._schedulers):
            return
        self._schedulers.setdefault(scheduler, copy.deepcopy(scheduler.state_dict()))
        self._recorder.add(Instruction("call", "step", None, ("scheduler", scheduler, arguments, {})))

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


def trace(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    options: dict[str, Any],
    held: dict[Tensor, str],
    optimizers: Sequence[Any],
    around: Surroundings,
) -> tuple[Any, Program]:
    """Runs function(*arguments, **options) once; returns what it returned, and the program of it.

    Each call that it makes is looked at, before it is made.

    Raises CannotCaptureError where something cannot be written down; what the step has changed by then of `held` stays
    changed, so the caller has kept a copy; other arrays are as before.
    """
    recorder = Recorder()
    random = TracedRandomness(recorder, current_scope().random.generator)
    names = argument_names(function, arguments, options)
    slots: list[Slot] = []
    given_already: dict[int, Any] = {}
    tensors: list[tuple[Tensor, Traced]] = []
    arrays: dict[int, Traced] = {}

    def stand_in(leaf: Any) -> Any:
        array = leaf._data if isinstance(leaf, Tensor) else leaf
        if not isinstance(array, np.ndarray):
            return leaf
        name = names[len(slots)]
        if id(leaf) in given_already:  # the same in two places
            slots.append(recorder.slot("argument", array, name=name))
            return given_already[id(leaf)]
        if isinstance(leaf, Tensor) and leaf._node is not None:
            raise CannotCaptureError("an argument requires gradients: give it detached, or make it a parameter")
        if type(leaf) not in (Tensor, np.ndarray):
            raise CannotCaptureError(f"an argument is {named_kind(leaf)}: give a Tensor of its numbers")
        traced: Any = arrays.get(id(array))
        if traced is None:
            traced = arrays[id(array)] = recorder.traced("argument", array, name)
            slots.append(traced.slot)
        else:
            slots.append(recorder.slot("argument", array, name=name))
        found = traced
        if isinstance(leaf, Tensor):
            found = constant(traced)
            tensors.append((found, traced))
        given_already[id(leaf)] = found
        return found

    world = _World(recorder, held, around.arrays)
    listener = _Listener(recorder)
    with ExitStack() as stack:
        given = mapped((arguments, options), stand_in)
        parts = [*_parts_of((arguments, options)), *_parts_of(given)]
        stack.enter_context(world)
        for optimizer in optimizers:
            stack.enter_context(world.stepping(optimizer))
        stack.enter_context(_Watching(listener, random))
        states = [(each, each.state) for each in optimizers]
        printed = stack.enter_context(HeldBack())
        scope = copy.copy(current_scope())
        try:
            with Watched(around.codes) as watched:
                returned = function(*given[0], **given[1])
            listener.on_end()
            _require_as_given(parts, tensors)
            if any(each.state is not state for each, state in states):
                raise CannotCaptureError("it loads a state into its optimiser: do that outside of the step")
            written = {slot.kind for each in recorder.instructions for slot in each.writes}
            if "argument" in written and share_memory([each.value for each in arrays.values()]):
                raise CannotCaptureError("it changes an argument that shares its memory with another: give it a copy")
            world.settle()
            if watched.warns:
                raise CannotCaptureError(watched.warns)
            if recorder.refusals:
                raise recorder.refusals[0]
            if scope != current_scope():
                raise CannotCaptureError("it changes a setting, such as the default dtype: change that outside of it")
            _require_new(returned, around)
            result, outputs = mapped(returned, _real_result), mapped(returned, _slot_result)
        except BaseException:
            around.drew = any(each.how == "draw" for each in recorder.instructions)
            listener.restore()
            recorder.undo()
            raise
        program = Program(recorder.instructions, slots, list(world.slots), outputs, world.came_with)
        program.stamped = _stamped([*arrays.values(), *world.followed()])
        program.prints, around.drew = watched.prints, program.draws
        recorder.close()
        with_checks_first(program)
        printed.go_on()
    return result, program


class _World:
    """The Tensors that live on: while a step is written down, stand-ins are in the place of their arrays."""

    def __init__(self, recorder: Recorder, held: dict[Tensor, str], places: Sequence[Fact]) -> None:
        self._recorder = recorder
        self._names = held
        self._arrays = {tensor: tensor._data for tensor in held}
        self._traced = {tensor: recorder.traced("held", tensor._data, name) for tensor, name in held.items()}
        self._nodes = {tensor: tensor._node for tensor in held if tensor._node is not None}
        self.came_with = came_with(held)
        self._grads: dict[Any, Any] = {}  # what each node's gradient is known to be
        self.slots = [each.slot for each in self._traced.values()]
        known = {id(tensor._data): self._traced[tensor] for tensor in held}
        for fact in places:
            if id(fact.value) not in known:
                known[id(fact.value)] = recorder.traced("held", fact.value, fact.name)
        self._places = [(fact, known[id(fact.value)]) for fact in places]

    def followed(self) -> list[Traced]:
        """The stand-ins of all arrays that live on."""
        return [*self._traced.values(), *(traced for _, traced in self._places)]

    def __enter__(self) -> None:
        for tensor, node in self._nodes.items():
            grad = node.grad
            if grad is not None:
                name = f"{self._names[tensor]}.grad before"
                traced = self._recorder.traced("gradient", getattr(grad, "_data", grad), name)
                self._recorder.add(
                    Instruction("entering", "grad", None, (self._names[tensor], node), {}, (traced.slot,))
                )
                node.grad = traced
            self._grads[node] = node.grad
        self._put_in()

    def __exit__(self, *_: object) -> None:
        self._put_back()

    def _put_in(self) -> None:
        for tensor, traced in self._traced.items():
            tensor._data = traced  # type: ignore[assignment]
        for fact, traced in self._places:
            fact.put(traced)

    def _put_back(self) -> None:
        for fact, traced in self._places:
            if fact.now() is traced:
                fact.put(fact.value)
        for tensor, array in self._arrays.items():
            tensor._data = array
        for node in self._nodes.values():
            if isinstance(node.grad, Traced):
                node.grad = node.grad.value

    def settle(self) -> None:
        """Writes down what the gradients are now, where that is not what they were."""
        for tensor, node in self._nodes.items():
            if tensor._node is not node:
                name = self._names[tensor]
                raise CannotCaptureError(
                    f"it changes requires_grad of {name}, or its place in the graph: do that before"
                )
            if node.grad is not self._grads[node]:
                grad = getattr(node.grad, "_data", node.grad)
                if grad is not None and not isinstance(grad, Traced):
                    raise CannotCaptureError(f"the gradient of {self._names[tensor]} is set to an array from outside")
                value = None if grad is None else grad.slot
                self._recorder.add(Instruction("grad", "grad", None, (self._names[tensor], node, value), label=""))
                self._grads[node] = node.grad
        for tensor, traced in self._traced.items():
            data: Any = tensor._data
            if data is not traced:
                name = self._names[tensor]
                raise CannotCaptureError(f"it puts another array into {name}: write into the one that it has")

    @contextmanager
    def stepping(self, optimizer: Any) -> Iterator[None]:
        """Lets the optimiser step on the real arrays, as it will in each replay."""

        def before(*_: Any) -> None:
            self.settle()
            self._put_back()

        def after(_: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
            if any(each is not None for each in (*arguments, *options.values())):
                raise CannotCaptureError("it steps with a closure, which computes the loss again")
            for node, grad in self._grads.items():
                node.grad = grad
            self._put_in()
            moved = tuple(
                dict.fromkeys(self._traced[param].slot for group in optimizer.param_groups for param in group["params"])
            )
            self._recorder.add(
                Instruction("call", "step", None, ("optimizer", optimizer, (), {}), writes=moved, label="")
            )

        hooks = [optimizer.register_step_pre_hook(before), optimizer.register_step_post_hook(after)]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()


def _require_new(returned: Any, around: Surroundings) -> None:
    """Raises CannotCaptureError if a list or dict that the step sees around it is among what it returns."""
    if isinstance(returned, (list, dict)) and around.has_met(returned):
        raise CannotCaptureError(f"it returns {named_kind(returned)} that it sees around it: return what is in it")
    if isinstance(returned, (list, tuple, dict)):
        for each in returned.values() if isinstance(returned, dict) else returned:
            _require_new(each, around)


def _stamped(arrays: Iterable[Traced]) -> dict[Slot, str]:
    """Which of these the step has changed in place, and by what: a graph that has saved their numbers is to know it.

    The step of an optimiser says so itself, and is left out where it came last.
    """
    found = {}
    for traced in arrays:
        version = find(id(traced))
        if version is not None and version.written > version_of(traced.value).written:
            found[traced.slot] = version.written[1]
    return found


def _parts_of(value: Any) -> Iterator[tuple[Any, list[Any]]]:
    """The lists, dicts and tuples in a value, and what is in each. CannotCaptureError for one of another class."""
    if not isinstance(value, (tuple, list, dict)):
        return
    if type(value) not in (tuple, list, dict) and not hasattr(value, "_fields"):
        raise CannotCaptureError(f"an argument is {named_kind(value)}: give what the step needs of it")
    yield value, _inside(value)
    for each in value.values() if isinstance(value, dict) else value:
        yield from _parts_of(each)


def _inside(value: Any) -> list[Any]:
    return [*value, *value.values()] if isinstance(value, dict) else [*value]


def _require_as_given(parts: list[tuple[Any, list[Any]]], tensors: list[tuple[Tensor, Traced]]) -> None:
    """Raises CannotCaptureError if a step has changed its arguments otherwise than by writing into arrays."""
    for holder, before in parts:
        now = _inside(holder)
        if len(now) != len(before) or any(one is not other for one, other in zip(now, before, strict=True)):
            raise CannotCaptureError(f"it changes {named_kind(holder)} that it is given: return it instead")
    for tensor, traced in tensors:
        data: Any = tensor._data
        if tensor._node is not None or data is not traced:
            raise CannotCaptureError(
                "it changes a Tensor that it is given, its place in the graph or its array: detach() it first"
            )


def _real_result(leaf: Any) -> Any:
    """What a step returned, with real arrays: Tensors without their past."""
    if isinstance(leaf, Tensor):
        data: Any = leaf._data
        return constant((data.value if isinstance(data, Traced) else data).copy(order="K"))
    if isinstance(leaf, Traced):
        return leaf.value[()] if leaf.is_number else leaf.value.copy(order="K")
    return leaf


def _slot_result(leaf: Any) -> Any:
    data = leaf._data if isinstance(leaf, Tensor) else leaf
    if isinstance(data, Traced):
        return Output(data.slot, isinstance(leaf, Tensor), data is leaf and data.is_number)
    if isinstance(leaf, Tensor):
        raise CannotCaptureError("it returns a Tensor that hangs on nothing which it is given: make that outside of it")
    if isinstance(leaf, (int, float, str, type(None))):
        return leaf
    raise CannotCaptureError(f"it returns {named_kind(leaf)}: return Tensors")

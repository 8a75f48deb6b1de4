"""The recorder of memory: it hears of operations and backward passes, and notes which arrays come, and when they go.

It holds weak references alone, so that all dies as if nobody recorded. What it is never told of, it does not count: an
array that lives inside one operation only, and one that no operation has to do with.
"""

from __future__ import annotations

import sys
import tracemalloc
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from minitorch.autograd.node import Node, last_uid
from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import owner
from minitorch.backend import is_array
from minitorch.graph.scopes import Here, ModuleScopes, Running
from minitorch.viz.facts.holders import is_ours
from minitorch.viz.facts.memory import Kind, Moment, Phase, Role
from minitorch.viz.facts.observer import Watching
from minitorch.viz.facts.scopes import parameters_of

NOISE = 4096  # bytes of Python's own objects, beside the arrays, in what tracemalloc measures
DEEPEST = 4

Line = tuple[str, int]


class Seen(weakref.ref[Any]):
    """An array that was seen; it *is* the weak reference to it. The rest is what a Life says, as far as it is known."""

    __slots__ = ("birth", "death", "dtype", "key", "kind", "nbytes", "place", "role", "savers", "shape")

    key: int
    place: int
    kind: Kind
    role: Role
    nbytes: int
    shape: tuple[int, ...]
    dtype: str
    birth: int
    death: int | None
    savers: list[int]


class Spot:
    """A place as it is found: what made it, and where; label: the user's own name for it."""

    __slots__ = ("dtype", "label", "line", "op", "scope", "shape", "uid")

    def __init__(self, uid: int, op: str, array: Any, scope: str, line: Line | None, label: str = "") -> None:
        self.uid, self.op, self.scope, self.line, self.label = uid, op, scope, line, label
        self.shape, self.dtype = tuple(array.shape), str(array.dtype)


class Recorder:
    """Follows a program from `start` to `stop`.

    model: a Module, which names its parameters and where operations happen, or None. optimizer: has hooks of a step, or
    None. labels: name → Tensor. inside: whether tracemalloc measures what is needed between two moments.
    """

    def __init__(self, model: Any, optimizer: Any, labels: Mapping[str, Any], inside: bool) -> None:
        self.running = Running()
        self.kinds: dict[str, str] = {}
        self.moments: list[Moment] = []
        self.spots: list[Spot] = []
        self.lives: list[Seen] = []
        self.results: list[weakref.ref[Any]] = []
        self.leaves: list[weakref.ref[Any]] = []
        self._labels = {id(tensor): name for name, tensor in {**parameters_of(model), **labels}.items()}
        self._given = (model, optimizer, tuple(labels.values()))
        self._bare: list[weakref.ref[Any]] = []  # leaves that had no gradient
        self._known: dict[int, Seen] = {}
        self._spot_of: dict[int, int] = {}  # uid of a node → its place
        self._leaf_uids: set[int] = set()
        self._passes = 0
        self._inside = inside
        self._traced_before = False
        self._before = 0  # bytes that tracemalloc knew of after the last moment
        self._scopes = None if model is None else ModuleScopes(model)
        self._here, self._watching = Here(self.running), Watching(self)
        self._handles: list[Any] = []
        self._start = 0

    # -- from beginning to end -----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begins, with what there is of the model and the optimizer."""
        _, optimizer, labelled = self._given
        self._start = last_uid()
        if self._inside:
            self._traced_before = tracemalloc.is_tracing()
            if not self._traced_before:
                tracemalloc.start()
        for tensor in (*self._parameters(), *(each for each in labelled if isinstance(each, TensorBase))):
            self._take_tensor(tensor)
        self._take_state()
        self._moment("before")
        if self._scopes is not None:
            self._scopes.install(self)
        if optimizer is not None:
            self._handles = [
                optimizer.register_step_pre_hook(self._before_step),
                optimizer.register_step_post_hook(self._after_step),
            ]
        self._here.__enter__()
        self._watching.__enter__()

    def stop(self) -> None:
        """Ends, with what is left. Nothing of the program is held any more."""
        self._watching.__exit__(None, None, None)
        self._here.__exit__(None, None, None)
        if self._scopes is not None:
            self._scopes.remove()
        while self._handles:
            self._handles.pop().remove()
        self._take_state()
        self._take_gradients()
        self._moment("after")
        if self._inside and not self._traced_before:
            tracemalloc.stop()
        self._given = (None, None, ())
        self._scopes = None
        self._known.clear()

    def forget_gradients(self) -> None:
        """Takes the gradients away from leaves that had none when they were first seen."""
        for reference in self._bare:
            tensor = reference()
            if tensor is not None and tensor._node is not None:
                tensor._node.grad = None

    # -- what is heard -------------------------------------------------------------------------------------------------

    def __call__(self, name: str, arguments: Sequence[Any], result: TensorBase, _slots: Sequence[int] = ()) -> None:
        """An operation has happened."""
        node = result._node
        for parent in () if node is None else node.parents:
            if parent is not None and parent.is_leaf and parent.uid not in self._leaf_uids:
                tensor = parent.tensor
                if tensor is not None:
                    self._take_tensor(tensor)
        for array in arrays(arguments):
            self._take_given(array)
        spot = self._result(name, result)
        self._moment("within" if self._passes else "forward", name, spot)

    def arrived(self, tensor: TensorBase, former: Any) -> None:
        """A place came that no call made, or a result took the place of another."""
        node = tensor._node
        if node is None:
            return
        spot = self._spot_of.get(former._node.uid) if former is not None and former._node is not None else None
        if spot is None:
            spot = self._result(node.op or "", tensor)
            self._moment("within" if self._passes else "forward", node.op, spot)
        self._spot_of[node.uid] = spot
        self._follow(tensor)

    def wrote(self, name: str, tensor: TensorBase) -> None:
        """Numbers were changed in place, unrecorded."""
        self._take_given(tensor._data)
        known = self._known.get(id(_owner(tensor._data)))
        self._moment("write", name, None if known is None else known.place)

    def on_start(self, gradients: Iterable[tuple[Node, Any]]) -> None:
        """A backward pass begins."""
        self._passes += 1
        self._take_pairs(gradients)

    def on_node(self, uid: int, op: str, gradients: Iterable[tuple[Node, Any]]) -> None:
        """A backward pass has passed a node."""
        self._take_pairs(gradients)
        if op:  # a leaf hands nothing on
            self._moment("backward", op, self._spot_of.get(uid))

    def on_end(self) -> None:
        """A backward pass is over."""
        self._passes -= 1
        before = len(self.lives)
        self._take_gradients()
        if len(self.lives) > before:
            self._moment("collected")

    def label(self, **names: Any) -> None:
        """Says what to call which Tensor; asked by the model's hooks, and known already."""

    def _before_step(self, _optimizer: Any, _args: Any, _kwargs: Any) -> None:
        self._take_gradients()

    def _after_step(self, optimizer: Any, _args: Any, _kwargs: Any) -> None:
        self._take_state()
        self._moment("update", type(optimizer).__name__)

    def _moment(self, phase: Phase, op: str = "", spot: int | None = None) -> None:
        needed = 0
        if self._inside:
            now, most = tracemalloc.get_traced_memory()
            needed = most - max(self._before, now) if self.moments else 0
            needed = needed if needed > NOISE else 0
        self.moments.append(Moment(phase, op, spot, needed))
        if self._inside:
            tracemalloc.reset_peak()
            self._before = tracemalloc.get_traced_memory()[0]

    # -- arrays --------------------------------------------------------------------------------------------------------

    def _see(self, array: Any, kind: Kind, role: Role, spot: Callable[[], int]) -> Seen:
        """The array that owns this memory, as it is known, or from now on. spot: makes the place of a new one."""
        own = _owner(array)
        seen = self._known.get(id(own))
        if seen is None:
            seen = Seen(own, self._gone)
            seen.key, seen.place, seen.kind, seen.role = id(own), spot(), kind, role
            seen.nbytes, seen.shape, seen.dtype = int(own.nbytes), tuple(own.shape), str(own.dtype)
            seen.birth, seen.death, seen.savers = len(self.moments), None, []
            self._known[seen.key] = seen
            self.lives.append(seen)
        return seen

    def _gone(self, seen: Seen) -> None:
        seen.death = len(self.moments)
        if self._known.get(seen.key) is seen:
            del self._known[seen.key]

    def _spot(self, uid: int, op: str, array: Any, line: Line | None = None, label: str = "") -> int:
        self.spots.append(Spot(uid, op, array, (self.running.path or "") if op else "", line, label))
        if uid:
            self._spot_of[uid] = len(self.spots) - 1
        return len(self.spots) - 1

    def _result(self, name: str, result: TensorBase) -> int:
        """The place of a result, with what its gradient rules saved."""
        node, data = result._node, result._data
        spot = self._spot(0 if node is None else node.uid, name, data, calling_line())
        self._see(data, "temporary", "value", lambda: spot)
        for array in () if node is None else arrays(node.saved or ()):
            saved = self._see(array, "activation", "saved", lambda: spot)
            if saved.kind == "temporary":
                saved.kind = "activation"
            if spot not in saved.savers:
                saved.savers.append(spot)
        self._follow(result)
        return spot

    def _follow(self, tensor: Any) -> None:
        self.results.append(weakref.ref(tensor))

    def _take_given(self, array: Any) -> None:
        """An array that no operation made, as far as is known."""
        self._see(array, "input", "value", lambda: self._spot(0, "", array))

    def _take_tensor(self, tensor: Any) -> None:
        """A Tensor that was there before, or that the program made: a leaf, or one that no gradient is asked of."""
        node, label = tensor._node, self._labels.get(id(tensor), "")
        if node is None or not node.is_leaf:
            self._see(tensor._data, "input", "value", lambda: self._spot(0, "", tensor._data, None, label))
            return
        uid = node.uid
        seen = self._see(tensor._data, "parameter", "value", lambda: self._spot(uid, "", tensor._data, None, label))
        if node.uid not in self._leaf_uids:
            self._leaf_uids.add(node.uid)
            self.leaves.append(weakref.ref(tensor))
            if node.grad is None:
                self._bare.append(weakref.ref(tensor))
        self._spot_of[node.uid] = seen.place
        if seen.kind == "input" or node.uid <= self._start:
            seen.kind = "parameter"
        if node.uid <= self._start:
            seen.birth = 0
        if node.grad is not None:
            self._gradient(node, node.grad)

    def _take_pairs(self, gradients: Iterable[tuple[Node, Any]]) -> None:
        for node, gradient in gradients:
            if gradient is not None:
                self._gradient(node, gradient)

    def _gradient(self, node: Node, gradient: Any) -> None:
        array = getattr(gradient, "_data", gradient)
        kind: Kind = "gradient" if node.is_leaf else "interior"

        def spot() -> int:
            known = self._spot_of.get(node.uid)
            return self._spot(node.uid, node.op, array) if known is None else known

        self._see(array, kind, "gradient", spot)

    def _take_gradients(self) -> None:
        """The gradients of all that is known and alive, whoever put them there."""
        for reference in (*self.leaves, *self.results):
            tensor = reference()
            node = None if tensor is None else tensor._node
            if node is not None and node.grad is not None:
                self._gradient(node, node.grad)

    def _parameters(self) -> Iterator[Any]:
        model, optimizer, _ = self._given
        yield from parameters_of(model).values()
        for group in () if optimizer is None else optimizer.param_groups:
            yield from group["params"]

    def _take_state(self) -> None:
        """The buffers of the model, and what the optimizer keeps."""
        model, optimizer, _ = self._given
        named = {} if model is None or not hasattr(model, "named_buffers") else dict(model.named_buffers())
        for name, buffer in named.items():
            self._take_kept(buffer._data, name)
        for tensor, kept in () if optimizer is None else optimizer.state.items():
            for name, value in kept.items():
                for array in arrays((value,)):
                    self._take_kept(array, f"{self._called(tensor)} {name}".strip())
        for array in () if optimizer is None else arrays(vars(optimizer).values(), DEEPEST, tensors=False):
            self._take_kept(array, type(optimizer).__name__)

    def _called(self, tensor: Any) -> str:
        spot = None if tensor._node is None else self._spot_of.get(tensor._node.uid)
        return self._labels.get(id(tensor), "") or ("" if spot is None else self.spots[spot].label)

    def _take_kept(self, array: Any, label: str) -> None:
        seen = self._see(array, "state", "value", lambda: self._spot(0, "", array, None, label))
        if seen.kind in ("input", "temporary"):
            seen.kind = "state"


def labelled(names: Mapping[str, Any]) -> dict[str, Any]:
    """The names of Tensors. Raises TypeError for a name of something else."""
    for name, tensor in names.items():
        if not isinstance(tensor, TensorBase):
            raise TypeError(f"viz.memory: names are of Tensors; {name} is a {type(tensor).__name__}")
    return dict(names)


def _owner(array: Any) -> Any:
    return array if array.base is None else owner(array)


def arrays(values: Iterable[Any], deepest: int = 2, tensors: bool = True) -> Iterator[Any]:
    """The arrays among some values, in lists, dicts and what optimisers are made of. tensors: those in Tensors, too."""
    for value in values:
        if isinstance(value, TensorBase):
            if tensors:
                yield value._data
        elif is_array(value):
            yield value
        elif deepest and isinstance(value, (list, tuple)):
            yield from arrays(value, deepest - 1, tensors)
        elif deepest and isinstance(value, dict):
            yield from arrays(value.values(), deepest - 1, tensors)
        elif deepest and type(value).__module__.startswith("minitorch.optim"):
            yield from arrays(vars(value).values(), deepest - 1, tensors)


def calling_line() -> Line | None:
    """The line of the program that is running: the innermost that is not of the package."""
    frame = sys._getframe(1)
    while frame is not None and is_ours(frame):
        frame = frame.f_back  # type: ignore[assignment]
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)

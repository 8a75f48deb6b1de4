"""The observer of a training: it hangs on an optimiser's hooks and on the Scope's watchers, and keeps numbers alone."""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from minitorch.autograd.node import Node, ancestors
from minitorch.autograd.scope import Scope, Scoped, no_grad
from minitorch.autograd.tensor_base import TensorBase, as_array
from minitorch.viz.facts.boundary import Regions
from minitorch.viz.facts.flat_sides import FLAT, passing
from minitorch.viz.facts.reading import numbers
from minitorch.viz.facts.training import NONE, Birth, Training, square

PLANE_SECONDS = 1.0  # between two looks at the plane
PLANE_SHARE = 0.01  # of the time of a training that they may take


class Watching(Scoped):
    """Inside, one more function is told of every operation."""

    __slots__ = ("watcher",)

    def __init__(self, watcher: Callable[..., None]) -> None:
        super().__init__()
        self.watcher = watcher

    def changed(self, scope: Scope) -> Scope:
        """The same Scope with this watcher as well."""
        return replace(scope, watchers=(*(scope.watchers or ()), self.watcher))


class Observer:
    """Follows one training from `start` to `stop` and writes down what it sees; it changes no number of it.

    model: has named_parameters(), or is a mapping of names to Tensors, or None. optimizer: has hooks of a step, or is
    None: then a step is looked at when its loss is told. plane: points and labels in the plane, or None. after: called
    at the end of every step.
    """

    def __init__(
        self,
        model: Any,
        optimizer: Any,
        *,
        every: int,
        dead_units: bool,
        plane: tuple[Any, Any] | None,
        after: Callable[[], None],
    ) -> None:
        self._model, self._optimizer, self._plane, self._after = model, optimizer, plane, after
        named = _named(model, optimizer)
        self._parameters = [tensor for _, tensor in named]
        self.facts = Training(tuple(name for name, _ in named), every)
        self._watching = Watching(self._operation) if dead_units else None
        self._handles: list[Any] = []
        self._close = True  # whether the step that is computed is looked at closely
        self._alive: list[tuple[str, np.ndarray]] = []
        self._copies: list[Any] = []
        self._loss: Callable[[], Any] = lambda: None
        self._lost: dict[int, float] = {}  # parameters whose gradients were lost, until the loss says which was first
        self._lost_at = 0
        self._plane_due = 0.0

    @property
    def followed(self) -> dict[str, Callable[[], Any]]:
        """The parameters by name, each held weakly."""
        return {name: weakref.ref(each) for name, each in zip(self.facts.names, self._parameters, strict=True)}

    # -- from beginning to end -----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Puts the hooks on. Raises ValueError for a plane that cannot be drawn."""
        if self._plane is not None:
            self._look_at_plane()
        if self._optimizer is not None:
            self._handles = [
                self._optimizer.register_step_pre_hook(self._before_step),
                self._optimizer.register_step_post_hook(self._after_step),
            ]
        if self._watching is not None:
            self._watching.__enter__()

    def stop(self, state: Literal["finished", "interrupted", "failed"]) -> None:
        """Takes the hooks off and lets go of everything but the facts."""
        while self._handles:
            self._handles.pop().remove()
        if self._watching is not None:
            self._watching.__exit__(None, None, None)
            self._watching = None
        self._settle_birth(None)
        self.facts.state = state
        self.see_plane()
        self._model = self._optimizer = self._plane = None
        self._parameters, self._copies, self._alive = [], [], []
        self._loss, self._after = lambda: None, lambda: None

    # -- what happens --------------------------------------------------------------------------------------------------

    def loss(self, loss: Any) -> None:
        """The loss of a step: a number, or a Tensor of which the graph is asked where a gradient was lost."""
        if type(loss) is float:
            value = loss
        else:
            try:
                value = loss._data.item() if isinstance(loss, TensorBase) else float(numbers(loss).reshape(()))
            except (TypeError, ValueError):
                shape = f" of shape {loss._data.shape}" if isinstance(loss, TensorBase) else ""
                kind = f"{type(loss).__name__}{shape}"
                said = f"viz.live: board.loss takes one number, not {kind}: give one of them, or their sum"
                raise TypeError(said) from None
        facts = self.facts
        facts.add_loss(value)
        if self._lost:
            self._settle_birth(loss)
        if isinstance(loss, TensorBase):
            self._loss = weakref.ref(loss)
        if not math.isfinite(value) and facts.birth is None:
            facts.birth = self._birth_of_loss(value)
        if self._optimizer is None:
            self._look_at_gradients()
            self._end_step()

    def _before_step(self, _optimizer: Any, _args: Any, _kwargs: Any) -> None:
        squares = self._look_at_gradients()
        self._copies = []
        if self._close:
            self._copies = [
                None if one == NONE else tensor._data.copy()
                for tensor, one in zip(self._parameters, squares, strict=True)
            ]

    def _after_step(self, _optimizer: Any, _args: Any, _kwargs: Any) -> None:
        if self._copies:
            self._look_at_update()
        self._end_step()

    def _look_at_gradients(self) -> list[float]:
        """The square of the norm of every gradient, NONE where there is none."""
        found: list[float] = []
        with np.errstate(all="ignore"):
            for tensor in self._parameters:
                grad = tensor.grad
                if grad is None:
                    found.append(NONE)
                else:
                    found.append(square(grad if type(grad) is np.ndarray else as_array(grad)))
        facts = self.facts
        facts.last = found
        row = np.array(found)
        if min(found) == NONE:
            row[row == NONE] = math.nan  # there is nothing to draw
        facts.squares.add(row)
        if facts.birth is None and not self._lost and not sum(found) < math.inf:
            self._lost = {number: one for number, one in enumerate(found) if not one < math.inf}
            self._lost_at = facts.steps + 1
            if self._loss() is not None:
                self._settle_birth(self._loss())
        return found

    def _look_at_update(self) -> None:
        moves, weights = [math.nan] * len(self._copies), [math.nan] * len(self._copies)
        for number, (tensor, before) in enumerate(zip(self._parameters, self._copies, strict=True)):
            if before is not None:
                weights[number] = square(before)
                with np.errstate(all="ignore"):
                    before -= tensor._data
                moves[number] = square(before)
        self._copies = []
        self.facts.moves.add(moves)
        self.facts.weights.add(weights)
        pairs = zip(moves, weights, strict=True)
        self.facts.last_ratios = tuple(
            None if math.isnan(moved) or not weight > 0 else math.sqrt(moved / weight) for moved, weight in pairs
        )

    def _end_step(self) -> None:
        facts = self.facts
        facts.steps += 1
        if self._alive:
            facts.add_dead(
                [int((~alive).sum()) for _, alive in self._alive],
                [alive.size for _, alive in self._alive],
                [called for called, _ in self._alive],
            )
            self._alive = []
        self._close = facts.steps % facts.every == 0
        if self._plane is not None and time.perf_counter() >= self._plane_due:
            self.see_plane()
        self._after()

    def _operation(self, name: str, arguments: Sequence[Any], result: Any, _slots: Sequence[int] = ()) -> None:
        """An operation has happened. Of one with a flat side: which units passed a gradient on for some sample."""
        if not self._close or name not in FLAT or result._node is None:
            return
        out = result._data
        found = passing(name, arguments, out) if out.ndim and out.size else None
        if found is not None:
            units = 1 if out.ndim >= 4 else out.ndim - 1  # channels of images; else the last axis
            called, passes = found
            self._alive.append((called, passes.any(axis=tuple(axis for axis in range(out.ndim) if axis != units))))

    # -- the plane -----------------------------------------------------------------------------------------------------

    def see_plane(self) -> None:
        """What the model says about every place of the plane, now, or why that cannot be drawn any more."""
        if self._plane is None:
            return
        begun = time.perf_counter()
        try:
            self._look_at_plane()
        except ValueError as error:
            self.facts.plane, self.facts.unplaced = None, str(error)
        spent = time.perf_counter() - begun
        self._plane_due = begun + max(PLANE_SECONDS, spent / PLANE_SHARE)

    def _look_at_plane(self) -> None:
        points, labels = self._plane or ((), ())
        first = self._parameters[0]
        was_training = getattr(self._model, "training", False)

        def score(places: np.ndarray) -> Any:
            return self._model(TensorBase.tensor_type(places.astype(first._data.dtype)).to(first.device))

        try:
            if was_training:
                self._model.eval()
            with no_grad(), np.errstate(all="ignore"):
                self.facts.plane = Regions(score, points, labels)
        finally:
            if was_training:
                self._model.train()

    # -- where a number was lost ---------------------------------------------------------------------------------------

    def _settle_birth(self, loss: Any) -> None:
        """Of the parameters whose gradients were lost in one step, the one that the backward pass came to first."""
        if not self._lost or self.facts.birth is not None:
            return
        lost, self._lost = self._lost, {}
        places = {getattr(self._parameters[number], "_node", None): number for number in lost}
        reached = _reached(loss, places)
        first = max(lost, key=lambda number: reached.get(number, (number, "")))
        op = reached.get(first, (0, ""))[1]
        name = self.facts.names[first]
        self.facts.birth = Birth("gradient", self._lost_at, lost[first], name, op, len(lost) - 1)

    def _birth_of_loss(self, value: float) -> Birth:
        """A loss was lost, and no gradient before it: in the forward pass, or in the update that came before it."""
        step = self.facts.told
        for name, tensor in zip(self.facts.names, self._parameters, strict=True):
            held = numbers(tensor)
            if not np.isfinite(held).all():
                return Birth("weight", step - 1, float(held[~np.isfinite(held)][0]), name)
        return Birth("loss", step, value)


def _named(model: Any, optimizer: Any) -> list[tuple[str, Any]]:
    """The Tensors that are trained, each with its name: the model's, the optimiser's own, or its number."""
    if isinstance(model, Mapping):
        known = {id(tensor): str(name) for name, tensor in model.items()}
        listed = list(model.values())
    else:
        pairs = list(model.named_parameters()) if hasattr(model, "named_parameters") else []
        known = {id(tensor): name for name, tensor in pairs}
        listed = [tensor for _, tensor in pairs]
    if optimizer is not None:
        listed = []
        for group in optimizer.param_groups:
            names = group.get("param_names", [""] * len(group["params"]))
            for name, tensor in zip(names, group["params"], strict=True):
                listed.append(tensor)
                known.setdefault(id(tensor), name or f"parameter {len(listed)}")
    return [(known[id(tensor)], tensor) for tensor in listed]


def _reached(loss: Any, lost: Mapping[Node | None, int]) -> dict[int, tuple[int, str]]:
    """When a backward pass from `loss` first came to each of these: (creation number, name) of the last to use it."""
    found: dict[int, tuple[int, str]] = {}
    root = loss._node if isinstance(loss, TensorBase) else None
    for node in () if root is None else ancestors([root]):
        for parent in node.parents:
            if parent is not None and parent in lost:
                found[lost[parent]] = (node.uid, node.op)  # ancestors come oldest first: the newest stays
    return found

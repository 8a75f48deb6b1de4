"""Flat: the parameters of a group lie in one array, so that the optimiser makes one step instead of one for each."""

from __future__ import annotations

import copy
import sys
from collections import Counter
from dataclasses import dataclass
from operator import is_
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.version import version_of, writing
from minitorch.optim import Optimizer
from minitorch.optim.optimizer import Moving
from minitorch.replay.passes.buffers import ALIGNMENT
from minitorch.replay.program import Instruction, Program

# What refers to a parameter's array when nobody outside does: the Tensor, its Slot, the contract, a variable and the
# call that asks.
_OUR_OWN = 5
# What refers to an array of a state then: the state, the list of them, a variable and the call that asks.
_OF_STATES = 4


class FlatUpdate:
    """An optimiser's parameters and their states, each group's as parts of one array.

    Its `_update` runs on the whole arrays: all numbers move by themselves, so the bits are those of many small updates.
    groups: the wholes. parts: for each parameter, the array that it has now.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.parts: dict[Tensor, np.ndarray] = {}
        shadow = copy.copy(optimizer)
        vars(shadow)["_moving"] = self._moving
        self._update = shadow._update
        self.groups = [_Whole(optimizer, group["params"]) for group in optimizer.param_groups]
        self._moves: list[Moving] = []
        for group in self.groups:
            self.parts.update({param: param._data for param in group.params})

    def is_whole(self) -> bool:
        """The groups have the same parameters in the same order, these and their states the same arrays."""
        groups, state = [group["params"] for group in self.optimizer.param_groups], self.optimizer.state
        return (
            [list(map(id, params)) for params in groups] == [list(map(id, whole.params)) for whole in self.groups]
            and all(param._data is self.parts.get(param) for params in groups for param in params)
            and all(whole.has_its_states() for whole in self.groups)
            # An option that came later may have made an array in the state of each.
            and all(
                state.get(param, {}).keys() == whole.state.keys() for whole in self.groups for param in whole.params
            )
        )

    def step(self, gradients: list[np.ndarray]) -> None:
        """One step of all parameters, along the gradients of the groups; one by one, where their counts differ."""
        if not all(whole.has_its_states() and whole.counts_alike() for whole in self.groups):
            self.optimizer.step()
            return
        self.optimizer._stepped = True
        for whole, gradient, group in zip(self.groups, gradients, self.optimizer.param_groups, strict=True):
            self._moves = [whole.moving(gradient)]
            self._update(group)
            whole.hand_out()

    def _moving(self, _: Any) -> list[Moving]:
        """The arrays that move in the place of the parameters of the group."""
        return self._moves


class _Whole:
    """The parameters of a group as one, and its state."""

    def __init__(self, optimizer: Optimizer, params: list[Tensor]) -> None:
        self.params = list(params)
        self._optimizer, self._states = optimizer, optimizer.state
        self.state: dict[str, Any] = {}
        self.array, views = joined([param._data for param in params])
        self._versions = list(map(version_of, views))
        self._scratch = optimizer._scratch.like(self.array)
        for param, view in zip(params, views, strict=True):
            param._data = view
        self._own = [optimizer.state[param] for param in params if param in optimizer.state]
        places: list[tuple[Any, Any]] = [(optimizer.state, param) for param in params if param in optimizer.state]
        for name, value in (self._own[0] if self._own else {}).items():
            self.state[name] = value
            if isinstance(value, np.ndarray):
                self.state[name], views = joined([own[name] for own in self._own])
                for own, view in zip(self._own, views, strict=True):
                    own[name] = view
                    places.append((own, name))
        self._numbers = [name for name, value in self.state.items() if not isinstance(value, np.ndarray)]
        self._owners, self._keys = [owner for owner, _ in places], [key for _, key in places]
        self._values = [owner[key] for owner, key in places]

    def has_its_states(self) -> bool:
        """The state of each parameter is the same dict, with the same parts of the wholes."""
        is_the_same = self._optimizer.state is self._states  # no other was loaded
        return is_the_same and all(map(is_, map(dict.get, self._owners, self._keys), self._values))

    def counts_alike(self) -> bool:
        """The numbers in the states, such as counts of steps, are the same for each parameter."""
        return all(own[name] == self._own[0][name] for name in self._numbers for own in self._own)

    def moving(self, gradient: np.ndarray) -> Moving:
        """The arguments of the optimiser's `_update`.

        The numbers of the state, such as the count of steps, are taken from a parameter's own, which a step of the
        optimiser's may have changed.
        """
        for name in self._numbers:
            self.state[name] = self._own[0][name]
        written = writing(self._optimizer._step_name)
        for version in self._versions:
            version.written = written
        return self.array, gradient, self.state, self._scratch

    def hand_out(self) -> None:
        """Gives each parameter's state the numbers of the whole one."""
        for name in self._numbers:
            value = self.state[name]
            for own in self._own:
                own[name] = value


@dataclass(frozen=True, slots=True)
class FlatStep:
    """The call of a program in the place of the optimiser: one step along the gradients that this program writes."""

    optimizer: Optimizer
    update: FlatUpdate
    gradients: list[np.ndarray]

    def step(self) -> None:
        """One step of all parameters."""
        self.update.step(self.gradients)


def laid_flat(program: Program, known: dict[Optimizer, FlatUpdate]) -> str:
    """Lays out flat what the optimisers of the program move, where all of it can be. Says what that saved.

    known: the updates that other programs of the same step use, and that this one then shares.
    """
    notes = []
    for place, each in enumerate(program.instructions):
        if each.how != "call" or not isinstance(each.arguments[1], Optimizer):
            continue
        optimizer = each.arguments[1]
        grads = {before.arguments[1]: before for before in program.instructions[:place] if before.how == "grad"}
        later = any(after.how == "grad" for after in program.instructions[place:])
        once = sum(other.arguments[1:2] == (optimizer,) for other in program.instructions if other.how == "call") == 1
        former = known.get(optimizer)
        whole = former is not None and former.is_whole()
        why = "gradients change after its step, or it steps again" if later or not once else ""
        why = why or _reason_against(optimizer, grads, program, {} if former is None else former.parts, whole)
        if why:
            notes.append(f"flat: {type(optimizer).__name__} moves its parameters one by one: {why}")
            continue
        update = known[optimizer] = former if former is not None and whole else FlatUpdate(optimizer)
        for slot, tensor in program.held.items():
            slot.array = tensor._data
        gradients = [_brought_home(program, group["params"], grads) for group in optimizer.param_groups]
        each.arguments = ("optimizer", FlatStep(optimizer, update, gradients), (), {})
        arrays = "1 array" if len(gradients) == 1 else f"{len(gradients)} arrays"
        notes.append(f"flat: {len(update.parts)} parameters moved as {arrays}")
    return "\n".join(notes) or "flat: no optimiser steps"


def _reason_against(
    optimizer: Optimizer, grads: dict[Any, Instruction], program: Program, ours: dict[Tensor, np.ndarray], whole: bool
) -> str:
    """Return why the parameters cannot move as one. ours: the arrays of a former update; whole: it still has them."""
    kind = next(kind for kind in type(optimizer).__mro__ if "_update" in vars(kind))
    if not vars(kind).get("elementwise") or type(optimizer).step is not Optimizer.step:
        return "its rule is not one for each number alone"
    if not kind.__module__.startswith("minitorch."):
        return "its rule may look at more than its options"
    slots = {tensor: slot for slot, tensor in program.held.items()}
    for group in optimizer.param_groups:
        params = group["params"]
        if len({param._data.dtype for param in params}) != 1:
            return "they are of different dtypes"
        states = [optimizer.state.get(param, {}) for param in params]
        numbers = [{k: v for k, v in state.items() if not isinstance(v, np.ndarray)} for state in states]
        if any(each != numbers[0] for each in numbers) or any(each.keys() != states[0].keys() for each in states):
            return "some have made more steps than others"
        for param, state in zip(params, states, strict=True):
            arrays = [value for value in state.values() if isinstance(value, np.ndarray)]
            if any(value.shape != param.shape for value in arrays):
                return "the state of one has another shape"
            grad = grads.get(param._node)
            if grad is None or grad.arguments[2] is None:
                return "one has no gradient, or one from before the step"
            if whole:
                continue
            array = slots[param].array
            if array is not None and (
                (array.base is not None and array is not ours.get(param))
                or not array.flags.c_contiguous
                or sys.getrefcount(array) > _OUR_OWN
            ):
                return "somebody else holds the memory of one"
            if any(each.base is None and sys.getrefcount(each) > _OF_STATES for each in arrays):
                return "somebody else holds the state of one"
    return ""


def _brought_home(program: Program, params: list[Tensor], grads: dict[Any, Instruction]) -> np.ndarray:
    """One array that the gradients of all the parameters are written into: by whoever makes them, or by a copy."""
    whole, homes = joined([np.zeros_like(param._data) for param in params])
    made = Counter(slot for each in program.instructions for slot in each.results)
    handed_on = Counter(each.arguments[2] for each in program.instructions if each.how == "grad")
    for param, home in zip(params, homes, strict=True):
        value = grads[param._node].arguments[2]
        if value.kind == "made" and value.owner is None and value.is_dense and made[value] == handed_on[value] == 1:
            value.home = home
        else:
            program.copy_home(grads[param._node], home)
    return whole


def joined(arrays: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """One flat copy of all the arrays, and each of them in a part of its memory.

    Each owns its part, as far as versions know: what is written into one has changed no other.
    """
    size, dtype = sum(array.nbytes for array in arrays), np.result_type(*arrays)
    room = bytearray(size + ALIGNMENT)  # and no array, which would own what all the parts show
    first = -np.frombuffer(room, np.uint8).ctypes.data % ALIGNMENT
    whole = np.ndarray((size // dtype.itemsize,), dtype, room, first)
    np.concatenate([array.reshape(-1) for array in arrays], out=whole)
    starts = (first + np.cumsum([0, *[array.nbytes for array in arrays]])).tolist()
    return whole, [np.ndarray(each.shape, dtype, room, start) for start, each in zip(starts, arrays, strict=False)]

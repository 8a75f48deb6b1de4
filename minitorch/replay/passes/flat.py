"""Flat: the parameters of a group lie in one array, so that the optimiser makes one step instead of one for each."""

from __future__ import annotations

import copy
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.optim import Optimizer
from minitorch.replay.program import Instruction, Program, Slot

# What refers to a parameter's array when nobody outside does: the Tensor, its Slot, a variable and the call that asks.
_OUR_OWN = 4


class FlatUpdate:
    """The step of an optimiser whose parameters, gradients and states are parts of one array each.

    It lets the optimiser's own `_update` run on the whole arrays: all numbers move by themselves, so the bits are those
    of many small updates. An optimiser with hooks makes its own step.
    """

    def __init__(self, optimizer: Optimizer, tensors: list[Tensor]) -> None:
        self._optimizer, self._tensors = optimizer, tensors
        self._shadow = copy.copy(optimizer)
        self._shadow.state = defaultdict(dict)
        for tensor, group in zip(tensors, optimizer.param_groups, strict=True):
            first = optimizer.state[group["params"][0]] if group["params"][0] in optimizer.state else {}
            for name, value in first.items():
                if isinstance(value, np.ndarray):
                    parts = [optimizer.state[param][name] for param in group["params"]]
                    whole, views = _joined(parts)
                    for param, view in zip(group["params"], views, strict=True):
                        optimizer.state[param][name] = view
                    value = whole
                self._shadow.state[tensor][name] = value

    def step(self) -> None:
        """One step of all parameters."""
        optimizer = self._optimizer
        if optimizer._before_step or optimizer._after_step:
            optimizer.step()
            for tensor, group in zip(self._tensors, optimizer.param_groups, strict=True):
                own = self._shadow.state[tensor]
                own |= {k: v for k, v in optimizer.state[group["params"][0]].items() if not isinstance(v, np.ndarray)}
            return
        optimizer._stepped = True
        for tensor, group in zip(self._tensors, optimizer.param_groups, strict=True):
            self._shadow._update({**group, "params": (tensor,)})
            state = self._shadow.state[tensor]
            if not state:
                continue
            start = 0
            for param in group["params"]:
                own, size = optimizer.state[param], param._data.size
                for name, value in state.items():
                    if not isinstance(value, np.ndarray):
                        own[name] = value
                    elif name not in own:
                        own[name] = value[start : start + size].reshape(param._data.shape)
                start += size

    def taken_for_granted(self) -> Iterator[tuple[dict[Any, Any], Any, Any]]:
        """(dict, key, value) of what must stay where it is."""
        optimizer = self._optimizer
        yield vars(optimizer), "state", optimizer.state
        yield vars(optimizer), "param_groups", optimizer.param_groups
        for group in optimizer.param_groups:
            yield group, "params", group["params"]
            for param in group["params"]:
                for name, value in optimizer.state.get(param, {}).items():
                    if isinstance(value, np.ndarray):
                        yield optimizer.state[param], name, value


def laid_flat(program: Program, tensors: dict[Slot, Tensor]) -> tuple[str, list[FlatUpdate]]:
    """Lays out flat what the optimisers of the program move, where all of it can be. Says what that saved."""
    updates = []
    notes = []
    for place, each in enumerate(program.instructions):
        if each.how != "call" or not isinstance(each.arguments[1], Optimizer):
            continue
        optimizer = each.arguments[1]
        grads = {before.arguments[1]: before for before in program.instructions[:place] if before.how == "grad"}
        later = any(after.how == "grad" for after in program.instructions[place:])
        once = sum(other.how == "call" and other.arguments[1] is optimizer for other in program.instructions) == 1
        why = "it steps more than once" if not once or later else _reason_against(optimizer, grads, tensors)
        if why:
            notes.append(f"flat: {type(optimizer).__name__} moves its parameters one by one: {why}")
            continue
        count = sum(len(group["params"]) for group in optimizer.param_groups)
        whole = [_flat_group(program, group["params"], grads, tensors) for group in optimizer.param_groups]
        update = FlatUpdate(optimizer, whole)
        each.arguments = ("optimizer", update, (), {})
        updates.append(update)
        notes.append(f"flat: {count} parameters moved as {len(whole)}")
    return "\n".join(notes) or "flat: no optimiser steps", updates


def _reason_against(optimizer: Optimizer, grads: dict[Any, Instruction], tensors: dict[Slot, Tensor]) -> str:
    kind = next(kind for kind in type(optimizer).__mro__ if "_update" in vars(kind))
    if not vars(kind).get("elementwise") or type(optimizer).step is not Optimizer.step:
        return "its rule is not one for each number alone"
    slots = {tensor: slot for slot, tensor in tensors.items()}
    for group in optimizer.param_groups:
        params = group["params"]
        if len({param._data.dtype for param in params}) != 1:
            return "they are of different dtypes"
        states = [optimizer.state.get(param, {}) for param in params]
        numbers = [{k: v for k, v in state.items() if not isinstance(v, np.ndarray)} for state in states]
        if any(each != numbers[0] for each in numbers) or any(each.keys() != states[0].keys() for each in states):
            return "some have made more steps than others"
        for param in params:
            grad = grads.get(param._node)
            if grad is None or grad.arguments[2] is None:
                return "one has no gradient, or one from before the step"
            if any(
                v.shape != param.shape for v in optimizer.state.get(param, {}).values() if isinstance(v, np.ndarray)
            ):
                return "the state of one has another shape"
            array = slots[param].array
            assert array is not None
            if array.base is not None or not array.flags.c_contiguous or sys.getrefcount(array) > _OUR_OWN:
                return "somebody else holds the memory of one"
    return ""


def _flat_group(
    program: Program, params: list[Tensor], grads: dict[Any, Instruction], tensors: dict[Slot, Tensor]
) -> Tensor:
    """One Tensor whose memory, and whose gradient's, that of all the parameters is a part of."""
    slots = {tensor: slot for slot, tensor in tensors.items()}
    whole, views = _joined([param._data for param in params])
    gradient, homes = _joined([np.zeros_like(param._data) for param in params])
    for param, view, home in zip(params, views, homes, strict=True):
        param._data = slots[param].array = view
        _bring_home(program, grads[param._node], home)
    tensor = Tensor(0.0, dtype=str(whole.dtype)).requires_grad_()
    tensor._data = whole
    assert tensor._node is not None
    tensor._node.shape, tensor._node.dtype, tensor._node.grad = whole.shape, whole.dtype, gradient
    return tensor


def _bring_home(program: Program, grad: Instruction, home: np.ndarray) -> None:
    """Has the gradient written where it belongs: by whoever makes it, or by a copy where that is not possible."""
    name, node, value = grad.arguments
    place = program.instructions.index(grad)
    makers = [each for each in program.instructions if value in each.results]
    shared = [each for each in program.instructions if each.how == "grad" and each.arguments[2] is value]
    if value.kind == "made" and value.owner is None and value.is_dense and len(makers) == len(shared) == 1:
        value.home = home
        return
    slot = Slot(-place, "buffer", home.shape, home.dtype, home.strides, array=home, name=f"{name}.grad")
    copied = Instruction("function", "copyto", np.copyto, (slot, value), {}, (), (slot,), label="")
    grad.arguments = (name, node, slot)
    program.instructions.insert(place, copied)


def _joined(arrays: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """One flat copy of all the arrays, and each of them as a part of it."""
    whole = np.concatenate([array.reshape(-1) for array in arrays])
    starts = np.cumsum([0, *[array.size for array in arrays]]).tolist()
    return whole, [
        whole[start : start + math.prod(array.shape)].reshape(array.shape)
        for start, array in zip(starts, arrays, strict=False)
    ]

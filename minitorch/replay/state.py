"""State: a copy of all that a training step changes, to go back to and to compare with."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.replay.program import mapped


class State:
    """A copy of all that a step changes, to go back to."""

    def __init__(
        self,
        held: dict[Tensor, str],
        optimizers: list[Any],
        arrays: Iterable[np.ndarray] = (),
        schedulers: Iterable[Any] = (),
    ) -> None:
        self._arrays = [(array, array.copy()) for array in arrays]
        self._held = {tensor: (name, tensor._data, tensor._data.copy()) for tensor, name in held.items()}
        self._nodes = {tensor: tensor._node for tensor in held}
        self._grads = {tensor: _copied(tensor.grad) for tensor in held}
        self._optimizers = [
            (
                each,
                [
                    copy.deepcopy({key: value for key, value in group.items() if key != "params"})
                    for group in each.param_groups
                ],
                {param: (own, _with_copies(own)) for param, own in each.state.items()},
            )
            for each in optimizers
        ]
        self._schedulers = [(each, copy.deepcopy(each.state_dict())) for each in schedulers]
        generator = current_scope().random.generator
        self._generator, self._random = generator, generator.bit_generator.state

    def restore(self, *, draws: bool = True) -> None:
        """Puts everything back as it was. draws: the random stream, which a step without draws leaves to others."""
        for scheduler, known in self._schedulers:
            if scheduler.state_dict() != known:  # loading makes lists anew, which others may have seen
                scheduler.load_state_dict(copy.deepcopy(known))
        for tensor, (_, array, values) in self._held.items():
            if array.flags.writeable:
                array[...] = values
            tensor._data, tensor._node = array, self._nodes[tensor]
            if tensor._node is not None:
                tensor._node.grad = _copied(self._grads[tensor])
        for array, values in self._arrays:
            array[...] = values
        for optimizer, groups, states in self._optimizers:
            for group, saved in zip(optimizer.param_groups, groups, strict=True):
                group.update(saved)
            for param in [param for param in optimizer.state if param not in states]:
                del optimizer.state[param]
            for own, saved_values in states.values():
                own.clear()
                for name, (value, before) in saved_values.items():
                    if isinstance(value, np.ndarray):
                        value[...] = before
                    own[name] = value
        if draws:
            self._generator.bit_generator.state = self._random

    def differs(self, other: State) -> str:
        """The name of a Tensor whose numbers or gradient have other bits there; "" if all are the same."""
        for tensor, (name, _, values) in self._held.items():
            if _bits(values) != _bits(other._held[tensor][2]):
                return name
            mine, theirs = self._grads[tensor], other._grads[tensor]
            if (mine is None) != (theirs is None) or (mine is not None and _bits(mine) != _bits(theirs)):
                return f"{name}.grad"
        for (_, mine), (_, theirs) in zip(self._arrays, other._arrays, strict=True):
            if _bits(mine) != _bits(theirs):
                return "array"
        return ""


def difference_of_results(one: Any, other: Any) -> str:
    """What tells two results of a step apart, in words; "" if nothing does."""
    return "" if mapped(one, _outcome) == mapped(other, _outcome) else "result"


def _outcome(leaf: Any) -> Any:
    array = leaf._data if isinstance(leaf, Tensor) else leaf
    if isinstance(array, (np.ndarray, np.generic)):
        return type(leaf), array.dtype, array.shape, _bits(np.asarray(array))
    return type(leaf), repr(leaf)


def _bits(array: Any) -> bytes:
    """The bits of an array; of a nan it is no matter which."""
    if array.dtype.kind in "fc" and (nan := np.isnan(array)).any():
        array = np.where(nan, np.nan, array)
    bits: bytes = array.tobytes()
    return bits


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _with_copies(state: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (value, _copied(value)) for name, value in state.items()}

"""State: a copy of all that a training step changes, to go back to and to compare with."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.replay.program import leaves


class State:
    """The arrays of parameters, buffers, optimisers and arguments, gradients, options, the random stream: copies."""

    def __init__(
        self,
        tensors: dict[Tensor, str],
        optimizers: Sequence[Any],
        arguments: Iterable[np.ndarray] = (),
        schedulers: Iterable[Any] = (),
    ) -> None:
        self._tensors = [(name, tensor, tensor._data, tensor._node) for tensor, name in tensors.items()]
        nodes = [(name, node) for name, _, _, node in self._tensors if node is not None]
        self._grads = [(name, node, node.grad, _copied(node.grad)) for name, node in nodes]
        self._states = [
            (f"{name}'s {key}", own, key, own[key], _copied(own[key]))
            for each in optimizers
            for tensor, name in tensors.items()
            if (own := each.state.get(tensor))
            for key in own
        ]
        self._known = [(each, set(each.state)) for each in optimizers]
        self._options = [(group, dict(group)) for each in optimizers for group in each.param_groups]
        self._schedulers = [(each, copy.deepcopy(each.state_dict())) for each in schedulers]
        self._bits = current_scope().random.generator.bit_generator
        self._random = self._bits.state
        arrays = [(name, array) for name, _, array, _ in self._tensors]
        arrays += [(f"argument {place}", array) for place, array in enumerate(arguments)]
        self._arrays = [(name, array, array.copy()) for name, array in arrays if array.flags.writeable]

    def restore(self) -> None:
        """Put everything back as it was."""
        for scheduler, known in self._schedulers:
            scheduler.load_state_dict(known)
        for _, tensor, array, node in self._tensors:
            tensor._data, tensor._node = array, node
        for _, array, values in self._arrays:
            array[...] = values
        for _, node, grad, values in self._grads:
            array = getattr(grad, "_data", grad)
            if array is not None and array.flags.writeable:
                array[...] = values
            node.grad = grad
        for group, options in self._options:
            group.update(options)
        for optimizer, known_states in self._known:
            for param in optimizer.state.keys() - known_states:
                del optimizer.state[param]
        for _, own, key, value, values in self._states:
            if isinstance(value, np.ndarray):
                value[...] = values
            own[key] = value
        self._bits.state = self._random

    def difference(self) -> str:
        """Return the name of the first thing that has other bits now; "" if all have the same."""
        for name, array, values in self._arrays:
            if not _same(array, values):
                return name
        for name, node, _, values in self._grads:
            if not _same(node.grad, values):
                return f"{name}.grad"
        for name, own, key, _, values in self._states:
            if not _same(own.get(key), values):
                return name
        for group, options in self._options:
            for key, value in options.items():
                if key != "params" and not _same(group.get(key), value):
                    return str(key)
        return "" if self._bits.state == self._random else "the random generator"


def difference_of_results(one: Any, other: Any) -> str:
    """Return "result" where two results of a step are not the same to the last bit; else ""."""
    left, right = [*leaves(one)], [*leaves(other)]
    same = len(left) == len(right) and all(map(_same, left, right)) and [*map(type, left)] == [*map(type, right)]
    return "" if same else "result"


def _copied(value: Any) -> Any:
    value = getattr(value, "_data", value)
    return value.copy() if isinstance(value, np.ndarray) else value


def _same(one: Any, other: Any) -> bool:
    """Return whether two arrays or numbers have the same bits; of a nan it is no matter which."""
    one, other = getattr(one, "_data", one), getattr(other, "_data", other)
    if not isinstance(one, (np.ndarray, np.generic)) or not isinstance(other, (np.ndarray, np.generic)):
        return repr(one) == repr(other)
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.tobytes() == other.tobytes():
        return True
    return (
        one.dtype.kind in "fc"
        and np.where(np.isnan(one), np.nan, one).tobytes() == np.where(np.isnan(other), np.nan, other).tobytes()
    )

"""State: a copy of all that a training step changes, to go back to and to compare with."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from itertools import chain
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
        self._tensors = [(tensor, tensor._data, tensor._node) for tensor in tensors]
        arrays = [*zip(tensors.values(), [array for _, array, _ in self._tensors], strict=True)]
        arrays += [(f"argument {place}", array) for place, array in enumerate(arguments)]
        self._arrays = [(name, array, array.copy()) for name, array in arrays if array.flags.writeable]
        nodes = [
            (name, node) for name, (_, _, node) in zip(tensors.values(), self._tensors, strict=True) if node is not None
        ]
        self._grads = [(name, node, node.grad, _copied(node.grad)) for name, node in nodes]
        states = [(tensors.get(tensor, ""), own) for each in optimizers for tensor, own in each.state.items()]
        entries = [(f"{name}'s {key}", own, key) for name, own in states for key in own]
        groups = [group for each in optimizers for group in each.param_groups]
        entries += [(str(key), group, key) for group in groups for key in group if key != "params"]
        self._entries = [(name, own, key, own[key], _copied(own[key])) for name, own, key in entries]
        self._keys = [(own, set(own)) for own in (*[each.state for each in optimizers], *[own for _, own in states])]
        self._schedulers = [(each, copy.deepcopy(each.state_dict())) for each in schedulers]
        self._bits = current_scope().random.generator.bit_generator
        self._random = self._bits.state

    def restore(self) -> None:
        """Put everything back as it was."""
        for scheduler, known in self._schedulers:
            scheduler.load_state_dict(known)
        for tensor, array, node in self._tensors:
            tensor._data, tensor._node = array, node
        for _, array, values in self._arrays:
            array[...] = values
        for _, node, grad, values in self._grads:
            array = getattr(grad, "_data", grad)
            if array is not None and array.flags.writeable:
                array[...] = values
            node.grad = grad
        for own, keys in self._keys:
            for key in own.keys() - keys:
                del own[key]
        for _, own, key, value, values in self._entries:
            if isinstance(value, np.ndarray):
                value[...] = values
            own[key] = value
        self._bits.state = self._random

    def difference(self) -> str:
        """Return the name of the first thing that has other bits now; "" if all have the same."""
        found = chain(
            (name for name, array, values in self._arrays if not _same(array, values)),
            (f"{name}.grad" for name, node, _, values in self._grads if not _same(node.grad, values)),
            (name for name, own, key, _, values in self._entries if not _same(own.get(key), values)),
            ("the random generator" for _ in range(1) if self._bits.state != self._random),
        )
        return next(found, "")


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

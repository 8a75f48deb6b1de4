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
        self, tensors: dict[Tensor, str], optimizers: Sequence[Any], arguments: Iterable[Any], schedulers: Any = ()
    ) -> None:
        self._tensors = [(name, tensor, tensor._data, tensor._node) for tensor, name in tensors.items()]
        nodes = [(name, node) for name, _, _, node in self._tensors if node is not None]
        self._grads = [(name, node, node.grad, _copied(node.grad)) for name, node in nodes]
        states = [(f"{tensors.get(tensor)}'s ", own) for each in optimizers for tensor, own in each.state.items()]
        owners = [*states, *[("", group) for each in optimizers for group in each.param_groups]]
        entries = [(f"{whose}{key}", own, key, value) for whose, own in owners for key, value in own.items()]
        self._entries = [entry for entry in entries if entry[2] != "params"]
        self._keys = [(own, set(own)) for own in (*[each.state for each in optimizers], *[own for _, own in states])]
        arrays = [(name, array) for name, _, array, _ in self._tensors]
        arrays += [(f"argument {place}", array) for place, array in enumerate(arguments)]
        self._arrays = [(name, array) for name, array in arrays if array.flags.writeable]
        copied = [each for *_, each in (*self._arrays, *self._entries) if isinstance(each, np.ndarray)]
        memories = {id(memory): memory for memory in map(_memory_of, copied)}
        self._copies = {key: (memory, memory.copy()) for key, memory in memories.items()}
        self._schedulers = [(each, copy.deepcopy(each.state_dict())) for each in schedulers]
        self._bits = current_scope().random.generator.bit_generator
        self._random = self._bits.state

    def restore(self) -> None:
        """Put everything back as it was; what was there instead is kept, for `difference`. To be called once."""
        for scheduler, known in self._schedulers:
            scheduler.load_state_dict(known)
        for _, tensor, array, node in self._tensors:
            tensor._data, tensor._node = array, node
        for key, (memory, values) in self._copies.items():
            self._copies[key] = memory, memory.copy()
            memory[slice(None) if isinstance(memory, bytearray) else ...] = values
        for place, (name, node, grad, values) in enumerate(self._grads):
            self._grads[place] = name, node, grad, _copied(node.grad)
            array = getattr(grad, "_data", grad)
            if array is not None and array.flags.writeable:
                array[...] = values
            node.grad = grad
        for own, keys in self._keys:
            for key in own.keys() - keys:
                del own[key]
        for place, (name, own, key, value) in enumerate(self._entries):
            self._entries[place] = name, own, key, own.get(key)
            own[key] = value
        self._random, self._bits.state = self._bits.state, self._random

    def difference(self) -> str:
        """Return the name of the first thing that has other bits than it had before `restore`; "" for none."""
        intact = all(memoryview(one).tobytes() == memoryview(other).tobytes() for one, other in self._copies.values())
        arrays = () if intact else [(name, array, self._then(array)) for name, array in self._arrays]
        grads = [(f"{name}.grad", node.grad, values) for name, node, _, values in self._grads]
        changed = [entry for entry in self._entries if not intact or entry[1].get(entry[2]) is not entry[3]]
        entries = [(name, own.get(key), self._then(value)) for name, own, key, value in changed]
        drawn = [("the random generator", self._bits.state == self._random, True)]
        return next((name for name, one, other in chain(arrays, grads, entries, drawn) if not _same(one, other)), "")

    def _then(self, value: Any) -> Any:
        """Return an array as it was when it was copied; anything else as it is."""
        memory, values = self._copies.get(id(_memory_of(value)), (value, value))
        if not isinstance(memory, bytearray):
            return values
        first = np.frombuffer(memory, np.uint8).ctypes.data
        return np.ndarray(value.shape, value.dtype, values, value.ctypes.data - first, value.strides)


def _memory_of(array: Any) -> Any:
    """Return what is copied for an array: itself, or the memory in which it lies flat beside others."""
    base = getattr(array, "base", None)
    return base if type(base) is bytearray else array


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
    return one.tobytes() == other.tobytes() or (one.dtype.kind in "fc" and _numbers(one) == _numbers(other))


def _numbers(array: Any) -> bytes:
    return np.where(np.isnan(array), np.nan, array).tobytes()

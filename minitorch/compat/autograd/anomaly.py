"""detect_anomaly: name the line that made the first NaN or infinity, and the line that changed a saved array.

Under detect_anomaly the arrays that recorded operations saved are read-only until the graph is freed. Several nodes may
save the same array, or an array and a view of it, and they are freed in any order. So the version counter of a piece of
memory counts the nodes that hold it, and all its arrays are opened together, once the last node has let go:

    Lock(arrays)       one node's hold on what it saved; release(), or the end of the node, lets go
    follow(view)       a view that was made meanwhile is born read-only, and is opened with the others
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.node import Node, meta_of
from minitorch.autograd.scope import Scope, Scoped, SetAtOnce
from minitorch.autograd.version import VersionCounter, find, owner, version_of
from minitorch.backend import is_array, xp
from minitorch.callers import calling_line, innermost_line

if TYPE_CHECKING:
    from types import TracebackType

    from minitorch._tensor import Tensor


class AnomalyError(RuntimeError):
    """A NaN or an infinity that was made, or a saved array that was changed, under detect_anomaly."""


def changes_what_is_saved(line: str) -> AnomalyError:
    """Return the error for a line that writes into an array that is locked."""
    return AnomalyError(
        f"{line} changes an array in place that a recorded operation saved for the backward pass: "
        f"call backward() first, or work on a copy"
    )


class detect_anomaly(Scoped):  # noqa: N801 (PyTorch's name)
    """Raise AnomalyError at the first NaN or infinity inside the block, with the line of your code that made it.

    Forward: an operation that makes one out of finite numbers. Backward: a gradient rule that does; the error names
    the forward line. What a recorded operation saves for its gradient is read-only until the graph is freed, so that
    a line that changes it in place fails, there and then; a change through another view is named by backward. Every
    gradient is checked against its Tensor's shape. Costs several times the time of a program: for looking for a fault,
    not for training.

    >>> from minitorch import Tensor, detect_anomaly
    >>> with detect_anomaly():
    ...     Tensor([1.0, 0.0], requires_grad=True).sqrt().sum().backward()  # the slope of a root at 0
    Traceback (most recent call last):
    minitorch.compat.autograd.anomaly.AnomalyError: the gradient rule of sqrt (...) made inf at index (1,) out of ...
    """

    def changed(self, scope: Scope) -> Scope:
        """Return the same Scope, with an inspector of every operation."""
        return replace(scope, anomaly=inspect_gradient, watchers=(*_others(scope), inspect_operation))

    def __exit__(self, kind: Any = None, error: Any = None, trace: TracebackType | None = None) -> None:
        super().__exit__()
        if isinstance(error, ValueError) and "read-only" in str(error):  # NumPy says so where a program has the array
            line = innermost_line(traceback.extract_tb(trace)) if trace is not None else "an unknown line"
            raise changes_what_is_saved(line) from error


class set_detect_anomaly(SetAtOnce, detect_anomaly):  # noqa: N801 (PyTorch's name)
    """detect_anomaly, on or off as told: at once when called, until the block that it opens ends.

    check_nan is accepted for PyTorch's sake: what is not finite is always looked for.

    >>> from minitorch import Tensor, autograd
    >>> with autograd.set_detect_anomaly(True):
    ...     Tensor([0.0], requires_grad=True).sqrt().backward()
    Traceback (most recent call last):
    minitorch.compat.autograd.anomaly.AnomalyError: the gradient rule of sqrt (...) made inf at index (0,) out of ...
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:  # noqa: ARG002
        super().__init__(mode)

    def changed(self, scope: Scope) -> Scope:
        """Return the same Scope, with or without the inspector."""
        if self.mode:
            return super().changed(scope)
        return replace(scope, anomaly=None, watchers=_others(scope) or None)


def _others(scope: Scope) -> tuple[Callable[..., None], ...]:
    return tuple(each for each in scope.watchers or () if each is not inspect_operation)


def inspect_operation(name: str, arguments: Sequence[Any], result: Tensor, _slots: Sequence[int] = ()) -> None:
    """Raise AnomalyError for a result that is not finite though its arguments are; then lock what the node saved."""
    data = result._data
    if data.dtype.kind == "f" and not _is_finite(data) and _are_finite(arguments):
        index, value = _first_not_finite(data)
        raise AnomalyError(f"{name} made {value} at index {index} out of finite numbers, at {calling_line()}")
    follow(data)
    node = result._node
    if node is None or node.is_leaf:
        return
    meta = meta_of(node)
    meta.line = calling_line()
    meta.lock = Lock(_arrays(node.saved or ()))


def inspect_gradient(node: Node, slot: int, g: Any, c: Any) -> None:
    """Raise AnomalyError for a contribution of a wrong shape, or not finite though the upstream gradient is."""
    parent = node.parents[slot]
    assert parent is not None  # the traversal has left out the slots that nobody wants
    made = f"the gradient rule of {node.op} ({node.meta.line if node.meta else 'made before detect_anomaly'})"
    if c.shape != parent.shape:
        raise AnomalyError(f"{made} returned shape {c.shape} for an operand of shape {parent.shape}")
    values, upstream = getattr(c, "_data", c), getattr(g, "_data", g)
    if not _is_finite(values) and _is_finite(upstream):
        index, value = _first_not_finite(values)
        raise AnomalyError(f"{made} made {value} at index {index} out of a finite upstream gradient")


def _arrays(values: Sequence[Any]) -> list[Any]:
    """Return the arrays among the values, those inside tuples too."""
    found = []
    for each in values:
        if isinstance(each, (tuple, list)):
            found += _arrays(each)
        elif is_array(each):
            found.append(each)
    return found


def _are_finite(values: Sequence[Any]) -> bool:
    """Return True if all numbers among an operation's arguments are finite, the Python ones too."""
    numbers = [each for each in values if isinstance(each, float)]
    return all(map(math.isfinite, numbers)) and all(map(_is_finite, _arrays(values)))


def _is_finite(array: Any) -> bool:
    return array.dtype.kind != "f" or bool(xp(array).isfinite(array).all())


def _first_not_finite(array: Any) -> tuple[tuple[int, ...], float]:
    at = tuple(int(each[0]) for each in xp(array).nonzero(~xp(array).isfinite(array))) if array.ndim else ()
    return at, float(array[at])


class Lock:
    """One node's hold on the arrays that it saved, which are read-only until no node holds their memory any more."""

    __slots__ = ("_held",)

    def __init__(self, arrays: Iterable[Any]) -> None:
        self._held: list[VersionCounter] = []
        for array in arrays:
            if isinstance(array, np.ndarray):
                version = version_of(array)
                version.holders += 1
                self._held.append(version)
                if array.flags.writeable:
                    array.flags.writeable = False
                    version.read_only += (array,)

    def release(self) -> None:
        """Let go, once: what no other node holds is opened, an owner first, before which no view can be writeable."""
        while self._held:
            version = self._held.pop()
            version.holders -= 1
            if not version.holders:
                for array in sorted(version.read_only, key=lambda each: each.base is not None):
                    array.flags.writeable = True
                version.read_only = ()

    def __del__(self) -> None:
        self.release()


def follow(view: Any) -> None:
    """Open a view that is read-only because its memory is locked together with it. An expanded one stays read-only."""
    if not isinstance(view, np.ndarray) or view.base is None or view.flags.writeable:
        return
    if any(step == 0 and size > 1 for step, size in zip(view.strides, view.shape, strict=True)):
        return
    memory = owner(view)
    version = find(id(memory))
    if version is not None and (memory.flags.writeable or any(each is memory for each in version.read_only)):
        version.read_only += (view,)


def is_locked(array: Any) -> bool:
    """Return True for an array whose memory a node holds."""
    version = find(id(owner(array)))
    return version is not None and version.holders > 0

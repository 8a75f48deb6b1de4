"""Changing a Tensor in place without ever making a gradient wrong.

Unrecorded (a constant, or anything under no_grad), the numbers in memory change, and views of them see it. The memory
gets a newer version, and a node that saved the older one raises when backward comes to it. Recorded, the Tensor moves
on to a new place in the graph with new memory, and the old one stays as it was for whoever needs it:

    y = x * 2          Tensor y ──▶ Node(mul)
    y[0] = z           Tensor y ──▶ Node(setitem) ──▶ Node(mul), Node of z

What would be wrong is refused at once: changing a leaf, or a view of one, while recording; and a recorded change of a
view that the Tensor above it would not see. `version.py` refuses the rest where it would matter.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from minitorch.autograd.node import interior
from minitorch.autograd.scope import announce, current_scope
from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import (
    STALE,
    mark_stale,
    owner,
    region,
    require_current,
    revalidate,
    version_of,
    writing,
)
from minitorch.backend import xp
from minitorch.callers import calling_line
from minitorch.errors import DtypeError, ShapeError

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

T = TypeVar("T", bound="TensorBase")

_FURTHEST = 32  # views of views of views: higher up nobody is looked for


def changed(tensor: T, name: str, compute: Callable[[Any], Tensor], *, augmented: bool = False) -> T:
    """Make `tensor` hold compute(tensor), in place, and return it.

    augmented: an operator such as `+=`, which Python follows with an assignment where it began with `t[0]`.

    Raises RuntimeError where that could make a gradient wrong, ValueError when the shape would change, TypeError when
    floats would be cut to integers.
    """
    require_changeable(tensor, name)
    result = compute(tensor)
    if result.shape != tensor._data.shape:
        raise ShapeError(f"{name}: the result has shape {result.shape}, which does not fit into {tensor._data.shape}")
    if not np.can_cast(result.dtype, tensor._data.dtype, "same_kind"):
        raise DtypeError(f"{name}: {result.dtype} numbers do not fit into a Tensor of {tensor._data.dtype}")
    if result._node is not None:
        result = result if result.dtype == tensor._data.dtype else result.to(tensor._data.dtype)
        _move(tensor, result, name, augmented)
        return tensor
    write(tensor, name, lambda memory: xp(memory).copyto(memory, result._data, casting="same_kind"))
    return tensor


def computed(tensor: TensorBase, name: str, ufunc: np.ufunc, other: Any) -> bool:
    """Let NumPy write ufunc(tensor, other) where the tensor stands, if that is all there is to do; else False.

    For a tensor that is not recorded and an operand that does not change its dtype: a number, or an array or constant
    of the same dtype. `changed` does the rest, and says what is wrong.
    """
    scope, memory = current_scope(), tensor._data
    if scope.anomaly or (tensor._node is not None and scope.grad_enabled) or memory.dtype.kind != "f":
        return False
    if type(other) is not int and type(other) is not float:
        if isinstance(other, TensorBase):
            if other._node is not None and scope.grad_enabled:
                return False
            other = other._data
        if type(other) is not np.ndarray or other.dtype is not memory.dtype or type(memory) is not np.ndarray:
            return False
    if STALE:
        return False
    try:
        write(tensor, name, lambda memory: ufunc(memory, other, memory))
    except ValueError:  # the shapes do not fit
        return False
    return True


def write(tensor: TensorBase, name: str, fill: Callable[[Any], None]) -> None:
    """Let `fill` change the numbers in memory, unrecorded: the memory gets a newer version, and watchers hear of it."""
    require_changeable(tensor, name)
    if STALE:
        require_current(name, (tensor,))
    memory = tensor._data
    version = version_of(memory)
    before = version.written
    scope = current_scope()
    version.written = writing(f"{name} at {calling_line()}" if scope.anomaly else name)
    try:
        fill(memory)
    except (IndexError, TypeError, ValueError) as error:  # NumPy has looked before it writes: nothing has changed
        version.written = before
        if "read-only" not in str(error):
            raise
        anomaly = importlib.import_module("minitorch.compat.autograd.anomaly")
        if anomaly.is_locked(memory):
            raise anomaly.changes_what_is_saved(calling_line()) from error
        raise RuntimeError(
            f"{name}: this Tensor shows read-only numbers (an expanded view?): work on a clone()"
        ) from error
    for watch in scope.watchers or ():
        wrote = getattr(watch, "wrote", None)
        if wrote is not None:
            wrote(name, tensor)


def require_changeable(tensor: TensorBase, name: str) -> None:
    """Raise RuntimeError for a leaf that wants gradients while operations are recorded."""
    if tensor._node is not None and tensor._node.is_leaf and current_scope().grad_enabled:
        raise RuntimeError(
            f"{name}: a leaf that requires grad cannot be changed in place while operations are recorded: "
            f"write `with no_grad():` around it"
        )


def turned(tensor: T, name: str, compute: Callable[[T], Tensor]) -> T:
    """Make `tensor` show its own numbers in the shape or order of compute(tensor), in place, and return it.

    No number changes and the memory stays, so every view of it is up to date. A Tensor that takes part in the graph
    moves on to a new place there. Raises RuntimeError for a leaf that requires grad, whose gradient has its shape, and
    under no_grad for any Tensor of the graph, which would be of another shape than its place.
    """
    if tensor._node is not None and (tensor._node.is_leaf or not current_scope().grad_enabled):
        raise RuntimeError(
            f"{name}: a {'leaf that requires grad' if tensor._node.is_leaf else 'Tensor of the graph, under no_grad,'} "
            f"keeps its shape: write t = t.{name.removesuffix('_')}(…)"
        )
    result = compute(tensor)
    if result._node is not None:
        _take_over(tensor, result)
        announce(tensor, result)
    tensor._data = result._data
    return tensor


def put_back(tensor: TensorBase, part: Any, value: Any, compute: Callable[[Any], Tensor]) -> None:
    """Assign tensor[…] = value, recorded. part: the memory that the brackets mean; `value` may come from there.

    That is how `t[0] += 1` ends: `t[0]` has moved on, and now the whole Tensor does.
    """
    node = value._node if isinstance(value, TensorBase) else None
    comes_back = part is not None and node is not None and revalidate(part, node.uid)
    changed(tensor, "setitem", compute)
    if comes_back:
        mark_stale(version_of(value._data), "setitem", region(value._data), 0)  # no view any more: a copy


def _move(tensor: TensorBase, result: TensorBase, name: str, augmented: bool) -> None:
    """Give the Tensor the values of `result` and a node like its."""
    for above in _shown_by(tensor):
        if above.is_leaf:
            raise RuntimeError(
                f"{name}: this Tensor is a view of a leaf that requires grad, which cannot be changed in place while "
                f"operations are recorded: write `with no_grad():` around it"
            )
        if not augmented:
            raise RuntimeError(
                f"{name}: this Tensor is a view of another, of shape {above._data.shape}, which would not see a "
                f"recorded change: assign to that one, as in t[0] = … or t[0] += …, or work on a clone()"
            )
    version, shown = version_of(tensor._data), region(tensor._data)
    mark_stale(version, name, shown, _take_over(tensor, result))
    announce(tensor, result)


def _take_over(tensor: TensorBase, result: TensorBase) -> int:
    """Give the Tensor the values of a recorded result and a node like its; return the number of that node."""
    node = result._node
    assert node is not None  # only recorded results are taken over
    tensor._node = interior(tensor, node.rule, node.first, node.rest, node.saved or (), node.shape, node.dtype)
    tensor._data = result._data
    return tensor._node.uid


def _shown_by(tensor: TensorBase) -> Iterator[TensorBase]:
    """Yield the living Tensors that this one is a view of, nearest first."""
    node, memory = tensor._node, owner(tensor._data)
    if memory is tensor._data:
        return
    for _ in range(_FURTHEST):
        if node is None or node.rest:  # a view is made of one Tensor
            return
        node = node.first
        above = None if node is None else node.tensor
        if above is None:  # gone
            continue
        if owner(above._data) is not memory:
            return
        yield above

"""Changing a Tensor in place without ever making a gradient wrong.

Unrecorded (a constant, or anything under no_grad), the numbers in memory change, and views of them see it. Recorded,
the Tensor moves on to a new place in the graph with new memory, and the old one stays as it was for whoever needs it:

    y = x * 2          Tensor y ──▶ Node(mul)
    y[0] = z           Tensor y ──▶ Node(setitem) ──▶ Node(mul), Node of z

What would be wrong is refused: changing a leaf while recording, numbers that a recorded operation still needs, and a
recorded change that a view of the same memory would not see.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from minitorch.autograd.handle import Handle, constant
from minitorch.autograd.node import Node, interior
from minitorch.autograd.scope import announce, current_scope
from minitorch.backend import is_array, xp

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

T = TypeVar("T", bound="Handle")


def changed(tensor: T, name: str, compute: Callable[[Any], Tensor]) -> T:
    """Makes `tensor` hold compute(tensor), in place, and returns it.

    Raises RuntimeError where that could make a gradient wrong, ValueError when the shape would change, TypeError when
    floats would be cut to integers.
    """
    require_changeable(tensor, name)
    result = compute(tensor)
    if result.shape != tensor._data.shape:
        raise ValueError(f"{name}: the result has shape {result.shape}, which does not fit into {tensor._data.shape}")
    if not np.can_cast(result.dtype, tensor._data.dtype, "same_kind"):
        raise TypeError(f"{name}: {result.dtype} numbers do not fit into a Tensor of {tensor._data.dtype}")
    if result._node is not None:
        _move(tensor, result if result.dtype == tensor._data.dtype else result.to(tensor._data.dtype), name)
        return tensor
    write(tensor, name, lambda memory: xp(memory).copyto(memory, result._data, casting="same_kind"))
    return tensor


def write(tensor: Handle, name: str, fill: Callable[[Any], None]) -> None:
    """Unrecorded: lets `fill` change the numbers in memory, unless a recorded operation still needs them."""
    require_changeable(tensor, name)
    needed_by = next((node for node in _sharing(tensor) if isinstance(node, Node)), None)
    if needed_by is not None:
        raise RuntimeError(
            f"{name}: {needed_by.op} still needs these numbers for its gradient: call backward() first, "
            f"or compute a new Tensor instead of changing this one"
        )
    try:
        fill(tensor._data)
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        raise RuntimeError(
            f"{name}: this Tensor shows read-only numbers (an expanded view?): work on a clone()"
        ) from None


def require_changeable(tensor: Handle, name: str) -> None:
    """Raises RuntimeError for a leaf that wants gradients while operations are recorded."""
    if tensor._node is not None and tensor._node.is_leaf and current_scope().grad_enabled:
        raise RuntimeError(
            f"{name}: a leaf that requires grad cannot be changed in place while operations are recorded: "
            f"write `with no_grad():` around it"
        )


def _move(tensor: Handle, result: Handle, name: str) -> None:
    """Gives the Tensor the values and the place of `result`."""
    if any(isinstance(each, Handle) and each is not result for each in _sharing(tensor)):
        raise RuntimeError(
            f"{name}: another Tensor shares this memory and would not see a recorded change: work on a clone()"
        )
    node = result._node
    assert node is not None  # `changed` moves recorded results only
    tensor._node = interior(
        tensor,  # type: ignore[arg-type]
        node.rule,
        node.first,
        node.rest,
        node.saved or (),
        node.shape,
        node.dtype,
    )
    tensor._data = result._data
    announce(tensor, result)


def _sharing(tensor: Handle) -> list[Node | Handle]:
    """The nodes that saved these numbers, and the other Tensors that show them.

    Nodes know their parents and not their children, so the answer costs a look at every living object. It is asked
    only where reference counts say that somebody else holds the memory.
    """
    alone = constant(np.empty(1) if tensor._data.base is None else np.empty(1)[:])
    if _references(tensor) == _references(alone):
        return []
    memory = tensor._data
    found: list[Node | Handle] = []
    for each in gc.get_objects():
        kind = type(each)  # not isinstance, which asks every object of every library for its class
        if kind is Node:
            if each.saved is not None and any(_overlap(memory, value) for value in each.saved):
                found.append(each)
        elif issubclass(kind, Handle) and each is not tensor and _overlap(memory, getattr(each, "_data", None)):
            found.append(each)
    return found


def _references(tensor: Handle) -> tuple[int, int]:
    """How many hold the array, and the memory that it is a view of."""
    return sys.getrefcount(tensor._data), sys.getrefcount(tensor._data.base) if tensor._data.base is not None else 0


def _overlap(memory: Any, value: Any) -> bool:
    if isinstance(value, tuple):
        return any(_overlap(memory, each) for each in value)
    if not is_array(value) or type(value) is not type(memory):
        return False
    return bool(xp(memory).may_share_memory(memory, value)) and bool(xp(memory).shares_memory(memory, value))

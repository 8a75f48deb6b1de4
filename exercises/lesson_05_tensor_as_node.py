"""Lesson 05, tensor as node: one node holds a whole array of numbers, and its gradient has the same shape.

A Tensor has these attributes. Arrays are NumPy arrays of floats, of any shape: (), (3,), (2, 3), ...

    tensor.data            array
    tensor.grad            None while no gradient has arrived, then an array: shape and dtype as data's
    tensor.requires_grad   True or False: does anybody want this gradient? A Tensor that says False is a constant
    tensor._prev           tuple of its parents, the Tensors it was made from; () for a leaf
    tensor._op             the operation's sign, such as "*"; "" for a leaf
    tensor._backward       None, or a function without arguments that hands tensor.grad on to the parents
    tensor.label           a name for pictures

The file is written from top to bottom: each part uses only what stands above it, and `Tensor.result`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# The switch: are operations recorded? GRAD_ENABLED.get() reads it, GRAD_ENABLED.set(False) turns it off.
# A ContextVar is a variable that every thread has for itself.
GRAD_ENABLED: ContextVar[bool] = ContextVar("GRAD_ENABLED", default=True)


class Compared:
    """What == means for a Tensor, and what a set or a dict goes by. Every Tensor inherits these three methods."""

    data: Array

    def __eq__(self, other: object) -> bool:
        """Return whether other is this very node: x == y is x is y, whatever numbers they hold.

        other: anything; x == 3.0 is False. Returns True or False.

            x = Tensor([1.0, 2.0]), y = Tensor([1.0, 2.0])
            x == x is True, x == y is False, len({x, y}) is 2
        """
        raise NotImplementedError

    def __hash__(self) -> int:
        """Return the whole number by which sets and dicts find this node. It stays, whatever becomes of data.

        Returns one whole number, the same in every call. A class that defines == must define this, too.

            len({x, x}) is 1, also when x.data has changed in between
        """
        raise NotImplementedError

    def equal(self, other: Any) -> bool:
        """Return whether other, a Tensor, has the same shape and the same numbers. The dtype does not matter.

        other: one Tensor of any shape. Returns True or False, one answer for the whole array.

            Tensor([1.0, 2.0]).equal(Tensor([1.0, 2.0])) is True
            Tensor([1.0, 1.0]).equal(Tensor(1.0)) is False: the shapes are (2,) and ()
        """
        raise NotImplementedError


def wants_grad(parents: Sequence[Any]) -> bool:
    """Return whether a result made from these parents takes part in the graph.

    parents: some Tensors, perhaps none. Returns True or False: True when operations are recorded (GRAD_ENABLED)
    and at least one parent has requires_grad.

        w = Tensor([1.0], requires_grad=True), c = Tensor([2.0])
        [wants_grad((c, w)), wants_grad((c, c)), wants_grad(())] is [True, False, False]
    """
    raise NotImplementedError


class Tensor(Compared):
    """An array that remembers how it was made."""

    data: Array
    grad: Array | None
    requires_grad: bool

    def __init__(self, data: Any, requires_grad: bool = False, _prev: tuple[Any, ...] = (), _op: str = "") -> None:
        """Set the seven attributes that the top of the file lists. Nothing has arrived at grad yet, label is "".

        data: a number, a list (of lists ...) of numbers, or an array, of any shape. self.data is an array of its own,
        never the caller's. An array of floats keeps its dtype; everything else becomes float64.
        requires_grad, _prev, _op: kept as they are.

            x = Tensor([[1, 2, 3], [4, 5, 6]])
            x.data is [[1., 2., 3.], [4., 5., 6.]], shape (2, 3), dtype float64; x.grad and x._backward are None
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the numbers, and whether a gradient is wanted (given)."""
        wanted = ", requires_grad=True" if self.requires_grad else ""
        return f"Tensor({np.array2string(self.data, precision=4, separator=', ')}{wanted})"

    def result(self, data: Any, parents: tuple[Any, ...], op: str) -> Any:
        """Return the Tensor that an operation made out of parents (given).

        data: the array that was computed. parents: the operands. A result that wants no gradient forgets its parents.
        """
        wanted = wants_grad(parents)
        return type(self)(data, requires_grad=wanted, _prev=parents if wanted else (), _op=op)

    def accumulate(self, gradient: Any) -> None:
        """Add gradient to self.grad. Returns nothing. A Tensor without requires_grad takes none.

        gradient: an array or a number with the shape of self.data; otherwise ValueError, and grad stays as it was.
        Set self.grad to an array with shape and dtype of self.data. It is the Tensor's own: gradient is not changed,
        and shares no memory with it. Beware: NumPy makes a number, not an array, of array(2.0) + array(3.0).

            x = Tensor([1.0, 2.0], requires_grad=True)
            after x.accumulate([10.0, 20.0]) x.grad is [10., 20.], after another time it is [20., 40.]
        """
        raise NotImplementedError


def bytes_held(tensors: Sequence[Any]) -> int:
    """Return how many bytes the arrays of these Tensors take: each data, and each grad that has arrived.

    tensors: some Tensors, perhaps none; no two of them share an array. One that is listed twice takes its bytes once.
    Returns one whole number.

        x = Tensor([1.0, 2.0], requires_grad=True): two numbers of 8 bytes each
        bytes_held([x, x]) is 16, and 32 once x.grad is [10., 20.]
    """
    raise NotImplementedError

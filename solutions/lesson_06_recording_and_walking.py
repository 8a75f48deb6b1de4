"""Lesson 06, recording and walking: operations leave a function behind, and backward calls them in the right order.

A Tensor has these attributes. Arrays are NumPy arrays of floats, of any shape: (), (3,), (2, 3), ...

    tensor.data            array
    tensor.grad            None while no gradient has arrived, then an array: shape and dtype as data's
    tensor.requires_grad   True or False: does anybody want this gradient? A Tensor that says False is a constant
    tensor._prev           tuple of its parents, the Tensors it was made from; () for a leaf
    tensor._op             the operation's sign, such as "*"; "" for a leaf
    tensor._backward       None, or a function without arguments that hands tensor.grad on to the parents
    tensor.label           a name for pictures

What lesson 05 asked for is given here. In your engine, your own answers of lesson 05 take its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# The switch: are operations recorded? GRAD_ENABLED.get() reads it, GRAD_ENABLED.set(False) turns it off.
# It is a ContextVar: each thread and each asynchronous task sees a value of its own. A new thread begins with True.
GRAD_ENABLED: ContextVar[bool] = ContextVar("GRAD_ENABLED", default=True)


class Compared:
    """What == means for a Tensor, and what a set or a dict goes by. Every Tensor inherits these three methods."""

    data: Array

    def __eq__(self, other: object) -> bool:
        """Return whether other is this very node (lesson 05)."""
        return self is other

    def __hash__(self) -> int:
        """Return the whole number by which sets and dicts find this node (lesson 05)."""
        return id(self)

    def equal(self, other: Any) -> bool:
        """Return whether other has the same shape and the same numbers (lesson 05)."""
        return np.array_equal(self.data, other.data)


def wants_grad(parents: Sequence[Any]) -> bool:
    """Return whether a result made from these parents takes part in the graph (lesson 05)."""
    return GRAD_ENABLED.get() and any(parent.requires_grad for parent in parents)


def topological_order(root: Any) -> list[Any]:
    """Return root and everything it was made from, each Tensor once, parents before children (given).

    It is lesson 02's toposort, without recursion: a graph may be 5,000 nodes deep.
    """
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node._prev)
    return order


class Operators:
    """What + and * mean for a Tensor. Every Tensor inherits these four methods.

    In all of them other is a Tensor of self's shape, an array of that shape, or a number. What is no Tensor yet becomes
    a constant. Each returns one Tensor of self's shape.
    """

    __array_ufunc__ = None  # so an array on the left leaves the operation to __radd__ and __rmul__

    def __add__(self, other: Any) -> Any:
        """Return self + other, entry by entry, as a Tensor with a closure; its _op is "+".

        Where the result wants a gradient, its _backward hands it on to self and to other. Otherwise _backward is None.

            x = Tensor([2.0, 3.0], requires_grad=True), out = x + 10.0
            out.data is [12., 13.]; when x[1] grows by 0.1, out[1] grows by 0.1
        """
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = self.result(self.data + other.data, (self, other), "+")

        def _backward() -> None:
            self.accumulate(out.grad)
            other.accumulate(out.grad)

        if out.requires_grad:
            out._backward = _backward
        return out

    def __mul__(self, other: Any) -> Any:
        """Return self * other, entry by entry; its _op is "*". It calls `multiply`.

        x = Tensor([2.0, 3.0], requires_grad=True); (x * 10.0).data is [20., 30.]
        """
        other = other if isinstance(other, Tensor) else Tensor(other)
        return multiply(self, other)

    def __radd__(self, other: Any) -> Any:
        """Return other + self. Python asks this when other, on the left, is a number or an array.

        x = Tensor([2.0, 3.0], requires_grad=True); (10.0 + x).data is [12., 13.]
        """
        return self + other

    def __rmul__(self, other: Any) -> Any:
        """Return other * self. Python asks this when other, on the left, is a number or an array.

        x = Tensor([2.0, 3.0], requires_grad=True); (np.array([1.0, 10.0]) * x).data is [2., 30.]
        """
        return self * other


class Tensor(Compared, Operators):
    """An array that remembers how it was made."""

    data: Array
    grad: Array | None
    requires_grad: bool

    def __init__(self, data: Any, requires_grad: bool = False, _prev: tuple[Any, ...] = (), _op: str = "") -> None:
        """Set the seven attributes that the top of the file lists (lesson 05)."""
        array = np.array(data)
        self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
        self.grad = None
        self.requires_grad = requires_grad
        self._prev = _prev
        self._op = _op
        self._backward: Any = None
        self.label = ""

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
        """Add gradient to self.grad, an array of its own; a constant takes none (lesson 05)."""
        if not self.requires_grad:
            return
        if np.shape(gradient) != self.data.shape:
            raise ValueError(f"a gradient of shape {np.shape(gradient)} arrived at data of shape {self.data.shape}")
        total = gradient if self.grad is None else self.grad + gradient
        self.grad = np.array(total, dtype=self.data.dtype)

    def backward(self) -> None:
        """Set grad = d self / d node on every node that self was made from. Returns nothing.

        self must hold one number, of shape (), (1,), (1, 1) ..., and want a gradient: otherwise raise RuntimeError.
        The seed is ones of data's shape and dtype. Hand it to self with accumulate: self may be a leaf, which collects.
        Then children before parents: every _backward that there is. A second call adds to the grads of leaves.
        Inner nodes, those with parents, start from None in every call.

            x = Tensor(3.0, requires_grad=True), y = multiply(x, x)
            after y.backward() y.grad is 1., as an array of shape (), and x.grad is 6.
        """
        if self.data.size != 1:
            raise RuntimeError(f"backward starts from one number, not from shape {self.data.shape}")
        if not self.requires_grad:
            raise RuntimeError("backward on a constant: nothing it was made from has requires_grad")
        order = topological_order(self)
        for node in order:
            if node._prev:
                node.grad = None
        self.accumulate(np.ones_like(self.data))
        for node in reversed(order):
            if node._backward is not None:
                node._backward()

    def detach(self) -> Any:
        """Return a new Tensor with the same array, which is a constant and a leaf. self stays as it is.

        No number is copied: the two share the array itself, of any shape, as PyTorch's do.

            y = multiply(x, x), z = y.detach()
            z.data is y.data, len(z._prev) is 0, z.requires_grad is False
        """
        out = type(self)(self.data)
        out.data = self.data
        return out


def multiply(a: Any, b: Any) -> Any:
    """Return a * b, entry by entry, as a Tensor with a closure.

    a, b: two Tensors of one shape. Returns one Tensor of that shape; its _op is "*". Where the result wants a gradient,
    its _backward hands result.grad times the other operand's data to each operand that wants one; for a constant it
    computes nothing. Otherwise _backward is None.

        x = Tensor([2.0, 3.0], requires_grad=True), c = Tensor([5.0, 7.0]), out = multiply(x, c)
        out.data is [10., 21.]; with out.grad = [1., 10.], out._backward() makes x.grad [5., 70.], and c.grad stays None
    """
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward() -> None:
        if a.requires_grad:
            a.accumulate(out.grad * b.data)
        if b.requires_grad:
            b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


class no_grad:  # noqa: N801 - as PyTorch spells it
    """Within `with no_grad():` nothing is recorded: results are constants without parents."""

    def __enter__(self) -> None:
        """Set GRAD_ENABLED to False, and remember what it was.

        No other arguments than self. Returns nothing.

            with no_grad():
                y = multiply(x, x)
            len(y._prev) is 0, and y.requires_grad is False
        """
        self._token = GRAD_ENABLED.set(False)

    def __exit__(self, *error: object) -> None:
        """Set GRAD_ENABLED back to what it was before: False in a block within a block. Returns nothing.

        error: three Nones, or what was raised inside. It is not swallowed: it goes on to the caller.

            len(multiply(x, x)._prev) is 2 again after the block, however the block was left
        """
        GRAD_ENABLED.reset(self._token)


def backward_from(root: Any, gradient: Array) -> None:
    """Do what backward does, for a root of any shape at which `gradient` arrives. Returns nothing.

    gradient: an array in the shape of root.data; another shape is a ValueError. A constant root is a RuntimeError.
    Afterwards root.grad is gradient, as an array of root's own, and x.grad of a leaf says how fast the one number
    `sum of gradient * root` grows with each entry of x. A second call adds to the grads of leaves (also where root is
    one); inner nodes start from None.

        x = Tensor([2.0, 3.0], requires_grad=True), y = multiply(x, x)
        after backward_from(y, np.array([1.0, 10.0])) x.grad is [4., 60.]
    """
    if not root.requires_grad:
        raise RuntimeError("root is a constant: nothing it was made from has requires_grad")
    if np.shape(gradient) != root.data.shape:
        raise ValueError(f"a gradient of shape {np.shape(gradient)} for a root of shape {root.data.shape}")
    order = topological_order(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.accumulate(gradient)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()

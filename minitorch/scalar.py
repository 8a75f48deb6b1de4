"""The scalar engine of the first lessons: one number, one node.

A `Value` is a number that remembers how it was made. Every operation writes down, at once, the derivative of its
result with respect to each operand (`_local_grads`); `backward` multiplies those along the edges and adds where paths
meet. That is the whole of reverse-mode differentiation (Linnainmaa, 1970).

    >>> x, y = Value(2.0, label="x"), Value(-3.0, label="y")
    >>> loss = x * y + x
    >>> loss.backward()
    >>> loss.data, x.grad, y.grad
    (-4.0, -2.0, 2.0)
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable

__all__ = ["Value"]

Number = int | float

# A clock, not a setting: it only ever counts up, so that parents always carry a smaller number than their children.
_next_uid: Callable[[], int] = itertools.count(1).__next__
_creation = operator.attrgetter("uid")


class Value:
    """A number in a computation graph.

    data: the number. grad: d(root)/d(this) after `root.backward()`; `None` until a gradient has arrived, which is not
    the same as 0.0. Python numbers that take part are constants: they are folded into the local gradient and make no
    node. Equality and hash are by identity: two nodes may hold the same number.

    Raises TypeError when `data` is not a number.
    """

    __slots__ = ("_local_grads", "_op", "_prev", "data", "grad", "label", "uid")

    def __init__(
        self,
        data: Number,
        _prev: tuple[Value, ...] = (),
        _op: str = "",
        _local_grads: tuple[float, ...] = (),
        label: str = "",
    ) -> None:
        if not isinstance(data, (int, float)):
            raise TypeError(f"a Value holds one number (int or float), not {type(data).__name__}")
        self.data = float(data)
        self.grad: float | None = None
        self.label = label
        self.uid = _next_uid()
        self._prev = _prev
        self._op = _op
        self._local_grads = _local_grads

    # -- arithmetic ------------------------------------------------------------------------------------------------

    def __add__(self, other: Value | Number) -> Value:
        """self + other: both local gradients are 1."""
        if isinstance(other, Value):
            return _result(self.data + other.data, (self, other), "+", (1.0, 1.0))
        if isinstance(other, (int, float)):
            return _result(self.data + other, (self,), "+", (1.0,))
        return NotImplemented

    def __mul__(self, other: Value | Number) -> Value:
        """self · other: each operand's local gradient is the *other* operand."""
        if isinstance(other, Value):
            return _result(self.data * other.data, (self, other), "*", (other.data, self.data))
        if isinstance(other, (int, float)):
            return _result(self.data * other, (self,), "*", (float(other),))
        return NotImplemented

    def __pow__(self, exponent: Value | Number) -> Value:
        """self ** n: d/dself = n · self**(n-1); with a Value as exponent also d/dn = self**n · ln(self)."""
        if isinstance(exponent, Value):
            return (exponent * self.log()).exp()
        if not isinstance(exponent, (int, float)):
            return NotImplemented
        if self.data == 0.0 and exponent < 0:
            raise ZeroDivisionError(f"0.0 ** {exponent} divides by zero")
        if self.data < 0.0 and exponent != int(exponent):
            raise ValueError(f"{self.data} ** {exponent} is not a real number: the exponent must be whole here")
        slope = exponent * _power(self.data, exponent - 1) if self.data != 0.0 or exponent >= 1 else math.inf
        return _result(_power(self.data, exponent), (self,), "**", (0.0 if exponent == 0 else slope,))

    def __neg__(self) -> Value:
        """-self: the local gradient is -1."""
        return _result(-self.data, (self,), "neg", (-1.0,))

    def __sub__(self, other: Value | Number) -> Value:
        """self - other: local gradients 1 and -1."""
        if isinstance(other, Value):
            return _result(self.data - other.data, (self, other), "-", (1.0, -1.0))
        if isinstance(other, (int, float)):
            return _result(self.data - other, (self,), "-", (1.0,))
        return NotImplemented

    def __truediv__(self, other: Value | Number) -> Value:
        """self / other: local gradients 1/other and -self/other²."""
        if not isinstance(other, (Value, int, float)):
            return NotImplemented
        divisor = other.data if isinstance(other, Value) else other
        if divisor == 0.0:
            raise ZeroDivisionError(f"{self.data} / {divisor} divides by zero")
        if isinstance(other, Value):
            quotient = self.data / divisor
            return _result(quotient, (self, other), "/", (1.0 / divisor, -quotient / divisor))
        return _result(self.data / divisor, (self,), "/", (1.0 / divisor,))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Number) -> Value:
        """number - self: the local gradient is -1."""
        return _result(other - self.data, (self,), "-", (-1.0,))

    def __rtruediv__(self, other: Number) -> Value:
        """number / self: the local gradient is -number / self²."""
        if self.data == 0.0:
            raise ZeroDivisionError(f"{other} / 0.0 divides by zero")
        quotient = other / self.data
        return _result(quotient, (self,), "/", (-quotient / self.data,))

    def __rpow__(self, base: Number) -> Value:
        """number ** self: the local gradient is number**self · ln(number). Raises ValueError unless number > 0."""
        if base <= 0:
            raise ValueError(f"{base} ** Value needs a base above zero: its derivative contains ln({base})")
        out = _power(base, self.data)
        return _result(out, (self,), "**", (out * math.log(base),))

    # -- functions -------------------------------------------------------------------------------------------------

    def exp(self) -> Value:
        """e**self; it is its own local gradient. Overflow gives inf, as in NumPy."""
        try:
            out = math.exp(self.data)
        except OverflowError:
            out = math.inf
        return _result(out, (self,), "exp", (out,))

    def log(self) -> Value:
        """ln(self): the local gradient is 1/self. Raises ValueError unless self > 0."""
        if self.data <= 0.0:
            raise ValueError(f"log needs a number above zero, not {self.data}")
        return _result(math.log(self.data), (self,), "log", (1.0 / self.data,))

    def tanh(self) -> Value:
        """tanh(self): the local gradient is 1 - tanh²."""
        out = math.tanh(self.data)
        return _result(out, (self,), "tanh", (1.0 - out * out,))

    def sigmoid(self) -> Value:
        """σ(self) = 1/(1 + e**-self): the local gradient is σ(1 - σ)."""
        tail = math.exp(-abs(self.data))  # of -|x|, so that it never overflows
        out = 1.0 / (1.0 + tail) if self.data >= 0 else tail / (1.0 + tail)
        return _result(out, (self,), "sigmoid", (out * (1.0 - out),))

    def relu(self) -> Value:
        """max(0, self): the local gradient is 1 above zero, else 0 (at 0 too, as in PyTorch)."""
        off = self.data <= 0.0  # nan is neither on nor off, and stays nan
        return _result(0.0 if off else self.data, (self,), "relu", (0.0 if off else 1.0,))

    @staticmethod
    def dot(left: Iterable[Value | Number], right: Iterable[Value | Number], start: Value | Number = 0.0) -> Value:
        """start + Σ leftᵢ · rightᵢ as one node: each factor's local gradient is the other factor, and start's is 1.

        What a neuron computes. Written with + and * it is two nodes for each product, and takes six times as long.
        Raises ValueError when the two are not equally long.

            >>> w = [Value(2.0), Value(3.0)]
            >>> out = Value.dot(w, [5.0, 1.0], start=1.0)
            >>> out.backward()
            >>> out.data, [each.grad for each in w]
            (14.0, [5.0, 1.0])
        """
        left, right = list(left), list(right)
        if len(left) != len(right):
            raise ValueError(f"dot: {len(left)} factors on the left and {len(right)} on the right: they must pair up")
        prev: list[Value] = []
        slopes: list[float] = []
        if isinstance(start, Value):
            prev.append(start)
            slopes.append(1.0)
            start = start.data
        total = float(start)
        for one, other in zip(left, right):
            a = one.data if isinstance(one, Value) else one
            b = other.data if isinstance(other, Value) else other
            total += a * b
            if isinstance(one, Value):
                prev.append(one)
                slopes.append(b)
            if isinstance(other, Value):
                prev.append(other)
                slopes.append(a)
        return _result(total, tuple(prev), "dot", tuple(slopes))

    # -- the backward pass -----------------------------------------------------------------------------------------

    def backward(self) -> None:
        """Set `grad` to d(self)/d(node) on every node that self was made from.

        d(self)/d(parent) = Σ over the edges parent → child of local_grad · d(self)/d(child). Gradients of inner nodes
        describe this pass; those of leaves accumulate over passes, until somebody sets them to None.
        """
        order = self._ancestors()
        for node in order:
            if node._prev:
                node.grad = None
        self.grad = 1.0 if self.grad is None else self.grad + 1.0
        for node in order:
            upstream = node.grad
            if upstream is None:  # a leaf that is its own root has nothing above it; others were reached before
                continue
            for parent, local in zip(node._prev, node._local_grads):
                before = parent.grad
                parent.grad = local * upstream if before is None else before + local * upstream

    def _ancestors(self) -> list[Value]:
        """self and everything it was made from, children before parents (the largest creation number first)."""
        found = {self}
        stack = [self]
        while stack:
            for parent in stack.pop()._prev:
                if parent not in found:
                    found.add(parent)
                    stack.append(parent)
        return sorted(found, key=_creation, reverse=True)

    # -- looking at it ---------------------------------------------------------------------------------------------

    def __float__(self) -> float:
        return self.data

    def __repr__(self) -> str:
        name = f"{self.label}: " if self.label else ""
        grad = "None" if self.grad is None else f"{self.grad:.6g}"
        return f"Value({name}{self.data:.6g}, grad={grad})"


def _result(data: float, prev: tuple[Value, ...], op: str, local_grads: tuple[float, ...]) -> Value:
    """The Value that an operation made: `Value(…)` without its questions, in two thirds of the time."""
    value = Value.__new__(Value)
    value.data = data
    value.grad = None
    value.label = ""
    value.uid = _next_uid()
    value._prev = prev
    value._op = op
    value._local_grads = local_grads
    return value


def _power(base: float, exponent: float) -> float:
    """base ** exponent; infinite where Python would raise OverflowError."""
    try:
        return float(base**exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf

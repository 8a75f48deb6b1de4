"""Lesson 01, scalar nodes: a number that remembers how it was made.

All numbers here: every `data` is one float, and so is every local gradient.
A plain number (int or float) that takes part is a constant. It makes no node, and nothing is written down for it.
"""

from __future__ import annotations


class Reflected:
    """What Python asks when the plain number stands on the left: `2 + v`, `2 * v`, `2 - v`.

    Python asks the number first. An int has never heard of v, so Python asks v: `v.__radd__(2)`, and so on.
    `Value` below inherits these three methods. In each of them `other` is a plain number, and it comes first.
    """

    def __radd__(self, other: float) -> Value:
        """Return other + self, one Value.

        v = Value(3.0); (2 + v).data is 5.0, and v is the only parent
        """
        raise NotImplementedError

    def __rmul__(self, other: float) -> Value:
        """Return other * self, one Value.

        v = Value(3.0); (2 * v).data is 6.0, and v is the only parent
        """
        raise NotImplementedError

    def __rsub__(self, other: float) -> Value:
        """Return other - self, one Value.

        v = Value(3.0); (2 - v).data is -1.0, and when v grows by 1 the result grows by -1
        """
        raise NotImplementedError


class Value(Reflected):
    """A number that remembers how it was made.

    data            one number
    grad            one number, or None while no gradient has arrived (lesson 02 fills it in)
    _prev           tuple of the Values it was made from: its parents; () for a leaf
    _op             the sign of the operation: "+", "*", "**"; "" for a leaf
    _local_grads    tuple of numbers, one for each parent: how fast data grows when that parent grows
    label           a name for the picture
    """

    def __init__(
        self,
        data: float,
        _prev: tuple[Value, ...] = (),
        _op: str = "",
        _local_grads: tuple[float, ...] = (),
        label: str = "",
    ) -> None:
        """A node with its number and what it remembers (given)."""
        self.data = float(data)
        self.grad: float | None = None
        self._prev = _prev
        self._op = _op
        self._local_grads = _local_grads
        self.label = label

    def __repr__(self) -> str:
        return f"Value({self.data})"

    def __add__(self, other: Value | float) -> Value:
        """Return self + other as a new Value.

        other: a Value, or a plain number. Returns one Value. One local gradient for each parent, all numbers.

            a, b = Value(2.0), Value(-3.0)
            out = a + b     out.data is -1.0, out._prev is (a, b), out._op is "+"
            out = a + 10    out.data is 12.0, out._prev is (a,): the constant 10 is no parent
        """
        raise NotImplementedError

    def __mul__(self, other: Value | float) -> Value:
        """Return self * other as a new Value.

        other: a Value, or a plain number. Returns one Value. One local gradient for each parent, all numbers.

            a, b = Value(2.0), Value(-3.0)
            out = a * b     out.data is -6.0: when b grows by 0.1, out grows by 0.2
            out = a * 10    out.data is 20.0, out._prev is (a,): the constant 10 is no parent
            out = a * a     out._prev is (a, a): one Value in two places
        """
        raise NotImplementedError

    def __pow__(self, n: float) -> Value:
        """Return self ** n as a new Value.

        n: a plain number, never a Value. Returns one Value with one parent. n may be negative where x is not 0, and a
        fraction where x is above 0. x ** 0 is 1 at every x, so its slope is 0, also at x = 0.

            x = Value(3.0)
            out = x ** 2    out.data is 9.0, out._prev is (x,), out._op is "**"
                            when x grows by 0.001, out grows by about 0.006
        """
        raise NotImplementedError

    def __neg__(self) -> Value:
        """-self, made of your * (given)."""
        return self * -1.0

    def __sub__(self, other: Value | float) -> Value:
        """self - other, made of your + and * (given)."""
        return self + (-other)


def local_grads(out: Value) -> dict[Value, float]:
    """Return how fast out.data grows with each of its direct parents: a dict {parent: number}.

    out: one Value. Each parent is in the dict once. A parent that out holds in two places acts through both,
    so its numbers are added. A leaf has no parents and gives an empty dict.

        a, b = Value(2.0), Value(-3.0)
        out = Value(9.0, (a, b, a), "?", (0.5, 4.0, 1.5))      a stands in two places
        local_grads(out) is {a: 2.0, b: 4.0}
    """
    raise NotImplementedError


def dot(left: list[Value], right: list[Value]) -> Value:
    """Return left[0] * right[0] + left[1] * right[1] + …, as one node.

    left, right: lists of Values, equally long, at least one entry each. Returns one Value. Its parents are all the
    Values of both lists, an entry for each place, in the order you like; the local gradients stand in that same order.

        a, b, c, d = Value(2.0), Value(-3.0), Value(4.0), Value(0.5)
        out = dot([a, b], [c, d])    out.data is 6.5: 2 · 4 + (-3) · 0.5
                                     four parents, and no node between them and out
    """
    raise NotImplementedError

"""Lesson 20, derivatives of derivatives, and the other mode.

The first half needs no graph. A Dual is a number with its tangent: how fast it grows when the inputs move along v.
The second half walks back twice, with Recorded: a Tensor, given below, whose walk back can be recorded itself.

    x, v    lists of floats of one length in jvp; Recorded of one shape, (n,), in hvp and newton_step
    f       takes what x is and returns one number: a Dual in jvp, a Recorded of shape () in hvp and newton_step
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


class Dual:
    """A number and its tangent. A plain number in an operation has the tangent 0.

    value, tangent: one float each. An operation returns a new Dual; those it was given stay as they were.

        Dual(3.0, 1.0) * Dual(4.0, 0.0) has the value 12.0 and the tangent 4.0
    """

    def __init__(self, value: float, tangent: float = 0.0) -> None:
        """Set value and tangent, one number each. Dual(3.0, 1.0).tangent is 1.0, and Dual(3.0).tangent is 0.0."""
        raise NotImplementedError

    def __add__(self, other: Any) -> Dual:
        """Return self + other, a Dual or a number. The value of Dual(3.0, 1.0) + 2.0 is 5.0, its tangent is 1.0."""
        raise NotImplementedError

    def __sub__(self, other: Any) -> Dual:
        """Return self - other, a Dual or a number. The value of Dual(3.0, 1.0) - 2.0 is 1.0."""
        raise NotImplementedError

    def __mul__(self, other: Any) -> Dual:
        """Return self * other, a Dual or a number. The value of Dual(3.0, 1.0) * 2.0 is 6.0."""
        raise NotImplementedError

    def __rsub__(self, other: Any) -> Dual:
        """Return other - self, where other is a number. The value of 5.0 - Dual(3.0, 1.0) is 2.0."""
        raise NotImplementedError

    __radd__ = __add__
    __rmul__ = __mul__

    def exp(self) -> Dual:
        """Return e to the power of this number. Of Dual(0.0, 1.0) the value is 1.0, and so is the tangent."""
        raise NotImplementedError

    def relu(self) -> Dual:
        """Return this number where it is above 0, and otherwise 0; the slope at 0 is 0.0, as it is below."""
        raise NotImplementedError


def jvp(f: Callable[[list[Dual]], Dual], x: Sequence[float], v: Sequence[float]) -> tuple[float, float]:
    """Return f(x), and how fast f grows when x moves along v, in one pass forward.

    f: takes a list of Duals and returns a Dual, or a plain number when x has no effect on it. x, v: n floats each;
    both lists stay as they were. Returns two floats. Raises ValueError when x and v differ in length.

        value, tangent = jvp(lambda p: p[0] * p[1], [3.0, 4.0], [1.0, 0.0])
        value is 12.0, and tangent is 4.0
    """
    raise NotImplementedError


class Recorded:
    """A Tensor whose walk back can be recorded, for its rules compute with Recorded, too (given).

    _prev: what it was made from. _rules: for each of them, what turns the gradient that arrives here, a Recorded, into
    that one's share.
    """

    def __init__(
        self, data: Any, requires_grad: bool = False, _prev: tuple[Any, ...] = (), _rules: Any = (), _op: str = ""
    ) -> None:
        """Set the attributes. An operation keeps its parents only where one of them wants a gradient (given)."""
        array = np.array(data)
        self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
        self.grad: Any = None
        self.requires_grad = requires_grad or any(each.requires_grad for each in _prev)
        self._prev = _prev if self.requires_grad else ()
        self._rules: Any = _rules if self.requires_grad else ()
        self._op = _op
        self._hooks: list[Callable[[Any], Any]] = []
        self.label = ""

    def __repr__(self) -> str:
        """Return the numbers, and whether a gradient is wanted (given)."""
        wanted = ", requires_grad=True" if self.requires_grad else ""
        return f"Recorded({np.array2string(self.data, precision=4, separator=', ')}{wanted})"

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array (given)."""
        return self.data.shape

    def numpy(self) -> Any:
        """Return the array of a Recorded without a graph; another is a RuntimeError (given)."""
        if self.requires_grad:
            raise RuntimeError("numpy() on a Recorded that requires grad: write t.detach().numpy() to leave the graph")
        return self.data

    def item(self) -> float:
        """Return the one number that this Recorded holds (given)."""
        return float(self.data.item())

    def detach(self) -> Recorded:
        """Return a constant of the same numbers, in an array of its own (given)."""
        return Recorded(self.data)

    def clone(self) -> Recorded:
        """Return a copy that is one more node of the graph (given)."""
        return Recorded(self.data, False, (self,), (lambda g: g,), "clone")

    def requires_grad_(self, wanted: bool = True) -> Recorded:
        """Say whether this leaf wants a gradient; return it (given)."""
        self.requires_grad = wanted
        return self

    def register_hook(self, hook: Callable[[Any], Any]) -> None:
        """Call hook with the gradient that arrives here, in every walk back (given)."""
        self._hooks.append(hook)

    def __add__(self, other: Any) -> Recorded:
        """Return self + other (given)."""
        other = as_recorded(other)
        rules = (lambda g: folded(g, self.shape), lambda g: folded(g, other.shape))
        return Recorded(self.data + other.data, False, (self, other), rules, "+")

    def __mul__(self, other: Any) -> Recorded:
        """Return self * other (given)."""
        other = as_recorded(other)
        rules = (lambda g: folded(g * other, self.shape), lambda g: folded(g * self, other.shape))
        return Recorded(self.data * other.data, False, (self, other), rules, "*")

    def __pow__(self, power: float) -> Recorded:
        """Return self to the power of a plain number (given)."""
        rule = (lambda g: g * (self ** (power - 1)) * power) if power else (lambda g: g * 0.0)
        return Recorded(self.data**power, False, (self,), (rule,), f"** {power}")

    def exp(self) -> Recorded:
        """Return e to the power of each number (given)."""
        return Recorded(np.exp(self.data), False, (self,), (lambda g: g * self.exp(),), "exp")

    def relu(self) -> Recorded:
        """Return each number where it is above 0, and otherwise 0 (given)."""
        open_ = Recorded(self.data > 0)  # a constant: it does not change when self moves a little
        return Recorded(np.maximum(self.data, 0.0), False, (self,), (lambda g: g * open_,), "relu")

    def sum(self, axis: int | tuple[int, ...] | None = None) -> Recorded:
        """Return the sum of all numbers, or along axis (given)."""
        out = self.data.sum(axis=axis)
        kept = np.sum(self.data, axis=axis, keepdims=True).shape
        return Recorded(out, False, (self,), (lambda g: g.reshape(kept).spread(self.shape),), "sum")

    def mean(self) -> Recorded:
        """Return the mean of all numbers (given)."""
        return self.sum() * (1.0 / self.data.size)

    def reshape(self, shape: tuple[int, ...]) -> Recorded:
        """Return the same numbers in another shape (given)."""
        return Recorded(self.data.reshape(shape), False, (self,), (lambda g: g.reshape(self.shape),), "reshape")

    def spread(self, shape: tuple[int, ...]) -> Recorded:
        """Return the numbers repeated to a shape, as broadcasting does (given)."""
        out = np.broadcast_to(self.data, shape)
        return Recorded(out, False, (self,), (lambda g: folded(g, self.shape),), "spread")

    def __getitem__(self, index: Any) -> Recorded:
        """Return what stands at an index (given)."""
        return Recorded(self.data[index], False, (self,), (lambda g: g.put(index, self.shape),), f"[{index}]")

    def put(self, index: Any, shape: tuple[int, ...]) -> Recorded:
        """Return zeros of a shape, with these numbers at an index (given)."""
        out = np.zeros(shape)
        np.add.at(out, index, self.data)
        return Recorded(out, False, (self,), (lambda g: g[index],), "put")

    def __matmul__(self, w: Recorded) -> Recorded:
        """Return self @ w, where self is (N, D) or (D,) and w is (D,) (given)."""
        if w.data.ndim != 1:
            raise ValueError(f"a Recorded multiplies by a vector of shape (D,), not by one of shape {w.shape}")
        return (self * w).sum(axis=-1)

    def __neg__(self) -> Recorded:
        """Return -self (given)."""
        return self * -1.0

    def __sub__(self, other: Any) -> Recorded:
        """Return self - other (given)."""
        return self + as_recorded(other) * -1.0

    def __rsub__(self, other: Any) -> Recorded:
        """Return other - self (given)."""
        return as_recorded(other) - self

    def __truediv__(self, other: Any) -> Recorded:
        """Return self / other (given)."""
        return self * as_recorded(other) ** -1.0

    __radd__ = __add__
    __rmul__ = __mul__

    def backward(self) -> None:
        """Walk back from this one number; each leaf adds what arrives to its grad, an array (given)."""
        leaves = [node for node in in_order(self) if node.requires_grad and not node._prev]
        for leaf, gradient in zip(leaves, grad(self, leaves), strict=True):
            leaf.grad = gradient.data if leaf.grad is None else leaf.grad + gradient.data


def as_recorded(value: Any) -> Recorded:
    """Return value as a Recorded: itself, or a constant (given)."""
    return value if isinstance(value, Recorded) else Recorded(value)


def folded(g: Recorded, shape: tuple[int, ...]) -> Recorded:
    """Return g summed to a shape that broadcasting had spread (lesson 08, given)."""
    if g.shape == shape:
        return g
    extra = len(g.shape) - len(shape)
    axes = (*range(extra), *(extra + i for i, n in enumerate(shape) if n == 1))
    return g.sum(axis=axes).reshape(shape)


def in_order(root: Recorded) -> list[Recorded]:
    """Return all that root was made from, parents before children, root last (lesson 02, given)."""
    order: list[Recorded] = []
    seen: set[int] = set()
    waiting = [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            waiting += [(parent, False) for parent in node._prev]
    return order


def grad(
    root: Recorded,
    leaves: Sequence[Recorded],
    *,
    retain_graph: bool = False,
    create_graph: bool = False,
    materialize_grads: bool = False,
) -> list[Any]:
    """Return the gradient of root, one number, at each of the leaves, as Recorded; nobody's grad is written (given).

    create_graph: record the walk, so that the gradients have a graph of their own. retain_graph: keep root's graph for
    another walk; a graph that is not kept is used up. materialize_grads: zeros, not None, where root does not depend on
    a leaf. Raises RuntimeError when root has no graph, when it was used up, or holds more than one number.
    """
    if not root.requires_grad:
        raise RuntimeError("nothing to walk back along: root is a constant, without a graph")
    if root.data.size != 1:
        raise RuntimeError(f"a walk back starts at one number, not at shape {root.shape}")
    order = in_order(root)
    arrived = {id(root): Recorded(np.ones(root.shape))}
    for node in reversed(order):
        if id(node) not in arrived:
            continue
        for hook in node._hooks:
            hook(arrived[id(node)])
        if node._prev and not node._rules:
            raise RuntimeError("this graph was used up by a walk before: that walk needs retain_graph=True")
        for parent, rule in zip(node._prev, node._rules, strict=True):
            if parent.requires_grad:
                share = rule(arrived[id(node)])
                share = share if create_graph else share.detach()
                arrived[id(parent)] = arrived[id(parent)] + share if id(parent) in arrived else share
    for node in order:
        if node._prev and not (retain_graph or create_graph):
            node._rules = ()
    nothing = (lambda leaf: Recorded(np.zeros(leaf.shape))) if materialize_grads else (lambda leaf: None)
    return [arrived[id(leaf)] if id(leaf) in arrived else nothing(leaf) for leaf in leaves]


def hvp(f: Callable[[Recorded], Recorded], x: Recorded, v: Recorded) -> Recorded:
    """Return H @ v, where H is the Hessian of f at x, without making H.

    f: takes a Recorded of shape (n,) and returns one of shape (), on which x has an effect; other Recorded may have
    one, too. Where the slope does not depend on x, H is 0. x, v: shape (n,); they may want a gradient themselves, and
    both stay as they were, .grad included. Returns a Recorded of shape (n,) that needs no gradient.

        for f(p) = (p * p * p).sum(), x = [1., 2.], v = [1., 1.] the result is [6., 12.]
    """
    raise NotImplementedError


def newton_step(f: Callable[[Recorded], Recorded], x: Recorded) -> Recorded:
    """Return where one step of Newton's method leads: x - s, where H @ s is the gradient of f at x.

    f: takes a Recorded of shape (n,) and returns one of shape (), on which x has an effect. x: shape (n,), n small; it
    stays as it was. Returns a new one of shape (n,) that needs no gradient. H may bend downwards, too. Raises
    LinAlgError, which is NumPy's, when H has no inverse.

        for f(p) = (p * p).sum() and x = [3., -1.] the result is [0., 0.], and so it is for every other x
    """
    raise NotImplementedError


def gradient_penalty(f: Callable[[Recorded], Recorded], x: Recorded) -> Recorded:
    """Return the mean over the examples of (length of the gradient of f - 1) squared, with a graph to walk back.

    f: takes a Recorded of shape (N, D) and returns one of shape (N,), each number from its own row alone. x: (N, D),
    a constant; it stays as it was. Returns a Recorded of shape (); its backward() reaches the parameters of f, and
    nobody's grad is written before. No row has a gradient of length 0.

        for f(x) = x @ w, w = [3., 4.]: each length is 5, the result 16, and its gradient by w is [4.8, 6.4]
    """
    raise NotImplementedError

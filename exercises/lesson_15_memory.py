"""Lesson 15, memory: what a graph keeps alive, and how it lets go.

In lesson 06 a result held its closure, and the closure held the result. Here is another way to build the same graph.
What computes is a Variable. What remembers is a WeakNode, and no strong reference leads from a node to a Variable.

    variable.data      an array of floats
    variable.counter   a Counter: its count grows by one with every change in place
    variable.node      its WeakNode, or None for a constant

    node.op            the operation's sign, such as "*"; "" for a leaf
    node.parents       a tuple: for each operand its WeakNode, or None where the operand is a constant; () for a leaf
    node.shape         the shape of the Variable's data
    node.saved         a dict: what the rules will need, each a Kept by its name; None once the node has been freed
    node.grad          None while no gradient has arrived, then an array
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

Array = Any  # a NumPy array
Rule = Callable[..., Array]  # a gradient rule: takes g, and what else it names


class Counter:
    """How often an array has been changed in place (given). All who hold it see the same count."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.count = 0


class Kept(NamedTuple):
    """What a node keeps of one thing (given): the value, its counter, and the count at that time."""

    value: Any
    counter: Counter
    count: int


def keep(thing: Any) -> Kept:
    """Return a Kept of a Variable or of a shape (given). The Variable itself is not in it: only its array."""
    if isinstance(thing, Variable):
        return Kept(thing.data, thing.counter, thing.counter.count)
    return Kept(thing, Counter(), 0)


def names_of(rule: Rule) -> tuple[str, ...]:
    """Return the names of a rule's parameters (given).

    names_of(lambda g, b: g * b) is ("g", "b")
    """
    return rule.__code__.co_varnames[: rule.__code__.co_argcount]


# ------------------------------------------------------------------------------------------------ yours


class WeakNode:
    """A place in the graph. It holds its parents, and refers to its Variable weakly."""

    def __init__(self, variable: Any, op: str = "", parents: Iterable[Any] = ()) -> None:
        """Set op, parents, shape, saved and grad as the top of the file says, and remember the Variable weakly.

        variable: a Variable; it is not changed. parents: nodes and Nones, in a list, a tuple or the like; the node
        keeps a tuple of its own, and with it the parents alive. saved begins as an empty dict of the node's own, grad
        as None.

            x = Variable([1.0, 2.0]), node = WeakNode(x, "*", [a, b])
            node.op is "*", node.parents is (a, b), node.shape is (2,), node.saved is {}, node.grad is None
        """
        raise NotImplementedError

    def variable(self) -> Any:
        """Return the Variable, or None once it is gone.

        No other arguments than self. The node does not keep it alive, nor its array.

            node.variable().data is [1., 2.]; after `del x` node.variable() is None, and node.shape is still (2,)
        """
        raise NotImplementedError


def saved_for_backward(rules: Mapping[str, Rule], named: Mapping[str, Any], wanted: Collection[str]) -> dict[str, Kept]:
    """Return what a node must keep for its way back, and nothing else: a dict with a Kept for each name.

    rules: for each operand, by its name, the rule of its gradient, a plain function. It names what it needs: first g,
    which arrives later and is not kept, then things in named. named: Variables by name, operands and "out", the result;
    and shapes such as "a_shape". wanted: the names of the operands that want a gradient; the rules of the others will
    not be run.

        rules is {"a": lambda g, b: g * b, "b": lambda g, a: g * a}, named is {"a": x, "b": y, "out": z}
        wanted is ["a", "b"]: the result is {"b": keep(y), "a": keep(x)};  wanted is ["a"]: it is {"b": keep(y)}
    """
    raise NotImplementedError


def release_graph(root: Any) -> int:
    """Free the graph behind a node, the node included. Return how many nodes were freed, as a whole number.

    root: a WeakNode. Free every node that has parents, once: its saved and its grad become None. A leaf has no parents
    and keeps everything, its grad above all. op, parents and shape of all nodes stay. A parent that is None is a
    constant: leave it out. A node that was freed before is not counted again. The graph may be 5,000 nodes deep;
    newest_first, further down in this file, walks one without recursion.

        a is a leaf, p has the parents (a, a), root has the parents (p, None): release_graph(root) is 2
        p.saved, p.grad, root.saved and root.grad are None; a.grad is what it was. Called again, it returns 0
    """
    raise NotImplementedError


def version_check(node: Any) -> dict[str, Any]:
    """Return the values that a node has saved, by name, if its rules may still use them; else raise RuntimeError.

    node: a WeakNode; it is not changed. RuntimeError if the node has been freed: its saved is None. And RuntimeError if
    any array has been changed in place since it was kept: then its counter has another count than the Kept says.
    Returns a dict with the values themselves, no copies. A node that needs nothing has {} and gets {}.

        node.saved is {"b": Kept(array, counter, 3)}: while counter.count is 3 the result is {"b": array}
    """
    raise NotImplementedError


def two_ops(declare: Callable[..., Any]) -> tuple[Any, Any]:
    """Declare two operations: sigmoid(x) = 1 / (1 + e^-x), and log_ratio(a, b) = ln(a / b). Return both, as a pair.

    declare(forward, name="...", x=rule): takes the forward function on arrays, a name, and for each operand of the
    forward, by its name there, the rule of its gradient. It returns the operation. A rule takes g and what it needs of
    the operands and of "out", the result. No rule may take more than g and one array; sigmoid's must do without x.
    Entry by entry, any shape; both operands of log_ratio are positive.

        a cube would be declare(lambda x: x * x * x, name="cube", x=lambda g, x: g * 3 * x * x)
        sigmoid of [0.] is [0.5]; where [8.] arrives there, the gradient of x is [2.]
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------------------ given: a small engine

# The forward of each operation, and for each operand the rule of its gradient. The operands have one shape, but for @.
TABLE: dict[str, tuple[Callable[..., Array], dict[str, Rule]]] = {
    "+": (np.add, {"a": lambda g: g, "b": lambda g: g}),
    "-": (np.subtract, {"a": lambda g: g, "b": lambda g: -g}),
    "*": (np.multiply, {"a": lambda g, b: g * b, "b": lambda g, a: g * a}),
    "@": (np.matmul, {"a": lambda g, b: g @ b.T, "b": lambda g, a: a.T @ g}),
    "tanh": (np.tanh, {"a": lambda g, out: g * (1 - out * out)}),
    "sum": (np.sum, {"a": lambda g, a_shape: np.broadcast_to(g, a_shape)}),
}


class Variable:
    """An array that computes (given). Its history stands in its node."""

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        """Make a leaf, or a constant."""
        self.data = np.array(data, dtype=np.float64)
        self.counter = Counter()
        self.node = WeakNode(self) if requires_grad else None

    @property
    def grad(self) -> Array | None:
        """The gradient that has arrived at the node, or None."""
        return None if self.node is None else self.node.grad

    def __add__(self, other: Any) -> Variable:
        """Return self + other."""
        return apply("+", self, other)

    def __sub__(self, other: Any) -> Variable:
        """Return self - other."""
        return apply("-", self, other)

    def __mul__(self, other: Any) -> Variable:
        """Return self * other."""
        return apply("*", self, other)

    def __matmul__(self, other: Any) -> Variable:
        """Return self @ other, of two matrices."""
        return apply("@", self, other)

    def tanh(self) -> Variable:
        """Return tanh, entry by entry."""
        return apply("tanh", self)

    def sum(self) -> Variable:
        """Return the sum of all entries."""
        return apply("sum", self)

    def add_(self, amount: Any) -> Variable:
        """Add amount to the array itself, which is counted, and return self."""
        self.data += amount
        self.counter.count += 1
        return self

    def backward(self, retain_graph: bool = False) -> None:
        """Add to the grad of every leaf; then free the graph, unless it is to be retained."""
        if self.node is None or self.data.size != 1:
            raise RuntimeError("backward starts from one number that wants a gradient")
        order = newest_first(self.node)
        for node in order:
            if node.parents:
                node.grad = None
        self.node.grad = np.ones_like(self.data)
        for node in order:
            if node.parents:
                hand_on(node)
        if not retain_graph:
            release_graph(self.node)


def apply(op: str, *operands: Any) -> Variable:
    """Run an operation of the table and record it (given)."""
    forward, rules = TABLE[op]
    sides = [each if isinstance(each, Variable) else Variable(each) for each in operands]
    out = Variable(forward(*(side.data for side in sides)))
    wanted = [name for name, side in zip(rules, sides) if side.node is not None]
    if wanted:
        named: dict[str, Any] = {**dict(zip(rules, sides)), "out": out}
        named.update({f"{name}_shape": side.data.shape for name, side in zip(rules, sides)})
        out.node = WeakNode(out, op, [side.node for side in sides])
        out.node.saved = saved_for_backward(rules, named, wanted)
    return out


def hand_on(node: WeakNode) -> None:
    """Give each parent of a node its part of the gradient (given)."""
    values, rules = version_check(node), TABLE[node.op][1]
    for parent, rule in zip(node.parents, rules.values()):
        if parent is not None:
            needed = {name: values[name] for name in names_of(rule) if name != "g"}
            part = rule(node.grad, **needed)
            parent.grad = np.array(part if parent.grad is None else parent.grad + part)


def newest_first(root: WeakNode) -> list[WeakNode]:
    """Return root and all nodes behind it, children before parents, without recursion (given)."""
    order: list[WeakNode] = []
    seen: set[Any] = {None}
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node.parents)
    return order[::-1]

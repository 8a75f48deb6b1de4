"""Lesson 02, backward: first the order of the nodes, then the walk that fills in every gradient.

All numbers here. A node is any object with these four attributes, such as the Value of your lesson 01:

    node.data           one number
    node.grad           one number, or None while no gradient has arrived
    node._prev          tuple of its parents, the nodes it was made from; (x, x) for x * x; () for a leaf
    node._local_grads   tuple of numbers, one for each entry of _prev: how fast node.data grows with that parent

type(node)(data, _prev, _op, _local_grads) makes a new node of the same class; _op is the sign that a picture shows.
"""

from __future__ import annotations

import math
from typing import Any

Node = Any  # the functions below ask for the four attributes and for nothing else


def toposort(root: Node) -> list[Node]:
    """Return root and everything it was made from, as a list: each node once, parents before children.

    root: one node. Returns a list with one entry for each node; root is the last entry.
    A graph may be 5,000 nodes deep. Python stops a function that calls itself more than about 1,000 levels deep.

        x, y are leaves; p = x * y; root = p + x
        toposort(root) is [x, y, p, root] or [y, x, p, root]: both are right
    """
    raise NotImplementedError


def backward(root: Node) -> None:
    """Set node.grad = d root / d node on root and on every node it was made from. Returns nothing.

    root: one node. Every grad is one number, or None while no gradient has arrived.
    The first contribution sets grad, later ones are added: None + 1.0 is an error in Python.
    A second call adds to the grads of leaves. Inner nodes, those with parents, start from None in every call.

        x = 3, y = 2, p = x * y, root = p + x
        root.grad is 1.0, p.grad is 1.0, y.grad is 3.0, x.grad is 2.0 + 1.0
    """
    raise NotImplementedError


def tanh(node: Node) -> Node:
    """Return tanh(node) as one new node with one parent and its local gradient. Its sign is "tanh".

    tanh(x) is (eˣ - e⁻ˣ) / (eˣ + e⁻ˣ), a number from -1 to 1; Python has it as math.tanh. All numbers here.
    node: one node, whose number is anything from -1000 to 1000 and stays as it is. Returns one node.
    The local gradient is for you to derive.

        out = tanh(Value(0.0))      out.data is 0.0, and near 0 it grows as fast as the node: local gradient 1.0
        out = tanh(Value(1000.0))   out.data is 1.0, and stays 1.0 when the node grows: local gradient 0.0
    """
    raise NotImplementedError


def count_paths(root: Node, node: Node) -> int:
    """Return how many paths lead from root back to node.

    A path goes from a node to one of its parents, from there to one of that one's parents, and so on.
    root, node: one node each. Returns a whole number: 1 when both are the same node, 0 when root was not made from
    node. The graph stays as it is, and so does every grad. A graph may be 5,000 nodes deep, and a small one may have
    more paths than can be walked one by one.

        x, y are leaves; p = x * x; root = p + x
        count_paths(root, p) is 1, count_paths(root, x) is 3: x * x has two edges to x
        count_paths(root, y) is 0
    """
    raise NotImplementedError

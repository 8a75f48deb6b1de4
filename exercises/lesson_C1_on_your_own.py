"""Checkpoint C1, on your own: an operation and a graph that you have not met.

All numbers here. A node is a Value as you wrote it in lesson 01:

    node.data           one number
    node.grad           one number, or None while no gradient has arrived
    node._prev          tuple of its parents; () for a leaf
    node._op            the sign of the operation; "" for a leaf
    node._local_grads   tuple of numbers, one for each parent

type(node)(data, _prev, _op, _local_grads) makes a new one.

The graph of `order_by_hand`, for those without the notebook's picture. It is sorted by name:

    a = d * y     b = x + d     c = f + a     d = x * y     f = b * b     root = c * b     x = -1     y = 2
"""

from __future__ import annotations

import math
from typing import Any

Node = Any  # the class is yours, of lesson 01


def softplus(node: Node) -> Node:
    """Return log(1 + exp(node)) as one new node with one parent and its local gradient.

    node: one node, whose number is anything from -1000 to 1000 and stays as it is. Returns one node; its sign is
    "softplus". All numbers. The local gradient is for you to derive.

        softplus(Value(0.0)).data is 0.693, the logarithm of 2
        softplus(Value(1000.0)).data is 1000.0, softplus(Value(-1000.0)).data is 0.0
    """
    raise NotImplementedError


def order_by_hand() -> list[tuple[str, float]]:
    """Return the visits of a backward pass from root, worked out with a pencil: pairs (name, gradient).

    One pair for each node of the graph, leaves too, in an order in which your `backward` of lesson 02 may visit them.
    Beside each name stands the gradient that the node holds when it is visited. All numbers; several orders are right.

        x = 3, y = 2, p = x * y, root = p + x
        one right answer is [("root", 1), ("p", 1), ("y", 3), ("x", 3)]
    """
    raise NotImplementedError

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
    x = node.data
    small = math.exp(-abs(x))  # at most 1, so nothing overflows
    value = max(x, 0.0) + math.log1p(small)
    slope = 1.0 / (1.0 + small) if x >= 0 else small / (1.0 + small)
    return type(node)(value, (node,), "softplus", (slope,))


def order_by_hand() -> list[tuple[str, float]]:
    """Return the visits of a backward pass from root, worked out with a pencil: pairs (name, gradient).

    One pair for each node of the graph, leaves too, in an order in which your `backward` of lesson 02 may visit them.
    Beside each name stands the gradient that the node holds when it is visited. All numbers; several orders are right.

        x = 3, y = 2, p = x * y, root = p + x
        one right answer is [("root", 1), ("p", 1), ("y", 3), ("x", 3)]
    """
    return [
        ("root", 1.0),
        ("c", -3.0),  # the number of b
        ("f", -3.0),
        ("a", -3.0),
        ("b", 23.0),  # 5 from root, and -3 · -3 for each of its two places in f
        ("d", 17.0),  # 23 from b, 2 · -3 from a
        ("x", 57.0),  # 2 · 17 from d, 23 from b
        ("y", -11.0),  # -1 · 17 from d, -2 · -3 from a
    ]

"""Graphs of Tensors that a learner writes, in the closure style of the lessons, as plain facts.

Such a Tensor is anything with an array `data`, its parents `_prev` and the operation's tag `_op`. Where it has them,
`grad`, `requires_grad` and `label` are read too. Nothing of it is called, compared or changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minitorch.viz.facts import words
from minitorch.viz.facts.model import Graph, NodeFacts
from minitorch.viz.facts.reading import read
from minitorch.viz.facts.scalars import graph_of

ClosureTensor = Any  # anything with `data`, `_prev`, `_op`


def is_tensor(thing: Any) -> bool:
    """True for an object with the attributes of a learner's Tensor; numbers belong to scalar Values."""
    return (
        not isinstance(thing, Mapping)
        and hasattr(thing, "_op")
        and isinstance(getattr(thing, "_prev", None), (tuple, list))
        and isinstance(getattr(thing, "data", None), (np.ndarray, np.generic, list))
    )


def snapshot(root: ClosureTensor, names: Mapping[str, Any]) -> Graph:
    """The graph behind a learner's Tensor. Raises ValueError when it contains itself or holds no numbers."""
    return graph_of(root, names, _node, scalar=False)


def wants_gradient(tensor: ClosureTensor) -> bool:
    """Whether it says so; one that does not say wants one."""
    return bool(getattr(tensor, "requires_grad", True))


def as_numbers(value: Any) -> np.ndarray | None:
    """`value` as an array of numbers, None where it is none."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        return None
    return array if array.dtype.kind in "biuf" else None


def _node(idx: int, tensor: ClosureTensor, label: str) -> NodeFacts:
    """The facts of a learner's node. Raises ValueError when it holds no numbers."""
    name = words.tidy(label or str(getattr(tensor, "label", "") or ""))
    data = as_numbers(getattr(tensor, "data", None))
    if data is None:
        called = f"the node {name!r}" if name else f"a node {str(tensor._op)!r}"
        kind = type(getattr(tensor, "data", None)).__name__
        raise ValueError(f"{called} holds a {kind} that is no array of numbers: a picture needs numbers in .data")
    grad = getattr(tensor, "grad", None)
    gradient = None if grad is None else as_numbers(grad)
    return NodeFacts(
        idx,
        "op" if tensor._prev else "leaf" if wants_gradient(tensor) else "constant",
        name,
        words.tidy(str(tensor._op)),
        data.shape,
        str(data.dtype),
        value=read(data),
        grad=None if gradient is None else read(gradient),
    )

"""Graphs as plain facts, whatever holds them. Reads the graph, changes nothing, keeps nothing of it.

Four kinds are known: our Tensors, scalar Values, explicit graphs, and Tensors of closures, as a learner writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from minitorch.autograd.handle import Handle
from minitorch.autograd.node import Node
from minitorch.viz.facts import closures, scalars, tensors
from minitorch.viz.facts.model import Graph, Trace


def snapshot(root: Any, names: Mapping[str, Any] | None = None) -> Graph:
    """The graph behind `root`, a Tensor or a scalar Value, or the explicit graph `root`, as it is now.

    names: what to call which Tensor or Value; other entries are ignored, so that `globals()` will do. Raises TypeError
    when `root` is neither.
    """
    if isinstance(root, (Handle, Node)):
        return tensors.graph_of(root, names or {})[0]
    if _is_stored(root):
        from minitorch.viz.facts import stored

        return stored.snapshot(root, names or {})
    if closures.is_tensor(root):
        return closures.snapshot(root, names or {})
    return scalars.snapshot(root, names or {})


def trace(root: Any, names: Mapping[str, Any] | None = None) -> Trace:
    """The backward pass of `root`, contribution by contribution, computed aside: no `.grad` is read or changed.

    Raises as `backward` does for a Tensor that is a constant, not one number, or whose graph was freed; ValueError for
    scalar nodes that do not say their local gradients, TypeError for a Tensor made of closures.
    """
    if isinstance(root, Handle):
        return tensors.trace(root, names or {})
    if _is_stored(root):
        from minitorch.viz.facts import stored

        return stored.trace(root, names or {})
    if closures.is_tensor(root):
        raise TypeError(
            "the closures of this Tensor do not say what they contribute one by one, so its backward pass cannot be "
            "stepped through: viz.graph and viz.shapes show it as a whole"
        )
    return scalars.trace(root, names or {})


def _is_stored(root: Any) -> bool:
    """True for an AutogradGraph. Whoever has one has loaded its module, and rustworkx with it; a picture does not."""
    store = sys.modules.get("minitorch.graph.store")
    return store is not None and isinstance(root, store.AutogradGraph)

"""The graph of a computation with single numbers, every edge with its local gradient: Values and Tensors alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from minitorch.autograd.tensor_base import TensorBase
from minitorch.viz.facts import scalars, tensors
from minitorch.viz.facts.model import Edge, Graph


def graph_of_numbers(root: Any, names: Mapping[str, Any] | None = None) -> Graph:
    """The graph behind `root` without gradients. A Tensor's constants are left out: nothing flows to them.

    Raises as `viz.step`, and ValueError when a Tensor in the graph has more than one number.
    """
    if not isinstance(root, TensorBase):
        graph = scalars.trace(root, names or {}).graph
        return replace(graph, nodes=tuple(replace(node, grad=None) for node in graph.nodes))
    tensors.trace(root, names or {})  # for its errors
    graph, where = tensors.graph_of(root, names or {})
    for node in graph.nodes:
        if node.kind != "constant" and math.prod(node.shape or ()) != 1:
            called = node.label or node.op or "a leaf"
            raise ValueError(
                f"this picture needs graphs of single numbers, and {called} has the shape {node.shape}. "
                f"viz.step draws graphs of any shape"
            )
    slopes: dict[tuple[int, int], float] = {}
    for place, idx in where.items():
        if place.rule is not None:
            with np.errstate(all="ignore"):
                pulled = place.rule.pull(place, np.ones(place.shape, dtype=place.dtype))
                slopes.update({(idx, slot): float(np.sum(raw)) for slot, raw in pulled})
    kept = [node for node in graph.nodes if node.kind != "constant"]
    number = {node.idx: place for place, node in enumerate(kept)}
    nodes = tuple(replace(node, idx=number[node.idx], grad=None, freed=False, shape=()) for node in kept)
    edges = tuple(
        Edge(number[edge.src], number[edge.dst], edge.slot, local=slopes[edge.dst, edge.slot])
        for edge in graph.edges
        if edge.src in number
    )
    return Graph(nodes, edges, number[graph.root], scalar=True)

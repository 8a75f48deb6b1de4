"""The graph as an explicit store: recorded beside the tape, to be looked at, stepped through and checked.

    with autograd_graph() as graph:           records
        loss = model(x).sum()
    for step in GraphExecutor(graph).steps(loss): ...

docs/graph-store.md tells the design.
"""

from minitorch.autograd.grad import Contribution, Step
from minitorch.graph.context import autograd_graph, with_autograd_graph
from minitorch.graph.executor import GraphExecutor
from minitorch.graph.node import GradientStatistics, GraphNode
from minitorch.graph.refs import ReferenceManager
from minitorch.graph.store import AutogradGraph, GraphFullError

__all__ = [
    "AutogradGraph",
    "Contribution",
    "GradientStatistics",
    "GraphExecutor",
    "GraphFullError",
    "GraphNode",
    "ReferenceManager",
    "Step",
    "autograd_graph",
    "with_autograd_graph",
]

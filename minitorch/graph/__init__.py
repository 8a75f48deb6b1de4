"""The graph as an explicit store: recorded beside the tape, to be looked at, stepped through and checked.

    with autograd_graph() as graph:           records
        loss = model(x).sum()
    for step in GraphExecutor(graph).steps(loss): ...

    node.py          what is known of one place: facts, never a tensor
    structure.py     nodes and edges, on rustworkx
    refs.py          who holds which tensor: the graph its leaves, nobody what is in between
    nan_finder.py    which operation made the first nan
    recording.py     what the Scope tells of operations, written into a store; and places made before, traced
    scopes.py        the hooks that say in which module an operation happened
    store.py         AutogradGraph: a structure that records, finds, sweeps and closes
    passes.py        a backward pass over the store: the engine's own walk, or the recorded pulls
    executor.py      GraphExecutor: which root, which pass, one node a step or all at once
    diff.py          what differs between two graphs
    costs.py         bytes and seconds, by node and by module
    context.py       the `with` blocks

Each imports only from those above it. docs/graph-store.md tells the design.
"""

from minitorch.autograd.grad import Contribution, Step
from minitorch.graph.context import autograd_graph, with_autograd_graph
from minitorch.graph.costs import Cost, Costs, costs
from minitorch.graph.diff import Change, GraphDiff, diff
from minitorch.graph.executor import GraphExecutor
from minitorch.graph.nan_finder import NanError
from minitorch.graph.node import GradientStatistics, GraphNode
from minitorch.graph.refs import ReferenceManager
from minitorch.graph.store import AutogradGraph, GraphFullError

__all__ = [
    "AutogradGraph",
    "Change",
    "Contribution",
    "Cost",
    "Costs",
    "GradientStatistics",
    "GraphDiff",
    "GraphExecutor",
    "GraphFullError",
    "GraphNode",
    "NanError",
    "ReferenceManager",
    "Step",
    "autograd_graph",
    "costs",
    "diff",
    "with_autograd_graph",
]

"""Nodes and edges: a rustworkx graph whose indices, which are used again, nobody outside sees."""

from __future__ import annotations

from collections.abc import Iterator

import rustworkx

from minitorch.autograd.node import by_creation
from minitorch.graph.node import GraphNode


class Structure:
    """A multigraph of GraphNodes; an edge is an operand and carries its slot."""

    def __init__(self) -> None:
        self._graph: rustworkx.PyDiGraph[GraphNode, int] = rustworkx.PyDiGraph(multigraph=True)
        self._index: dict[int, int] = {}  # uid → rustworkx' index, which is used again after a removal

    def has(self, uid: int) -> bool:
        """Whether the node of this number is (still) in the graph."""
        return uid in self._index

    def at(self, uid: int) -> GraphNode:
        """The node of this number. Raises KeyError when it is not in the graph."""
        return self._graph[self._index[uid]]

    def nodes(self) -> list[GraphNode]:
        """All nodes in the order of creation."""
        return sorted(self._graph.nodes(), key=by_creation)

    def edges(self) -> list[tuple[GraphNode, GraphNode, int]]:
        """(parent, child, slot) of all edges, ordered by child and slot."""
        found = [(self._graph[a], self._graph[b], slot) for a, b, slot in self._graph.weighted_edge_list()]
        return sorted(found, key=lambda edge: (edge[1].uid, edge[2]))

    def parents(self, node: GraphNode) -> list[GraphNode]:
        """The operands in slot order; of `x * x` x twice."""
        edges = sorted(self._graph.in_edges(self._at(node)), key=_by_slot)
        return [self._graph[source] for source, _, _ in edges]

    def children(self, node: GraphNode) -> list[GraphNode]:
        """What was made from it, one entry an edge, in the order of creation."""
        found = [self._graph[target] for _, target, _ in self._graph.out_edges(self._at(node))]
        return sorted(found, key=by_creation)

    def operands(self, node: GraphNode) -> list[tuple[int, GraphNode]]:
        """(slot, parent) pairs in slot order."""
        edges = sorted(self._graph.in_edges(self._at(node)), key=_by_slot)
        return [(slot, self._graph[source]) for source, _, slot in edges]

    def is_acyclic(self) -> bool:
        """Always true of what was recorded; a check of the store."""
        return bool(rustworkx.is_directed_acyclic_graph(self._graph))

    def _at(self, node: GraphNode) -> int:
        index = self._index.get(node.uid)
        if index is None or self._graph[index] is not node:
            raise KeyError(f"{node!r} is not in {self!r}: it belongs to another graph, or was swept")
        return index

    def __bool__(self) -> bool:
        return True  # an empty graph too: `graph or AutogradGraph()` keeps it

    def __len__(self) -> int:
        return len(self._index)

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self.nodes())


def _by_slot(edge: tuple[int, int, int]) -> int:
    return edge[2]

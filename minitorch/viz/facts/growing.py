"""Growing: the same graph at several times, and which node of one time is which of the next."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from minitorch.autograd.handle import Handle
from minitorch.viz.facts import scalars, tensors
from minitorch.viz.facts.model import Graph


@dataclass(frozen=True)
class Stage:
    """A graph at one time. places: for each node its number, which it had before and will keep. new: those numbers that
    were not there before. graded: the numbers of nodes whose gradient has come or has changed.
    """

    graph: Graph
    places: tuple[int, ...]
    new: frozenset[int]
    graded: frozenset[int]


class _Several:
    """Several scalar Values as the operands of one that is not there."""

    data = 0.0
    _op = "together"

    def __init__(self, values: Sequence[Any]) -> None:
        self._prev = tuple(values)
        self.uid = 1 + max((each.uid for each in values if isinstance(getattr(each, "uid", None), int)), default=0)


def together(roots: Sequence[Any], names: Mapping[str, Any]) -> Graph:
    """All that these Tensors, or these scalar Values, were made from, as one graph. Its root is the last of them.

    Raises TypeError where both kinds are among them, or anything else.
    """
    if all(isinstance(each, Handle) for each in roots):
        places = [each._node for each in roots if each._node is not None]
        if not places:
            raise TypeError("none of these Tensors has a graph: one of them must have requires_grad=True")
        graph, where = tensors.graph_of_all(places, names)
        return replace(graph, root=where[places[-1]])
    if not all(scalars.is_value(each) for each in roots):
        kinds = ", ".join(dict.fromkeys(type(each).__name__ for each in roots))
        raise TypeError(f"a growing graph is of Tensors or of scalar Values, all of one kind, not of {kinds}")
    whole = scalars.snapshot(_Several(roots), names)
    edges = tuple(edge for edge in whole.edges if edge.dst != whole.root)
    last = next(edge.src for edge in reversed(whole.operands[whole.root]))
    return Graph(whole.nodes[:-1], edges, last, scalar=True)


def is_drawn(thing: Any) -> bool:
    """Whether a thing has a graph that can grow."""
    return thing._node is not None if isinstance(thing, Handle) else scalars.is_value(thing)


def grown(before: Stage | None, graph: Graph) -> Stage:
    """What a graph has become. A node is the one that was made in the same way before, even if its cell ran anew."""
    known: dict[Hashable, int] = {}
    free: dict[int, list[int]] = {}
    if before is not None:
        for sign, place in zip(_signs(before.graph, known), range(len(before.places)), strict=True):
            free.setdefault(sign, []).append(place)
    next_place = 0 if before is None else max(before.places) + 1
    places, new, graded = [], set(), set()
    for node, sign in zip(graph.nodes, _signs(graph, known), strict=True):
        old = free[sign].pop(0) if before is not None and free.get(sign) else None
        if old is None or before is None:
            places.append(next_place)
            new.add(next_place)
            next_place += 1
        else:
            places.append(before.places[old])
        if node.grad is not None and (old is None or before is None or before.graph.nodes[old].grad != node.grad):
            graded.add(places[-1])
    return Stage(graph, tuple(places), frozenset(new), frozenset(graded))


def _signs(graph: Graph, known: dict[Hashable, int]) -> list[int]:
    """How each node was made, as a number: the same for two that were made in the same way."""
    found: list[int] = []
    for node in graph.nodes:
        operands = tuple(found[edge.src] for edge in graph.operands[node.idx])
        own = node.label if node.kind == "leaf" else "" if node.kind == "op" else (node.label, node.value)
        sign = (node.kind, node.op, node.folded, own, None if node.kind == "op" else node.shape, operands)
        found.append(known.setdefault(sign, len(known)))
    return found

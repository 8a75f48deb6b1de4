"""Growing: the same graph at several times, and which node of one time is which of the next."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from minitorch.autograd.tensor_base import TensorBase
from minitorch.viz.facts import scalars
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


def is_drawn(thing: Any) -> bool:
    """Whether a thing has a graph that can grow."""
    return thing._node is not None if isinstance(thing, TensorBase) else scalars.is_value(thing)


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

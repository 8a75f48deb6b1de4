"""Several backward walks over one graph of numbers, right and wrong ones, and what is worth looking at in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from minitorch.viz.facts import words
from minitorch.viz.facts.single_numbers import graph_of_numbers
from minitorch.viz.facts.walks import TITLES, Walk, paths, walked
from minitorch.viz.facts.watched_walk import recorded

MOST_NODES = 300
BLOCKS = 5  # nodes whose contributions are looked at one by one

Chosen = str | Callable[[Any], Any]


class Walks:
    """The facts of `viz.fan_out`; `FanOut`, which draws them, says what each attribute is."""

    def __init__(self, root: Any, walk: Chosen | Sequence[Chosen] | None, names: Mapping[str, Any] | None) -> None:
        self.graph = graph_of_numbers(root, names)
        if len(self.graph.nodes) > MOST_NODES:
            raise ValueError(
                f"this picture holds {MOST_NODES} nodes, and the graph has {len(self.graph.nodes):,}: use fewer"
            )
        self.paths = paths(self.graph)
        self.names = words.names(self.graph)
        chosen: Sequence[Chosen]
        if walk is None:
            chosen = tuple(TITLES)
        else:
            chosen = [walk] if isinstance(walk, str) or callable(walk) else list(walk)
        if not chosen:
            raise ValueError(f"there is no walk to show: use {', '.join(map(repr, TITLES))}, or a function")
        self.walks = tuple(_told_apart(self._walked(each) for each in chosen))

    def _walked(self, which: Chosen) -> Walk:
        return walked(self.graph, which) if isinstance(which, str) else recorded(self.graph, which)

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """The nodes that are looked at: used more than once, or leaves; those that most paths lead to."""
        uses = Counter(edge.src for edge in self.graph.edges)
        worth = [node.idx for node in self.graph.nodes if uses[node.idx] > 1 or (node.is_leaf and uses[node.idx])]
        worth.sort(key=lambda idx: (-(uses[idx] > 1), -self.paths[idx], idx))
        return tuple(sorted(worth[:BLOCKS]))

    def towards(self, targets: Sequence[int]) -> tuple[int, ...]:
        """The nodes on the ways from the result to these, both ends included, operands first."""
        found = {*targets}
        for node in self.graph.nodes:
            if any(edge.src in found for edge in self.graph.operands[node.idx]):
                found.add(node.idx)
        return tuple(sorted(found | {self.graph.root}))

    @property
    def hidden(self) -> int:
        """How many more nodes get several contributions, or are leaves."""
        uses = Counter(edge.src for edge in self.graph.edges)
        worth = {idx for idx, count in uses.items() if count > 1 or self.graph.nodes[idx].is_leaf}
        return len(worth - set(self.shown))


def _told_apart(walks: Iterator[Walk]) -> Iterator[Walk]:
    """Two functions of one name get a number."""
    seen: Counter[str] = Counter()
    for walk in walks:
        seen[walk.name] += 1
        yield walk if seen[walk.name] == 1 else replace(walk, name=f"{walk.name} ({seen[walk.name]})")

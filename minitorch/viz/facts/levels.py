"""One level of a folded graph, as a graph of its own: what a group shows when it is opened.

Its nodes are the nodes and the groups side by side in it, its leaves, and what comes in from outside. Where many leaves
go to the same places they are one node, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from minitorch.language import N_, gettext
from minitorch.viz.facts.folding import LARGE, Folding, Group
from minitorch.viz.facts.model import Edge, Event, Graph, Kind, NodeFacts, Reading, Trace

T = TypeVar("T")

FEW = 3  # leaves that go to the same groups; more are one node
SOME = 8  # the same, where they go to an operation
ALL = 5  # boxes of leaves that go to groups; where there are more, all of them are one node


@dataclass(frozen=True)
class Level:
    """A group, opened.

    graph: its own. names: what its nodes are called. shows: for each of its nodes those of the whole graph whose
    gradients are shown there: itself, the results of a group, or the leaves that are drawn as one. groups: which of its
    nodes are groups. outside: which come in from outside. carried: for each of its edges those of the whole graph that
    it stands for. place_of: where the nodes of the whole graph are that are in the group.
    """

    graph: Graph
    names: tuple[str, ...]
    shows: tuple[tuple[int, ...], ...]
    groups: dict[int, Group]
    outside: frozenset[int]
    carried: tuple[tuple[int, ...], ...]
    place_of: Mapping[int, int]

    def located(self, found: Mapping[int, T]) -> dict[int, T]:
        """What was found of nodes of the whole graph, at the nodes here that they are in; the first of each."""
        located: dict[int, T] = {}
        for idx, what in found.items():
            if idx in self.place_of:
                located.setdefault(self.place_of[idx], what)
        return located

    def trace(self, whole: Trace) -> Trace:
        """A pass as it is seen here: as many steps as there are; those that change nothing here have the node -1."""
        return Trace(self.graph, tuple(self._seen(whole.events)))

    def _seen(self, events: Iterable[Event]) -> Iterator[Event]:
        node_of = {member: place for place, members in enumerate(self.shows) for member in members}
        edge_of = {number: place for place, numbers in enumerate(self.carried) for number in numbers}
        arrived: dict[int, dict[int, float]] = {}
        for event in events:
            node = node_of.get(event.node, -1)
            edge = None if event.edge is None else edge_of.get(event.edge)
            after = event.after
            if node >= 0 and len(self.shows[node]) > 1:
                norms = arrived.setdefault(node, {})
                norms[event.node] = event.after.norm
                after = _together(norms.values())
            yield replace(event, node=node, edge=edge, after=after)


def is_large(graph: Graph) -> bool:
    """Whether a graph is folded where nobody says so: it has many nodes, or one operation has many leaves of its own,
    which would stand in one long row.
    """
    if len(graph.nodes) > LARGE:
        return True
    takers: dict[int, set[int]] = {}
    for edge in graph.edges:
        if graph.nodes[edge.src].kind != "op":
            takers.setdefault(edge.src, set()).add(edge.dst)
    own = Counter((graph.nodes[leaf].kind, *taken) for leaf, taken in takers.items() if len(taken) == 1)
    return max(own.values(), default=0) > SOME


def level_of(folding: Folding, group: Group) -> Level:
    """What `group` shows when it is opened."""
    return _Builder(folding, group).level()


def _together(norms: Iterable[float]) -> Reading:
    """The gradients of several nodes, as one norm."""
    return Reading((), math.sqrt(sum(norm * norm for norm in norms)))


Key = tuple[str, int]  # an item of the group ("i", its place), or from beyond the row: "l" a leaf, "o", or "b" a bundle


class _Builder:
    """Puts one level together."""

    def __init__(self, folding: Folding, group: Group) -> None:
        self._folding, self._group, self._whole = folding, group, folding.graph
        self._item_at: dict[int, int] = {}
        for number, item in enumerate(group.items):
            self._item_at |= dict.fromkeys(range(folding.first_of(item), folding.stop_of(item)), number)
        self._bundles: list[list[int]] = []
        self._within: dict[int, int] = {}  # leaves inside the items

    def level(self) -> Level:
        """The level, its nodes in the order of creation, leaves right before what first takes them."""
        edges = self._edges()
        bundled = {leaf for bundle in self._bundles for leaf in bundle}
        alone: list[Key] = [("l", leaf) for leaf in self._group.leaves if leaf not in bundled]
        first = dict.fromkeys(alone, len(self._group.items))  # the item that is the first to take it
        for source, taker, _ in edges:
            if source[0] != "i":
                first[source] = min(taker, first.get(source, taker))
        first |= {("i", number): number for number in range(len(self._group.items))}
        order = sorted(first, key=lambda key: (first[key], key[0] == "i", key))
        place_of = {key: place for place, key in enumerate(order)}
        facts = [self._facts(key, place_of[key]) for key in order]
        nodes = tuple(node for node, _, _ in facts)
        links, slots = [], dict.fromkeys(range(len(order)), 0)
        for (source, taker, _), carried in edges.items():
            target = place_of["i", taker]
            links.append((self._edge(place_of[source], target, slots[target], nodes, carried), tuple(carried)))
            slots[target] += 1
        places = self._places(place_of)
        ends = tuple(dict.fromkeys(places[end] for end in self._whole.ends if end in places))
        root = ends[-1] if ends else len(order) - 1
        edges_here, results = tuple(edge for edge, _ in links), ends if self._whole.results else ()
        return Level(
            Graph(nodes, edges_here, root, self._whole.scalar, results),
            tuple(name for _, name, _ in facts),
            tuple(shows for _, _, shows in facts),
            {place_of[key]: item for key in order if isinstance(item := self._item(key), Group)},
            frozenset(place_of[key] for key in order if self._is_outside(key)),
            tuple(carried for _, carried in links),
            places,
        )

    def _places(self, place_of: dict[Key, int]) -> dict[int, int]:
        found = {leaf: place_of["i", item] for leaf, item in self._within.items()}
        for place, item in self._item_at.items():
            found[self._folding.operations[place]] = place_of["i", item]
        for (kind, number), place in place_of.items():
            members = self._bundles[number] if kind == "b" else [number] if kind == "l" else []
            found |= {idx: place for idx in members if self._folding.home.get(idx) is self._group}
        return found

    # -- edges -------------------------------------------------------------------------------------------------------

    def _edges(self) -> dict[tuple[Key, int, int], list[int]]:
        """(source, number of the item that takes it, slot or -1) → the edges of the whole graph."""
        found: list[tuple[Key, int, int]] = []
        whole, operations = self._whole, self._folding.operations
        sources: dict[int, Key | None] = {}
        for place in range(self._group.first, self._group.stop):
            taker = self._item_at[place]
            inside = "i", taker
            for number in whole.incoming[operations[place]]:
                src = whole.edges[number].src
                if src not in sources:
                    sources[src] = self._source(src)
                source = sources[src]
                if source is None:
                    self._within[src] = taker
                elif source != inside:
                    found.append((source, taker, number))
        bundled = self._bundled(found)
        edges: dict[tuple[Key, int, int], list[int]] = {}
        opens = [isinstance(item, Group) for item in self._group.items]
        for source, taker, number in found:
            source = bundled.get(source, source)
            slot = -1 if opens[taker] or source[0] == "b" else whole.edges[number].slot
            edges.setdefault((source, taker, slot), []).append(number)
        return edges

    def _source(self, idx: int) -> Key | None:
        """Where an operand comes from; None where it is a leaf inside one of the items."""
        place = self._folding.place_of.get(idx)
        if place is not None:
            return ("i", self._item_at[place]) if place in self._item_at else ("o", idx)
        home = self._folding.home[idx]
        if home is self._group:
            return "l", idx
        return None if home.first >= self._group.first and home.stop <= self._group.stop else ("o", idx)

    def _bundled(self, found: list[tuple[Key, int, int]]) -> dict[Key, Key]:
        """Which leaves, and what comes from outside, is drawn as one node: key → its bundle's."""
        takers: dict[Key, set[int]] = {}
        for source, taker, _ in found:
            if source[0] != "i":
                takers.setdefault(source, set()).add(taker)
        alike: dict[tuple[str, frozenset[int]], list[Key]] = {}
        for key, takes in takers.items():
            alike.setdefault((self._sort(key), frozenset(takes)), []).append(key)
        boxes: list[list[Key]] = []
        into_groups: list[list[Key]] = []
        for (_, together), keys in alike.items():
            to_groups = all(isinstance(self._group.items[taker], Group) for taker in together)
            few = FEW if to_groups else SOME
            (into_groups if to_groups else boxes).extend([keys] if len(keys) > few else [[key] for key in keys])
        if len(into_groups) > ALL:
            sorts: dict[str, list[Key]] = {}
            for keys in into_groups:
                sorts.setdefault(self._sort(keys[0]), []).extend(keys)
            into_groups = list(sorts.values())
        boxes += into_groups
        bundled: dict[Key, Key] = {}
        for keys in boxes:
            if len(keys) > 1:
                self._bundles.append([idx for _, idx in keys])
                bundled |= dict.fromkeys(keys, ("b", len(self._bundles) - 1))
        return bundled

    def _sort(self, key: Key) -> str:
        return "o" if key[0] == "o" else self._whole.nodes[key[1]].kind

    def _edge(self, source: int, target: int, slot: int, nodes: tuple[NodeFacts, ...], carried: list[int]) -> Edge:
        if len(carried) > 1 or nodes[target].holds or nodes[source].results > 1:
            return Edge(source, target, slot)
        whole = self._whole.edges[carried[0]]
        return Edge(source, target, slot, whole.broadcast_axes, whole.local)

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _item(self, key: Key) -> int | Group | None:
        return self._group.items[key[1]] if key[0] == "i" else None

    def _is_outside(self, key: Key) -> bool:
        if key[0] == "b":
            key = "?", self._bundles[key[1]][0]
            return self._folding.home.get(key[1]) is not self._group
        return key[0] == "o"

    def _facts(self, key: Key, idx: int) -> tuple[NodeFacts, str, tuple[int, ...]]:
        """A node, its name, and the nodes of the whole graph whose gradients it shows."""
        item = self._item(key)
        if isinstance(item, Group):
            return self._folded(item, idx)
        if key[0] == "b":
            return self._leaves(self._bundles[key[1]], idx, self._is_outside(key))
        number = key[1] if item is None else item
        return self._whole.nodes[number].moved(idx), self._folding.names[number], (number,)

    def _folded(self, group: Group, idx: int) -> tuple[NodeFacts, str, tuple[int, ...]]:
        places = range(group.first, group.stop)
        results = tuple(self._folding.operations[place] for place in places if self._folding.last[place] >= group.stop)
        named = "…" not in group.title
        what = group.what or gettext("{count} operations", count=group.stop - group.first)
        node = self._one(results, NodeFacts(idx, "op", group.title if named else "", what, holds=group.nodes))
        return node, group.title, results

    def _leaves(self, members: list[int], idx: int, outside: bool) -> tuple[NodeFacts, str, tuple[int, ...]]:
        kind: Kind = "leaf" if outside else self._whole.nodes[members[0]].kind
        key = (
            N_("{count} from outside")
            if outside
            else N_("{count} leaves")
            if kind == "leaf"
            else N_("{count} constants")
        )
        said = gettext(key, count=len(members))
        node = self._one(tuple(members), NodeFacts(idx, kind, holds=len(members)))
        return replace(node, label=said), said, tuple(members)

    def _one(self, members: tuple[int, ...], node: NodeFacts) -> NodeFacts:
        """`node` with what is true of the members: of one all that is known, of several the norm of all gradients."""
        first = self._whole.nodes[members[-1]]
        if len(members) == 1:
            known = {name: getattr(first, name) for name in ("shape", "dtype", "value", "grad", "freed")}
            return replace(node, **known)
        each = [self._whole.nodes[member] for member in members]
        norms = [node.grad.norm for node in each if node.grad is not None]
        return replace(
            node,
            shape=None,
            results=len(members),
            grad=_together(norms) if norms else None,
            freed=not norms and any(node.freed for node in each),
        )

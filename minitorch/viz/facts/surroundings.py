"""The part of a comparison that is worth drawing: the first difference with its surroundings, the rest in a few groups.

A group is told by where it stands: `before` what is looked at (that is computed from it), `after` it (computed from
that), `between` two things that are looked at, or `beside` it. No group is both above and below the same node, so that
all arrows still run down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from minitorch.viz.facts.differences import Compared

LARGE = 60  # places; of a larger comparison a part is drawn
FAR = 2  # steps from what is looked at
OPERANDS, RESULTS = 5, 2  # of one node, that are drawn with it

Where = Literal["before", "beside", "between", "after"]
ORDER: tuple[Where, ...] = ("before", "beside", "between", "after")


@dataclass(frozen=True, slots=True)
class Rest:
    """Places that are drawn as one."""

    where: Where
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two items of a part, by their numbers. slot: at which operand it ends. owners: whether mine and
    whether the reference has it.
    """

    source: int
    target: int
    slot: int
    owners: tuple[bool, bool]


@dataclass(frozen=True)
class Part:
    """What is drawn of a comparison. items: places, and groups of them, operands before results."""

    items: tuple[int | Rest, ...]
    arrows: tuple[Arrow, ...]

    @property
    def rests(self) -> tuple[Rest, ...]:
        """Its groups."""
        return tuple(each for each in self.items if isinstance(each, Rest))


def everything(facts: Compared) -> Part:
    """Every place as it is."""
    pairs = zip(facts.alignment.edges, facts.alignment.owners, strict=True)
    arrows = tuple(Arrow(edge.src, edge.dst, edge.slot, owners) for edge, owners in pairs)
    return Part(tuple(range(len(facts.names))), arrows)


def around(facts: Compared, looked_at: Iterable[int], most: int) -> Part:
    """The places that are looked at with what they are computed from and what follows; all others in groups.

    most: how many places are drawn one by one; what is looked at always is.
    """
    near = _Neighbours(facts)
    focus = tuple(dict.fromkeys(looked_at))
    kept = near.kept(focus, most)
    above, below = near.all(focus, near.operands), near.all(focus, near.results)
    latest = near.latest(kept)
    grouped: dict[tuple[int, Where], list[int]] = {}
    for place in range(len(facts.names)):
        if place not in kept:
            side: Where = "between" if place in above and place in below else "beside"
            if side == "beside" and place in above:
                side = "before"
            elif side == "beside" and place in below:
                side = "after"
            grouped.setdefault((latest[place], side), []).append(place)
    found: list[tuple[int, int, int | Rest]] = [(place, -1, place) for place in kept]
    for (behind, side), places in grouped.items():
        found.append((behind, ORDER.index(side), Rest(side, tuple(places))))
    return _joined(facts, [item for *_, item in sorted(found, key=lambda each: each[:2])])


class _Neighbours:
    """What each place is computed from, and what is computed from it."""

    def __init__(self, facts: Compared) -> None:
        self.operands: list[list[int]] = [[] for _ in facts.names]
        self.results: list[list[int]] = [[] for _ in facts.names]
        for edge in facts.alignment.edges:
            self.operands[edge.dst].append(edge.src)
            self.results[edge.src].append(edge.dst)

    def kept(self, focus: Sequence[int], most: int) -> frozenset[int]:
        """The places that are drawn one by one: in each step first what came before, then what follows."""
        found = dict.fromkeys(focus)
        up, down = list(focus), list(focus)
        for _ in range(FAR):
            up = self._next(up, self.operands, OPERANDS, found, most)
            down = self._next(down, self.results, RESULTS, found, most)
            self._next(down, self.operands, OPERANDS, found, most)  # what they are computed from as well
        return frozenset(found)

    @staticmethod
    def _next(
        row: Sequence[int], links: Sequence[Sequence[int]], each_has: int, found: dict[int, None], most: int
    ) -> list[int]:
        """The next row, as far as there is room; it becomes part of what was found."""
        new: dict[int, None] = {}
        for place in row:
            for each in list(dict.fromkeys(links[place]))[:each_has]:
                if each not in found and len(found) < most:
                    new[each] = found[each] = None
        return list(new)

    @staticmethod
    def all(focus: Iterable[int], links: Sequence[Sequence[int]]) -> set[int]:
        """Everything that the links lead to."""
        found: set[int] = set()
        waiting = list(focus)
        while waiting:
            for each in links[waiting.pop()]:
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return found

    def latest(self, kept: frozenset[int]) -> list[int]:
        """For each place the last of the kept ones that it is computed from, -1 where there is none."""
        found: list[int] = []
        for operands in self.operands:
            found.append(max((each if each in kept else found[each] for each in operands), default=-1))
        return found


def _joined(facts: Compared, items: list[int | Rest]) -> Part:
    """A part of these items, in which groups of one kind are one wherever that makes no circle."""
    edges = facts.alignment.edges
    while True:
        at = _numbers(items)
        links = {(at[edge.src], at[edge.dst]) for edge in edges if at[edge.src] != at[edge.dst]}
        for number, later in _alike(items):
            order = _sorted(len(items), links, number, later)
            if order is not None:
                one, other = items[number], items[later]
                assert isinstance(one, Rest)
                assert isinstance(other, Rest)
                items[number] = Rest(one.where, tuple(sorted((*one.places, *other.places))))
                items = [items[each] for each in order]
                break
        else:
            break
    arrows: dict[tuple[int, int, int], Arrow] = {}
    for number, (edge, owners) in enumerate(zip(edges, facts.alignment.owners, strict=True)):
        source, target = at[edge.src], at[edge.dst]
        if source == target:
            continue
        as_one = isinstance(items[source], Rest) or isinstance(items[target], Rest)
        arrow = Arrow(source, target, edge.slot, owners)
        before = arrows.setdefault((source, target, -1 if as_one else number), arrow)
        both = before.owners[0] or owners[0], before.owners[1] or owners[1]
        arrows[source, target, -1 if as_one else number] = replace(before, owners=both)
    return Part(tuple(items), tuple(arrows.values()))


def _numbers(items: Sequence[int | Rest]) -> dict[int, int]:
    """The number of the item that each place is in."""
    found: dict[int, int] = {}
    for number, item in enumerate(items):
        found |= dict.fromkeys(item.places, number) if isinstance(item, Rest) else {item: number}
    return found


def _alike(items: Sequence[int | Rest]) -> list[tuple[int, int]]:
    """Pairs of groups that stand alike, by their numbers."""
    rests = [(number, item) for number, item in enumerate(items) if isinstance(item, Rest)]
    return [
        (number, later)
        for at, (number, one) in enumerate(rests)
        for later, other in rests[at + 1 :]
        if one.where == other.where
    ]


def _sorted(count: int, links: set[tuple[int, int]], one: int, other: int) -> list[int] | None:
    """An order of all items but `other`, which is part of `one`, operands first; None where there is a circle."""
    links = {(one if a == other else a, one if b == other else b) for a, b in links}
    links = {(a, b) for a, b in links if a != b}
    left = [each for each in range(count) if each != other]
    order: list[int] = []
    while left:
        behind = {b for a, b in links if a in left}
        free = next((each for each in left if each not in behind), None)
        if free is None:
            return None
        order.append(free)
        left.remove(free)
    return order

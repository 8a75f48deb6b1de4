"""Where everything stands in a graph that grows: what stands does not move, what comes finds room beside it.

What is there at first is laid out as any graph. Later an operation comes into the row below its operands, as near to
them as there is room, and leaves right above what they were made for. Rows are all of one height, and nothing ever goes
further left than the margin, so that the corner of the picture stays where it is, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from minitorch.viz.drawing.layout import COLUMN_GAP, MARGIN, Box, Layout, Route, layout

ROW, ROW_GAP = 72, 48  # pixels: the tallest box, and what is between two of them
TOP = MARGIN + 10
LEFT = 30
DUMMY = 12.0  # the room of an edge that passes through a row
APART = 18  # edges that leave one box
_LANES = (0.5, 0.2, 0.8, 0.35, 0.65)  # how far down edges turn aside in one gap between two rows, in turn

Key = tuple[int, int, int]  # of an edge: where it comes from, where it goes, which operand it is


@dataclass(frozen=True)
class Standing:
    """Where boxes stand, by their numbers: the middle of each and its row; and the ways of edges."""

    spots: dict[int, tuple[int, int]] = field(default_factory=dict)
    passes: dict[Key, tuple[int, ...]] = field(default_factory=dict)
    outs: dict[Key, int] = field(default_factory=dict)
    lanes: dict[Key, tuple[float, ...]] = field(default_factory=dict)


class Growing:
    """An arrangement, as `scene` takes one, that begins where another one ended. places: the numbers of the boxes."""

    note = ""

    def __init__(self, places: Sequence[int], before: Standing) -> None:
        self._places = places
        known = set(places)
        self._spots = {place: spot for place, spot in before.spots.items() if place in known}
        here = {key: way for key, way in before.passes.items() if known.issuperset(key[:2])}
        self._passes = here
        self._outs = {key: before.outs[key] for key in here}
        self._lanes = {key: before.lanes[key] for key in here}

    @property
    def standing(self) -> Standing:
        """Where everything stands now."""
        return Standing(dict(self._spots), dict(self._passes), dict(self._outs), dict(self._lanes))

    def __call__(
        self,
        sizes: Sequence[tuple[int, int]],
        leaves: Sequence[bool],
        edges: Sequence[tuple[int, int]],
        ports: Sequence[int],
        labels: Sequence[int],
    ) -> Layout:
        """Places what is new. The arguments are those of `layout`."""
        self._sizes, self._leaves = sizes, leaves
        self._reach = [width / 2 for width, _ in sizes]  # how far a box reaches aside, labels of its arrows included
        for (_, lower), port, label in zip(edges, ports, labels, strict=True):
            self._reach[lower] = max(self._reach[lower], abs(port) + label)
        if not self._spots and edges:
            self._first(edges, ports, labels)
        self._place(edges)
        keys = self._keys(edges)
        for key, (upper, _), port in zip(keys, edges, ports, strict=True):
            if key not in self._passes:
                self._lead(key, upper, port)
        return self._made(edges, ports, keys)

    def _first(self, edges: Sequence[tuple[int, int]], ports: Sequence[int], labels: Sequence[int]) -> None:
        """What is there at first."""
        found = layout(self._sizes, self._leaves, edges, ports, labels).boxes[: len(self._sizes)]
        left = min(box.x - self._reach[box.node] for box in found)
        for box in found:
            self._spots[self._places[box.node]] = round(box.x - left) + LEFT, box.row

    def _place(self, edges: Sequence[tuple[int, int]]) -> None:
        operands: list[list[int]] = [[] for _ in self._sizes]
        for upper, lower in edges:
            operands[lower].append(upper)
        for node, place in enumerate(self._places):
            if place in self._spots or self._leaves[node]:
                continue
            above = [self._spots[self._places[each]] for each in operands[node] if self._places[each] in self._spots]
            row = 1 + max((row for _, row in above), default=0)
            wanted = sum(x for x, _ in above) / len(above) if above else self._right(row)
            x = self._settled(node, row, wanted)
            fresh = [each for each in dict.fromkeys(operands[node]) if self._places[each] not in self._spots]
            for number, leaf in enumerate(fresh):
                off = (number - (len(fresh) - 1) / 2) * 2 * self._reach[leaf] if not above else self._reach[leaf]
                self._settled(leaf, row - 1, x + off)
        for node, place in enumerate(self._places):
            if place not in self._spots:
                self._settled(node, 0, self._right(0) + self._reach[node])

    def _settled(self, node: int, row: int, wanted: float) -> int:
        x = round(self._free(row, wanted, self._reach[node]))
        self._spots[self._places[node]] = x, row
        return x

    def _taken(self, row: int) -> list[tuple[float, float]]:
        """What stands in a row: from where to where."""
        node_of = {place: node for node, place in enumerate(self._places)}
        boxes = [
            (x - self._reach[node_of[place]], x + self._reach[node_of[place]])
            for place, (x, its) in self._spots.items()
            if its == row
        ]
        passing = [
            (way[row - first] - DUMMY / 2, way[row - first] + DUMMY / 2)
            for key, way in self._passes.items()
            if 0 <= row - (first := self._spots[key[0]][1] + 1) < len(way)
        ]
        return boxes + passing

    def _right(self, row: int) -> float:
        """Where there is room at the end of a row."""
        return max((right + COLUMN_GAP for _, right in self._taken(row)), default=float(LEFT))

    def _free(self, row: int, wanted: float, reach: float) -> float:
        """The nearest place in a row for something that reaches so far to both sides."""
        taken, gap = self._taken(row), COLUMN_GAP if reach > DUMMY else COLUMN_GAP / 2
        places = [wanted, LEFT + reach]
        for left, right in taken:
            places += [left - gap - reach, right + gap + reach]
        fits = [
            x
            for x in places
            if x - reach >= LEFT
            and all(x + reach + gap <= left + 1e-6 or x - reach - gap >= right - 1e-6 for left, right in taken)
        ]
        return min(fits, key=lambda x: (abs(x - wanted), x))

    # -- edges ---------------------------------------------------------------------------------------------------------

    def _keys(self, edges: Sequence[tuple[int, int]]) -> list[Key]:
        seen: dict[tuple[int, int], int] = {}
        found = []
        for upper, lower in edges:
            ends = self._places[upper], self._places[lower]
            seen[ends] = seen.get(ends, -1) + 1
            found.append((*ends, seen[ends]))
        return found

    def _lead(self, key: Key, upper: int, port: int) -> None:
        """A way for an edge: where it leaves its box, and between what it passes."""
        (x0, row0), (x1, row1) = self._spots[key[0]], self._spots[key[1]]
        end = x1 + port
        way: list[int] = []
        self._passes[key] = ()
        for row in range(row0 + 1, row1):  # straight down as long as it can be
            way.append(round(self._free(row, way[-1] if way else x0, DUMMY / 2)))
        self._passes[key] = tuple(way)
        half = self._sizes[upper][0] / 2 - 12
        used = {out for other, out in self._outs.items() if other[0] == key[0]}
        aside = (way[0] if way else end) - x0
        if not used and abs(aside) <= half:
            self._outs[key] = round(aside)
        else:
            signs = (1, -1) if aside > 0 else (-1, 1)
            free = (sign * step * APART for step in count() for sign in signs)
            self._outs[key] = next(
                out for out in free if all(abs(out - each) >= APART - 6 for each in used) or abs(out) > half
            )
        gaps = dict.fromkeys(range(row0, row1), 0)
        for other, lanes in self._lanes.items():
            first = self._spots[other[0]][1]
            for row in range(first, first + len(lanes)):
                if row in gaps:
                    gaps[row] += 1
        self._lanes[key] = tuple(_LANES[number % len(_LANES)] for number in gaps.values())

    def _made(self, edges: Sequence[tuple[int, int]], ports: Sequence[int], keys: Sequence[Key]) -> Layout:
        boxes = []
        for node, place in enumerate(self._places):
            x, row = self._spots[place]
            width, height = self._sizes[node]
            boxes.append(Box(node, x, _middle(row) - height // 2, width, height, row=row))
        routes = []
        for key, (upper, lower), port in zip(keys, edges, ports, strict=True):
            start = boxes[upper].x + self._outs[key], boxes[upper].y + boxes[upper].height
            first = boxes[upper].row + 1
            through = [
                (x, _middle(row) + half)
                for row, x in enumerate(self._passes[key], start=first)
                for half in (-ROW // 2, ROW // 2)
            ]
            end = boxes[lower].x + port, boxes[lower].y
            foot = _middle(boxes[upper].row) + ROW // 2
            routes.append(Route(upper, lower, (start, *through, end), self._lanes[key], foot))
        rows = 1 + max(box.row for box in boxes)
        right = max(
            [box.x + self._reach[box.node] for box in boxes] + [x for way in self._passes.values() for x in way]
        )
        height = TOP + rows * ROW + (rows - 1) * ROW_GAP + MARGIN
        return Layout(tuple(boxes), tuple(routes), round(right) + MARGIN, height, (ROW,) * rows)


def _middle(row: int) -> int:
    return TOP + row * (ROW + ROW_GAP) + ROW // 2


def stretched(found: Layout, width: int, height: int) -> Layout:
    """A layout with room at its right and below it, so that what comes later has its place already."""
    return replace(found, width=max(found.width, width), height=max(found.height, height))

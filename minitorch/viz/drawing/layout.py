"""Layout in layers: where everything goes, operands above their results. A pure function of its arguments.

1. Rank: the longest path from above; then each operation is pulled down towards its nearest consumer.
2. Leaves are satellites: they stand in the row right above their consumer and never push an operation aside. A leaf
   that is used four times or more is drawn once for each consumer (the same leaf: copies share its number).
3. Long edges pass through dummies, one a row; rows are ordered by barycentres (Sugiyama, Tagawa and Toda, 1981).
4. x: each row in turn is moved as near as it can be to its neighbours, in the sense of least squares, without
   overlap. That is an isotonic regression, solved by pooling adjacent violators.

Nothing here is recursive, and no step is worse than n log n in nodes and dummies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from minitorch.viz.drawing.layers import Layers
from minitorch.viz.drawing.ordering import crossings_removed, first_order
from minitorch.viz.drawing.placing import place

MARGIN = 18
COLUMN_GAP = 26
ROW_GAP = 60
COPIES_FROM = 4  # uses of a leaf
STRAIGHT = 24  # an only edge starts that far from the middle of its box, if it can then run straight down
DUMMY_WIDTH = 10.0
TIE = 1e-6  # pixels: halves go down, whatever the last digits of a sum are
DUMMIES_PER_NODE = 2  # edges longer than that budget allows run straight, behind the boxes


class Box(NamedTuple):
    """A drawn node: (x, y) is the middle of its upper edge. copy: not the first drawing of this node. row: from 0."""

    node: int
    x: int
    y: int
    width: int
    height: int
    copy: bool = False
    row: int = 0


class Route(NamedTuple):
    """A drawn edge: from the lower edge of box `source` to the upper edge of box `target`, through `points`.

    It passes the rows between upright, so each of them gives two points: where it enters the row and where it leaves.
    lanes: for each gap between two rows, how far down it goes aside, from 0 (at once) to 1. foot: how far down its
    first row reaches, which may be further than its box; it goes aside below it, not over the box that stands there.
    """

    source: int
    target: int
    points: tuple[tuple[int, int], ...]
    lanes: tuple[float, ...]
    foot: int


@dataclass(frozen=True, slots=True)
class Layout:
    """boxes: in the order of the nodes, copies at the end. routes: one for each edge, in the order of the edges.

    heights: of the rows.
    """

    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    width: int
    height: int
    heights: tuple[int, ...]


def layout(
    sizes: Sequence[tuple[int, int]],
    leaves: Sequence[bool],
    edges: Sequence[tuple[int, int]],
    ports: Sequence[int],
    labels: Sequence[int],
) -> Layout:
    """Places boxes of `sizes` (width, height) and the edges between them.

    leaves: which nodes are satellites. edges: (upper, lower), upper < lower. ports: for each edge, how far from the
    middle of the lower box it ends. labels: the room that each edge wants beside its end, on the port's side.
    """
    owner, ends = with_copies(leaves, edges)
    ranks = _ranks(owner, leaves, ends)
    room = rooms_of(owner, ends, ports, labels)
    layers, chains = with_dummies(owner, ranks, sizes, room, leaves, ends, ports)
    first_order(layers, last=len(leaves) - 1)
    crossings_removed(layers)
    x = place(layers, COLUMN_GAP)
    return finished(owner, sizes, layers, chains, ends, ports, x)


def with_copies(leaves: Sequence[bool], edges: Sequence[tuple[int, int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """The node that each box draws, and the boxes that each edge joins."""
    uses = [0] * len(leaves)
    for upper, _ in edges:
        uses[upper] += 1
    owner = list(range(len(leaves)))
    drawn: dict[tuple[int, int], int] = {}
    has_first: set[int] = set()
    ends = []
    for upper, lower in edges:
        box = upper
        if leaves[upper] and uses[upper] >= COPIES_FROM:
            if (upper, lower) not in drawn and upper in has_first:
                owner.append(upper)
                drawn[upper, lower] = len(owner) - 1
            box = drawn.setdefault((upper, lower), upper)
            has_first.add(upper)
        ends.append((box, lower))
    return owner, ends


def _ranks(owner: Sequence[int], leaves: Sequence[bool], ends: Sequence[tuple[int, int]]) -> list[int]:
    """The row of each box, 0 at the top."""
    count = len(leaves)
    inner_above = [0] * count
    below: list[list[int]] = [[] for _ in owner]
    for upper, lower in ends:
        below[upper].append(lower)
        inner_above[lower] += not leaves[owner[upper]]
    rank = [0] * len(owner)
    for node in range(count):
        if not leaves[node]:
            for lower in below[node]:
                rank[lower] = max(rank[lower], rank[node] + 1)
    for node in reversed(range(count)):
        if not leaves[node] and below[node] and inner_above[node] <= len(below[node]):
            rank[node] = min(rank[lower] for lower in below[node]) - 1
    for box in range(len(owner)):
        if leaves[owner[box]]:
            rank[box] = min((rank[lower] for lower in below[box]), default=1) - 1
    top = min(rank)
    return [each - top for each in rank]


def rooms_of(
    owner: Sequence[int], ends: Sequence[tuple[int, int]], ports: Sequence[int], labels: Sequence[int]
) -> list[tuple[float, float]]:
    """How far the labels above each box reach to its left and to its right."""
    left, right = [0.0] * len(owner), [0.0] * len(owner)
    for (_, lower), port, label in zip(ends, ports, labels, strict=True):
        if port < 0:
            left[lower] = max(left[lower], label - port)
        else:
            right[lower] = max(right[lower], label + port)
    return list(zip(left, right, strict=True))


def with_dummies(
    owner: Sequence[int],
    ranks: Sequence[int],
    sizes: Sequence[tuple[int, int]],
    room: list[tuple[float, float]],
    leaves: Sequence[bool],
    ends: Sequence[tuple[int, int]],
    ports: Sequence[int],
) -> tuple[Layers, list[list[int]]]:
    """The layers, and for each edge the dummies on its way down."""
    rank = list(ranks)
    width = [float(sizes[node][0]) for node in owner]
    satellite = [leaves[node] for node in owner]
    above: list[list[tuple[int, float]]] = [[] for _ in rank]
    below: list[list[tuple[int, float]]] = [[] for _ in rank]
    chains: list[list[int]] = [[] for _ in ends]
    budget = DUMMIES_PER_NODE * len(owner) + 100
    by_length = sorted(range(len(ends)), key=lambda edge: rank[ends[edge][1]] - rank[ends[edge][0]])
    for edge in by_length:
        upper, lower = ends[edge]
        between = rank[lower] - rank[upper] - 1
        if between > budget:
            continue
        port, last = float(ports[edge]), upper
        if between > 0:
            budget -= between
            first = len(rank)
            chains[edge] = chain = list(range(first, first + between))
            rank.extend(range(rank[upper] + 1, rank[lower]))
            above.append([(upper, 0.0)])
            above += [[(dummy, 0.0)] for dummy in chain[:-1]]
            below += [[(dummy, 0.0)] for dummy in chain[1:]]
            below.append([(lower, port)])
            below[upper].append((first, 0.0))
            last = chain[-1]
        else:
            below[upper].append((lower, port))
        above[lower].append((last, port))
    added = len(rank) - len(width)
    width += [DUMMY_WIDTH] * added
    satellite += [False] * added
    weight = [0.02 if is_leaf else 1.0 for is_leaf in satellite[: len(owner)]] + [2.0] * added
    rows: list[list[int]] = [[] for _ in range(max(rank) + 1)]
    for vertex, row in enumerate(rank):
        rows[row].append(vertex)
    return Layers(len(owner), rank, width, room + [(0.0, 0.0)] * added, weight, satellite, above, below, rows), chains


def finished(
    owner: Sequence[int],
    sizes: Sequence[tuple[int, int]],
    layers: Layers,
    chains: Sequence[Sequence[int]],
    ends: Sequence[tuple[int, int]],
    ports: Sequence[int],
    x: Sequence[float],
) -> Layout:
    """Whole pixels, the picture's corner at (0, 0)."""
    boxed = len(owner)
    left = min([x[box] - sizes[node][0] / 2 for box, node in enumerate(owner)])
    left = min([left, *[each - DUMMY_WIDTH for each in x[boxed:]]])
    column = [round(each - left - TIE) + MARGIN for each in x]
    rank = layers.rank
    heights = [0] * len(layers.rows)
    for node, row in zip(owner, rank, strict=False):
        heights[row] = max(heights[row], sizes[node][1])
    middle, head, foot, y = [], [], [], MARGIN + 10  # the badge of an operation stands out above its box
    for height in heights:
        middle.append(y + height // 2)
        head.append(y + height // 2 + -height // 2)
        foot.append(y + height)
        y += height + ROW_GAP
    boxes = [
        Box(node, at, middle[row] - sizes[node][1] // 2, *sizes[node], box != node, row)
        for box, (node, row, at) in enumerate(zip(owner, rank, column, strict=False))
    ]
    out = _outgoing(boxes, chains, ends, ports, column)
    ways: list[tuple[tuple[int, int], ...]] = []
    gaps: list[list[tuple[bool, int, int, int]]] = [[] for _ in heights]  # see _lanes
    for edge, ((upper, lower), chain, leaving, port) in enumerate(zip(ends, chains, out, ports, strict=True)):
        above, gap = column[upper] + leaving, rank[upper]
        way = [(above, boxes[upper].y + boxes[upper].height)]
        for number, dummy in enumerate(chain):
            at = column[dummy]
            gaps[gap + number].append((at < above, above if at < above else -above, edge, number))
            row = gap + number + 1
            way += (at, head[row]), (at, middle[row] + heights[row] // 2)
            above = at
        at = column[lower] + port
        gaps[gap + len(chain)].append((at < above, above if at < above else -above, edge, len(chain)))
        ways.append((*way, (at, boxes[lower].y)))
    lanes = _lanes(gaps, chains)
    routes = [Route(*pair, way, lane, foot[rank[pair[0]]]) for pair, way, lane in zip(ends, ways, lanes, strict=True)]
    right = max([*[box.x + (box.width + 1) // 2 for box in boxes], *column[boxed:]])
    return Layout(tuple(boxes), tuple(routes), right + MARGIN, y - ROW_GAP + MARGIN, tuple(heights))


def _lanes(
    gaps: Sequence[list[tuple[bool, int, int, int]]], chains: Sequence[Sequence[int]]
) -> list[tuple[float, ...]]:
    """How far down a gap each edge goes aside. Edges to the right come first, the one that starts rightmost at once;
    edges to the left follow, the one that starts leftmost first. So edges that need not cross do not, and edges that
    change places cross once, steeply, instead of running on one line.

    gaps: for each gap the edges in it: whether it goes to the left, where it starts (to the right: the negative of
    that), its number, and how many gaps it has passed.
    """
    found = [[0.0] * (len(chain) + 1) for chain in chains]
    for gap in gaps:
        gap.sort()
        count = len(gap)
        for lane, (_, _, edge, number) in enumerate(gap):
            found[edge][number] = (lane + 0.5) / count
    return [tuple(lanes) for lanes in found]


def _outgoing(
    boxes: Sequence[Box],
    chains: Sequence[Sequence[int]],
    ends: Sequence[tuple[int, int]],
    ports: Sequence[int],
    column: Sequence[int],
) -> list[int]:
    """How far from the middle of its upper box each edge starts: side by side, ordered by where they go."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in boxes]
    for edge, ((upper, lower), chain) in enumerate(zip(ends, chains, strict=True)):
        leaving[upper].append((column[chain[0]] if chain else column[lower] + ports[edge], edge))
    found = [0] * len(ends)
    for upper, edges in enumerate(leaving):
        if len(edges) == 1:
            (towards, edge) = edges[0]
            aside = towards - boxes[upper].x
            found[edge] = aside if abs(aside) <= min(STRAIGHT, boxes[upper].width // 2) else 0
            continue
        gap = min(18.0, max(boxes[upper].width - 24, 0) / (len(edges) - 1))
        for position, (_, edge) in enumerate(sorted(edges)):
            found[edge] = round((position - (len(edges) - 1) / 2) * gap)
    return found

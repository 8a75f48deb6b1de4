"""Order within each row: first by operands, then by barycentres while that removes crossings."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from minitorch.viz.drawing.layers import Layers, Links, wanted

SWEEPS = 6
LARGE = 3000  # vertices; above it two sweeps must do


def first_order(layers: Layers, last: int) -> None:
    """Depth first from the results upwards, operands from left to right: a tree gets no crossing at all."""
    above, below = layers.above, layers.below
    for links in above:
        links.sort(key=lambda link: link[1])
    rows: list[list[int]] = [[] for _ in layers.rows]
    seen = [False] * len(layers.rank)
    results = [vertex for vertex in range(last, -1, -1) if not below[vertex]]
    rest = [vertex for row in reversed(layers.rows) for vertex in row]
    for start in (*results, *rest):
        stack = [start]
        while stack:
            vertex = stack.pop()
            if seen[vertex]:
                continue
            seen[vertex] = True
            rows[layers.rank[vertex]].append(vertex)
            stack.extend(upper for upper, _ in reversed(above[vertex]) if not seen[upper])
    layers.rows = rows


def crossings_removed(layers: Layers) -> None:
    """Sorts rows by the barycentre of their neighbours, up and down in turn, and keeps the best order seen."""
    rows = layers.rows
    index = [0.0] * len(layers.rank)
    for row in rows:
        _number(row, index)
    gaps = list(pairwise(rows))
    crossed = [_crossings(upper, lower, layers.below, index) for upper, lower in gaps]
    if not any(crossed):
        return
    above = [[(upper, 0.0) for upper, _ in links] for links in layers.above]
    # among the operands of one consumer, the order of the ports
    below = [[(lower, port / 1000) for lower, port in links] for links in layers.below]
    best, fewest = [row[:] for row in rows], sum(crossed)
    rested = 0
    for sweep in range(SWEEPS if len(layers.rank) < LARGE else 2):
        downwards = sweep % 2 == 1
        order = range(len(rows)) if downwards else range(len(rows) - 1, -1, -1)
        moved = {number for number in order if _sort(rows[number], above if downwards else below, index)}
        rested = 0 if moved else rested + 1
        if rested == 2:  # nothing would ever move again
            break
        for number, (upper, lower) in enumerate(gaps):
            if number in moved or number + 1 in moved:
                crossed[number] = _crossings(upper, lower, layers.below, index)
        if sum(crossed) < fewest:
            best, fewest = [row[:] for row in rows], sum(crossed)
        if fewest == 0:
            break
    layers.rows = best


def _sort(row: list[int], links: Links, index: list[float]) -> bool:
    """Whether anything in the row has changed its place."""
    if len(row) == 1:
        return False
    places = zip(wanted(row, links, index), [index[vertex] for vertex in row], row, strict=True)
    order = [vertex for _, _, vertex in sorted(places)]
    if order == row:
        return False
    row[:] = order
    _number(row, index)
    return True


def _number(row: list[int], index: list[float]) -> None:
    for position, vertex in enumerate(row):
        index[vertex] = (position + 0.5) / len(row)


def _crossings(upper: list[int], lower: list[int], below: Links, index: list[float]) -> int:
    """How many pairs of links cross: inversions of the lower ends, read in the order of the upper ones."""
    if len(upper) == 1 or len(lower) == 0:
        return 0
    ends: list[tuple[float, float]] = []
    for vertex in upper:
        links = below[vertex]
        if len(links) == 1:
            end, port = links[0]
            ends.append((index[end], port))
        else:
            ends += sorted([(index[end], port) for end, port in links])
    passed: list[tuple[float, float]] = []
    total = 0
    for each in ends:
        if not passed or passed[-1] <= each:
            passed.append(each)
            continue
        place = bisect_right(passed, each)
        total += len(passed) - place
        passed.insert(place, each)
    return total

"""Order within each row: first by operands, then by barycentres while that removes crossings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from minitorch.viz.drawing.layers import Layers, Links

LEAST = 3  # sweeps: up, down and up again
PATIENCE = 2  # sweeps, one up and one down, that brought nothing; after that nothing more is expected


def first_order(layers: Layers, last: int) -> None:
    """Depth first from the results upwards, operands from left to right: a tree gets no crossing at all."""
    above, below, rank = layers.above, layers.below, layers.rank
    for links in above:
        if len(links) > 1:
            links.sort(key=_port)
    rows: list[list[int]] = [[] for _ in layers.rows]
    seen = [False] * len(rank)
    results = [vertex for vertex in range(last, -1, -1) if not below[vertex]]
    rest = [vertex for row in reversed(layers.rows) for vertex in row]
    for start in (*results, *rest):
        if seen[start]:
            continue
        stack = [start]
        while stack:
            vertex = stack.pop()
            if seen[vertex]:
                continue
            seen[vertex] = True
            rows[rank[vertex]].append(vertex)
            for upper, _ in reversed(above[vertex]):
                stack.append(upper)
    layers.rows = rows


def _port(link: tuple[int, float]) -> float:
    return link[1]


def crossings_removed(layers: Layers) -> None:
    """Sorts rows by the barycentre of their neighbours, up and down in turn, and keeps the best order seen."""
    rows = layers.rows
    index = [0.0] * len(layers.rank)
    for row in rows:
        _number(row, index)
    ends = _ends(layers)
    crossed = [_crossings(upper, ends, index) for upper in rows]
    fewest = sum(crossed)
    if not fewest:
        return
    above = _scaled(layers.above, 0.0)
    below = _scaled(layers.below, 0.001)  # among the operands of one consumer, the order of the ports
    best = [row[:] for row in rows]
    upwards, downwards = range(len(rows) - 1, -1, -1), range(len(rows))
    changed, looked_at = [0] * (len(rows) + 2), ([-1] * len(rows), [-1] * len(rows))  # when; one row more at each end
    sweep = missed = now = 0
    while fewest and (sweep < LEAST or missed < PATIENCE):
        down = sweep % 2
        links, towards, seen = (above, 0, looked_at[1]) if down else (below, 2, looked_at[0])
        moved = set()
        for number in downwards if down else upwards:
            now += 1
            row = rows[number]
            if len(row) > 1 and max(changed[number + 1], changed[number + towards]) > seen[number]:
                if _sort(row, links, index):
                    changed[number + 1] = now
                    moved.add(number)
                seen[number] = now
        for number in moved | {each - 1 for each in moved if each}:
            crossed[number] = _crossings(rows[number], ends, index)
        missed += 1
        if sum(crossed) < fewest:
            best, fewest, missed = [row[:] for row in rows], sum(crossed), 0
        sweep += 1
    layers.rows = best


def _ends(layers: Layers) -> Links:
    """The links down from each vertex, with ports so small that the order of the vertices always counts more."""
    most = max((abs(port) for links in layers.above for _, port in links), default=0.0)
    return _scaled(layers.below, 1 / (4 * max(map(len, layers.rows)) * (most + 1)))


def _scaled(links: Links, factor: float) -> Links:
    """Links whose ports are so many times as large."""
    return [
        each if len(each) == 1 and not each[0][1] else [(other, port * factor) for other, port in each]
        for each in links
    ]


def _sort(row: list[int], links: Links, index: list[float]) -> bool:
    """Whether anything in the row has changed its place. What has no link stays."""
    wishes = []
    for vertex in row:
        linked = links[vertex]
        if len(linked) == 1:
            other, aside = linked[0]
            wishes.append(index[other] + aside)
        elif linked:
            total = 0.0
            for other, aside in linked:
                total += index[other] + aside
            wishes.append(total / len(linked))
        else:
            wishes.append(index[vertex])
    if sorted(wishes) == wishes:
        return False
    row.sort(key=dict(zip(row, wishes, strict=True)).__getitem__)
    _number(row, index)
    return True


def _number(row: Sequence[int], index: list[float]) -> None:
    size = len(row)
    for position, vertex in enumerate(row):
        index[vertex] = (position + 0.5) / size


def _crossings(upper: Sequence[int], ends: Links, index: Sequence[float]) -> int:
    """How many pairs of links cross: inversions of the lower ends, read in the order of the upper ones."""
    if len(upper) == 1:
        return 0
    read: list[float] = []
    for vertex in upper:
        links = ends[vertex]
        if len(links) == 1:
            end, port = links[0]
            read.append(index[end] + port)
        elif links:
            read += sorted([index[end] + port for end, port in links])
    left = sorted(read)
    if left == read:
        return 0
    total = 0
    for each in reversed(read):  # what is left was read before it; all of that which lies behind it crosses it
        place = bisect_right(left, each)
        total += len(left) - place
        del left[place - 1]
    return total

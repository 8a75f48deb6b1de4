"""x coordinates: every row as near to its neighbours as it can be without overlap.

Once upwards, once downwards: more rounds would change nothing. Each row is placed by the one before it alone, and the
first of all is the result, alone in its row; a second round would begin where the first one did, and end there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from minitorch.viz.drawing.layers import Layers, Links

HELD = 50.0  # against a satellite's weight: where the operations stand is settled when the leaves are placed
LABEL_GAP = 8.0


def place(layers: Layers, gap: float) -> list[float]:
    """The middle of every vertex. Boxes in a row are at least `gap` apart."""
    above, below = _ways(layers)
    x = [0.0] * len(layers.rank)
    shifts = [_shifts(layers, row, gap) for row in layers.rows]
    for row, shift in zip(layers.rows, shifts, strict=True):
        middle = shift[-1] / 2
        for vertex, position in zip(row, shift, strict=True):
            x[vertex] = position - middle
    weight, satellite = layers.weight, layers.satellite
    for row, shift in zip(reversed(layers.rows), reversed(shifts), strict=True):
        _settle(row, shift, _wishes(row, below, x), weight, x)
    for row, shift in zip(layers.rows, shifts, strict=True):
        _settle(row, shift, _wishes(row, above, x), weight, x)
    held = [each if is_satellite else HELD for each, is_satellite in zip(weight, satellite, strict=True)]
    for row, shift in zip(reversed(layers.rows), reversed(shifts), strict=True):
        leaves = [vertex for vertex in row if satellite[vertex]]
        if leaves:
            wishes = dict(zip(leaves, _wishes(leaves, below, x), strict=True))
            _settle(row, shift, [wishes.get(vertex, x[vertex]) for vertex in row], held, x)
    return x


def _ways(layers: Layers) -> tuple[Links, Links]:
    """For each vertex what is above it, or below, and how far aside of that it wants to be."""
    above, below = layers.above[:], layers.below[:]
    satellite = layers.satellite
    for lower, links in enumerate(above):
        if len(links) > 1:
            inner = [(upper, -port) for upper, port in links if not satellite[upper]]
        elif links and links[0][1]:  # most links have no port
            inner = [] if satellite[links[0][0]] else links
        else:
            continue
        if len(inner) == 1:  # a chain runs straight down, whatever port it ends at
            upper = inner[0][0]
            above[lower] = [(upper, 0.0)]
            below[upper] = [(each, 0.0 if each == lower else port) for each, port in below[upper]]
        else:
            above[lower] = inner or [(upper, -port) for upper, port in links]
    return above, below


def _shifts(layers: Layers, row: list[int], gap: float) -> list[float]:
    """The positions of a row packed as tightly as it can be, from 0."""
    width, room, boxes = layers.width, layers.room, layers.boxes
    at = 0.0
    found = [at]
    for left, right in pairwise(row):
        apart = (width[left] + width[right]) / 2
        if left < boxes and right < boxes:
            apart += gap
        else:
            apart += gap / 2  # half of it will do beside a dummy
        beside = room[left][1] + room[right][0] + LABEL_GAP
        at += max(beside, apart)
        found.append(at)
    return found


def _wishes(row: Sequence[int], links: Links, x: Sequence[float]) -> list[float]:
    """Where each vertex of a row would stand if only its links counted: in the mean of where they want it.

    links: for each vertex those that it is linked to, each with how far aside of that one it wants to be. What has no
    link stays.
    """
    found = []
    for vertex in row:
        linked = links[vertex]
        if len(linked) == 1:
            other, aside = linked[0]
            found.append(x[other] + aside)
        elif linked:
            total = 0.0
            for other, aside in linked:
                total += x[other] + aside
            found.append(total / len(linked))
        else:
            found.append(x[vertex])
    return found


def _settle(
    row: Sequence[int], shift: Sequence[float], wishes: Sequence[float], weight: Sequence[float], x: list[float]
) -> None:
    """Least squares under "in this order, at least this far apart": pool adjacent violators (Ayer et al., 1955)."""
    if len(row) == 1:
        x[row[0]] = wishes[0]
        return
    pools: list[tuple[float, float, int]] = []  # the mean of each, its weight, and where in the row it begins
    for start, (vertex, offset, wish) in enumerate(zip(row, shift, wishes, strict=True)):
        mean = wish - offset
        heavy = weight[vertex]
        while pools and pools[-1][0] > mean:
            last, more, start = pools.pop()
            mean = (last * more + mean * heavy) / (more + heavy)
            heavy += more
        pools.append((mean, heavy, start))
    stop = len(row)
    for mean, _, start in reversed(pools):
        for place_ in range(start, stop):
            x[row[place_]] = mean + shift[place_]
        stop = start

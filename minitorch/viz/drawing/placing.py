"""x coordinates: every row as near to its neighbours as it can be without overlap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from minitorch.viz.drawing.layers import Layers, Links, linked_by, wished

ROUNDS = 5
LARGE = 3000  # vertices; above it fewer rounds must do
HELD = 50.0  # against a satellite's weight: where the operations stand is settled when the leaves are placed
LABEL_GAP = 8.0


def place(layers: Layers, gap: float) -> list[float]:
    """The middle of every vertex. Boxes in a row are at least `gap` apart."""
    above, below = _ways(layers)
    x = [0.0] * len(layers.rank)
    shifts = [_shifts(layers, row, gap) for row in layers.rows]
    for row, shift in zip(layers.rows, shifts, strict=True):
        for vertex, position in zip(row, shift, strict=True):
            x[vertex] = position - shift[-1] / 2
    weights = [[layers.weight[vertex] for vertex in row] for row in layers.rows]
    rows = [
        (row, shift, weight, linked_by(row, above), linked_by(row, below))
        for row, shift, weight in zip(layers.rows, shifts, weights, strict=True)
    ]
    for _ in range(ROUNDS if len(layers.rank) < LARGE else 2):
        before = x[:]
        for row, shift, weight, _, lower in reversed(rows):
            _settle(row, shift, wished(lower, x), weight, x)
        for row, shift, weight, upper, _ in rows:
            _settle(row, shift, wished(upper, x), weight, x)
        if x == before:  # nothing would ever move again
            break
    satellite = layers.satellite
    for row, shift, _, _, lower in reversed(rows):
        held = [0.02 if satellite[vertex] else HELD for vertex in row]
        goals = [goal if satellite[vertex] else x[vertex] for vertex, goal in zip(row, wished(lower, x), strict=True)]
        _settle(row, shift, goals, held, x)
    return x


def _ways(layers: Layers) -> tuple[Links, Links]:
    """For each vertex what is above it, or below, and how far aside of that it wants to be."""
    above = [[(upper, -port) for upper, port in links] for links in layers.above]
    below = [list(links) for links in layers.below]
    for lower, links in enumerate(above):
        inner = [link for link in links if not layers.satellite[link[0]]]
        if len(inner) == 1:  # a chain runs straight down, whatever port it ends at
            upper = inner[0][0]
            above[lower] = [(upper, 0.0)]
            below[upper] = [(each, 0.0 if each == lower else port) for each, port in below[upper]]
        elif inner:
            above[lower] = inner
    return above, below


def _shifts(layers: Layers, row: list[int], gap: float) -> list[float]:
    """The positions of a row packed as tightly as it can be, from 0."""
    width, room = layers.width, layers.room
    found = [0.0]
    for left, right in pairwise(row):
        between = gap if max(left, right) < layers.boxes else gap / 2  # half of it will do beside a dummy
        apart = (width[left] + width[right]) / 2 + between
        found.append(found[-1] + max(apart, room[left][1] + room[right][0] + LABEL_GAP))
    return found


def _settle(
    row: Sequence[int], shift: Sequence[float], goals: Sequence[float], weight: Sequence[float], x: list[float]
) -> None:
    """Least squares under "in this order, at least this far apart": pool adjacent violators (Ayer et al., 1955)."""
    if len(row) == 1:
        x[row[0]] = goals[0]
        return
    pools: list[tuple[float, float, int]] = []  # of each its mean, its weight, and where in the row it begins
    for start, (offset, goal, heavy) in enumerate(zip(shift, goals, weight, strict=True)):
        mean = goal - offset
        while pools and pools[-1][0] > mean:
            other, more, start = pools.pop()
            mean = (other * more + mean * heavy) / (more + heavy)
            heavy += more
        pools.append((mean, heavy, start))
    stop = len(row)
    for mean, _, start in reversed(pools):
        for place_ in range(start, stop):
            x[row[place_]] = mean + shift[place_]
        stop = start

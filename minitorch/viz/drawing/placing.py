"""x coordinates: every row as near to its neighbours as it can be without overlap."""

from __future__ import annotations

from itertools import pairwise

from minitorch.viz.drawing.layers import Layers

ROUNDS = 5
LARGE = 3000  # vertices; above it fewer rounds must do
HELD = 50.0  # against a satellite's weight: where the operations stand is settled when the leaves are placed
LABEL_GAP = 8.0

Links = list[list[tuple[int, float]]]


def place(layers: Layers, gap: float) -> list[float]:
    """The middle of every vertex. Boxes in a row are at least `gap` apart."""
    above, below = list(layers.above), list(layers.below)
    for lower, links in enumerate(above):
        inner = [link for link in links if not layers.satellite[link[0]]]
        if len(inner) == 1:  # a chain runs straight down, whatever port it ends at
            upper = inner[0][0]
            above[lower] = [(upper, 0.0)]
            below[upper] = [(each, 0.0 if each == lower else port) for each, port in below[upper]]
        elif inner:
            above[lower] = inner
    x = [0.0] * len(layers.rank)
    shifts = [_shifts(layers, row, gap) for row in layers.rows]
    for row, shift in zip(layers.rows, shifts, strict=True):
        for vertex, position in zip(row, shift, strict=True):
            x[vertex] = position - shift[-1] / 2
    rows = list(zip(layers.rows, shifts, strict=True))
    for _ in range(ROUNDS if len(layers.rank) < LARGE else 2):
        for row, shift in reversed(rows):
            _settle(row, shift, [_under(below, x, vertex) for vertex in row], layers.weight, x)
        for row, shift in rows:
            _settle(row, shift, [_over(above, x, vertex) for vertex in row], layers.weight, x)
    held = [0.02 if satellite else HELD for satellite in layers.satellite]
    for row, shift in reversed(rows):
        wanted = [_under(below, x, vertex) if layers.satellite[vertex] else x[vertex] for vertex in row]
        _settle(row, shift, wanted, held, x)
    return x


def _shifts(layers: Layers, row: list[int], gap: float) -> list[float]:
    """The positions of a row packed as tightly as it can be, from 0."""
    width, room = layers.width, layers.room
    found = [0.0]
    for left, right in pairwise(row):
        between = gap if max(left, right) < layers.boxes else gap / 2  # half of it will do beside a dummy
        apart = (width[left] + width[right]) / 2 + between
        found.append(found[-1] + max(apart, room[left][1] + room[right][0] + LABEL_GAP))
    return found


def _under(below: Links, x: list[float], vertex: int) -> float:
    """Where a vertex would stand if only what it flows into counted."""
    links = below[vertex]
    return sum(x[lower] + port for lower, port in links) / len(links) if links else x[vertex]


def _over(above: Links, x: list[float], vertex: int) -> float:
    """Where a vertex would stand if only what flows into it counted."""
    links = above[vertex]
    return sum(x[upper] - port for upper, port in links) / len(links) if links else x[vertex]


def _settle(row: list[int], shift: list[float], wanted: list[float], weight: list[float], x: list[float]) -> None:
    """Least squares under "in this order, at least this far apart": pool adjacent violators (Ayer et al., 1955)."""
    means: list[float] = []
    weights: list[float] = []
    sizes: list[int] = []
    for vertex, offset, goal in zip(row, shift, wanted, strict=True):
        mean, heavy, size = goal - offset, weight[vertex], 1
        while means and means[-1] > mean:
            other = weights.pop()
            mean = (means.pop() * other + mean * heavy) / (other + heavy)
            heavy += other
            size += sizes.pop()
        means.append(mean)
        weights.append(heavy)
        sizes.append(size)
    position = 0
    for mean, size in zip(means, sizes, strict=True):
        for place_ in range(position, position + size):
            x[row[place_]] = mean + shift[place_]
        position += size

"""Order within each row: first by operands, then by barycentres while that removes crossings."""

from __future__ import annotations

from bisect import bisect_right, insort
from itertools import pairwise

from minitorch.viz.drawing.layers import Layers

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
    above, below = layers.above, layers.below
    best, fewest = [row[:] for row in layers.rows], _crossings(layers, below)
    index = [0.0] * len(layers.rank)
    for row in layers.rows:
        _number(row, index)
    for sweep in range(SWEEPS if len(layers.rank) < LARGE else 2):
        if fewest == 0:
            break
        upwards = sweep % 2 == 0
        rows = reversed(layers.rows) if upwards else layers.rows
        for row in rows:
            _sort(row, below if upwards else above, index, upwards)
        found = _crossings(layers, below)
        if found < fewest:
            best, fewest = [row[:] for row in layers.rows], found
    layers.rows = best


def _sort(row: list[int], neighbours: list[list[tuple[int, float]]], index: list[float], upwards: bool) -> None:
    wanted = {}
    for vertex in row:
        links = neighbours[vertex]
        if not links:
            wanted[vertex] = index[vertex]
        elif upwards:  # among the operands of one consumer, the order of the ports
            wanted[vertex] = sum(index[lower] + port / 1000 for lower, port in links) / len(links)
        else:
            wanted[vertex] = sum(index[upper] for upper, _ in links) / len(links)
    row.sort(key=lambda vertex: (wanted[vertex], index[vertex]))
    _number(row, index)


def _number(row: list[int], index: list[float]) -> None:
    for position, vertex in enumerate(row):
        index[vertex] = (position + 0.5) / len(row)


def _crossings(layers: Layers, below: list[list[tuple[int, float]]]) -> int:
    """How many pairs of links cross: inversions of the lower ends, read in the order of the upper ones."""
    total = 0
    for upper, lower in pairwise(layers.rows):
        index = {vertex: position for position, vertex in enumerate(lower)}
        passed: list[tuple[int, float]] = []
        for vertex in upper:
            ends = sorted((index[end], port) for end, port in below[vertex] if end in index)
            for end in ends:
                total += len(passed) - bisect_right(passed, end)
            for end in ends:
                insort(passed, end)
    return total

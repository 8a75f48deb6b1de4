"""The graph while it is laid out: rows of vertices, and what links them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Links = list[list[tuple[int, float]]]


@dataclass(slots=True)
class Layers:
    """The graph while it is laid out. Its vertices are the nodes, then the copies of leaves, then the dummies.

    boxes: how many vertices are boxes; those from there on are dummies.
    room: what the labels above each vertex take up to the left and to the right of its middle.
    above, below: for each vertex those that it is linked to, each with the link's port: how far from the middle of the
        lower of the two it ends.
    """

    boxes: int
    rank: list[int]
    width: list[float]
    room: list[tuple[float, float]]
    weight: list[float]
    satellite: list[bool]
    above: Links
    below: Links
    rows: list[list[int]]


def wanted(row: Sequence[int], links: Links, at: Sequence[float]) -> list[float]:
    """Where each vertex of a row would stand if only its links counted: in the mean of where they want it.

    links: for each vertex those that it is linked to, each with how far aside of that one it wants to be. at: where all
    are; what has no link stays.
    """
    return wished(linked_by(row, links), at)


def linked_by(row: Sequence[int], links: Links) -> Links:
    """The links of each vertex of a row; one without any is linked to itself."""
    return [links[vertex] or [(vertex, 0.0)] for vertex in row]


def wished(linked: Links, at: Sequence[float]) -> list[float]:
    """`wanted` of a row of which `linked_by` gave the links."""
    return [at[each[0][0]] + each[0][1] if len(each) == 1 else _mean(each, at) for each in linked]


def _mean(linked: Sequence[tuple[int, float]], at: Sequence[float]) -> float:
    total = 0.0
    for other, aside in linked:
        total += at[other] + aside
    return total / len(linked)

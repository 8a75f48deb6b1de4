"""The graph while it is laid out: rows of vertices, and what links them."""

from __future__ import annotations

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

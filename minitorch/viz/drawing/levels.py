"""The levels of a folded graph, as static/levels.js needs them: what is where in each, while nothing in it is open."""

from __future__ import annotations

from functools import cache
from typing import Any

from minitorch.viz.drawing.scene import Scene, scene
from minitorch.viz.facts.folding import Folding, Group
from minitorch.viz.facts.levels import level_of
from minitorch.viz.facts.model import NodeFacts

MOST_BOXES = 2000  # boxes in one document; groups beyond stay closed


class Levels:
    """All levels of a scene, from outside in; of a graph that is not folded there is one.

    Nodes of the whole graph keep their numbers, groups have those after. drawn: for each number the scene in which it
    is drawn, its facts there, the nodes whose gradients it shows, and the level that it opens, 0 for none. ups: for
    each number that of the group it is in, -1 for none.
    """

    def __init__(self, first: Scene, folding: Folding | None) -> None:
        count = len(first.whole.nodes)
        self._scenes: list[Scene] = []
        self._numbers: list[list[int]] = []  # for each level those of its nodes
        self._drawn: dict[int, tuple[Scene, NodeFacts, tuple[int, ...], int]] = {}
        self._up = dict.fromkeys(range(count), -1)
        waiting: list[tuple[int, Group | None]] = [(-1, None)]
        arrange = cache(first.arrange)  # rounds of a repetition, and blocks that are alike, lie alike
        boxes = 0
        for group, inside in waiting:  # grows while it is gone through
            shown = first
            if inside is not None:
                if folding is None or boxes > MOST_BOXES:
                    continue
                shown = scene(first.picture, level_of(folding, inside), first.whole_names, first.reach, arrange)
                self._drawn[group] = (*self._drawn[group][:3], len(self._scenes))
            boxes += len(shown.layout.boxes)
            self._scenes.append(shown)
            waiting += self._numbered(shown, group)

    def _numbered(self, shown: Scene, group: int) -> list[tuple[int, Group]]:
        """Numbers the nodes of a level; gives its groups."""
        numbers, inner = [], []
        level = shown.level
        for node in shown.graph.nodes:
            shows = (node.idx,) if level is None else level.shows[node.idx]
            number = len(self._up) if node.holds else shows[0]
            numbers.append(number)
            if node.holds or node.idx not in shown.outside:
                self._up[number] = group
                self._drawn[number] = (shown, node, shows, 0)
            if level is not None and node.idx in level.groups:
                inner.append((number, level.groups[node.idx]))
        for idx, place in {} if level is None else level.place_of.items():
            if numbers[place] != idx:
                self._up[idx] = numbers[place]
        self._numbers.append(numbers)
        return inner

    @property
    def drawn(self) -> list[tuple[Scene, NodeFacts, tuple[int, ...], int] | None]:
        """For each number what the class says; None for what is in a group that stays closed."""
        return [self._drawn.get(number) for number in range(len(self._up))]

    @property
    def ups(self) -> list[int]:
        """For each number what the class says."""
        return [self._up[number] for number in range(len(self._up))]

    def traits(self) -> list[dict[str, Any]]:
        """Each level: its rows, boxes and edges. A box's x is its middle; an edge's ends are told from the middles."""
        return [_level(shown, numbers) for shown, numbers in zip(self._scenes, self._numbers, strict=True)]


def _level(shown: Scene, numbers: list[int]) -> dict[str, Any]:
    left, right = shown.extent
    boxes, outside = [], shown.outside
    for node, x, y, width, height, copy, row in shown.layout.boxes:
        box = {"node": numbers[node], "x": x, "y": y, "w": width, "h": height, "row": row}
        if copy or node in outside:
            box["copy"] = 1
        boxes.append(box)
    edges = [_edge(shown, number) for number in range(len(shown.graph.edges))]
    return {"left": left, "right": right, "heights": list(shown.layout.heights), "boxes": boxes, "edges": edges}


def _edge(shown: Scene, number: int) -> dict[str, Any]:
    """An edge: the boxes that it joins, where it leaves and ends, the columns on its way, and what stands beside it."""
    route, label = shown.layout.routes[number], shown.labels[number]
    found = {
        "from": route.source,
        "to": route.target,
        "out": route.points[0][0] - shown.layout.boxes[route.source].x,
        "port": shown.ports[number],
        "lanes": [round(lane, 3) for lane in route.lanes],
        "carried": [number] if shown.level is None else list(shown.level.carried[number]),
    }
    if len(route.points) > 2:
        found["through"] = [x for x, _ in route.points[1:-1:2]]
    if shown.graph.edges[number].broadcast_axes:
        found["wide"] = True
    said = ("forward", label.forward), ("backward", label.backward), ("width", label.width)
    return found | {name: each for name, each in said if each}

"""Where each node was made: the path of its module, as a recording wrote it down, or worked out from the parameters.

Hooks on modules know it exactly, but only where a graph was recorded. A Tensor leaves no trace of modules, and needs
none: the operation that takes `blocks.0.mlp.fc1.weight` happened in `blocks.0.mlp.fc1`, and calls of modules are nested
in time as operations are in the order of creation. What happened between two such operations belongs to the module that
both are in. A module begins and ends where least goes in and out: so the last addition of a block, around which its
shortcut goes, belongs to the block, and a loss after the last layer does not belong to the layer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from minitorch.viz.facts.model import Graph

_PARAMETER = re.compile(r"\w+(\.\w+)*\.[A-Za-z_]\w*")  # as modules name theirs: "0.weight", "blocks.1.mlp.fc.bias"
LISTS = ("ModuleList", "ModuleDict")  # what is in them is called, never they themselves
FARTHEST = 40  # operations beyond its parameters' that a module is looked for

Path = tuple[str, ...]


def parameters_of(model: Any) -> dict[str, Any]:
    """The model's parameters by name. Raises TypeError for what has none."""
    if model is None:
        return {}
    named = getattr(model, "named_parameters", None)
    if not callable(named):
        raise TypeError(f"model is a Module, which names its parameters, not a {type(model).__name__}")
    return dict(named())


def kinds_of(model: Any, root: Any = None) -> dict[str, str]:
    """Path → what kind of module stands there: "Linear", "Block". root: a recorded graph knows those it watched."""
    named = getattr(model, "named_modules", None)
    if model is None:
        watched = None if isinstance(root, Mapping) else getattr(root, "kinds", None)
        return dict(watched) if isinstance(watched, dict) else {}
    return {path: type(module).__name__ for path, module in named()} if callable(named) else {}


def with_scopes(graph: Graph, kinds: Mapping[str, str] | None = None) -> Graph:
    """The graph with the scopes that its parameters' names tell, where nobody wrote any down.

    kinds: path → kind of module, in the model's order; with it, operations of modules without parameters are told, too.
    """
    if any(node.scope for node in graph.nodes):
        return graph
    owners = {
        node.idx: tuple(node.label.split(".")[:-1])
        for node in graph.nodes
        if node.kind == "leaf" and _PARAMETER.fullmatch(node.label)
    }
    if not owners:
        return graph
    found = _Derivation(graph, owners, kinds or {}).paths
    nodes = tuple(replace(node, scope=".".join(found[node.idx])) if node.idx in found else node for node in graph.nodes)
    return replace(graph, nodes=nodes)


def _shared(a: Path, b: Path) -> Path:
    """The path of the module that both are in."""
    for place, (one, other) in enumerate(zip(a, b, strict=False)):
        if one != other:
            return a[:place]
    return a if len(a) < len(b) else b


@dataclass(slots=True)
class _Anchor:
    """An operation that takes parameters, or is a module by itself: its place among the operations, and the module."""

    place: int
    path: Path


class _Derivation:
    """One graph's paths. Operations are counted in the order of creation: `places`."""

    def __init__(self, graph: Graph, owners: Mapping[int, Path], kinds: Mapping[str, str]) -> None:
        operations = [node.idx for node in graph.nodes if node.kind == "op"]
        place_of = {idx: place for place, idx in enumerate(operations)}
        self.sources: list[list[int]] = []  # for each place those of its operands
        self.last = list(range(len(operations)))  # for each place that of its last consumer
        anchors = []
        for place, idx in enumerate(operations):
            operands = [edge.src for edge in graph.operands[idx]]
            self.sources.append([place_of[src] for src in operands if src in place_of])
            for source in self.sources[-1]:
                self.last[source] = place
            paths = [owners[src] for src in operands if src in owners]
            if paths:
                path = paths[0]
                for other in paths[1:]:
                    path = _shared(path, other)
                anchors.append(_Anchor(place, path))
        for end in graph.ends:
            if end in place_of:
                self.last[place_of[end]] = len(operations)
        anchors = _with_bare_modules(anchors, [graph.nodes[idx].op for idx in operations], kinds)
        self._scopes: list[Path] = [()] * len(operations)
        self._divide((), anchors, 0, len(operations))
        self.paths = {idx: self._called(self._scopes[place], kinds) for place, idx in enumerate(operations)}

    def _called(self, path: Path, kinds: Mapping[str, str]) -> Path:
        """The path, or that of the module around it where it is a list's."""
        while path and kinds.get(".".join(path)) in LISTS:
            path = path[:-1]
        return path

    def _divide(self, prefix: Path, anchors: list[_Anchor], low: int, high: int) -> None:
        """Gives the operations from `low` to before `high`, which happened in `prefix`, to the modules inside it."""
        open_: list[tuple[Path, list[_Anchor], int, int]] = [(prefix, anchors, low, high)]
        while open_:
            prefix, anchors, low, high = open_.pop()
            for place in range(low, high):
                self._scopes[place] = prefix
            runs = _runs(anchors, len(prefix))
            end = low
            for number, run in enumerate(runs):
                after = runs[number + 1][0].place if number + 1 < len(runs) else high
                if len(run[0].path) == len(prefix):  # the module's own parameters
                    end = run[-1].place + 1
                    continue
                first, last = self._grown(run[0].place, run[-1].place, end, after)
                open_.append((run[0].path[: len(prefix) + 1], run, first, last + 1))
                end = last + 1

    def _grown(self, first: int, last: int, low: int, high: int) -> tuple[int, int]:
        """The stretch around first…last, within low…high - 1, that the fewest Tensors go into and come out of."""
        inside = range(first, last + 1)
        into = {source for place in inside for source in self.sources[place] if source < first}
        out = sum(self.last[place] > last for place in inside)
        best, found_last = len(into) + out, last
        entering = set(into)
        for place in range(last + 1, min(high, last + 1 + FARTHEST)):
            entering |= {source for source in self.sources[place] if source < first}
            ended = {source for source in self.sources[place] if source >= first and self.last[source] == place}
            out += (self.last[place] > place) - len(ended)
            if len(entering) + out < best:
                best, found_last, into = len(entering) + out, place, set(entering)
        out = best - len(into)
        found_first = first
        for place in range(first - 1, max(low - 1, first - 1 - FARTHEST), -1):
            into.discard(place)
            into |= set(self.sources[place])
            out += self.last[place] > found_last
            if len(into) + out < best:
                best, found_first = len(into) + out, place
        return found_first, found_last


def _runs(anchors: list[_Anchor], depth: int) -> list[list[_Anchor]]:
    """The anchors in stretches of one module each, by the path's part number `depth`."""
    found: list[list[_Anchor]] = []
    for anchor in anchors:
        if found and found[-1][0].path[: depth + 1] == anchor.path[: depth + 1]:
            found[-1].append(anchor)
        else:
            found.append([anchor])
    return found


def _with_bare_modules(anchors: list[_Anchor], ops: list[str], kinds: Mapping[str, str]) -> list[_Anchor]:
    """The anchors, and between them those of modules without parameters: a `relu` after "0" where "1" is a ReLU."""
    paths = list(kinds)
    place_of = {path: place for place, path in enumerate(paths)}
    owning = {".".join(anchor.path) for anchor in anchors}
    found = []
    for anchor, after in zip(anchors, [*anchors[1:], _Anchor(len(ops), ())], strict=True):
        found.append(anchor)
        next_ = place_of.get(".".join(anchor.path), len(paths)) + 1
        for place in range(anchor.place + 1, after.place):
            if next_ >= len(paths) or paths[next_] in owning or not _is_called(kinds[paths[next_]], ops[place]):
                break
            found.append(_Anchor(place, tuple(paths[next_].split("."))))
            next_ += 1
    return found


def _is_called(kind: str, op: str) -> bool:
    """Whether a module of this kind is this operation: ReLU is relu, MaxPool2d is max_pool."""
    return bool(op) and kind.lower().rstrip("d").rstrip("123") == op.replace("_", "")

"""What is left of a recording: arrays that are alive at the end, and by which names of the program they are held.

From every result that lives, the graph is followed to all that its nodes keep: what their rules saved, their gradients.
"""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from minitorch.autograd.node import Node, ancestors
from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import owner
from minitorch.language import gettext
from minitorch.viz.facts.allocations import Line, Recorder, Seen, Spot, arrays
from minitorch.viz.facts.holders import Held, Names, holders
from minitorch.viz.facts.memory import Holder, Kind, Life, Place, Remaining, Role, Run

MADE: tuple[Kind, ...] = ("activation", "temporary", "interior")


@dataclass(slots=True)
class _Reach:
    """What one holder leads to. roles: owner's identity → as what; savers: → the operations whose rules saved it."""

    tensors: list[Any] = field(default_factory=list)
    container: bool = False
    places: int = 0
    roles: dict[int, Role] = field(default_factory=dict)
    savers: dict[int, list[str]] = field(default_factory=dict)


def run_of(name: str, recorder: Recorder, known: Names) -> Run:
    """The facts of a recording that has just been stopped, while what the program holds is still there."""
    spots = recorder.spots
    named = _named(recorder, known)
    places = tuple(
        Place(called, spot.op, spot.shape, spot.dtype, spot.scope, _line(spot.line))
        for called, spot in zip(named, spots, strict=True)
    )
    lives = tuple(
        Life(
            seen.place, seen.kind, seen.role, seen.nbytes, seen.shape, seen.dtype, seen.birth, seen.death,
            tuple(seen.savers),
        )
        for seen in recorder.lives
    )  # fmt: skip
    alive = [seen for seen in recorder.lives if seen.death is None and seen.kind in MADE]
    reached = _reached(recorder, known)
    remaining = _remaining(alive, spots, reached, known)
    return Run(name, tuple(recorder.moments), places, lives, remaining, _holders(alive, reached))


def settled(runs: Sequence[Run], recorders: Sequence[Recorder]) -> tuple[Run, ...]:
    """The runs, each told what another found out: which arrays are parameters. They were there from the beginning."""
    parameters = {
        id(array): True
        for recorder in recorders
        for seen in recorder.lives
        if seen.kind == "parameter" and seen.birth == 0 and (array := seen()) is not None
    }
    found = []
    for run, recorder in zip(runs, recorders, strict=True):
        lives = tuple(
            replace(life, kind="parameter", birth=0) if life.kind == "input" and id(seen()) in parameters else life
            for life, seen in zip(run.lives, recorder.lives, strict=True)
        )
        found.append(replace(run, lives=lives))
    return tuple(found)


def _named(recorder: Recorder, known: Names) -> list[str]:
    """One name for each place; those alike are numbered."""
    names = {}
    for seen in recorder.lives:
        array = seen()
        if array is not None and not recorder.spots[seen.place].op and seen.role == "value":
            names[seen.place] = known.of_array(array) or ""
    found = []
    for number, spot in enumerate(recorder.spots):
        label = spot.label or names.get(number, "")
        if not label and spot.op:
            label = f"{spot.scope}: {spot.op}" if spot.scope else spot.op
        found.append(label or f"{gettext('array')} {spot.shape}")
    often, met = Counter(found), Counter[str]()
    for number, name in enumerate(found):
        if often[name] > 1:
            met[name] += 1
            found[number] = f"{name} #{met[name]}"
    return found


def _line(line: Line | None) -> str:
    """A line of the program, with its text: "train.py:12: loss = …"; of a notebook's cell without its passing name."""
    if line is None:
        return ""
    file, number = line
    text = linecache.getline(file, number).strip()
    if file.startswith("<") or "ipykernel_" in file:
        where = gettext("cell, line {line}", line=number)
    else:
        where = f"{Path(file).name}:{number}"
    return f"{where}: {text}" if text else where


def _reached(recorder: Recorder, known: Names) -> dict[str, _Reach]:
    """What the living results lead to, by the name of what holds them; "" for what has no name."""
    tensors = list({id(each): each for ref in recorder.results if (each := ref()) is not None}.values())
    found: dict[str, _Reach] = {}
    for tensor, held in zip(tensors, holders(tensors, known), strict=True):
        for by in held or (Held("", True),):
            reach = found.setdefault(by.name, _Reach())
            reach.tensors.append(tensor)
            reach.container |= by.container and bool(by.name)
    for reach in found.values():
        _follow(reach)
    return found


def _follow(reach: _Reach) -> None:
    nodes: list[Node] = ancestors([each._node for each in reach.tensors if each._node is not None])
    reach.places = sum(not node.is_leaf for node in nodes)
    for node in nodes:
        if node.is_leaf:
            continue
        for array in arrays(node.saved or ()):
            key = id(owner(array))
            reach.roles.setdefault(key, "saved")
            if node.op not in reach.savers.setdefault(key, []):
                reach.savers[key].append(node.op)
        if node.grad is not None:
            reach.roles.setdefault(id(owner(getattr(node.grad, "_data", node.grad))), "gradient")
    for tensor in reach.tensors:
        reach.roles.setdefault(id(owner(tensor._data)), "value")


def _remaining(
    alive: Sequence[Seen], spots: Sequence[Spot], reached: dict[str, _Reach], known: Names
) -> tuple[Remaining, ...]:
    """The arrays that are left, those alike together, those with most bytes first."""
    lost = [seen for seen in alive if not any(seen.key in reach.roles for reach in reached.values())]
    held = dict(zip((seen.key for seen in lost), holders([seen() for seen in lost], known), strict=True))
    groups: dict[Remaining, list[Seen]] = {}
    names: dict[Remaining, Counter[str]] = {}
    for seen in alive:
        leading = {name: reach for name, reach in reached.items() if seen.key in reach.roles}
        roles = {reach.roles[seen.key] for reach in leading.values()}
        through: Role = "saved" if "saved" in roles else "gradient" if "gradient" in roles else "value"
        savers = dict.fromkeys(op for each in leading.values() for op in each.savers.get(seen.key, ()))
        spot = spots[seen.place]
        made = spot.op, spot.scope, _line(spot.line)
        alike = Remaining(*made, seen.kind, through, tuple(savers), seen.shape, seen.dtype, 1, 0, ())
        groups.setdefault(alike, []).append(seen)
        by = leading or [each.name for each in held.get(seen.key, ())]
        names.setdefault(alike, Counter()).update(name for name in by if name)
    found = [
        replace(
            alike,
            count=len(group),
            nbytes=sum(seen.nbytes for seen in group),
            holders=tuple(sorted(names[alike], key=lambda name: (-names[alike][name], name))),
        )
        for alike, group in groups.items()
    ]
    return tuple(sorted(found, key=lambda each: -each.nbytes))


def _holders(alive: Sequence[Seen], reached: dict[str, _Reach]) -> tuple[Holder, ...]:
    """What holds results, those with most bytes behind them first."""
    sizes = {seen.key: seen.nbytes for seen in alive}
    found = [
        Holder(
            name,
            len(reach.tensors),
            reach.places,
            sum(sizes.get(key, 0) for key in reach.roles),
            all(isinstance(each, TensorBase) and each._data.size == 1 for each in reach.tensors),
            reach.container,
        )
        for name, reach in reached.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.nbytes, -each.places, each.name)))

"""Births of nan and inf: the first places that have one, told apart from all that they spoil afterwards.

On the way forward it is the first operation that makes one out of finite operands, on the way back the first one whose
rule makes one out of a finite gradient. An inf that the user gave (a mask of -inf) is no fault until a nan comes of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from minitorch.language import gettext
from minitorch.viz.facts.formulas import canonical
from minitorch.viz.facts.model import Edge, Graph, NodeFacts, Reading, Trace

_CHOOSING = frozenset({"where", "masked_fill"})  # they hand an inf on that somebody gave them
_CLEAN, _GIVEN_INF, _UNKNOWN, _SPOILED = range(4)


@dataclass(frozen=True, slots=True)
class Birth:
    """what: "nan" or "inf". way: "given" with a leaf or a constant, or born on the way "forward" or "backward".

    sure: False where it is only the first place at which it is seen, and numbers before it are not known.
    step: of a backward pass, from which on it is there; 0 where it was there before.
    """

    what: Literal["nan", "inf"]
    way: Literal["given", "forward", "backward"]
    sure: bool = True
    step: int = 0


def births(picture: Graph | Trace) -> Mapping[int, Birth]:
    """The nodes where a nan or inf comes from: leaves and constants, and the operations that make one."""
    graph = picture.graph if isinstance(picture, Trace) else picture
    found, states = _forward(graph)
    for idx, birth in _in_pass(picture, states) if isinstance(picture, Trace) else _in_gradients(graph, states):
        found.setdefault(idx, birth)
    return found


def births_of_numbers(graph: Graph) -> Mapping[int, Birth]:
    """The same for a graph of numbers before any pass: on the way back it is a local gradient that is not finite."""
    found, states = _forward(graph)
    for edge in graph.edges:
        if edge.local is not None and not math.isfinite(edge.local) and not _is_spoiled(graph, edge, states):
            found.setdefault(edge.dst, Birth("nan" if math.isnan(edge.local) else "inf", "backward"))
    return found


def mark(birth: Birth) -> str:
    """What stands beside the node, in a few words."""
    if birth.way == "given":
        return gettext("{what} given", what=birth.what)
    if birth.sure:
        return gettext("{what} born here, backward" if birth.way == "backward" else "{what} born here", what=birth.what)
    return gettext(
        "{what} first seen here, backward" if birth.way == "backward" else "{what} first seen here", what=birth.what
    )


def sentence(birth: Birth, name: str, op: str) -> str:
    """The same as a sentence. name: the node's; op: the operation that made it, "" for what the user made."""
    if birth.way == "given":
        return gettext("{name} holds {what} from the start.", what=birth.what, name=name)
    if not birth.sure:
        return gettext(
            "{what} is first seen in the gradient of {name}; those that it was made from are not kept."
            if birth.way == "backward"
            else "{what} is first seen in {name} on the way forward; numbers before it are not kept.",
            what=birth.what,
            name=name,
        )
    whole = name if not op or op == name else f"{op} ({name})"
    return gettext(
        "{what} is born in {name} on the way back: the gradient that it was given was finite."
        if birth.way == "backward"
        else "{what} is born in {name} on the way forward: what went in was finite.",
        what=birth.what,
        name=whole,
    )


def until(found: Mapping[int, Birth], step: int | None) -> Mapping[int, Birth]:
    """Those of some births that have happened after a step; all of them if None."""
    return found if step is None else {idx: each for idx, each in found.items() if each.step <= step}


def told(found: Mapping[int, Birth], graph: Graph, names: Sequence[str]) -> list[str]:
    """A sentence for each of some births."""
    return [sentence(birth, names[idx], graph.nodes[idx].op) for idx, birth in found.items()]


def _forward(graph: Graph) -> tuple[dict[int, Birth], list[int]]:
    """Births on the way forward, and the state of every node's value."""
    found: dict[int, Birth] = {}
    states: list[int] = []
    for node in graph.nodes:
        operands = [states[edge.src] for edge in graph.operands[node.idx]]
        state = _state(graph, node, operands)
        if state == _SPOILED and _SPOILED not in operands and node.value is not None:
            way: Literal["given", "forward"] = "forward" if node.kind == "op" else "given"
            found[node.idx] = Birth(_what(node.value), way, _UNKNOWN not in operands)
        states.append(state)
    return found, states


def _state(graph: Graph, node: NodeFacts, operands: list[int]) -> int:
    """What is known of a node's value."""
    if node.value is None:
        return max(operands, default=_CLEAN) or _UNKNOWN
    if node.value.is_finite:
        return _CLEAN
    if _what(node.value) == "nan" or _SPOILED in operands:
        return _SPOILED
    may_be_given = (
        node.kind != "op"
        or canonical(node.op, len(operands)) in _CHOOSING
        or any(
            state == _GIVEN_INF or (state == _UNKNOWN and graph.nodes[edge.src].kind == "constant")
            for state, edge in zip(operands, graph.operands[node.idx], strict=True)
        )
    )
    return _GIVEN_INF if may_be_given else _SPOILED


def _in_pass(trace: Trace, states: list[int]) -> list[tuple[int, Birth]]:
    """Births in a backward pass that is known contribution by contribution."""
    found = []
    for step, event in enumerate(trace.events, start=1):
        if event.edge is None or event.upstream is None or event.contribution.is_finite:
            continue
        edge = trace.graph.edges[event.edge]
        if event.upstream.is_finite and not _is_spoiled(trace.graph, edge, states):
            found.append((edge.dst, Birth(_what(event.contribution), "backward", step=step)))
    return found


def _in_gradients(graph: Graph, states: list[int]) -> list[tuple[int, Birth]]:
    """Births that the gradients show which the nodes hold."""
    lost = [(node.idx, node.grad) for node in reversed(graph.nodes) if node.grad and not node.grad.is_finite]
    if not lost:
        return []
    users: list[list[Edge]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        users[edge.src].append(edge)
    found = []
    for idx, grad in lost:
        above = [_gradient(graph, edge.dst) for edge in users[idx]]
        if any(each is not None and not each.is_finite for each in above):
            continue
        if any(_is_spoiled(graph, edge, states) for edge in users[idx]):
            continue
        makers = {edge.dst for edge in users[idx] if _may_make(graph, edge)}
        sure = None not in above and len(makers) == 1
        found.append((makers.pop() if sure else idx, Birth(_what(grad), "backward", sure)))
    return found


def _gradient(graph: Graph, idx: int) -> Reading | None:
    """The gradient that a node handed on: of one result it is 1 where it is not kept."""
    node = graph.nodes[idx]
    return Reading((), 1.0, (1.0,)) if node.grad is None and graph.ends == (idx,) else node.grad


def _may_make(graph: Graph, edge: Edge) -> bool:
    """Whether what came along an edge may be what is not finite; where one number is known it is worked out."""
    grad = _gradient(graph, edge.dst)
    if edge.local is None or grad is None or grad.values is None:
        return True
    return not math.isfinite(edge.local * grad.values[0])


def _is_spoiled(graph: Graph, edge: Edge, states: list[int]) -> bool:
    """Whether the operation had a nan before its rule was asked for anything."""
    return states[edge.dst] == _SPOILED or any(states[each.src] == _SPOILED for each in graph.operands[edge.dst])


def _what(read: Reading) -> Literal["nan", "inf"]:
    return "nan" if math.isnan(read.norm) else "inf"

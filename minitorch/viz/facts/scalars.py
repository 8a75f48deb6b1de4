"""Graphs of scalar Values as plain facts: ours, and those that a learner writes with the same four attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from minitorch.viz.facts import words
from minitorch.viz.facts.model import Edge, Event, Graph, NodeFacts, Reading, Trace
from minitorch.viz.facts.reading import read
from minitorch.viz.facts.results import is_several, results

LEFT = 1e-11  # of a number: what is larger has three digits left after it was added
LARGE = 1e6  # a smaller number changes when 1e-9 is added to it

Value = Any  # anything with `data`, `_prev`, `_op`; `grad`, `label`, `uid`, `_local_grads` where it has them


def snapshot(root: Value, names: Mapping[str, Any]) -> Graph:
    """The graph behind a scalar Value. Raises TypeError when `root` is none, ValueError when it contains itself."""
    if not is_value(root):
        raise TypeError(f"a picture needs a Tensor or a scalar Value, not {_kind(root)}")
    return graph_of(root, names, _node, scalar=True)


def graph_of(
    root: Value, names: Mapping[str, Any], facts: Callable[[int, Value, str], NodeFacts], scalar: bool
) -> Graph:
    """The graph behind a node that knows its parents as `_prev`. facts: of a node, by its place and its label."""
    labels: dict[int, str] = {}
    for name, thing in names.items():
        if not name.startswith("_"):
            labels.setdefault(id(thing), name)
    order = oldest_first(root)
    where = {id(value): idx for idx, value in enumerate(order)}
    nodes = tuple(facts(idx, value, labels.get(id(value), "")) for idx, value in enumerate(order))
    edges = []
    for value in order:
        locals_ = _local_grads(value) if scalar else ()
        for slot, parent in enumerate(value._prev):
            local = float(locals_[slot]) if len(locals_) == len(value._prev) else None
            edges.append(Edge(where[id(parent)], where[id(value)], slot, local=local))
    return Graph(nodes, tuple(edges), where[id(root)], scalar)


def trace(root: Value, names: Mapping[str, Any]) -> Trace:
    """The backward pass from `root`: d(root)/d(parent) = Σ local gradient · d(root)/d(child), newest node first.

    Raises ValueError when a node does not say one local gradient for each parent.
    """
    graph = snapshot(root, names)
    for value in oldest_first(root):
        given, parents = len(_local_grads(value)), len(value._prev)
        if given != parents:
            raise ValueError(
                f"a node {value._op!r} has {parents} parents and {given} local gradients: "
                f"the backward pass needs one local gradient for each parent"
            )
    one = number(1.0)
    events = [Event("seed", graph.root, one, one)]
    ledger = {graph.root: 1.0}
    for node in reversed(graph.nodes):
        upstream = ledger.get(node.idx)
        if upstream is None:
            continue
        for place in graph.incoming[node.idx]:
            edge = graph.edges[place]
            assert edge.local is not None
            contribution = edge.local * upstream
            before = ledger.get(edge.src)
            ledger[edge.src] = contribution if before is None else before + contribution
            events.append(
                Event(
                    "set" if before is None else "add",
                    edge.src,
                    number(contribution),
                    number(ledger[edge.src]),
                    place,
                    number(upstream),
                )
            )
    return Trace(graph, tuple(events))


def number(value: float) -> Reading:
    """One number, read."""
    return Reading((), abs(float(value)), (float(value),))


def _kind(thing: Any) -> str:
    """What a thing that is no node is called, and what to draw in its place.

    A tensor of PyTorch's is told where its graph can be had, a model that it has none, several results which to give.
    """
    if not isinstance(thing, Mapping) and hasattr(thing, "named_parameters"):
        return f"{type(thing).__name__}, a model, which has no graph: call it, and draw what it gives, with model=…"
    if is_several(thing):
        found = list(results(thing))
        if not found:
            return f"{type(thing).__name__}, in which no Tensor requires grad and no Value is"
        way = next((way for way, each in found if getattr(each, "ndim", 0) == 0), found[0][0])  # a pass starts there
        kind = f"{type(thing).__name__}: give one of its results, such as out{way}, or their sum"
        return f"{kind}; viz.graph draws all of them"
    if type(thing).__name__ == "AutogradGraph":
        return "AutogradGraph: of a recorded graph there are viz.graph and viz.step"
    if type(thing).__module__.partition(".")[0] != "torch" or not hasattr(thing, "requires_grad"):
        return type(thing).__name__
    return (
        "a tensor of PyTorch's, which keeps its graph to itself: record what makes it, "
        "`from minitorch.bridge import record`, `graph = minitorch.graph.AutogradGraph()`, `with record(graph): ...`, "
        "and draw `graph`"
    )


def is_value(thing: Any) -> bool:
    """Whether a thing is a scalar node, ours or a learner's."""
    return (
        not isinstance(thing, Mapping)  # one with keys for attributes may raise KeyError for any name
        and hasattr(thing, "_op")
        and isinstance(getattr(thing, "_prev", None), (tuple, list, set, frozenset))
        and isinstance(getattr(thing, "data", None), (int, float))
    )


def _local_grads(value: Value) -> tuple[float, ...]:
    return tuple(getattr(value, "_local_grads", ()))


def _node(idx: int, value: Value, label: str) -> NodeFacts:
    grad = getattr(value, "grad", None)
    return NodeFacts(
        idx,
        "op" if value._prev else "leaf",
        words.tidy(label or str(getattr(value, "label", "") or "")),
        words.tidy(str(value._op)),
        value=number(value.data),
        grad=None if grad is None else _gradient(grad),
        folded=_folded(value),
    )


def _gradient(grad: Any) -> Reading | None:
    """What a learner's node holds as its gradient: a number, an array that should be one, or None for anything else."""
    try:
        array = np.asarray(grad)
        return read(array) if array.shape else number(grad)
    except (TypeError, ValueError):
        return None


def oldest_first(root: Value) -> list[Value]:
    """root and everything it was made from, parents before children: by creation number, else depth first."""
    done: list[Value] = []
    seen: set[int] = set()
    open_: set[int] = set()
    stack = [(root, False)]
    while stack:
        value, left = stack.pop()
        if left:
            open_.discard(id(value))
            done.append(value)
            continue
        if id(value) in open_:
            raise ValueError("this graph goes round in a circle: a node is among its own parents or their parents")
        if id(value) in seen:
            continue
        seen.add(id(value))
        open_.add(id(value))
        stack.append((value, True))
        for parent in reversed(tuple(value._prev)):
            if not hasattr(parent, "_prev"):
                raise ValueError(
                    f"among the parents of a node {value._op!r} is a {type(parent).__name__}, which is no node"
                )
            stack.append((parent, False))
    if all(isinstance(getattr(value, "uid", None), int) for value in done):
        done.sort(key=lambda value: value.uid)
    return done


def _folded(value: Value) -> str:
    """How a Python number took part in an operation with one parent: "* 3", "** 2", "1 -"; "" if none did.

    No node remembers the number, so it is worked out from what the node knows; where rounding hides it, or a local
    gradient contradicts the value, it is called `const`.
    """
    if len(value._prev) != 1 or value._op not in ("+", "-", "*", "/", "**") or len(_local_grads(value)) != 1:
        return ""
    (parent,), (local,) = tuple(value._prev), map(float, _local_grads(value))
    x, out = float(parent.data), float(value.data)
    match value._op:
        case "+":
            return f"+ {_difference(out, x)}"
        case "*":
            return f"* {_said(out / x if x else local)}"
        case "-" if local > 0:
            return f"- {_difference(x, out)}"
        case "-":
            return f"{_difference(out, -x)} -"
        case "/" if math.isclose(local * x, out) and local:
            return f"/ {_said(1 / local)}"
        case "/":
            return f"{_said(out * x)} /" if math.isclose(local * x, -out) else "/ const"
    return _power(x, out, local)


def _power(x: float, out: float, local: float) -> str:
    """x ** n has the slope n · out / x, and c ** x has ln c · out: whichever gives back `out` is what was computed."""
    try:
        n, c = round(local * x / out, 9), math.exp(local / out)
        if _same(x**n, out):
            return f"** {_said(n)}"
        return f"{_said(c)} **" if _same(c**x, out) else "** const"
    except (ZeroDivisionError, OverflowError):  # at 0 the slope says nothing
        return "** const"


def _same(power: Any, out: float) -> bool:
    """Whether x**n is what was computed. A broken power of a negative number is complex, so it is not."""
    return isinstance(power, float) and math.isclose(power, out, rel_tol=1e-6)


def _difference(a: float, b: float) -> str:
    """a - b, if enough digits of it are left to be shown. Where nothing is left it was 0, unless a is large."""
    shows = abs(a - b) > LEFT * max(abs(a), abs(b)) or (a == b and abs(a) < LARGE)
    return _said(a - b) if shows else "const"


def _said(value: float) -> str:
    return words.number(value) if math.isfinite(value) else "const"

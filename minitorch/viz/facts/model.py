"""Plain facts that a picture is made of: a graph and its backward pass. No tensors, nothing kept alive."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

VERSION = 2  # of the JSON form
KNOWN = (1, 2)  # what is read; 1 had no scopes

Kind = Literal["leaf", "op", "constant"]
Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read off an array: its shape, its norm and, if it is small, its entries row by row.

    A plain number has shape (). `values` is None where the array was too large to write down. norm: nan or inf where
    an entry is, and nowhere else.
    """

    shape: Shape
    norm: float
    values: tuple[float, ...] | None = None

    @property
    def is_zero(self) -> bool:
        """True when there are entries, and every one is 0."""
        return self.norm == 0.0 and not self.is_empty

    @property
    def is_empty(self) -> bool:
        """True when an axis has length 0: there is no entry."""
        return 0 in self.shape

    @property
    def is_finite(self) -> bool:
        """False when an entry is nan or infinite."""
        return math.isfinite(self.norm)


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """One place in the graph. `idx` is its position in `Graph.nodes`; parents stand before children.

    label: the name that the user gave, or "". op: the operation's tag, "" for leaves and constants.
    shape: None for a constant of which nothing but its part in the operation is known, and for a call of several
    results, each a node of its own. dtype: "" for scalar Values.
    value, grad: None when not known; `freed` says that a gradient was there, or the numbers of a
    constant, and has been dropped by the engine.
    folded: how a Python number took part in a scalar operation, as in "** 2" or "1 -"; "" where none did.
    slope: of leaky_relu below 0, where the operation kept it.
    scope: the path of the module that it was made in, such as "blocks.0.mlp"; "" where none is known.
    holds: how many nodes are drawn as this one; 0 for a node that is itself. results: how many of those are used
    outside. slope: that of a leaky_relu below 0, where the operation kept it.
    """

    idx: int
    kind: Kind
    label: str = ""
    op: str = ""
    shape: Shape | None = ()
    dtype: str = ""
    value: Reading | None = None
    grad: Reading | None = None
    freed: bool = False
    folded: str = ""
    scope: str = ""
    holds: int = 0
    results: int = 1
    slope: float | None = None

    @property
    def is_leaf(self) -> bool:
        """True for what the user made; its gradient accumulates."""
        return self.kind == "leaf"

    def moved(self, idx: int) -> NodeFacts:
        """The same at another place. `dataclasses.replace` takes three times as long, and levels have many nodes."""
        place = self.kind, self.label, self.op, self.shape, self.dtype
        read = self.value, self.grad, self.freed, self.folded, self.scope
        return NodeFacts(idx, *place, *read, self.holds, self.results)


@dataclass(frozen=True, slots=True)
class Edge:
    """`src` is operand number `slot` of `dst`; `x * x` has two edges.

    broadcast_axes: the axes of dst along which src is stretched. local: d(dst)/d(src), where it is one number.
    """

    src: int
    dst: int
    slot: int
    broadcast_axes: tuple[int, ...] = ()
    local: float | None = None


@dataclass(frozen=True)
class Graph:
    """The graph behind `nodes[root]`. `scalar` says that its nodes are `scalar.Value`s, not Tensors.

    results: the places of several results, the root among them; empty where there is one.
    """

    nodes: tuple[NodeFacts, ...]
    edges: tuple[Edge, ...]
    root: int
    scalar: bool
    results: tuple[int, ...] = ()

    @property
    def ends(self) -> tuple[int, ...]:
        """The places of all results, also where there is one."""
        return self.results or (self.root,)

    @cached_property
    def topology(self) -> str:
        """Eight hexadecimal digits that tell graphs of different structure apart; ids in a page start with it."""
        nodes = [(node.kind, node.op, node.label, node.shape) for node in self.nodes]
        edges = [(edge.src, edge.dst, edge.slot) for edge in self.edges]
        return hashlib.sha256(repr((nodes, edges, self.results or self.root)).encode()).hexdigest()[:8]

    @cached_property
    def incoming(self) -> tuple[tuple[int, ...], ...]:
        """For each node the numbers of the edges that come in, in slot order."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, edge in enumerate(self.edges):
            found[edge.dst].append(number)
        for numbers in found:
            if len(numbers) > 1:
                numbers.sort(key=lambda number: self.edges[number].slot)
        return tuple(map(tuple, found))

    @cached_property
    def operands(self) -> tuple[tuple[Edge, ...], ...]:
        """For each node the edges that come in, in slot order."""
        return tuple(tuple(self.edges[number] for number in numbers) for numbers in self.incoming)


@dataclass(frozen=True, slots=True)
class Event:
    """One step of the backward pass: `node`'s gradient changes.

    kind: "seed" starts the root; "set" is the first contribution (`=`), "add" every later one (`+=`); "hook" is what
    the node's hooks make of the sum. edge: the index of the edge that it comes along; None for seed and hook, and where
    an operation of several results has made one of them from another, and so gives to its own result.
    upstream: the gradient of the node it comes from. contribution: what arrives, of the node's own shape; after: the
    gradient from now on.
    reduced_axes: the axes that were summed to arrive at that shape; reduced_from: the shape before, where known.
    """

    kind: Literal["seed", "set", "add", "hook"]
    node: int
    contribution: Reading
    after: Reading
    edge: int | None = None
    upstream: Reading | None = None
    reduced_axes: tuple[int, ...] = ()
    reduced_from: Shape | None = None


@dataclass(frozen=True)
class Trace:
    """A backward pass from its seed to its last contribution, starting from no gradient anywhere."""

    graph: Graph
    events: tuple[Event, ...]

    def gradients(self, step: int | None = None) -> dict[int, Reading]:
        """The gradient of every node that one has arrived at, after `step` events (all of them by default)."""
        return {event.node: event.after for event in self.events[:step]}


def to_json(picture: Graph | Trace) -> str:
    """The facts as JSON with sorted keys; numbers that JSON cannot write become the strings "nan", "inf", "-inf"."""
    form = {"version": VERSION, "type": type(picture).__name__, **_plain(dataclasses.asdict(picture))}
    return json.dumps(form, sort_keys=True, allow_nan=False, separators=(",", ":"))


def from_json(text: str) -> Graph | Trace:
    """The inverse of `to_json`. Raises ValueError on a version or a type that this module does not know."""
    form = json.loads(text)
    if form.get("version") not in KNOWN:
        raise ValueError(f"this picture has version {form.get('version')}; this minitorch reads version {VERSION}")
    if form.get("type") == "Graph":
        return _graph(form)
    if form.get("type") == "Trace":
        return Trace(_graph(form["graph"]), tuple(_event(event) for event in form["events"]))
    raise ValueError(f"expected a Graph or a Trace, not {form.get('type')!r}")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value


def _graph(form: dict[str, Any]) -> Graph:
    nodes = [_node(node) for node in form["nodes"]]
    edges = [
        Edge(**{**edge, "broadcast_axes": tuple(edge["broadcast_axes"]), "local": _number(edge["local"])})
        for edge in form["edges"]
    ]
    return Graph(tuple(nodes), tuple(edges), form["root"], form["scalar"], tuple(form.get("results", ())))


def _node(form: dict[str, Any]) -> NodeFacts:
    readings = {key: _reading(form[key]) for key in ("value", "grad")}
    return NodeFacts(**{**form, **readings, "shape": _shape(form["shape"])})


def _event(form: dict[str, Any]) -> Event:
    readings = {key: _reading(form[key]) for key in ("contribution", "after", "upstream")}
    axes = {"reduced_axes": tuple(form["reduced_axes"]), "reduced_from": _shape(form["reduced_from"])}
    return Event(**{**form, **readings, **axes})


def _shape(form: list[int] | None) -> Shape | None:
    return None if form is None else tuple(form)


def _number(form: float | str | None) -> float | None:
    return None if form is None else float(form)


def _reading(form: dict[str, Any] | None) -> Reading | None:
    if form is None:
        return None
    values = None if form["values"] is None else tuple(float(each) for each in form["values"])
    return Reading(tuple(form["shape"]), float(form["norm"]), values)

"""The gradient-shape table as plain facts: one row for each edge of the backward pass, in the order of the pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from minitorch.autograd.backward import reduced_axes
from minitorch.viz.facts import formulas, words
from minitorch.viz.facts.faults import Fault, fault
from minitorch.viz.facts.held import Gathered, gather
from minitorch.viz.facts.model import Edge, NodeFacts, Reading, Shape

State = Literal["some", "zero", "none", "freed", "constant"]


@dataclass(frozen=True, slots=True)
class Row:
    """What flows along one edge: from `result`, which `op` made, to `operand`. The seed has the operand alone.

    upstream: the shape of the result's gradient. rule: how the operand's contribution comes from it.
    sign: `=` for the first contribution to the operand, `+=` for later ones, "" where none flows.
    contribution: its shape before it is summed over `axes`; None where it is not known. shape: the operand's own.
    gradient: what the operand holds, and `state` says of which kind that is; fault: what is wrong with it.
    """

    op: str
    result: str
    upstream: Shape | None
    operand: str
    rule: str
    sign: str
    contribution: Shape | None
    axes: tuple[int, ...]
    shape: Shape | None
    gradient: Reading | None
    state: State
    fault: Fault | None


@dataclass(frozen=True)
class Rows:
    """The table. topology: tells tables of different graphs apart. has_run: whether there are gradients to see."""

    root: str
    rows: tuple[Row, ...]
    scalar: bool
    has_run: bool
    topology: str

    @property
    def wrong(self) -> tuple[tuple[str, Fault], ...]:
        """Name and fault of every operand whose gradient is wrong, each once, in the order of the pass."""
        return tuple({row.operand: (row.operand, row.fault) for row in self.rows if row.fault is not None}.values())


def shape_rows(root: Any, names: Mapping[str, Any] | None = None) -> Rows:
    """The table of the graph behind `root`, before or after its backward pass. Raises as `gather`."""
    held = gather(root, names)
    graph = held.graph
    called = words.names(graph)
    seen = {graph.root}
    rows = [_seed(held, called)]
    for edge in held.backward_edges:
        flows = graph.nodes[edge.src].kind != "constant"
        sign = ("+=" if edge.src in seen else "=") if flows else ""
        seen.add(edge.src)
        rows.append(_row(held, edge, called, sign))
    return Rows(called[graph.root], tuple(rows), graph.scalar, held.has_run, graph.topology)


def _seed(held: Gathered, called: tuple[str, ...]) -> Row:
    node = held.graph.nodes[held.graph.root]
    flows = node.kind != "constant"
    return Row(
        "seed",
        "",
        None,
        called[node.idx],
        "ones" if node.shape else "1",
        "=" if flows else "",
        node.shape if flows else None,
        (),
        node.shape,
        node.grad,
        _state(held, node),
        fault(held, node.idx),
    )


def _row(held: Gathered, edge: Edge, called: tuple[str, ...], sign: str) -> Row:
    graph = held.graph
    result, operand = graph.nodes[edge.dst], graph.nodes[edge.src]
    operands = graph.operands[edge.dst]
    shapes = tuple(graph.nodes[each.src].shape for each in operands)
    to = result.shape or ()
    ours = held.ours and edge.dst not in held.handmade
    contribution: Shape | None = None
    rule = "-"
    if sign:
        contribution = () if graph.scalar else formulas.contribution_shape(result.op, edge.slot, shapes, to, ours)
        if edge.local is not None:
            rule = f"g * {words.number(edge.local)}"
        elif ours:
            rule = formulas.formula(
                result.op, edge.slot, tuple(called[each.src] for each in operands), shapes, called[edge.dst], to
            )
        else:
            rule = f"rule of {result.op or 'the operation'}"
    axes = None if contribution is None or operand.shape is None else reduced_axes(contribution, operand.shape)
    return Row(
        result.op,
        called[edge.dst],
        result.shape,
        called[edge.src],
        rule,
        sign,
        contribution,
        axes or (),
        operand.shape,
        operand.grad,
        _state(held, operand),
        fault(held, edge.src),
    )


def _state(held: Gathered, node: NodeFacts) -> State:
    """Of minitorch's own inner gradients those that no variable holds go, even where the graph is retained."""
    if node.grad is not None:
        return "zero" if node.grad.is_zero else "some"
    if node.kind == "constant":
        return "constant"
    dropped = held.ours and held.has_run and node.kind == "op"
    return "freed" if node.freed or dropped else "none"

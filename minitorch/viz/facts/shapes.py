"""The gradient-shape table as plain facts: one row for each edge of the backward pass, in the order of the pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from minitorch.autograd.backward import reduced_axes
from minitorch.language import gettext
from minitorch.viz.facts import formulas, words
from minitorch.viz.facts.births import Birth, births, told
from minitorch.viz.facts.faults import Fault, fault
from minitorch.viz.facts.model import Edge, Graph, NodeFacts, Reading, Shape
from minitorch.viz.facts.with_arrays import GraphWithArrays, with_arrays

State = Literal["some", "zero", "odd", "none", "freed", "constant"]


LONG = 60  # rows; of a longer table some are left out
BEGIN, END = 12, 4  # rows of a long table that are shown in any case
MARKED = 12  # rows that are shown because something is marked there


@dataclass(frozen=True, slots=True)
class Row:
    """What flows along one edge: from `result`, which `op` made, to `operand`. The seed has the operand alone.

    upstream: the shape of the result's gradient. rule: how the operand's contribution comes from it.
    sign: `=` for the first contribution to the operand, `+=` for later ones, "" where none flows.
    contribution: its shape before it is summed over `axes`; None where it is not known. shape: the operand's own.
    gradient: what the operand holds, and `state` says of which kind that is; fault: what is wrong with it.
    edge: None for the seed. born: what stands there where a nan or an inf comes from this operation, or this operand.
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
    edge: Edge | None = None
    born: Birth | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows that are left out, from `first` to before `stop`. marked: how many of them have something to mark."""

    first: int
    stop: int
    marked: int


@dataclass(frozen=True)
class Rows:
    """The table of a graph whose result is called `root`. has_run: whether there are gradients to see.

    births: where a nan or an inf comes from, in sentences.
    """

    root: str
    rows: tuple[Row, ...]
    graph: Graph
    has_run: bool
    births: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[tuple[str, Fault], ...]:
        """Name and fault of every operand whose gradient is wrong, each once, in the order of the pass."""
        return tuple({row.operand: (row.operand, row.fault) for row in self.rows if row.fault is not None}.values())

    @property
    def marked(self) -> tuple[int, ...]:
        """Which rows have something to mark: a gradient that is wrong, or the birth of a nan."""
        return tuple(at for at, row in enumerate(self.rows) if row.fault is not None or row.born is not None)

    def picked(self) -> tuple[int | Gap, ...]:
        """The rows of a table that can be read at once, by their numbers: all of a short one; of a long one how it
        begins and ends and what is marked, each with a neighbour, and between them how much is left out.
        """
        count, marked = len(self.rows), self.marked
        if count <= LONG:
            return tuple(range(count))
        near = {each + away for each in marked[:MARKED] for away in (-1, 0, 1)}
        kept = sorted({*range(BEGIN), *range(count - END, count), *near} & {*range(count)})
        found: list[int | Gap] = []
        for before, at in pairwise([-1, *kept]):
            left_out = range(before + 1, at)
            if len(left_out) == 1:
                found.append(before + 1)
            elif left_out:
                found.append(Gap(before + 1, at, sum(each in left_out for each in marked)))
            found.append(at)
        return tuple(found)


def shape_rows(root: Any, names: Mapping[str, Any] | None = None) -> Rows:
    """The table of the graph behind `root`, before or after its backward pass. Raises as `with_arrays`."""
    held = with_arrays(root, names)
    graph = held.graph
    called = words.names(graph)
    seen = {graph.root}
    born = dict(births(graph))
    rows = [_seed(held, called)]
    for edge in held.backward_edges:
        flows = graph.nodes[edge.src].kind != "constant"
        sign = ("+=" if edge.src in seen else "=") if flows else ""
        seen.add(edge.src)
        given = edge.src if edge.src in born and born[edge.src].way == "given" else edge.dst
        row = _row(held, edge, called, sign)
        rows.append(replace(row, born=born.pop(given, None) or born.pop(_unsure(born, edge), None)))
    said = tuple(told(births(graph), graph, called))
    return Rows(called[graph.root], tuple(rows), graph, held.has_run, said)


def _unsure(born: Mapping[int, Birth], edge: Edge) -> int:
    """The operand of an edge, where a nan was first seen in its gradient; -1 for no operand."""
    birth = born.get(edge.src)
    return edge.src if birth is not None and birth.way == "backward" and not birth.sure else -1


def _seed(held: GraphWithArrays, called: tuple[str, ...]) -> Row:
    """The row that starts the pass: the result's own gradient, a 1 or as many as it has numbers."""
    node = held.graph.nodes[held.graph.root]
    flows = node.kind != "constant"
    return Row(
        op=gettext("seed"),
        result="",
        upstream=None,
        operand=called[node.idx],
        rule=gettext("ones") if node.shape else "1",
        sign="=" if flows else "",
        contribution=node.shape if flows else None,
        axes=(),
        shape=node.shape,
        gradient=node.grad,
        state=_state(node),
        fault=fault(held, node.idx),
    )


def _row(held: GraphWithArrays, edge: Edge, called: tuple[str, ...], sign: str) -> Row:
    """The row of one edge. sign: "" where nothing flows along it, and then it has no rule and no contribution."""
    graph = held.graph
    result, operand = graph.nodes[edge.dst], graph.nodes[edge.src]
    contribution = _contribution(held, edge) if sign else None
    axes = None if contribution is None or operand.shape is None else reduced_axes(contribution, operand.shape)
    return Row(
        op=result.op,
        result=called[edge.dst],
        upstream=result.shape,
        operand=called[edge.src],
        rule=_rule(held, edge, called) if sign else "-",
        sign=sign,
        contribution=contribution,
        axes=axes or (),
        shape=operand.shape,
        gradient=operand.grad,
        state=_state(operand),
        fault=fault(held, edge.src),
        edge=edge,
    )


def _contribution(held: GraphWithArrays, edge: Edge) -> Shape | None:
    """The shape of what the result's rule returns for this operand, None where that is not known."""
    graph = held.graph
    result = graph.nodes[edge.dst]
    if graph.scalar:
        return ()
    return formulas.contribution_shape(
        result.op, edge.slot, _shapes(graph, edge), result.shape or (), _ours(held, edge)
    )


def _rule(held: GraphWithArrays, edge: Edge, called: tuple[str, ...]) -> str:
    """How the contribution comes from the result's gradient: a formula where the operation is known by its name.

    A learner's own rule is not read: this is what it should be.
    """
    graph = held.graph
    result = graph.nodes[edge.dst]
    if edge.local is not None:
        return f"g * {words.number(edge.local)}"
    if edge.dst in held.handmade:
        return gettext("rule of {op}", op=result.op) if result.op else gettext("rule of the operation")
    names = tuple(_in_formula(graph.nodes[each.src], called[each.src]) for each in graph.operands[edge.dst])
    shapes = _shapes(graph, edge)
    return formulas.formula(result.op, edge.slot, names, shapes, called[edge.dst], result.shape or ())


def _in_formula(node: NodeFacts, name: str) -> str:
    """A name that a formula can hold: one word."""
    return gettext("constant") if node.kind == "constant" and not node.label and node.shape else name


def _shapes(graph: Graph, edge: Edge) -> tuple[Shape | None, ...]:
    """The shapes of all operands of the edge's result."""
    return tuple(graph.nodes[each.src].shape for each in graph.operands[edge.dst])


def _ours(held: GraphWithArrays, edge: Edge) -> bool:
    """Whether the rule is minitorch's own, and so known."""
    return held.ours and edge.dst not in held.handmade


def _state(node: NodeFacts) -> State:
    """What kind of gradient a node holds, or why it holds none."""
    if node.grad is not None:
        return "zero" if node.grad.is_zero else "some" if node.grad.is_finite else "odd"
    if node.kind == "constant":
        return "constant"
    return "freed" if node.freed else "none"

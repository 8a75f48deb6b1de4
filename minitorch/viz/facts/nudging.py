"""The facts of viz.nudge: a graph of single numbers as a calculation that can be done anew with other numbers.

Where what the nodes hold is not what their operands give, that is said: a learner's operation may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from minitorch.language import gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.calculating import Floats, Rule, forward, gradients, result, slopes
from minitorch.viz.facts.capture import snapshot
from minitorch.viz.facts.model import Edge, Graph, NodeFacts
from minitorch.viz.facts.operands import Operands, agree, known
from minitorch.viz.facts.scalars import number

MOST = 4  # sentences about what does not agree
GRADIENT = 1e-6  # of a learner's gradient: nearer it is the same


@dataclass(frozen=True)
class Constant:
    """A number that wants no gradient. place: its own, of a node or beyond all nodes. taker: the first to take it."""

    place: int
    taker: int


@dataclass(frozen=True)
class Calculation:
    """A graph whose numbers can be computed anew.

    graph: as it is drawn, with the values and gradients that come out. rules: one for each node that is an operation.
    start: the numbers of nodes, then those that have no node; those that rules make count for nothing. own: the
    gradients of nodes that hold others. notes: what does not agree, in sentences.
    """

    graph: Graph
    rules: tuple[Rule | None, ...]
    start: tuple[float, ...]
    own: Mapping[int, float]
    notes: tuple[str, ...]

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The nodes that can be nudged."""
        return tuple(node.idx for node in self.graph.nodes if node.kind == "leaf")

    @cached_property
    def constants(self) -> tuple[Constant, ...]:
        """The numbers that can be nudged although they want no gradient. A dot that starts at 0 starts nowhere."""
        nodes = self.graph.nodes
        found: list[Constant] = []
        for node, rule in zip(nodes, self.rules, strict=True):
            for slot, place in enumerate(() if rule is None else rule.operands):
                starts = rule is not None and rule.op == "dot" and not slot and not self.start[place]
                is_one = place >= len(nodes) or nodes[place].kind == "constant"
                if is_one and not starts and all(each.place != place for each in found):
                    found.append(Constant(place, node.idx))
        return tuple(found)

    def difference(self, leaf: int, h: float) -> float:
        """(f(x + h) − f(x − h)) / 2h, where x is the leaf's number."""
        up, down = (self.at({leaf: self.start[leaf] + step})[self.graph.root] for step in (h, -h))
        with np.errstate(all="ignore"):
            return float((np.float64(up) - down) / (2 * h))

    def at(self, numbers: Mapping[int, float]) -> list[float]:
        """All numbers, where some leaves have others."""
        return forward(self.rules, [numbers.get(place, value) for place, value in enumerate(self.start)])


def calculation(root: Any, names: Mapping[str, Any]) -> Calculation:
    """The graph behind `root`, a Value, a Tensor of one number or a learner's own, as a calculation.

    Raises TypeError as `capture.snapshot` does; ValueError for an array, for an operation that is not known, for a
    number that cannot be worked out, where there is no leaf, and where a Value or a Tensor was changed after operations
    on it.
    """
    graph = snapshot(root, names)
    if graph.results:
        raise TypeError(
            f"viz.nudge follows one result, and of this recorded graph {len(graph.results)} are held: "
            f"give one of them, or their sum; viz.graph draws all of them"
        )
    if not any(node.kind == "leaf" for node in graph.nodes):
        raise ValueError("viz.nudge changes leaves, and this graph has none: make a number a Value, or require grad")
    operands = Operands(graph)
    wrong = [*_wrong_results(graph, operands), *_wrong_slopes(graph, operands)]
    if wrong and type(root).__module__.partition(".")[0] == "minitorch":
        name = words.names(graph)[wrong[0][0].idx]
        raise ValueError(
            f"{name} does not hold what its operands give now: a number was changed after {name} was computed. "
            f"Compute the result anew, and nudge that"
        )
    start = (*operands.held, *operands.constants)
    numbers = forward(operands.rules, start)
    totals, local = gradients(operands.rules, numbers, graph.root)
    own = _other_gradients(graph, totals)
    notes = [*(said for _, said in wrong), *_own_gradients(words.names(graph), own, totals)]
    drawn = _drawn(graph, operands.rules, numbers, totals, local)
    return Calculation(drawn, tuple(operands.rules), start, own, tuple(notes[:MOST]))


def exact(value: float) -> str:
    """A number with as many digits as may matter, typeset.

    >>> exact(0.1 + 0.2), exact(-6.0), exact(1e-9)
    ('0.3', '−6', '1e−9')
    """
    mantissa, _, exponent = f"{value:.10g}".partition("e")
    return (f"{mantissa}e{int(exponent)}" if exponent else mantissa).replace("-", "−")


def _wrong_results(graph: Graph, operands: Operands) -> Iterator[tuple[NodeFacts, str]]:
    """Operations whose number is another than their operands give."""
    for node, rule in zip(graph.nodes, operands.rules, strict=True):
        own, taken = known(node), [] if rule is None else operands.of(rule)
        if rule is None or own is None or agree(node, own, right := result(rule.op, taken)):
            continue
        fields = {"op": words.drawn(node.op), "own": exact(own), "right": exact(right)}
        yield (
            node,
            gettext(
                "Your {op} gave {own} where {done} is {right}. Is it wrong, or was a number changed "
                "afterwards? Here all is computed anew.",
                done=_done(node, taken),
                **fields,
            ),
        )


def _wrong_slopes(graph: Graph, operands: Operands) -> Iterator[tuple[NodeFacts, str]]:
    """Operations that say another local gradient than theirs."""
    names = words.names(graph)
    for node, rule in zip(graph.nodes, operands.rules, strict=True):
        if rule is None:
            continue
        taken = operands.of(rule)
        right = slopes(rule.op, taken, result(rule.op, taken))
        nodes = [slope for place, slope in zip(rule.operands, right, strict=True) if place < len(graph.nodes)]
        for edge, slope in zip(graph.operands[node.idx], nodes, strict=False):
            if edge.local is not None and not agree(node, edge.local, slope, GRADIENT):
                fields = {"op": words.drawn(node.op), "own": exact(edge.local), "right": exact(slope)}
                yield (
                    node,
                    gettext(
                        "Your {op} says that its local gradient towards {operand} is {own}; that of {done} is {right}.",
                        done=_done(node, taken),
                        operand=names[edge.src],
                        **fields,
                    ),
                )


def _done(node: NodeFacts, numbers: Floats) -> str:
    """An operation on numbers: "2 × 3", "tanh(0.5)"."""
    count = len(numbers)
    made = replace(node, idx=count, folded="")
    edges = tuple(Edge(place, count, place) for place in range(count))
    nodes = (*(NodeFacts(place, "leaf") for place in range(count)), made)
    said = words.made_by(Graph(nodes, edges, count, scalar=True), made, tuple(map(exact, numbers)))
    return said.replace(" * ", " × ")


def _other_gradients(graph: Graph, totals: Floats) -> dict[int, float]:
    """What nodes hold after a backward pass, where it is another gradient. Zeros alone were never filled in."""
    held = {
        node.idx: node.grad.values[0]
        for node in graph.nodes
        if node.kind != "constant" and node.grad is not None and node.grad.values
    }
    if not any(held.values()):
        return {}
    return {idx: grad for idx, grad in held.items() if not agree(graph.nodes[idx], grad, totals[idx], GRADIENT)}


def _own_gradients(names: Sequence[str], own: Mapping[int, float], totals: Floats) -> list[str]:
    return [
        gettext(
            "Your backward pass left {own} in the grad of {name}; the gradient is {gradient}.",
            name=names[idx],
            own=exact(grad),
            gradient=exact(totals[idx]),
        )
        for idx, grad in own.items()
    ]


def _drawn(
    graph: Graph, rules: Sequence[Rule | None], numbers: Floats, totals: Floats, local: Sequence[Floats]
) -> Graph:
    """The graph with what came out. Each operand has an edge: what is used twice has two."""
    nodes, edges = [], []
    for node, rule in zip(graph.nodes, rules, strict=True):
        grad = None if node.kind == "constant" else number(totals[node.idx])
        value = number(numbers[node.idx])
        nodes.append(replace(node, shape=(), dtype="", value=value, grad=grad, freed=False))
        taken = [] if rule is None else list(zip(rule.operands, local[node.idx], strict=True))
        for slot, (source, slope) in enumerate((place, slope) for place, slope in taken if place < len(rules)):
            shown = None if graph.nodes[source].kind == "constant" else slope
            edges.append(Edge(source, node.idx, slot, local=shown))
    return Graph(tuple(nodes), tuple(edges), graph.root, scalar=True)

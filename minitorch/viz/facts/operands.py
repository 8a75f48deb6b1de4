"""What each node of a graph of single numbers does with which numbers, so that it can be computed anew.

Python numbers that took part are remembered by no node, and constants of Tensors often not: they are worked out from
the node's own number and its local gradient, as the number of the fewest digits that gives it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np

from minitorch.viz.facts import words
from minitorch.viz.facts.calculating import ONE, TWO, Floats, Rule, result, slopes
from minitorch.viz.facts.formulas import canonical
from minitorch.viz.facts.model import Edge, Graph, NodeFacts

N = TypeVar("N", int, float)

_SAME: Final = frozenset({"clone", "to", "sum", "mean", "prod", "reshape", "view", "squeeze", "unsqueeze", "expand"})
_SIGNS: Final = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}
_LITERAL: Final = re.compile(r"(\*\*|[-+*/])\s*(-?[\d.]+(?:e-?\d+)?)")  # "**2", as learners write it
_CLOSE: Final = {"float16": 1e-2, "float32": 1e-4}  # how near two numbers are that should be one; else 1e-9
SLOPE = 1e-12  # how near the slopes of two numbers are that are one
_NOTHING = 1e-12  # of the numbers that are added: rounding


def known(node: NodeFacts) -> float | None:
    """The number that a node holds."""
    return None if node.value is None or not node.value.values else node.value.values[0]


def agree(node: NodeFacts, own: float, right: float, least: float = 1e-9) -> bool:
    """Whether a number that a node holds is what it should be, as exactly as its dtype can say it."""
    near = max(_CLOSE.get(node.dtype, 0.0), least)
    return own == right or (math.isnan(own) and math.isnan(right)) or math.isclose(own, right, rel_tol=near)


class Operands:
    """Goes through a graph, oldest node first.

    rules: what the nodes do. held: their own numbers; where one is not known, what its operands give. constants:
    numbers without a node; their places come after those of all nodes.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._names = words.names(graph)
        self.held: list[float] = []
        self.rules: list[Rule | None] = []
        self.constants: list[float] = []
        for node in graph.nodes:
            self._check(node)
            rule = self._rule(node) if node.kind == "op" else None
            number = known(node)
            self.rules.append(rule)
            if number is None:
                number = math.nan if rule is None else result(rule.op, self.of(rule))
            self.held.append(number)

    def of(self, rule: Rule) -> list[float]:
        """The numbers that a rule takes."""
        first = len(self._graph.nodes)
        return [self.held[each] if each < first else self.constants[each - first] for each in rule.operands]

    def _check(self, node: NodeFacts) -> None:
        name = self._names[node.idx]
        if node.shape not in ((), None):
            raise ValueError(
                f"viz.nudge draws graphs of single numbers, and {name} has the shape {node.shape}: use viz.step or "
                f"viz.shapes, or compute with single numbers"
            )
        if node.kind == "leaf" and known(node) is None:
            raise ValueError(f"the number of the leaf {name} is gone: keep the Tensor in a variable")

    # -- which rule ----------------------------------------------------------------------------------------------------

    def _rule(self, node: NodeFacts) -> Rule:
        edges = self._graph.operands[node.idx]
        sources = tuple(edge.src for edge in edges)
        literal = _LITERAL.fullmatch(node.op.strip())
        if literal and len(sources) == 1:
            return Rule(_SIGNS[literal[1]], (*sources, self._constant(float(literal[2]))))
        name = canonical(node.op, len(sources))
        if len(sources) == 1 and name in _SAME:
            return Rule("positive", sources)
        if node.op == "dot" and all(edge.local is not None for edge in edges):
            return Rule("dot", self._dot(node, edges))
        if len(sources) == 1 and name in ONE and (node.op.strip() != "-" or self._is_negative(node, edges[0])):
            return Rule(name, sources)
        if len(sources) == 2 and name in TWO:
            return Rule(name, self._both(node, name, sources))
        if len(sources) == 1 and name == "leaky_relu":
            return Rule(name, (*sources, self._constant(self._slope(node, edges[0]))))
        if len(sources) == 1 and node.op in _SIGNS:
            return Rule(_SIGNS[node.op], self._with_number(node, _SIGNS[node.op], edges[0]))
        raise ValueError(self._unknown(node, len(sources)))

    def _is_negative(self, node: NodeFacts, edge: Edge) -> bool:
        """Whether a "-" of one node is that node's negative, and not a difference from a number."""
        held = known(node)
        return edge.local in (None, -1.0) and (held is None or agree(node, held, -self.held[edge.src]))

    def _unknown(self, node: NodeFacts, count: int) -> str:
        can = "+ - * / ** " + " ".join(sorted((ONE - {"positive"}) | {"maximum", "minimum", "leaky_relu"}))
        what = (
            f"{node.op!r} of {count} operand{'s' * (count != 1)}" if node.op else "an operation without a name in _op"
        )
        return (
            f"viz.nudge cannot compute {what}, which made {self._names[node.idx]}, in the browser. It can: {can}. "
            f"Write it with these, or look at it with viz.step"
        )

    def _lost(self, node: NodeFacts) -> str:
        if node.op == "**":
            return (
                f"viz.nudge cannot work out the power that made {self._names[node.idx]}: no node remembers it, and "
                f"0 to any power above 1 is 0. Nudge the graph with other numbers, or write the power as a product"
            )
        return (
            f"viz.nudge cannot work out the number that took part in {node.op!r}, which made {self._names[node.idx]}: "
            f"no node remembers it, and after backward() Tensors remember less. Make it a leaf, or keep that result in "
            f"a variable"
        )

    # -- which numbers -------------------------------------------------------------------------------------------------

    def _constant(self, value: float) -> int:
        """The place of a number that has no node."""
        self.constants.append(value)
        return len(self._graph.nodes) + len(self.constants) - 1

    def _both(self, node: NodeFacts, name: str, sources: tuple[int, ...]) -> tuple[int, ...]:
        """Two operands that are nodes. A constant whose number nobody kept gets one now."""
        missing = [
            slot
            for slot, source in enumerate(sources)
            if self.rules[source] is None and known(self._graph.nodes[source]) is None
        ]
        for slot in missing:
            out, x = known(node), self.held[sources[1 - slot]]
            if out is None or len(missing) == 2:
                raise ValueError(self._lost(node))
            candidates = [near for place, near in _candidates(name, x, out, None) if place == slot]
            self.held[sources[slot]] = self._shortest(node, name, x, slot, candidates, None)
        return sources

    def _with_number(self, node: NodeFacts, name: str, edge: Edge) -> tuple[int, ...]:
        """One operand that is a node and one that is not, or one node twice: a set of parents has it once."""
        x, out = self.held[edge.src], known(node)
        if out is None:
            raise ValueError(self._lost(node))
        if edge.local is None:
            if agree(node, out, result(name, [x, x])):
                return (edge.src, edge.src)
            if name in ("sub", "div", "pow"):  # which side is it on?
                raise ValueError(self._lost(node))
        fitting = []
        for slot, near in _candidates(name, x, out, edge.local):
            found = self._shortest(node, name, x, slot, [near], edge.local)
            if agree(node, out, result(name, _placed(x, found, slot))):
                has_slope = edge.local is None or self._has_slope(name, x, found, slot, edge.local)
                fitting.append((not has_slope, found, slot))
        if not fitting:
            raise ValueError(self._lost(node))
        _, found, slot = min(fitting, key=lambda each: each[0])  # the first; one that has the slope, where there is one
        return tuple(_placed(edge.src, self._constant(found), slot))

    def _shortest(
        self, node: NodeFacts, name: str, x: float, slot: int, candidates: Floats, local: float | None
    ) -> float:
        """The number of the fewest digits that gives the node's own, and its slope, near the first that is given.

        The slope decides where the result says nothing: 0 times anything is 0.
        """
        kind, out = np.dtype(node.dtype or "float64").type, known(node)
        if not candidates or not math.isfinite(candidates[0]):
            raise ValueError(self._lost(node))
        for digits in range(1, 18):
            tried = float(f"{candidates[0]:.{digits}g}")
            with np.errstate(all="ignore"):
                is_right = kind(result(name, _placed(x, tried, slot))) == out
            if is_right and (local is None or self._has_slope(name, x, tried, slot, local)):
                return tried
        return candidates[0]

    def _has_slope(self, name: str, x: float, found: float, slot: int, local: float) -> bool:
        numbers = _placed(x, found, slot)
        return math.isclose(slopes(name, numbers, result(name, numbers))[1 - slot], local, rel_tol=SLOPE)

    def _slope(self, node: NodeFacts, edge: Edge) -> float:
        """The slope of a leaky_relu below 0."""
        x, out = self.held[edge.src], known(node)
        if node.slope is not None:
            return node.slope
        if x < 0 and out is not None:
            return self._shortest(node, "leaky_relu", x, 1, [out / x], edge.local)
        if x <= 0 and edge.local is not None:
            return edge.local
        raise ValueError(
            f"viz.nudge cannot work out the slope below 0 of 'leaky_relu', which made {self._names[node.idx]}: no node "
            f"remembers it, and its operand is {x:g}. Nudge the graph with a number below 0 there"
        )

    def _dot(self, node: NodeFacts, edges: Sequence[Edge]) -> tuple[int, ...]:
        """start, a, b, …: of two nodes each of which is the other's local gradient, and of nodes and numbers."""
        out = known(node)
        assert out is not None  # it says its local gradients, so it is a Value
        paired, single = self._factors(edges, True), self._factors(edges, False)
        rest, other = self._rest(out, paired), self._rest(out, single)
        if rest and not other:
            paired, rest = single, other
        places = [self._constant(rest)]
        for edge, factor in paired:
            places += [edge.src, factor.src if isinstance(factor, Edge) else self._constant(factor)]
        return tuple(places)

    def _factors(self, edges: Sequence[Edge], pairs: bool) -> list[tuple[Edge, Edge | float]]:
        found: list[tuple[Edge, Edge | float]] = []
        rest = list(edges)
        while rest:
            edge, *rest = rest
            after = rest[0] if pairs and rest else None
            if after and edge.local == self.held[after.src] and after.local == self.held[edge.src]:
                found.append((edge, after))
                rest = rest[1:]
            else:
                found.append((edge, edge.local or 0.0))
        return found

    def _rest(self, out: float, factors: Sequence[tuple[Edge, Edge | float]]) -> float:
        """What is added to the products, 0 where it is rounding."""
        products = [self.held[edge.src] * (edge.local or 0.0) for edge, _ in factors]
        rest = out - sum(products)
        return 0.0 if abs(rest) <= _NOTHING * max(map(abs, [out, *products])) else float(f"{rest:.12g}")


def _placed(node: N, number: N, slot: int) -> list[N]:
    """Two operands, of which the number is the one in `slot`."""
    return [number, node] if slot == 0 else [node, number]


def _candidates(name: str, x: float, out: float, local: float | None) -> list[tuple[int, float]]:
    """In which slot a number may have been, and about which it was, if x was in the other. local: of x, where known."""
    try:
        match name:
            case "add":
                return [(1, out - x), (0, out - x)]
            case "mul":
                near = out / x if x else math.nan
                near = near if math.isfinite(near) or local is None else local
                return [(1, near), (0, near)]
            case "sub":
                return [(1, x - out)] * (local is None or local > 0) + [(0, out + x)] * (local is None or local < 0)
            case "div":
                far, near = (x / out if out else math.nan if not local else 1 / local), out * x
                if local is None:
                    return [(1, far), (0, near)]
                return [(1, far)] if math.isclose(local * x, out) and local else [(0, near)]
            case "pow" if local is not None:
                return [(1, local * x / out), (0, math.exp(local / out))]
            case "pow":
                return [(1, math.log(out) / math.log(x)), (0, out ** (1 / x))]
    except (ZeroDivisionError, OverflowError, ValueError):
        pass
    return []

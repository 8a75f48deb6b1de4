"""Local gradients of single numbers: what each operation's is, and what comes out when its rule is misremembered.

Each rule is told the operation's operands `a` and `b` and its result `o`, as numbers, and gives the local gradient of
one operand, by the name `right`, and wrong ones by the name of the mistake that makes them, the likelier ones first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from minitorch.viz.facts import words
from minitorch.viz.facts.formulas import canonical
from minitorch.viz.facts.model import Edge, Graph, NodeFacts

RIGHT = "right"

Slopes = dict[str, float]
Rule = Callable[[float, float, float], Slopes]


@dataclass(frozen=True, slots=True)
class Use:
    """An operand where an operation uses it, with Python numbers that take part as operands of their own.

    op: the engine's name of the operation. slot: which of the operands it is. values, names: of all of them, in order.
    """

    op: str
    slot: int
    values: tuple[float, ...]
    names: tuple[str, ...]
    out: float

    def shown(self) -> Use:
        """The same with the numbers that a reader sees."""
        return replace(self, values=tuple(map(as_shown, self.values)), out=as_shown(self.out))

    def slopes(self) -> Slopes:
        """The local gradient and those of mistakes, by name; none where the rule is not known or leads nowhere."""
        if self.op == "matmul":  # of single numbers: Value.dot
            return {"own_factor": self.values[self.slot]}
        rule = _RULES.get((self.op, self.slot))
        if rule is None or len(self.values) > 2:
            return {}
        a, b = (*self.values, math.nan)[:2]
        try:
            found = rule(a, b, self.out)
        except (ArithmeticError, ValueError):
            return {}
        return {name: slope for name, slope in found.items() if isinstance(slope, float) and math.isfinite(slope)}


def as_shown(value: float) -> float:
    """A number as pictures write it: three significant digits.

    >>> as_shown(0.123456), as_shown(12345.0)
    (0.123, 12345.0)
    """
    return float(words.number(value))


def single(node: NodeFacts) -> float | None:
    """A node's number, if it is one number and known."""
    read = node.value
    return read.values[0] if read is not None and read.values is not None and len(read.values) == 1 else None


def use_of(graph: Graph, edge: Edge, names: tuple[str, ...]) -> Use | None:
    """How an edge's operand is used; None where the number of an operand is not known. That of a result may be nan."""
    giver, operands = graph.nodes[edge.dst], graph.operands[edge.dst]
    out = single(giver)
    values = [single(graph.nodes[each.src]) for each in operands]
    if any(value is None for value in values):
        return None
    out = math.nan if out is None else out
    known = tuple(value for value in values if value is not None)
    called, slot = tuple(names[each.src] for each in operands), operands.index(edge)
    if giver.folded and len(operands) == 1:
        number = _folded(giver, known[0], out, edge.local)
        if number is None or not math.isfinite(number):
            return None
        if _stands_first(giver):
            known, called, slot = (number, *known), (words.number(number), *called), 1
        else:
            known, called = (*known, number), (*called, words.number(number))
    return Use(canonical(giver.op, len(known)), slot, known, called, out)


def _stands_first(giver: NodeFacts) -> bool:
    return not giver.folded.startswith(giver.op)


def _folded(giver: NodeFacts, x: float, out: float, local: float | None) -> float | None:
    """The Python number that took part in an operation, to the last digit."""
    if "const" in giver.folded or local is None:
        return None
    first = _stands_first(giver)
    try:
        match giver.op:
            case "+":
                return out - x
            case "-":
                return out + x if first else x - out
            case "*":
                return local
            case "/":
                return out * x if first else 1 / local
        return math.exp(local / out) if first else round(local * x / out, 9)
    except ArithmeticError:
        return None


# -- the rules -----------------------------------------------------------------------------------------------------


def _product(own: float, other: float) -> Slopes:
    return {RIGHT: other, "own_operand": own}


def _numerator(a: float, b: float, _: float) -> Slopes:
    return {RIGHT: 1 / b, "not_divided": b, "as_denominator": -a / b**2, "own": a}


def _denominator(a: float, b: float, _: float) -> Slopes:
    return {
        RIGHT: -a / b**2,
        "quotient_sign": a / b**2,
        "no_square": -a / b,
        "no_numerator": -1 / b**2,
        "as_numerator": 1 / b,
        "own": b,
    }


def _power(a: float, n: float, o: float) -> Slopes:
    return {
        RIGHT: n * _to_the(a, n - 1),
        "power_no_factor": _to_the(a, n - 1),
        "power_same": n * o,
        "function_itself": o,
        "power_factor_only": n,
        "own": a,
    }


def _exponent(c: float, x: float, o: float) -> Slopes:
    return {RIGHT: o * math.log(c), "no_log": o, "power_rule": x * _to_the(c, x - 1)}


def _to_the(base: float, exponent: float) -> float:
    found = base**exponent
    if isinstance(found, complex):
        raise ValueError("no real number")
    return float(found)


def _relu(a: float, _: float, __: float) -> Slopes:
    return {RIGHT: float(a > 0), ("blocked" if a > 0 else "let_through"): float(a <= 0), "own": a}


def _tanh(a: float, _: float, o: float) -> Slopes:
    return {
        RIGHT: 1 - o * o,
        "of_operand": 1 - a * a,
        "tanh_no_square": 1 - o,
        "tanh_no_one": o * o,
        "function_itself": o,
        "sigmoid_rule": o * (1 - o),
    }


def _sigmoid(a: float, _: float, o: float) -> Slopes:
    return {
        RIGHT: o * (1 - o),
        "of_operand": a * (1 - a),
        "sigmoid_one_factor": 1 - o,
        "function_itself": o,
        "tanh_rule": 1 - o * o,
    }


_RULES: Mapping[tuple[str, int], Rule] = {
    ("add", 0): lambda a, b, o: {RIGHT: 1.0, "as_product": b, "own": a},
    ("add", 1): lambda a, b, o: {RIGHT: 1.0, "as_product": a, "own": b},
    ("sub", 0): lambda a, b, o: {RIGHT: 1.0, "as_product": b, "own": a},
    ("sub", 1): lambda a, b, o: {RIGHT: -1.0, "minus": 1.0, "as_product": a, "own": b},
    ("neg", 0): lambda a, b, o: {RIGHT: -1.0, "minus": 1.0},
    ("mul", 0): lambda a, b, o: _product(a, b),
    ("mul", 1): lambda a, b, o: _product(b, a),
    ("div", 0): _numerator,
    ("div", 1): _denominator,
    ("pow", 0): _power,
    ("pow", 1): _exponent,
    ("exp", 0): lambda a, b, o: {RIGHT: o, "of_operand": a, "power_rule": a * math.exp(a - 1)},
    ("log", 0): lambda a, b, o: {RIGHT: 1 / a, "not_inverted": a, "function_itself": o, "of_result": 1 / o},
    ("tanh", 0): _tanh,
    ("sigmoid", 0): _sigmoid,
    ("relu", 0): _relu,
    ("sqrt", 0): lambda a, b, o: {RIGHT: 0.5 / o, "sqrt_no_half": 1 / o, "of_operand": 0.5 / a, "function_itself": o},
    ("sin", 0): lambda a, b, o: {RIGHT: math.cos(a), "function_itself": o},
    ("cos", 0): lambda a, b, o: {RIGHT: -math.sin(a), "function_itself": o},
    ("abs", 0): lambda a, b, o: {RIGHT: math.copysign(1.0, a) if a else 0.0, "function_itself": o},
}
